package import TraceText

/// Why an export or an import can't be done.
package enum ExchangeErrorCode: String, ErrorCode {
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
    /// A text that is not the time code of a timeline's start.
    case startMalformed = "start-malformed"
    /// An option that means nothing for the format.
    case optionUnused = "option-unused"
    /// A format can't hold what is to be written, or something must be said first.
    case exchangeImpossible = "exchange-impossible"

    /// See docs/errors.md.
    package var meaning: ErrorMeaning {
        switch self {
        case .mediaNotFound:
            ErrorMeaning(http: 404, exit: .noSession, .refused)
        case .mediaAmbiguous:
            ErrorMeaning(http: 409, exit: .usage, .refused)
        case .formatUnknown:
            ErrorMeaning(http: 422, exit: .usage, .refused)
        case .frameRateMalformed, .frameRateUnused, .startMalformed, .optionUnused:
            ErrorMeaning(http: 400, exit: .usage, .refused)
        case .exchangeImpossible:
            ErrorMeaning(http: 422, exit: .badData, .refused)
        }
    }

    /// The message says all, and people are not shown the code.
    package static var isShown: Bool { false }
}

/// Why an export or an import can't be done as it was asked for, where that is in what was asked and not in a file
/// (``ExchangeProblem``).
package typealias ExchangeError = CodedError<ExchangeErrorCode>

extension ExchangeError {
    /// No single format is meant.
    ///
    /// - Parameter message: What that follows from.
    package static func formatUnknown(_ message: String) -> ExchangeError {
        let names = ExchangeFormat.allCases.map(\.rawValue).joined(separator: ", ")
        return ExchangeError(.formatUnknown, message, cure: "give \(option: "format"): one of \(names)")
    }
}
