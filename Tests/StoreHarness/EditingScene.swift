internal import FileHarness
internal import Glibc
package import SystemPackage
internal import Testing
package import TraceFiles
package import TraceStore

/// A session with a marker that a voice note names, and what edits it with a journal.
package struct EditingScene {
    package let scene: QueueScene

    package var session: SampleSession { scene.session }
    package var markers: FilePath { session("markers.jsonl") }
    package var notes: FilePath { session("voice_notes.jsonl") }

    /// Spelled in a way of its own: unknown key, odd number, spaces.
    package static let odd = """
        {"offset_ms" : 1.0e4,"id":"\(number(10))","x":[1],"label":"a","created_at":"2026-02-04T20:54:41Z",\
        "source":"user","tags":["highlight"] }
        """
    package static let other = QueueScene.markerLine(12)
    package static let note = """
        {"id":"\(number(11))","created_at":"2026-02-04T20:54:41Z","media_path":"media/a.m4a","offset_ms":1,\
        "duration_ms":2,"marker_id":"\(number(10))"}
        """

    package init(in root: FilePath) throws {
        self.init(at: root)
        _ = try QueueScene(in: root)
        try markers.write("\(Self.odd)\n\n\(Self.other)\r\n")
        try notes.write(Self.note + "\n")
        try session("media").appending("a.m4a").write("sound")
        try root.appending("take.m4a").write("take")
    }

    /// A scene that has been made already.
    package init(at root: FilePath) { scene = QueueScene(at: root) }

    package func writer(failPoint: FailPoint? = nil) -> SessionWriter {
        var writer = SessionWriter(session.path)
        writer.undoLog = UndoLog(state: scene.queue.state) { Issue.record($0) }
        writer.failPoint = failPoint
        return writer
    }

    package func remove(_ id: Int, force: Bool = false, failPoint: FailPoint? = nil) throws {
        let removal = MarkerRemoval(writer(failPoint: failPoint), queue: scene.queue)
        _ = try removal.remove(number(id), droppingReferences: force)
    }

    package func edit(_ id: Int, _ edit: RecordEdit) throws {
        _ = try writer().editMarker(number(id)) { _ in edit }
    }

    @discardableResult
    package func undo(isDryRun: Bool = false, failPoint: FailPoint? = nil) throws -> [String] {
        var undo = undoing
        undo.failPoint = failPoint
        return try undo.run(user: UInt32(geteuid()), isDryRun: isDryRun).parts.flatMap(\.steps)
    }

    @discardableResult
    package func redo(isDryRun: Bool = false, failPoint: FailPoint? = nil) throws -> [String] {
        var undo = undoing
        undo.failPoint = failPoint
        return try undo.redo(user: UInt32(geteuid()), isDryRun: isDryRun).parts.flatMap(\.steps)
    }

    private var undoing: Undo {
        Undo(UndoLog(state: scene.queue.state), queue: scene.queue) { _ in [session.path] }
    }

    package func skip() throws { _ = try undoing.skip(user: UInt32(geteuid())) }

    /// Of how many writes an undo was cut short.
    package func unfinished() throws -> Int { try undoing.unfinishedCount(user: UInt32(geteuid())) }

    /// The operations that can be undone, the last first.
    package func list() throws -> [String] {
        try undoing.list(user: UInt32(geteuid())).flatMap { $0.map(\.write.operation.rawValue) }
    }

    /// Notes entries as `trace queue add` does.
    package func noteQueued(_ ids: [Int]) {
        UndoLog(state: scene.queue.state) { Issue.record($0) }.note(
            UndoableWrite(
                id: IDGenerator.next(), time: Clock.now(), user: UInt32(geteuid()), operation: .queueAdd,
                sessionID: SampleSession.id, session: nil, changes: ids.map { .queued(number($0)) }))
    }

    /// The session's files, without the time of its last change.
    package func files() throws -> [String: String] {
        var files = try tree(of: session.path)
        files["session.json"] = files["session.json"]?.replacing(
            #/"updated_at": "[^"]+"/#, with: "")
        return files
    }
}
