import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceStore

/// Moments whose session is not known: kept, placed by a drain or a person, dropped, and killed at each step of that.
struct UnplacedMomentsTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    private static func moment(_ text: String) throws -> Timestamp { try #require(Timestamp(text)) }

    /// Half a minute after the session's start.
    private static let pressed = "2026-02-04T20:00:30.000Z"

    private static func keep(
        _ id: Int, at moment: String = UnplacedMomentsTests.pressed, in scene: QueueScene
    ) throws {
        let marker = Marker(
            id: number(id), offset: .zero, createdAt: try Self.moment(moment), label: "Drop",
            tags: ["highlight"])
        try UnplacedMoments(state: scene.queue.state).keep(
            UnplacedMoment(marker, at: Self.moment(moment), typedSession: nil))
    }

    private static func keepNote(_ id: Int, in scene: QueueScene) throws {
        let audio = scene.root.appending("memo.m4a")
        try audio.write(QueueScene.sound)
        let pressed = try moment(Self.pressed)
        let name = "\(number(id) as ULID).m4a"
        let note = VoiceNote(
            id: number(id), createdAt: pressed, mediaPath: "media/\(name)", offset: .zero,
            duration: SessionOffset(milliseconds: 700))
        try UnplacedMoments(state: scene.queue.state).keep(
            UnplacedMoment(
                note, Spool.attachment(for: audio, named: name), at: pressed, typedSession: nil), audio: audio
        )
        try #require(unlink(audio.string) == 0)
    }

    private static func drain(_ scene: QueueScene, failPoint: FailPoint? = nil) throws -> [DrainOutcome] {
        var drain = Drain(scene.queue, now: { morning }, locate: scene.locate)
        drain.failPoint = failPoint
        drain.lockTimeout = waitLimit
        let locator = SessionLocator(roots: [scene.root.appending("set"), scene.root.appending("more")])
        drain.covering = { moment in
            locator.candidates().compactMap {
                CoveringSession($0, at: moment, now: morning, staleAfter: .seconds(43_200))
            }
        }
        return try drain.run()
    }

    private var store: UnplacedMoments { UnplacedMoments(state: scene.queue.state) }

    private let line =
        #"{"id":"\#(number(10) as ULID)","offset_ms":30000,"created_at":"\#(UnplacedMomentsTests.pressed)","source":"user","label":"Drop","tags":["highlight"]}"#
        + "\n"

    // MARK: - Kept

    @Test func `a moment is an entry without a session, with its wall time and no offset`() throws {
        try Self.keep(10, in: scene)
        #expect(
            try store.path.appending("\(number(10) as ULID).json").text() == """
                {"id":"\(number(10) as ULID)","kind":"marker","created_at":"\(Self.pressed)","payload":{"id":"\(number(10) as ULID)",\
                "offset_ms":null,"created_at":"\(Self.pressed)","source":"user","label":"Drop","tags":["highlight"]},\
                "wall_time":"\(Self.pressed)"}

                """)
        #expect(try store.moments().map(\.id) == [number(10)])
        #expect(try store.count == 1)
    }

    @Test func `what is none is reported, and stays`() throws {
        try Self.keep(10, in: scene)
        try store.path.appending("\(number(11) as ULID).json").write("{")
        try store.path.appending("\(number(12) as ULID).json").write(QueueScene.marker(12))
        var problems: [String] = []
        #expect(try store.moments { problems.append($0.report.headline) }.map(\.id) == [number(10)])
        #expect(problems.count == 2 && problems[1].contains("wall_time is missing"), "\(problems)")
        _ = try Self.drain(scene)
        #expect(try store.count == 2)
    }

    @Test func `a record that breaks the format is not kept`() throws {
        let marker = Marker(id: number(10), offset: .zero, createdAt: morning, tags: ["No Tag"])
        #expect(throws: FormatError.self) {
            try store.keep(UnplacedMoment(marker, at: morning, typedSession: nil))
        }
        #expect(!store.path.exists)
    }

    // MARK: - Placed

    @Test func `a drain places what one session alone covers, at the right offset`() throws {
        try Self.keep(10, in: scene)
        try Self.keepNote(11, in: scene)
        #expect(try Self.drain(scene).map(QueueScene.summary) == ["10 applied", "11 applied"])
        #expect(try scene.session("markers.jsonl").text() == line)
        #expect(
            try scene.session("voice_notes.jsonl").text().contains(#""offset_ms":30000,"duration_ms":700}"#))
        #expect(
            try scene.session("media").appending("\(number(11) as ULID).m4a").text() == QueueScene.sound)
        #expect(try scene.names(store.path) == [])
        #expect(try Self.drain(scene).isEmpty)
    }

    @Test(arguments: [
        // Before the start, and so late that the session had been forgotten.
        ("2026-02-04T19:59:59.999Z", false), ("2026-02-04T20:00:00.000Z", true),
        ("2026-02-05T08:00:00.000Z", true), ("2026-02-05T08:00:00.001Z", false),
    ])
    func `an open session covers from its start to its last record and the time until it is forgotten`(
        moment: String, isCovered: Bool
    ) throws {
        try Self.keep(10, at: moment, in: scene)
        #expect(try Self.drain(scene).isEmpty != isCovered)
        #expect(try store.count == (isCovered ? 0 : 1))
    }

    @Test(arguments: [("2026-02-04T20:01:00.000Z", true), ("2026-02-04T20:01:00.001Z", false)])
    func `a closed session covers to its end`(moment: String, isCovered: Bool) throws {
        let header = SampleSession.header.replacing("\"active\"", with: "\"closed\"").replacing(
            "\"media\": [],", with: "\"media\": [],\n  \"duration_ms\": 60000,")
        try scene.session("session.json").write(header)
        try Self.keep(10, at: moment, in: scene)
        _ = try Self.drain(scene)
        #expect(try store.count == (isCovered ? 0 : 1))
    }

    @Test func `where two sessions cover it, it waits for a person`() throws {
        _ = try SampleSession(
            at: scene.root.appending("more"),
            header: SampleSession.header.replacing(
                SampleSession.id.description, with: (number(9) as ULID).description))
        try Self.keep(10, in: scene)
        #expect(try Self.drain(scene).isEmpty)
        let access = UnplacedMoments.Access(runtimeDirectory: nil)
        let entry = try store.place(
            number(10), in: number(9), at: SessionOffset(milliseconds: 30_000), queue: scene.queue.local,
            by: access)
        #expect(entry.journalID == number(9))
        #expect(try Self.drain(scene).map(QueueScene.summary) == ["10 applied"])
        #expect(try scene.root.appending("more").appending("markers.jsonl").text() == line)
        // Again by anybody, it is gone.
        #expect(
            code(of: StoreError.self) {
                try store.place(
                    number(10), in: SampleSession.id, at: .zero, queue: scene.queue.local, by: access)
            } == .noSuchEntry)
    }

    @Test func `what was typed for the session leaves it to a person`() throws {
        let marker = Marker(id: number(10), offset: .zero, createdAt: morning)
        try store.keep(UnplacedMoment(marker, at: Self.moment(Self.pressed), typedSession: "monday"))
        #expect(try store.moments().first?.typedSession == "monday")
        #expect(try Self.drain(scene).isEmpty)
    }

    // MARK: - Dropped

    @Test func `a dropped moment is kept with its audio where entries are that the user dropped`() throws {
        try Self.keepNote(11, in: scene)
        let access = UnplacedMoments.Access(runtimeDirectory: nil)
        let file = try store.drop(number(11), to: scene.queue.dropped, by: access)
        #expect(file == scene.queue.dropped.appending("\(number(11) as ULID).json"))
        #expect(
            try scene.names(scene.queue.dropped) == [
                "\(number(11) as ULID).json", "\(number(11) as ULID).m4a",
            ])
        #expect(try scene.names(store.path) == [])
        #expect(
            code(of: StoreError.self) { try store.drop(number(11), to: scene.queue.dropped, by: access) }
                == .noSuchEntry)
    }

    // MARK: - Killed

    private static func makeScene(in root: FilePath) throws -> QueueScene {
        let scene = try QueueScene(in: root)
        try keep(10, in: scene)
        try keepNote(11, in: scene)
        return scene
    }

    /// All files; of audio that is kept alone, whose entry is in its session, the cleaning up takes care.
    private static func state(of root: FilePath) throws -> [String: String] {
        try tree(of: root).filter { !($0.key.hasPrefix("state/unplaced/") && $0.key.hasSuffix(".m4a")) }
    }

    @Test func `a kill before any step and another drain end as an undisturbed one`() async throws {
        let undisturbed = try ScratchDirectory()
        let steps = Steps()
        _ = try Self.drain(try Self.makeScene(in: undisturbed.path)) { step, _ throws(Errno) in
            _ = steps.add(step)
        }
        let expected = try Self.state(of: undisturbed.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fatal in Torture.steps(steps.all.count) {
                if fatal > 4 { try await group.next() }
                group.addTask { try await Self.killAndDrain(before: fatal, expected) }
            }
            try await group.waitForAll()
        }
    }

    private static func killAndDrain(before fatal: Int, _ expected: [String: String]) async throws {
        let scratch = try ScratchDirectory()
        let scene = try makeScene(in: scratch.path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path.string as String, fatal] in
            let steps = Steps()
            _ = try UnplacedMomentsTests.drain(QueueScene(at: FilePath(path))) { step, _ throws(Errno) in
                if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
            }
        }
        _ = try drain(scene)
        #expect(try state(of: scratch.path) == expected, "killed before step \(fatal)")
    }

    @Test func `placing that was cut short continues to the session that was chosen`() throws {
        try Self.keep(10, in: scene)
        let access = UnplacedMoments.Access(
            runtimeDirectory: nil,
            failPoint: { [queue = scene.local] _, path throws(Errno) in
                if path.lies(in: queue) { throw .noSpace }
            })
        _ = try? store.place(
            number(10), in: SampleSession.id, at: SessionOffset(milliseconds: 30_000),
            queue: scene.queue.local, by: access)
        try #require(try store.moments().first?.session == SampleSession.id)
        #expect(
            code(of: StoreError.self) {
                try store.drop(
                    number(10), to: scene.queue.dropped, by: UnplacedMoments.Access(runtimeDirectory: nil))
            } == .noSuchEntry)
        let entry = try store.place(
            number(10), in: number(9), at: .zero, queue: scene.queue.local,
            by: UnplacedMoments.Access(runtimeDirectory: nil))
        #expect(entry.journalID == SampleSession.id)
        #expect(try Self.drain(scene).map(QueueScene.summary) == ["10 applied"])
        #expect(try scene.session("markers.jsonl").text() == line)
    }
}
