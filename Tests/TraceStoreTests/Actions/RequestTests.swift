import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceStore

/// Requests for runs of actions: how they are written, and declined.
struct RequestTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    private var state: FilePath { scene.scene.queue.state }
    private var actions: FilePath { scene.session("actions.jsonl") }

    private static let requested = QueueScene.actionLine(30)

    private static func request(
        _ id: Int = 30, action: String = "export-clips", inputs: String? = nil
    ) throws -> ActionRequest {
        try ActionRequest(
            id: number(id), action: action, inputs: inputs.map { Array($0.utf8) }, createdAt: morning)
    }

    @discardableResult
    private func decline(_ id: Int = 30, because reason: String? = "too long") throws -> DeclinedRequest {
        try scene.writer().decline(number(id), by: "ann", because: reason, state: state)
    }

    private static func declined(_ line: String, _ error: String = "declined by ann: too long") -> String {
        line.replacing("\"started\"", with: "\"failed\"").dropLast() + ",\"error\":\"\(error)\"}"
    }

    // MARK: - Writing one

    @Test func `a request is a line that nothing runs`() throws {
        #expect(try scene.writer().request(Self.request(inputs: #"{ "tag" : "a b",  "n":[1, 2] }"#)) == [])
        #expect(
            try actions.text() == """
                {"id":"\(number(30))","action":"export-clips","created_at":"2026-02-05T08:00:00.000Z",\
                "status":"started","inputs":{"tag":"a b","n":[1,2]}}

                """)
        #expect(try scene.session.session.updatedAt.map { $0 > morning } == true)
        #expect(RunningAction.living(in: state).isEmpty)
    }

    /// Who sends it again may have been killed before the sync.
    @Test func `a request that comes again is durable before it is said to be there`() throws {
        try scene.writer().request(Self.request())
        let synced = Mutex<[String]>([])
        var writer = scene.writer()
        writer.failPoint = { step, path throws(Errno) in
            guard step == .sync else { return }
            synced.withLock { $0.append(path.lastComponent?.string ?? "") }
        }
        try writer.request(Self.request())
        #expect(synced.withLock { $0 } == ["actions.jsonl"])
    }

    @Test func `a request that comes again is one, whatever has come of it`() throws {
        try scene.writer().request(Self.request())
        let once = try actions.text()
        try scene.writer().request(Self.request())
        #expect(try actions.text() == once)
        try decline()
        let ended = try actions.text()
        try scene.writer().request(Self.request())
        #expect(try actions.text() == ended)
    }

    @Test(arguments: [10, 11, 30])
    func `an id that another record has is refused`(id: Int) throws {
        try actions.write(Self.requested + "\n")
        let before = try tree(of: scratch.path)
        #expect(code { try scene.writer().request(Self.request(id, action: "other")) } == .alreadyExists)
        #expect(try tree(of: scratch.path) == before)
    }

    @Test(arguments: [
        "", "[]", "1", "{", #"{} , "status":"failed""#, #"{"a":1}{"#, #"null,"error":"x""#,
    ])
    func `inputs that are not one object are refused`(inputs: String) {
        let error = #expect(throws: FormatError.self) { try Self.request(inputs: inputs) }
        #expect(error?.code == .jsonMalformed)
        #expect(error?.message.hasPrefix("the inputs are not one JSON object: byte ") == true)
    }

    @Test func `an action without a name is refused`() {
        #expect(throws: FormatError.self) { try Self.request(action: "") }
    }

    @Test func `an undo takes a request back, and not one that has been run`() throws {
        try scene.writer().request(Self.request())
        #expect(try scene.list() == ["action request"])
        #expect(try scene.undo() == ["removed 1 line (action run \(number(30))) from actions.jsonl"])
        #expect(try actions.text() == "")
        // No entry of the queue brings it back.
        try scene.scene.deliver(QueueScene.action(30), 30)
        #expect(
            try scene.scene.results() == [
                "30 removed: it was applied before, and its record has been removed since"
            ])
        try scene.writer().request(Self.request(31))
        try actions.write(try actions.text() + QueueScene.actionLine(31, status: "succeeded") + "\n")
        #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo)
    }

    // MARK: - Declining one

    @Test(arguments: [nil, "too long", "a \"b\"\nc"])
    func `a request that is declined ends as failed, by a line behind the others`(reason: String?) throws {
        try actions.write("\(Self.requested)\n\(QueueScene.actionLine(31))\n")
        let declined = try decline(because: reason)
        let error = "declined by ann" + (reason.map { ": \($0)" } ?? "")
        #expect(declined.error == error)
        #expect(declined.action == "export-clips")
        #expect(declined.notices == [])
        let text = String(decoding: JSONText(error).bytes.dropFirst().dropLast(), as: UTF8.self)
        #expect(
            try actions.text()
                == "\(Self.requested)\n\(QueueScene.actionLine(31))\n\(Self.declined(Self.requested, text))\n"
        )
    }

    @Test func `what the request says beside is kept, and what is wrong with it does not keep it open`()
        throws
    {
        let odd = #"{"status" : "started","x":1.50, "id":"\#(number(30))","inputs":[],"action":"a"}"#
        try actions.write(odd + "\n")
        try decline()
        let expected =
            #"{"status" : "failed","x":1.50, "id":"\#(number(30))","inputs":[],"action":"a", "error":"#
        let last = try #require(try actions.text().split(separator: "\n").last)
        #expect(last.replacing(" ", with: "").hasPrefix(expected.replacing(" ", with: "")), "\(last)")
        #expect(try actions.text().hasPrefix(odd + "\n"))
    }

    @Test(arguments: ["succeeded", "failed"])
    func `a run that has ended can't be declined`(status: String) throws {
        let lines = "\(Self.requested)\n\(QueueScene.actionLine(30, status: status))\n"
        try actions.write(lines)
        expectError(
            .hasEnded,
            """
            \(actions.string): the run \(number(30)) has already ended [has-ended]
              hint: only a request that has not been run can be declined; 'trace action list' shows how it ended
            """
        ) { try decline() }
        #expect(try actions.text() == lines)
        #expect(code(of: StoreError.self) { try scene.undo() } == .nothingToUndo)
    }

    @Test func `what this machine runs can't be declined`() throws {
        try actions.write(Self.requested + "\n")
        let run = try RunningAction(number(30), of: scene.session.path, state: state)
        expectError(
            .alreadyRunning,
            """
            \(actions.string): the run \(number(30)) is in progress [already-running]
              hint: wait until it ends, or interrupt the 'trace action run' that runs it
            """
        ) { try decline() }
        #expect(try actions.text() == Self.requested + "\n")
        run.finish()
        try decline()
    }

    @Test func `what is declined is not run`() throws {
        try actions.write(Self.requested + "\n")
        try decline()
        #expect(
            code(of: StoreError.self) { try ActionLog(scene.session.path).unfinished(number(30)) }
                == .hasEnded)
    }

    @Test func `an id that the session does not have is an error`() throws {
        try actions.write(Self.requested + "\n")
        expectError(
            .noSuchRecord,
            """
            \(actions.string): action run not found: \(number(31)) [no-such-record]
              hint: 'trace action list' lists the ids; if it is in another session, give that with --session
            """
        ) { try decline(31) }
        try #require(unlink(actions.string) == 0)
        #expect(code(of: StoreError.self) { try decline() } == .noSuchRecord)
    }

    @Test func `a request without its line break is declined on a line of its own`() throws {
        try actions.write(Self.requested)
        try decline()
        #expect(try actions.text() == "\(Self.requested)\n\(Self.declined(Self.requested))\n")
    }

    @Test func `an undo opens the request again`() throws {
        try actions.write(Self.requested + "\n")
        try decline()
        #expect(try scene.list() == ["action decline"])
        #expect(try scene.undo() == ["removed 1 line (action run \(number(30))) from actions.jsonl"])
        #expect(try actions.text() == Self.requested + "\n")
        try decline()
        #expect(try actions.text() == "\(Self.requested)\n\(Self.declined(Self.requested))\n")
    }

    @Test func `a failure of any step leaves the request open or declined`() throws {
        let steps = Steps()
        try actions.write(Self.requested + "\n")
        _ = try scene.writer(failPoint: { step, _ throws(Errno) in _ = steps.add(step) }).decline(
            number(30), by: "ann", because: "too long", state: state)
        let ended = try actions.text()
        for fatal in 1...steps.all.count {
            try actions.write(Self.requested + "\n")
            let reached = Steps()
            _ = try? scene.writer(
                failPoint: { step, _ throws(Errno) in if reached.add(step) == fatal { throw .ioError } }
            ).decline(number(30), by: "ann", because: "too long", state: state)
            #expect([Self.requested + "\n", ended].contains(try actions.text()), "step \(fatal)")
        }
    }
}
