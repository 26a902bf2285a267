import FileHarness
import Glibc
import Journals
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceConfiguration
import TraceFiles
import TraceIndex
import TraceStore

@testable import TraceDaemon

/// Drains of the daemon, one after the other: what has failed is left for later by some of them.
struct QueueDrainerTests {
    private let scratch: ScratchDirectory
    private let scene: QueueScene
    private let requests = DrainRequests()
    private let drainer: QueueDrainer

    init() throws {
        scratch = try ScratchDirectory()
        let root = scratch("sessions")
        try OpenDirectory.make(root)
        scene = try QueueScene(in: root)
        var flags = SettingsFlags()
        flags.set(TraceKeys.roots, by: "--root", to: [root.string])
        flags.set(TraceKeys.stateDirectory, by: "--state-directory", to: [scene.queue.state.string])
        let settings = try TraceSettings.load(
            flags: flags,
            in: SettingsContext(environment: [:], workingDirectory: nil, systemFile: scratch("none")))
        let index = try JournalIndex(at: scratch("index.sqlite"), formats: Journals.all)
        _ = try index.visit(root: root)
        _ = try index.reconcile(journal: scene.session.path, in: root, settleTime: .zero)
        drainer = QueueDrainer(
            settings: settings, index: index, requests: requests, ledger: LedgerMemory(),
            log: RecordingLog().logger, isStopping: StopFlag(), health: HealthMonitor(), metrics: Metrics())
    }

    /// Which of the two markers stand, in the order of their lines.
    private func markers() throws -> [Int] {
        try scene.session("markers.jsonl").text().split(separator: "\n").compactMap { line in
            [10, 11].first { line.contains("\(number($0))") }
        }
    }

    private func drain() async {
        requests.ask()
        _ = await drainer.drain()
    }

    @Test func `what comes while an earlier entry of its journal waits for its next try waits behind it`()
        async throws
    {
        let file = scene.session("markers.jsonl")
        try #require(unlink(file.string) == 0)
        try OpenDirectory.make(file)
        try scene.deliver(QueueScene.marker(10), 10)
        await drain()
        try #require(rmdir(file.string) == 0)
        try file.write("")
        try scene.deliver(QueueScene.marker(11), 11)
        await drain()
        // On a slow machine the first one is due again now, and both are written.
        try #require([[], [10, 11]].contains(try markers()))
        requests.noteChange(of: scene.session.path)
        let deadline = ContinuousClock.now + waitLimit
        while try markers() != [10, 11], ContinuousClock.now < deadline { await drain() }
        #expect(try markers() == [10, 11])
    }
}
