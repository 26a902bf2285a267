internal import RecordFormat
internal import SystemPackage
internal import TraceIndex

/// The sessions that the queue waits for: those that are to appear, and those whose entries have failed. Asks for a drain when
/// something happens to one of them.
struct AwaitedSessions {
    let requests: DrainRequests
    /// Sessions with entries that failed.
    private(set) var failing: Set<FilePath> = []
    /// Ids of sessions for which entries wait.
    private var awaited: Set<ULID> = []
    /// Tells whether moments are kept that a session may cover which appears.
    private let hasKeptMoments: () -> Bool

    init(_ requests: DrainRequests, hasKeptMoments: @escaping () -> Bool = { false }) {
        self.requests = requests
        self.hasKeptMoments = hasKeptMoments
    }

    /// Takes over for which sessions entries have failed in a drain; ``noteWaiting(in:id:)`` is to follow when what the drain
    /// has written is in the index.
    mutating func noteFailing(in report: DrainReport) { failing = report.failing }

    /// Takes over for which sessions entries wait after a drain.
    ///
    /// - Parameter id: Which session is in a directory, as the index knows it.
    mutating func noteWaiting(in report: DrainReport, id: (FilePath) -> ULID?) {
        awaited = Set(
            report.waiting.filter { wait in
                // What waits for anything else than its session has an event of its own.
                wait.session.map { id($0) != wait.id } ?? true
            }.map(\.id))
        // One that came after the drain had looked for it, and before this was known here.
        if !awaited.isEmpty, requests.arrivals != report.arrivals { requests.ask() }
    }

    /// A session that appears, or to which something happened, may be what entries wait for.
    ///
    /// - Parameters:
    ///   - outcome: What a look at its files has found; nil if that failed.
    ///   - id: Which session is in a directory, as the index knows it.
    func noteLook(
        at session: FilePath, _ outcome: JournalReconciliation.Outcome?, id: (FilePath) -> ULID?
    ) {
        noteChange(of: [session])
        switch outcome {
        case .added, .removed:
            requests.noteArrival()
            if !awaited.isEmpty || hasKeptMoments() { requests.ask() }
        // One whose permissions were given back is as the index knows it.
        case .updated where !awaited.isEmpty, .unchanged where !awaited.isEmpty:
            if let id = id(session), awaited.contains(id) { requests.ask() }
        default: break
        }
    }

    /// Something happened to sessions, though it may be nothing that the index knows, such as their permissions.
    func noteChange(of sessions: [FilePath]) {
        for session in sessions where failing.contains(session) { requests.noteChange(of: session) }
    }
}
