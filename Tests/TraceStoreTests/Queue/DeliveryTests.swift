import Dispatch
import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

/// An entry that is delivered without a spool has the outcome that a drain gives it.
struct DeliveryTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    var session: SampleSession { scene.session }

    // MARK: - As a drain

    /// A state of session and ledger, and an entry that meets it.
    struct Meeting: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var entry = QueueScene.marker(10)
        var id = 10
        var hasAudio = false
        var result: String
        var prepare: @Sendable (QueueScene) throws -> Void = { _ in }

        /// What a drain has applied before.
        static func applied(_ entry: String, _ id: Int = 10) -> @Sendable (QueueScene) throws -> Void {
            { scene in
                try scene.deliver(entry, id)
                try scene.drain()
            }
        }
    }

    static let meetings = [
        Meeting(testDescription: "a new marker", result: "applied"),
        Meeting(
            testDescription: "a voice note", entry: QueueScene.note(11), id: 11, hasAudio: true,
            result: "applied"),
        Meeting(
            testDescription: "a voice note without its audio", entry: QueueScene.note(11), id: 11,
            result: "waiting"),
        Meeting(
            testDescription: "a request", entry: QueueScene.action(12), id: 12, result: "applied"),
        Meeting(
            testDescription: "a record that stands in other spelling", result: "already-applied",
            prepare: { scene in
                try scene.session("markers.jsonl").write(
                    QueueScene.markerLine(10).replacing("10000", with: "1.0e4") + "\n")
            }),
        Meeting(
            testDescription: "a record without its newline", result: "already-applied",
            prepare: { try $0.session("markers.jsonl").write(QueueScene.markerLine(10)) }),
        Meeting(
            testDescription: "a torn line", result: "applied",
            prepare: { try $0.session("markers.jsonl").write("{\"id\":\"01J") }),
        Meeting(
            testDescription: "a record that was edited since", result: "already-applied",
            prepare: { scene in
                try Meeting.applied(QueueScene.marker(10))(scene)
                try scene.session("markers.jsonl").write(
                    QueueScene.markerLine(10) + "\n" + QueueScene.markerLine(10, note: "better") + "\n")
            }),
        Meeting(
            testDescription: "a record that was deleted in an editor", result: "record-vanished",
            prepare: { scene in
                try Meeting.applied(QueueScene.marker(10))(scene)
                try scene.session("markers.jsonl").write("")
            }),
        Meeting(
            testDescription: "a record that the user removed", result: "removed",
            prepare: { scene in
                try Meeting.applied(QueueScene.marker(10))(scene)
                _ = try MarkerRemoval(
                    SessionWriter(scene.session.path), queue: scene.queue, now: { morning }
                ).remove(number(10))
            }),
        Meeting(
            testDescription: "an entry that the user dropped", result: "dropped",
            prepare: { scene in
                try scene.deliver(QueueScene.marker(10), 10)
                _ = try scene.queueDrain().drop(try #require(EntryName("\(number(10))")))
            }),
        Meeting(
            testDescription: "another marker of this id", result: "conflict",
            prepare: { scene in
                try scene.session("markers.jsonl").write(QueueScene.markerLine(10, note: "mine") + "\n")
            }),
        Meeting(
            testDescription: "a voice note of this id", result: "conflict",
            prepare: { try $0.session("voice_notes.jsonl").write(QueueScene.noteLine(10) + "\n") }),
        Meeting(
            testDescription: "another body under an id that was applied", result: "conflict",
            prepare: Meeting.applied(QueueScene.marker(10, note: "first"))),
        Meeting(
            testDescription: "another kind under an id that was applied", result: "conflict",
            prepare: Meeting.applied(QueueScene.action(10))),
        Meeting(
            testDescription: "another session under an id that was applied", result: "conflict",
            prepare: { scene in
                let header = SampleSession.header.replacing("\(number(1))", with: "\(number(7))")
                _ = try SampleSession(
                    at: scene.root.appending("more").appending("b"), header: header)
                try Meeting.applied(QueueScene.marker(10, session: number(7)))(scene)
            }),
        Meeting(
            testDescription: "a session that is not there",
            entry: QueueScene.marker(10, session: number(7)), result: "waiting"),
        Meeting(
            testDescription: "two directories with the session", result: "waiting",
            prepare: { scene in
                _ = try SampleSession(at: scene.root.appending("more").appending("copy"))
            }),
        Meeting(
            testDescription: "a path that only a directory can have",
            entry: QueueScene.note(11, path: "media/n/."), id: 11, hasAudio: true, result: "rejected"),
    ]

    @Test(arguments: meetings)
    func `the outcome and the session are those of a drain`(_ meeting: Meeting) throws {
        let other = try ScratchDirectory()
        let drained = try QueueScene(in: other.path)
        for scene in [scene, drained] { try meeting.prepare(scene) }

        try drained.deliver(meeting.entry, meeting.id)
        let attachment = "\(number(meeting.id)).m4a"
        if meeting.hasAudio { try drained.local.appending(attachment).write(QueueScene.sound) }
        let expected = try #require(try drained.drain().first { $0.id == number(meeting.id) })
        let outcome = try scene.send(meeting.entry, meeting.id, hasAudio: meeting.hasAudio)

        #expect(outcome.result.name == meeting.result)
        #expect(outcome.result.name == expected.result.name)
        #expect(outcome.result.reason == expected.result.reason)
        #expect(try tree(of: session.path) == tree(of: drained.session.path))
        let (noted, expectedNotes) = (Set(try scene.ledger()), Set(try drained.ledger()))
        #expect(noted == expectedNotes)
        // An entry that waits is in the spool by either way.
        #expect(try scene.names(scene.local) == drained.names(drained.local))
    }

    @Test func `what is no entry is rejected, and nothing is written`() throws {
        let before = try tree(of: scratch.path)
        let payload = QueueScene.markerLine(10).replacing("highlight", with: "High")
        for entry in [
            SpoolEntry(
                id: number(10), kind: .marker, journalID: SampleSession.id, createdAt: morning,
                payload: JSONText(verbatim: payload.utf8)),
            SpoolEntry(
                id: number(11), kind: .marker, journalID: SampleSession.id, createdAt: morning,
                payload: JSONText(verbatim: QueueScene.markerLine(10).utf8)),
            SpoolEntry(
                id: number(10), kind: .marker, journalID: SampleSession.id, createdAt: morning,
                payload: JSONText(
                    verbatim: QueueScene.markerLine(10, note: String(repeating: "x", count: 1 << 20)).utf8)),
        ] {
            let outcomes = scene.delivery().deliver([.init(entry)], locate: scene.locate)
            #expect(try names(outcomes) == ["rejected"])
        }
        #expect(try tree(of: scratch.path) == before)
    }

    /// The results in words, of deliveries that did not fail.
    private func names(_ outcomes: [Result<EntryDelivery.Outcome, any Error>]) throws -> [String] {
        try outcomes.map { try $0.get().result.name }
    }

    // MARK: - Exactly once

    @Test func `delivered fifty times at once, an entry is applied once`() throws {
        let outcomes = Mutex<[String]>([])
        let delivery = scene.delivery()
        let scene = scene
        let group = DispatchGroup()
        for _ in 0..<50 {
            DispatchQueue.global().async(group: group) {
                let outcome = try? scene.send(QueueScene.marker(10), 10, by: delivery)
                outcomes.withLock { $0.append(outcome?.result.name ?? "failed") }
            }
        }
        group.wait()
        #expect(
            outcomes.withLock { $0.sorted() }
                == Array(repeating: "already-applied", count: 49) + ["applied"])
        #expect(try session("markers.jsonl").text() == QueueScene.markerLine(10) + "\n")
        #expect(try scene.ledger() == [10])
    }

    @Test func `a drain and deliveries of the same entries at once write each once`() throws {
        let ids = Array(100..<160)
        for id in ids { try scene.deliver(QueueScene.marker(id), id) }
        let failures = Mutex<[String]>([])
        let scene = scene
        let group = DispatchGroup()
        for part in 0..<3 {
            DispatchQueue.global().async(group: group) {
                // Each with what it knows of the ledger itself, as processes have it.
                let delivery = scene.delivery()
                for id in ids where id % 3 == part {
                    let name = (try? scene.send(QueueScene.marker(id), id, by: delivery))?.result.name
                    if name != "applied", name != "already-applied" {
                        failures.withLock { $0.append("\(id) \(name ?? "failed")") }
                    }
                }
            }
        }
        let results = try scene.drain()
        group.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(results.count { $0.result.isWritten } == ids.count)
        let lines = try session("markers.jsonl").text().split(separator: "\n").map(String.init)
        #expect(lines.sorted() == ids.map { QueueScene.markerLine($0) }.sorted())
        #expect(try scene.ledger().sorted() == ids)
        #expect(try scene.names(scene.local) == [])
    }

    @Test func `a drain that has begun sees what a delivery has applied and the user deleted since`() throws {
        try scene.deliver(QueueScene.marker(10), 10)
        try scene.deliver(QueueScene.marker(11), 11)
        let (scene, session) = (scene, session)
        // The queue's lock is held and the ledger read when the session is looked for.
        let drain = Drain(scene.queue, now: { morning }) { id in
            if (try? session("markers.jsonl").text()) == "" {
                _ = try? scene.send(QueueScene.marker(10), 10)
                try? session("markers.jsonl").write("\n")
            }
            return scene.locate(id)
        }
        #expect(try drain.run().map(\.result.name) == ["record-vanished", "applied"])
        #expect(try session("markers.jsonl").text() == "\n" + QueueScene.markerLine(11) + "\n")
    }

    @Test func `a batch is written in the order of its entries, and answers each`() throws {
        let ids = Array(100..<300)
        let items = try ids.map { try scene.item(QueueScene.marker($0), $0) }
        let syncs = Mutex(0)
        let delivery = scene.delivery(failPoint: { step, path throws(Errno) in
            guard step == .sync, path.lastComponent == "markers.jsonl" else { return }
            syncs.withLock { $0 += 1 }
        })
        let outcomes = delivery.deliver(items, locate: scene.locate)
        let answered = try outcomes.map { try $0.get().id }
        #expect(answered == ids.map(number))
        #expect(try Set(names(outcomes)) == ["applied"])
        #expect(
            try session("markers.jsonl").text() == ids.map { QueueScene.markerLine($0) + "\n" }.joined())
        #expect(try scene.ledger() == ids)
        // One for each hold of the lock.
        #expect(syncs.withLock { $0 } == 4)
        let again = scene.delivery().deliver(items, locate: scene.locate)
        #expect(try Set(names(again)) == ["already-applied"])
    }

    @Test func `a batch with an id twice, other sessions and bad entries answers each by itself`() throws {
        let header = SampleSession.header.replacing("\(number(1))", with: "\(number(7))")
        let other = try SampleSession(at: scratch("more").appending("b"), header: header)
        let items = try [
            scene.item(QueueScene.marker(10), 10), scene.item(QueueScene.marker(10), 10),
            scene.item(QueueScene.marker(10, note: "other"), 10),
            scene.item(QueueScene.marker(11, session: number(7)), 11),
            scene.item(QueueScene.marker(12, session: number(8)), 12),
            scene.item(QueueScene.note(13), 13, hasAudio: true), scene.item(QueueScene.action(14), 14),
        ]
        let outcomes = scene.delivery().deliver(items, locate: scene.locate)
        #expect(
            try names(outcomes) == [
                "applied", "already-applied", "conflict", "applied", "waiting", "applied", "applied",
            ])
        #expect(try other("markers.jsonl").text() == QueueScene.markerLine(11) + "\n")
        #expect(try session("markers.jsonl").text() == QueueScene.markerLine(10) + "\n")
        #expect(try scene.names(scene.local) == ["\(number(12)).json"])
    }

    // MARK: - What is told and kept

    @Test func `the answer has the line as it is in the file`() throws {
        let line = QueueScene.markerLine(10)
        let outcome = try scene.send(QueueScene.marker(10), 10)
        #expect(outcome.line.map { String(decoding: $0, as: UTF8.self) } == line)
        let edited = QueueScene.markerLine(10, note: "better")
        try session("markers.jsonl").write("\(line)\n\(edited)\n")
        let again = try scene.send(QueueScene.marker(10), 10)
        #expect(again.result.name == "already-applied")
        #expect(again.line.map { String(decoding: $0, as: UTF8.self) } == edited)
    }

    @Test func `a record that vanishes is seen by the queue, and can be put back with its audio`() throws {
        try scene.send(QueueScene.marker(10), 10)
        try scene.send(QueueScene.note(11), 11, hasAudio: true)
        try session("markers.jsonl").write("")
        try session("voice_notes.jsonl").write("")
        let drain = scene.queueDrain()
        #expect(try drain.vanished(from: number(1), at: session.path) == [number(10), number(11)])
        #expect(try scene.send(QueueScene.marker(10), 10).result.name == "record-vanished")
        for id in [10, 11] {
            let outcome = try drain.retry(try #require(EntryName("\(number(id))")))
            #expect(QueueScene.summary(outcome) == "\(id) applied")
        }
        #expect(try session("markers.jsonl").text() == QueueScene.markerLine(10) + "\n")
        #expect(try session("voice_notes.jsonl").text() == QueueScene.noteLine(11) + "\n")
    }

    @Test func `who delivered an entry is in the ledger, also if it waited, and not if a device says so`()
        throws
    {
        let phone = Deliverer(token: number(90), person: "Ada")
        try scene.send(QueueScene.marker(10), 10, deliveredBy: phone)
        let away = scratch("away")
        try #require(rename(session.path.string, away.string) == 0)
        #expect(try scene.send(QueueScene.marker(11), 11, deliveredBy: phone).result.name == "waiting")
        try #require(rename(away.string, session.path.string) == 0)
        let forged = QueueScene.entry(
            12, "marker", QueueScene.markerLine(12), ",\"delivered_by\":{\"token\":\"\(number(90))\"}")
        try scene.deliver(forged, 12, to: scene.phone)
        #expect(try scene.results() == ["11 applied", "12 applied"])
        let ledger = try LedgerContents(in: OpenDirectory(scene.queue.state))
        #expect(ledger.deliverer(of: number(10), in: SampleSession.id) == phone)
        #expect(ledger.deliverer(of: number(11), in: SampleSession.id) == phone)
        #expect(ledger.deliverer(of: number(12), in: SampleSession.id) == nil)
    }

    @Test func `who brings a record that stands already has not delivered it`() throws {
        let phone = Deliverer(token: number(90), person: "Ada")
        try session("markers.jsonl").write(QueueScene.markerLine(10) + "\n")
        #expect(
            try scene.send(QueueScene.marker(10), 10, deliveredBy: phone).result.name == "already-applied")
        // Nor by a record of the same id in another session, which they remove and bring again.
        let other = "\(number(7))"
        let header = SampleSession.header.replacing("\(number(1))", with: other)
        let elsewhere = try SampleSession(at: scene.root.appending("more").appending("b"), header: header)
        try session("markers.jsonl").write(
            QueueScene.markerLine(10) + "\n" + QueueScene.markerLine(11) + "\n")
        let foreign = QueueScene.marker(11, session: number(7))
        #expect(try scene.send(foreign, 11, deliveredBy: phone).result.name == "applied")
        func deliverer(_ id: Int, in session: ULID = SampleSession.id) throws -> Deliverer? {
            try LedgerContents(in: OpenDirectory(scene.queue.state)).deliverer(of: number(id), in: session)
        }
        #expect(try deliverer(11, in: number(7)) == phone)
        _ = try MarkerRemoval(SessionWriter(elsewhere.path), queue: scene.queue).remove(number(11))
        #expect(
            try scene.send(QueueScene.marker(11), 11, deliveredBy: phone).result.name == "already-applied")
        for id in [10, 11] { #expect(try deliverer(id) == nil) }
    }

    @Test func `nothing is noted for an undo`() throws {
        try scene.send(QueueScene.marker(10), 10)
        #expect(try UndoLog(state: scene.queue.state).writes().isEmpty)
    }
}
