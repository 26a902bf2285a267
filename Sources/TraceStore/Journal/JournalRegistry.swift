public import RecordFormat
package import SystemPackage
internal import TraceFiles

/// The kinds of journal that a program knows, in the order in which they are recognised: a directory that has the headers of two
/// kinds is one of the first.
public struct JournalRegistry: Sendable {
    package let formats: [any JournalFormat]
    /// Asked for at each name that a search comes to.
    private let headers: [FilePath.Component]
    /// The names of all files of all kinds that are looked at, each once.
    package let fileNames: [FilePath.Component]

    /// - Parameter formats: No two of them have a kind of entry in common.
    package init(_ formats: [any JournalFormat]) {
        self.formats = formats
        headers = formats.compactMap(\.fileNames.first)
        // No set: each type of set costs the start of a program more than this few comparisons.
        fileNames = formats.reduce(into: []) { names, format in
            for name in format.fileNames where !names.contains(name) { names.append(name) }
        }
    }

    /// What is declared of a kind of entry, and the file in which such stand; nil for one of no known kind.
    package func entry(_ kind: EntryKind) -> (declaration: EntryDeclaration, file: JournalFile)? {
        for format in formats {
            guard let declaration = format.layout.entryKinds.first(where: { $0.kind == kind }) else {
                continue
            }
            return format.layout.files.first { $0.entryKinds.contains(kind) }.map { (declaration, $0) }
        }
        return nil
    }

    /// Whether a file of that name makes its directory a journal.
    package func isHeader(_ name: FilePath.Component) -> Bool { headers.contains(name) }

    /// Whether a change of that name can change what is known of a journal. Exact names are let in, instead of keeping temporary ones
    /// out, since every editor and sync tool has its own.
    package func matters(_ name: FilePath.Component) -> Bool {
        let text = name.escaped
        return formats.contains { $0.layout.matters(text) }
    }

    /// Whether a directory is a journal.
    ///
    /// - Throws: ``FileError`` if that can't be determined.
    package func isJournal(_ path: FilePath) throws -> Bool {
        let directory = try OpenDirectory(path)
        return try headers.contains { try directory.statusIfPresent(of: $0, followingLinks: true) != nil }
    }

    /// Whether a search takes a directory for a journal: it has a header that is a file, or a link to something. One that can't be
    /// looked into is taken for one.
    func hasHeader(at path: FilePath) -> Bool {
        let directory: OpenDirectory
        do { directory = try OpenDirectory(path) } catch let error as FileError where error.code == .notFound
        {
            return false
        } catch {
            return true
        }
        return headers.contains { name in
            do {
                let entry = try directory.statusIfPresent(of: name, followingLinks: false)
                guard entry?.kind == .symbolicLink else { return entry?.kind == .regular }
                return try directory.statusIfPresent(of: name, followingLinks: true) != nil
            } catch {
                return true
            }
        }
    }

    /// Whether the header of a directory is a link that leads nowhere, so that it may become a journal although nothing changes
    /// in the directory.
    package func hasDanglingHeader(at path: FilePath) -> Bool {
        guard let directory = try? OpenDirectory(path) else { return false }
        return headers.contains { name in
            (try? directory.status(of: name, followingLinks: false))?.kind == .symbolicLink
        }
    }

    package subscript(kind: JournalKind) -> (any JournalFormat)? { formats.first { $0.layout.kind == kind } }

    /// Every rule that a journal can break, each once, in the order of the kinds.
    public var rules: [Rule] {
        var ids: Set<String> = []
        return formats.flatMap(\.layout.rules).filter { ids.insert($0.id).inserted }
    }

    /// The rule of that name.
    public func rule(named id: String) -> Rule? {
        for format in formats {
            if let rule = format.layout.rules.first(where: { $0.id == id }) { return rule }
        }
        return nil
    }

    /// What there is to see of the journal in a directory; nil if there is none.
    ///
    /// - Parameter settleTime: How long a file must have rested before its unfinished last line counts as torn.
    /// - Throws: ``FileError`` if the directory can't be looked at.
    package func snapshot(at path: FilePath, settleTime: Duration) throws -> JournalSnapshot? {
        let directory: OpenDirectory
        do { directory = try OpenDirectory(path) } catch let error as FileError where error.code == .notFound
        {
            return nil
        }
        for format in formats {
            let snapshot = try JournalSnapshot(directory, as: format, settleTime: settleTime)
            if snapshot.isJournal { return snapshot }
        }
        return nil
    }
}
