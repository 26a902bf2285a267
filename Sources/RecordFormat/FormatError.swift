public import TraceText

/// An operation on the format that failed; bad data in a session is a ``Finding`` instead.
public struct FormatError: StructuredError, Sendable, Equatable {
    /// The kind of failure; new ones may be added.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The code's stable name.
        public let rawValue: String

        /// The code of that name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A text that is not an offset or duration.
        public static let offsetMalformed = Code(rawValue: "offset-malformed")
        /// A text that is not one JSON object.
        public static let jsonMalformed = Code(rawValue: "json-malformed")
        /// A record that breaks the format.
        public static let recordInvalid = Code(rawValue: "record-invalid")
        /// There is not enough memory.
        public static let memory = Code(rawValue: "memory")
    }

    /// The kind of failure.
    public let code: Code
    /// What is wrong, for a person; not a contract.
    public let message: String
    /// What to do about it.
    public let hint: String?

    /// An error of that kind.
    public init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }
}

extension FormatError {
    /// The message says where, and people are not shown the code.
    public var report: ErrorReport {
        ErrorReport(code: code.rawValue, message: message, hint: hint, isCodeShown: false)
    }
}
