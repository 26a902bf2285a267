import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

/// Odd deliveries, odd sessions, and what is cleaned up.
struct DrainDoubtTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    var session: SampleSession { scene.session }

    @Test func `a closed session takes what was recorded for it`() throws {
        let header = SampleSession.header.replacing("\"active\"", with: "\"closed\"")
        try session("session.json").write(header)
        try scene.deliver(QueueScene.marker(10), 10)
        #expect(try scene.results() == ["10 applied"])
        #expect(try session.session.status == .closed)
    }

    @Test func `a conflict copy of an entry stands once, and another payload in it is a conflict`() throws {
        try OpenDirectory.make(scene.phone)
        let mark = ".sync-conflict-20260204-120000-ABCDEFG"
        try scene.phone.appending("\(number(10))\(mark).json").write(QueueScene.marker(10))
        #expect(try scene.results() == ["10 applied"])
        try scene.phone.appending("\(number(10)) 2.json").write(QueueScene.marker(10))
        #expect(try scene.results() == ["10 already-applied"])
        try scene.phone.appending("\(number(10))\(mark).json").write(QueueScene.marker(10, note: "x"))
        #expect(try scene.results() == ["10 conflict: another entry with this id was applied before"])
        #expect(try scene.names(scene.phone) == [])
        #expect(try scene.names(scene.queue.done) == ["\(number(10)).json"])
        #expect(try scene.names(scene.queue.failed) == ["\(number(10)).json", "\(number(10)).reason"])
        #expect(try session("markers.jsonl").text() == QueueScene.markerLine(10) + "\n")
    }

    @Test func `two entries that share their audio both get it, together or one after the other`() throws {
        for id in [10, 11] { try scene.deliver(QueueScene.note(id, audio: "memo.m4a"), id) }
        try scene.local.appending("memo.m4a").write(QueueScene.sound)
        #expect(try scene.results() == ["10 applied", "11 applied"])
        try scene.deliver(QueueScene.note(12, audio: "memo.m4a"), 12)
        #expect(try scene.results() == ["12 applied"])
        for id in 10...12 {
            #expect(try session("media").appending("\(number(id)).m4a").text() == QueueScene.sound)
        }
        #expect(
            try scene.names(scene.queue.done) == [10, 11, 12].map { "\(number($0)).json" } + ["memo.m4a"])
    }

    @Test(arguments: ["succeeded", "failed"])
    func `a request for an action is a run that was started, and nothing else`(status: String) throws {
        try scene.deliver(
            QueueScene.entry(12, "action_request", QueueScene.actionLine(12, status: status)), 12)
        #expect(
            try scene.results() == [
                "12 rejected: an action request has the status 'started', not '\(status)'"
            ])
        #expect(!session("actions.jsonl").exists)
    }

    @Test func `a record that refers to what is not there is written, and the reference is a finding`() throws
    {
        let line = QueueScene.markerLine(10).replacing("}", with: ",\"voice_note_id\":\"\(number(19))\"}")
        try scene.deliver(QueueScene.entry(10, "marker", line), 10)
        #expect(try scene.results() == ["10 applied"])
        let findings = try Inspection(of: session.path).findings.map(\.rule.id)
        #expect(findings.contains("marker-voice-note-missing"))
    }

    // MARK: - File systems

    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"))
    func `a session on a disk that is full or read-only keeps its entries waiting`() throws {
        let disk = try SmallFileSystem()
        let path = disk.directory("late")
        let header = SampleSession.header.replacing(SampleSession.id.description, with: number(7).description)
        let other = try SampleSession(at: path, header: header)
        let drain = Drain(scene.queue, now: { morning }) { $0 == number(7) ? [path] : [session.path] }
        try disk.fill()
        try scene.deliver(
            QueueScene.marker(10, note: String(repeating: "x", count: 5000), session: number(7)), 10)
        try scene.deliver(QueueScene.marker(11), 11)
        let before = try tree(of: path)
        let full = try drain.run()
        #expect(full.map(\.result.name) == ["failed", "applied"])
        #expect(full[0].result.reason?.contains("[disk-full]") == true)
        #expect(try tree(of: path) == before)
        #expect(try scene.names(scene.local) == ["\(number(10)).json"])

        try #require(unlink(disk.directory("filling").string) == 0)
        try disk.makeReadOnly()
        let readOnly = try drain.run()
        #expect(readOnly.map(\.result.name) == ["failed"])
        #expect(readOnly[0].result.reason?.contains("[read-only]") == true)
        #expect(try scene.names(scene.local) == ["\(number(10)).json"])
        try #require(mount("", disk.directory.path.string, "", 32, nil) == 0)
        #expect(try drain.run().map(\.result.name) == ["applied"])
        #expect(try other("markers.jsonl").text().count { $0 == "\n" } == 1)
    }

    // MARK: - What is kept, and for how long

    func removeOutdated(after age: Duration, retention: Duration = .seconds(3600)) throws -> [String] {
        let later = Timestamp(milliseconds: Clock.now().milliseconds + Int64(age / .milliseconds(1)))
        let drain = Drain(scene.queue, now: { later }) { _ in [session.path] }
        return try drain.removeOutdated(retention: retention).map {
            String($0.string.dropFirst(scratch.path.string.utf8.count + 1))
        }.sorted()
    }

    @Test func `applied and dropped entries go when their time is up, refused ones stay`() throws {
        try scene.deliver(QueueScene.note(11, audio: "memo.m4a"), 11)
        try scene.local.appending("memo.m4a").write(QueueScene.sound)
        try scene.deliver("{}", 12)
        try scene.deliver(QueueScene.marker(13, session: number(7)), 13)
        try scene.drain()
        _ = try scene.queueDrain().drop(try #require(EntryName("\(number(13))")))
        #expect(try removeOutdated(after: .seconds(3500)) == [])
        // Another that shares the audio still waits for its session.
        try scene.deliver(
            QueueScene.note(14, audio: "memo.m4a").replacing("\(number(1))", with: "\(number(7))"), 14)
        #expect(
            try removeOutdated(after: .seconds(3700)) == [
                "state/done/\(number(11)).json", "state/dropped/\(number(13)).json",
            ])
        try #require(unlink(scene.local.appending("\(number(14)).json").string) == 0)
        #expect(try removeOutdated(after: .seconds(3700)) == ["state/done/memo.m4a"])
        #expect(try scene.names(scene.queue.failed) == ["\(number(12)).json", "\(number(12)).reason"])
        #expect(try scene.ledger() == [11, 13])
    }

    @Test func `a directory that somebody made among what is kept is left alone`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.drain()
        try OpenDirectory.make(scene.queue.done.appending("mine"))
        #expect(try removeOutdated(after: .seconds(3700)) == ["state/done/\(number(10)).json"])
        #expect(try scene.names(scene.queue.done) == ["mine"])
    }

    @Test func `records that have vanished are those of the session that is asked about`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.drain()
        let drain = scene.queueDrain()
        let markers = session.path.appending("markers.jsonl")
        #expect(try drain.vanished(from: number(1), at: session.path) == [])
        try markers.write("")
        #expect(try drain.vanished(from: number(1), at: session.path) == [number(10)])
        let header = session.path.appending("session.json")
        try header.write(header.text().replacing("\(number(1))", with: "\(number(7))"))
        #expect(try drain.vanished(from: number(1), at: session.path) == [])
    }

    @Test(arguments: [0, 1 << 40, .max, .min] as [Int64])
    func `entries are kept for as long as is said, whatever the clock shows`(now: Int64) throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.drain()
        let drain = Drain(scene.queue, now: { Timestamp(milliseconds: now) }) { _ in [session.path] }
        #expect(try drain.removeOutdated(retention: .seconds(Int64.max)) == [])
        let isLate = now > Clock.now().milliseconds
        #expect(try drain.removeOutdated(retention: .seconds(3600)).isEmpty == !isLate)
    }

    @Test func `what a killed writer left in a spool is no entry, and goes when it is old`() throws {
        try OpenDirectory.make(scene.queue.state)
        let name = ".\(number(10)).json.trace-tmp"
        try scene.phone.appending(name).write(QueueScene.marker(10))
        try scene.phone.appending(".trace-media.tmp").write("so")
        #expect(try scene.results() == [])
        #expect(try removeOutdated(after: .seconds(3500)) == [])
        #expect(
            try removeOutdated(after: .seconds(3700))
                == [
                    "phone/\(name)", "phone/.trace-media.tmp",
                ].sorted())
    }
}
