internal import NIOCore
internal import RecordFormat

/// A body that ends when the token ends by which it was asked for: what is sent for long is sent to somebody who may still have it.
///
/// The token is looked at before a piece is made, once a second at most. A client that takes nothing gets nothing either.
struct TokenBoundSource: AnswerSource {
    private var source: any AnswerSource
    private let token: ULID
    private let gate: Gate
    private var lastLook = ContinuousClock.now

    private static let interval = Duration.seconds(1)

    init(_ source: any AnswerSource, _ token: ULID, _ gate: Gate) {
        self.source = source
        self.token = token
        self.gate = gate
    }

    mutating func next(atMost size: Int) throws -> ByteBuffer? {
        let now = ContinuousClock.now
        if now - lastLook >= Self.interval {
            guard gate.isAlive(token) else { throw CancellationError() }
            lastLook = now
        }
        return try source.next(atMost: size)
    }
}
