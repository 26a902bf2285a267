import Dispatch
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import TraceWatch

extension WatcherTests {
    @Suite struct Recovery {
        /// How many events the kernel queues for a process. Source: inotify(7).
        private static func queueLimit() throws -> Int {
            let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
            return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        }

        @Test(arguments: InotifyBackend.allCases)
        func `an overflow of the kernel's queue gives exactly one rescan`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch()
            let directory = scratch.path.appending("a")
            try makeDirectory(directory)
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                try hold([watcher]) {
                    try makeEvents(try Self.queueLimit() + 100, in: directory)
                }
                try await recorder.expect(.rescan(.kernelOverflow))
                let events = try await recorder.settle(in: directory)
                #expect(events.filter { $0.rescanReason != nil } == [.rescan(.kernelOverflow)])
                #expect(watcher.directoryCount == 2)
                try write("", to: directory.appending("after"))
                try await recorder.event { $0.isChange(.written, at: directory.appending("after")) }
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a consumer that is too slow gets one rescan`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            var options = WatchOptions.quick
            options.backend = backend
            options.bufferCapacity = 100
            let watcher = try await Watcher(roots: [scratch.path], options: options)
            defer { watcher.stop() }
            try makeFiles(1000, in: scratch.path)
            // Nobody takes an event before the watcher has seen all of them: it watches what was made last.
            try makeDirectory(scratch.path.appending("last"))
            try await eventually("the last directory is watched") { watcher.directoryCount == 2 }
            let recorder = Recorder(watcher)
            try await recorder.expect(.rescan(.bufferOverflow))
            try await recorder.settle(in: scratch.path)
            try write("", to: scratch.path.appending("after"))
            try await recorder.event { $0.isChange(.written, at: scratch.path.appending("after")) }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a root that is missing at first is watched when it is made`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch()
            let root = scratch.path.appending("root")
            try await withWatcher(root, backend: backend) { watcher, recorder in
                try await recorder.expect(.directoryVanished(root))
                #expect(watcher.directoryCount == 0)
                try makeDirectories(root.appending("a"))
                try await recorder.expect(.directoryAppeared(root))
                try await recorder.expect(.directoryAppeared(root.appending("a")))
                try write("x", to: root.appending("a/f"))
                try await recorder.event { $0.isChange(.written, at: root.appending("a/f")) }
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `that a root is missing is told once, however much happens in another`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch()
            let (root, missing) = (scratch.path.appending("root"), scratch.path.appending("missing"))
            try makeDirectory(root)
            try await withWatcher(root, missing, backend: backend) { _, recorder in
                try await recorder.expect(.directoryVanished(missing))
                for round in 0..<5 {
                    let file = root.appending("f\(round)")
                    try write("x", to: file)
                    try await recorder.event { $0.isChange(.written, at: file) }
                }
                try await recorder.settle(in: root)
                #expect(recorder.events.count { $0 == .directoryVanished(missing) } == 1)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a root that is deleted and made again is watched again`(_ backend: InotifyBackend) async throws
        {
            let scratch = try Scratch()
            let root = scratch.path.appending("root")
            try makeDirectory(root)
            try await withWatcher(root, backend: backend) { _, recorder in
                for round in 0..<5 {
                    let start = recorder.events.count
                    try removeDirectory(root)
                    try await recorder.expect(.directoryVanished(root), from: start)
                    try makeDirectory(root)
                    try await recorder.expect(.directoryAppeared(root), from: start)
                    let file = root.appending("f\(round)")
                    try write("x", to: file)
                    try await recorder.event { $0.isChange(.written, at: file) }
                    try remove(file)
                    try await recorder.settle(in: root)
                }
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a root that is replaced gives a rescan, and the new one is watched`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch()
            let root = scratch.path.appending("root"), next = scratch.path.appending("next")
            try makeDirectories(root.appending("a"))
            try makeDirectories(next.appending("b"))
            try await withWatcher(root, backend: backend) { watcher, recorder in
                try hold([watcher]) {
                    try move(root, to: scratch.path.appending("aside"))
                    try move(next, to: root)
                }
                try await recorder.expect(.rescan(.directoryReplaced))
                try write("x", to: root.appending("b/f"))
                try await recorder.event { $0.isChange(.written, at: root.appending("b/f")) }
                #expect(watcher.directoryCount == 2)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `verify finds what inotify does not tell`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            let above = scratch.path.appending("above")
            let root = above.appending("root")
            try makeDirectories(root.appending("a"))
            try await withWatcher(root, backend: backend) { watcher, recorder in
                try move(above, to: scratch.path.appending("aside"))
                try makeDirectories(root.appending("b"))
                watcher.verify()
                try await recorder.expect(.directoryVanished(root))
                try await recorder.expect(.directoryAppeared(root.appending("b")))
                #expect(try await recorder.settle(in: root).count < 10)
                #expect(watcher.directoryCount == 2)
                watcher.verify()
                let count = try await recorder.settle(in: root).count
                #expect(try await recorder.settle(in: root).count == count)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `many deleted directories leave no memory behind`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            var options = WatchOptions.quick
            options.deadWatchLimit = 50
            try await withWatcher(scratch.path, backend: backend, options: options) { watcher, recorder in
                for number in 0..<30 {
                    try makeDirectories(scratch.path.appending("\(number)/a"))
                }
                try await recorder.settle(in: scratch.path)
                run("/bin/sh", "-c", "rm -r \(scratch.path)/*; mkdir \(scratch.path)/left")
                let events = try await recorder.settle(in: scratch.path)
                // A library that keeps what it knew of deleted directories is emptied.
                let isEmptied = events.contains(.rescan(.deadWatches))
                #expect(isEmptied == (backend != .kernel))
                #expect(watcher.directoryCount == 2)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `rescans of a lasting storm move apart`(_ backend: InotifyBackend) throws {
            let scratch = try Scratch()
            var options = WatchOptions.quick
            options.recoveryDelay = RetryInterval(first: .milliseconds(1), longest: .seconds(1))
            options.quietPeriod = .seconds(3600)
            let loop = try WatchLoop(
                roots: [scratch.path], options: options.with(backend), control: WatchControl { false },
                buffer: EventBuffer(capacity: 10))
            loop.arm()
            for wait in [1, 2, 4, 8] {
                loop.giveUp(.kernelOverflow)
                let before = ContinuousClock.now
                loop.tearDownIfDamaged()
                let planned = try #require(loop.recovery.deadline) - .milliseconds(wait)
                #expect(planned >= before && planned <= .now)
                try soon("it watches again") {
                    loop.handleDeadlines()
                    guard case .reading = loop.phase else { return false }
                    return true
                }
            }
        }
    }
}
