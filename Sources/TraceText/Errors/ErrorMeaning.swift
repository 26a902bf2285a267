/// What an error means to those who don't read its words.
///
/// Source: docs/errors.md.
public struct ErrorMeaning: Sendable, Hashable {
    /// How a write fares that ends with it.
    public enum Fate: Sendable, Hashable {
        /// The write, or the way it was requested, is wrong: the caller gets the error, and nothing is kept.
        case refused
        /// Its place can't be reached or written now: it may wait in the queue.
        case waits
        /// Another process was using it: the same again can succeed, and it may wait in the queue meanwhile.
        case again

        /// Whether what was to be written may wait in the queue.
        public var mayWait: Bool { self != .refused }
    }

    /// The status of the answer to a request that ends with it, 400 to 507.
    public let http: Int
    /// The same for a request that only reads.
    public let httpOfQuestion: Int
    /// The exit status of a command that ends with it.
    public let exit: ExitStatus
    /// How a write fares that ends with it.
    public let fate: Fate

    /// A meaning of its parts.
    public init(http: Int, ofQuestion: Int? = nil, exit: ExitStatus, _ fate: Fate) {
        self.http = http
        httpOfQuestion = ofQuestion ?? http
        self.exit = exit
        self.fate = fate
    }

    /// What has no meaning of its own: something failed on this machine.
    public static let failure = ErrorMeaning(http: 500, exit: .inputOutput, .refused)
}

/// Exit statuses (sysexits.h; 128 + SIGINT after an interrupt).
public enum ExitStatus: Int32, Sendable {
    /// The answer is no.
    case negative = 1
    /// The command line is wrong.
    case usage = 64
    /// What a file or a record says can't be used.
    case badData = 65
    /// No such session, journal or record.
    case noSession = 66
    /// A program that is needed is not installed.
    case unavailable = 69
    /// What is to be made is there already.
    case cannotCreate = 73
    /// Reading or writing failed.
    case inputOutput = 74
    /// It is in use by another process.
    case tryAgain = 75
    /// Permission is missing.
    case permission = 77
    /// The configuration is wrong.
    case configuration = 78
    /// Interrupted.
    case stopped = 130
}
