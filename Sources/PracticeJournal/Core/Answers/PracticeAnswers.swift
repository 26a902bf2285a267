internal import RecordFormat

/// What is asked of a practice journal: the same on the command line and over HTTP.
///
/// Source: docs/spec/practice.md#numbers-of-a-game and docs/spec/practice.md#the-timeline.
package struct PracticeAnswers {
    private let document: PracticeDocument
    private let library: GameLibrary
    private let log: [LogEntry]
    private let redaction: NameRedaction
    private let now: Timestamp
    private let zone: ZoneRules

    /// - Parameters:
    ///   - log: The log of the library.
    ///   - redaction: Whom the rows are not to name.
    ///   - zone: In which days are counted.
    init(
        _ document: PracticeDocument, library: GameLibrary, log: [LogEntry] = [],
        redaction: NameRedaction = NameRedaction(), now: Timestamp, zone: ZoneRules
    ) {
        self.document = document
        self.library = library
        self.log = log
        self.redaction = redaction
        self.now = now
        self.zone = zone
    }

    private var records: GameRecords { GameRecords(document, library) }

    private func name(_ game: String) -> String { library.name(of: library.canonical(game).id) }

    // MARK: - The journal

    /// Rows and log, newest first.
    ///
    /// - Parameter game: Only what is about the game with this key.
    func timeline(
        _ filter: TimelineFilter = .all, game: String? = nil, style: RowText.Style = .structured
    ) -> [TimelineItem] {
        func isShown(_ raw: String) -> Bool { game == nil || library.canonical(raw).id == game }
        var spelled: [String: Double] = [:]
        for entry in document.scoreEntries {
            spelled[entry.game] = max(spelled[entry.game] ?? -.infinity, entry.score)
        }
        // A game may be spelled in several ways.
        let best = Dictionary(
            spelled.map { (library.canonical($0.key).id, $0.value) }, uniquingKeysWith: max)
        return PracticeTimeline(
            document.rows.filter { isShown($0.game) }.map { $0.shown(by: redaction) },
            log.filter { isShown($0.game) }, filter: filter,
            style: style, zone: zone, key: { library.canonical($0).id }, name: name, best: { best[$0] }
        ).items
    }

    // MARK: - Games

    /// The games of the library that are asked for.
    ///
    /// - Parameter whole: The library with what there is to read and to see.
    func library(_ query: LibraryQuery, in whole: GameLibrary) -> [LibraryQuery.Row] {
        query.rows(of: whole, played: Set(document.scoreEntries.map { library.canonical($0.game).id }))
    }

    /// The numbers of a game, its alerts, and what is noted about it.
    ///
    /// - Parameter key: That of the game.
    package func game(_ key: String) -> GameNumbers {
        let history = GameHistory(of: key, in: records, now: now, zone: zone)
        func last<Value>(_ members: [(game: String, value: Value)]) -> Value? {
            members.last { library.canonical($0.game).id == key }?.value
        }
        return GameNumbers(
            game: key, name: name(key), statistics: history.statistics,
            played: history.played.compactMap(played),
            trend: history.trend, best: history.best,
            timeline: history.timeline(document.settings.gapMode.known ?? .compressInactive),
            progress: GameProgress(history), completion: history.completion,
            daysSincePractice: history.days(since: .practiceSession), focus: history.focusPriority,
            alerts: history.alerts, group: document.groups.active(for: key, in: library),
            note: last(document.gameNotes.map { ($0.game, $0.note) }),
            rulesheetOffset: last(document.resumeOffsets.map { ($0.game, $0.offset) }),
            videoHint: last(document.videoHints.map { ($0.game, $0.hint) }))
    }

    private func played(_ score: ScoreEntry) -> PlayedScore? {
        guard let time = score.time else { return nil }
        let moment = Timestamp(flooring: time)
        return PlayedScore(
            score: score, time: time, day: zone.date(of: moment), clock: zone.clock(of: moment))
    }

    /// A game and how much it needs practice.
    struct Focus: Sendable {
        let game: String
        let name: String
        let priority: Double
        let completion: Int
    }

    /// The games of the library, the one that needs practice most first; of equals the first in the library. Of the catalogue's other games,
    /// those that the journal has something about.
    var focus: [Focus] {
        let records = records
        let known = Set(PracticeArray.allCases.flatMap(document.games(of:)).map { library.canonical($0).id })
        let games = library.keys(withOthers: known.contains).map { key in
            let history = GameHistory(of: key, in: records, now: now, zone: zone)
            return Focus(
                game: key, name: name(key), priority: history.focusPriority, completion: history.completion)
        }
        return games.enumerated().sorted {
            ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset)
        }.map(\.element)
    }

    // MARK: - Groups

    /// A group, with how its games are doing.
    struct Group: Sendable {
        let group: PracticeGroup
        let overview: GroupOverview
        /// Whether it is shown first.
        let isSelected: Bool
        /// Its games, as people know them.
        let names: [String]
        /// As much of its id as a person needs to name it.
        var shortID: String { RowName.part(of: group.id ?? "") }
        /// The local days on which it begins and ends; nil where it does not say.
        let firstDay: String?
        let lastDay: String?
    }

    /// The groups, in the order of the document.
    var groups: [Group] {
        let selected = document.groups.selected(stored: document.settings.selectedGroup)?.id
        let records = records
        return document.groups.map { group in
            Group(
                group: group, overview: GroupOverview(group, in: records, now: now, zone: zone),
                isSelected: group.id != nil && group.id == selected, names: group.games.map(name),
                firstDay: group.start.map(day), lastDay: group.end.map(day))
        }
    }

    private func day(_ time: Double) -> String { zone.date(of: Timestamp(flooring: time)) }

    /// The ids of the groups that have ended by themselves.
    var expiredGroups: [String] { document.groups.expired(at: now, in: zone).compactMap(\.id) }

    // MARK: - Mechanics

    /// How the skills have been that are logged, in the order of the list of skills.
    var mechanics: [SkillSummary] {
        let logs = Dictionary(grouping: MechanicsLog.logs(in: document.noteEntries), by: \.skill)
        let known = FlipperSkill.all.map(\.name)
        return (known + Set(logs.keys).subtracting(known).sorted()).compactMap { skill in
            logs[skill].map { SkillSummary(of: skill, in: $0) }
        }
    }
}

/// The numbers of a game, its alerts, and what is noted about it.
package struct GameNumbers: Sendable {
    let game: String
    let name: String
    /// Nil without a score.
    package let statistics: ScoreStatistics?
    /// The scores that have a time, oldest first.
    let played: [PlayedScore]
    /// How much higher the later half of them is; nil for less than two.
    let trend: Double?
    /// The highest score.
    let best: Double?
    let timeline: ScoreTimeline
    let progress: GameProgress
    /// The mean of the progress of all tasks, in percent.
    let completion: Int
    /// Nil if it never was practised.
    let daysSincePractice: Int?
    /// How much it needs practice.
    let focus: Double
    let alerts: [GameAlert]
    /// That in which it is practised.
    let group: PracticeGroup?
    let note: String?
    let rulesheetOffset: Double?
    let videoHint: String?
    /// What is asked of the league's tables besides.
    var league = GameInLeague()
}

/// A score, and when that was in the journal's zone.
struct PlayedScore: Sendable {
    let score: ScoreEntry
    /// Milliseconds since 1970, with fractions.
    let time: Double
    let day: String
    let clock: String
}

/// How far each task of a game is done, in percent.
struct GameProgress: Sendable {
    private let percent: [StudyTask: Int]

    init(_ history: GameHistory) {
        percent = Dictionary(
            uniqueKeysWithValues: StudyTask.allCases.map { ($0, history.progress(of: $0)) })
    }

    subscript(task: StudyTask) -> Int { percent[task] ?? 0 }
}
