import FileHarness
import Glibc
import Journals
import RecordFormat
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

/// A watcher and the reconciler, as in the daemon: what was written before a barrier is in the index behind it.
@Suite(.serialized) struct LiveBarrierTests {
    private let scratch: ScratchDirectory
    private let root: FilePath
    private let reconciler: Reconciler
    private let index: JournalIndex

    init() async throws {
        scratch = try ScratchDirectory()
        root = scratch("sessions")
        try OpenDirectory.make(root)
        var flags = SettingsFlags()
        flags.set(TraceKeys.roots, by: "--root", to: [root.string])
        flags.set(TraceKeys.stateDirectory, by: "--state-directory", to: [scratch("state").string])
        let context = SettingsContext(
            environment: ["TRACE_RECONCILE_INTERVAL": Array("1d".utf8)], workingDirectory: nil,
            systemFile: scratch("none"))
        let settings = try TraceSettings.load(flags: flags, in: context)
        reconciler = try Reconciler(
            settings: settings, log: RecordingLog().logger, isGenerationOver: { false },
            instance: InstanceLock(state: settings.stateDirectory), health: HealthMonitor(),
            metrics: Metrics(), requests: DrainRequests())
        index = try JournalIndex(readingAt: settings.indexDatabase, formats: Journals.all)
    }

    /// What a session is to look like.
    private struct Expected: Equatable, CustomStringConvertible {
        var title: String
        var markers = 0
        var description: String { "\(title) (\(markers))" }
    }

    /// Writes into sessions as other programs do, and knows what they hold then.
    private struct Writer {
        let root: FilePath
        let outside: FilePath
        var numbers: SeededRandom
        var sessions: [FilePath: Expected] = [:]
        var serial = 0

        mutating func next() -> Int {
            serial += 1
            return serial
        }

        private mutating func pick() -> FilePath? {
            sessions.keys.sorted { $0.string < $1.string }.randomElement(using: &numbers)
        }

        private func header(_ title: String) -> String {
            SampleSession.header.replacing("Late set", with: title)
        }

        /// Does something, and says what.
        mutating func act() throws -> String {
            let number = next()
            let title = "T" + String(repeating: "0", count: 6 - "\(number)".count) + "\(number)"
            guard sessions.count > 3, let session = pick() else {
                return try make(root.appending("s\(number)"), title)
            }
            switch Int.random(in: 0..<12, using: &numbers) {
            case 0: return try make(root.appending("s\(number)"), title)
            case 1: return try make(root.pushing(FilePath("d\(number)/deep/s")), title)
            case 2:
                let staged = outside.appending("s\(number)")
                _ = try make(staged, title)
                sessions[staged] = nil
                return try move(staged, to: root.appending("s\(number)"), Expected(title: title))
            case 3:
                sessions[session] = nil
                try #require(rename(session.string, outside.appending("gone\(number)").string) == 0)
                return "remove \(session)"
            case 4:
                let expected = sessions.removeValue(forKey: session)
                return try move(session, to: root.appending("r\(number)"), try #require(expected))
            case 5:
                let new = outside.appending("header\(number)")
                try new.write(header(title))
                try #require(rename(new.string, session.appending("session.json").string) == 0)
                sessions[session]?.title = title
                return "replace the header of \(session)"
            case 6:
                // All titles are of one length: only the times of the file differ.
                try session.appending("session.json").write(header(title))
                sessions[session]?.title = title
                return "write the header of \(session)"
            case 7:
                try session.appending("markers.jsonl").write("")
                sessions[session]?.markers = 0
                return "empty \(session)"
            default: return try append(number, to: session)
            }
        }

        private mutating func make(_ path: FilePath, _ title: String) throws -> String {
            _ = try SampleSession(at: path, header: header(title))
            sessions[path] = Expected(title: title)
            return "make \(path)"
        }

        private mutating func move(_ old: FilePath, to new: FilePath, _ expected: Expected) throws -> String {
            try #require(rename(old.string, new.string) == 0)
            sessions[new] = expected
            return "move \(old) to \(new)"
        }

        private mutating func append(_ number: Int, to session: FilePath) throws -> String {
            let line =
                #"{"id":"\#(StoreHarness.number(1000 + number))","offset_ms":\#(number),"#
                + #""created_at":"2026-02-04T20:00:00Z","source":"user"}"# + "\n"
            let file = try FileDescriptor.open(
                session.appending("markers.jsonl"), .writeOnly, options: [.append])
            try file.closeAfter { _ = try file.writeAll(line.utf8) }
            sessions[session]?.markers += 1
            return "append to \(session)"
        }
    }

    private func known() throws -> [FilePath: Expected] {
        Dictionary(
            try index.sessions().map { session in
                (session.path, Expected(title: session.title ?? "", markers: session.counts[.marker] ?? 0))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Hands events to the reconciler until a barrier comes.
    private func pass(
        _ number: UInt64, _ watcher: Watcher, _ events: inout Watcher.Iterator
    ) async -> WatchedRoots? {
        watcher.passBarrier(number)
        while let event = await events.next() {
            guard case .barrier(number, let isWhole) = event else {
                _ = await reconciler.handle(event)
                continue
            }
            return isWhole ? await reconciler.catchUp().known : nil
        }
        return nil
    }

    @Test func `whatever is written is in the answer to the next question`() async throws {
        var options = WatchOptions()
        options.backend = .kernel
        let watcher = try await Watcher(roots: [root], options: options)
        defer { watcher.stop() }
        var events = watcher.makeAsyncIterator()
        await reconciler.reconcileAll()
        let outside = scratch("outside")
        try OpenDirectory.make(outside)
        var writer = Writer(root: root, outside: outside, numbers: Torture.dice(#function))
        for number in 1...UInt64(Torture.size(full: 5000, sample: 100)) {
            var acts: [String] = []
            for _ in 0..<Int.random(in: 1...3, using: &writer.numbers) { acts.append(try writer.act()) }
            let watched = await pass(number, watcher, &events)
            #expect(watched?.roots == [root: true])
            let now = try known()
            try #require(now == writer.sessions, "after \(acts) in round \(number)")
        }
    }
}
