import NIOCore

@testable import TraceServer

/// Hands out its bytes in pieces of one size, whatever is asked for.
struct Pieces: ResponseSource {
    struct Failure: Error {}

    var rest: [UInt8]
    let size: Int
    var failsAtEnd = false

    mutating func next(atMost _: Int) throws -> ByteBuffer? {
        guard !rest.isEmpty else {
            if failsAtEnd { throw Failure() }
            return nil
        }
        defer { rest.removeFirst(min(size, rest.count)) }
        return ByteBuffer(bytes: rest.prefix(size))
    }
}
