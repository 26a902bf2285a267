import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What the daemon opens for an address that leads out of a session, by what it asks of the kernel.
struct OpenedFilesTests {
    /// Whether this machine has strace, and allows it.
    private static let canTrace: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/strace")
        process.arguments = ["-o", "/dev/null", "true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    @Test(.enabled(if: canTrace, "needs strace"))
    func `no address has anything opened outside a session`() throws {
        let sample = try ServedSample { directory in
            [
                "/usr/bin/strace", "-D", "-f", "-qq", "--seccomp-bpf", "-o",
                directory.appending(path: "calls").path,
                "-e", "trace=?open,openat,?openat2",
            ]
        }
        let files = "/sessions/\(ServedSample.lateSetID)/files/"
        // What is opened between the first of these and the second is opened for the addresses in between.
        func note(_ name: String) throws -> Substring {
            try "x".write(
                to: sample.session(ServedSample.lateSet).appending(path: "media/\(name).m4a"),
                atomically: true,
                encoding: .utf8)
            #expect(try sample.ask("GET", "\(files)media/\(name).m4a").status == 200)
            var calls = ""
            try soon("it is noted that \(name).m4a is opened") {
                calls =
                    (try? String(contentsOf: sample.copy.directory.appending(path: "calls"), encoding: .utf8))
                    ?? ""
                return calls.contains("\"\(name).m4a\"")
            }
            return Substring(calls)
        }
        let before = try note("first").count
        for rest in FileNamesOverTheWireTests.leadingOut {
            #expect([400, 404].contains(try sample.ask("GET", files + rest).status), "\(rest)")
        }
        let opened = try note("second").dropFirst(before).split(separator: "\n")
        #expect(
            opened.contains { $0.contains("session.json") || $0.contains("media") }, "something is opened")
        for call in opened {
            let path = call.firstMatch(of: #/"((?:[^"\\]|\\.)*)"/#).map { String($0.1) } ?? ""
            let isOutside =
                path.split(separator: "/").contains("..") || path.hasPrefix("/etc/")
                || ["outside.m4a", "private.txt", "passwd", "Session.json"].contains(path)
            #expect(!isOutside, "\(call)")
        }
    }
}
