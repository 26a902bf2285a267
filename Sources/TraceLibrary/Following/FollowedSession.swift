internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// One session as it was at the last look.
struct FollowedSession {
    private let path: FilePath
    private let index: JournalIndex?
    private let root: FilePath
    private let settleTime: Duration

    private var header = Session()
    private var identities: [RecordKind: FileIdentity] = [:]
    private var records: [RecordKind: FollowedRecords] = [:]
    private var findings: [String: Finding] = [:]
    private var isFirstLook = true
    /// When something changed of which it has not been asked yet whether it is well.
    private var changed: ContinuousClock.Instant?
    /// Whether a last line was still being written.
    private(set) var isUnsettled = false
    private(set) var isGone = false

    /// - Parameters:
    ///   - index: Knows what is wrong with the session; nil if its files are to be asked.
    ///   - root: The root below which it lies.
    init(_ path: FilePath, index: JournalIndex?, root: FilePath, settleTime: Duration) {
        self.path = path
        self.index = index
        self.root = root
        self.settleTime = settleTime
    }

    /// An event of this session.
    func event(_ subject: LibraryEvent.Subject, _ change: LibraryEvent.Change) -> LibraryEvent {
        var event = LibraryEvent(subject, change)
        event.session = path
        event.sessionID = header.id
        event.title = header.title
        return event
    }

    /// What is different from the last look, files replaced or not; at the first one nothing is.
    mutating func look() -> [LibraryEvent] {
        guard let open = try? SessionReader(path, settleTime: settleTime),
            let read = try? open.readableHeader(), read.identity != nil
        else { return noteRemoval() }
        let isBack = isGone && !isFirstLook
        isGone = false
        let wasActive = header.status == .active
        let isChanged = identities[.session] != read.identity
        header = read.session
        identities[.session] = read.identity
        var events = isBack ? [event(.session, .appeared)] : []
        for (kind, shown) in [
            (RecordKind.marker, LibraryEvent.Subject.marker), (.voiceNote, .voiceNote), (.action, .action),
        ] {
            let changes = (try? records[kind, default: FollowedRecords(kind)].look(in: open)) ?? []
            events += changes.map { event(for: $0, shown) }
        }
        if wasActive, header.status == .closed { events.append(event(.session, .closed)) }
        let others = [RecordKind.timeline, .transcript].contains { kind in
            let identity = (try? open.identity(of: kind)) ?? nil
            defer { identities[kind] = identity }
            return identities[kind] != identity
        }
        if isChanged || others || !events.isEmpty || isUnsettled { changed = .now }
        guard isFirstLook else { return events }
        isFirstLook = false
        changed = nil
        _ = check()
        return []
    }

    /// So long nothing must have changed before it is asked what is wrong: between the steps of one write there is always
    /// something.
    private static let rest = Duration.milliseconds(300)

    /// What is wrong since the last time, or no longer, once the session has come to rest.
    mutating func checkAtRest(at now: ContinuousClock.Instant) -> [LibraryEvent] {
        guard let changed, now - changed >= Self.rest, !isGone else { return [] }
        self.changed = nil
        return check()
    }

    private mutating func noteRemoval() -> [LibraryEvent] {
        guard !isGone else { return [] }
        isGone = true
        return isFirstLook ? [] : [event(.session, .vanished)]
    }

    private func event(
        for change: FollowedRecords.Change, _ subject: LibraryEvent.Subject
    ) -> LibraryEvent {
        var event = event(subject, change.change)
        event.record = change.record
        event.line = change.line
        return event
    }

    // MARK: - Findings

    private mutating func check() -> [LibraryEvent] {
        guard let now = try? currentFindings() else { return [] }
        isUnsettled = now.contains { $0.rule == .lineInTransit }
        // Without the place, which moves with every line that comes before it.
        let keyed = Dictionary(
            now.filter { $0.rule != .lineInTransit }.map {
                ("\($0.place.file) \($0.rule.id) \($0.message)", $0)
            },
            uniquingKeysWith: { first, _ in first })
        let come = JournalLayout.session.sorted(keyed.filter { findings[$0.key] == nil }.values)
        let gone = JournalLayout.session.sorted(findings.filter { keyed[$0.key] == nil }.values)
        findings = keyed
        return come.map { event(about: $0, .found) } + gone.map { event(about: $0, .resolved) }
    }

    private func event(about finding: Finding, _ change: LibraryEvent.Change) -> LibraryEvent {
        var event = event(.finding, change)
        event.finding = finding
        return event
    }

    private func currentFindings() throws -> [Finding] {
        if let index, (try? index.reconcile(journal: path, in: root, settleTime: settleTime)) != nil {
            return try index.findings(of: path).map(\.finding)
        }
        return try Inspection(of: path, settleTime: settleTime).findings
    }
}
