package import TraceText

/// Why a question has no answer.
package enum PracticeRefusalCode: String, ErrorCode {
    /// No game is meant, or several are.
    case noSuchGame = "no-such-game"
    /// No row is meant, or several are.
    case noSuchRow = "no-such-row"
    /// What is asked of a league is not in its tables; no name that is redacted is in the message.
    case notInLeague = "not-in-league"
    /// A player is to be named.
    case nobodyNamed = "parameter-missing"

    /// See docs/errors.md.
    package var meaning: ErrorMeaning {
        switch self {
        case .noSuchGame, .noSuchRow, .notInLeague: ErrorMeaning(http: 404, exit: .noSession, .refused)
        case .nobodyNamed: ErrorMeaning(http: 400, exit: .usage, .refused)
        }
    }
}

/// A question that has no answer: what it is about is not there.
typealias PracticeRefusal = CodedError<PracticeRefusalCode>
