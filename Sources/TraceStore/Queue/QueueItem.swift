public import RecordFormat
public import SystemPackage
internal import TraceFiles
public import TraceFormat
public import TraceText

/// An entry that lies somewhere in the queue, and what state it is in.
public struct QueueItem: Sendable {
    /// The id in its name.
    public let id: ULID
    /// Which of the queue's directories it is in.
    public let place: Place
    /// Its file.
    public let file: FilePath
    /// The entry, where it can be read.
    public let entry: SpoolEntry?
    /// Where its audio lies, if it has any and it is there.
    public let audio: FilePath?
    /// The directory of its session, where that is known.
    public let session: FilePath?
    /// The state of it.
    public let state: State

    /// One of the queue's directories.
    public enum Place: String, Sendable {
        /// A spool: it is still to be written.
        case spool
        /// `failed/`
        case failed
        /// `dropped/`
        case dropped
        /// `done/`
        case done
    }

    /// The state of an entry.
    public enum State: Sendable {
        /// It waits in a spool.
        case waiting(String)
        /// It can't be read, and so waits where it is.
        case unreadable(any StructuredError)
        /// Another record or entry has its id.
        case conflict(String)
        /// What it was to change was changed meanwhile.
        case changedMeanwhile(String, [MemberConflict])
        /// It is not an entry.
        case rejected(String)
        /// Its record is in the session, or was when it was applied.
        case applied(String?)
        /// It was applied once, but its record is gone.
        case recordVanished
        /// It was applied once, and the user removed its record.
        case removed
        /// The user dropped it.
        case dropped
    }
}

extension QueueItem.State {
    /// The state in a word, as `--json` names it.
    public var name: String {
        switch self {
        case .waiting, .unreadable: "waiting"
        case .conflict: "conflict"
        case .changedMeanwhile: "changed-meanwhile"
        case .rejected: "rejected"
        case .applied: "applied"
        case .recordVanished: "record-vanished"
        case .removed: "removed"
        case .dropped: "dropped"
        }
    }

    /// Why, where there is something to say.
    public var reason: String? {
        switch self {
        case .waiting(let reason), .conflict(let reason), .rejected(let reason),
            .changedMeanwhile(let reason, _):
            reason
        case .applied(let reason): reason
        case .unreadable(let error): error.description
        case .recordVanished: "its record is no longer in the session; 'trace queue retry' restores it"
        case .removed: "its record was removed since"
        case .dropped: "'trace queue retry' queues it again"
        }
    }

    /// What of the session was changed meanwhile.
    package var conflicts: [MemberConflict] {
        if case .changedMeanwhile(_, let conflicts) = self { conflicts } else { [] }
    }

    /// As ``reason``, without the places of this machine.
    package var reasonWithoutPlaces: String? {
        switch self {
        case .unreadable(let error): error.report.message
        // It may be of a file that can't be read.
        case .applied: nil
        default: reason
        }
    }
}

/// The name of an entry as typed: by its id, or by its file's name where several have the id (`01JABC….2.json`).
public struct EntryName: Sendable, Hashable, CustomStringConvertible {
    /// The id.
    public let id: ULID
    /// The file's name, where that was given.
    let file: String?

    /// The name that `text` represents, or nil.
    public init?(_ text: String) {
        let upper = text.uppercased()
        guard let id = ULID(upper.prefix(26)) else { return nil }
        var rest = upper.dropFirst(26)
        let isFile = rest.hasSuffix(".JSON")
        if isFile { rest = rest.dropLast(5) }
        guard rest.isEmpty || (rest.first == "." && rest.count > 1 && rest.dropFirst().allSatisfy(\.isNumber))
        else { return nil }
        self.id = id
        file = isFile || !rest.isEmpty ? "\(id)\(rest).json" : nil
    }

    /// The entry of that id, in whatever file it is.
    package init(_ id: ULID) {
        self.id = id
        file = nil
    }

    /// As it was typed, or nearly.
    public var description: String { file ?? id.description }

    func matches(_ other: Spool.File) -> Bool {
        other.id == id && (file.map { $0.lowercased() == other.name.string.lowercased() } ?? true)
    }
}

extension QueueDirectories {
    /// The ids of the entries that wait or are kept, of those that are asked for.
    ///
    /// - Throws: ``FileError``.
    package func entries(where isMeant: (ULID) -> Bool) throws -> Set<ULID> {
        var found: Set<ULID> = []
        for (place, spool) in places {
            for file in try spool.files(in: place) where isMeant(file.id) { found.insert(file.id) }
        }
        return found
    }
}
