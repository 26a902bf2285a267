internal import Glibc

/// What both programs do before anything else, while they have one thread.
package enum ProgramStart {
    /// Makes ready for what would otherwise end the process, or be said in its name; ends it with exit status 74 where the
    /// system allows too little.
    ///
    /// Source: signal(7); the environment variables of libdispatch (`LIBDISPATCH_LOG`).
    package static func prepare(_ needs: ProgramLimits) {
        // A closed pipe and a reached size limit are errors of a write, not ends of the process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Without the privilege to raise a thread's priority, libdispatch would tell the system's log of each thread.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        guard let problem = needs.problem() else { return }
        let text = Array("error: \(problem.message)\n  hint: \(problem.cure)\n".utf8)
        _ = text.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
        exit(inputOutputError)
    }

    /// EX_IOERR of sysexits.h.
    private static let inputOutputError: Int32 = 74
}
