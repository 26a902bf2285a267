package import RecordFormat

/// What is asked of a practice journal, as JSON: the same on the command line and over HTTP.
///
/// Source: practice.md, sections 9, 10 and 14.
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
    package init(
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
    package func timeline(
        _ filter: TimelineFilter = .all, game: String? = nil, style: RowText.Style = .structured
    ) -> [TimelineItem] {
        func isShown(_ raw: String) -> Bool { game == nil || library.canonical(raw).id == game }
        return PracticeTimeline(
            document.rows.filter { isShown($0.game) }.map { $0.shown(by: redaction) },
            log.filter { isShown($0.game) }, filter: filter,
            style: style, zone: zone, key: { library.canonical($0).id }, name: name
        ).items
    }

    // MARK: - Games

    /// The games of the library that are asked for.
    package func library(_ query: LibraryQuery) -> [LibraryQuery.Row] {
        query.rows(of: library, played: Set(document.scoreEntries.map { library.canonical($0.game).id }))
    }

    /// The numbers of a game, its alerts, and what is noted about it.
    ///
    /// - Parameter key: That of the game.
    package func game(_ key: String) -> JSONText {
        let history = GameHistory(of: key, in: records, now: now, zone: zone)
        let scores = history.timeline(document.settings.gapMode.known ?? .compressInactive)
        func last<Value>(_ members: [(game: String, value: Value)]) -> Value? {
            members.last { library.canonical($0.game).id == key }?.value
        }
        return .object { text in
            text.member("game", key)
            text.member("name", name(key))
            text.member("scores", history.statistics.map(Self.json))
            text.member(
                "score_timeline",
                .object { timeline in
                    timeline.member("active_sessions", DocumentNumber.json(scores.activeSessions))
                    timeline.member("long_gaps", DocumentNumber.json(scores.longGaps))
                    timeline.member("longest_gap_days", DocumentNumber.json(scores.longestGapDays))
                })
            text.member(
                "progress",
                .object { progress in
                    for task in StudyTask.allCases {
                        progress.member(task.rawValue, DocumentNumber.json(history.progress(of: task)))
                    }
                })
            text.member("completion", DocumentNumber.json(history.completion))
            text.member(
                "days_since_practice",
                history.days(since: .practiceSession).map { DocumentNumber.json($0) })
            text.member("focus", JSONText(history.focusPriority))
            text.member("alerts", .array(history.alerts.map(Self.json)))
            text.member("group", document.groups.active(for: key, in: library)?.id.map { JSONText($0) })
            text.member("note", last(document.gameNotes.map { ($0.game, $0.note) }).map { JSONText($0) })
            text.member(
                "rulesheet_offset",
                last(document.resumeOffsets.map { ($0.game, $0.offset) }).map { DocumentNumber.json($0) })
            text.member(
                "video_hint", last(document.videoHints.map { ($0.game, $0.hint) }).map { JSONText($0) })
        }
    }

    private static func json(_ statistics: ScoreStatistics) -> JSONText {
        .object { text in
            text.member("count", DocumentNumber.json(statistics.count))
            text.member("average", JSONText(statistics.average))
            text.member("median", JSONText(statistics.median))
            text.member("floor", JSONText(statistics.floor))
            text.member("lower_quartile", JSONText(statistics.lowerQuartile))
            text.member("upper_quartile", JSONText(statistics.upperQuartile))
            text.member("spread", JSONText(statistics.spread))
            text.member("consistency", statistics.consistency)
        }
    }

    private static func json(_ alert: GameAlert) -> JSONText {
        .object { text in
            text.member("severity", alert.severity.rawValue)
            text.member("message", alert.message)
        }
    }

    /// A game and how much it needs practice.
    package struct Focus: Sendable {
        package let game: String
        package let name: String
        package let priority: Double
        package let completion: Int

        package var json: JSONText {
            .object { text in
                text.member("game", game)
                text.member("name", name)
                text.member("focus", JSONText(priority))
                text.member("completion", DocumentNumber.json(completion))
            }
        }
    }

    /// The games of the library, the one that needs practice most first; of equals the first in the library.
    package var focus: [Focus] {
        let records = records
        let games = library.keys.map { key in
            let history = GameHistory(of: key, in: records, now: now, zone: zone)
            return Focus(
                game: key, name: name(key), priority: history.focusPriority, completion: history.completion)
        }
        return games.enumerated().sorted {
            ($1.element.priority, $0.offset) < ($0.element.priority, $1.offset)
        }.map(\.element)
    }

    // MARK: - Groups

    /// The groups, in the order of the document, with how their games are doing.
    package var groups: [JSONText] {
        let selected = document.groups.selected(stored: document.settings.selectedGroup)?.id
        let records = records
        return document.groups.map { group in
            let overview = GroupOverview(group, in: records, now: now, zone: zone)
            return .object { text in
                text.member("id", group.id.map { JSONText($0) })
                text.member("name", group.name)
                text.member("type", group.type.text)
                text.member("games", group.games)
                text.member("active", JSONText(group.isActive))
                text.member("archived", JSONText(group.isArchived))
                text.member("priority", JSONText(group.isPriority))
                text.member("selected", JSONText(group.id != nil && group.id == selected))
                text.member("start", group.start.map { DocumentNumber.json($0) })
                text.member("end", group.end.map { DocumentNumber.json($0) })
                text.member("completion", DocumentNumber.json(overview.completionAverage))
                text.member("stale_games", DocumentNumber.json(overview.staleGames))
                text.member("weaker_games", DocumentNumber.json(overview.weakerGames))
                text.member("recommended", overview.recommended.map { JSONText($0) })
            }
        }
    }

    /// The ids of the groups that have ended by themselves.
    package var expiredGroups: [String] { document.groups.expired(at: now, in: zone).compactMap(\.id) }

    // MARK: - Mechanics

    /// How the skills have been that are logged, in the order of the list of skills.
    package var mechanics: [SkillSummary] {
        let logs = Dictionary(grouping: MechanicsLog.logs(in: document.noteEntries), by: \.skill)
        let known = FlipperSkill.all.map(\.name)
        return (known + Set(logs.keys).subtracting(known).sorted()).compactMap { skill in
            logs[skill].map { SkillSummary(of: skill, in: $0) }
        }
    }
}

extension TimelineItem {
    package var json: JSONText {
        .object { text in
            text.member("id", id)
            text.member("time", DocumentNumber.json(time))
            text.member("day", day)
            text.member("text", self.text)
            text.member("game", game.isEmpty ? nil : JSONText(game))
        }
    }
}

extension SkillSummary {
    package var json: JSONText {
        .object { text in
            text.member("skill", skill)
            text.member("logs", DocumentNumber.json(count))
            text.member("latest", latest.map { DocumentNumber.json($0) })
            text.member("average", average.map { JSONText($0) })
            text.member("trend", trend.map { JSONText($0) })
        }
    }
}

extension LibraryQuery.Row {
    package var json: JSONText {
        .object { text in
            text.member("game", game.key)
            text.member("id", game.id)
            text.member("slug", game.slug)
            text.member("name", game.name)
            text.member("source", game.source)
            text.member("source_name", sourceName.map { JSONText($0) })
            text.member("bank", game.bank.map { DocumentNumber.json($0) })
            text.member("group", game.group.map { DocumentNumber.json($0) })
            text.member("position", game.position.map { DocumentNumber.json($0) })
            text.member("area", game.area.map { JSONText($0) })
            text.member("played", JSONText(isPlayed))
            text.member("tutorials", DocumentNumber.json(game.tutorialCount))
            text.member("gameplays", DocumentNumber.json(game.gameplayCount))
            let media = game.media
            text.member("rulesheet_url", media.rulesheet.url.map { JSONText($0) })
            text.member("rulesheet_file", media.rulesheet.file.map { JSONText($0) })
            text.member("playfield_url", media.playfield.url.map { JSONText($0) })
            text.member("playfield_file", media.playfield.file.map { JSONText($0) })
            text.member("videos", .array(media.videos.map(\.json)))
        }
    }
}

extension GameMedia.Video {
    fileprivate var json: JSONText {
        .object { text in
            text.member("kind", kind)
            text.member("label", label.map { JSONText($0) })
            text.member("url", url.map { JSONText($0) })
        }
    }
}
