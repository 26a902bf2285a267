internal import SystemPackage
internal import RecordFormat
internal import TraceFormat

/// Where the session of an entry is.
enum SessionPlace {
    case found(FilePath)
    /// It was deleted, and can be restored.
    case inBin(Bin.Item)
    /// It was deleted, and has been erased.
    case erased
    /// Why the entry must wait.
    case unknown(String)

    /// The directory, where it is known.
    var path: FilePath? {
        switch self {
        case .found(let path): path
        case .inBin(let item): item.path
        case .erased, .unknown: nil
        }
    }

    /// What entries wait for whose session is in the bin.
    static let binReason = "its session is in the bin"

    /// - Parameters:
    ///   - sessions: The directories of the sessions that have the entry's id.
    ///   - bin: Where deleted sessions are.
    init(of entry: SpoolEntry, among sessions: [FilePath], _ bin: Bin?) {
        switch sessions.first {
        case let session? where sessions.count == 1: self = .found(session)
        case nil:
            if let item = bin?.item(of: entry.journalID) {
                self = .inBin(item)
            } else if bin?.hasErased(entry.journalID) ?? false {
                self = .erased
            } else {
                self = .unknown("its \(entry.kind.journalNoun) \(entry.journalID) was not found")
            }
        default: self = .unknown("several directories hold \(entry.kind.journalNoun) \(entry.journalID)")
        }
    }
}

/// Where the journals of several entries are. Each is looked for once: one that comes meanwhile has been missed by its earlier entries, and the
/// later ones must not overtake them.
struct SessionPlaces {
    private let locate: (ULID) -> [FilePath]
    private let bin: Bin?
    private var known: [ULID: SessionPlace] = [:]

    /// - Parameters:
    ///   - locate: The directories of the sessions that have an id.
    ///   - bin: Where deleted sessions are; nil looks for none.
    init(_ locate: @escaping (ULID) -> [FilePath], _ bin: Bin?) {
        self.locate = locate
        self.bin = bin
    }

    mutating func place(of entry: SpoolEntry) -> SessionPlace {
        if let known = known[entry.journalID] { return known }
        let place = SessionPlace(of: entry, among: locate(entry.journalID), bin)
        known[entry.journalID] = place
        return place
    }

    /// Notes where a session is now that was deleted or restored.
    mutating func note(_ place: SessionPlace, of session: ULID) { known[session] = place }
}
