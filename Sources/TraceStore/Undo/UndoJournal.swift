internal import Glibc
package import SystemPackage
internal import TraceFormat

/// What this product's commands wrote last, in the state directory: one JSON object a line in
/// `undo/journal.jsonl`, in a state directory that is shared for each user in a directory of their own.
///
/// A line that a power cut takes back costs the undo of that write and nothing else. The directory is for the
/// user alone, since it may hold the words of what was removed.
package struct UndoJournal: Sendable {
    /// Holds the journal, and the audio that an undo takes out of a session.
    package let directory: FilePath
    private let runtimeDirectory: FilePath?
    /// Is told why a write can't be undone later.
    package var onFailure: @Sendable (StoreError) -> Void
    package var stepHook: StepHook?

    private static let file: FilePath.Component = "journal.jsonl"
    /// Beyond this size in bytes the older half goes.
    private static let limit: Int64 = 4 << 20

    package init(
        state: FilePath, runtimeDirectory: FilePath? = nil,
        onFailure: @escaping @Sendable (StoreError) -> Void = { _ in }
    ) {
        directory = state.appending(Self.name(in: state))
        self.runtimeDirectory = runtimeDirectory
        self.onFailure = onFailure
    }

    /// `undo`; in a state directory that belongs to somebody else, `undo-` and the user's number, for several people may
    /// share one.
    private static func name(in state: FilePath) -> String {
        let user = geteuid()
        guard let owner = try? OpenDirectory(state).status().owner, owner != user else { return "undo" }
        return "undo-\(user)"
    }

    /// Notes a write that has been done; that it can't be noted is no failure of the write.
    package func note(_ write: UndoableWrite) {
        do { try append(write.json, isDurable: false) } catch { onFailure(StoreError(caught: error)) }
    }

    /// Notes a write that is about to take something away.
    ///
    /// - Throws: ``StoreError``; then nothing may be taken away.
    /// - Note: Durable on return.
    func noteAhead(_ write: UndoableWrite) throws { try append(write.json, isDurable: true) }

    /// Keeps what a write is about to overwrite.
    ///
    /// - Returns: Where it lies, below ``directory``.
    /// - Throws: ``StoreError``; then nothing may be overwritten.
    /// - Note: Durable on return. What is kept of a write that was killed before it was noted stays there.
    func keep(_ contents: [UInt8], as name: FilePath.Component) throws -> String {
        try makeDirectory()
        let id = IDMint.next().description
        let path = directory.appending(id)
        try OpenDirectory.make(path)
        try OpenDirectory(path, stepHook: stepHook).replaceFile(name, with: contents, expecting: nil)
        return "\(id)/\(name.string)"
    }

    /// Notes that an undo begins or is done.
    ///
    /// - Throws: ``StoreError``.
    /// - Note: Durable on return.
    func noteUndo(of write: ULID, isDone: Bool) throws {
        try append(
            JSONText.object { object in
                object.member("undoes", JSONText(write))
                object.member("done", JSONText(isDone))
                object.member("at", JSONText(Clock.now()))
            }, isDurable: true)
    }

    private func append(_ line: JSONText, isDurable: Bool) throws {
        try makeDirectory()
        try DirectoryLock.holding(directory, runtimeDirectory: runtimeDirectory, stepHook: stepHook) { lock in
            let appended = try lock.appendLine(
                line.bytes, to: Self.file, isDurable: isDurable, isWholeRecord: RecordCheck.isObject)
            if appended.identity.size > Self.limit { try forgetOlderHalf(lock) }
        }
    }

    /// Made for the user alone.
    private func makeDirectory() throws {
        if (try? OpenDirectory(directory)) != nil { return }
        try OpenDirectory.make(directory)
        try explaining("protect", directory) { () throws(Errno) in
            _ = try retrying { directory.withPlatformString { chmod($0, 0o700) } }
        }
    }

    private func forgetOlderHalf(_ lock: DirectoryLock) throws {
        guard let old = try lock.directory.readFile(Self.file, limit: 1 << 30) else { return }
        let middle = old.contents.count / 2
        guard let end = old.contents[middle...].firstIndex(of: newline) else { return }
        try lock.directory.replaceFile(
            Self.file, with: Array(old.contents[(end + 1)...]), expecting: old.identity)
    }

    /// What was written, the last first, without what has been undone.
    ///
    /// - Throws: ``StoreError``.
    func writes() throws -> [(write: UndoableWrite, isHalfUndone: Bool)] {
        let contents: FileContents?
        do {
            contents = try OpenDirectory(directory).readFile(Self.file, limit: 1 << 30)
        } catch let error as StoreError where error.code == .notFound {
            return []
        }
        guard let contents else { return [] }
        var undone: [ULID: Bool] = [:]
        var writes: [UndoableWrite] = []
        let parser = try JSONParser()
        for line in contents.contents.split(separator: newline) {
            try? parser.withParsed(line) { root in
                if let id = root[name: "undoes"]?.utf8.flatMap(ULID.init(bytes:)) {
                    undone[id] = root[name: "done"]?.boolean ?? true
                } else if let write = UndoableWrite(root) {
                    writes.append(write)
                }
            }
        }
        return writes.reversed().filter { undone[$0.id] != true }.map { ($0, undone[$0.id] != nil) }
    }
}
