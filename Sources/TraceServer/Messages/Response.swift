internal import HTTPTypes
internal import NIOCore
internal import RecordFormat
internal import TraceFiles
internal import TraceLibrary

/// What a request is answered with.
struct Response: Sendable {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: Body
    /// Of a body that is sent more than once: what it is when it is compressed.
    var compressed: CompressedBody?

    /// What follows the head.
    enum Body: Sendable {
        case none
        /// All of it, in memory.
        case bytes(ByteBuffer)
        /// What is made, or read, while it is sent; `length` in bytes where it is known before.
        case source(any ResponseSource, length: Int64?)
        /// What happens from now on.
        case events(Subscription)

        /// Whether it may be sent for so long that the client's token may end meanwhile.
        var isLong: Bool {
            switch self {
            case .none, .bytes: false
            case .source, .events: true
            }
        }

        /// The number of bytes; nil if it is not known yet.
        var length: Int64? {
            switch self {
            case .none: 0
            case .bytes(let bytes): Int64(bytes.readableBytes)
            case .source(_, let length): length
            case .events: nil
            }
        }
    }

    init(_ status: HTTPResponse.Status = .ok, _ fields: HTTPFields = [:], body: Body = .none) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Text of a type.
    init(_ status: HTTPResponse.Status = .ok, _ type: String, _ bytes: some Sequence<UInt8> & Sendable) {
        self.init(status, [.contentType: type], body: .bytes(ByteBuffer(bytes: bytes)))
    }

    /// One JSON text, as `--json` prints it.
    static func json(_ text: JSONText, _ status: HTTPResponse.Status = .ok) -> Response {
        Response(status, "application/json", text.bytes + [newline])
    }

    /// The answer with all of its body in memory, if that is known to be short: what is read together with the answer costs no other
    /// thread a turn.
    ///
    /// - Throws: What the source throws.
    func gathered(upTo limit: Int64) throws -> Response {
        guard case .source(var source, let length?) = body, length <= limit else { return self }
        var all = ByteBuffer()
        while let piece = try source.next(atMost: max(1, Int(length))) {
            // Nothing is copied of a body of one piece.
            if all.readableBytes == 0 { all = piece } else { all.writeImmutableBuffer(piece) }
        }
        var answer = self
        answer.body = .bytes(all)
        return answer
    }

    /// Nothing but that it is done.
    static let noContent = Response(.noContent)

    /// The answer with a field more.
    func with(_ name: HTTPField.Name, _ value: String?) -> Response {
        var answer = self
        answer.fields[name] = value
        return answer
    }
}

/// A body that is made piece by piece. One piece is asked for at a time, on a thread that may block, and the next only
/// when the client has taken the last one: a slow client holds no thread.
protocol ResponseSource: Sendable {
    /// The next piece; nil at the end.
    ///
    /// - Parameter count: How many bytes are wanted at most, > 0. What makes its pieces out of rows may give more.
    /// - Throws: Any error: the connection is cut, since the head has said that all is well.
    mutating func next(atMost count: Int) throws -> ByteBuffer?
}
