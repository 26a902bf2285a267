internal import RecordFormat
internal import SystemPackage
internal import TraceFormat
internal import TraceStore

/// The outcome of what waited, as far as others have to know.
struct DrainReport: Sendable {
    /// Sessions that the drain was at, and those of them into which it has written.
    var written: Set<FilePath> = []
    var applied: Set<FilePath> = []
    /// Sessions whose entries have failed.
    var failing: Set<FilePath>
    /// For which sessions entries wait, and which directory was taken for that session, if any.
    var waiting: Set<Wait> = []
    /// How many sessions had come or gone when it began.
    var arrivals: Int

    struct Wait: Hashable {
        var id: ULID
        var session: FilePath?
    }

    init(_ outcomes: [DrainOutcome], failing: Set<FilePath>, arrivals: Int) {
        self.failing = failing
        self.arrivals = arrivals
        for outcome in outcomes {
            switch outcome.result {
            case .waiting:
                guard let entry = outcome.entry else { continue }
                waiting.insert(Wait(id: entry.journalID, session: outcome.session))
            case .failed: continue
            case .applied:
                if let session = outcome.session { applied.insert(session) }
            default: break
            }
            if let session = outcome.session { written.insert(session) }
        }
    }
}
