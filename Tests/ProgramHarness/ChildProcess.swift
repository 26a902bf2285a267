internal import Dispatch
package import Foundation
internal import Synchronization
internal import TestSupport

/// A child process; `posix_spawn` itself, because Foundation's passes on arguments as strings only.
package struct ChildProcess: Sendable {
    /// Its process id.
    package let id: pid_t
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
        // The threads that run tests block signals, and a child would go on to do so.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var id = pid_t()
        let failure = posix_spawn(
            &id, "/usr/bin/env", &actions, &attributes, arguments.pointers, environment.pointers)
        guard failure == 0 else {
            throw NeverCameTrue(what: "\(program) runs: \(String(cString: strerror(failure)))")
        }
        self.id = id
        name = program
    }

    /// Ends it as a power cut would.
    package func end() {
        kill(id, SIGKILL)
        _ = try? wait()
    }

    /// Waits for its end; one that does not come is brought about.
    ///
    /// - Returns: The exit status, or 128 and the signal.
    package func wait(atMost limit: Duration = waitLimit) throws -> Int32 {
        let state = WaitState()
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + .milliseconds(Int(limit / .milliseconds(1))))
        timer.setEventHandler { [id] in state.end { kill(id, SIGKILL) } }
        timer.activate()
        defer { timer.cancel() }
        // Its end is only looked at, so that its number is nobody else's until the timer can't come any more.
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        let isLate = !state.end {}
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        if isLate { throw NeverCameTrue(what: "\(name) ends within \(limit)") }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// Whether a wait is over, by whichever comes first: the end, or the time by which it had to come.
private final class WaitState: Sendable {
    private let isOver = Mutex(false)

    /// - Returns: Whether this came first; `body` is run then.
    @discardableResult
    func end(_ body: () -> Void) -> Bool {
        isOver.withLock { isOver in
            guard !isOver else { return false }
            isOver = true
            body()
            return true
        }
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
