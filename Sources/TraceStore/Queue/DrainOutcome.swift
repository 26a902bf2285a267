public import RecordFormat
public import SystemPackage
internal import TraceFiles
public import TraceFormat
public import TraceText

/// The outcome of one entry of a spool.
public struct DrainOutcome: Sendable {
    /// The id in the entry's name.
    public let id: ULID
    /// The spool that it lies or lay in.
    public let spool: FilePath
    /// The name of its file there.
    package let name: FilePath.Component
    /// The entry, where it could be read.
    public let entry: SpoolEntry?
    /// The directory of its session, where that is known.
    public let session: FilePath?
    /// The outcome of it.
    public let result: Result
    /// Whether the entries of its journal behind it wait, too: what keeps it out of the journal is not of its own.
    package var holdsUp = false

    /// The possible outcomes of an entry.
    public enum Result: Sendable {
        /// Its record was written.
        case applied
        /// Its record was there already; what was left to do has been done.
        case alreadyApplied
        /// It was applied once, but its record is gone: deleted, or lost under an older copy of the file.
        case recordVanished
        /// It was applied once, and the user removed its record.
        case removed
        /// The user dropped it; it is in `dropped/`.
        case dropped
        /// It stays in the spool until something comes.
        case waiting(String)
        /// Another record has its id; the entry is in `failed/`.
        case conflict(String)
        /// What it was to change is no longer as its sender saw it; the rest is done, and the entry is in `failed/`.
        case changedMeanwhile([MemberConflict])
        /// It is not an entry; it is in `failed/`.
        case rejected(String)
        /// It stays in the spool, because something could not be read or written.
        case failed(any StructuredError)
    }
}

extension DrainOutcome.Result {
    /// The result in a word, as `--json` names it.
    public var name: String {
        switch self {
        case .applied: "applied"
        case .alreadyApplied: "already-applied"
        case .recordVanished: "record-vanished"
        case .removed: "removed"
        case .dropped: "dropped"
        case .waiting: "waiting"
        case .conflict: "conflict"
        case .changedMeanwhile: "changed-meanwhile"
        case .rejected: "rejected"
        case .failed: "failed"
        }
    }

    /// Why, where there is something to say.
    public var reason: String? {
        switch self {
        case .applied, .alreadyApplied: nil
        case .recordVanished: "it was applied before, but its record is no longer in the session"
        case .removed: "it was applied before, and its record has been removed since"
        case .dropped: "it was dropped before"
        case .waiting(let reason), .conflict(let reason), .rejected(let reason): reason
        case .changedMeanwhile(let conflicts):
            "changed meanwhile: \(conflicts.map(\.name).joined(separator: ", "))"
        case .failed(let error): error.description
        }
    }

    /// As ``reason``, without the places of this machine.
    package var reasonWithoutPlaces: String? {
        if case .failed(let error) = self { error.report.message } else { reason }
    }

    /// What each of them was seen to be, is now, and was to be.
    package var conflicts: [MemberConflict] {
        if case .changedMeanwhile(let conflicts) = self { conflicts } else { [] }
    }

    /// Whether the entry still is in its spool.
    public var isPending: Bool {
        switch self {
        case .waiting, .failed: true
        default: false
        }
    }
}
