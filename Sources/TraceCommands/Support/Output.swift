internal import Glibc
internal import RecordFormat
internal import Synchronization
internal import TraceText

/// What a command says: answers on standard output, everything else on standard error. Nothing else writes there.
///
/// What others wrote (labels, names of files, arguments, settings) is never obeyed by a terminal. Text for people is a
/// ``TerminalText``, wherever it goes; data for programs is exact in a pipe and in a file, and made visible on a terminal.
enum Output {
    /// A line of text.
    static func line(_ text: String) { lines(CollectionOfOne(text)) }

    /// Text that has its line breaks.
    static func text(_ text: TerminalText) { write(Array(text.text.utf8), to: STDOUT_FILENO) }

    /// An offset or a length in a line: a clock for a person at a terminal, else milliseconds.
    static func length(_ offset: SessionOffset) -> String {
        isTerminal ? offset.tenths : "\(offset.milliseconds)ms"
    }

    /// Lines of text, of which many are written at a time.
    static func lines(_ texts: some Sequence<String>) { lines(texts.lazy.map { TerminalText($0) }) }

    static func lines(_ texts: some Sequence<TerminalText>) {
        var bytes: [UInt8] = []
        for text in texts {
            bytes += text.text.utf8
            bytes.append(0x0A)
            guard bytes.count >= OutputBuffer.pieceSize else { continue }
            write(bytes, to: STDOUT_FILENO)
            bytes.removeAll(keepingCapacity: true)
        }
        write(bytes, to: STDOUT_FILENO)
    }

    /// Data for programs, whole characters of it, without a line break of its own.
    ///
    /// - Parameter escape: How a terminal gets the characters that it would obey; nil for what is ``TerminalText`` and nothing
    ///   else, and so holds none but our own styles.
    static func raw(_ bytes: [UInt8], as escape: VisibleText.Escape? = .braces) {
        guard isTerminal, let escape else { return write(bytes, to: STDOUT_FILENO) }
        write(VisibleText.escaped(bytes, as: escape), to: STDOUT_FILENO)
    }

    /// As ``raw(_:as:)``, data that `write` hands out piece by piece; it is left where nobody reads standard output any more.
    static func pieces(
        as escape: VisibleText.Escape? = .braces, _ write: (_ take: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        do {
            try write { piece in
                raw(piece, as: escape)
                if isClosed { throw OutputClosed() }
            }
        } catch is OutputClosed {}
    }

    /// Standard output was closed, so the rest is not needed.
    private struct OutputClosed: Error {}

    /// A JSON text on a line; a terminal gets another spelling of the same value.
    static func json(_ text: JSONText) { raw(text.bytes + [0x0A], as: .json) }

    /// A JSON array on a line, of which no more is held than a piece.
    static func json(_ elements: some Sequence<JSONText>) {
        var buffer = JSONArrayBuffer()
        for element in elements { buffer.add(element) }
        buffer.finish()
    }

    // MARK: - What has been done

    private static let completedAction = Mutex<String?>(nil)

    /// Notes what the command has written for good, before it says so: if standard output can't take that, the error does, so
    /// that nobody repeats the command.
    static func note(done line: String) { completedAction.withLock { $0 = line } }

    /// Says what the command has written for good: by a line, or by `json` where that is asked for.
    static func done(_ line: String, _ json: JSONText? = nil) {
        note(done: line)
        if let json { Self.json(json) } else { Self.line(line) }
    }

    /// As ``done(_:_:)``, with the members that `body` adds to an object.
    static func done(_ line: String, asJSON: Bool, _ body: (inout JSONObjectText) -> Void) {
        done(line, asJSON ? .object(body) : nil)
    }

    /// A line for the person at the terminal.
    static func error(_ text: String) { prompt("\(text)\n") }

    /// A question for the person at the terminal, who answers on the same line.
    static func prompt(_ text: String) {
        write(Array(TerminalText(ArgumentBytes.shown(text)).text.utf8), to: STDERR_FILENO)
    }

    /// Draws a line over the one that was drawn last; nothing takes that away.
    static func redraw(_ text: String) {
        write(Array("\r\(TerminalText(text).text)\u{1B}[K".utf8), to: STDERR_FILENO)
    }

    // MARK: - Styles

    /// Whether colours and bold type are wanted.
    enum ColorChoice: UInt8 {
        case auto, always, never
    }

    private static let colorChoice = Atomic(ColorChoice.auto.rawValue)

    /// Says what the command line asks for.
    static func use(_ choice: ColorChoice) { colorChoice.store(choice.rawValue, ordering: .relaxed) }

    /// Whether answers are styled: as `--color` says, else not with NO_COLOR, else with CLICOLOR_FORCE, else on a terminal
    /// that can.
    ///
    /// Source: no-color.org; bixense.com/clicolors.
    static var isStyled: Bool {
        switch ColorChoice(rawValue: colorChoice.load(ordering: .relaxed)) {
        case .always: return true
        case .never: return false
        default: break
        }
        if isSet("NO_COLOR") { return false }
        if isSet("CLICOLOR_FORCE"), getenv("CLICOLOR_FORCE").map({ strcmp($0, "0") }) != 0 { return true }
        return isTerminal && (getenv("TERM").map { strcmp($0, "dumb") != 0 } ?? false)
    }

    private static func isSet(_ variable: String) -> Bool {
        getenv(variable).map { $0.pointee != 0 } ?? false
    }

    /// Columns of the terminal, 80 where there is none.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private static var rows: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
        return Int(size.ws_row)
    }

    /// Whether standard output is a terminal.
    static let isTerminal = isatty(STDOUT_FILENO) == 1

    // MARK: - Pages

    /// The destination of paged output.
    private enum Page {
        /// It may fit on the screen still.
        case gathered([UInt8], lines: Int, program: String)
        case shown(by: Pager)
    }

    /// Nil if everything is printed at once.
    private static let page = Mutex<Page?>(nil)

    /// Shows what `body` prints page by page, where standard output is a terminal, a pager is wanted and it does not fit.
    static func paged(_ isWanted: Bool, _ body: () throws -> Void) rethrows {
        guard isWanted, isTerminal, let program = Pager.program else { return try body() }
        page.withLock { $0 = .gathered([], lines: 0, program: program) }
        defer {
            let rest = page.withLock { page -> [UInt8]? in
                defer { page = nil }
                switch page {
                case .gathered(let bytes, _, _): return bytes
                case .shown(let pager): return pager.finish()
                case nil: return nil
                }
            }
            if let rest { write(rest, to: STDOUT_FILENO) }
        }
        try body()
    }

    /// Adds to what is shown page by page, which goes to the pager as soon as it does not fit on the screen.
    ///
    /// - Returns: What is to be printed at once.
    private static func paged(_ bytes: [UInt8]) -> [UInt8] {
        page.withLock { page in
            switch page {
            case nil: return bytes
            case .gathered(let before, let lines, let program):
                let all = before + bytes
                let lines = lines + bytes.count { $0 == 0x0A }
                guard lines >= rows || all.count > longestScreen else {
                    page = .gathered(all, lines: lines, program: program)
                    return []
                }
                guard let pager = Pager(program) else {
                    page = nil
                    return all
                }
                page = .shown(by: pager)
                return hand(all, to: pager, &page)
            case .shown(let pager): return hand(bytes, to: pager, &page)
            }
        }
    }

    private static func hand(_ bytes: [UInt8], to pager: Pager, _ page: inout Page?) -> [UInt8] {
        if pager.take(bytes) { return [] }
        page = nil
        if let unread = pager.finish() { return unread }
        // The user has seen enough.
        hasReaders.store(false, ordering: .relaxed)
        return []
    }

    /// No screen shows more bytes at once.
    private static let longestScreen = 1 << 20

    // MARK: - Descriptors

    private static let hasReaders = Atomic(true)

    /// Whether nobody reads standard output any more.
    static var isClosed: Bool { !hasReaders.load(ordering: .relaxed) }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        var rest = (descriptor == STDOUT_FILENO ? paged(bytes) : bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                // Nobody reads any more (a closed pipe): what is left is not wanted.
                if descriptor == STDOUT_FILENO, errno != EPIPE { leave(unableToWrite: errno) }
                if descriptor == STDOUT_FILENO { hasReaders.store(false, ordering: .relaxed) }
                return
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func leave(unableToWrite cause: Int32) -> Never {
        let hint = completedAction.withLock(\.self).map {
            "don't repeat the command, it has completed: \($0.oneLine)"
        }
        CommandFailure(
            .inputOutput, "cannot write to standard output: \(String(cString: strerror(cause)))",
            cure: hint.map { Cure($0) }
        ).tell()
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
