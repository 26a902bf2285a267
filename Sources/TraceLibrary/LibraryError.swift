package import TraceText

/// Why what was asked for can't be done.
package enum LibraryErrorCode: String, ErrorCode {
    /// An offset is before the session's start.
    case beforeStart = "before-start"
    /// An offset is after the end of a closed session.
    case afterEnd = "after-end"
    /// An offset is larger than can be counted.
    case offsetTooLarge = "offset-too-large"
    /// An offset counts from the last marker, and there is none.
    case noLastMarker = "no-last-marker"
    /// An offset counts from the present, and the session is not active.
    case notActive = "not-active"
    /// An offset counts from the end, and the session has none.
    case noDuration = "no-duration"
    /// An offset counts from the present, and the session's start can't be read.
    case noStartTime = "no-start-time"
    /// An offset that is a different place in each of several sessions.
    case offsetRelative = "offset-relative"
    /// The first of two offsets or moments is after the second.
    case rangeReversed = "range-reversed"
    /// A text that is not a moment.
    case timeMalformed = "time-malformed"
    /// A moment that should have come already.
    case timeInFuture = "time-in-future"
    /// A moment of something recorded that is before 1860.
    case timeTooEarly = "time-too-early"
    /// A text that can't name a record.
    case recordNameMalformed = "record-name-malformed"
    /// A name that no record has.
    case recordNotFound = "record-not-found"
    /// A name that several records have.
    case recordAmbiguous = "record-ambiguous"
    /// A session's id is needed and can't be read.
    case noSessionID = "no-session-id"
    /// What is searched for has no word in it.
    case noWords = "no-words"
    /// More is searched for than can be.
    case tooManyWords = "too-many-words"
    /// A strip is asked for in more cells than there can be, or in none.
    case cellsOutOfRange = "cells-out-of-range"
    /// The audio of a voice note is in a session that is not available.
    case audioAbsent = "audio-absent"
    /// A name that no rule has.
    case noSuchRule = "no-such-rule"
    /// A name that no journal has.
    case noSuchJournal = "no-such-journal"
    /// A name that several journals have, or none where there are several.
    case journalAmbiguous = "journal-name-ambiguous"
    /// A text that can't name a queue entry.
    case entryNameMalformed = "entry-name-malformed"
    /// An offset counts from something in a session, and that need not be here.
    case offsetNeedsSession = "offset-needs-session"
    /// A text that is not a tag.
    case tagMalformed = "tag-malformed"
    /// An edit that changes nothing.
    case nothingToChange = "nothing-to-change"
    /// There is no directory in which a session could be made.
    case noRoot = "no-root"
    /// The end of a session is to be that of its last record, and there is none in the past.
    case noLastRecord = "no-last-record"
    /// A file that is not a recording.
    case notARecording = "not-a-recording"
    /// When a recording began is unknown.
    case recordingLengthUnknown = "recording-length-unknown"

    /// See docs/errors.md.
    package var meaning: ErrorMeaning {
        switch self {
        case .beforeStart, .afterEnd, .offsetTooLarge, .noLastMarker, .notActive, .offsetRelative,
            .rangeReversed, .timeMalformed, .timeInFuture, .timeTooEarly, .recordNameMalformed, .noWords,
            .tooManyWords,
            .cellsOutOfRange, .noSuchRule, .entryNameMalformed, .offsetNeedsSession,
            .tagMalformed, .nothingToChange, .notARecording, .recordingLengthUnknown:
            ErrorMeaning(http: 400, exit: .usage, .refused)
        case .noDuration, .noStartTime, .noSessionID, .noLastRecord:
            ErrorMeaning(http: 422, exit: .badData, .refused)
        case .recordAmbiguous, .journalAmbiguous:
            ErrorMeaning(http: 409, exit: .usage, .refused)
        case .recordNotFound, .audioAbsent:
            ErrorMeaning(http: 404, exit: .noSession, .refused)
        case .noSuchJournal:
            ErrorMeaning(http: 400, exit: .noSession, .refused)
        case .noRoot:
            ErrorMeaning(http: 503, exit: .usage, .refused)
        }
    }

    /// The message says all, and people are not shown the code.
    package static var isShown: Bool { false }
}

/// Why what was asked for can't be done, where that is in what was typed or in what the session says, and not in a file that
/// can't be read or written (``FileError``).
package typealias LibraryError = CodedError<LibraryErrorCode>
