internal import NIOCore
internal import NIOHTTPTypes

/// What one connection is waiting for, and since when: shared by the two handlers that watch its bytes and its messages, both
/// of which run on the connection's event loop only.
final class ConnectionPulse {
    /// Who has to do the next step.
    enum Phase {
        /// The client: the first bytes of a request, or the rest of its head.
        case head(since: NIODeadline)
        /// The client: a body of which so many bytes have come in this period.
        case body(since: NIODeadline, bytes: Int)
        /// The server: it answers, or does not want the rest of the body yet.
        case answer
        /// Nobody: the answer was the last one.
        case closing(since: NIODeadline)
    }

    let limits: ConnectionLimits
    private(set) var phase: Phase
    private var isFirst = true
    /// Whether more bytes were asked for than have come.
    private var isReading = false
    private var isBodyWhole = true
    /// Bytes that the socket has not taken and that it has, as of the last look, and when it was first seen that it had taken some.
    private var unsentBytes = 0
    private var sentBytes = 0
    private var lastSent: NIODeadline

    init(_ limits: ConnectionLimits, now: NIODeadline) {
        self.limits = limits
        phase = .head(since: now)
        lastSent = now
    }

    // MARK: - What the bytes tell

    func noteRead() { isReading = true }

    func noteReceived(_ count: Int) {
        isReading = false
        if case .body(let since, let bytes) = phase { phase = .body(since: since, bytes: bytes + count) }
    }

    /// Notes how many of the bytes that were written so far the socket has not taken yet.
    func noteUnsent(_ unsent: Int, of written: Int, now: NIODeadline) {
        if unsentBytes == 0 || written - unsent > sentBytes { lastSent = now }
        unsentBytes = unsent
        sentBytes = written - unsent
    }

    // MARK: - What the messages tell

    func noteRequest(_ part: HTTPRequestPart, now: NIODeadline) {
        if case .closing = phase { return }
        switch part {
        case .head:
            isBodyWhole = false
            phase = .body(since: now, bytes: 0)
        case .body: break
        case .end:
            isBodyWhole = true
            phase = .answer
        }
    }

    /// An answer is written whole.
    ///
    /// - Parameter isLast: Whether the connection ends with it.
    func noteAnswered(isLast: Bool, now: NIODeadline) {
        isFirst = false
        if isLast {
            phase = .closing(since: now)
        } else {
            phase = isBodyWhole ? .head(since: now) : .body(since: now, bytes: 0)
        }
    }

    /// Whether the socket had not taken all, as of the last look.
    var hasUnsent: Bool { unsentBytes > 0 }

    var isClosing: Bool { if case .closing = phase { true } else { false } }

    // MARK: - What follows

    /// Whether the client has been too slow.
    func isOverdue(at now: NIODeadline) -> Bool {
        if unsentBytes > 0, lastSent + limits.stall <= now { return true }
        switch phase {
        case .head(let since): return since + (isFirst ? limits.head : limits.idle) <= now
        case .body(let since, let bytes):
            guard isReading else {
                // The server has not asked for more.
                phase = .body(since: now, bytes: 0)
                return false
            }
            guard since + limits.bodyPeriod <= now else { return false }
            if bytes < limits.bodyBytes { return true }
            phase = .body(since: now, bytes: 0)
            return false
        case .answer: return false
        case .closing(let since): return unsentBytes == 0 && since + limits.linger <= now
        }
    }
}
