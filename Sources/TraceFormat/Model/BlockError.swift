package import TraceText

/// Why what is rendered can't be put into a digest.
package enum BlockErrorCode: String, ErrorCode {
    /// A digest that somebody wrote, without a part for what is rendered.
    case blockMissing = "block-missing"
    /// Somebody wrote into the part that is rendered.
    case blockEdited = "block-edited"
    /// The comments around what is rendered are not one pair.
    case blockUnbalanced = "block-unbalanced"

    /// See docs/errors.md.
    package var meaning: ErrorMeaning {
        switch self {
        case .blockMissing, .blockUnbalanced:
            ErrorMeaning(http: 422, exit: .badData, .refused)
        case .blockEdited:
            ErrorMeaning(http: 409, exit: .badData, .refused)
        }
    }

    /// The message says all, and people are not shown the code.
    package static var isShown: Bool { false }
}

/// A digest that can't take what is rendered.
package typealias BlockError = CodedError<BlockErrorCode>
