public import TraceText

/// The kinds of failure of operations on the format.
public enum FormatErrorCode: String, ErrorCode {
    /// A text that is not an offset or duration.
    case offsetMalformed = "offset-malformed"
    /// A text that is not one JSON object.
    case jsonMalformed = "json-malformed"
    /// A record that breaks the format.
    case recordInvalid = "record-invalid"
    /// There is not enough memory.
    case memory = "memory"
    /// Bytes that are no zone file.
    case zoneMalformed = "zone-malformed"

    /// See docs/errors.md.
    public var meaning: ErrorMeaning {
        switch self {
        case .offsetMalformed:
            ErrorMeaning(http: 400, exit: .usage, .refused)
        case .jsonMalformed, .recordInvalid:
            ErrorMeaning(http: 422, exit: .badData, .refused)
        case .memory, .zoneMalformed:
            ErrorMeaning(http: 500, exit: .badData, .refused)
        }
    }

    /// The message says all, and people are not shown the code.
    public static var isShown: Bool { false }
}

/// An operation on the format that failed; bad data in a session is a ``Finding`` instead.
public typealias FormatError = CodedError<FormatErrorCode>
