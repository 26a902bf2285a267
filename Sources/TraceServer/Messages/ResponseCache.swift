internal import HTTPTypes
internal import NIOCore
internal import Synchronization

/// Answers that were made lately, by their tags: as long as nothing changes that an answer is made of, it is made once, however many
/// clients ask for it.
///
/// Only what has a strong tag that follows from all of its ingredients is kept (``TagIngredients``); so there is nothing to be compared
/// once the tag is the same.
final class ResponseCache: Sendable {
    private let state = Mutex(State())

    private struct State {
        var answers: [EntityTag: (answer: Response, lastUse: Int)] = [:]
        var bytes = 0
        var useCount = 0
    }

    private let byteLimit: Int

    /// - Parameter byteLimit: How many bytes of bodies are kept at most; compressed ones beside them are shorter.
    init(byteLimit: Int = 2 << 20) { self.byteLimit = byteLimit }

    /// An answer that was kept.
    subscript(tag: EntityTag) -> Response? {
        state.withLock { state in
            state.useCount += 1
            state.answers[tag]?.lastUse = state.useCount
            return state.answers[tag]?.answer
        }
    }

    /// Keeps an answer, if it has such a tag and is not too long; those that were asked for longest ago go.
    ///
    /// - Returns: The answer as it is sent now, and as it is kept.
    func keep(_ answer: Response, _ tag: EntityTag) -> Response {
        guard !tag.isWeak, answer.status == .ok, case .bytes(let bytes) = answer.body,
            bytes.readableBytes <= byteLimit / 8
        else { return answer }
        var kept = answer
        kept.compressed = CompressedBody()
        state.withLock { state in
            state.useCount += 1
            state.bytes += bytes.readableBytes
            if let old = state.answers.updateValue((kept, state.useCount), forKey: tag) {
                state.bytes -= Int(old.answer.body.length ?? 0)
            }
            while state.bytes > byteLimit,
                let oldest = state.answers.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.answers[oldest.key] = nil
                state.bytes -= Int(oldest.value.answer.body.length ?? 0)
            }
        }
        return kept
    }

    /// How many answers are kept, and the bytes of their bodies.
    var contents: (answers: Int, bytes: Int) { state.withLock { ($0.answers.count, $0.bytes) } }
}

/// The body of an answer that is sent more than once, compressed for the first client that asks for it so.
final class CompressedBody: Sendable {
    private let bytes = Mutex<ByteBuffer?>(nil)

    /// The compressed body.
    ///
    /// - Parameter compress: Makes it; nil if that is impossible now.
    func bytes(_ compress: () -> ByteBuffer?) -> ByteBuffer? {
        if let known = bytes.withLock({ $0 }) { return known }
        let made = compress()
        bytes.withLock { $0 = made }
        return made
    }
}
