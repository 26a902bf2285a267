package import TraceFiles
package import TraceText

/// The kinds of failure of a practice journal, beside those of all journals.
package enum PracticeErrorCode: String, ErrorCode {
    /// A file of the journal.
    package typealias Place = FileLocation

    /// Most of a document is gone, which is more often an accident than meant.
    case replicaEmptied = "practice-replica-emptied"
    /// A file of a cache is not the one that its manifest means.
    case cacheHash = "practice-cache-hash"
    /// A write is in the log of a journal, and the next one brings it into the document.
    case writeUnfinished = "practice-write-unfinished"

    /// See docs/errors.md.
    package var meaning: ErrorMeaning {
        switch self {
        case .replicaEmptied:
            ErrorMeaning(http: 409, exit: .badData, .waits)
        case .cacheHash:
            ErrorMeaning(http: 500, exit: .badData, .refused)
        case .writeUnfinished:
            ErrorMeaning(http: 503, exit: .inputOutput, .again)
        }
    }
}

/// Why a practice journal can't be read or written.
package typealias PracticeError = CodedError<PracticeErrorCode>
