package import TraceFiles

extension FileError.Code {
    /// What was given as a token can't be one.
    package static let tokenMalformed = FileError.Code(rawValue: "token-malformed")
    /// What was given as a token has a typing error: its checksum does not match.
    package static let tokenMistyped = FileError.Code(rawValue: "token-mistyped")
    /// The file of a token can't be read, so the token lets nobody in.
    package static let tokenDamaged = FileError.Code(rawValue: "token-damaged")
    /// No token is named so.
    package static let noSuchToken = FileError.Code(rawValue: "no-such-token")
    /// Several tokens are named so.
    package static let ambiguousToken = FileError.Code(rawValue: "ambiguous-token")
    /// What was given as a pairing code can't be one.
    package static let pairingCodeMalformed = FileError.Code(rawValue: "pairing-code-malformed")
    /// No pairing waits for this code: it is wrong, used or expired. Which of these is not said.
    package static let pairingCodeRefused = FileError.Code(rawValue: "pairing-code-refused")
    /// The key of links can't be used.
    package static let linkKeyDamaged = FileError.Code(rawValue: "link-key-damaged")
    /// Everybody on the machine could add tokens, so none lets anybody in.
    package static let accessExposed = FileError.Code(rawValue: "access-exposed")
}
