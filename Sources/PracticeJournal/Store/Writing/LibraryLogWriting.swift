internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Writes into the library's log of a journal that is locked.
///
/// Source: docs/spec/practice.md#the-librarys-log.
enum LibraryLogWriting {
    static let file: FilePath.Component = "activity.json"

    /// The log as it is; nil if there is none.
    ///
    /// - Throws: ``FileError``, ``FormatError`` if it can't be read whole: then nothing is written into it.
    static func read(
        _ directory: OpenDirectory, library: GameLibrary = GameLibrary()
    ) throws -> (contents: FileContents, log: LibraryLog)? {
        guard let contents = try directory.readFile(file) else { return nil }
        return (contents, try LibraryLog(contents.contents, library: library))
    }

    /// - Note: Durable on return. Killed in between, the log has the entry, or not.
    static func add(
        _ entry: LogEntry, library: GameLibrary, to journal: LockedJournal
    ) throws -> AppliedOperation {
        let old: (contents: FileContents, log: LibraryLog)?
        do { old = try read(journal.directory, library: library) } catch let error as FormatError {
            throw FileError(
                .invalidData, error.message, path: journal.directory.path(of: file), cure: error.cure)
        }
        let log = try old?.log ?? LibraryLog([])
        guard let new = log.adding(entry) else {
            return AppliedOperation(notice: "the same was logged just before")
        }
        try journal.directory.replaceFile(file, with: new, expecting: old?.contents.identity)
        var applied = AppliedOperation(
            changes: [
                .members(
                    path: file.string,
                    [
                        MemberChange(
                            "", id: entry.id, member: nil, before: nil, after: log.written(entry).bytes)
                    ])
            ])
        applied.record = entry.json.bytes
        applied.records = [("libraryLog", entry.id)]
        return applied
    }

    /// - Throws: ``FileError``.
    static func steps(toUndo changes: [MemberChange], in journal: LockedJournal) throws -> [UndoStep] {
        let directory = journal.directory
        let removed = changes.compactMap { $0.after == nil ? $0.before : nil }
        if !removed.isEmpty { return try steps(restoring: removed, in: directory) }
        let ids = Set(changes.map { UUIDText.key($0.id) })
        guard let old = try read(directory),
            let new = old.log.removing(where: { ids.contains(UUIDText.key($0.id)) })
        else { return [] }
        return [
            UndoStep(.remove, "the entry from the library's log") {
                try directory.replaceFile(file, with: new, expecting: old.contents.identity)
                return []
            }
        ]
    }

    /// Puts entries back that were removed together; those that are there again stay as they are.
    private static func steps(restoring texts: [[UInt8]], in directory: OpenDirectory) throws -> [UndoStep] {
        let old = try read(directory)
        let log = try old?.log ?? LibraryLog([])
        let there = Set(log.spelled.map(\.text))
        let missing = texts.filter { !there.contains($0) }
        guard !missing.isEmpty else { return [] }
        return [
            UndoStep(.restore, "\(counted(missing.count, "entry", "entries")) of the library's log") {
                try directory.replaceFile(
                    file, with: log.restoring(missing), expecting: old?.contents.identity)
                return []
            }
        ]
    }
}
