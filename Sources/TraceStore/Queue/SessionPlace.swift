internal import SystemPackage
internal import RecordFormat
internal import TraceFormat

/// Where the session of an entry is.
enum SessionPlace {
    case found(FilePath)
    /// Why the entry must wait.
    case unknown(String)
    /// The outcome of the entry, without its session.
    case settled(DrainOutcome.Result)

    /// - Parameter sessions: The directories of the sessions that have the entry's id.
    init(of entry: SpoolEntry, among sessions: [FilePath]) {
        switch sessions.first {
        case let session? where sessions.count == 1: self = .found(session)
        case nil: self = .unknown("its \(entry.kind.journalNoun) \(entry.journalID) was not found")
        default: self = .unknown("several directories hold \(entry.kind.journalNoun) \(entry.journalID)")
        }
    }
}

/// Where the journals of several entries are. Each is looked for once: one that comes meanwhile has been missed by its earlier entries, and the
/// later ones must not overtake them.
struct SessionPlaces {
    private let locate: (ULID) -> [FilePath]
    private var known: [ULID: [FilePath]] = [:]

    /// - Parameter locate: The directories of the sessions that have an id.
    init(_ locate: @escaping (ULID) -> [FilePath]) { self.locate = locate }

    /// Whether the journal of an id has been looked for.
    func isKnown(_ id: ULID) -> Bool { known[id] != nil }

    /// Whether it has been looked for, and no directory has it.
    func isNowhere(_ id: ULID) -> Bool { known[id]?.isEmpty ?? false }

    /// Notes where a session is that has been made.
    mutating func note(_ path: FilePath, of session: ULID) { known[session] = [path] }

    mutating func place(of entry: SpoolEntry) -> SessionPlace {
        let sessions = known[entry.journalID] ?? locate(entry.journalID)
        known[entry.journalID] = sessions
        return SessionPlace(of: entry, among: sessions)
    }
}
