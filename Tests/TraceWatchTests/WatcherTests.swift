import Dispatch
import Foundation
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceText

@testable import TraceWatch

/// All that needs a real watcher: one after the other, as a process has room for one.
@Suite(.serialized, .ownThreads, .timeLimit(.minutes(5))) struct WatcherTests {}

extension WatcherTests {
    @Suite struct Files {
        @Test(arguments: InotifyBackend.allCases)
        func `creating and writing a file is reported in order`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            try await withWatcher(scratch.path, backend: backend) { _, recorder in
                let file = scratch.path.appending("markers.jsonl")
                try write("x", to: file)
                let events = try await recorder.settle(in: scratch.path)
                let changes = [WatchEvent.Change.created, .contents, .written]
                #expect(
                    events
                        == changes.map {
                            .changed(
                                directory: scratch.path, name: "markers.jsonl", change: $0, isDirectory: false
                            )
                        })
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `appending, changing attributes and deleting are reported`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch()
            let file = scratch.path.appending("markers.jsonl")
            try write("x", to: file)
            try await withWatcher(scratch.path, backend: backend) { _, recorder in
                try write("y", to: file, appending: true)
                #expect(file.withPlatformString { chmod($0, 0o600) } == 0)
                try remove(file)
                let events = try await recorder.settle(in: scratch.path)
                for change in [WatchEvent.Change.contents, .written, .attributes, .deleted] {
                    #expect(events.contains { $0.isChange(change, at: file) }, "\(change)")
                }
                #expect(!events.contains { $0.isChange(.created, at: file) })
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a rename over a file is told as moved in on the final name`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch()
            let file = scratch.path.appending("session.json")
            let temporary = scratch.path.appending(".session.json.tmp")
            try write("old", to: file)
            try await withWatcher(scratch.path, backend: backend) { _, recorder in
                try write("new", to: temporary)
                try move(temporary, to: file)
                let events = try await recorder.settle(in: scratch.path)
                #expect(events.contains { $0.isChange(.movedOut, at: temporary) })
                #expect(events.contains { $0.isChange(.movedIn, at: file) })
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a name that is not UTF-8 keeps its bytes`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                let directory = try name([0x64, 0xff]), file = try name([0xff, 0xfe, 0x2e, 0x6a])
                try makeDirectory(scratch.path.appending(directory))
                let path = scratch.path.appending(directory)
                try await recorder.expect(.directoryAppeared(path))
                try write("x", to: path.appending(file))
                try await recorder.event { $0.isChange(.written, at: path.appending(file)) }
                #expect(watcher.directoryCount == 2)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `existing files are not reported and links are not followed`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch(), outside = try Scratch()
            try write("x", to: scratch.path.appending("old"))
            #expect(symlink(outside.path.string, scratch.path.appending("link").string) == 0)
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                #expect(symlink(outside.path.string, scratch.path.appending("late").string) == 0)
                try write("x", to: outside.path.appending("elsewhere"))
                let events = try await recorder.settle(in: scratch.path)
                #expect(
                    events == [
                        .changed(directory: scratch.path, name: "late", change: .created, isDirectory: false)
                    ])
                #expect(watcher.directoryCount == 1)
            }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a root that is a link is followed and named as given`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch(), target = try Scratch()
            let root = scratch.path.appending("link")
            #expect(symlink(target.path.string, root.string) == 0)
            try makeDirectory(target.path.appending("a"))
            try await withWatcher(root, backend: backend) { _, recorder in
                try write("x", to: target.path.appending("a").appending("f"))
                try await recorder.event { $0.isChange(.written, at: root.appending("a").appending("f")) }
            }
        }

        private func name(_ bytes: [UInt8]) throws -> FilePath.Component {
            let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
            return try #require(
                terminated.withUnsafeBufferPointer { buffer in
                    buffer.baseAddress.flatMap { FilePath.Component(platformString: $0) }
                })
        }
    }

    @Suite struct Life {
        @Test(arguments: InotifyBackend.allCases.filter { $0 != .kernel })
        func `a second watcher over libinotifytools is refused until the first is stopped`(
            _ backend: InotifyBackend
        ) async throws {
            let scratch = try Scratch()
            let first = try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend))
            let error = await #expect(throws: WatchError.self) {
                try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend))
            }
            #expect(error?.code == .alreadyRunning)
            first.stop()
            first.stop()
            try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend)).stop()
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a relative root is refused`(_ backend: InotifyBackend) async throws {
            let error = await #expect(throws: WatchError.self) {
                try await Watcher(roots: ["relative"], options: WatchOptions().with(backend))
            }
            #expect(error?.code == .invalidRoot)
            #expect(error?.path == "relative")
            let empty = await #expect(throws: WatchError.self) {
                try await Watcher(roots: [""], options: WatchOptions().with(backend))
            }
            #expect(empty?.code == .invalidRoot)
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a watcher that is let go frees the library and ends the sequence`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch()
            var iterator: Watcher.Iterator
            do {
                let watcher = try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend))
                iterator = watcher.makeAsyncIterator()
            }
            #expect(await iterator.next() == nil)
            try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend)).stop()
        }

        @Test(arguments: InotifyBackend.allCases)
        func `the inotify descriptor is closed on exec and after stop`(_ backend: InotifyBackend) async throws
        {
            let scratch = try Scratch()
            let before = inotifyDescriptors()
            let watcher = try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend))
            let own = inotifyDescriptors().subtracting(before)
            #expect(own.count == 1)
            for descriptor in own {
                #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
            }
            watcher.stop()
            #expect(inotifyDescriptors() == before)
        }

        @Test(arguments: InotifyBackend.allCases)
        func `no descriptor or thread is left after many watchers`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            try makeDirectories(scratch.path.appending("a/b"))
            try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend)).stop()
            let before = openDescriptors()
            for _ in 0..<100 {
                try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend)).stop()
            }
            #expect(openDescriptors() <= before + 3)
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a stop in the midst of many events leaves the rest of them alone`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch()
            let asked = Limit(1)
            let control = try WatchControl { asked.isExceeded() }
            let buffer = EventBuffer(capacity: 10_000)
            do {
                let loop = try WatchLoop(
                    roots: [scratch.path], options: .quick.with(backend), control: control, buffer: buffer)
                loop.arm()
                try makeFiles(500, in: scratch.path)
                // The second directory at which it is asked whether to go on.
                try makeDirectory(scratch.path.appending("stop"))
                for number in 0..<500 { try write("", to: scratch.path.appending("late-\(number)")) }
                loop.runOnce()
            }
            #expect(asked.count == 2)
            buffer.finish()
            var events: [WatchEvent] = []
            while let event = await buffer.next(isolation: nil) { events.append(event) }
            #expect(events.count { $0.description(contains: "late") } == 0)
            #expect(events.contains { $0.isChange(.created, at: scratch.path.appending("499")) })
        }

        @Test(arguments: InotifyBackend.allCases)
        func `in reading, nothing but an event or a request wakes the thread`(_ backend: InotifyBackend)
            throws
        {
            let scratch = try Scratch()
            let loop = try WatchLoop(
                roots: [scratch.path], options: WatchOptions().with(backend), control: WatchControl { false },
                buffer: EventBuffer(capacity: 10))
            loop.arm()
            #expect(loop.millisecondsToDeadline() == -1)
        }

        @Test(arguments: InotifyBackend.allCases)
        func `events that were read during a request are not slept over`(_ backend: InotifyBackend) throws {
            let scratch = try Scratch()
            let control = try WatchControl { false }
            // Sound: the closure runs in `runOnce`, on the thread of this test.
            nonisolated(unsafe) let loop = try WatchLoop(
                roots: [scratch.path], options: WatchOptions().with(backend), control: control,
                buffer: EventBuffer(capacity: 10))
            loop.arm()
            let file = scratch.path.appending("f")
            control.ask(
                .run {
                    try? write("x", to: file)
                    loop.drainEvents()
                })
            let waker = DispatchWorkItem { control.stop() }
            DispatchQueue.global().asyncAfter(
                deadline: .now() + .seconds(Int(waitLimit.components.seconds)), execute: waker)
            loop.runOnce()
            waker.cancel()
            #expect(!control.isStopping)
        }

        @Test(arguments: InotifyBackend.allCases)
        func `a stop that comes in the middle of a turn is not slept over`(_ backend: InotifyBackend) throws {
            let scratch = try Scratch()
            let control = try WatchControl { false }
            let loop = try WatchLoop(
                roots: [scratch.path], options: WatchOptions().with(backend), control: control,
                buffer: EventBuffer(capacity: 10))
            // In this phase there are no events to read, and nothing looks at the stop before the wake-up is taken.
            loop.phase = .broken(.lostTrack)
            let isWoken = Atomic(false)
            let waker = DispatchWorkItem {
                isWoken.store(true, ordering: .relaxed)
                control.ask(.verify)
            }
            DispatchQueue.global().asyncAfter(
                deadline: .now() + .seconds(Int(waitLimit.components.seconds)), execute: waker)
            control.stop()
            loop.runOnce()
            waker.cancel()
            let isLate = isWoken.load(ordering: .relaxed)
            #expect(!isLate)
        }

        @Test(arguments: InotifyBackend.allCases)
        func `cancelling the task that sets up a watcher stops it`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            for number in 0..<10 { try makeDirectories(scratch.path.appending("\(number)/a")) }
            for directory in [1, 2, 11, 21] {
                let limit = Limit(directory - 1)
                let isThere = OneShot<Void>()
                let goOn = DispatchSemaphore(value: 0)
                let task = Task {
                    try await Watcher(roots: [scratch.path]) {
                        if limit.isExceeded(), limit.count == directory {
                            isThere.settle(())
                            goOn.wait()
                        }
                        return false
                    }
                }
                await isThere.value()
                task.cancel()
                goOn.signal()
                switch await task.result {
                // Cancelled before it could wait for its watches.
                case .success(let watcher): watcher.stop()
                case .failure(let error):
                    #expect((error as? WatchError)?.code == .cancelled)
                    #expect(limit.count == directory)
                }
            }
            try await Watcher(roots: [scratch.path]).stop()
        }

        @Test(arguments: InotifyBackend.allCases)
        func `it asks at each directory whether to go on, while the watches are set and later`(
            _ backend: InotifyBackend
        )
            async throws
        {
            let scratch = try Scratch()
            for number in 0..<10 { try makeDirectory(scratch.path.appending("\(number)")) }
            let first = Limit(5), second = Limit(11)
            let error = await #expect(throws: WatchError.self) {
                try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend)) {
                    first.isExceeded()
                }
            }
            #expect(error?.code == .cancelled)
            #expect(first.count == 6)

            let watcher = try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend)) {
                second.isExceeded()
            }
            defer { watcher.stop() }
            #expect(second.count == 11)
            #expect(watcher.directoryCount == 11)
            let recorder = Recorder(watcher)
            watcher.verify()
            await recorder.end()
            #expect(second.count == 12)
        }

        /// Counts how often it is asked.
        private final class Limit: Sendable {
            private let asked = Atomic(0)
            private let limit: Int

            init(_ limit: Int) { self.limit = limit }

            var count: Int { asked.load(ordering: .relaxed) }

            func isExceeded() -> Bool { asked.add(1, ordering: .relaxed).newValue > limit }
        }

        @Test(arguments: InotifyBackend.allCases)
        func `the thread of a watcher bears its name`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            try await withWatcher(scratch.path, backend: backend) { watcher, _ in
                let answer = OneShot<String?>()
                watcher.runOnThread { answer.settle(SystemFile.contents("/proc/thread-self/comm")) }
                #expect(await answer.value() == "trace-watch\n")
            }
        }

        private func openDescriptors() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1
        }

        private func inotifyDescriptors() -> Set<CInt> {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            let inotify = names.filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
                    == "anon_inode:inotify"
            }
            return Set(inotify.compactMap { CInt($0) })
        }
    }
}
