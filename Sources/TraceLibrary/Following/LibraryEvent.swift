package import RecordFormat
package import SystemPackage
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// Something that has happened to a session or another journal below the roots, to what is in it, or to the queue, by any program.
package struct LibraryEvent: Sendable {
    /// The subject of the event.
    package enum Subject: String, Sendable {
        case session, marker, voiceNote = "voice_note", action, finding, queue
        /// A journal other than a session, as a whole.
        case journal
    }

    /// The kind of change.
    package enum Change: String, Sendable {
        case appeared, closed, vanished
        case added, changed, removed
        case found, resolved
        case queued, applied, rejected, dropped, taken
    }

    package let subject: Subject
    package let change: Change
    /// When it was seen.
    package let at: Timestamp = Clock.now()
    /// The session's directory; nil for the queue.
    package internal(set) var session: FilePath?
    var sessionID: ULID?
    package internal(set) var title: String?
    /// What the record says; of one that was removed, its id alone.
    package internal(set) var record: RecordSummary?
    /// The record's line as it is in the file.
    var line: [UInt8]?
    package internal(set) var finding: Finding?
    /// The entry of the queue, and what it holds, where it could be read.
    package internal(set) var entry: (id: ULID, kind: EntryOperation?)?

    init(_ subject: Subject, _ change: Change) {
        self.subject = subject
        self.change = change
    }

    /// What the index says of the record, where it was not read from the file.
    var indexed: IndexedRecord?

    /// Of the record or the entry.
    var id: ULID? { record?.id ?? indexed?.id ?? entry?.id }

    /// Where the record is.
    var offset: SessionOffset? { record?.offset ?? indexed?.offset }
}

/// What somebody who watches the roots and the spools saw: a hint where to look. It may come twice, or late.
package enum FollowHint: Sendable {
    /// An entry of a directory changed.
    case changed(FilePath, FilePath.Component)
    /// A directory is there; what it holds has not been told.
    case appeared(FilePath)
    /// A directory, with all below it, is no longer there.
    case vanished(FilePath)
    /// Hints were lost.
    case lost
    /// There are no hints of what is in a directory, or below it, until ``watchedAgain(_:)``.
    case unwatched(FilePath)
    case watchedAgain(FilePath)
}
