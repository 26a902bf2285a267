package import TraceText

/// The kinds of failure of a request's protocol elements.
package enum ProtocolErrorCode: String, ErrorCode {
    /// A target that is not a path.
    case targetNotPath = "target-not-path"
    /// A target with a byte that is not allowed, before or after decoding.
    case targetByteForbidden = "target-byte-forbidden"
    /// A `%` that is not followed by two hexadecimal digits.
    case escapeMalformed = "escape-malformed"
    /// A path with `//`.
    case segmentEmpty = "segment-empty"
    /// A path with `.` or `..`, however encoded.
    case segmentDots = "segment-dots"
    /// A target that exceeds ``RequestTarget/lengthLimit``.
    case targetTooLong = "target-too-long"
    /// A query that is not text, or has too many items.
    case queryMalformed = "query-malformed"
    /// A parameter that is given twice.
    case queryDuplicate = "query-duplicate"
    /// No `Host`, several, or one that is not a name.
    case hostMalformed = "host-malformed"
    /// A `Host` that is not one of ours.
    case hostUnknown = "host-unknown"
    /// A request that a page of another site made the browser send.
    case originForeign = "origin-foreign"
    /// An `Authorization` or a cookie without exactly one token.
    case credentialMalformed = "credential-malformed"
    /// A cursor that this server did not issue, or that was changed.
    case cursorMalformed = "cursor-malformed"
    /// Header fields with a syntax error, or that two programs could interpret differently.
    case framingMalformed = "framing-malformed"
    /// More or longer header fields than are accepted.
    case fieldsTooLarge = "fields-too-large"

    /// See docs/errors.md; no command ends with one.
    package var meaning: ErrorMeaning {
        switch self {
        case .targetNotPath, .targetByteForbidden, .escapeMalformed, .segmentEmpty, .segmentDots,
            .queryMalformed, .queryDuplicate, .hostMalformed, .cursorMalformed, .framingMalformed:
            ErrorMeaning(http: 400, exit: .inputOutput, .refused)
        case .targetTooLong:
            ErrorMeaning(http: 414, exit: .inputOutput, .refused)
        case .hostUnknown:
            ErrorMeaning(http: 421, exit: .inputOutput, .refused)
        case .originForeign:
            ErrorMeaning(http: 403, exit: .inputOutput, .refused)
        case .credentialMalformed:
            ErrorMeaning(http: 401, exit: .inputOutput, .refused)
        case .fieldsTooLarge:
            ErrorMeaning(http: 431, exit: .inputOutput, .refused)
        }
    }
}

/// A request that is refused for its protocol elements: target, header fields, host, origin, credential, cursor.
///
/// The message never contains what was sent: a target or a header field can hold a secret.
package typealias ProtocolError = CodedError<ProtocolErrorCode>
