internal import Glibc

/// What both programs do before anything else, while they have one thread.
package enum ProgramStart {
    /// Makes ready for what would otherwise end the process, or be said in its name.
    ///
    /// Source: signal(7); the environment variables of libdispatch (`LIBDISPATCH_LOG`).
    package static func prepare() {
        // A closed pipe and a reached size limit are errors of a write, not ends of the process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Without the privilege to raise a thread's priority, libdispatch would tell the system's log of each thread.
        setenv("LIBDISPATCH_LOG", "NO", 0)
    }
}
