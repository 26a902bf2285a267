import Foundation
import Testing

/// What a program printed, and how it ended.
struct Outcome: Equatable, CustomStringConvertible {
    var output: String
    var errors: String
    var status: Int32

    init(_ output: String = "", errors: String = "", status: Int32 = 0) {
        self.output = output
        self.errors = errors
        self.status = status
    }

    /// A program that printed nothing but why it failed.
    static func failure(_ status: Int32, _ errors: String) -> Outcome {
        Outcome(errors: "error: \(errors)\n", status: status)
    }

    var description: String { "status \(status)\n--- output\n\(output)--- errors\n\(errors)---" }
}

/// A directory of a test's own, in which `trace` is run and knows nothing of the machine's configuration; removed at the
/// end unless `TRACE_KEEP_SCRATCH` is set.
final class Scratch {
    let path: String
    private let placeholders: Placeholders

    /// The root of the sessions.
    var sessions: String { "\(path)/sessions" }
    /// The state directory.
    var state: String { "\(path)/state" }

    init() throws {
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
    func trace(
        _ arguments: String..., in directory: String = "", environment: [String: String] = [:]
    ) throws -> Outcome {
        try trace(arguments, in: directory, environment: environment)
    }

    func trace(
        _ arguments: [String], in directory: String = "", environment: [String: String] = [:]
    ) throws -> Outcome {
        try run(Binaries.url("trace").path, arguments.map { Array($0.utf8) }, in: directory, environment)
    }

    /// As ``trace(_:in:environment:)``, with arguments of any bytes.
    func trace(bytes arguments: [UInt8]...) throws -> Outcome {
        try run(Binaries.url("trace").path, arguments, in: "", [:])
    }

    /// Runs a script of `sh`, in which `$TRACE` is the command.
    func shell(_ script: String) throws -> Outcome {
        try run(
            "/bin/sh", ["-c", script].map { Array($0.utf8) }, in: "", ["TRACE": Binaries.url("trace").path])
    }

    private func run(
        _ program: String, _ arguments: [[UInt8]], in directory: String, _ more: [String: String]
    ) throws -> Outcome {
        let files = "\(path)/.run-\(UUID().uuidString.prefix(8))"
        defer { for name in ["out", "err"] { unlink("\(files).\(name)") } }
        let base = Binaries.environment(for: URL(filePath: path))
        let child = try ChildProcess(
            program, arguments, environment: base.merging(more) { $1 }, directory: "\(path)/\(directory)",
            output: "\(files).out", errors: "\(files).err")
        let status = try child.wait()
        return Outcome(
            placeholders.fill(try Data(contentsOf: URL(filePath: "\(files).out"))),
            errors: placeholders.fill(try Data(contentsOf: URL(filePath: "\(files).err"))), status: status)
    }

    // MARK: - Files

    /// A file's text, with placeholders for what is new in it.
    func text(_ name: String) throws -> String {
        placeholders.fill(try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }

    func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }

    func exists(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    /// The names in a directory, in order.
    func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)").sorted()
    }

    /// Every file below a directory with its bytes.
    func tree(_ name: String) throws -> [String: Data] {
        var tree: [String: Data] = [:]
        let root = "\(path)/\(name)"
        for case let file as String in FileManager.default.enumerator(atPath: root) ?? .init() {
            tree[file] = FileManager.default.contents(atPath: "\(root)/\(file)") ?? Data()
        }
        return tree
    }

    /// Copies the sessions of the sample; their files have rested for long.
    func copySample() throws {
        try remove("sessions")
        let source = SampleCopy.sample.appending(path: "sessions").resolvingSymlinksInPath().path
        try FileManager.default.copyItem(atPath: source, toPath: sessions)
        try letRest("sessions")
    }

    /// Copies the spool of the sample into the queue.
    func copyQueue() throws {
        try makeDirectory("state")
        let source = SampleCopy.sample.appending(path: "queue").resolvingSymlinksInPath().path
        try FileManager.default.copyItem(atPath: source, toPath: "\(state)/queue")
    }

    /// Makes a file, or all files of a directory, as old as the sample is.
    func letRest(_ name: String) throws {
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

    func fill(_ bytes: Data) -> String {
        let text = Self.escaped(bytes).replacing(directory, with: "<scratch>")
        return text.replacing(#/[0-9A-HJKMNP-TV-Z]{26}/#) { match in
            Self.isPresent(Self.milliseconds(of: match.output)) ? "<ulid>" : match.output
        }.replacing(#/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/#) { match in
            let moment = try? Date(
                String(match.output), strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
            return Self.isPresent((moment?.timeIntervalSince1970 ?? 0) * 1000) ? "<now>" : match.output
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

    /// The time in an id of ours.
    private static func milliseconds(of id: Substring) -> Double {
        let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
        return id.prefix(10).reduce(0) { $0 * 32 + Double(digits.firstIndex(of: $1) ?? 0) }
    }

    private static func isPresent(_ milliseconds: Double) -> Bool {
        abs(milliseconds - Date().timeIntervalSince1970 * 1000) < 3_600_000
    }
}

/// A child process; `posix_spawn` itself, because Foundation's passes on arguments as strings only.
private struct ChildProcess {
    private let id: pid_t
    private let name: String

    init(
        _ program: String, _ arguments: [[UInt8]], environment: [String: String], directory: String,
        output: String,
        errors: String
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(
            &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_addopen(
            &actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        // `env` goes to the directory; the call that would is none of those that Swift sees.
        let arguments = CStrings(["env", "-C", directory, program].map { Array($0.utf8) } + arguments)
        let environment = CStrings(environment.map { Array("\($0.key)=\($0.value)".utf8) })
        var id = pid_t()
        let failure = posix_spawn(
            &id, "/usr/bin/env", &actions, nil, arguments.pointers, environment.pointers)
        guard failure == 0 else {
            throw NeverCameTrue(what: "\(program) runs: \(String(cString: strerror(failure)))")
        }
        self.id = id
        name = program
    }

    /// Waits for at most a minute.
    ///
    /// - Returns: The exit status, or 128 and the signal.
    func wait() throws -> Int32 {
        let deadline = ContinuousClock.now + .seconds(60)
        var status: Int32 = 0
        while waitpid(id, &status, WNOHANG) == 0 {
            guard ContinuousClock.now < deadline else {
                kill(id, SIGKILL)
                waitpid(id, &status, 0)
                throw NeverCameTrue(what: "\(name) ends within a minute")
            }
            usleep(500)
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// Strings as C takes them: an array of pointers that ends with null.
private final class CStrings {
    let pointers: [UnsafeMutablePointer<CChar>?]

    init(_ strings: [[UInt8]]) {
        pointers = strings.map { bytes in strdup((bytes + [0]).map { CChar(bitPattern: $0) }) } + [nil]
    }

    deinit { for pointer in pointers { free(pointer) } }
}
