public import TraceFiles
public import TraceText

/// The kinds of failure of operations on the index.
public enum IndexErrorCode: String, ErrorCode {
    /// The index, or the file that it has read.
    public typealias Place = FileLocation

    /// Another process writes, and did not finish before the deadline.
    case busy = "index-busy"
    /// The database is damaged. One that may be written has been moved aside by then, and rebuilt without rows.
    case corrupt = "index-corrupt"
    /// The file is a database of another program, or of another version of this one. Only for readers: a writer makes such
    /// a database again.
    case otherSchema = "index-other-schema"
    /// There is no index at that path, or its directory does not exist.
    case notFound = "index-not-found"
    /// The index holds no such session.
    case noSuchSession = "index-no-such-session"
    /// The user may not do this.
    case permissionDenied = "index-permission-denied"
    /// The file system is full.
    case diskFull = "index-disk-full"
    /// The file is no longer what the index read.
    case stale = "index-stale"
    /// The path of the index is not UTF-8, which SQLite asks for.
    case invalidPath = "index-invalid-path"
    /// It was stopped (``IndexWork/stop()``).
    case interrupted = "index-interrupted"
    /// The device or the file system failed, or gave a cause that has no code of its own.
    case io = "index-io"

    /// See docs/errors.md.
    public var meaning: ErrorMeaning {
        switch self {
        case .busy:
            ErrorMeaning(http: 503, exit: .tryAgain, .again)
        case .corrupt, .interrupted, .io:
            ErrorMeaning(http: 503, exit: .inputOutput, .refused)
        case .otherSchema, .notFound, .noSuchSession, .invalidPath:
            ErrorMeaning(http: 500, exit: .inputOutput, .refused)
        case .permissionDenied:
            ErrorMeaning(http: 500, exit: .permission, .refused)
        case .diskFull:
            ErrorMeaning(http: 507, exit: .inputOutput, .refused)
        case .stale:
            ErrorMeaning(http: 503, exit: .inputOutput, .again)
        }
    }
}

/// An operation on the index that could not finish.
public typealias IndexError = CodedError<IndexErrorCode>
