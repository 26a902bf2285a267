internal import Glibc
package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceText

/// What this product's commands wrote last, in the state directory: one JSON object a line in
/// `undo/journal.jsonl`, in a state directory that is shared for each user in a directory of their own.
///
/// A line that a power cut takes back costs the undo of that write and nothing else. The directory is for the
/// user alone, since it may hold the words of what was removed.
package struct UndoLog: Sendable {
    /// Holds the log, and the audio that an undo takes out of a session.
    let directory: FilePath
    private let runtimeDirectory: FilePath?
    /// Called with the reason if a write can't be undone later.
    var onFailure: @Sendable (any StructuredError) -> Void
    /// What the writes of one command have in common, where a command writes more than once.
    package var command: ULID?
    var failPoint: FailPoint?

    private static let file: FilePath.Component = "journal.jsonl"
    /// Beyond this size in bytes the older half goes.
    private static let limit: Int64 = 4 << 20

    package init(
        state: FilePath, runtimeDirectory: FilePath? = nil,
        onFailure: @escaping @Sendable (any StructuredError) -> Void = { _ in }
    ) {
        directory = state.appending(Self.name(in: state))
        self.runtimeDirectory = runtimeDirectory
        self.onFailure = onFailure
    }

    /// A log that is only read.
    private init(reading directory: FilePath) {
        self.directory = directory
        runtimeDirectory = nil
        onFailure = { _ in }
    }

    /// The logs of all users in a state directory that this one may read.
    package static func readable(in state: FilePath) -> [UndoLog] {
        var names: [FilePath.Component] = []
        try? OpenDirectory(state).forEachName { name in
            if name.string == "undo" || name.string.hasPrefix("undo-") { names.append(name) }
        }
        return names.map { UndoLog(reading: state.appending($0)) }.filter { $0.identity != nil }
    }

    /// The files that were added to sessions as review audio, and were not taken back, as all logs tell that this user may
    /// read; of each session the last one last.
    package static func reviewAudio(in state: FilePath) -> [ULID: [String]] {
        let writes = readable(in: state).flatMap { (try? $0.writes()) ?? [] }.map(\.write)
        var added: [ULID: [String]] = [:]
        for write in writes.sorted(by: { $0.time < $1.time }) where write.operation == .addReviewAudio {
            guard let session = write.sessionID else { continue }
            for case .media(let path, _, _) in write.changes { added[session, default: []].append(path) }
        }
        return added
    }

    /// The log's file as it is now; nil if there is none, or it may not be read.
    var identity: FileIdentity? {
        let file = try? OpenDirectory(directory).openRegularFile(Self.file)
        return file.flatMap(\.self)?.identity
    }

    /// `undo`; in a state directory that belongs to somebody else, `undo-` and the user's number, for several people may
    /// share one.
    private static func name(in state: FilePath) -> String {
        let user = geteuid()
        guard let owner = try? OpenDirectory(state).status().owner, owner != user else { return "undo" }
        return "undo-\(user)"
    }

    /// Notes a write that has been done; that it can't be noted is not a failure of the write.
    package func note(_ write: UndoableWrite) {
        do { try append(write.json, isDurable: false) } catch { onFailure(error.structured) }
    }

    /// Notes a write that is about to take something away.
    ///
    /// - Throws: ``FileError``; then nothing may be taken away.
    /// - Note: Durable on return.
    func noteAhead(_ write: UndoableWrite) throws { try append(write.json, isDurable: true) }

    /// Notes a write that is about to be done in one step, as one that an undo has begun to take back: killed before that step or behind
    /// it, what is there tells which. ``Progress/kept`` notes that it is done, ``Progress/withdrawn`` that it has not come to that.
    ///
    /// - Throws: ``FileError``; then nothing may be written.
    /// - Note: Durable on return.
    func notePending(_ write: UndoableWrite) throws {
        try note(.begun, of: write.id)
        try noteAhead(write)
    }

    /// Keeps what a write is about to overwrite.
    ///
    /// - Returns: Where it is, below ``directory``.
    /// - Throws: ``FileError``; then nothing may be overwritten.
    /// - Note: Durable on return. What is kept of a write that was killed before it was noted stays there.
    func keep(_ contents: [UInt8], as name: FilePath.Component) throws -> String {
        try makeDirectory()
        let id = IDGenerator.next().description
        let path = directory.appending(id)
        try OpenDirectory.make(path)
        try OpenDirectory(path, failPoint: failPoint).replaceFile(name, with: contents, expecting: nil)
        return "\(id)/\(name.string)"
    }

    /// The outcome of a write later.
    enum Progress {
        /// An undo begins to take it back.
        case begun
        /// What its records looked like then: by kind, a checksum of their lines.
        case undone(left: [RecordKind: String])
        /// It has not happened after all.
        case withdrawn
        /// A redo begins to do it again.
        case redoBegun
        case redone
        /// The user wants it to stay: an undo skips it.
        case skipped
        /// The undo that had begun was refused before it took anything back.
        case kept

        fileprivate var isRedone: Bool { if case .redone = self { true } else { false } }
    }

    /// Notes the outcome of a write.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    func note(_ progress: Progress, of write: ULID) throws {
        try append(
            JSONText.object { object in
                switch progress {
                case .begun:
                    object.member("undoes", JSONText(write))
                    object.member("done", JSONText(false))
                case .undone(let left):
                    object.member("undoes", JSONText(write))
                    object.member("done", JSONText(true))
                    object.member(
                        "left",
                        .array(
                            left.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, sum in
                                .object { object in
                                    object.member("kind", JSONText(kind.rawValue))
                                    object.member("sha256", JSONText(sum))
                                }
                            }))
                case .withdrawn:
                    object.member("undoes", JSONText(write))
                    object.member("done", JSONText(true))
                    object.member("withdrawn", JSONText(true))
                case .redoBegun, .redone:
                    object.member("redoes", JSONText(write))
                    object.member("done", JSONText(progress.isRedone))
                case .skipped: object.member("skips", JSONText(write))
                case .kept: object.member("keeps", JSONText(write))
                }
                object.member("at", JSONText(Clock.now()))
            }, isDurable: true)
    }

    private func append(_ line: JSONText, isDurable: Bool) throws {
        try makeDirectory()
        try DirectoryLock.holding(directory, runtimeDirectory: runtimeDirectory, failPoint: failPoint) {
            lock in
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

    /// A write that has not been undone.
    struct Entry {
        var write: UndoableWrite
        /// Whether an undo of it has begun, and was killed or failed.
        var isHalfUndone: Bool
        var isSkipped: Bool
    }

    /// What was written, the last first, without what has been undone.
    ///
    /// - Throws: ``FileError``.
    func writes() throws -> [Entry] { try history().pending }

    /// A write that has been undone, and can be done again.
    struct Undone {
        var write: UndoableWrite
        /// As of ``Progress/undone(left:)``; nil if an older version undid it.
        var left: [RecordKind: String]?
        /// Whether a redo of it has begun, and was killed or failed.
        var isHalfRedone = false
    }

    /// The writes that a user has undone since their last write, the last one last.
    ///
    /// - Throws: ``FileError``.
    func undone(by user: UInt32) throws -> [Undone] { try history(of: user).undone }

    private struct History {
        var pending: [Entry] = []
        var undone: [Undone] = []
    }

    /// - Parameter user: Whose undone writes are asked for.
    private func history(of user: UInt32? = nil) throws -> History {
        let contents: FileContents?
        do {
            contents = try OpenDirectory(directory).readFile(Self.file, limit: 1 << 30)
        } catch let error as FileError where error.code == .notFound {
            return History()
        }
        guard let contents else { return History() }
        var undone: [ULID: Bool] = [:]
        var skipped: Set<ULID> = []
        var writes: [UndoableWrite] = []
        var stack: [(id: ULID, left: [RecordKind: String]?, isHalfRedone: Bool)] = []
        let parser = try JSONParser()
        for line in contents.contents.split(separator: newline) {
            try? parser.withParsed(line) { root in
                if let id = root[name: "undoes"]?.utf8.flatMap(ULID.init(bytes:)) {
                    let isDone = root[name: "done"]?.boolean ?? true
                    undone[id] = isDone
                    stack.removeAll { $0.id == id }
                    if isDone, root[name: "withdrawn"] == nil { stack.append((id, Self.left(root), false)) }
                } else if let id = root[name: "redoes"]?.utf8.flatMap(ULID.init(bytes:)) {
                    let isDone = root[name: "done"]?.boolean ?? true
                    // What a redo was killed in can be undone, and done again.
                    undone[id] = isDone ? nil : false
                    if isDone { stack.removeAll { $0.id == id } }
                    if let last = stack.indices.last, stack[last].id == id { stack[last].isHalfRedone = true }
                } else if let id = root[name: "keeps"]?.utf8.flatMap(ULID.init(bytes:)) {
                    undone[id] = nil
                } else if let id = root[name: "skips"]?.utf8.flatMap(ULID.init(bytes:)) {
                    skipped.insert(id)
                } else if let write = UndoableWrite(root) {
                    writes.append(write)
                    if write.user == user { stack = [] }
                }
            }
        }
        let byID = Dictionary(writes.map { ($0.id, $0) }) { first, _ in first }
        return History(
            pending: writes.reversed().filter { undone[$0.id] != true }.map {
                Entry(write: $0, isHalfUndone: undone[$0.id] != nil, isSkipped: skipped.contains($0.id))
            },
            undone: stack.compactMap { item in
                byID[item.id].flatMap { write in
                    write.user == user
                        ? Undone(write: write, left: item.left, isHalfRedone: item.isHalfRedone) : nil
                }
            })
    }

    private static func left(_ root: JSONValue) -> [RecordKind: String]? {
        guard let left = root[name: "left"]?.elements else { return nil }
        return left.reduce(into: [:]) { sums, item in
            guard let kind = item[name: "kind"]?.string.flatMap(RecordKind.init(rawValue:)) else { return }
            sums[kind] = item[name: "sha256"]?.string
        }
    }

    /// Leaves the user's writes that put an entry into the queue as they are: a later one says more of it.
    ///
    /// That this can't be noted is no failure; an undo then comes to them, too.
    package func supersede(queued id: ULID, by user: UInt32) {
        for entry in (try? writes()) ?? []
        where !entry.isSkipped && entry.write.user == user && entry.write.queued == [id] {
            do { try note(.skipped, of: entry.write.id) } catch { onFailure(error.structured) }
        }
    }

    /// What was kept of a write.
    ///
    /// - Parameter place: As ``keep(_:as:)`` returned it, or a path from the root.
    /// - Returns: Nil if it is no longer there.
    func kept(_ place: String) throws -> [UInt8]? {
        if place.hasPrefix("/") {
            let path = FilePath(place)
            guard let name = path.lastComponent, let kept = try? OpenDirectory(path.containingDirectory)
            else { return nil }
            return try kept.readFile(name, limit: .max)?.contents
        }
        guard let names = MediaPath.components(of: place), names.count == 2,
            let kept = try? OpenDirectory(directory.appending(names[0]))
        else { return nil }
        // As long as what was written may have been, e.g. an import of 1,000,000 markers.
        return try kept.readFile(names[1], limit: .max)?.contents
    }
}
