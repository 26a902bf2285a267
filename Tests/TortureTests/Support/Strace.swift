import Foundation
import ProgramHarness
import Testing

/// `trace` under `strace`: what it asks of the kernel in its directories, and what happens if that goes
/// wrong.
///
/// strace counts the calls of each name for itself, so that `when=3` on a set of names is not the third call
/// of the set. Therefore a run is recorded first, and each fault names one call: `fsync`, the third time.
/// Calls that touch no path of the scratch directory are counted but never chosen: what the dynamic loader
/// opens before `main` is no business of ours, and a process that is killed there has done nothing.
struct Strace {
    /// Every call that changes a file or a directory, or opens one.
    static let names = [
        "open", "openat", "creat", "read", "pread64", "write", "pwrite64", "writev", "copy_file_range",
        "sendfile", "fsync",
        "fdatasync", "sync_file_range", "rename", "renameat", "renameat2", "link", "linkat", "symlink",
        "symlinkat",
        "unlink", "unlinkat", "truncate", "ftruncate", "fallocate", "mkdir", "mkdirat", "rmdir", "fchmod",
        "fchown",
        "utimensat",
    ]

    /// One call of a recorded run.
    struct Call: Hashable, CustomStringConvertible {
        let name: String
        /// Which of its name, from 1.
        let ordinal: Int
        /// What strace says of it.
        let text: String

        var description: String { "\(name) #\(ordinal): \(text.prefix(160))" }
    }

    /// A fault that one call, or all from it on, are to have.
    struct Fault: CustomStringConvertible {
        let arguments: [String]
        let description: String

        /// The process ends before the call runs.
        static func kill(at call: Call) -> Fault {
            Fault(
                arguments: ["-e", "inject=\(call.name):signal=SIGKILL:when=\(call.ordinal)"],
                description: "killed before \(call)")
        }

        /// The call fails.
        static func error(_ error: String, at call: Call) -> Fault {
            Fault(
                arguments: ["-e", "inject=\(call.name):error=\(error):when=\(call.ordinal)"],
                description: "\(error) once, of \(call)")
        }

        /// The call fails, and so does every later one of its name.
        static func errors(_ error: String, from call: Call) -> Fault {
            Fault(
                arguments: ["-e", "inject=\(call.name):error=\(error):when=\(call.ordinal)+"],
                description: "\(error) for ever, of \(call)")
        }

        /// From a call on, everything fails that could change something in some directories, as on a broken
        /// disk.
        ///
        /// - Parameters:
        ///   - calls: A recording that is restricted to those directories.
        ///   - paths: What it was restricted to.
        static func errors(_ error: String, from first: Call, in calls: [Call], on paths: [String]) -> Fault {
            let before = calls.prefix { $0 != first }
            let arguments = Strace.names.filter { !Strace.readers.contains($0) }.flatMap { name in
                ["-e", "inject=?\(name):error=\(error):when=\(before.count { $0.name == name } + 1)+"]
            }
            return Fault(
                arguments: paths.flatMap { ["-P", $0] } + arguments,
                description: "\(error) for ever, from \(first)")
        }
    }

    /// Those that change nothing: a kill before one finds what the call before it has left.
    static let readers: Set = ["read", "pread64"]

    let scratch: Scratch
    private let followsChildren: Bool

    /// - Parameter followsChildren: Whether programs that `trace` starts have faults too. strace counts the calls of each
    ///   process for itself.
    init(_ scratch: Scratch, followsChildren: Bool = true) {
        self.scratch = scratch
        self.followsChildren = followsChildren
    }

    /// Whether the machine has strace and allows it.
    static let isThere: Bool =
        (try? Scratch().run("/usr/bin/strace", ["-o", "/dev/null", "true"]).status) == 0

    /// Runs `trace` and notes what it asks of the kernel in the scratch directory.
    func record(_ arguments: [String]) throws -> [Call] {
        let (outcome, log) = try traced([], arguments)
        try #require(outcome.status == 0, "\(outcome)")
        return Self.calls(in: log).filter { call in call.paths.contains { $0.hasPrefix(scratch.path) } }
    }

    /// As ``record(_:)``, counting only what touches these paths.
    func record(_ arguments: [String], on paths: [String]) throws -> [Call] {
        Self.calls(in: try traced(paths.flatMap { ["-P", $0] }, arguments).log)
    }

    /// Runs `trace` with a fault.
    func run(_ arguments: [String], with fault: Fault) throws -> (outcome: Outcome, log: String) {
        try traced(fault.arguments, arguments)
    }

    /// The calls that a log lists, each numbered among those of its name.
    static func calls(in log: String) -> [Call] {
        var counts: [String: Int] = [:]
        return log.split(separator: "\n").compactMap { line in
            let text = line.drop { $0.isNumber || $0 == " " }
            guard let end = text.firstIndex(of: "("), !text.hasPrefix("+++"), !text.hasPrefix("---") else {
                return nil
            }
            let name = String(text[..<end])
            counts[name, default: 0] += 1
            return Call(name: name, ordinal: counts[name, default: 0], text: String(text))
        }
    }

    func traced(_ more: [String], _ arguments: [String]) throws -> (outcome: Outcome, log: String) {
        let log = "\(scratch.path)/strace.log"
        let names = Self.names.map { "?\($0)" }.joined(separator: ",")
        let outcome = try scratch.run(
            "/usr/bin/strace",
            (followsChildren ? ["-f"] : [])
                + ["-y", "--quiet=attach,path-resolution", "-s", "256", "-o", log, "-e", "trace=\(names)"]
                + more
                + [Binaries.url("trace").path] + arguments)
        return (outcome, try String(contentsOfFile: log, encoding: .utf8))
    }
}

extension Strace.Call {
    /// Every path that the call names, by a descriptor or by a name beside one.
    var paths: [String] {
        text.matches(of: #/<(\/[^>]*)>(?:, "([^"]*)")?/#).map { match in
            let directory = String(match.output.1)
            guard let name = match.output.2, name != "." else { return directory }
            return name.hasPrefix("/") ? String(name) : "\(directory)/\(name)"
        }
    }

    /// Whether a state of the files lies between it and the call before: it is neither a reader, nor does it only open a file. One
    /// that an opening makes is met empty before the first call that fills it.
    var changesFiles: Bool { !Strace.readers.contains(name) && !name.hasPrefix("open") }

    /// Whether it writes what a person or a script reads, rather than a file of ours.
    var isOutput: Bool { text.contains("/.run-") }
}
