package import Foundation
internal import TestSupport
import Testing

/// What a program printed, and how it ended.
package struct Outcome: Equatable, CustomStringConvertible {
    package var output: String
    package var errors: String
    package var status: Int32

    package init(_ output: String = "", errors: String = "", status: Int32 = 0) {
        self.output = output
        self.errors = errors
        self.status = status
    }

    /// A program that printed nothing but why it failed.
    package static func failure(_ status: Int32, _ errors: String) -> Outcome {
        Outcome(errors: "error: \(errors)\n", status: status)
    }

    /// What it printed as errors, without the lines that say how far it is: on a slow disk, that may take long enough for them.
    package var complaints: String {
        errors.split(separator: "\n").filter { !$0.contains(#/: \d+ %$/#) }.joined(separator: "\n")
    }

    package var description: String { "status \(status)\n--- output\n\(output)--- errors\n\(errors)---" }
}

/// A directory of a test's own, in which `trace` is run and knows nothing of the machine's configuration; removed at the
/// end unless `TRACE_KEEP_SCRATCH` is set.
package final class Scratch {
    package let path: String
    private let placeholders: Placeholders

    /// Variables that every program finds here, beside those that every test has.
    package var environment: [String: String] = [:]

    /// How long a program may run.
    package var patience = waitLimit

    /// The root of the sessions.
    package var sessions: String { "\(path)/sessions" }
    /// The state directory.
    package var state: String { "\(path)/state" }

    package init() throws {
        path = "/tmp/trace-command-\(UUID().uuidString.prefix(8))"
        placeholders = Placeholders(directory: path)
        try FileManager.default.createDirectory(atPath: "\(path)/sessions", withIntermediateDirectories: true)
    }

    deinit {
        if ProcessInfo.processInfo.environment["TRACE_KEEP_SCRATCH"] == nil {
            try? FileManager.default.removeItem(atPath: path)
        } else {
            print("kept: \(path)")
        }
    }

    // MARK: - Running

    /// Runs `trace` in the scratch directory.
    ///
    /// - Parameters:
    ///   - directory: The working directory, relative to the scratch directory.
    ///   - environment: Variables beside those that every test has.
    package func trace(
        _ arguments: String..., in directory: String = "", environment: [String: String] = [:]
    ) throws -> Outcome {
        try trace(arguments, in: directory, environment: environment)
    }

    package func trace(
        _ arguments: [String], in directory: String = "", environment: [String: String] = [:]
    ) throws -> Outcome {
        try run(Binaries.url("trace").path, arguments, in: directory, environment)
    }

    /// As ``trace(_:in:environment:)``, with arguments of any bytes.
    package func trace(bytes arguments: [UInt8]...) throws -> Outcome {
        try run(Binaries.url("trace").path, arguments, in: "", [:])
    }

    /// Runs a script of `sh`, in which `$TRACE` is the command.
    package func shell(_ script: String) throws -> Outcome {
        try run("/bin/sh", ["-c", script], in: "", ["TRACE": Binaries.url("trace").path])
    }

    /// Whether a program may have mounts of its own.
    package static let canMount = (try? Scratch().shell("unshare -m mount --bind /tmp /tmp").status) == 0

    /// Runs any program as `trace` is run.
    package func run(
        _ program: String, _ arguments: [String], in directory: String = "",
        _ more: [String: String] = [:]
    ) throws -> Outcome {
        try run(program, arguments.map { Array($0.utf8) }, in: directory, more)
    }

    /// Starts a script of `sh`, in which `$TRACE` is the command, and does not wait for it.
    ///
    /// - Parameter log: The file in the scratch directory to which everything goes that is printed.
    package func start(_ script: String, log: String) throws -> ChildProcess {
        let base = Binaries.environment(for: URL(filePath: path))
        return try ChildProcess(
            "/bin/sh", ["-c", script].map { Array($0.utf8) },
            environment: base.merging(["TRACE": Binaries.url("trace").path]) { $1 }, directory: path,
            output: "\(path)/\(log)", errors: "\(path)/\(log)")
    }

    /// The most memory that a run of `trace` had at a time, in bytes; what it prints goes nowhere.
    ///
    /// By another program, for the kernel counts what a child has before it becomes `trace` too.
    package func peakMemory(_ arguments: [String]) throws -> Int {
        let script = """
            import resource, subprocess, sys
            subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        let outcome = try run(
            "/usr/bin/env", ["python3", "-c", script, Binaries.url("trace").path] + arguments)
        guard let kilobytes = Int(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw NeverCameTrue(what: "trace \(arguments.joined(separator: " ")) works: \(outcome)")
        }
        return kilobytes << 10
    }

    private func run(
        _ program: String, _ arguments: [[UInt8]], in directory: String, _ more: [String: String]
    ) throws -> Outcome {
        let files = "\(path)/.run-\(UUID().uuidString.prefix(8))"
        defer { for name in ["out", "err"] { unlink("\(files).\(name)") } }
        let base = Binaries.environment(for: URL(filePath: path)).merging(environment) { $1 }
        let child = try ChildProcess(
            program, arguments, environment: base.merging(more) { $1 }, directory: "\(path)/\(directory)",
            output: "\(files).out", errors: "\(files).err")
        let status = try child.wait(atMost: patience)
        return Outcome(
            placeholders.fill(try Data(contentsOf: URL(filePath: "\(files).out"))),
            errors: placeholders.fill(try Data(contentsOf: URL(filePath: "\(files).err"))), status: status)
    }

    // MARK: - Files

    /// A file's text, if nothing else is said with placeholders for what is new in it.
    package func text(_ name: String, filled: Bool = true) throws -> String {
        let bytes = try Data(contentsOf: URL(filePath: "\(path)/\(name)"))
        return filled ? placeholders.fill(bytes) : String(decoding: bytes, as: UTF8.self)
    }

    /// A text with placeholders for what is new in it, as what is printed has them.
    package func filled(_ text: String) -> String { placeholders.fill(Data(text.utf8)) }

    package func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }

    /// Writes a program, by a child: a descriptor of this process that is open for writing lives on for a moment in what
    /// other tests start meanwhile, and what is open for writing can't be executed (execve(2), ETXTBSY).
    package func writeProgram(_ text: String, to name: String, mode: Int = 0o755) throws {
        let script = #"printf %s "$2" > "$1" && chmod "$3" "$1""#
        let outcome = try run("/bin/sh", ["-c", script, "sh", name, text, String(mode, radix: 8)])
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    package func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }

    package func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    /// The names in a directory, in order.
    package func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)").sorted()
    }

    /// Every file below a directory with its bytes.
    package func tree(_ name: String) throws -> [String: Data] {
        var tree: [String: Data] = [:]
        let root = "\(path)/\(name)"
        for case let file as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            tree[file] = FileManager.default.contents(atPath: "\(root)/\(file)") ?? Data()
        }
        return tree
    }

    /// Copies the sessions of the sample; their files have rested for long.
    package func copySample() throws {
        try remove("sessions")
        let source = SampleCopy.sample.appending(path: "sessions").resolvingSymlinksInPath().path
        try FileManager.default.copyItem(atPath: source, toPath: sessions)
        try letRest("sessions")
    }

    /// Copies the spool of the sample into the queue.
    package func copyQueue() throws {
        try makeDirectory("state")
        let source = SampleCopy.sample.appending(path: "queue").resolvingSymlinksInPath().path
        try FileManager.default.copyItem(atPath: source, toPath: "\(state)/queue")
    }

    /// Makes a file, or all files of a directory, as old as the sample is.
    package func letRest(_ name: String) throws {
        let old: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSince1970: 1_772_000_000)]
        let root = "\(path)/\(name)"
        for case let file as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            try FileManager.default.setAttributes(old, ofItemAtPath: "\(root)/\(file)")
        }
        try FileManager.default.setAttributes(old, ofItemAtPath: root)
    }
}

/// Replaces what is another each time: the scratch directory, and ids and moments of the present.
private struct Placeholders {
    let directory: String

    /// Looks closer only at lines that may hold something of it: expressions are slow, and some outputs large.
    func fill(_ bytes: Data) -> String {
        let signs = signs
        guard Self.holds(bytes, any: signs) else { return Self.escaped(bytes) }
        guard String(validating: bytes, as: UTF8.self) != nil else { return fillText(Self.escaped(bytes)) }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        return lines.map { line in
            let text = Self.escaped(line)
            return Self.holds(line, any: signs) ? fillText(text) : text
        }.joined(separator: "\n")
    }

    /// What stands in each text that is to be replaced: the directory, the beginning of an id or a date of now.
    private var signs: [[UInt8]] {
        let moments = [-3600, 0, 3600].map { Date(timeIntervalSinceNow: $0) }
        let ids = moments.map { moment in
            let milliseconds = UInt64(moment.timeIntervalSince1970 * 1000)
            return String((0..<5).map { Self.digits[Int(milliseconds >> (45 - 5 * $0)) & 31] })
        }
        let dates = moments.map { String($0.ISO8601Format().prefix(10)) }
        return Set(ids + dates + [directory]).map { Array($0.utf8) }
    }

    private static func holds(_ bytes: Data, any signs: [[UInt8]]) -> Bool {
        bytes.withUnsafeBytes { bytes in
            signs.contains { sign in
                var rest = bytes[...]
                while rest.count >= sign.count,
                    let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                    let first = memchr(start, Int32(sign[0]), rest.count - sign.count + 1)
                {
                    if memcmp(first, sign, sign.count) == 0 { return true }
                    rest = rest.dropFirst(first - UnsafeMutableRawPointer(mutating: start) + 1)
                }
                return false
            }
        }
    }

    private func fillText(_ text: String) -> String {
        text.replacing(directory, with: "<scratch>").replacing(#/[0-9A-HJKMNP-TV-Z]{26}/#) { match in
            Self.isPresent(Self.milliseconds(of: match.output)) ? "<ulid>" : match.output
        }.replacing(#/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/#) { match in
            let moment = try? Date(
                String(match.output), strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            return Self.isPresent((moment?.timeIntervalSince1970 ?? 0) * 1000) ? "<now>" : match.output
        }.replacing(#/(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2}) UTC/#) { match in
            let moment = try? Date("\(match.output.1)T\(match.output.2)Z", strategy: .iso8601)
            return Self.isPresent((moment?.timeIntervalSince1970 ?? 0) * 1000) ? "<now>" : match.output.0
        }
    }

    /// Bytes that are not UTF-8 as `\xFF`, so that no difference is lost.
    private static func escaped(_ bytes: Data) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return bytes.map {
            $0 < 0x80 ? String(Unicode.Scalar($0)) : "\\x" + String($0, radix: 16, uppercase: true)
        }
        .joined()
    }

    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// The time in an id of ours.
    private static func milliseconds(of id: Substring) -> Double {
        id.prefix(10).reduce(0) { $0 * 32 + Double(digits.firstIndex(of: $1) ?? 0) }
    }

    private static func isPresent(_ milliseconds: Double) -> Bool {
        abs(milliseconds - Date().timeIntervalSince1970 * 1000) < 3_600_000
    }
}
