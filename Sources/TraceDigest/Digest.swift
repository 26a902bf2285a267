public import RecordFormat
public import TraceFormat
internal import TraceText

/// What is worth knowing about a session, read in under a minute; ``markdown()``, ``terminal(columns:styled:)`` and others
/// write it.
///
/// It depends on nothing but the values that it is made of, not even on their order: the same session renders the same
/// bytes.
///
/// Source: docs/digest.md.
public struct Digest: Sendable, Hashable {
    /// What `session.json` says.
    package let session: Session
    /// How long the session is, or has been so far; nil when nothing tells.
    let length: SessionOffset?
    /// The number of markers.
    let markerCount: Int
    /// How many markers have each category.
    let categoryCounts: [MarkerCategory: Int]
    /// Where something was marked; nil when nothing was.
    package let strip: TimelineStrip?
    /// Where each marker is; nil for a session without a length.
    let ticks: MarkerTicks?
    /// All markers in time order, as many as were asked for.
    let markers: TruncatedList<Moment>
    /// The moments to look at first, in time order.
    let notable: TruncatedList<Moment>
    /// What is to be repaired, in time order.
    let fixes: TruncatedList<Moment>
    /// What was said, in time order.
    let voiceNotes: TruncatedList<VoiceNote>
    /// What was run or asked for: failures, then what has no result yet, then successes.
    let actions: TruncatedList<ActionRun>
    /// What is wrong with the files, errors first.
    let problems: TruncatedList<Finding>
    /// How many of the findings are errors.
    let errorCount: Int
    /// The zone of its times.
    package var zone = ZoneRules.utc
    /// Where the clock of an active session stands, if it is paused.
    var pausedAt: SessionOffset?
    /// Whether nobody closed it; that depends on the present, so a digest that is written into a file does not tell it.
    package var forgotten: ForgottenSession?

    /// How many markers a page lists at most; a browser would not show a million.
    package static let pageLimit = 10_000

    /// The digest of a session.
    ///
    /// A marker to fix is in the fix list and not among the notable moments, unless it is a highlight as well.
    ///
    /// - Parameters:
    ///   - markers: The authoritative entries, in any order.
    ///   - voiceNotes: The authoritative entries, in any order.
    ///   - actions: The runs as their latest lines tell, in any order.
    ///   - findings: What is wrong with the session's files, in any order.
    ///   - now: For the length of an active session. If nil, the largest offset known is its length so far.
    /// - Complexity: O(n) in the number of records; what is kept does not grow with it.
    public init(
        session: Session, markers: [Marker], voiceNotes: [VoiceNote] = [], actions: [ActionRun] = [],
        findings: [Finding] = [], now: Timestamp? = nil
    ) {
        var extent = SessionExtent(by: session.startTime.map { SessionClock(start: $0) })
        for marker in markers {
            extent.add(marker.offset, lasting: marker.duration, written: marker.createdAt)
        }
        for note in voiceNotes { extent.add(note.offset, lasting: nil, written: note.createdAt) }
        let length = session.length(reaching: extent.offset, now: now)
        var builder = DigestBuilder(session: session, length: length, listLimit: markers.count)
        for note in voiceNotes { builder.add(note) }
        for marker in markers { builder.add(marker) }
        for run in actions { builder.add(run) }
        self = builder.finish(findings: findings)
    }

    init(
        session: Session, length: SessionOffset?, markerCount: Int, categoryCounts: [MarkerCategory: Int],
        strip: TimelineStrip?, ticks: MarkerTicks?, markers: TruncatedList<Moment>,
        notable: TruncatedList<Moment>,
        fixes: TruncatedList<Moment>, voiceNotes: TruncatedList<VoiceNote>,
        actions: TruncatedList<ActionRun>, problems: TruncatedList<Finding>, errorCount: Int
    ) {
        self.session = session
        self.length = length
        self.markerCount = markerCount
        self.categoryCounts = categoryCounts
        self.strip = strip
        self.ticks = ticks
        self.markers = markers
        self.notable = notable
        self.fixes = fixes
        self.voiceNotes = voiceNotes
        self.actions = actions
        self.problems = problems
        self.errorCount = errorCount
    }
}

extension Digest {
    /// The first items of a list, and the number of omitted ones.
    struct TruncatedList<Item> {
        let items: [Item]
        let more: Int

        init(items: [Item], more: Int) {
            self.items = items
            self.more = more
        }

        init(_ all: [Item], limit: Int) {
            self.init(items: Array(all.prefix(limit)), more: max(0, all.count - limit))
        }

        /// How many there are in all.
        var total: Int { items.count + more }
    }

    /// One of the numbers below the heading.
    struct Count: Sendable, Hashable {
        let name: String
        let count: Int
        var category: MarkerCategory?
    }

    /// The title, or what stands for one.
    var heading: SingleLine {
        let title = SingleLine(session.title ?? "", limit: 80)
        if !title.text.isEmpty { return title }
        let untitled = session.startTime.map { "Session of \(zone.minuteText($0))" } ?? "Untitled session"
        return SingleLine(untitled, limit: 80)
    }

    /// Date, length and state, as far as they are known.
    var facts: [String] {
        let date = session.startTime.map(zone.minuteText)
        let length = length.map { session.status == .active ? "\($0.clock) so far" : $0.clock }
        return [date, length, state].compactMap(\.self)
    }

    /// Whether it runs, in words.
    package var state: String {
        if let forgotten { return "never closed, nothing for \(forgotten.ageText)" }
        if session.status == .active, let pausedAt { return "paused at \(pausedAt.clock)" }
        return session.status?.rawValue ?? "state unknown"
    }

    /// The number of markers, and of what else there is any, how many.
    var counts: [Count] {
        let categories = MarkerCategory.allCases.map { category in
            Count(name: category.name, count: categoryCounts[category] ?? 0, category: category)
        }
        let others = categories + [Count(name: "Voice notes", count: voiceNotes.total)]
        return [Count(name: "Markers", count: markerCount)] + others.filter { $0.count > 0 }
    }

    /// The number of errors and warnings, in words.
    var problemCounts: String {
        let counts = [(errorCount, "error"), (problems.total - errorCount, "warning")].filter { $0.0 > 0 }
        return counts.map { counted($0, $1) }.joined(separator: ", ")
    }
}

extension Digest.TruncatedList: Sendable where Item: Sendable {}
extension Digest.TruncatedList: Equatable where Item: Equatable {}
extension Digest.TruncatedList: Hashable where Item: Hashable {}
