package import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Which import is to be replaced: `trace import --replace`.
package enum ReplacedImport: Sendable {
    /// What the same file brought.
    case sameFile
    /// The one that has this id, or brought the file of this name.
    case named(String)
}

/// What an import brought into a session, and what is there of it now.
///
/// Imports that replace one another count as one. Of those that took the same contents all are meant; of those that took other contents from a
/// file of the same name, the last one.
///
/// Source: docs/exchange.md#correcting-an-import.
package struct EarlierImport {
    /// A marker that was brought.
    package struct Brought {
        /// Its line as it was brought last.
        package let line: [UInt8]
        /// Its lines as they are in the session; empty if it was removed since.
        package let present: [[UInt8]]
        /// Whether a voice note names it.
        let isNamed: Bool

        /// Its last line; nil if it was removed since.
        package var last: [UInt8]? { present.last }
        /// Whether somebody has changed or removed it.
        package var isEdited: Bool {
            guard let last else { return true }
            return last != line && !JSONText.isEquivalent(last, line)
        }
        /// Whether nobody has changed it, or made a voice note of it.
        package var isUntouched: Bool { !isNamed && !isEdited }
    }

    package private(set) var markers: [ULID: Brought] = [:]
    /// Whether the file had the same contents.
    package let isSameFile: Bool
    /// The imports that are replaced.
    let writes: [ULID]
    /// How many imports of a file of that name stay as they are.
    package let otherCount: Int
}

extension SessionWriter {
    /// Looks for an import into the session.
    ///
    /// - Parameter file: What is imported now.
    /// - Throws: ``StoreError`` with `.noSuchImport`; with `.unsafeToUndo` if an undo of it was cut short.
    /// - Complexity: O(size of the undo log and of the session).
    package func earlierImport(_ choice: ReplacedImport, of file: ImportedFile) throws -> EarlierImport {
        try earlierImport(choice, of: file, in: SessionReader(path), isSettling: false)
    }

    /// - Parameter isSettling: Whether it is noted how an import ended that was killed: the session's lock is held.
    func earlierImport(
        _ choice: ReplacedImport, of file: ImportedFile, in session: SessionReader, isSettling: Bool
    ) throws -> EarlierImport {
        let log = undoLog
        let id = try session.readableHeader().session.id
        var imports: [UndoableWrite] = []
        for entry in try log?.writes().reversed() ?? [] where entry.write.isImport(into: id, at: path) {
            guard entry.isHalfUndone else {
                imports.append(entry.write)
                continue
            }
            let isDone = try PendingImport(entry.write, log).isDone(in: session)
            if isSettling { try log?.note(isDone ? .kept : .withdrawn, of: entry.write.id) }
            if isDone { imports.append(entry.write) }
        }
        let groups = UndoableWrite.groups(of: imports)
        let (meant, otherCount) = try Self.choose(choice, of: file, among: groups, at: path)
        var brought: [ULID: [UInt8]] = [:]
        let meantIDs = Set(meant.map(\.id))
        for write in imports where meantIDs.contains(write.id) { try log?.apply(write, to: &brought) }
        var found = EarlierImport(
            isSameFile: meant.contains { $0.source?.sha256 == file.sha256 }, writes: meant.map(\.id),
            otherCount: otherCount)
        let ids = Set(brought.keys)
        let present = try session.lines(of: ids, in: .marker)
        var named: Set<ULID> = []
        try session.read(.voiceNote) { record in
            if let reference = record.reference, ids.contains(reference) { named.insert(reference) }
        }
        found.fill(brought, present, named)
        return found
    }

    private static func choose(
        _ choice: ReplacedImport, of file: ImportedFile, among groups: [[UndoableWrite]], at path: FilePath
    ) throws -> (writes: [UndoableWrite], otherCount: Int) {
        func those(where isMeant: (UndoableWrite) -> Bool) -> [[UndoableWrite]] {
            groups.filter { $0.contains(where: isMeant) }
        }
        let sameName: [[UndoableWrite]]
        switch choice {
        case .sameFile:
            let same = those { $0.source?.sha256 == file.sha256 }
            sameName = file.path.map { path in those { $0.source?.path == path } } ?? []
            if !same.isEmpty {
                let ids = Set(same.joined().map(\.id))
                return (
                    same.flatMap(\.self), sameName.count { group in !group.contains { ids.contains($0.id) } }
                )
            }
        case .named(let name):
            if let id = ULID(name), let group = those(where: { $0.id == id }).last { return (group, 0) }
            sameName = those { $0.source?.path == name || $0.source?.name == name }
        }
        if let last = sameName.last { return (last, sameName.count - 1) }
        throw noSuchImport(choice, groups, at: path)
    }

    /// How many imports an error names.
    private static let shownImports = 3

    private static func noSuchImport(
        _ choice: ReplacedImport, _ groups: [[UndoableWrite]], at path: FilePath
    ) -> StoreError {
        let message =
            switch choice {
            case .sameFile: "no earlier import of this file into the session is known"
            case .named(let name): "no import '\(name.oneLine)' into the session is known"
            }
        let known = groups.compactMap(\.last).suffix(shownImports).reversed().map { write in
            "\(write.id)\(write.source?.name.map { " ('\($0.oneLine)')" } ?? "")"
        }
        guard !known.isEmpty else {
            return StoreError(
                .noSuchImport, message, path: path,
                cure: [
                    "import it without \(option: "replace")",
                    "\(verb: "marker remove") removes markers of one that was made elsewhere",
                    .overHTTP(
                        "leave 'replace' out; what was imported another way is removed marker by marker"),
                ])
        }
        return StoreError(
            .noSuchImport, message, path: path,
            cure: [
                "give one with \(option: "replace-import"): \(known.joined(separator: ", "))",
                "import it without \(option: "replace")",
                .overHTTP("give the id of one as 'replace_import': \(known.joined(separator: ", "))"),
            ])
    }
}

extension EarlierImport {
    fileprivate mutating func fill(
        _ brought: [ULID: [UInt8]], _ present: [ULID: [[UInt8]]], _ named: Set<ULID>
    ) {
        markers = Dictionary(
            uniqueKeysWithValues: brought.map { id, line in
                (id, Brought(line: line, present: present[id] ?? [], isNamed: named.contains(id)))
            })
    }
}

extension UndoableWrite {
    fileprivate func isImport(into id: ULID?, at path: FilePath) -> Bool {
        operation == .importMarkers && (id == nil || sessionID == nil ? session == path : sessionID == id)
    }

    /// Imports that replace one another, together; the groups in the order of their last ones.
    ///
    /// - Parameter imports: The earlier ones first.
    fileprivate static func groups(of imports: [UndoableWrite]) -> [[UndoableWrite]] {
        var groups: [[UndoableWrite]] = []
        for write in imports {
            let replaced = Set(write.source?.replaced ?? [])
            let joined = groups.filter { group in group.contains { replaced.contains($0.id) } }
            groups.removeAll { group in group.contains { replaced.contains($0.id) } }
            groups.append(joined.flatMap(\.self) + [write])
        }
        return groups
    }
}

extension UndoLog {
    /// Adds what an import brought, and takes away what it took out.
    fileprivate func apply(_ write: UndoableWrite, to brought: inout [ULID: [UInt8]]) throws {
        for change in write.changes {
            switch change {
            case .appended(.marker, let id, let line): brought[id] = line.text
            case .removed(.marker, let id, _): brought[id] = nil
            case .appendedTogether(.marker, _, let place):
                for (id, lines) in try lines(kept: place) { brought[id] = lines.last }
            case .removedTogether(.marker, _, let place):
                for (id, _) in try lines(kept: place) { brought[id] = nil }
            default: break
            }
        }
        // What was edited got a line that is not the file's.
        for line in write.source?.given ?? [] { if let id = RecordCheck.id(of: line) { brought[id] = line } }
        if let place = write.source?.keptGiven {
            for (id, lines) in try lines(kept: place) { brought[id] = lines.last }
        }
    }

    fileprivate func lines(kept place: String) throws -> [(id: ULID, lines: [[UInt8]])] {
        guard let kept = try kept(place) else {
            throw StoreError(
                .noSuchImport, "what the import brought is no longer kept",
                path: directory.pushing(FilePath(place)),
                cure: [
                    "import the file without \(option: "replace")",
                    "\(verb: "marker remove") removes markers",
                ])
        }
        return try RecordLines(kept, kind: .marker).linesByRecord
    }
}

/// An import that was noted before it was done in one step, and of which it has not been noted that it is done.
private struct PendingImport {
    private var appended: [ULID: [NotedLine]] = [:]
    private var removed: Set<ULID> = []

    init(_ write: UndoableWrite, _ log: UndoLog?) throws {
        for change in write.changes {
            switch change {
            case .appended(.marker, let id, let line): appended[id, default: []].append(line)
            case .removed(.marker, let id, _): removed.insert(id)
            case .appendedTogether(.marker, _, let place):
                for (id, lines) in try log?.lines(kept: place) ?? [] {
                    appended[id, default: []] += lines.map { NotedLine(whole: $0) }
                }
            case .removedTogether(.marker, _, let place):
                removed.formUnion(try log?.lines(kept: place).map(\.id) ?? [])
            default: break
            }
        }
    }

    /// Whether it was done, or else nothing of it.
    ///
    /// - Throws: ``StoreError`` with `.unsafeToUndo` if it is neither: an undo has taken a part of it back.
    func isDone(in session: SessionReader) throws -> Bool {
        let present = try session.lines(of: removed.union(appended.keys), in: .marker)
        let there = appended.count { id, lines in
            let present = present[id] ?? []
            return lines.allSatisfy { line in present.contains { line.matches($0) } }
        }
        let gone = removed.count { present[$0] == nil }
        if there == appended.count, gone == removed.count { return true }
        if there == 0, removed.isEmpty || gone < removed.count { return false }
        throw StoreError(
            .unsafeToUndo, "an undo of the earlier import was cut short", path: session.directory.path,
            cure: "finish it with \(verb: "undo")")
    }
}
