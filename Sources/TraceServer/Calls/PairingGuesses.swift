internal import HTTPTypes
internal import Synchronization
internal import TraceText

/// Wrong pairing codes: five end all codes that wait, and more than ten a minute are not even looked at.
///
/// Source: docs/access.md#pairing.
final class PairingGuesses: Sendable {
    private let state = Mutex(State())
    private static let limit = 5

    private struct State {
        var all = TokenBucket(RateLimit(burst: 10, every: .seconds(6)))
        var wrongCount = 0
    }

    /// Counts an attempt, of any client: codes are so short that all attempts count together.
    ///
    /// - Throws: ``Problem`` with 429.
    func require(_ client: String) throws(Problem) {
        guard let delay = state.withLock({ $0.all.take(1, at: .now) }) else { return }
        throw Problem(
            .tooManyRequests, "too-many-attempts", "too many codes were tried",
            cure: "wait, then try again with the right one", retryAfter: delay)
    }

    /// - Returns: Whether the codes that wait are to end.
    func noteWrong() -> Bool {
        state.withLock { state in
            state.wrongCount += 1
            guard state.wrongCount >= Self.limit else { return false }
            state.wrongCount = 0
            return true
        }
    }

    func noteRight() { state.withLock { $0.wrongCount = 0 } }
}
