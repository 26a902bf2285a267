package import TraceText

/// Why a question has no answer.
package enum PracticeRefusalCode: String, ErrorCode {
    /// No game is meant.
    case noSuchGame = "no-such-game"
    /// No row is meant.
    case noSuchRow = "no-such-row"
    /// Several games may be meant.
    case gameAmbiguous = "game-ambiguous"
    /// Several groups may be meant.
    case groupAmbiguous = "group-ambiguous"
    /// Several rows are meant.
    case rowAmbiguous = "row-ambiguous"
    /// What is asked of a league is not in its tables; no name that is redacted is in the message.
    case notInLeague = "not-in-league"
    /// A player is to be named.
    case nobodyNamed = "parameter-missing"

    /// See docs/errors.md.
    package var meaning: ErrorMeaning {
        switch self {
        case .noSuchGame, .noSuchRow, .notInLeague: ErrorMeaning(http: 404, exit: .noSession, .refused)
        case .gameAmbiguous, .groupAmbiguous, .rowAmbiguous: ErrorMeaning(http: 409, exit: .usage, .refused)
        case .nobodyNamed: ErrorMeaning(http: 400, exit: .usage, .refused)
        }
    }
}

/// A question that has no answer: what it is about is not there.
typealias PracticeRefusal = CodedError<PracticeRefusalCode>
