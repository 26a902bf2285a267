package import Foundation
internal import TestSupport
import Testing

/// A running `traced`, started by a test on directories of its own; killed at the end of the test's life.
package final class DaemonProcess {
    package let directory: URL
    private let process = Process()
    private let errors: URL

    package var sessions: URL { directory.appending(path: "sessions") }
    package var state: URL { directory.appending(path: "state") }
    package var queue: URL { state.appending(path: "queue") }

    /// Starts the daemon and waits until it is ready.
    ///
    /// - Parameters:
    ///   - program: The daemon's name among the built programs.
    ///   - directory: Holds `sessions`; what a daemon before this one left in `state` is used again.
    ///   - wrapper: A program with its arguments that becomes the daemon in the end, such as `unshare`.
    package init(
        _ program: String = "traced", in directory: URL, arguments: [String] = [],
        environment: [String: String] = [:],
        under wrapper: [String] = [], awaitReady: Bool = true
    ) throws {
        self.directory = directory
        errors = directory.appending(path: "traced-\(UUID()).log")
        try Data().write(to: errors)
        let command = wrapper + [Binaries.url(program).path] + arguments
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = Binaries.environment(for: directory).merging(environment) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        if awaitReady {
            try soon("traced is ready") { self.log.contains(" ready ") || !self.process.isRunning }
        }
    }

    deinit { if process.isRunning { kill() } }

    /// What it has logged so far.
    package var log: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

    package var isRunning: Bool { process.isRunning }

    /// Its process id.
    package var id: pid_t { process.processIdentifier }

    /// Holds it where it is, as a machine under load may; returns when no thread of it runs any more, which takes a while on a busy machine.
    package func pause() throws {
        Foundation.kill(id, SIGSTOP)
        try soon("no thread of the daemon runs") {
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/task")
            return threads.allSatisfy { Self.fields(of: "/proc/\(id)/task/\($0)/stat")?.first == "T" }
        }
    }

    /// Lets it go on after ``pause()``.
    package func resume() { Foundation.kill(id, SIGCONT) }

    /// Ends it as a power cut would.
    package func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks it to end, and waits.
    ///
    /// - Returns: Its exit status, and the processor time that it still took: unlike the time that passes, it does not grow
    ///   with what else the machine has to do. A daemon that does not end at all is killed.
    package func terminate() -> (status: Int32, work: Duration) {
        let before = processorTime ?? .zero
        var last = before
        process.terminate()
        do {
            try soon("traced ends") {
                if let now = processorTime { last = now }
                return !process.isRunning
            }
        } catch {
            Issue.record(error)
            kill()
        }
        process.waitUntilExit()
        return (process.terminationStatus, last - before)
    }

    /// The processor time that it has used so far, of all its threads, in steps of 10 ms; nil once it has ended.
    package var processorTime: Duration? {
        guard let fields = Self.fields(of: "/proc/\(id)/stat"), fields.count > 12 else { return nil }
        let ticks = fields[11...12].compactMap { Int($0) }.reduce(0, +)
        return .seconds(1) * ticks / sysconf(Int32(_SC_CLK_TCK))
    }

    /// The fields of a file `stat` behind the name of the program, which may have spaces: the state is the first; nil once it has ended.
    private static func fields(of path: String) -> [Substring]? {
        guard let line = try? String(contentsOfFile: path, encoding: .utf8), let end = line.lastIndex(of: ")")
        else { return nil }
        return line[line.index(after: end)...].split(separator: " ")
    }

    /// How much memory it has, in bytes; nil once it has ended.
    package var residentBytes: Int? {
        let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
        return status.firstMatch(of: #/VmRSS:\s+(\d+) kB/#).flatMap { Int($0.1) }.map { $0 << 10 }
    }

    /// How many bytes it has read so far; none once it has ended.
    package var bytesRead: Int {
        let counts = (try? String(contentsOfFile: "/proc/\(id)/io", encoding: .utf8)) ?? ""
        let line = counts.split(separator: "\n").first { $0.hasPrefix("rchar: ") }
        return line.flatMap { Int($0.dropFirst(7)) } ?? 0
    }

    /// Waits for its own end.
    package func waitForExit() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// The built programs.
package enum Binaries {
    /// Where a program lies: beside the tests, or in `TRACE_BINARIES`, as `make soak` names the release binaries.
    package static func url(_ name: String) -> URL {
        if let directory = ProcessInfo.processInfo.environment["TRACE_BINARIES"] {
            return URL(filePath: directory).appending(path: name)
        }
        let test = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return test.deletingLastPathComponent().appending(path: name)
    }

    /// What `make mutants` tells the programs; empty otherwise.
    private static let mutant = ProcessInfo.processInfo.environment.filter { $0.key.hasPrefix("MUTANT") }

    /// An environment in which nothing of the machine's own configuration counts.
    package static func environment(for directory: URL) -> [String: String] {
        mutant.merging([
            "HOME": directory.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "TRACE_CONFIG": "", "XDG_CONFIG_HOME": directory.appending(path: "config").path,
            "TRACE_ROOTS": directory.appending(path: "sessions").path,
            "TRACE_STATE_DIRECTORY": directory.appending(path: "state").path,
            "TRACE_RUNTIME_DIRECTORY": directory.appending(path: "run").path,
        ]) { $1 }
    }

    /// Runs `trace` and hands out what it printed.
    @discardableResult
    package static func trace(_ arguments: [String], in directory: URL, expecting status: Int32 = 0) throws
        -> String
    {
        let process = Process()
        let output = Pipe()
        process.executableURL = url("trace")
        process.arguments = arguments
        process.environment = environment(for: directory)
        process.standardOutput = output
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == status, "\(String(decoding: complaint, as: UTF8.self))")
        return String(decoding: data, as: UTF8.self)
    }
}

/// A directory of a test's own with a copy of the sample's sessions; removed unless `TRACE_KEEP_SCRATCH` is
/// set.
package final class SampleCopy {
    package let directory: URL

    package static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "sessions-sample")

    package init() throws {
        directory = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appending(
            path: "trace-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Self.sample.appending(path: "sessions"), to: directory.appending(path: "sessions"))
        // As old as the sample is, so that a torn line is not taken for one in transit.
        let old: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSince1970: 1_772_000_000)]
        let sessions = directory.appending(path: "sessions").path
        for case let file as String in FileManager.default.enumerator(atPath: sessions) ?? .init() {
            try FileManager.default.setAttributes(old, ofItemAtPath: "\(sessions)/\(file)")
        }
    }

    deinit {
        if ProcessInfo.processInfo.environment["TRACE_KEEP_SCRATCH"] == nil {
            try? FileManager.default.removeItem(at: directory)
        }
    }

    package func session(_ name: String) -> URL {
        directory.appending(path: "sessions").appending(path: name)
    }

    /// Delivers an entry of the sample's spool as a sync tool does: whole under its name.
    package func deliver(_ name: String, to queue: URL) throws {
        let incoming = queue.appending(path: ".incoming.tmp")
        try FileManager.default.copyItem(
            at: Self.sample.appending(path: "queue").appending(path: name), to: incoming)
        guard rename(incoming.path, queue.appending(path: name).path) == 0 else { throw POSIXError(.EIO) }
    }
}

/// A stand-in for the service manager's notification socket.
package final class NotifyListener {
    package let path: String
    private let descriptor: Int32

    package init(in directory: URL) throws {
        path = "/tmp/trace-notify-\(UUID().uuidString.prefix(8))"
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard descriptor >= 0, bound == 0 else { throw POSIXError(.EIO) }
        var limit = timeval(tv_sec: Int(waitLimit.components.seconds), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
        unlink(path)
    }

    /// The next message that begins so; those before it are passed over.
    @discardableResult
    package func skip(to beginning: String) throws -> String {
        while true {
            let message = try next()
            if message.hasPrefix(beginning) { return message }
        }
    }

    /// The next message, if one has come.
    package func nextIfAny() -> String? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
    }

    /// Takes what has come so far.
    @discardableResult
    package func empty() -> [String] {
        var messages: [String] = []
        while let message = nextIfAny() { messages.append(message) }
        return messages
    }

    /// The next message.
    package func next() throws -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var count = recv(descriptor, &buffer, buffer.count, 0)
        while count < 0, errno == EINTR { count = recv(descriptor, &buffer, buffer.count, 0) }
        guard count > 0 else { throw NeverCameTrue(what: "a message on the notification socket") }
        return String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
