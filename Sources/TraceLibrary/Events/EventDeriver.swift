internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// Finds out what is different from the last look: of all sessions, what is in `session.json`; of those that are followed, which lines
/// were added, and what is wrong; of all other journals, whether anything is different. Nothing is remembered of a record.
struct EventDeriver {
    private let index: JournalIndex
    private let roots: SessionRoots
    private var sessions: [FilePath: Header] = [:]
    private var journals: [FilePath: IndexedJournalState] = [:]
    private var followed: [FilePath: Followed] = [:]
    private var queue: FollowedQueue

    /// What is reported of a session when it changes.
    private struct Header: Equatable {
        let id: ULID?
        let title: String?
        let status: Session.Status?
        let isPaused: Bool

        init(_ session: IndexedSession) {
            id = session.id
            title = session.displayTitle
            status = session.status
            isPaused = session.pausedAt != nil
        }
    }

    private struct Followed {
        var mark: RecordMark
        var findings: [String: Finding]
        /// The number of the last event before it was followed.
        let since: Int64
        var lastUse: Int64
    }

    /// What is reported.
    enum News {
        case event(LibraryEvent)
        /// Of a session, more than can be reported one by one.
        case reset(FilePath, ULID?)
    }

    /// So many sessions are kept in mind of which nobody asks any more.
    private static let followedLimit = 64
    /// So many lines that come at once are reported one by one.
    private static let recordLimit = 256
    private static let kinds: [RecordKind] = [.marker, .voiceNote, .action]

    /// - Throws: ``IndexError``.
    init(_ index: JournalIndex, _ roots: SessionRoots, _ queue: QueueDirectories) throws {
        self.index = index
        self.roots = roots
        self.queue = FollowedQueue(queue)
        _ = self.queue.look()
        for session in try present() { sessions[session.path] = Header(session) }
        for journal in try presentJournals() { journals[journal.path] = journal }
    }

    private func present() throws -> [IndexedSession] {
        try index.sessions(SessionFilter(), isCounted: false).filter { $0.lies(in: roots.paths) }
    }

    private func presentJournals(at path: FilePath? = nil) throws -> [IndexedJournalState] {
        try index.journalStates(at: path).filter { $0.root.map(roots.paths.contains) ?? false }
    }

    // MARK: - Who is followed

    /// Follows a session from now on, unless that is done already.
    ///
    /// - Throws: ``IndexError``.
    mutating func follow(_ session: FilePath, at number: Int64) throws {
        if followed[session] != nil {
            followed[session]?.lastUse = number
            return
        }
        guard let now = try index.additions(to: session, since: nil, of: Self.kinds, limit: 0) else { return }
        followed[session] = Followed(
            mark: now.mark, findings: try findings(of: session), since: number, lastUse: number)
        while followed.count > Self.followedLimit,
            let oldest = followed.min(by: { $0.value.lastUse < $1.value.lastUse })
        {
            followed[oldest.key] = nil
        }
    }

    /// Since which event all that a client follows has been followed.
    func isComplete(for sessions: Set<FilePath>, since number: Int64) -> Bool {
        sessions.allSatisfy { followed[$0].map { $0.since <= number } ?? false }
    }

    // MARK: - Looking

    /// Looks at all sessions, after a time in which nothing was reported to anybody.
    ///
    /// - Throws: ``IndexError``.
    mutating func lookAtAll() throws -> [News] {
        let present = try present()
        var news: [News] = []
        for session in present { news += header(session, at: session.path) }
        let paths = Set(present.map(\.path))
        for path in sessions.keys.filter({ !paths.contains($0) }).sorted(by: { $0.string < $1.string }) {
            news += header(nil, at: path)
        }
        for path in followed.keys { news += try records(of: path) }
        let now = try presentJournals()
        for journal in now { news += self.journal(journal, at: journal.path) }
        for path in Set(journals.keys).subtracting(now.map(\.path)).sorted(by: { $0.string < $1.string }) {
            news += journal(nil, at: path)
        }
        return news + lookAtQueue()
    }

    /// Looks at one session, or another journal.
    ///
    /// - Throws: ``IndexError``.
    mutating func look(at path: FilePath) throws -> [News] {
        let known = try index.uncountedSession(at: path).flatMap { $0.lies(in: roots.paths) ? $0 : nil }
        let journal = try presentJournals(at: path).first
        return try header(known, at: path) + records(of: path) + self.journal(journal, at: path)
    }

    /// Looks at the spools.
    mutating func lookAtQueue() -> [News] { queue.look().map(News.event) }

    private mutating func header(_ session: IndexedSession?, at path: FilePath) -> [News] {
        let old = sessions[path]
        let new = session.map(Header.init)
        guard old != new else { return [] }
        sessions[path] = new
        let change: LibraryEvent.Change
        switch (old, new) {
        case (nil, _): change = .appeared
        case (_, nil): change = .vanished
        case (let old?, let new?):
            change = old.status == .active && new.status == .closed ? .closed : .changed
        }
        var event = event(.session, change, of: path)
        // One that has vanished is reported to those who saw it.
        event.sessionID = (new ?? old)?.id
        event.title = (new ?? old)?.title
        return [.event(event)]
    }

    private mutating func journal(_ journal: IndexedJournalState?, at path: FilePath) -> [News] {
        let old = journals[path]
        guard old != journal else { return [] }
        journals[path] = journal
        let change: LibraryEvent.Change = old == nil ? .appeared : journal == nil ? .vanished : .changed
        var event = LibraryEvent(.journal, change)
        event.session = path
        event.sessionID = (journal ?? old)?.id
        event.title = (journal ?? old)?.title
        return [.event(event)]
    }

    private func event(
        _ subject: LibraryEvent.Subject, _ change: LibraryEvent.Change, of session: FilePath
    ) -> LibraryEvent {
        var event = LibraryEvent(subject, change)
        event.session = session
        event.sessionID = sessions[session]?.id
        event.title = sessions[session]?.title
        return event
    }

    private mutating func records(of session: FilePath) throws -> [News] {
        guard var now = followed[session] else { return [] }
        guard
            let additions = try index.additions(
                to: session, since: now.mark, of: Self.kinds, limit: Self.recordLimit)
        else {
            followed[session] = nil
            return [.reset(session, sessions[session]?.id)]
        }
        var news: [News] = []
        let lines = IndexedLines(index.formats)
        var isReset = additions.isReset
        for (record, isLater) in additions.records {
            guard let subject = Self.subject(of: record) else { continue }
            // A line that has changed meanwhile is reported with its file.
            guard let line = try? lines.line(of: record) else {
                isReset = true
                break
            }
            var event = event(subject, isLater ? .changed : .added, of: session)
            event.indexed = record
            event.line = line
            news.append(.event(event))
        }
        if isReset { news = [.reset(session, sessions[session]?.id)] }
        now.mark = additions.mark
        news += try findings(of: session, &now)
        followed[session] = now
        return news
    }

    private static func subject(of record: IndexedRecord) -> LibraryEvent.Subject? {
        switch RecordKind.lines.first(where: { $0.entryKind == record.kind }) {
        case .marker: .marker
        case .voiceNote: .voiceNote
        case .action: .action
        default: nil
        }
    }

    // MARK: - Findings

    private mutating func findings(of session: FilePath, _ known: inout Followed) throws -> [News] {
        let now = try findings(of: session)
        let come = now.filter { known.findings[$0.key] == nil }.values
        let gone = known.findings.filter { now[$0.key] == nil }.values
        known.findings = now
        let told =
            JournalLayout.session.sorted(come).map { ($0, LibraryEvent.Change.found) }
            + JournalLayout.session.sorted(gone).map { ($0, .resolved) }
        return told.map { finding, change in
            var event = event(.finding, change, of: session)
            event.finding = finding
            return .event(event)
        }
    }

    /// Without the place, which moves with every line that comes before it.
    private func findings(of session: FilePath) throws -> [String: Finding] {
        let all = try index.findings(of: session).map(\.finding).filter { $0.rule != .lineInTransit }
        return Dictionary(
            all.map { ("\($0.place.file) \($0.rule.id) \($0.message)", $0) },
            uniquingKeysWith: { first, _ in first })
    }
}
