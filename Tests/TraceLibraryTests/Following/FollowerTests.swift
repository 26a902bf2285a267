import FileHarness
import Foundation
import Glibc
import RecordFormat
import StoreHarness
import Synchronization
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore

@testable import TraceLibrary

/// What is told of sessions and the queue, without a watcher or a command line.
struct FollowerTests {
    private let scratch: ScratchDirectory
    private let root: FilePath
    private let session: SampleSession
    private let queue: QueueDirectories

    init() throws {
        scratch = try ScratchDirectory()
        root = scratch("sessions")
        try OpenDirectory.make(root)
        session = try SampleSession(at: root.appending("a"))
        try session("markers.jsonl").write(EditingScene.other + "\n")
        queue = QueueDirectories(state: scratch("state"))
    }

    private final class Told: Sendable {
        private let events = Mutex<[LibraryEvent]>([])
        func add(_ event: LibraryEvent) { events.withLock { $0.append(event) } }

        /// What was told since the last time.
        func take() -> [LibraryEvent] {
            events.withLock { events in
                defer { events = [] }
                return events
            }
        }

        func words() -> [String] { take().map { "\($0.subject.rawValue) \($0.change.rawValue)" } }
    }

    private func follower(_ told: Told, only: FilePath? = nil) -> Follower {
        Follower(SessionRoots([root]), only: only, queue: queue, index: nil, settleTime: .zero) {
            told.add($0)
        }
    }

    private func line(_ id: Int, _ label: String) -> String {
        """
        {"id":"\(number(id))","offset_ms":5,"created_at":"2026-02-04T20:54:41Z","source":"user","label":"\(label)"}

        """
    }

    @Test func `a journal other than a session comes, changes and goes as a whole`() async throws {
        let told = Told()
        let follower = follower(told)
        _ = await follower.begin()
        let journal = root.appending("pinball")
        try OpenDirectory.make(journal)
        try journal.appending("practice-state.json").write("{}")
        await follower.handle(.changed(journal, "practice-state.json"))
        #expect(told.words() == ["journal appeared"])
        try journal.appending("practice.json").write("{}")
        await follower.handle(.changed(journal, "practice.json"))
        #expect(told.words() == ["journal vanished", "journal appeared"])
        try journal.appending("practice-state.json").write(#"{"schemaVersion":4}"#)
        await follower.handle(.changed(journal, "practice-state.json"))
        #expect(told.words() == ["journal changed"])
        try journal.appending("other.txt").write("x")
        await follower.handle(.changed(journal, "other.txt"))
        #expect(told.words().isEmpty)
    }

    /// Makes a practice journal in nested directories of these names.
    private func practiceJournal(_ names: String...) throws -> FilePath {
        var directory = root
        for name in names {
            directory = directory.appending(name)
            try OpenDirectory.make(directory)
        }
        try directory.appending("practice-state.json").write("{}")
        try directory.appending("practice.json").write("{}")
        return directory
    }

    /// Of a file of megabytes only what was appended is read; one that another program cut is read whole.
    @Test func `lines that are cut off a long file are gone`() async throws {
        let label = String(repeating: "x", count: 4000)
        let lines = (100..<1300).map { line($0, label) }
        let file = session("markers.jsonl")
        try file.write(lines.joined())
        let told = Told()
        let follower = follower(told, only: session.path)
        _ = await follower.begin()
        try file.write(lines.dropLast(2).joined())
        await follower.handle(.changed(session.path, "markers.jsonl"))
        #expect(told.words() == ["marker removed", "marker removed"])
        try file.write((lines.dropLast(2) + [line(2000, "new")]).joined())
        await follower.handle(.changed(session.path, "markers.jsonl"))
        #expect(told.words() == ["marker added"])
    }

    @Test func `a journal among the old versions of a sync tool, or not whole yet, is not told`() async throws
    {
        let told = Told()
        let follower = follower(told)
        _ = await follower.begin()
        for journal in [
            try practiceJournal(".stversions", "pinball"), try practiceJournal(".pinball.trace-new"),
        ] {
            await follower.handle(.changed(journal, "practice-state.json"))
            await follower.handle(.changed(journal, "practice.json"))
            await follower.handle(.appeared(journal))
            await follower.handle(.lost)
            let words = told.words()
            #expect(words.isEmpty, "\(journal): \(words)")
        }
    }

    @Test func `a journal that no hint comes from is looked at when that is asked for`() async throws {
        let told = Told()
        let follower = follower(told)
        _ = await follower.begin()
        await follower.handle(.unwatched(root))
        let journal = try practiceJournal("pinball")
        await follower.poll(everything: false)
        #expect(told.words() == ["journal appeared"])
        try journal.appending("practice-state.json").write(#"{"schemaVersion":4}"#)
        await follower.poll(everything: false)
        #expect(told.words() == ["journal changed"])
        await follower.handle(.watchedAgain(root))
        try #require(rename(journal.string, scratch("away").string) == 0)
        await follower.poll(everything: false)
        #expect(told.words().isEmpty)
        await follower.handle(.unwatched(root))
        await follower.poll(everything: false)
        #expect(told.words() == ["journal vanished"])
    }

    @Test func `one journal of another kind is followed through its absence, and no other`() async throws {
        let told = Told()
        let journal = try practiceJournal("pinball")
        let follower = follower(told, only: journal)
        let counts = await follower.begin()
        #expect(counts == [JournalKind(name: "practice"): 1])
        let other = try practiceJournal("other")
        await follower.handle(.changed(other, "practice.json"))
        await follower.handle(.appeared(other))
        await follower.handle(.changed(session.path, "session.json"))
        try journal.appending("practice-state.json").write(#"{"schemaVersion":4}"#)
        await follower.handle(.changed(journal, "practice-state.json"))
        #expect(told.words() == ["journal changed"])
        let away = scratch("away")
        try #require(rename(journal.string, away.string) == 0)
        await follower.handle(.vanished(journal))
        try #require(rename(away.string, journal.string) == 0)
        await follower.handle(.appeared(journal))
        await follower.poll(everything: true)
        #expect(told.words() == ["journal vanished", "journal appeared"])
    }

    @Test func `one file that is a journal on its own is followed`() async throws {
        let told = Told()
        let directory = root.appending("phone")
        try OpenDirectory.make(directory)
        let file = directory.appending("practice-state.json")
        try file.write("{}")
        let follower = follower(told, only: file)
        let counts = await follower.begin()
        #expect(counts == [JournalKind(name: "practice"): 1])
        try file.write(#"{"schemaVersion":4}"#)
        await follower.handle(.changed(directory, "practice-state.json"))
        #expect(told.words() == ["journal changed"])
        // Now the directory is the journal.
        try directory.appending("practice.json").write("{}")
        await follower.handle(.changed(directory, "practice.json"))
        #expect(told.words() == ["journal vanished"])
    }

    @Test func `sessions and other journals are counted by kind`() async throws {
        _ = try practiceJournal("pinball")
        _ = try practiceJournal(".stversions", "pinball")
        let counts = await follower(Told()).begin()
        #expect(counts == [JournalKind.session: 1, JournalKind(name: "practice"): 1])
    }

    @Test func `records come, change and go; what was there is not told`() async throws {
        let told = Told()
        let follower = follower(told)
        let counts = await follower.begin()
        #expect(counts == [JournalKind.session: 1])
        let hint = FollowHint.changed(session.path, "markers.jsonl")
        await follower.handle(hint)
        #expect(told.take().isEmpty)
        for (text, change) in [
            (EditingScene.other + "\n" + line(40, "a"), LibraryEvent.Change.added),
            (EditingScene.other + "\n" + line(40, "b"), .changed), (EditingScene.other + "\n", .removed),
        ] {
            try session("markers.jsonl").write(text)
            await follower.handle(hint)
            let events = told.take()
            #expect(events.map(\.change) == [change])
            #expect(events.allSatisfy { $0.subject == .marker && $0.id == number(40) })
            #expect(events.first?.sessionID == SampleSession.id)
            #expect((events.first?.line == nil) == (change == .removed))
        }
    }

    @Test func `sessions come and go`() async throws {
        let told = Told()
        let follower = follower(told)
        _ = await follower.begin()
        let other = try SampleSession(at: root.appending("b"))
        await follower.handle(.appeared(other.path))
        #expect(told.words() == ["session appeared"])
        let away = scratch("away")
        try #require(rename(other.path.string, away.string) == 0)
        await follower.handle(.vanished(other.path))
        #expect(told.words() == ["session vanished"])
        try #require(rename(away.string, other.path.string) == 0)
        await follower.handle(.lost)
        #expect(told.words() == ["session appeared"])
    }

    @Test func `one session is followed through its absence, and no other`() async throws {
        let told = Told()
        let follower = follower(told, only: session.path)
        let counts = await follower.begin()
        #expect(counts == [JournalKind.session: 1])
        let away = scratch("away")
        try #require(rename(session.path.string, away.string) == 0)
        await follower.handle(.vanished(session.path))
        let other = try SampleSession(at: root.appending("b"))
        await follower.handle(.appeared(other.path))
        try #require(rename(away.string, session.path.string) == 0)
        await follower.handle(.appeared(session.path))
        #expect(told.words() == ["session vanished", "session appeared"])
    }

    @Test func `what no hint comes from is looked at when that is asked for`() async throws {
        let told = Told()
        let follower = follower(told)
        _ = await follower.begin()
        try session("markers.jsonl").write(EditingScene.other + "\n" + line(40, "a"))
        await follower.poll(everything: false)
        #expect(told.take().isEmpty)
        await follower.handle(.unwatched(root))
        await follower.poll(everything: false)
        #expect(told.words() == ["marker added"])
        await follower.handle(.watchedAgain(root))
        try session("markers.jsonl").write(EditingScene.other + "\n")
        await follower.poll(everything: false)
        #expect(told.take().isEmpty)
        await follower.poll(everything: true)
        #expect(told.words() == ["marker removed"])
    }

    @Test func `findings are told once a session has come to rest`() async throws {
        let told = Told()
        let follower = follower(told)
        _ = await follower.begin()
        for (text, change) in [
            ("{}\n", LibraryEvent.Change.found), (EditingScene.other + "\n", .resolved),
        ] {
            // However long the steps take, no time has passed when it is asked for the first time.
            let moment = ContinuousClock.now
            try session("markers.jsonl").write(text)
            await follower.handle(.changed(session.path, "markers.jsonl"))
            await follower.tick(at: moment)
            #expect(!told.take().contains { $0.subject == .finding })
            await follower.tick(at: .now + .seconds(1))
            let events = told.take()
            #expect(!events.isEmpty && events.allSatisfy { $0.finding != nil && $0.change == change })
        }
    }

    @Test func `entries of the queue come, and what became of them is told`() async throws {
        let told = Told()
        let follower = follower(told)
        _ = await follower.begin()
        let entry = SpoolEntry(
            id: number(40), kind: .marker, journalID: SampleSession.id, createdAt: morning,
            payload: Marker(id: number(40), offset: .zero, createdAt: morning).json)
        try queue.local.add(entry, attachment: nil)
        await follower.handle(.changed(queue.local.path, "entry.json"))
        let come = told.take()
        #expect(come.map(\.change) == [.queued])
        #expect(come.first?.entry?.kind == .marker)
        _ = try Drain(queue) { _ in [session.path] }.run()
        await follower.handle(.changed(queue.local.path, "entry.json"))
        let gone = told.take()
        #expect(gone.map(\.change) == [.applied])
        #expect(gone.first?.id == number(40))
    }

    @Test func `a long queue that is drained is told without a walk over what is kept for each entry`() throws
    {
        let count = 400
        let spool = queue.local.path
        try OpenDirectory.make(spool)
        for index in 0..<count {
            let id = number(10_000 + index)
            let entry = SpoolEntry(
                id: id, kind: .marker, journalID: SampleSession.id, createdAt: morning,
                payload: Marker(id: id, offset: .zero, createdAt: morning).json)
            try VolatileFile.replace(
                spool.appending(entry.fileName), with: entry.json.bytes + [0x0A], mode: 0o640)
        }
        var followed = FollowedQueue(queue)
        #expect(followed.look().isEmpty)
        try FileManager.default.moveItem(atPath: queue.local.path.string, toPath: queue.done.string)
        let clock = ContinuousClock()
        let walk = try clock.measure { _ = try Spool(queue.done).files() }
        var told: [LibraryEvent] = []
        let look = clock.measure { told = followed.look() }
        #expect(told.count == count && told.allSatisfy { $0.change == .applied })
        #expect(look < walk * 100, "a look took \(look), a walk \(walk)")
    }
}
