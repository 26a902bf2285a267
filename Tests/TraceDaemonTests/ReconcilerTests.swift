import FileHarness
import Glibc
import StoreHarness
import SystemPackage
import Testing
import TraceConfiguration
import TraceFiles
import TraceLibrary
import TraceStore
import TraceWatch

@testable import TraceDaemon

/// How the parts of the reconciler work together, without a watcher and without a queue.
struct ReconcilerTests {
    private let scratch: ScratchDirectory
    private let root: FilePath
    private let log = RecordingLog()
    private let health = HealthMonitor()
    private let metrics = Metrics()
    private let requests = DrainRequests()
    private let reconciler: Reconciler

    init() throws {
        scratch = try ScratchDirectory()
        root = scratch("sessions")
        try OpenDirectory.make(root)
        reconciler = try Self.reconciler(
            of: [root], state: scratch("state"), scratch, log, health, metrics, requests)
    }

    private static func reconciler(
        of roots: [FilePath], state: FilePath, _ scratch: ScratchDirectory, _ log: RecordingLog,
        _ health: HealthMonitor,
        _ metrics: Metrics, _ requests: DrainRequests
    ) throws -> Reconciler {
        var flags = SettingsFlags()
        flags.set(TraceKeys.roots, by: "--root", to: roots.map(\.string))
        flags.set(TraceKeys.stateDirectory, by: "--state-directory", to: [state.string])
        // No scan comes by itself, however slow the machine is.
        let context = SettingsContext(
            environment: [
                "TRACE_METRICS_FILE": Array("\(scratch("metrics"))".utf8),
                "TRACE_RECONCILE_INTERVAL": Array("1d".utf8),
            ], workingDirectory: nil, systemFile: scratch("none"))
        let settings = try TraceSettings.load(flags: flags, in: context)
        return try Reconciler(
            settings: settings, log: log.logger, isGenerationOver: { false },
            instance: InstanceLock(state: settings.stateDirectory), health: health, metrics: metrics,
            requests: requests)
    }

    /// What was logged at a level that people see.
    private func news() -> [String] {
        log.take().filter { !$0.hasPrefix("debug") && !$0.hasPrefix("info") }
    }

    @Test func `what failed in the scan of a root is news when it comes again after a good scan`() async {
        await reconciler.fail(at: root)
        await reconciler.fail(at: root)
        #expect(news() == ["error: could not compare with the files"])
        await reconciler.reconcile(root: root)
        #expect(news().isEmpty)
        await reconciler.fail(at: root)
        #expect(news() == ["error: could not compare with the files"])
    }

    @Test func `a scan that can't come to its end leaves what failed as it was reported`() async throws {
        await reconciler.fail(at: root)
        _ = news()
        try #require(rename(root.string, scratch("away").string) == 0)
        await reconciler.reconcile(root: root)
        #expect(news() == ["warning: root is offline"])
        await reconciler.fail(at: root)
        #expect(news().isEmpty)
        try #require(rename(scratch("away").string, root.string) == 0)
        await reconciler.reconcile(root: root)
        #expect(news() == ["notice: root is online again"])
    }

    @Test
    func `a session is known after a scan, is looked at after an event, and is forgotten when it is gone`()
        async throws
    {
        let session = try SampleSession(at: root.appending("a"))
        await reconciler.reconcileAll()
        #expect(await reconciler.roots.sessions == [session.path])
        #expect(metrics.now.scans.count == 1)
        #expect(requests.take().removesOutdated)

        _ = await reconciler.handle(
            .changed(directory: session.path, name: "markers.jsonl", change: .written, isDirectory: false))
        #expect(metrics.now.reconciles.count == 1)
        #expect(metrics.now.lags.count == 1)
        // A temporary file says nothing of the session, and what lies elsewhere is none.
        for directory in [session.path, scratch("elsewhere")] {
            _ = await reconciler.handle(
                .changed(directory: directory, name: "x.tmp", change: .contents, isDirectory: false))
        }
        #expect(metrics.now.reconciles.count == 1)

        try #require(rename(session.path.string, scratch("gone").string) == 0)
        await reconciler.reconcileAll()
        #expect(await reconciler.roots.sessions.isEmpty)
    }

    @Test
    func `where two roots lead to a session it has one path, whenever they come and by each name`()
        async throws
    {
        let link = scratch("link")
        let inner = root.appending("live")
        let session = try SampleSession(at: inner.appending("a"))
        let reconciler = try Self.reconciler(
            of: [link, inner], state: scratch("another"), scratch, log, health, metrics, requests)
        await reconciler.reconcileAll()
        #expect(await reconciler.roots.sessions == [session.path])
        // As a disk that is mounted now.
        try #require(symlink(root.string, link.string) == 0)
        await reconciler.reconcileAll()
        #expect(await reconciler.roots.sessions == [session.path])

        let count = metrics.now.reconciles.count
        let directory = link.appending("live").appending("a")
        _ = await reconciler.handle(
            .changed(directory: directory, name: "markers.jsonl", change: .written, isDirectory: false))
        #expect(metrics.now.reconciles.count == count + 1)
        #expect(await reconciler.roots.sessions == [session.path])
    }

    @Test func `the metrics tell what the parts know`() async throws {
        _ = try SampleSession(at: root.appending("a"))
        await reconciler.reconcileAll()
        _ = await reconciler.handle(.unwatched(root, WatchError(.watchLimit, "no watches left")))
        await reconciler.writeMetrics(release: "1.2.3", watchedCount: 7)
        let lines = try scratch.text(of: "metrics").split(separator: "\n")
        for line in [
            "trace_build_info{version=\"1.2.3\"} 1", "trace_sessions 1", "trace_watched_directories 7",
            "trace_polled_directories 1", "trace_scan_seconds_count 1",
        ] { #expect(lines.contains(Substring(line))) }
    }
}

extension Reconciler {
    /// Fails as a scan does that can't compare a root's sessions with their files.
    fileprivate func fail(at root: FilePath) {
        attempt(RootScanner.Step.compare.rawValue, root) {
            throw FileError(.io, "cannot read: Input/output error", path: root)
        }
    }
}
