import FileHarness
import Glibc
import Journals
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceConfiguration
import TraceFiles
import TraceFormat
import TraceIndex
import TraceLibrary
import TraceStore
import TraceWatch

@testable import TraceDaemon

/// What the index has when a barrier has come through the reconciler, without a watcher: events are only those that a test makes up.
struct ReconcilerFreshnessTests {
    private let scratch: ScratchDirectory
    private let root: FilePath
    private let session: SampleSession
    private let database: FilePath
    private let reconciler: Reconciler

    init() async throws {
        scratch = try ScratchDirectory()
        root = scratch("sessions")
        session = try SampleSession(at: root.appending("a"))
        var flags = SettingsFlags()
        flags.set(TraceKeys.roots, by: "--root", to: [root.string])
        flags.set(TraceKeys.stateDirectory, by: "--state-directory", to: [scratch("state").string])
        // Nothing is due by itself, however slow the machine is.
        let context = SettingsContext(
            environment: [
                "TRACE_RECONCILE_INTERVAL": Array("1d".utf8), "TRACE_SETTLE_TIME": Array("1h".utf8),
                "TRACE_QUIET_PERIOD": Array("10s".utf8), "TRACE_MAXIMUM_WAIT": Array("1m".utf8),
            ], workingDirectory: nil, systemFile: scratch("none"))
        let settings = try TraceSettings.load(flags: flags, in: context)
        database = settings.indexDatabase
        reconciler = try Reconciler(
            settings: settings, log: RecordingLog().logger, isGenerationOver: { false },
            instance: InstanceLock(state: settings.stateDirectory), health: HealthMonitor(),
            metrics: Metrics(), requests: DrainRequests())
        await reconciler.reconcileAll()
    }

    private func isKnown() async throws -> Bool {
        guard let watched = await reconciler.catchUp().known else { return false }
        #expect(try FileStatus(of: database).identity.file == watched.database)
        return watched.roots[root] == true
    }

    /// The titles as another process reads them in the index.
    private func titles() throws -> [String] {
        try JournalIndex(readingAt: database, formats: Journals.all).sessions().compactMap(\.title).sorted()
    }

    private static func header(_ title: String) -> String {
        SampleSession.header.replacing("Late set", with: title)
    }

    private func changed(_ name: FilePath.Component, in directory: FilePath? = nil) -> WatchEvent {
        .changed(directory: directory ?? session.path, name: name, change: .written, isDirectory: false)
    }

    /// An event as soon as another has been handled, so that the session waits for its quiet period.
    private func note(_ event: WatchEvent) async { _ = await reconciler.handle(event) }

    @Test func `what waits for a quiet period is read now`() async throws {
        // A dear look makes the next event wait.
        await reconciler.postpone(session.path)
        try session("session.json").write(Self.header("Early set"))
        await note(changed("session.json"))
        #expect(try titles() == ["Late set"])
        #expect(try await isKnown())
        #expect(try titles() == ["Early set"])
    }

    @Test
    func `a change that a quick look at a long file has not seen is found, since the file has not settled`()
        async throws
    {
        // Of more than a megabyte, a quick look compares the first and the last block.
        let note = String(repeating: "n", count: 1000)
        var lines = (100..<1300).map { id in
            #"{"id":"\#(number(id))","offset_ms":\#(id),"created_at":"2026-02-04T20:00:00Z","source":"user","#
                + #""label":"aaaa","note":"\#(note)"}"# + "\n"
        }
        try session("markers.jsonl").write(lines.joined())
        await self.note(changed("markers.jsonl"))
        #expect(try await isKnown())
        lines[600] = lines[600].replacing("aaaa", with: "bbbb")
        lines.append(lines[0].replacing("\(number(100))", with: "\(number(2000))"))
        try session("markers.jsonl").write(lines.joined())
        await reconciler.reconcile(journal: session.path)
        #expect(try await isKnown())
        let index = try JournalIndex(readingAt: database, formats: Journals.all)
        #expect(try index.records(of: session.path, kind: .marker).filter { $0.text == "bbbb" }.count == 1)
    }

    @Test func `a session that has just appeared or gone is known`() async throws {
        let new = try SampleSession(at: root.appending("b"), header: Self.header("New"))
        await note(.directoryAppeared(new.path))
        #expect(try await isKnown())
        #expect(try titles() == ["Late set", "New"])
        try #require(rename(new.path.string, scratch("gone").string) == 0)
        await note(.directoryVanished(new.path))
        #expect(try await isKnown())
        #expect(try titles() == ["Late set"])
    }

    @Test func `a directory whose place a link takes is forgotten, as a search does not find it`()
        async throws
    {
        let elsewhere = root.appending("moved")
        try #require(rename(session.path.string, elsewhere.string) == 0)
        try session.path.link(to: "moved")
        await note(.directoryVanished(session.path))
        await note(.directoryAppeared(elsewhere))
        #expect(try await isKnown())
        let index = try JournalIndex(readingAt: database, formats: Journals.all)
        #expect(try index.sessions().map(\.path) == [elsewhere])
    }

    // MARK: - Names elsewhere

    @Test
    func `a file that is a link is compared each time, for nobody reports what changes at its other end`()
        async throws
    {
        let target = scratch("header.json")
        try target.write(Self.header("Linked"))
        try #require(unlink(session("session.json").string) == 0)
        try session("session.json").link(to: target.string)
        await note(changed("session.json"))
        #expect(try await isKnown())
        try target.write(Self.header("Far away"))
        #expect(try await isKnown())
        #expect(try titles() == ["Far away"])
    }

    @Test func `a scan finds such files too, and headers that lead nowhere yet`() async throws {
        let (target, later) = (scratch("markers"), scratch("later.json"))
        try target.write("")
        try #require(unlink(session("markers.jsonl").string) == 0)
        try session("markers.jsonl").link(to: target.string)
        try OpenDirectory.make(root.appending("b"))
        try root.appending("b").appending("session.json").link(to: later.string)
        await reconciler.reconcileAll()
        try target.write(
            #"{"id":"\#(number(7))","offset_ms":1,"created_at":"2026-02-04T20:00:00Z","source":"user"}"#
                + "\n")
        try later.write(Self.header("At last"))
        #expect(try await isKnown())
        #expect(try titles() == ["At last", "Late set"])
        let index = try JournalIndex(readingAt: database, formats: Journals.all)
        #expect(try index.records(of: session.path, kind: .marker).count == 1)
    }

    @Test
    func `a file with a second name is compared each time, once a scan has found whose names these are`()
        async throws
    {
        let other = try SampleSession(at: root.appending("b"), header: Self.header("Other"))
        await note(.directoryAppeared(other.path))
        #expect(try await isKnown())
        try #require(unlink(other("markers.jsonl").string) == 0)
        try #require(link(session("markers.jsonl").string, other("markers.jsonl").string) == 0)
        // The event tells of one of them only.
        await note(changed("markers.jsonl", in: other.path))
        await reconciler.reconcileAll()
        #expect(try await isKnown())
        try other("markers.jsonl").write(
            #"{"id":"\#(number(7))","offset_ms":1,"created_at":"2026-02-04T20:00:00Z","source":"user"}"#
                + "\n")
        #expect(try await isKnown())
        let index = try JournalIndex(readingAt: database, formats: Journals.all)
        for path in [session.path, other.path] {
            #expect(try index.records(of: path, kind: .marker).count == 1)
        }
    }

    // MARK: - What is not known

    @Test func `a root that is polled in part, or is away, is not known`() async throws {
        let directory = root.appending("far")
        await note(.unwatched(directory, WatchError(.remoteFileSystem, "changes may not be reported")))
        #expect(try await isKnown() == false)
        await note(.watchedAgain(directory))
        #expect(try await isKnown())
        try #require(rename(root.string, scratch("away").string) == 0)
        await note(.directoryVanished(root))
        #expect(try await isKnown() == false)
        try #require(rename(scratch("away").string, root.string) == 0)
        await note(.directoryAppeared(root))
        #expect(try await isKnown())
    }

    @Test func `an index that was deleted is not known until it is filled again`() async throws {
        for name in ["index.sqlite", "index.sqlite-wal", "index.sqlite-shm"] as [FilePath.Component] {
            unlink(scratch("state").appending(name).string)
        }
        #expect(await reconciler.catchUp().known == nil)
        await reconciler.reconcileAll()
        #expect(try await isKnown())
        #expect(try titles() == ["Late set"])
    }

    @Test func `an index that another part of the daemon has found deleted is filled at once`() async throws {
        unlink(database.string)
        try await reconciler.openIndexAgain()
        #expect(try titles() == [])
        _ = await reconciler.handleDue()
        #expect(try titles() == ["Late set"])
    }

    @Test func `a session whose look has failed is looked at again`() async throws {
        try session("session.json").write(Self.header("Early set"))
        await reconciler.failLook(at: session.path)
        #expect(try await isKnown())
        #expect(try titles() == ["Early set"])
    }

    @Test func `a barrier that nobody waits for is left`() async throws {
        await reconciler.postpone(session.path)
        try session("session.json").write(Self.header("Early set"))
        await note(changed("session.json"))
        await note(.barrier(1, isWhole: true))
        #expect(try titles() == ["Late set"])
    }
}

extension Reconciler {
    /// As whatever asks the index, without the reconciler's being told what has happened to the file.
    fileprivate func openIndexAgain() throws { try index.checkFile() }

    /// As if the last look at a session had taken so long that the next is put off.
    fileprivate func postpone(_ session: FilePath) {
        dirty.handled(session, at: .now, cost: .seconds(10))
        dirty.handled(session, at: .now, cost: .seconds(10))
    }

    /// As if a look at a session had failed.
    fileprivate func failLook(at session: FilePath) { unsettled.retry(session, at: .now) }
}
