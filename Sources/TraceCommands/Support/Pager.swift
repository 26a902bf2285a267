internal import Glibc

/// The pager for long output, on a terminal only.
final class Pager {
    /// The program that is used: TRACE_PAGER, else PAGER, else less; nil if the user wants none.
    static var program: String? {
        for name in ["TRACE_PAGER", "PAGER"] {
            guard let value = getenv(name) else { continue }
            let program = String(cString: value)
            return program.isEmpty || program == "cat" ? nil : program
        }
        return "less"
    }

    private let stream: UnsafeMutablePointer<FILE>
    private let oldHandler: sighandler_t?
    /// All that was handed over, as long as nothing tells that the program has read of it; else nil.
    private var unread: [UInt8]? = []
    private var accepted = 0

    /// How many bytes a pipe takes that nobody reads.
    private static let pipeCapacity = 64 << 10

    /// Starts a program; nil if that can't be done.
    init?(_ program: String) {
        // Short answers stay on the screen, colours are shown, and the screen is left as it is.
        setenv("LESS", "FRX", 0)
        guard let stream = popen(program, "w") else { return nil }
        self.stream = stream
        // The pager's keys are its own affair.
        oldHandler = signal(SIGINT, SIG_IGN)
    }

    /// Hands over bytes, and waits until the program has room for them.
    ///
    /// - Returns: False if it has ended; ``finish()`` says what is to be done then.
    func take(_ bytes: [UInt8]) -> Bool {
        unread? += bytes
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(fileno(stream), $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            rest = rest.dropFirst(count)
            accepted += count
        }
        if accepted > Self.pipeCapacity { unread = nil }
        return true
    }

    /// Waits until the user has seen enough.
    ///
    /// - Returns: What was handed over where there is no such program, else nil.
    func finish() -> [UInt8]? {
        let status = pclose(stream)
        signal(SIGINT, oldHandler)
        // How a shell says that it found no such program.
        return status >= 0 && (status >> 8) & 0xFF != 127 ? nil : unread
    }
}
