package import RecordFormat

/// What a document has about one game, and what follows from it.
///
/// Source: docs/spec/practice.md#numbers-of-a-game.
package struct GameHistory {
    /// From when to when something counts; without limits all of it does.
    package struct Window: Sendable {
        /// Milliseconds since 1970.
        var start: Double?
        /// Some time of the last day that counts.
        var end: Double?

        package init(start: Double? = nil, end: Double? = nil) {
            self.start = start
            self.end = end
        }
    }

    /// The game's key.
    let game: String
    private let studyEvents: [StudyEvent]
    private let rows: [JournalRow]
    private let scores: [ScoreEntry]
    private let now: Timestamp
    private let zone: ZoneRules

    package init(
        of game: String, in records: GameRecords, window: Window = Window(), now: Timestamp, zone: ZoneRules
    ) {
        self.game = game
        self.now = now
        self.zone = zone
        let start = window.start ?? -.infinity
        let last = window.end.map { zone.endOfDay(of: Timestamp(flooring: $0)).milliseconds }
        let end = last.map(Double.init) ?? .infinity
        func counts(_ record: some PracticeRecord) -> Bool {
            record.time.map { $0 >= start && $0 <= end } ?? false
        }
        studyEvents = records.studyEvents(of: game).filter(counts)
        rows = records.rows(of: game).filter(counts)
        scores = records.scores(of: game)
    }

    /// Of all scores, whenever they were played; nil without any.
    package var statistics: ScoreStatistics? { ScoreStatistics(scores.lazy.map(\.score)) }

    /// All scores that have a time, oldest first; of one time in the order of the document.
    package var played: [ScoreEntry] {
        scores.filter { $0.time != nil }.enumerated().sorted {
            ($0.element.time ?? 0, $0.offset) < ($1.element.time ?? 0, $1.offset)
        }.map(\.element)
    }

    /// How much higher the later half of the scores is than the earlier one: 0.5 for half as high again. Nil for less than two.
    package var trend: Double? {
        let values = played.map { min(max($0.score, -ScoreText.limit), ScoreText.limit) }
        return Halves(values).flatMap { $0.earlier > 0 ? $0.later / $0.earlier - 1 : nil }
    }

    /// The highest of all scores; nil without any.
    package var best: Double? { scores.lazy.map(\.score).max() }

    package func timeline(_ mode: GapMode) -> ScoreTimeline {
        ScoreTimeline(scores.lazy.compactMap(\.time), mode: mode, zone: zone)
    }

    // MARK: - Progress

    /// How far a task is done, in percent: 0 to 100.
    package func progress(of task: StudyTask) -> Int {
        var newest: StudyEvent?
        for event in studyEvents where event.task?.known == task {
            if newest == nil || event.time ?? 0 > newest?.time ?? 0 { newest = event }
        }
        // What a device has said may be any number.
        if let newest { return min(max(newest.percent ?? 0, 0), 100) }
        let isDoneOnce = task == .practice || task == .playfield
        return isDoneOnce && rows.contains { $0.action?.known == task.action } ? 100 : 0
    }

    /// The mean of all tasks, rounded half up.
    package var completion: Int {
        let all = StudyTask.allCases.map { Double(progress(of: $0)) }
        return Int((all.reduce(0, +) / Double(all.count) + 0.5).rounded(.down))
    }

    // MARK: - What to practise

    /// Whole days since the newest row of an action; nil if there is none.
    func days(since action: RowAction) -> Int? {
        rows.lazy.filter { $0.action?.known == action }.compactMap(\.time).max().map {
            zone.wholeDays(from: Timestamp(flooring: $0), to: now)
        }
    }

    /// How much the game needs practice, from 0 on: by the spread of its scores, the days without it, and what is not done.
    package var focusPriority: Double {
        let statistics = statistics
        let spread = statistics.map { $0.median > 0 ? $0.spread : 1 } ?? 1
        let days = Double(min(days(since: .practiceSession) ?? 30, 30))
        return 0.45 * spread + 0.4 * days / 30 + 0.15 * Double(100 - completion) / 100
    }

    /// Whether it was not practised for two weeks, or never.
    var isStale: Bool { days(since: .practiceSession).map { $0 >= 14 } ?? true }

    /// Whether its scores are few, low or far apart.
    var isWeak: Bool { statistics.map { $0.median <= 0 || $0.isHighRisk } ?? true }
}
