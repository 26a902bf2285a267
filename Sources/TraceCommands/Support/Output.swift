internal import Glibc
internal import TraceFormat

/// What a command says: data on standard output, everything else on standard error.
enum Output {
    /// A line of data.
    static func line(_ text: String) { write(Array(text.utf8) + [0x0A], to: STDOUT_FILENO) }

    /// Lines of data, of which many are written at a time.
    static func lines(_ texts: some Sequence<String>) {
        var bytes: [UInt8] = []
        for text in texts {
            bytes += text.utf8
            bytes.append(0x0A)
            guard bytes.count >= pieceSize else { continue }
            write(bytes, to: STDOUT_FILENO)
            bytes.removeAll(keepingCapacity: true)
        }
        write(bytes, to: STDOUT_FILENO)
    }

    /// How many bytes of lines are gathered before they are written.
    private static let pieceSize = 64 << 10

    /// Data as it is, without a line break of its own.
    static func raw(_ bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

    /// A JSON text on a line.
    static func json(_ text: JSONText) { write(text.bytes + [0x0A], to: STDOUT_FILENO) }

    /// A line for the person at the terminal.
    static func error(_ text: String) { write(Array(text.utf8) + [0x0A], to: STDERR_FILENO) }

    /// A question for the person at the terminal, who answers on the same line.
    static func prompt(_ text: String) { write(Array(text.utf8), to: STDERR_FILENO) }

    /// Whether standard output is a terminal that wants styles.
    static var isStyled: Bool {
        guard isatty(STDOUT_FILENO) == 1, getenv("NO_COLOR") == nil else { return false }
        return getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false
    }

    /// Columns of the terminal, 80 where there is none.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Whether standard output is a terminal.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                // Nobody reads any more (a closed pipe): what is left is not wanted.
                if descriptor == STDOUT_FILENO, errno != EPIPE { leave(unableToWrite: errno) }
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func leave(unableToWrite cause: Int32) -> Never {
        error("error: cannot write to standard output: \(String(cString: strerror(cause)))")
        exit(ExitStatus.inputOutput.rawValue)
    }

    /// Gives a standard descriptor that is closed to nobody, so that no file gets its number and what is said
    /// into it.
    static func keepStandardDescriptors() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is this one. Reading only: what is written to standard output fails, as
            // it did.
            _ = open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
