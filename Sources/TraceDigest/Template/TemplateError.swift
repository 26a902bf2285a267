package import TraceText

/// Why a text is no template.
package enum TemplateErrorCode: String, ErrorCode {
    /// A text that is not a template.
    case templateMalformed = "template-malformed"

    /// See docs/errors.md.
    package var meaning: ErrorMeaning {
        switch self {
        case .templateMalformed:
            ErrorMeaning(http: 500, exit: .badData, .refused)
        }
    }

    /// The message says all, and people are not shown the code.
    package static var isShown: Bool { false }
}

/// A text that is not a template.
typealias TemplateError = CodedError<TemplateErrorCode>
