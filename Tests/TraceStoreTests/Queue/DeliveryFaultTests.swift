import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceStore

/// Deliveries to sessions that can't be written, and deliveries that are killed or fail at each step in turn.
struct DeliveryFaultTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try QueueScene(in: scratch.path)
    }

    var session: SampleSession { scene.session }

    // MARK: - Waiting

    /// Expects a delivery to wait, as one file of the spool, and the session to be as it was.
    private func expectWaiting(
        for reason: String, _ delivery: EntryDelivery? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try tree(of: session.path)
        for _ in 0..<2 {
            let outcome = try scene.send(QueueScene.marker(10), 10, by: delivery)
            #expect(outcome.result.name == "waiting", sourceLocation: sourceLocation)
            #expect(outcome.result.reason?.hasPrefix(reason) == true, sourceLocation: sourceLocation)
            #expect(outcome.result.reason?.contains("/") == false, sourceLocation: sourceLocation)
            #expect(
                try scene.names(scene.local) == ["\(number(10)).json"], sourceLocation: sourceLocation)
        }
        #expect(try tree(of: session.path) == before, sourceLocation: sourceLocation)
    }

    /// Expects the next drain to write what waited, and another delivery to find it.
    private func expectWritten(sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try scene.results() == ["10 applied"], sourceLocation: sourceLocation)
        #expect(
            try scene.send(QueueScene.marker(10), 10).result.name == "already-applied",
            sourceLocation: sourceLocation)
        #expect(
            try session("markers.jsonl").text() == QueueScene.markerLine(10) + "\n",
            sourceLocation: sourceLocation)
        #expect(try scene.ledger() == [10], sourceLocation: sourceLocation)
    }

    @Test func `a session that is locked for longer than the limit gets its entry by a drain`() throws {
        let delivery = scene.delivery(lockTimeout: .milliseconds(1))
        try DirectoryLock.holding(session.path) { _ in
            try expectWaiting(for: "the session can't be written now: is being written", delivery)
            let outcome = try scene.send(QueueScene.marker(10), 10, by: delivery)
            #expect((outcome.cause as? FileError)?.code == .sessionLocked)
            #expect(outcome.cause?.location == session.path)
        }
        try expectWritten()
    }

    @Test func `the queue may be locked as long as it likes`() throws {
        try OpenDirectory.make(scene.queue.state)
        let lock = try DirectoryLock(scene.queue.state)
        #expect(try scene.send(QueueScene.marker(10), 10).result.name == "applied")
        withExtendedLifetime(lock) {}
    }

    @Test func `a session that is away gets its entry when it is back`() throws {
        let away = scratch("away")
        try #require(rename(session.path.string, away.string) == 0)
        for _ in 0..<2 {
            #expect(try scene.send(QueueScene.marker(10), 10).result.name == "waiting")
        }
        try #require(rename(away.string, session.path.string) == 0)
        try expectWritten()
    }

    @Test func `another session in the place of the one that was meant gets nothing`() throws {
        let item = try scene.item(QueueScene.marker(10), 10)
        let header = SampleSession.header.replacing("\(number(1))", with: "\(number(7))")
        try session("session.json").write(header)
        let before = try tree(of: session.path)
        let outcomes = scene.delivery().deliver([item]) { _ in [session.path] }
        #expect(try outcomes.first?.get().result.name == "waiting")
        #expect(try tree(of: session.path) == before)
    }

    @Test func `a header that is damaged keeps the entry waiting`() throws {
        try session("session.json").write("{")
        try session("session.json").setModified(secondsAgo: 60)
        let item = try scene.item(QueueScene.marker(10), 10)
        let outcomes = scene.delivery().deliver([item]) { _ in [session.path] }
        #expect(try outcomes.first?.get().result.name == "waiting")
        #expect(try session("markers.jsonl").text() == "")
        try session("session.json").write(SampleSession.header)
        try expectWritten()
    }

    @Test(.enabled(if: SmallFileSystem.isAvailable, "needs the right to mount"))
    func `a session on a disk that is full or read-only gets its entry later`() throws {
        let disk = try SmallFileSystem()
        let path = disk.directory("late")
        let header = SampleSession.header.replacing("\(number(1))", with: "\(number(7))")
        let other = try SampleSession(at: path, header: header)
        try disk.fill()
        let note = String(repeating: "x", count: 5000)
        let items = try [10, 11].map {
            try scene.item(QueueScene.marker($0, note: note, session: number(7)), $0)
        }
        let before = try tree(of: path)
        let full = scene.delivery().deliver([items[0]]) { _ in [path] }
        #expect((try full.first?.get().cause as? FileError)?.code == .diskFull)
        try #require(unlink(disk.directory("filling").string) == 0)
        try disk.makeReadOnly()
        let readOnly = scene.delivery().deliver([items[1]]) { _ in [path] }
        #expect((try readOnly.first?.get().cause as? FileError)?.code == .readOnly)
        #expect(try tree(of: path) == before)
        #expect(try scene.names(scene.local).count == 2)
        try #require(mount("", disk.directory.path.string, "", 32, nil) == 0)
        let drain = Drain(scene.queue, now: { morning }) { _ in [path] }
        #expect(try drain.run().map(\.result.name) == ["applied", "applied"])
        #expect(try other("markers.jsonl").text().count { $0 == "\n" } == 2)
    }

    @Test func `another body under an id that waits is a conflict, and the audio comes later`() throws {
        let note = QueueScene.note(11)
        #expect(try scene.send(note, 11).result.name == "waiting")
        let other = note.replacing("\"offset_ms\":11000", with: "\"offset_ms\":12000")
        let away = scratch("away")
        try #require(rename(session.path.string, away.string) == 0)
        let conflict = try scene.send(other, 11)
        #expect(conflict.result.name == "conflict")
        #expect(conflict.result.reason == "another entry with this id is waiting")
        #expect(try scene.send(note, 11, hasAudio: true).result.name == "waiting")
        try #require(rename(away.string, session.path.string) == 0)
        #expect(try scene.results() == ["11 applied"])
        #expect(try session("media").appending("\(number(11)).m4a").text() == QueueScene.sound)
    }

    @Test func `audio whose place is taken by other contents is for a person to resolve`() throws {
        try session("media").appending("\(number(11)).m4a").write("other")
        let outcome = try scene.send(QueueScene.note(11), 11, hasAudio: true)
        #expect(outcome.result.name == "failed")
        #expect(try scene.names(scene.local) == [])
        #expect(!session("voice_notes.jsonl").exists)
    }

    // MARK: - Neither here nor there

    @Test(arguments: [Errno.noSpace, .ioError, .readOnlyFileSystem, .tooManyOpenFiles])
    func `where the spool can't take it either, it is an error, and nothing was written`(cause: Errno) throws
    {
        try scene.send(QueueScene.marker(9), 9)
        let before = try tree(of: scratch.path)
        let delivery = scene.delivery(failPoint: { step, _ throws(Errno) in
            if step == .write || step == .rename { throw cause }
        })
        for entry in [QueueScene.marker(10), QueueScene.action(10)] {
            #expect(throws: FileError.self) { try scene.send(entry, 10, by: delivery) }
        }
        #expect(throws: FileError.self) {
            try scene.send(QueueScene.note(11), 11, hasAudio: true, by: delivery)
        }
        var after = try tree(of: scratch.path)
        after["upload"] = nil
        // Directories that were made for it stay.
        #expect(after.filter { $0.value != "(directory)" } == before.filter { $0.value != "(directory)" })
        #expect(try scene.send(QueueScene.marker(10), 10).result.name == "applied")
    }

    // MARK: - Kills

    /// Everything that a batch can meet, on a session with a torn line.
    static func makeScene(in root: FilePath) throws -> QueueScene {
        let scene = try QueueScene(in: root)
        try scene.session("markers.jsonl").write(QueueScene.markerLine(14, note: "mine") + "\n{\"id\":\"01J")
        return scene
    }

    static func batch(_ scene: QueueScene) throws -> [EntryDelivery.Item] {
        try [
            scene.item(QueueScene.marker(10), 10), scene.item(QueueScene.note(11), 11, hasAudio: true),
            scene.item(QueueScene.action(12), 12), scene.item(QueueScene.marker(10), 10),
            scene.item(QueueScene.note(13, audio: "memo.m4a"), 13, hasAudio: true),
            scene.item(QueueScene.marker(14, note: "theirs"), 14), scene.item(QueueScene.note(16), 16),
            scene.item(QueueScene.marker(17), 17, deliveredBy: Deliverer(token: number(90))),
            scene.item(QueueScene.marker(18, session: number(7)), 18),
        ]
    }

    /// The final state of an undisturbed delivery, and how many steps it takes.
    static func undisturbed() throws -> (state: [String: String], steps: [WriteStep]) {
        let scratch = try ScratchDirectory()
        let scene = try makeScene(in: scratch.path)
        let steps = Steps()
        let delivery = scene.delivery(failPoint: { step, _ throws(Errno) in _ = steps.add(step) })
        let outcomes = delivery.deliver(try batch(scene), locate: scene.locate)
        let names = try outcomes.map { try $0.get().result.name }
        #expect(
            names == [
                "applied", "applied", "applied", "already-applied", "applied", "conflict", "waiting",
                "applied", "waiting",
            ])
        return (try tree(of: scratch.path), steps.all)
    }

    @Test func `undisturbed, a batch leaves what it should`() throws {
        let state = try Self.undisturbed().state
        #expect(
            state["set/markers.jsonl"] == """
                \(QueueScene.markerLine(14, note: "mine"))
                {"id":"01J
                \(QueueScene.markerLine(10))
                \(QueueScene.markerLine(17))

                """)
        #expect(
            state["set/voice_notes.jsonl"] == QueueScene.noteLine(11) + "\n" + QueueScene.noteLine(13) + "\n")
        #expect(state["set/session.json"] == QueueScene.header(voiceNotes: true))
        #expect(
            state.keys.filter { $0.hasPrefix("state/") }.sorted() == [
                "state/applied.jsonl", "state/done", "state/done/\(number(10)).json",
                "state/done/\(number(11)).json", "state/done/\(number(12)).json",
                "state/done/\(number(13)).json", "state/done/\(number(17)).json", "state/queue",
                "state/queue/\(number(16)).json", "state/queue/\(number(18)).json",
            ])
    }

    @Test func `the steps of an entry come in the order of the design`() throws {
        let durable = Mutex<[String]>([])
        let delivery = scene.delivery(failPoint: { step, path throws(Errno) in
            guard step == .sync || step == .rename else { return }
            durable.withLock { $0.append("\(step) \(path.lastComponent?.string ?? "")") }
        })
        try scene.send(QueueScene.note(11), 11, hasAudio: true, by: delivery)
        #expect(
            durable.withLock { $0 } == [
                "sync .trace-media.tmp", "rename \(number(11)).m4a", "sync voice_notes.jsonl",
                "sync session.json", "rename session.json", "sync applied.jsonl",
            ])
    }

    @Test func `a kill before any step and another delivery end as an undisturbed one`() async throws {
        let expected = try Self.undisturbed()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for fatal in Torture.steps(expected.steps.count) {
                if fatal > 4 { try await group.next() }
                group.addTask { try await Self.killAndRepeat(before: fatal, expected.state) }
            }
            try await group.waitForAll()
        }
    }

    private static func killAndRepeat(before fatal: Int, _ expected: [String: String]) async throws {
        let scratch = try ScratchDirectory()
        let scene = try makeScene(in: scratch.path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path.string as String, fatal] in
            let steps = Steps()
            let scene = QueueScene(at: FilePath(path))
            let delivery = scene.delivery(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
            })
            _ = delivery.deliver(try DeliveryFaultTests.batch(scene), locate: scene.locate)
        }
        for round in ["again", "once more"] {
            _ = scene.delivery().deliver(try batch(scene), locate: scene.locate)
            #expect(try tree(of: scratch.path) == expected, "killed before step \(fatal), \(round)")
        }
    }

    @Test func `who delivered a record is known although the delivery was killed behind its line`()
        async throws
    {
        let phone = Deliverer(token: number(90), person: "Ada")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path.string as String] in
            let scene = QueueScene(at: FilePath(path))
            let phone = Deliverer(token: number(90), person: "Ada")
            let delivery = scene.delivery(failPoint: { step, path throws(Errno) in
                if step == .sync, path.lastComponent == "session.json" { kill(getpid(), SIGKILL) }
            })
            _ = try scene.send(QueueScene.marker(10), 10, deliveredBy: phone, by: delivery)
        }
        #expect(try session("markers.jsonl").text() == QueueScene.markerLine(10) + "\n")
        #expect(try scene.ledger() == [])
        let other = Deliverer(token: number(91), person: "Bob")
        #expect(
            try scene.send(QueueScene.marker(10), 10, deliveredBy: other).result.name == "already-applied")
        let ledger = try LedgerContents(in: OpenDirectory(scene.queue.state))
        #expect(ledger.deliverer(of: number(10), in: SampleSession.id) == phone)
    }

    /// What one has been told is done with is not sent again; the rest is, and what waits is drained.
    @Test func `a failure of any step loses and doubles nothing`() throws {
        let expected = try Self.undisturbed()
        for fatal in Torture.steps(expected.steps.count, sample: 6) {
            let scratch = try ScratchDirectory()
            let scene = try Self.makeScene(in: scratch.path)
            let steps = Steps()
            let delivery = scene.delivery(failPoint: { step, _ throws(Errno) in
                if steps.add(step) == fatal { throw .ioError }
            })
            let items = try Self.batch(scene)
            let outcomes = delivery.deliver(items, locate: scene.locate)
            let rest = zip(items, outcomes).filter { _, outcome in
                guard case .success(let outcome) = outcome else { return true }
                if case .failed = outcome.result { return true }
                return false
            }.map(\.0)
            _ = scene.delivery().deliver(rest, locate: scene.locate)
            try scene.drain()
            let state = try tree(of: scratch.path)
            let what = Comment(rawValue: "failed at step \(fatal), \(expected.steps[fatal - 1])")
            for (name, lines) in DrainKillTests.inAnyOrder(expected.state)
            where name.hasPrefix("set/") || name == "state/applied.jsonl" {
                #expect(DrainKillTests.inAnyOrder(state)[name] == lines, what)
            }
            #expect(
                try scene.names(scene.local) == ["\(number(16)).json", "\(number(18)).json"], what)
        }
    }
}
