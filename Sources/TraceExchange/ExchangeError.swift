package import TraceText

/// Why an export or an import can't be done as it was asked for, where that is in what was asked and not in a file
/// (``ExchangeProblem``).
package struct ExchangeError: StructuredError, Sendable, Equatable {
    /// The kind of failure.
    package enum Code: String, Sendable {
        /// A name that no recording of the session has.
        case mediaNotFound = "media-not-found"
        /// A name that several recordings have.
        case mediaAmbiguous = "media-ambiguous"
        /// Neither what was asked nor the file tells the format.
        case formatUnknown = "format-unknown"
        /// A text that is not a frame rate.
        case frameRateMalformed = "frame-rate-malformed"
        /// A frame rate for a format that counts no frames.
        case frameRateUnused = "frame-rate-unused"
    }

    /// The kind of failure.
    package let code: Code
    /// What is wrong, for a person; not a contract.
    package let message: String
    /// What to do about it.
    package let hint: String?

    /// An error of that kind.
    init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// No single format is meant.
    ///
    /// - Parameter message: What that follows from.
    package static func formatUnknown(_ message: String) -> ExchangeError {
        let names = ExchangeFormat.allCases.map(\.rawValue).joined(separator: ", ")
        return ExchangeError(.formatUnknown, message, hint: "give --format: one of \(names)")
    }

    /// The message says where, and people are not shown the code.
    package var report: ErrorReport {
        ErrorReport(code: code.rawValue, message: message, hint: hint, isCodeShown: false)
    }
}
