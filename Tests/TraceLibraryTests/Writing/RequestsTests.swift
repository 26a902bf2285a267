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

/// Requests for actions and positions of listeners, without a command line.
struct RequestsTests {
    private let scratch: ScratchDirectory
    private let root: FilePath
    private let session: SampleSession
    private let writer: LibraryWriter

    init() throws {
        scratch = try ScratchDirectory()
        root = scratch("sessions")
        try OpenDirectory.make(root)
        session = try SampleSession(at: root.appending("a"))
        let state = scratch("state")
        writer = LibraryWriter(
            roots: SessionRoots([root]), stateDirectory: state,
            runtimeDirectory: scratch("run"), database: state.appending("index.sqlite"), command: number(99)
        ) { Issue.record($0) }
    }

    private func target(_ selector: SessionSelector?) throws -> WriteTarget {
        try WriteTarget(selector, from: root, in: writer, mayBeAbsent: true)
    }

    private func request(_ id: Int = 10) throws -> ActionRequest {
        try ActionRequest(
            id: number(id), action: "clips", inputs: Array(#"{"tag":"highlight"}"#.utf8), createdAt: morning)
    }

    private func runs() throws -> [ActionRun] {
        try SessionReader(session.path).authoritative(.action, ActionRun.init).map(\.value)
    }

    // MARK: - Requests

    @Test func `a request stands in its session, or waits until that comes`() throws {
        guard case .written(let place, []) = try writer.request(request(), in: target(nil)) else {
            Issue.record("it was not written")
            return
        }
        #expect(place.path == session.path)
        let away = scratch("away")
        try #require(rename(session.path.string, away.string) == 0)
        let absent = try target(.words("\(SampleSession.id)"))
        guard case .queued(1, "the session was not found") = try writer.request(request(11), in: absent)
        else {
            Issue.record("it does not wait")
            return
        }
        try #require(rename(away.string, session.path.string) == 0)
        #expect(try writer.drain().run().map(\.result.name) == ["applied"])
        #expect(try runs().map(\.id) == [number(10), number(11)])
        #expect(try runs().allSatisfy { $0.status == .started && $0.action == "clips" })
    }

    @Test func `a request that can't be written waits, unless it may not or its id is taken`() throws {
        let marker = Marker(id: number(10), offset: .zero, createdAt: morning)
        _ = try writer.mark(marker, in: target(nil))
        #expect(code { try writer.request(request(), in: target(nil)) } == .alreadyExists)
        try OpenDirectory.make(session("actions.jsonl"))
        #expect(code { try writer.request(request(11), in: target(nil), mayQueue: false) } == .notRegularFile)
        guard case .queued(1, let reason) = try writer.request(request(11), in: target(nil)) else {
            Issue.record("it does not wait")
            return
        }
        #expect(reason.contains("actions.jsonl"))
    }

    @Test func `a request that is declined has failed until that is undone`() throws {
        _ = try writer.request(request(), in: target(nil))
        let place = try SessionTarget(reading: session.path)
        let declined = try writer.decline(number(10), in: place, by: "ann", because: "no")
        #expect(try runs().map(\.error) == ["declined by ann: no"])
        let text = DeclinedRequestAnswer(declined, in: place).json(.commandLine)
        #expect(
            String(decoding: text.bytes, as: UTF8.self) == """
                {"id":"\(number(10))","action":"clips","status":"failed","error":"declined by ann: no",\
                "session_path":"\(session.path.string)","session_id":"\(SampleSession.id)"}
                """)
        #expect(
            code(of: StoreError.self) { try writer.decline(number(10), in: place, by: "ann", because: nil) }
                == .hasEnded)
    }

    @Test func `a run that was cut short has ended, and is not declined`() throws {
        try session("actions.jsonl").write(QueueScene.actionLine(10) + "\n")
        // What a process leaves that was killed.
        let running = scratch("state").appending("running")
        try OpenDirectory.make(running)
        try running.appending("\(number(10)).json").write(
            "{\"session_bytes\":\"\(session.path.string.utf8.map { hexadecimal($0) }.joined())\"}")
        let place = try SessionTarget(reading: session.path)
        #expect(
            code(of: StoreError.self) { try writer.decline(number(10), in: place, by: "ann", because: nil) }
                == .hasEnded)
        #expect(try runs().map { $0.error?.hasPrefix("interrupted") } == [true])
        #expect(try tree(of: running).isEmpty)
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    // MARK: - Positions

    @Test func `a position is answered to the command line and to others`() throws {
        let place = try SessionTarget(reading: session.path)
        let positions = try SessionPositions(writer.positions, of: place)
        let ann = try Person("ann")
        #expect(try positions.position(of: ann) == nil)
        let position = ListeningPosition(offset: SessionOffset(milliseconds: 5), at: morning)
        #expect(try positions.set(position, of: ann).isChanged)
        let answer = PositionAnswer(try positions.position(of: ann), of: ann, in: place)
        let position_ = #""person":"ann","offset_ms":5,"at":"2026-02-05T08:00:00.000Z"}"#
        #expect(
            String(decoding: answer.json(.commandLine).bytes, as: UTF8.self)
                == #"{"session_path":"\#(session.path.string)","session_id":"\#(SampleSession.id)","#
                + position_)
        let other = AnswerForm(showsPaths: false) { _, id in id.map { "\($0)" } ?? "~" }
        #expect(
            String(decoding: answer.json(other).bytes, as: UTF8.self)
                == #"{"handle":"\#(SampleSession.id)","session_id":"\#(SampleSession.id)","# + position_)
    }

    @Test func `a media item that the session does not have is refused`() throws {
        let place = try SessionTarget(reading: session.path)
        let positions = try SessionPositions(writer.positions, of: place)
        let position = ListeningPosition(offset: .zero, media: number(70), at: morning)
        let error = #expect(throws: LibraryError.self) { try positions.set(position, of: Person("ann")) }
        #expect(error?.code == .recordNotFound)
        #expect(!scratch("state").exists)
    }

    @Test func `a session without an id has no positions`() throws {
        try session("session.json").write(SampleSession.header.replacing("\(number(1))", with: "x"))
        let place = try SessionTarget(reading: session.path)
        let error = #expect(throws: LibraryError.self) { try SessionPositions(writer.positions, of: place) }
        #expect(error?.code == .noSessionID)
    }
}
