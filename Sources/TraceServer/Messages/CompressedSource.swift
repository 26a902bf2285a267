internal import NIOCore
internal import Synchronization

/// A body that is compressed while it is sent, in memory that does not grow with it.
final class CompressedSource: ResponseSource {
    private let state: Mutex<State>

    private struct State {
        var source: any ResponseSource
        /// Nil once all is compressed.
        var stream: GzipStream?
    }

    /// - Returns: Nil if there is no memory to compress in.
    init?(_ source: any ResponseSource) {
        guard let stream = GzipStream() else { return nil }
        state = Mutex(State(source: source, stream: stream))
    }

    func next(atMost count: Int) throws -> ByteBuffer? {
        try state.withLock { state in
            guard let stream = state.stream else { return nil }
            var output = ByteBuffer()
            while true {
                guard let piece = try state.source.next(atMost: count) else {
                    try stream.add(ByteBuffer(), isLast: true, to: &output)
                    state.stream = nil
                    return output
                }
                try stream.add(piece, isLast: false, to: &output)
                // A piece may be too short for anything to come out yet.
                if output.readableBytes > 0 { return output }
            }
        }
    }
}
