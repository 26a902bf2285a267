import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import TraceWatch

extension WatcherTests {
    /// What was done before a barrier was asked for has been reported before it.
    @Suite struct Barriers {
        private let scratch: Scratch
        private let root: FilePath

        init() throws {
            scratch = try Scratch()
            root = scratch.path.appending("root")
            try makeDirectory(root)
        }

        /// The events up to a barrier, and whether it is whole.
        private func events(
            before number: UInt64, _ watcher: Watcher, _ recorder: Recorder
        ) async throws -> (events: [WatchEvent], isWhole: Bool) {
            let answer = try await recorder.event {
                if case .barrier(number, _) = $0 { true } else { false }
            }
            let events = recorder.events
            let end = try #require(events.firstIndex(of: answer))
            return (Array(events[..<end]), answer == .barrier(number, isWhole: true))
        }

        @Test(arguments: InotifyBackend.allCases)
        func `each write is reported before the barrier that follows it`(_ backend: InotifyBackend)
            async throws
        {
            try await withWatcher(root, backend: backend) { watcher, recorder in
                for number in 1...200 as ClosedRange<UInt64> {
                    let file = root.appending("\(number)")
                    try write("x", to: file)
                    watcher.passBarrier(number)
                    let (events, isWhole) = try await events(before: number, watcher, recorder)
                    #expect(isWhole)
                    #expect(events.contains { $0.isChange(.created, at: file) })
                }
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `what waits in the kernel's queue comes before it, and so do directories that are new`(
            _ backend: InotifyBackend
        ) async throws {
            try await withWatcher(root, backend: backend) { watcher, recorder in
                let deep = root.pushing("a/b/c/d")
                try hold([watcher]) {
                    try makeEvents(3000, in: root)
                    try makeDirectories(deep)
                    try write("x", to: deep.appending("file"))
                    watcher.passBarrier(1)
                }
                let (events, isWhole) = try await events(before: 1, watcher, recorder)
                #expect(isWhole)
                let changes = events.filter {
                    if case .changed(_, _, .contents, _) = $0 { true } else { false }
                }
                #expect(changes.count == 3000)
                #expect(events.contains(.directoryAppeared(deep)))
                // A directory is watched before it is read: what is written into it now is reported.
                try write("y", to: deep.appending("later"))
                watcher.passBarrier(2)
                let (later, _) = try await self.events(before: 2, watcher, recorder)
                #expect(later.contains { $0.isChange(.created, at: deep.appending("later")) })
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a barrier before which more is queued than the watcher keeps is not whole, and a later one is`(
            _ backend: InotifyBackend
        ) async throws {
            var options = WatchOptions.quick
            options.bufferCapacity = 100
            try await withWatcher(root, backend: backend, options: options) { watcher, recorder in
                // More than are handled in one turn of the watcher's thread.
                try hold([watcher]) {
                    try makeEvents(6000, in: root)
                    watcher.passBarrier(1)
                }
                #expect(try await events(before: 1, watcher, recorder).isWhole == false)
                let later = root.appending("later")
                try write("x", to: later)
                for number in 2... as PartialRangeFrom<UInt64> {
                    watcher.passBarrier(number)
                    let (events, isWhole) = try await events(before: number, watcher, recorder)
                    guard isWhole else { continue }
                    #expect(events.contains { $0.isChange(.created, at: later) || $0.rescanReason != nil })
                    break
                }
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `while the kernel's queue has overflowed it is not whole, and it is again after the rescan`(
            _ backend: InotifyBackend
        ) async throws {
            try await withWatcher(root, backend: backend) { watcher, recorder in
                let limit = try #require(SystemFile.number("/proc/sys/fs/inotify/max_queued_events"))
                try hold([watcher]) {
                    try makeEvents(limit + 10, in: root)
                    watcher.passBarrier(1)
                }
                #expect(try await events(before: 1, watcher, recorder).isWhole == false)
                try await recorder.event { $0.rescanReason == .kernelOverflow }
                watcher.passBarrier(2)
                let (events, isWhole) = try await events(before: 2, watcher, recorder)
                #expect(isWhole)
                #expect(events.contains(.rescan(.kernelOverflow)))
            }
        }

        /// Waits until it is still, as it is once the watcher's thread sleeps.
        ///
        /// A file may be closed after the barrier, which is a change: another test's child has inherited it for the moment before it executes.
        /// Then the next barrier is asked.
        ///
        /// - Parameter number: Of the last barrier.
        private func awaitStillness(
            after number: inout UInt64, _ watcher: Watcher, _ recorder: Recorder
        ) async throws {
            let deadline = ContinuousClock.now + waitLimit
            repeat {
                number += 1
                watcher.passBarrier(number)
                #expect(try await events(before: number, watcher, recorder).isWhole)
                do {
                    return try soon("it is still", within: .seconds(1)) { watcher.isStill(since: number) }
                } catch is NeverCameTrue {}
            } while ContinuousClock.now < deadline
            Issue.record("it is never still")
        }

        @Test(arguments: InotifyBackend.allCases)
        func `it is still after a barrier, and with the first change that returns it is not`(
            _ backend: InotifyBackend
        ) async throws {
            try await withWatcher(root, backend: backend) { watcher, recorder in
                let file = root.appending("file")
                var number: UInt64 = 0
                for round in 1...200 {
                    try await awaitStillness(after: &number, watcher, recorder)
                    #expect(!watcher.isStill(since: number - 1))
                    try write("\(round)", to: file)
                    #expect(!watcher.isStill(since: number))
                }
                try await awaitStillness(after: &number, watcher, recorder)
                // Nobody reads what the kernel queues.
                let last = number
                try hold([watcher]) {
                    try write("x", to: file)
                    #expect(!watcher.isStill(since: last))
                }
                try await awaitStillness(after: &number, watcher, recorder)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `it is not still where another directory has taken the place of a root`(
            _ backend: InotifyBackend
        ) async throws {
            let parent = root.appending("parent")
            let watched = parent.appending("root")
            try makeDirectories(watched)
            try await withWatcher(watched, backend: backend) { watcher, recorder in
                var number: UInt64 = 0
                try await awaitStillness(after: &number, watcher, recorder)
                // Not of the root, but of a directory above it, of which inotify tells nothing.
                try #require(rename(parent.string, root.appending("elsewhere").string) == 0)
                #expect(!watcher.isStill(since: number))
                try makeDirectories(watched)
                #expect(!watcher.isStill(since: number))
                try await awaitStillness(after: &number, watcher, recorder)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a root that is another directory now, and one that came back, are found by it`(
            _ backend: InotifyBackend
        ) async throws {
            // Roots are never looked for otherwise.
            var options = WatchOptions.quick
            options.rootRetry = RetryInterval(first: .seconds(3600), longest: .seconds(3600))
            let above = scratch.path.appending("above")
            let below = above.appending("below")
            try makeDirectories(below)
            let missing = scratch.path.appending("missing")
            try await withWatcher(below, missing, backend: backend, options: options) { watcher, recorder in
                try await recorder.expect(.directoryVanished(missing))
                // The directory above the root is renamed, which nobody reports.
                try move(above, to: scratch.path.appending("away"))
                try makeDirectories(below.appending("new"))
                try makeDirectories(missing.appending("new"))
                watcher.passBarrier(1)
                let (events, isWhole) = try await events(before: 1, watcher, recorder)
                #expect(isWhole)
                for directory in [below, missing] {
                    #expect(events.contains(.directoryAppeared(directory)))
                    #expect(events.contains(.directoryAppeared(directory.appending("new"))))
                }
            }
        }

        @Test
        func `in a buffer that overflows, barriers follow the scan that takes the place of what came before`()
            async
        {
            let buffer = EventBuffer(capacity: 2)
            buffer.push(.directoryAppeared("/r/a"))
            buffer.push(.barrier(1, isWhole: true))
            buffer.push(.directoryAppeared("/r/b"))
            buffer.push(.directoryAppeared("/r/c"))
            buffer.push(.barrier(2, isWhole: true))
            buffer.finish()
            var events: [WatchEvent] = []
            while let event = await buffer.next(isolation: nil) { events.append(event) }
            #expect(
                events == [.rescan(.bufferOverflow), .barrier(1, isWhole: true), .barrier(2, isWhole: true)])
        }

        @Test(arguments: [
            ("31 22 8:1 / /mnt/a rw - ext4 /dev/sda1 rw", "/mnt/a"),
            (#"31 22 8:1 / /mnt/a\040b\134c rw - ext4 /dev/sda1 rw"#, #"/mnt/a b\c"#),
            (#"31 22 8:1 / /mnt/a\04 rw"#, #"/mnt/a\04"#),
        ])
        func `a mount point is read from the table of mounts`(_ line: String, _ point: String) {
            #expect(MountTable.mountPoint(line) == FilePath(point))
        }

        @Test func `no mount point is read from a line that is cut off`() {
            #expect(MountTable.mountPoint("31 22 8:1 /") == nil)
            #expect(MountTable.mountPoint("") == nil)
        }
    }
}
