import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

/// What becomes of entries whose session is there and whose records are sound.
struct DrainTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    var session: SampleSession { scene.session }

    func lines(_ ids: [Int]) -> String { ids.map { QueueScene.markerLine($0) + "\n" }.joined() }

    // MARK: - Exactly once

    @Test func `a drain of nothing makes nothing`() throws {
        let before = try tree(of: scratch.path)
        #expect(try scene.results() == [])
        try OpenDirectory.make(scene.local)
        #expect(try scene.results() == [])
        #expect(
            try tree(of: scratch.path).keys.sorted() == (before.keys + ["state", "state/queue"]).sorted())
    }

    @Test
    func
        `what a killed writer left in the local spool goes, what a sync tool or a living writer writes there stays`()
        throws
    {
        for spool in [scene.local, scene.phone] {
            try OpenDirectory.make(spool)
            for name in [".\(number(10)).json.trace-tmp", ".trace-media.tmp", ".\(number(10)).json.tmp"] {
                try spool.appending(name).write("{")
            }
        }
        let living = try TemporaryFile(
            ".living.json.trace-tmp", in: OpenDirectory(scene.local), permissions: 0o600)
        #expect(try scene.results() == [])
        #expect(try scene.names(scene.local) == [".\(number(10)).json.tmp", ".living.json.trace-tmp"])
        #expect(try scene.names(scene.phone).count == 3)
        withExtendedLifetime(living) {}
    }

    @Test func `a marker becomes its line, the header its time, the entry an applied one`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 applied"])
        var state = try tree(of: scene.queue.state)
        let ledger = state.removeValue(forKey: "applied.jsonl")
        #expect(
            try tree(of: session.path) == [
                "media": "(directory)", "session.json": QueueScene.header(),
                "timeline.jsonl": SampleSession.start,
                "markers.jsonl": QueueScene.markerLine(10) + "\n",
            ])
        #expect(
            state == [
                "queue": "(directory)", "done": "(directory)",
                "done/\(number(10)).json": QueueScene.marker(10),
            ])
        #expect(
            ledger?.replacing(#/[0-9a-f]{64}/#, with: "…") == """
                {"id":"\(number(10))","kind":"marker","session_id":"\(number(1))","sha256":"…",\
                "applied_at":"2026-02-05T08:00:00.000Z"}

                """)
        #expect(try scene.results() == [])
    }

    @Test func `the outcome tells entry, spool and session`() throws {
        try scene.deliver(QueueScene.marker(10), 10, to: scene.phone)
        let outcome = try #require(try scene.drain().first)
        #expect(outcome.id == number(10))
        #expect(outcome.spool == scene.phone)
        #expect(outcome.session == session.path)
        #expect(outcome.entry?.device == "phone")
        #expect(!outcome.result.isPending)
    }

    @Test func `an entry that is delivered ten times stands once`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 applied"])
        let after = try tree(of: scratch.path)
        for round in 1..<10 {
            try scene.deliver(
                QueueScene.marker(10), 10, to: round.isMultiple(of: 2) ? scene.local : scene.phone)
            #expect(
                try scene.results(now: Timestamp(milliseconds: 1_800_000_000_000)) == ["10 already-applied"])
        }
        #expect(try tree(of: scratch.path) == after)
    }

    @Test func `the same entry in two spools at once stands once`() throws {
        for spool in [scene.local, scene.phone] { try scene.deliver(QueueScene.marker(10), 10, to: spool) }
        #expect(try scene.results() == ["10 applied", "10 already-applied"])
        #expect(try session("markers.jsonl").text() == lines([10]))
        #expect(try scene.names(scene.queue.done) == ["\(number(10)).json"])
        #expect(try scene.names(scene.local) + scene.names(scene.phone) == [])
        #expect(try scene.ledger() == [10])
    }

    @Test func `the same entry under two spellings of its name stands once`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.local.appending("\(number(10)).json".lowercased()).write(QueueScene.marker(10))
        #expect(try scene.results() == ["10 applied", "10 already-applied"])
        #expect(try session("markers.jsonl").text() == lines([10]))
        #expect(try scene.names(scene.local) == [])
    }

    @Test func `a spool that is configured twice is drained without complaint`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        let twice = QueueDirectories(state: scene.queue.state, spools: [scene.local])
        let results = try Drain(twice, now: { morning }) { _ in [session.path] }.run().map(QueueScene.summary)
        #expect(results == ["10 applied", "10 already-applied"])
        #expect(try session("markers.jsonl").text() == lines([10]))
        #expect(try scene.names(scene.queue.done) == ["\(number(10)).json"])
    }

    @Test func `a record that stands in other spelling is the same record`() throws {
        let edited = """
            {"tags":["highlight"], "offset_ms":1.0e4, "note":"", "source":"user", "id":"\(number(10))",\
             "created_at":"2026-02-04T20:54:41.780Z"}

            """
        try session("markers.jsonl").write(edited)
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 already-applied"])
        #expect(try session("markers.jsonl").text() == edited)
    }

    @Test(arguments: ["", "{\"id\":\"01J0"])
    func `a record whose newline was lost stands once, and counts again`(before: String) throws {
        let torn = before.isEmpty ? "" : before + "\n"
        try session("markers.jsonl").write(torn + QueueScene.markerLine(10))
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 already-applied"])
        #expect(try session("markers.jsonl").text() == torn + lines([10]))
    }

    @Test func `an unfinished line of somebody else is finished only by what is written behind it`() throws {
        try session("markers.jsonl").write(lines([10]) + QueueScene.markerLine(9))
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 already-applied"])
        #expect(try session("markers.jsonl").text() == lines([10]) + QueueScene.markerLine(9))
        try scene.deliver(QueueScene.marker(11), 11)
        #expect(try scene.results() == ["11 applied"])
        #expect(try session("markers.jsonl").text() == lines([10, 9, 11]))
    }

    @Test func `every prefix of its line that a kill left is torn, and the record stands once behind it`()
        throws
    {
        let line = QueueScene.markerLine(10)
        for count in 1..<line.utf8.count {
            let torn = String(line.prefix(count))
            try session("markers.jsonl").write(lines([9]) + torn)
            try scene.deliver(QueueScene.marker(10), 10)
            try #require(unlink(scene.queue.state.appending("applied.jsonl").string) == 0 || count == 1)
            #expect(try scene.results() == ["10 applied"])
            #expect(try session("markers.jsonl").text() == lines([9]) + torn + "\n" + lines([10]))
        }
    }

    // MARK: - What the user did

    @Test func `a record that the user deleted does not come back`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 applied"])
        try session("markers.jsonl").write("")
        let before = try tree(of: session.path)
        try scene.deliver(QueueScene.marker(10), 10)
        let outcome = try #require(try scene.drain().first)
        #expect(outcome.result.name == "record-vanished")
        #expect(outcome.result.reason == "it was applied before, but its record is no longer in the session")
        #expect(try tree(of: session.path) == before)
        #expect(try scene.names(scene.local) == [])
        #expect(try scene.names(scene.queue.done) == ["\(number(10)).json"])
    }

    @Test(arguments: [false, true])
    func `a record that the user edited stays as it was edited`(inPlace: Bool) throws {
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 applied"])
        let edit = QueueScene.markerLine(10, note: "better") + "\n"
        try session("markers.jsonl").write(inPlace ? edit : lines([10]) + edit)
        let before = try tree(of: session.path)
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 already-applied"])
        #expect(try tree(of: session.path) == before)
    }

    @Test func `a closed session takes what was recorded for it, and stays closed`() throws {
        try session("session.json").write(SampleSession.header.replacing("active", with: "closed"))
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 applied"])
        #expect(try session("session.json").text() == QueueScene.header().replacing("active", with: "closed"))
    }

    @Test func `the time of the last change never goes backwards`() throws {
        let future = SampleSession.header.replacing(
            "2026-02-04T20:30:00.000Z", with: "2999-01-01T00:00:00.0009Z")
        try session("session.json").write(future)
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 applied"])
        #expect(try session("session.json").text() == future)
    }

    // MARK: - Many

    @Test func `each kind goes into its file, the order is that of the ids`() throws {
        try scene.deliver(QueueScene.action(13), 13)
        try scene.deliver(QueueScene.marker(12), 12)
        try scene.deliver(QueueScene.note(11), 11)
        try scene.local.appending("\(number(11)).m4a").write(QueueScene.sound)
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 applied", "11 applied", "12 applied", "13 applied"])
        #expect(
            try tree(of: session.path) == [
                "media": "(directory)", "session.json": QueueScene.header(voiceNotes: true),
                "timeline.jsonl": SampleSession.start, "markers.jsonl": lines([10, 12]),
                "voice_notes.jsonl": QueueScene.noteLine(11) + "\n",
                "media/\(number(11)).m4a": QueueScene.sound,
                "actions.jsonl": QueueScene.actionLine(13) + "\n",
            ])
        #expect(
            try scene.names(scene.queue.done)
                == [10, 11, 12, 13].map { "\(number($0)).json" }.sorted().flatMap {
                    $0.hasPrefix("\(number(11))") ? [$0, "\(number(11)).m4a"] : [$0]
                })
        #expect(try scene.ledger() == [10, 11, 12, 13])
        #expect(try Inspection(of: session.path).findings.map(\.rule.id) == ["key-unknown"])
    }

    @Test func `an action that has been run in the meantime is not asked for again`() throws {
        let log = QueueScene.actionLine(13) + "\n" + QueueScene.actionLine(13, status: "succeeded") + "\n"
        try session("actions.jsonl").write(log)
        try scene.deliver(QueueScene.action(13), 13)
        #expect(try scene.results() == ["13 already-applied"])
        #expect(try session("actions.jsonl").text() == log)
    }

    @Test func `more entries than one hold of the lock takes`() throws {
        for id in 100..<300 { try scene.deliver(QueueScene.marker(id), id) }
        #expect(try scene.results() == (100..<300).map { "\($0) applied" })
        #expect(try session("markers.jsonl").text() == lines(Array(100..<300)))
        #expect(try scene.ledger() == Array(100..<300))
    }

    @Test func `a drain that is told to stop leaves the rest in the spool`() throws {
        for id in 100..<300 { try scene.deliver(QueueScene.marker(id), id) }
        var asked = 0
        let outcomes = try scene.drain(shouldStop: {
            asked += 1
            // 200 times while the entries are read.
            return asked > 300
        })
        // Of the first batch, whose lines all stand, it has finished some; of the others it has begun none.
        #expect((1..<64).contains(outcomes.count))
        #expect(try scene.names(scene.local).count == 200 - outcomes.count)
        #expect(try session("markers.jsonl").text() == lines(Array(100..<164)))
        #expect(try scene.drain(shouldStop: { true }).isEmpty)
        #expect(try scene.drain().count == 200 - outcomes.count)
        #expect(try session("markers.jsonl").text() == lines(Array(100..<300)))
    }

    @Test(arguments: [4, 5])
    func `a stop in the middle of audio leaves it in the spool, and nothing in the session`(stop: Int) throws
    {
        try scene.deliver(QueueScene.note(20), 20)
        try scene.local.appending("\(number(20)).m4a").write(QueueScene.sound)
        var asked = 0
        let outcomes = try scene.drain(shouldStop: {
            asked += 1
            return asked >= stop
        })
        #expect(outcomes.isEmpty)
        #expect(try scene.names(session("media")) == [])
        #expect(try scene.names(scene.local).count == 2)
        #expect(try scene.results() == ["20 applied"])
    }

    @Test func `two drains at once do the work once`() async throws {
        for id in 100..<180 { try scene.deliver(QueueScene.marker(id), id) }
        let scene = scene
        let results = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<2 { group.addTask { try scene.results() } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(results.sorted() == (100..<180).map { "\($0) applied" })
        #expect(try session("markers.jsonl").text() == lines(Array(100..<180)))
    }

    @Test func `a marker from the hand while the queue drains loses neither`() async throws {
        for id in 100..<300 { try scene.deliver(QueueScene.marker(id), id) }
        let scene = scene
        async let drained = scene.results()
        var writer = SessionWriter(session.path)
        writer.lockTimeout = waitLimit
        for id in 500..<520 { try writer.mark(SessionWriterTests.plain(id)) }
        #expect(try await drained.count == 200)
        #expect(try Inspection(of: session.path).counts[.marker] == 220)
        #expect(try session("markers.jsonl").text().split(separator: "\n").count == 220)
    }
}
