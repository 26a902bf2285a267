import SystemPackage
import TestSupport
import Testing

@testable import TraceWatch

extension WatcherTests {
    /// All backends side by side in one process, over the same directories.
    @Suite struct Agreement {
        /// Each burst is done while the threads stand still, so that all of them find the same directories when they read
        /// of it.
        @Test(arguments: [UInt64.random(in: 0...(.max))])
        func `all backends report the same events of 10,000 random operations`(seed: UInt64) async throws {
            let scratch = try Scratch(), outside = try Scratch()
            var tree = RandomDirectories(in: scratch.path, outside: outside.path, seed: seed)
            var watchers: [(watcher: Watcher, recorder: Recorder)] = []
            for backend in InotifyBackend.allCases {
                let watcher = try await Watcher(roots: [scratch.path], options: .quick.with(backend))
                watchers.append((watcher, Recorder(watcher)))
            }
            defer { for (watcher, _) in watchers { watcher.stop() } }
            var done = 0
            var cookie: FilePath?
            while done < 10_000 {
                let burst = tree.burstLength()
                let starts = watchers.map { $0.recorder.count }
                try hold(watchers.map(\.watcher)) {
                    if let cookie { try remove(cookie) }
                    for _ in 0..<burst { tree.step() }
                }
                done += burst
                let next = scratch.path.appending("cookie-\(done)")
                try write("", to: next)
                cookie = next
                for ((_, recorder), start) in zip(watchers, starts) {
                    try await recorder.event(from: start) { $0.isChange(.written, at: next) }
                }
            }
            let first = try #require(watchers.first)
            let expected = first.recorder.events
            #expect(expected.count > 5000)
            #expect(!expected.contains { $0.rescanReason != nil })
            for (watcher, recorder) in watchers.dropFirst() {
                let events = recorder.events
                let difference = zip(expected, events).enumerated().first { $1.0 != $1.1 }
                #expect(difference == nil, "after \(difference?.offset ?? 0) events")
                #expect(events.count == expected.count)
                #expect(watcher.directoryCount == first.watcher.directoryCount)
            }
        }
    }

    @Suite struct Crowds {
        @Test(arguments: InotifyBackend.allCases, [Torture.size(full: 100_000, sample: 1000)])
        func `many directories are watched, change and go`(_ backend: InotifyBackend, count: Int) async throws
        {
            let scratch = try Scratch()
            for number in 0..<count / 10 {
                try makeDirectory(scratch.path.appending("\(number)"))
                for part in 0..<9 { try makeDirectory(scratch.path.appending("\(number)/\(part)")) }
            }
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                #expect(watcher.directoryCount == count + 1)
                for number in stride(from: 0, to: count / 10, by: 7) {
                    let file = scratch.path.appending("\(number)/\(number % 9)/f")
                    try write("x", to: file)
                    try await recorder.event { $0.isChange(.written, at: file) }
                }
                #expect(run("/bin/sh", "-c", "rm -r \(scratch.path)/*") == 0)
                let start = recorder.events.count
                try makeDirectory(scratch.path.appending("left"))
                try await recorder.event(from: start) {
                    $0 == .directoryAppeared(scratch.path.appending("left"))
                }
                #expect(watcher.directoryCount == 2)
            }
        }
    }
}

/// Does to the entries of a directory what programs do, in an order that a seed decides.
private struct RandomDirectories {
    private let root: FilePath
    private let outside: FilePath
    private var dice: SeededRandom

    init(in root: FilePath, outside: FilePath, seed: UInt64) {
        self.root = root
        self.outside = outside
        dice = SeededRandom(seed: seed)
    }

    private static let names: [FilePath.Component] = ["a", "b", "two words", "é"]

    mutating func burstLength() -> Int {
        Int.random(in: 0..<2, using: &dice) == 0
            ? Int.random(in: 50...500, using: &dice) : Int.random(in: 1...5, using: &dice)
    }

    /// A path of up to three names below the root.
    private mutating func place() -> FilePath {
        var path = root
        for _ in 0..<Int.random(in: 1...3, using: &dice) { path.append(dice.element(of: Self.names)) }
        return path
    }

    /// What is not possible, because something is missing or in the way, is not done.
    mutating func step() {
        let place = place()
        switch Int.random(in: 0..<12, using: &dice) {
        case 0..<4: try? makeDirectory(place)
        case 4: try? removeDirectory(place)
        case 5: try? move(place, to: self.place())
        case 6: try? move(place, to: outside.appending(dice.element(of: Self.names)))
        case 7: try? move(outside.appending(dice.element(of: Self.names)), to: place)
        case 8: try? write("x", to: place.appending("f.jsonl"), appending: true)
        case 9: try? write("new", to: place.appending("g.json"))
        case 10: try? move(place.appending("g.json"), to: place.appending("f.jsonl"))
        default: try? remove(place.appending("f.jsonl"))
        }
    }
}
