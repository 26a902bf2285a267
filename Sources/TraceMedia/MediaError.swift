package import TraceFiles
package import TraceText

/// The kinds of failure of what reads, converts and receives recordings, beside those of the programs that it runs.
package enum MediaErrorCode: String, ErrorCode {
    /// A recording, or a file that is made of one.
    package typealias Place = FileLocation

    /// A recording is longer than is accepted.
    case mediaTooLong = "media-too-long"
    /// One sender has too much in the state directory that is unfinished.
    case uploadsFull = "uploads-full"

    /// See docs/errors.md.
    package var meaning: ErrorMeaning {
        switch self {
        case .mediaTooLong:
            ErrorMeaning(http: 500, exit: .inputOutput, .refused)
        case .uploadsFull:
            ErrorMeaning(http: 507, exit: .inputOutput, .refused)
        }
    }
}

/// A failure to take a recording or to make something of it for a reason that is neither in a file system nor in a program that was run.
package typealias MediaError = CodedError<MediaErrorCode>
