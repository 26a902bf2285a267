import Foundation
import Glibc
import SystemPackage
import TestSupport
import Testing
import TraceText

@testable import TraceWatch

extension WatcherTests {
    @Suite struct Limits {
        /// Set in the child process, whose user namespace has few watches.
        private static let isLimited = ProcessInfo.processInfo.environment["TRACE_WATCH_LIMITED"] == "1"
        private static let limitFile = "/proc/sys/user/max_inotify_watches"

        @Test(.disabled(if: isLimited))
        func `too few watches are told once and made up for later`() throws {
            guard run("/usr/bin/unshare", "-Ur", "/bin/sh", "-c", "echo 4 > \(Self.limitFile)") == 0 else {
                try Test.cancel("user namespaces are not allowed here")
            }
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
            let arguments = filtered(CommandLine.arguments.dropFirst())
            child.arguments =
                [
                    "-Ur", "/bin/sh", "-c", "echo 4 > \(Self.limitFile) && exec \"$0\" \"$@\"",
                    "/proc/self/exe",
                ]
                + arguments
            child.arguments?[4] = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            child.environment = ProcessInfo.processInfo.environment.merging(["TRACE_WATCH_LIMITED": "1"]) {
                $1
            }
            try child.run()
            child.waitUntilExit()
            #expect(child.terminationStatus == 0)
        }

        /// The arguments of this test run, cut down to the tests that are meant for the child.
        private func filtered(_ arguments: some Sequence<String>) -> [String] {
            var kept: [String] = []
            var skipsNext = false
            for argument in arguments {
                if skipsNext {
                    skipsNext = false
                } else if ["--filter", "--skip", "--event-stream-output-path", "--xunit-output"].contains(
                    argument)
                {
                    skipsNext = true
                } else {
                    kept.append(argument)
                }
            }
            return kept + ["--filter", "in a namespace with few watches"]
        }

        @Test(.enabled(if: isLimited), arguments: InotifyBackend.allCases)
        func `in a namespace with few watches`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            try write("4", to: FilePath(Self.limitFile))
            for number in 0..<6 { try makeDirectories(scratch.path.appending("\(number)/deep")) }
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                #expect(watcher.directoryCount == 4)
                try await recorder.event { if case .unwatched = $0 { true } else { false } }
                // Once there is room for one more, all that are unwatched have been tried again.
                try write("5", to: FilePath(Self.limitFile))
                try await recorder.event { if case .watchedAgain = $0 { true } else { false } }
                let events = recorder.events
                #expect(Set(events).count == events.count, "each directory is told once")

                // A directory that gets a watch has its own directories tried then, so more may be told until all fit.
                try write("100", to: FilePath(Self.limitFile))
                try await eventually("all directories are watched") { watcher.directoryCount == 13 }
                let told = Set(
                    recorder.events.compactMap { if case .unwatched(let path, _) = $0 { path } else { nil } })
                #expect(!told.isEmpty)
                for path in told {
                    #expect(recorder.events.contains { $0.isUnwatched(path, .watchLimit) })
                    try await recorder.expect(.watchedAgain(path))
                    try await recorder.expect(.directoryAppeared(path))
                }
                for number in 0..<6 {
                    let file = scratch.path.appending("\(number)/deep/f")
                    try write("x", to: file)
                    try await recorder.event { $0.isChange(.written, at: file) }
                }
                #expect(watcher.directoryCount == 13)
            }
        }

        @Test(.disabled(if: isLimited), arguments: InotifyBackend.allCases)
        func `a path that is too long is told and the rest is watched`(_ backend: InotifyBackend) async throws
        {
            let scratch = try Scratch()
            let part = String(repeating: "x", count: 200)
            // Deeper than PATH_MAX can only be reached step by step.
            run(
                "/bin/sh", "-c",
                "cd \(scratch.path) && for i in $(seq 25); do mkdir \(part) && cd -P \(part) || exit; done 2>/dev/null"
            )
            try await withWatcher(scratch.path, backend: backend, options: WatchOptions()) {
                watcher, recorder in
                let event = try await recorder.event { if case .unwatched = $0 { true } else { false } }
                guard case .unwatched(_, let error) = event else { return }
                #expect(error.code == .pathTooLong)
                #expect(watcher.directoryCount > 15)
                try makeDirectory(scratch.path.appending("short"))
                try await recorder.expect(.directoryAppeared(scratch.path.appending("short")))
            }
        }

        @Test(.disabled(if: isLimited), arguments: InotifyBackend.allCases)
        func `a directory that is mounted twice is polled under its second path`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch()
            let first = scratch.path.appending("first"), second = scratch.path.appending("second")
            try makeDirectory(first)
            try makeDirectory(second)
            guard run("/bin/mount", "--bind", first.string, second.string) == 0 else {
                try Test.cancel("mounting is not allowed here")
            }
            defer { run("/bin/umount", second.string) }
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                #expect(watcher.directoryCount == 2)
                try await recorder.event {
                    $0.isUnwatched(first, .watchedElsewhere) || $0.isUnwatched(second, .watchedElsewhere)
                }
            }
        }

        @Test(.disabled(if: isLimited), arguments: InotifyBackend.allCases)
        func `an unmount gives a rescan`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            let mount = scratch.path.appending("mount")
            try makeDirectory(mount)
            guard run("/bin/mount", "-t", "tmpfs", "none", mount.string) == 0 else {
                try Test.cancel("mounting is not allowed here")
            }
            var isMounted = true
            defer { if isMounted { run("/bin/umount", mount.string) } }
            try makeDirectory(mount.appending("a"))
            try await withWatcher(scratch.path, backend: backend) { watcher, recorder in
                #expect(watcher.directoryCount == 3)
                isMounted = run("/bin/umount", mount.string) != 0
                try await recorder.expect(.rescan(.unmounted))
                #expect(watcher.directoryCount == 2)
                #expect(run("/bin/mount", "-t", "tmpfs", "none", mount.string) == 0)
                isMounted = true
                watcher.verify()
                try await recorder.expect(.directoryAppeared(mount))
                try write("x", to: mount.appending("f"))
                try await recorder.event { $0.isChange(.written, at: mount.appending("f")) }
            }
        }
    }
}
