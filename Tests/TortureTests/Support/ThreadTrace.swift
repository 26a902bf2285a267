import Foundation
import ProgramHarness
import TestSupport

/// strace on one thread of a running program: the calls of the others are neither counted nor disturbed.
struct ThreadTrace {
    private let log: String
    private let strace: ChildProcess

    /// Whether a program may be traced that is not one's own child.
    static let isPossible: Bool = {
        let scope = try? String(contentsOfFile: "/proc/sys/kernel/yama/ptrace_scope", encoding: .utf8)
        return Strace.isThere && (getuid() == 0 || scope.map { $0.hasPrefix("0") } ?? true)
    }()

    /// Returns once the thread's next call is seen.
    init(of thread: pid_t, in scratch: Scratch, with fault: Strace.Fault? = nil) throws {
        log = "\(scratch.path)/thread.log"
        let said = "thread-strace.log"
        if scratch.exists(said) { try scratch.remove(said) }
        let names = Strace.names.map { "?\($0)" }.joined(separator: ",")
        let arguments =
            ["-y", "-s", "256", "-o", log, "-e", "trace=\(names)"] + (fault?.arguments ?? [])
            + ["-p", "\(thread)"]
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        strace = try scratch.start("exec /usr/bin/strace \(words)", log: said)
        try soon("strace is attached to \(thread): \(try scratch.text(said, filled: false))") {
            try scratch.exists(said) && scratch.text(said, filled: false).contains(" attached")
        }
    }

    /// Lets go of the thread.
    ///
    /// - Parameter isKilled: Whether a fault has ended the program, and so the trace.
    /// - Returns: What strace has noted.
    func end(isKilled: Bool = false) throws -> String {
        if !isKilled { kill(strace.id, SIGTERM) }
        _ = try strace.wait()
        return try String(contentsOfFile: log, encoding: .utf8)
    }
}
