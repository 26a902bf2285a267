import Dispatch
import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import TraceWatch

extension WatcherTests {
    @Suite struct Recovery {
        @Test func `an overflow of the kernel's queue gives exactly one rescan`() async throws {
            let scratch = try Scratch()
            let directory = scratch.path.appending("a")
            try makeDirectory(directory)
            try await withWatcher(scratch.path) { watcher, recorder in
                try hold(watcher) {
                    try makeFiles(20_000, in: directory)
                }
                try await recorder.expect(.rescan(.kernelOverflow))
                let events = try await recorder.settle(in: directory)
                #expect(events.filter { $0.rescanReason != nil } == [.rescan(.kernelOverflow)])
                #expect(watcher.directoryCount == 2)
                try write("", to: directory.appending("after"))
                try await recorder.event { $0.isChange(.written, at: directory.appending("after")) }
            }
        }

        @Test func `a consumer that is too slow gets one rescan`() async throws {
            let scratch = try Scratch()
            var options = WatchOptions.quick
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

        @Test func `a root that is missing at first is watched when it is made`() async throws {
            let scratch = try Scratch()
            let root = scratch.path.appending("root")
            try await withWatcher(root) { watcher, recorder in
                try await recorder.expect(.directoryVanished(root))
                #expect(watcher.directoryCount == 0)
                try makeDirectories(root.appending("a"))
                try await recorder.expect(.directoryAppeared(root))
                try await recorder.expect(.directoryAppeared(root.appending("a")))
                try write("x", to: root.appending("a/f"))
                try await recorder.event { $0.isChange(.written, at: root.appending("a/f")) }
            }
        }

        @Test func `that a root is missing is told once, however much happens in another`() async throws {
            let scratch = try Scratch()
            let (root, missing) = (scratch.path.appending("root"), scratch.path.appending("missing"))
            try makeDirectory(root)
            try await withWatcher(root, missing) { _, recorder in
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

        @Test func `a root that is deleted and made again is watched again`() async throws {
            let scratch = try Scratch()
            let root = scratch.path.appending("root")
            try makeDirectory(root)
            try await withWatcher(root) { _, recorder in
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

        @Test func `a root that is replaced gives a rescan, and the new one is watched`() async throws {
            let scratch = try Scratch()
            let root = scratch.path.appending("root"), next = scratch.path.appending("next")
            try makeDirectories(root.appending("a"))
            try makeDirectories(next.appending("b"))
            try await withWatcher(root) { watcher, recorder in
                try hold(watcher) {
                    try move(root, to: scratch.path.appending("aside"))
                    try move(next, to: root)
                }
                try await recorder.expect(.rescan(.directoryReplaced))
                try write("x", to: root.appending("b/f"))
                try await recorder.event { $0.isChange(.written, at: root.appending("b/f")) }
                #expect(watcher.directoryCount == 2)
            }
        }

        @Test func `verify finds what inotify does not tell`() async throws {
            let scratch = try Scratch()
            let above = scratch.path.appending("above")
            let root = above.appending("root")
            try makeDirectories(root.appending("a"))
            try await withWatcher(root) { watcher, recorder in
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

        @Test func `many deleted directories make the library start anew`() async throws {
            let scratch = try Scratch()
            var options = WatchOptions.quick
            options.deadWatchLimit = 50
            try await withWatcher(scratch.path, options: options) { watcher, recorder in
                for number in 0..<30 {
                    try makeDirectories(scratch.path.appending("\(number)/a"))
                }
                try await recorder.settle(in: scratch.path)
                run("/bin/sh", "-c", "rm -r \(scratch.path)/*; mkdir \(scratch.path)/left")
                try await recorder.expect(.rescan(.deadWatches))
                try await recorder.settle(in: scratch.path)
                #expect(watcher.directoryCount == 2)
            }
        }

        @Test func `rescans of a lasting storm move apart`() throws {
            let scratch = try Scratch()
            var options = WatchOptions.quick
            options.recoveryDelay = RetryInterval(first: .milliseconds(1), longest: .seconds(1))
            options.quietPeriod = .seconds(3600)
            let loop = try WatchLoop(
                roots: [scratch.path], options: options, control: WatchControl { false },
                buffer: EventBuffer(capacity: 10))
            loop.arm()
            for wait in [1, 2, 4, 8] {
                loop.giveUp(.kernelOverflow)
                let before = ContinuousClock.now
                loop.breakDownIfDamaged()
                let planned = try #require(loop.recovery.deadline) - .milliseconds(wait)
                #expect(planned >= before && planned <= .now)
                try soon("it watches again") {
                    loop.handleDeadlines()
                    guard case .reading = loop.phase else { return false }
                    return true
                }
            }
        }

        /// Does something while the watcher's thread stands still.
        private func hold(_ watcher: Watcher, while body: () throws -> Void) throws {
            let held = DispatchSemaphore(value: 0), go = DispatchSemaphore(value: 0)
            watcher.runOnThread {
                held.signal()
                go.wait()
            }
            held.wait()
            defer { go.signal() }
            try body()
        }
    }
}
