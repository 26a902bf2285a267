internal import RecordFormat
internal import TraceFiles
internal import TraceFormat

/// A file of records that may need a fix, and its conflict copies.
struct RecordDraft {
    let kind: RecordKind
    /// Nil if there are only copies of it.
    let file: FileContents?
    /// What was done at the ends of the file.
    let endFixes: [Fix]
    /// Whether the file may still be in transit; then it and its copies are left alone.
    let isInTransit: Bool
    let main: Version
    let copies: [Copy]

    /// The file with its ends repaired, or a copy as it is.
    struct Version {
        let lines: RecordLines
        let spelling: CanonicalizationFix

        init(_ bytes: [UInt8], of kind: RecordKind, name: String? = nil) throws {
            lines = try RecordLines(bytes, kind: kind, file: name)
            spelling = CanonicalizationFix(lines, of: kind, name: name)
        }

        /// The lines with their values repaired, and what was done to them.
        func fixed(_ kind: RecordKind, _ name: String? = nil, knowing ids: IDCensus) throws -> (
            lines: RecordLines, fixes: [Fix]
        ) {
            let (bytes, fixes) = spelling.fixed(knowing: ids)
            return fixes.isEmpty ? (lines, []) : (try RecordLines(bytes, kind: kind, file: name), fixes)
        }
    }

    struct Copy {
        let contents: SessionContents.Copy
        let version: Version
        /// Whether it may still be in transit.
        let isInTransit: Bool
    }

    /// - Returns: Nil if nothing about the file can need a fix, or where it is nothing that can be read, which is a finding
    ///   then; its copies stay.
    init?(_ kind: RecordKind, of contents: SessionContents) throws {
        switch try contents.file(of: kind) {
        case nil, .sound: return nil
        case .missing: file = nil
        case .whole(let contents): file = contents
        }
        func endFix(of file: FileContents?) throws -> FileEndFix {
            let isSettled = file.map { contents.session.isSettled($0.identity) } ?? true
            return try FileEndFix(file?.contents ?? [], of: kind, isSettled: isSettled)
        }
        let ends = try endFix(of: file)
        self.kind = kind
        endFixes = ends.fixes
        isInTransit = ends.isInTransit
        main = try Version(ends.bytes, of: kind)
        copies = try contents.copies(of: kind.fileName).map { copy in
            Copy(
                contents: copy, version: try Version(copy.file.contents, of: kind, name: copy.text),
                isInTransit: try endFix(of: copy.file).isInTransit)
        }
    }

    /// All that is known of the file's records.
    var versions: [Version] { [main] + copies.map(\.version) }
}

extension IDCensus {
    /// Looks who has the ids that a session writes in lower case; if there are none, no file is read for that.
    ///
    /// - Parameters:
    ///   - isUsedElsewhere: Whether another session has an id; asked only for the session's own.
    /// - Throws: ``FileError`` if a file can't be read.
    init(
        _ contents: SessionContents, _ drafts: [RecordDraft], isUsedElsewhere: (ULID) -> Bool
    ) throws {
        self.init()
        let header = contents.header.map { CanonicalizationFix(header: $0.contents) }
        header?.ask(&self)
        for version in drafts.lazy.flatMap(\.versions) { version.spelling.ask(&self) }
        guard !isEmpty else { return }
        header?.count(in: &self)
        for id in header?.misspelledSessionIDs ?? [] where isUsedElsewhere(id) { dispute(id) }
        for version in drafts.lazy.flatMap(\.versions) {
            version.spelling.count(in: &self)
            version.spelling.count(version.lines, in: &self)
        }
        let asked = self
        for kind in RecordKind.lines where !drafts.contains(where: { $0.kind == kind }) {
            for id in try contents.session.ids(of: kind, where: asked.wants) {
                count(id, spelled: id.description, as: .record(kind), in: kind.fileName)
            }
        }
    }
}

extension SessionReader {
    /// The ids of a file's records that fulfil a condition.
    fileprivate func ids(of kind: RecordKind, where isWanted: @escaping (ULID) -> Bool) throws -> [ULID] {
        let found = FoundIDs()
        _ = try readLines(kind) { line in
            if let id = line.id, isWanted(id) { found.ids.append(id) }
        }
        return found.ids
    }
}

/// A class, since a closure that outlives the call fills it.
private final class FoundIDs {
    var ids: [ULID] = []
}
