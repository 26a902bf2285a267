package import TraceFiles
package import TraceText

/// The kinds of failure of what says who gets in and what they may see.
package enum AccessErrorCode: String, ErrorCode {
    /// A file or directory of the state.
    package typealias Place = FileLocation

    /// What was given as a token can't be one.
    case tokenMalformed = "token-malformed"
    /// What was given as a token has a typing error: its checksum does not match.
    case tokenMistyped = "token-mistyped"
    /// The file of a token can't be read, so the token lets nobody in.
    case tokenDamaged = "token-damaged"
    /// No token is named so.
    case noSuchToken = "no-such-token"
    /// Several tokens are named so.
    case ambiguousToken = "ambiguous-token"
    /// Another token that lets somebody in has the name.
    case tokenNameTaken = "token-name-taken"
    /// What was given as a pairing code can't be one.
    case pairingCodeMalformed = "pairing-code-malformed"
    /// No pairing waits for this code: it is wrong, used or expired. Which of these is not said.
    case pairingCodeRefused = "pairing-code-refused"
    /// The key of links can't be used.
    case linkKeyDamaged = "link-key-damaged"
    /// Everybody on the machine could add tokens, so none lets anybody in.
    case accessExposed = "access-exposed"

    /// See docs/errors.md.
    package var meaning: ErrorMeaning {
        switch self {
        case .tokenMalformed, .tokenMistyped, .pairingCodeMalformed, .pairingCodeRefused, .linkKeyDamaged:
            ErrorMeaning(http: 500, exit: .inputOutput, .refused)
        case .tokenDamaged:
            ErrorMeaning(http: 500, exit: .badData, .refused)
        case .noSuchToken:
            ErrorMeaning(http: 404, exit: .noSession, .refused)
        case .ambiguousToken:
            ErrorMeaning(http: 409, exit: .usage, .refused)
        case .tokenNameTaken:
            ErrorMeaning(http: 409, exit: .cannotCreate, .refused)
        case .accessExposed:
            ErrorMeaning(http: 500, exit: .permission, .refused)
        }
    }
}

/// A failure of tokens, pairings or links for a reason that is not in a file system.
package typealias AccessError = CodedError<AccessErrorCode>
