internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// Writes the slots of a journal that is locked. They are not part of what can be taken back.
///
/// Source: docs/practice.md#slots.
enum SlotsWriting {
    static let file: FilePath.Component = "slots.json"

    /// The slots as they are; those of a missing file are empty.
    ///
    /// - Throws: ``FileError``; with `.invalidData` if the file is not one JSON object.
    static func read(_ directory: OpenDirectory) throws -> (identity: FileIdentity?, slots: ResumeSlots) {
        guard let contents = try directory.readFile(file, limit: limit) else { return (nil, .empty) }
        do { return (contents.identity, try ResumeSlots(contents.contents)) } catch {
            throw FileError(
                .invalidData, error.message, path: directory.path(of: file),
                cure: "fix it in an editor, or delete it: it only says which games were looked at last")
        }
    }

    private static let limit: Int64 = 1 << 20

    /// - Returns: Whether something was changed.
    /// - Throws: ``FileError``; with `.invalidData` if the file can't be read, and is left as it is.
    /// - Note: Durable on return. Killed in between, the file is as it was, or has all the changes.
    static func set(
        _ changes: [ResumeSlots.Change], at time: Double, library: GameLibrary, in journal: LockedJournal
    ) throws -> Bool {
        let (identity, slots) = try read(journal.directory)
        guard let new = try slots.setting(changes, at: time, library: library) else { return false }
        try journal.directory.replaceFile(file, with: new, expecting: identity)
        return true
    }

    /// Writes the ids of games as the library has them; as ``set(_:at:library:in:)``.
    static func canonicalise(by library: GameLibrary, in journal: LockedJournal) throws -> Bool {
        let (identity, slots) = try read(journal.directory)
        let changes = slots.canonicalisation(by: library)
        guard !changes.isEmpty else { return false }
        try journal.directory.replaceFile(file, with: try slots.replacing(changes), expecting: identity)
        return true
    }
}
