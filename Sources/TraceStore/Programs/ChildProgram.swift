internal import Glibc
package import SystemPackage
internal import TraceFiles

/// A running program in a process group of its own: what it is fed goes to its standard input, what it prints comes from
/// its standard output.
///
/// It blocks its thread until the program has ended; `trace` has no other.
package struct ChildProgram: ~Copyable {
    private let process: pid_t
    /// Can be read once the program has ended (pidfd_open(2)); nil where the system has none to give.
    private let ending: OpenFile?
    /// Our ends of its pipes; nil once nothing comes or goes through them any more.
    private var input: OpenFile?
    private var output: OpenFile?
    private var errors: OpenFile?
    private let options: Options

    /// How long a program that was asked to end (SIGTERM) has until it is killed.
    static let grace = Duration.seconds(5)

    /// What a program is given, and what is taken of it.
    package struct Options {
        /// The most bytes that are taken of what it prints.
        var outputLimit: Int
        /// Whether what it says on standard error is collected, the last of it, rather than passed through.
        var gathersErrors: Bool
        /// How much other programs come first, as of nice(1).
        var niceness: Int32
        /// How long a program that somebody is just writing is waited for.
        var installationLimit: Duration
        /// What it may reach, if that is not all that we may.
        var confinement: Confinement?

        /// Options from their parts, each of which has a value that suits most programs.
        package init(
            outputLimit: Int = 1 << 20, gathersErrors: Bool = false, niceness: Int32 = 0,
            installationLimit: Duration = .seconds(1), confinement: Confinement? = nil
        ) {
            self.outputLimit = outputLimit
            self.gathersErrors = gathersErrors
            self.niceness = niceness
            self.installationLimit = installationLimit
            self.confinement = confinement
        }
    }

    /// How a program ended.
    package enum End: Equatable {
        /// By itself, with this status.
        case exited(Int32)
        /// By a signal of this number.
        case signalled(Int32)
        /// It took too long, and was ended.
        case timedOut
        /// It printed too much, and was ended.
        case tooMuchOutput
        /// The caller was stopped.
        case stopped
    }

    /// - Parameter program: Is looked for in PATH where it has no slash.
    /// - Throws: The kernel's answer; ENOENT if it was not found.
    package init(_ program: FilePath, arguments: [FilePath], options: Options = Options()) throws(Errno) {
        self.options = options
        let stdin = try Pipe()
        let stdout = try Pipe()
        let stderr = options.gathersErrors ? try Pipe() : nil
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, stdin.reading.descriptor, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, stdout.writing.descriptor, STDOUT_FILENO)
        switch stderr {
        case .some(let pipe):
            posix_spawn_file_actions_adddup2(&actions, pipe.writing.descriptor, STDERR_FILENO)
        case nil: break
        }
        // Under its own number too, it is not closed in the program (posix_spawn(3)).
        for file in options.confinement?.files ?? [] {
            posix_spawn_file_actions_adddup2(&actions, file.descriptor, file.descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What we ignore or catch is the program's own affair, and so is its group, which we can end as a
        // whole.
        var all = sigset_t()
        sigfillset(&all)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        process = try Self.spawn(program, arguments, &actions, &attributes, options)
        if options.niceness != 0 {
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process), options.niceness)
        }
        let descriptor = GNUCall.pidfdOpen?(process, 0) ?? -1
        ending = descriptor < 0 ? nil : OpenFile(adopting: descriptor)
        input = stdin.takeWriting().nonblocking()
        output = stdout.takeReading().nonblocking()
        switch consume stderr {
        case .some(let pipe): errors = pipe.takeReading().nonblocking()
        case nil: errors = nil
        }
    }

    private static func spawn(
        _ program: FilePath, _ arguments: [FilePath], _ actions: inout posix_spawn_file_actions_t,
        _ attributes: inout posix_spawnattr_t, _ options: Options
    ) throws(Errno) -> pid_t {
        var child = pid_t()
        var place = program
        if options.confinement != nil {
            // What is to be allowed must be known beforehand.
            guard let found = ProgramSearch.find(program.string) else { throw .noSuchFileOrDirectory }
            place = found
        }
        // Sound: the copies of the strings live until they are freed below; the array ends with null.
        let strings = ([program] + arguments).map { $0.withPlatformString { strdup($0) } } + [nil]
        defer { for string in strings { free(string) } }
        var answer: Int32 = 0
        var retry = RetryDeadline(timeout: options.installationLimit)
        repeat {
            func start() -> Int32 {
                place.withPlatformString {
                    posix_spawnp(&child, $0, &actions, &attributes, strings, environ)
                }
            }
            answer =
                if let confinement = options.confinement { try confinement.starting(place, start) } else {
                    start()
                }
            // Somebody still has it open for writing: the one who is just installing it, or a child of
            // theirs.
        } while answer == ETXTBSY && retry.pause()
        guard answer == 0 else { throw Errno(rawValue: answer) }
        return child
    }

    /// The outcome of a program.
    package struct Outcome {
        /// How it ended.
        package var end: End
        /// What it printed.
        package var output: [UInt8] = []
        /// The last of what it said on standard error, where that was collected.
        package var errors: [UInt8] = []
    }

    /// Feeds the program, collects what it says, and waits for its end; kills its group where it must.
    ///
    /// - Parameters:
    ///   - timeout: Nil if it may take as long as it likes.
    ///   - onOutput: Takes what it prints, piece by piece, instead of having it collected.
    ///   - shouldStop: Is asked when a signal has come, when the program says something, and once a second; if so the program
    ///   is ended.
    package mutating func run(
        feeding bytes: [UInt8] = [], timeout: Duration? = nil, onOutput: (([UInt8]) -> Void)? = nil,
        shouldStop: () -> Bool
    ) throws(Errno) -> Outcome {
        var unsent = bytes[...]
        var outcome = Outcome(end: .stopped)
        var deadline = timeout.map { ContinuousClock.now + $0 }
        var verdict: End?
        while true {
            feed(&unsent)
            try gather(&outcome, onOutput)
            let hasEnded = hasEnded()
            if hasEnded { try gather(&outcome, onOutput) }
            let isLate = deadline.map { ContinuousClock.now >= $0 } ?? false
            let isEnding = verdict != nil
            if verdict == nil, outcome.output.count > options.outputLimit { verdict = .tooMuchOutput }
            if hasEnded {
                outcome.end = reap(verdict)
                return outcome
            }
            if verdict == nil, shouldStop() { verdict = .stopped }
            if verdict == nil, isLate { verdict = .timedOut }
            if verdict != nil, !isEnding {
                kill(-process, SIGTERM)
                deadline = .now + Self.grace
            } else if isEnding, isLate {
                kill(-process, SIGKILL)
                deadline = nil
            }
            wait(until: deadline)
        }
    }

    /// How long nobody looks whether to stop: a signal can come just before the wait begins, and then does not end it.
    private static let longestWait = Duration.seconds(1)
    /// How long nobody looks whether the program has ended where nothing tells.
    private static let lookPause = Duration.milliseconds(20)

    /// Waits until the program has said something, can take more input or has ended, or a signal comes, but not beyond `deadline`.
    private func wait(until deadline: ContinuousClock.Instant?) {
        var longest = ending == nil ? Self.lookPause : Self.longestWait
        if let deadline { longest = min(longest, max(.zero, deadline - .now)) }
        // Those without a descriptor are skipped (poll(2)).
        var waits = [
            pollfd(fd: Self.descriptor(of: ending), events: Int16(POLLIN), revents: 0),
            pollfd(fd: Self.descriptor(of: output), events: Int16(POLLIN), revents: 0),
            pollfd(fd: Self.descriptor(of: errors), events: Int16(POLLIN), revents: 0),
            pollfd(fd: Self.descriptor(of: input), events: Int16(POLLOUT), revents: 0),
        ]
        _ = poll(&waits, nfds_t(waits.count), Int32((longest / .milliseconds(1)).rounded(.up)))
    }

    /// - Returns: −1 where there is none.
    private static func descriptor(of file: borrowing OpenFile?) -> Int32 {
        switch file {
        case .some(let file): file.descriptor
        case nil: -1
        }
    }

    private mutating func feed(_ unsent: inout ArraySlice<UInt8>) {
        while input != nil {
            let descriptor = Self.descriptor(of: input)
            // Sound: the slice lends its elements for the length of the call.
            let count =
                unsent.isEmpty ? 0 : unsent.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            if count > 0 { unsent = unsent.dropFirst(count) }
            // All is said, or nobody listens (EPIPE), which is not a failure: not every program reads its inputs.
            if unsent.isEmpty || count < 0 { input = nil }
        }
    }

    private mutating func gather(_ outcome: inout Outcome, _ onOutput: (([UInt8]) -> Void)?) throws(Errno) {
        let limit = options.outputLimit
        try Self.read(&output) { piece in
            if let onOutput { onOutput(piece) } else { outcome.output += piece }
            return outcome.output.count <= limit
        }
        try Self.read(&errors) { piece in
            outcome.errors = (outcome.errors + piece).suffix(1 << 14)
            return true
        }
    }

    /// Reads what there is now, and closes what has ended.
    ///
    /// - Parameter take: Gets each piece, and says whether it wants more; if not, the program is no longer listened to.
    private static func read(_ file: inout OpenFile?, _ take: ([UInt8]) -> Bool) throws(Errno) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while file != nil {
            let descriptor = descriptor(of: file)
            // Sound: the array lends its elements for the length of the call.
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            if count < 0 { throw Errno(rawValue: errno) }
            if count == 0 || !take(Array(buffer.prefix(count))) { file = nil }
        }
    }

    /// Whether the program has ended. It is not reaped yet, so that its number can't become another's.
    private func hasEnded() -> Bool {
        var info = siginfo_t()
        let answer = waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT)
        return answer == 0 && info.si_signo == SIGCHLD
    }

    /// Takes the program's status, and ends what is left of its group where it did not end well.
    private func reap(_ verdict: End?) -> End {
        if verdict != nil { kill(-process, SIGKILL) }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        if let verdict { return verdict }
        return status & 0x7F == 0 ? .exited((status >> 8) & 0xFF) : .signalled(status & 0x7F)
    }
}

/// A pipe whose ends are closed in other programs.
private struct Pipe: ~Copyable {
    let reading: OpenFile
    let writing: OpenFile

    init() throws(Errno) {
        var ends: [Int32] = [-1, -1]
        _ = try retrying { pipe(&ends) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        reading = OpenFile(adopting: ends[0])
        writing = OpenFile(adopting: ends[1])
    }

    consuming func takeReading() -> OpenFile { reading }

    consuming func takeWriting() -> OpenFile { writing }
}

extension OpenFile {
    fileprivate consuming func nonblocking() -> OpenFile {
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return self
    }
}
