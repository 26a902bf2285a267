internal import RecordFormat
internal import TraceFormat
internal import TraceText

/// Several sessions in one: a week of practice at a glance.
///
/// It is made of the digests of its sessions and nothing else: the same sessions render the same bytes, whatever their order.
///
/// Source: docs/digest.md#several-sessions.
package struct CombinedDigest: Sendable {
    /// A session, and what is needed to find it again.
    package struct Entry: Sendable {
        fileprivate(set) var digest: Digest
        /// The session's directory, as answers name it.
        package let path: String
        /// What a page can link to of it.
        let media: PageMedia

        init(_ digest: Digest, path: String, media: PageMedia = PageMedia()) {
            self.digest = digest
            self.path = path
            self.media = media
        }
    }

    /// A day by the clocks of the zone, and what was played on it: a session counts for the day on which it began.
    struct Day: Sendable, Hashable {
        /// `2026-02-04`
        let date: String
        /// `Wed`
        let weekday: String
        var sessionCount = 0
        var markerCount = 0
        var length = SessionOffset.zero
    }

    /// A moment and the session that it is of, a place among ``sessions``.
    struct SessionMoment: Sendable {
        let session: Entry
        let moment: Moment
    }

    /// A run and the session that it is of.
    struct SessionAction: Sendable {
        let session: Entry
        let action: ActionRun
    }

    /// The latest sessions, in time order.
    let sessions: Digest.TruncatedList<Entry>
    /// How long all of them were together.
    let length: SessionOffset
    /// How many markers, voice notes and findings there are in all.
    let markerCount: Int
    let categoryCounts: [MarkerCategory: Int]
    let voiceNoteCount: Int
    let errorCount: Int
    let warningCount: Int
    /// Every day from the first to the last, if they are few; else only those with a session, the latest.
    let days: [Day]
    /// On how many days there was a session.
    let dayCount: Int
    /// What is to be repaired, in time order.
    let fixes: Digest.TruncatedList<SessionMoment>
    /// What failed or waits.
    let actions: Digest.TruncatedList<SessionAction>
    /// The sessions in which something is wrong, in time order.
    let problems: Digest.TruncatedList<Entry>
    /// The zone of days and times.
    let zone: ZoneRules

    /// - Parameter entries: In any order; their times are shown in `zone` too.
    init(_ entries: [Entry], zone: ZoneRules = .utc) {
        self.zone = zone
        var sorted = entries
        for index in sorted.indices { sorted[index].digest.zone = zone }
        sorted.sort { left, right in
            (left.digest.session.startTime?.milliseconds ?? .max, left.path)
                < (right.digest.session.startTime?.milliseconds ?? .max, right.path)
        }
        let digests = sorted.map(\.digest)
        let limit = 30
        sessions = Digest.TruncatedList(items: sorted.suffix(limit), more: max(0, sorted.count - limit))
        length = digests.reduce(.zero) { Self.sum($0, $1.length) }
        markerCount = digests.reduce(0) { $0 + $1.markerCount }
        categoryCounts = digests.reduce(into: [:]) { $0.merge($1.categoryCounts, uniquingKeysWith: +) }
        voiceNoteCount = digests.reduce(0) { $0 + $1.voiceNotes.total }
        errorCount = digests.reduce(0) { $0 + $1.errorCount }
        warningCount = digests.reduce(0) { $0 + $1.problems.total - $1.errorCount }
        let played = Self.days(of: digests, in: zone)
        dayCount = played.count
        days = Self.filled(played)
        fixes = Self.first(20, of: sorted, \.fixes) { SessionMoment(session: $0, moment: $1) }
        let urgent = sorted.flatMap { entry in
            entry.digest.actions.items.filter { $0.status != .succeeded }.map {
                SessionAction(session: entry, action: $0)
            }
        }
        let failed = urgent.filter { $0.action.status == .failed }
        actions = Digest.TruncatedList(failed + urgent.filter { $0.action.status != .failed }, limit: 10)
        problems = Digest.TruncatedList(sorted.filter { $0.digest.problems.total > 0 }, limit: 10)
    }

    /// The first of what all sessions list, and how much is left out.
    private static func first<Item, Value>(
        _ limit: Int, of entries: [Entry], _ list: KeyPath<Digest, Digest.TruncatedList<Item>>,
        _ value: (Entry, Item) -> Value
    ) -> Digest.TruncatedList<Value> {
        let all = entries.flatMap { entry in entry.digest[keyPath: list].items.map { value(entry, $0) } }
        let total = entries.reduce(0) { $0 + $1.digest[keyPath: list].total }
        return Digest.TruncatedList(items: Array(all.prefix(limit)), more: total - min(limit, all.count))
    }

    private static func sum(_ total: SessionOffset, _ length: SessionOffset?) -> SessionOffset {
        total.adding(length ?? .zero)
    }

    // MARK: - Days

    private static let dayLength: Int64 = 86_400_000

    private static func days(of digests: [Digest], in zone: ZoneRules) -> [(number: Int64, day: Day)] {
        var days: [Int64: Day] = [:]
        for digest in digests {
            guard let start = digest.session.startTime else { continue }
            let number = Self.number(of: zone.shown(at: start))
            var day = days[number] ?? Self.day(number)
            day.sessionCount += 1
            day.markerCount += digest.markerCount
            day.length = sum(day.length, digest.length)
            days[number] = day
        }
        return days.sorted { $0.key < $1.key }.map { (number: $0.key, day: $0.value) }
    }

    /// With the days between them, where they are within two weeks; else the last two weeks' worth.
    private static func filled(_ days: [(number: Int64, day: Day)]) -> [Day] {
        let limit: Int64 = 14
        guard let first = days.first?.number, let last = days.last?.number, last - first < limit else {
            return days.suffix(Int(limit)).map(\.day)
        }
        return (first...last).map { number in days.first { $0.number == number }?.day ?? day(number) }
    }

    private static func number(of moment: Timestamp) -> Int64 {
        let milliseconds = moment.clamped.milliseconds
        return milliseconds / dayLength - (milliseconds % dayLength < 0 ? 1 : 0)
    }

    private static func day(_ number: Int64) -> Day {
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let moment = Timestamp(milliseconds: number * dayLength)
        return Day(date: String(moment.description.prefix(10)), weekday: names[Int((number % 7 + 7) % 7)])
    }
}

extension CombinedDigest {
    /// `Practice, 2026-02-02 to 2026-02-08`
    var heading: SingleLine {
        let dates = [days.first?.date, days.last?.date].compactMap(\.self)
        let first = dates.first.map { ", \($0)" } ?? ""
        let last = dates.first == dates.last ? "" : dates.last.map { " to \($0)" } ?? ""
        return SingleLine("Practice\(first)\(last)", limit: 80)
    }

    /// How many sessions on how many days, and how long they were.
    var facts: [String] {
        [counted(sessions.total, "session"), counted(dayCount, "day"), length.clock]
    }

    /// The number of markers, and of what else there is any, how many.
    var counts: [Digest.Count] {
        let categories = MarkerCategory.allCases.map { category in
            Digest.Count(name: category.name, count: categoryCounts[category] ?? 0, category: category)
        }
        let others = categories + [Digest.Count(name: "Voice notes", count: voiceNoteCount)]
        return [Digest.Count(name: "Markers", count: markerCount)] + others.filter { $0.count > 0 }
    }

    /// The longest day; bars are measured against it.
    var longestDay: SessionOffset { days.map(\.length).max() ?? .zero }

    /// What a day's line says behind its bar.
    static func words(of day: Day) -> String {
        day.sessionCount == 0 ? "" : "\(day.length.clock), \(numbers(of: day))"
    }

    /// How many sessions and markers a day had.
    static func numbers(of day: Day) -> String {
        "\(counted(day.sessionCount, "session")), \(counted(day.markerCount, "marker"))"
    }

    /// `Wed 2026-02-04 ▇▇▇▇▇▇▇▇▇▇ 1:12:00, 1 session, 14 markers`
    func dayRows(columns: Int) -> [String] {
        let longest = Double(max(1, longestDay.milliseconds))
        let lead = 15
        let room = max(4, min(24, columns - lead - 36))
        return days.map { day in
            let size = Int((Double(day.length.milliseconds) / longest * Double(room)).rounded())
            let bar = day.sessionCount == 0 ? "·" : String(repeating: "▇", count: max(1, size))
            let words = Self.words(of: day)
            return "\(day.weekday) \(day.date) \(bar)\(words.isEmpty ? "" : " \(words)")"
        }
    }
}

extension CombinedDigest.Entry {
    /// The few moments of the session that stand for it: the best, in time order.
    var moments: [Moment] {
        let ranked = digest.notable.items.enumerated().sorted { left, right in
            (left.element.rank, left.offset) < (right.element.rank, right.offset)
        }
        return ranked.prefix(3).sorted { $0.offset < $1.offset }.map(\.element)
    }

    /// How many markers and so on, in one line.
    var countWords: String { digest.counts.map { "\($0.name) \($0.count)" }.joined(separator: " · ") }
}
