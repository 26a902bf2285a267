internal import SystemPackage
internal import RecordFormat
internal import TraceFormat

/// Where the session of an entry is.
enum SessionPlace {
    case found(FilePath)
    /// Why the entry must wait.
    case unknown(String)

    /// - Parameter locate: The directories of the sessions that have an id.
    init(of entry: SpoolEntry, _ locate: (ULID) -> [FilePath]) {
        let sessions = locate(entry.journalID)
        switch sessions.first {
        case let session? where sessions.count == 1: self = .found(session)
        case nil: self = .unknown("its \(entry.kind.journalNoun) \(entry.journalID) was not found")
        default: self = .unknown("several directories hold \(entry.kind.journalNoun) \(entry.journalID)")
        }
    }
}
