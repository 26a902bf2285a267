internal import NIOCore

/// How slow a client may be.
///
/// Source: docs/http.md#limits.
struct ConnectionLimits: Sendable {
    /// All fields of a request together, in bytes.
    static let headerSize = RequestFraming.sizeLimit
    /// How many fields a request may have.
    static let headerCount = RequestFraming.countLimit

    /// Within this the head of a request is whole, from the connection's start on.
    var head = TimeAmount.seconds(10)
    /// How long a connection may rest between two requests.
    var idle = TimeAmount.seconds(75)
    /// In each such period a body that is waited for brings ``bodyBytes``.
    var bodyPeriod = TimeAmount.seconds(10)
    /// At least 1 KiB a second.
    var bodyBytes = 10 * 1024
    /// Within this a client takes some of what it is sent.
    var stall = TimeAmount.seconds(120)
    /// How long a client may go on sending what is not read any more, before the connection is cut.
    var linger = TimeAmount.seconds(1)
}
