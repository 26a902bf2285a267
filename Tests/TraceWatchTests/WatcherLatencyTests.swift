import Dispatch
import Foundation
import Glibc
import Synchronization
import SystemPackage
import Testing
import TraceFiles

@testable import TraceWatch

extension WatcherTests {
    @Suite struct Latency {
        /// How soon is printed with `TRACE_WATCH_LATENCY=1`, and a bar of the benchmarks as far as the index.
        @Test(arguments: InotifyBackend.allCases)
        func `each append reaches the consumer without another after it`(_ backend: InotifyBackend)
            async throws
        {
            let scratch = try Scratch()
            let file = scratch.path.appending("markers.jsonl")
            try write("", to: file)
            let watcher = try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend))
            defer { watcher.stop() }
            let descriptor = try FileDescriptor.open(file, .writeOnly, options: [.append])
            defer { try? descriptor.close() }
            let starts = Mutex<[ContinuousClock.Instant]>([])
            let done = DispatchSemaphore(value: 0)
            let writer = try DedicatedThread(name: "writer") {
                for _ in 0..<200 {
                    starts.withLock { $0.append(.now) }
                    _ = try? descriptor.writeAll([0x20])
                    done.wait()
                }
            }
            var samples: [Duration] = []
            for await event in watcher.prefix(200) {
                let end = ContinuousClock.now
                #expect(event.isChange(.contents, at: file))
                samples.append(end - starts.withLock { $0[samples.count] })
                done.signal()
            }
            samples.sort()
            for _ in samples.count..<200 { done.signal() }
            writer.join()
            try #require(samples.count == 200)
            if ProcessInfo.processInfo.environment["TRACE_WATCH_LATENCY"] == "1" {
                print("event latency: p50 \(samples[100]), p99 \(samples[198]), max \(samples[199])")
            }
        }

        /// Run with `TRACE_WATCH_LATENCY=1`, in a release build.
        @Test(
            .enabled(if: ProcessInfo.processInfo.environment["TRACE_WATCH_LATENCY"] == "1"),
            arguments: InotifyBackend.allCases)
        func `sixty thousand directories are watched in seconds`(_ backend: InotifyBackend) async throws {
            let scratch = try Scratch()
            let script =
                "cd \(scratch.path) && for i in $(seq 300); do mkdir -p $(printf \"$i/%s \" $(seq 199)); done"
            #expect(run("/bin/sh", "-c", script) == 0)
            let residentBefore = resident()
            var watcher: Watcher?
            let arming = try await ContinuousClock().measure {
                watcher = try await Watcher(roots: [scratch.path], options: WatchOptions().with(backend))
            }
            print("armed \(watcher?.directoryCount ?? 0) directories in \(arming)")
            print("resident: \(residentBefore) kB before, \(resident()) kB after")
            print("thread: \(try await processorTime(#require(watcher)))")
            let walk = ContinuousClock().measure {
                run("/usr/bin/find", scratch.path.string, "-newer", "/proc", "-name", "none")
            }
            print("find: \(walk)")
            let stopping = ContinuousClock().measure { watcher?.stop() }
            print("stopped in \(stopping)")
        }

        private func processorTime(_ watcher: Watcher) async -> String {
            let answer = OneShot<String?>()
            watcher.runOnThread { answer.settle(SystemFile.contents("/proc/thread-self/stat")) }
            let fields = (await answer.value() ?? "").split(separator: " ")
            return fields.count > 14 ? "\(fields[13])0 ms user, \(fields[14])0 ms system" : "?"
        }

        private func resident() -> String {
            let status = SystemFile.contents("/proc/self/status") ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
            return line.map { $0.filter(\.isNumber) } ?? "?"
        }
    }
}
