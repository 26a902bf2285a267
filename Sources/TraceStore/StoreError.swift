public import TraceFiles
public import TraceText

/// The kinds of failure of operations on sessions, journals, the queue and the state, beside those of their files.
public enum StoreErrorCode: String, ErrorCode {
    /// A file or directory of a session, of the queue, or of the state.
    public typealias Place = FileLocation

    /// The run of an action has ended already.
    case hasEnded = "has-ended"
    /// No executable has that action's name.
    case noSuchAction = "no-such-action"
    /// An action's program did not end well.
    case actionFailed = "action-failed"
    /// Other records of the session name this one.
    case isReferenced = "is-referenced"
    /// The journal is of a kind or of a version that is read, not written.
    case journalNotWritable = "journal-not-writable"
    /// There is no session of that name.
    case noSuchSession = "no-such-session"
    /// Several sessions could be meant.
    case ambiguousSession = "ambiguous-session"
    /// The user, the process or its control group may not have as many threads as are needed.
    case tooFewThreads = "too-few-threads"
    /// A program that is needed is not installed.
    case toolMissing = "tool-missing"
    /// A program that was run for this did not end well.
    case toolFailed = "tool-failed"
    /// The user asked to stop.
    case stopped = "stopped"
    /// The queue has no such entry.
    case noSuchEntry = "no-such-entry"
    /// Several entries have the name.
    case ambiguousEntry = "ambiguous-entry"
    /// One sender has too much in the queue that can't be written.
    case queueFull = "queue-full"
    /// The session has no record of that id.
    case noSuchRecord = "no-such-record"
    /// No import is known that could be replaced.
    case noSuchImport = "no-such-import"
    /// The path leads to another session than the one that was chosen.
    case otherSession = "other-session"
    /// The session's clock stands already.
    case alreadyPaused = "already-paused"
    /// The session's clock runs.
    case notPaused = "not-paused"
    /// The session is closed already.
    case alreadyClosed = "already-closed"
    /// The session is not closed.
    case notClosed = "not-closed"
    /// Another daemon runs on the same state directory.
    case alreadyRunning = "already-running"
    /// A file of the state directory is not what this product writes there.
    case stateDamaged = "state-damaged"
    /// The session has no audio and no video.
    case nothingToTranscribe = "nothing-to-transcribe"
    /// No write of this user is left that could be undone.
    case nothingToUndo = "nothing-to-undo"
    /// No write that this user has undone can be done again.
    case nothingToRedo = "nothing-to-redo"
    /// What was written has been changed since, or something refers to it.
    case unsafeToUndo = "unsafe-to-undo"

    /// See docs/errors.md.
    public var meaning: ErrorMeaning {
        switch self {
        case .tooFewThreads:
            ErrorMeaning(http: 500, exit: .inputOutput, .refused)
        case .toolFailed, .nothingToTranscribe:
            ErrorMeaning(http: 500, exit: .badData, .refused)
        case .noSuchAction, .noSuchSession, .noSuchEntry, .noSuchRecord, .noSuchImport:
            ErrorMeaning(http: 404, exit: .noSession, .refused)
        case .hasEnded, .alreadyPaused, .notPaused, .alreadyClosed, .notClosed:
            ErrorMeaning(http: 409, exit: .badData, .refused)
        case .actionFailed, .nothingToUndo, .nothingToRedo, .unsafeToUndo:
            ErrorMeaning(http: 500, exit: .negative, .refused)
        case .isReferenced:
            ErrorMeaning(http: 409, exit: .negative, .refused)
        case .journalNotWritable:
            ErrorMeaning(http: 503, exit: .badData, .waits)
        case .toolMissing:
            ErrorMeaning(http: 500, exit: .unavailable, .refused)
        case .stopped:
            ErrorMeaning(http: 500, exit: .stopped, .refused)
        case .ambiguousSession, .ambiguousEntry:
            ErrorMeaning(http: 409, exit: .usage, .refused)
        case .queueFull:
            ErrorMeaning(http: 507, exit: .inputOutput, .refused)
        case .otherSession, .alreadyRunning:
            ErrorMeaning(http: 503, exit: .tryAgain, .again)
        case .stateDamaged:
            ErrorMeaning(http: 500, exit: .inputOutput, .waits)
        }
    }
}

/// An operation on sessions, journals, the queue or the state that could not finish for a reason that is not in a file system.
public typealias StoreError = CodedError<StoreErrorCode>

extension Cure.Way {
    /// How a client of the API finds the id of a record.
    package static let listRecords = overHTTP("list the records of the session to see their ids")
    /// How a client of the API finds an entry of the queue.
    static let listEntries: Cure.Way = "\(route: "GET /api/v1/queue?all=true") lists all entries"
}
