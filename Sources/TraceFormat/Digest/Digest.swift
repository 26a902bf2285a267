/// What is worth knowing about a session, read in under a minute; ``markdown()`` and ``terminal(columns:styled:)`` spell
/// it.
///
/// It depends on nothing but the values that it is made of, not even on their order: the same session renders the same
/// bytes.
///
/// Source: design.md, section 11.
public struct Digest: Sendable, Hashable {
    /// What `session.json` says.
    package let session: Session
    /// How long the session is, or has been so far; nil when nothing tells.
    package let length: SessionOffset?
    /// How many markers there are.
    package let markerCount: Int
    /// How many markers bear each category.
    package let categoryCounts: [MarkerCategory: Int]
    /// Where something was marked; nil when nothing was.
    package let strip: TimelineStrip?
    /// The moments to look at first, in time order.
    package let notable: Capped<Moment>
    /// What is to be mended, in time order.
    package let fixes: Capped<Moment>
    /// What was said, in time order.
    package let voiceNotes: Capped<VoiceNote>
    /// What was run or asked for: failures, then what has no result yet, then successes.
    package let actions: Capped<ActionRun>
    /// What is wrong with the files, errors first.
    package let problems: Capped<Finding>
    /// How many of the findings are errors.
    package let errorCount: Int

    /// The digest of a session.
    ///
    /// A marker to fix stands in the fix list and not among the notable moments, unless it is a highlight as well.
    ///
    /// - Parameters:
    ///   - markers: The authoritative entries, in any order.
    ///   - voiceNotes: The authoritative entries, in any order.
    ///   - actions: The runs as their latest lines tell, in any order.
    ///   - findings: What is wrong with the session's files, in any order.
    ///   - now: For the length of an active session. If nil, the largest offset known is its length so far.
    /// - Complexity: O(n log n) in the number of records; what is kept does not grow with it.
    public init(
        session: Session, markers: [Marker], voiceNotes: [VoiceNote] = [], actions: [ActionRun] = [],
        findings: [Finding] = [], now: Timestamp? = nil
    ) {
        let voiceNotes = voiceNotes.inTimeOrder(\.timeKey)
        let links = VoiceNoteLinks(markers, voiceNotes)
        let moments = markers.inTimeOrder(\.timeKey)
            .map { Moment($0, voiceNote: links.voiceNote(of: $0)) }
        let length = Self.length(of: session, markers, voiceNotes, now: now)
        self.session = session
        self.length = length
        markerCount = markers.count
        categoryCounts = moments.reduce(into: [:]) { counts, moment in
            for category in moment.categories { counts[category, default: 0] += 1 }
        }
        let spoken = voiceNotes.filter { !links.attached.contains($0.id) }
        let points =
            moments.map { TimelineStrip.Point(offset: $0.marker.offset, letter: $0.letter) }
            + spoken.map { TimelineStrip.Point(offset: $0.offset, letter: "V") }
        strip = length.flatMap { TimelineStrip(length: $0, points: points) }
        notable = Self.notable(of: moments)
        fixes = Capped(moments.filter { $0.categories.contains(.fix) }, limit: 20)
        self.voiceNotes = Capped(voiceNotes, limit: 10)
        self.actions = Capped(actions.sorted { $0.digestKey < $1.digestKey }, limit: 10)
        let errors = findings.filter { $0.severity == .error }
        errorCount = errors.count
        problems = Capped(errors.sorted() + findings.filter { $0.severity != .error }.sorted(), limit: 5)
    }

    /// The best ten: those with words first, then highlights, then the others; the earlier before the later.
    private static func notable(of moments: [Moment]) -> Capped<Moment> {
        let candidates = moments.filter {
            !$0.categories.contains(.fix) || $0.categories.contains(.highlight)
        }
        // The moments are in time order, and so are the places that stand for them.
        let ranked = candidates.enumerated().map { (rank: $1.rank, place: $0) }.sorted { $0 < $1 }
        let best = Capped(ranked, limit: 10)
        return Capped(items: best.items.map(\.place).sorted().map { candidates[$0] }, more: best.more)
    }

    private static func length(
        of session: Session, _ markers: [Marker], _ voiceNotes: [VoiceNote], now: Timestamp?
    ) -> SessionOffset? {
        if let stated = statedLength(of: session, now: now), stated >= .zero { return stated }
        let known = markers.map(\.end) + voiceNotes.map(\.offset) + session.media.compactMap(\.end)
        return known.max()
    }

    private static func statedLength(of session: Session, now: Timestamp?) -> SessionOffset? {
        if session.status != .active, let duration = session.duration { return duration }
        guard let start = session.startTime, let end = session.status == .active ? now : session.endTime
        else {
            return nil
        }
        return SessionOffset(milliseconds: end - start)
    }
}

extension Digest {
    /// The first of many, and how many are left out.
    package struct Capped<Item> {
        package let items: [Item]
        package let more: Int

        package init(items: [Item], more: Int) {
            self.items = items
            self.more = more
        }

        init(_ all: [Item], limit: Int) {
            self.init(items: Array(all.prefix(limit)), more: max(0, all.count - limit))
        }

        /// How many there are in all.
        package var total: Int { items.count + more }
    }

    /// One of the numbers below the heading.
    package struct Count: Sendable, Hashable {
        package let name: String
        package let count: Int
        package var category: MarkerCategory?
    }

    /// The title, or what stands for one.
    package var heading: SingleLine {
        let title = SingleLine(session.title ?? "", limit: 80)
        if !title.text.isEmpty { return title }
        let untitled = session.startTime.map { "Session of \($0.minuteText) UTC" } ?? "Untitled session"
        return SingleLine(untitled, limit: 80)
    }

    /// Date, length and state, as far as they are known.
    package var facts: [String] {
        let date = session.startTime.map { "\($0.minuteText) UTC" }
        let length = length.map { session.status == .active ? "\($0.clock) so far" : $0.clock }
        return [date, length, session.status?.rawValue ?? "state unknown"].compactMap(\.self)
    }

    /// How many markers there are, and of what else there is any, how many.
    package var counts: [Count] {
        let categories = MarkerCategory.allCases.map { category in
            Count(name: category.name, count: categoryCounts[category] ?? 0, category: category)
        }
        let others = categories + [Count(name: "Voice notes", count: voiceNotes.total)]
        return [Count(name: "Markers", count: markerCount)] + others.filter { $0.count > 0 }
    }

    /// How many errors and warnings there are, in words.
    package var problemCounts: String {
        let counts = [(errorCount, "error"), (problems.total - errorCount, "warning")].filter { $0.0 > 0 }
        return counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: ", ")
    }
}

extension Digest.Capped: Sendable where Item: Sendable {}
extension Digest.Capped: Equatable where Item: Equatable {}
extension Digest.Capped: Hashable where Item: Hashable {}

/// Which voice notes belong to which markers; either of the two may tell.
private struct VoiceNoteLinks {
    private let known: Set<ULID>
    private let byMarker: [ULID: ULID]
    /// The voice notes that belong to a marker.
    let attached: Set<ULID>

    init(_ markers: [Marker], _ voiceNotes: [VoiceNote]) {
        known = Set(voiceNotes.map(\.id))
        let markerIDs = Set(markers.map(\.id))
        let pairs = voiceNotes.compactMap { note in note.markerID.map { (marker: $0, voiceNote: note.id) } }
            .filter { markerIDs.contains($0.marker) }
        byMarker = Dictionary(pairs.map { ($0.marker, $0.voiceNote) }) { first, _ in first }
        attached = known.intersection(markers.compactMap(\.voiceNoteID)).union(pairs.map(\.voiceNote))
    }

    func voiceNote(of marker: Marker) -> ULID? {
        marker.voiceNoteID.flatMap { known.contains($0) ? $0 : nil } ?? byMarker[marker.id]
    }
}

/// Time order. The id comes last and means nothing there: it only makes the order the same every time.
private struct TimeKey: Comparable {
    let offset: SessionOffset
    let createdAt: Timestamp?
    let id: ULID

    static func < (left: TimeKey, right: TimeKey) -> Bool {
        (left.offset, left.createdAt?.milliseconds ?? .max, left.id)
            < (right.offset, right.createdAt?.milliseconds ?? .max, right.id)
    }
}

extension Array {
    /// Sorts the keys and not the elements, which are large and dear to move.
    fileprivate func inTimeOrder(_ key: (Element) -> TimeKey) -> [Element] {
        let places = indices.map { (key: key(self[$0]), index: $0) }.sorted { $0.key < $1.key }
        return places.map { self[$0.index] }
    }
}

extension Marker {
    fileprivate var timeKey: TimeKey { TimeKey(offset: offset, createdAt: createdAt, id: id) }
}

extension VoiceNote {
    fileprivate var timeKey: TimeKey { TimeKey(offset: offset, createdAt: createdAt, id: id) }
}

extension ActionRun {
    fileprivate var digestKey: (Int, Int64, String, ULID) {
        let urgency =
            switch status {
            case .failed: 0
            case .started: 1
            case .succeeded: 2
            }
        return (urgency, createdAt?.milliseconds ?? .max, action, id)
    }
}

extension MediaItem {
    fileprivate var end: SessionOffset? {
        guard let start = startOffset?.milliseconds, let length = duration?.milliseconds else { return nil }
        let (sum, isTooLarge) = start.addingReportingOverflow(length)
        return isTooLarge ? nil : SessionOffset(milliseconds: sum)
    }
}
