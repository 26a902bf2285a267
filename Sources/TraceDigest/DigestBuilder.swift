internal import RecordFormat
internal import TraceFormat
internal import TraceText

/// Collects a ``Digest`` out of records that come one after the other, in memory that does not grow with the markers.
///
/// Voice notes come before markers, which refer to them; beyond that the order of the records does not matter. Only those that
/// count may come: of several lines of one id the last.
struct DigestBuilder {
    private let session: Session
    private let length: SessionOffset?
    private var strip: TimelineStrip?
    private var ticks: MarkerTicks?
    private var listed: TopK<TimeKey, Moment>
    private var links = VoiceNoteLinks()
    private var markerCount = 0
    private var categoryCounts: [MarkerCategory: Int] = [:]
    private var notable = TopK<RankedTime, Moment>(limit: 10)
    private var fixes = TopK<TimeKey, Moment>(limit: 20)
    private var voiceNotes = TopK<TimeKey, VoiceNote>(limit: 10)
    private var actions = TopK<UrgencyKey, ActionRun>(limit: 10)

    /// - Parameters:
    ///   - length: ``TraceFormat/Session/length(by:reaching:now:)``, which must be known first: the strip cuts it into pieces.
    ///   - listLimit: How many of all markers are kept for a list of them, the first ones.
    init(session: Session, length: SessionOffset?, listLimit: Int = 0) {
        self.session = session
        self.length = length
        strip = length.flatMap { TimelineStrip(length: $0) }
        ticks = length.flatMap { MarkerTicks(length: $0) }
        listed = TopK(limit: listLimit)
    }

    mutating func add(_ note: VoiceNote) {
        let key = TimeKey(note.offset, note.createdAt, note.id)
        links.add(note, key)
        voiceNotes.add(key) { note }
    }

    mutating func add(_ run: ActionRun) { actions.add(UrgencyKey(run)) { run } }

    mutating func add(_ marker: Marker) {
        add(
            TimeKey(marker.offset, marker.createdAt, marker.id), MarkerCategories(marker.tags),
            voiceNote: marker.voiceNoteID,
            hasNote: { marker.note.map { !SingleLine.isBlank($0) } ?? false }, value: { marker })
    }

    /// Takes the marker that a line holds, of which no more is copied than the digest shows.
    mutating func add(marker line: CheckedLine) {
        let fields = line.fields
        guard let id = fields.id, let offset = fields.offset else { return }
        add(
            TimeKey(offset, fields.createdAt, id), MarkerCategories(fields.tags), voiceNote: fields.reference,
            hasNote: {
                fields.note.map { !SingleLine.isBlank(String(decoding: $0, as: UTF8.self)) } ?? false
            }, value: { line.marker })
    }

    /// - Parameters:
    ///   - hasNote: Is asked only where it matters, as is `value`.
    private mutating func add(
        _ key: TimeKey, _ categories: MarkerCategories, voiceNote named: ULID?, hasNote: () -> Bool,
        value: () -> Marker?
    ) {
        markerCount += 1
        for category in MarkerCategory.allCases where categories.contains(category) {
            categoryCounts[category, default: 0] += 1
        }
        strip?.add(.init(offset: key.offset, letter: categories.first?.letter ?? "•"))
        ticks?.add(key.offset, categories.first)
        let voiceNote = links.voiceNote(ofMarker: key.id, named: named)
        func moment() -> Moment? { value().map { Moment($0, voiceNote: voiceNote) } }
        listed.add(key, moment)
        if categories.contains(.fix) { fixes.add(key, moment) }
        // A marker to fix is in the fix list, unless it is a highlight as well.
        guard !categories.contains(.fix) || categories.contains(.highlight) else { return }
        // What has words is asked for only where the better rank would find a place.
        let isHighlight = categories.contains(.highlight)
        let best = Moment.rank(hasWords: true, isHighlight: isHighlight)
        guard notable.hasRoom(for: RankedTime(rank: best, time: key)) else { return notable.skip() }
        let rank = Moment.rank(hasWords: voiceNote != nil || hasNote(), isHighlight: isHighlight)
        notable.add(RankedTime(rank: rank, time: key), moment)
    }

    /// The digest of what was added.
    ///
    /// - Parameter findings: What is wrong with the session's files, in any order.
    func finish(findings: [Finding]) -> Digest {
        var strip = strip
        for note in links.unattached { strip?.add(.init(offset: note.offset, letter: "V")) }
        let best = notable.entries.sorted { $0.key.time < $1.key.time }.map(\.value)
        let errors = findings.filter { $0.severity == .error }
        let others = findings.filter { $0.severity != .error }
        return Digest(
            session: session, length: length, markerCount: markerCount, categoryCounts: categoryCounts,
            strip: strip.flatMap { $0.isEmpty ? nil : $0 },
            ticks: ticks, markers: listed.truncated,
            notable: Digest.TruncatedList(items: best, more: notable.more), fixes: fixes.truncated,
            voiceNotes: voiceNotes.truncated, actions: actions.truncated,
            problems: Digest.TruncatedList(
                JournalLayout.session.sorted(errors) + JournalLayout.session.sorted(others), limit: 5),
            errorCount: errors.count)
    }
}

/// The least of many values by their keys, and how many there were in all.
///
/// Up to twice as many are collected before the greater half goes, so that a value costs O(log `limit`), in whatever order they
/// come.
private struct TopK<Key: Comparable, Value> {
    private let limit: Int
    private var gathered: [(key: Key, value: Value)] = []
    /// Whether `gathered` holds the least in their order, and nothing else.
    private var isSorted = true
    /// What is not less than this finds no place.
    private var bound: Key?
    private var total = 0

    init(limit: Int) { self.limit = limit }

    /// In the order of the keys.
    var entries: [(key: Key, value: Value)] {
        isSorted ? gathered : Array(gathered.sorted { $0.key < $1.key }.prefix(limit))
    }

    var more: Int { total - min(limit, gathered.count) }
    var truncated: Digest.TruncatedList<Value> {
        Digest.TruncatedList(items: entries.map(\.value), more: more)
    }

    func hasRoom(for key: Key) -> Bool { limit > 0 && bound.map { key < $0 } ?? true }

    /// Counts a value that would find no place.
    mutating func skip() { total += 1 }

    mutating func add(_ key: Key, _ value: () -> Value?) {
        guard hasRoom(for: key) else { return skip() }
        guard let value = value() else { return }
        total += 1
        isSorted = isSorted && gathered.last.map { $0.key < key } ?? true && gathered.count < limit
        gathered.append((key, value))
        guard gathered.count >= 2 * limit || (isSorted && gathered.count == limit) else { return }
        gathered = entries
        isSorted = true
        bound = gathered.last?.key
    }
}

/// Time order. The id comes last and means nothing there: it only makes the order the same every time.
private struct TimeKey: Comparable {
    let offset: SessionOffset
    let createdAt: Int64
    let id: ULID

    init(_ offset: SessionOffset, _ createdAt: Timestamp?, _ id: ULID) {
        self.offset = offset
        self.createdAt = createdAt?.milliseconds ?? .max
        self.id = id
    }

    static func < (left: TimeKey, right: TimeKey) -> Bool {
        if left.offset != right.offset { return left.offset < right.offset }
        return (left.createdAt, left.id) < (right.createdAt, right.id)
    }
}

/// How much a moment deserves one of the few places, less is more; the earlier before the later.
private struct RankedTime: Comparable {
    let rank: Int
    let time: TimeKey

    static func < (left: RankedTime, right: RankedTime) -> Bool {
        left.rank == right.rank ? left.time < right.time : left.rank < right.rank
    }
}

/// Failures, then what has no result yet, then successes; the earlier before the later.
private struct UrgencyKey: Comparable {
    private let key: (Int, Int64, String, ULID)

    init(_ run: ActionRun) {
        let urgency =
            switch run.status {
            case .failed: 0
            case .started: 1
            case .succeeded: 2
            }
        key = (urgency, run.createdAt?.milliseconds ?? .max, run.action, run.id)
    }

    static func == (left: UrgencyKey, right: UrgencyKey) -> Bool { left.key == right.key }
    static func < (left: UrgencyKey, right: UrgencyKey) -> Bool { left.key < right.key }
}

/// Which voice notes belong to which markers; either of the two may tell. It keeps a few words of each voice note.
private struct VoiceNoteLinks {
    private var notes: [(key: TimeKey, isAttached: Bool)] = []
    private var byID: [ULID: Int] = [:]
    private var byMarker: [ULID: [Int]] = [:]

    mutating func add(_ note: VoiceNote, _ key: TimeKey) {
        byID[note.id] = notes.count
        if let marker = note.markerID { byMarker[marker, default: []].append(notes.count) }
        notes.append((key, false))
    }

    /// The voice note of a marker: the one that it names, else the first that names it.
    mutating func voiceNote(ofMarker id: ULID, named: ULID?) -> ULID? {
        if notes.isEmpty { return nil }
        let own = named.flatMap { byID[$0] }
        let others = byMarker[id] ?? []
        for place in others + [own].compactMap(\.self) { notes[place].isAttached = true }
        return (own.map { notes[$0].key } ?? others.map { notes[$0].key }.min())?.id
    }

    /// Those that belong to no marker.
    var unattached: [TimeKey] { notes.filter { !$0.isAttached }.map(\.key) }
}
