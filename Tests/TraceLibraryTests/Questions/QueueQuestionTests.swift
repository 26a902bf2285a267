import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

@testable import TraceLibrary

/// The queue as it is asked for and changed by a command or over HTTP.
struct QueueQuestionTests {
    private let scene: QueueScene
    private let scratch: ScratchDirectory
    private let writer: LibraryWriter

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
        let state = scratch("state")
        try OpenDirectory.make(state)
        writer = LibraryWriter(
            roots: SessionRoots([scratch.path]), stateDirectory: state, spools: [scene.phone],
            runtimeDirectory: scratch("run"), database: state.appending("index.sqlite"), command: number(99)
        ) { Issue.record($0) }
    }

    private func marker(_ id: Int, session: ULID = SampleSession.id) -> String {
        QueueScene.entry(
            id, "marker",
            #"{"id":"\#(number(id))","offset_ms":1000,"created_at":"2026-02-04T20:54:41.780Z","source":"user"}"#,
            session: session)
    }

    @Test func `what waits is listed spool by spool, with what can't be read of it`() throws {
        try scene.deliver(marker(10), 10, to: scene.phone)
        try scene.deliver("{", 11)
        var problems = 0
        let waiting = QueueQuestion(writer).waiting { _ in problems += 1 }
        #expect(waiting.map(\.id) == [number(11), number(10)])
        #expect(waiting.map { $0.problem == nil } == [false, true])
        #expect(problems == 0)
        let line = text(waiting[1].json(.commandLine))
        #expect(line.hasPrefix(#"{"id":"\#(number(10))","spool":"\#(scene.phone)","kind":"marker","#))
        #expect(text(waiting[1].json(.web)).hasPrefix(#"{"id":"\#(number(10))","kind":"marker","#))
    }

    @Test func `a voice note says that it waits for its audio, and the status counts it`() throws {
        try scene.deliver(marker(10), 10)
        try scene.deliver(QueueScene.note(11), 11)
        try scene.deliver(QueueScene.note(12), 12, to: scene.phone)
        try scene.phone.appending("\(number(12)).m4a").write(QueueScene.sound)
        let reason = "its audio '\(number(11)).m4a' is missing"
        let waiting = QueueQuestion(writer).waiting { Issue.record($0) }
        #expect(waiting.map(\.reason) == [nil, reason, nil])
        #expect(text(waiting[1].json(.web)).contains(#""reason":"\#(reason)""#))
        let status = StatusQuestion(
            database: scratch("state").appending("index.sqlite"), staleAfter: .seconds(60),
            settleTime: .seconds(2)
        ).answer(of: writer)
        #expect(status.spools.map(\.waiting) == [2, 1])
        #expect(status.spools.map(\.awaitingAudio) == [1, 0])
    }

    @Test func `a flush writes what waits, and says what was refused`() throws {
        try scene.deliver(marker(10), 10)
        try scene.deliver(marker(11, session: number(7)), 11)
        try scene.deliver(marker(12).replacing("offset_ms", with: "offset"), 12)
        let flush = try writer.flush(retention: .seconds(3600)) { Issue.record($0) }
        #expect(flush.outcomes.map(\.result.name) == ["applied", "waiting", "rejected"])
        #expect(flush.refusedCount == 1 && !flush.isIncomplete && flush.cleanupProblem == nil)
        let web = flush.outcomes.map { text($0.json(.web)) }
        #expect(web[0].contains(#""handle":"\#(SampleSession.id)","session_id":"\#(SampleSession.id)"}"#))
        #expect(!web.joined().contains(scratch.path.string))
    }

    @Test func `an entry is shown in each of its places, or there is none`() throws {
        try scene.deliver(marker(10), 10)
        let items = try QueueQuestion(writer).entries(named: EntryName(typed: "\(number(10))")) {
            Issue.record($0)
        }
        #expect(items.map(\.place) == [.spool])
        #expect(text(items[0].json(.commandLine)).contains(#""file":"\#(scene.local)"#))
        #expect(!text(items[0].json(.web)).contains(scratch.path.string))
        let missing = #expect(throws: StoreError.self) {
            try QueueQuestion(writer).entries(named: EntryName(typed: "\(number(11))")) { _ in }
        }
        #expect(missing?.code == .noSuchEntry)
        let malformed = #expect(throws: LibraryError.self) { try EntryName(typed: "x") }
        #expect(malformed?.code == .entryNameMalformed)
    }

    @Test func `what can't be read waits, and its place is told to those alone who may know it`() throws {
        try scene.deliver(marker(10), 10)
        let file = scene.local.appending("\(number(10)).json")
        try #require(unlink(file.string) == 0 && mkdir(file.string, 0o700) == 0)
        let items = try QueueQuestion(writer).all { Issue.record($0) }
        #expect(items.map(\.state.name) == ["waiting"])
        #expect(text(items[0].json(.commandLine)).contains(#""reason":"\#(file)"#))
        let web = text(items[0].json(.web))
        #expect(web.contains(#""reason":""#) && !web.contains(scratch.path.string))
    }

    @Test func `an entry that is dropped is kept, and one undo takes back an import`() throws {
        let export = try PhoneExport(
            parsing: Array(
                #"[{"tag":"highlight","offset_ms":1000,"created_at":"2026-02-04T20:00:01.000Z","x":1}]"#
                    .utf8), file: "pending.json")
        #expect(export.omissions.count == 1)
        let source = QueueImport.Source(export, audioDirectory: scratch.path)
        func imported(isDryRun: Bool = false) throws -> [QueueImport.Outcome] {
            try writer.importFromPhone(
                [source], for: SampleSession.id, device: "phone", isDryRun: isDryRun)
        }
        #expect(try imported(isDryRun: true).map(\.result) == [.queued])
        #expect(try writer.queue.local.files().isEmpty)
        #expect(try imported().map(\.result) == [.queued])
        #expect(try imported().map(\.result) == [.alreadyQueued])
        _ = try writer.undo.run(user: UInt32(geteuid()))
        #expect(try writer.queue.local.files().isEmpty)

        try scene.deliver(marker(10), 10)
        let dropped = try writer.drop(EntryName(typed: "\(number(10))"))
        #expect(text(dropped.json(.web)) == #"{"id":"\#(number(10))"}"#)
        #expect(text(dropped.json(.commandLine)).contains(#""file":"\#(dropped.file)"#))
    }

    @Test(arguments: ["now", "end", "+5s", "-10s", "now-5s"])
    func `an offset that needs the session is refused for one that need not be here`(_ typed: String) throws {
        let error = #expect(throws: LibraryError.self) { try OffsetExpression.fromStart(typed) }
        #expect(error?.code == .offsetNeedsSession)
        #expect(try OffsetExpression.fromStart("1:30") == SessionOffset(milliseconds: 90_000))
    }
}
