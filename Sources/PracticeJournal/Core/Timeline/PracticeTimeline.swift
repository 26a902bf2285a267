package import RecordFormat

/// An entry of the journal's timeline: a row of the document, or an entry of the library's log.
///
/// Source: docs/spec/practice.md#the-timeline.
package struct TimelineItem: Sendable {
    /// `app-` or `library-`, and the id of the record, in upper case if it is a UUID.
    package let id: String
    /// As much of the id of a row as a person needs to name it; empty of an entry of the log.
    var shortID: String {
        guard id.hasPrefix(PracticeTimeline.rowStart) else { return "" }
        return RowName.part(of: RowName.plain(id))
    }
    /// Milliseconds since 1970, with fractions.
    package let time: Double
    package let text: String
    /// The same in one line, without the game that it is about.
    let brief: String
    /// The local day, as `2026-03-01`.
    package let day: String
    /// What the clocks show on that day, as `19:30`.
    package let clock: String
    /// The id of the game that it is about; empty if it is about none.
    package var game = ""
    /// The name of that game; empty if it is about none.
    package var name = ""
    let values: TimelineValues
}

/// What of the timeline is shown.
package enum TimelineFilter: String, CaseIterable, Sendable {
    case all, study, practice, score, notes, league

    func includes(_ row: JournalRow) -> Bool {
        switch self {
        case .all: true
        case .study: Self.studyActions.contains(row.action?.text ?? "")
        case .practice: row.action?.known == .practiceSession
        case .score: row.action?.known == .scoreLogged
        case .notes: row.action?.known == .noteAdded
        case .league:
            row.action?.known == .scoreLogged
                && (row.scoreContext?.known == .league
                    || Array((row.note ?? "").lowercased().utf8).contains(Self.leagueImport))
        }
    }

    func includes(_ entry: LogEntry) -> Bool {
        self == .all || self == .study && entry.kind.known != .browseGame
    }

    private static let studyActions = Set(
        [RowAction.rulesheetRead, .tutorialWatch, .gameplayWatch, .playfieldViewed].map(\.rawValue))
    private static let leagueImport = Array("league import".utf8)
}

/// Rows and log as one.
package struct PracticeTimeline {
    /// Newest first, then by id.
    package let items: [TimelineItem]

    /// - Parameters:
    ///   - log: The log of the library.
    ///   - style: Of the texts of rows.
    ///   - zone: In which days are counted.
    ///   - key: The canonical id of a game.
    ///   - name: The name of the game with this id.
    ///   - best: The highest score of the game with this canonical id.
    package init(
        _ rows: [JournalRow], _ log: [LogEntry], filter: TimelineFilter = .all,
        style: RowText.Style = .structured, zone: ZoneRules,
        key: (String) -> String = { $0 }, name: (String) -> String, best: (String) -> Double? = { _ in nil }
    ) {
        func item(
            _ id: String, _ time: Double, _ text: String, brief: String, _ game: String, _ name: String,
            _ values: TimelineValues
        ) -> TimelineItem {
            // What an import of a league has noted is filed under a game, and about none.
            let isAbout = !game.isEmpty && !text.hasPrefix(LeagueImport.summaryStart)
            let moment = Timestamp(flooring: time)
            return TimelineItem(
                id: id, time: time, text: text, brief: brief, day: zone.date(of: moment),
                clock: zone.clock(of: moment), game: key(game), name: isAbout ? name : "", values: values)
        }
        let shown = rows.filter(filter.includes).map { row in
            let name = name(row.game)
            let text = RowText(row, game: name).text(style)
            return item(
                Self.rowStart + Self.spelled(row.id ?? ""), row.time ?? 0, text,
                brief: style == .line ? text : RowText.brief(row), row.game, name,
                TimelineValues(row, best: best(key(row.game))))
        }
        let logged = log.filter(filter.includes).map { entry in
            let known = name(entry.game)
            let name = known == entry.game ? entry.gameName : known
            let isNamed = entry.id.hasPrefix(Self.logStart)
            return item(
                isNamed ? entry.id : Self.logStart + Self.spelled(entry.id), entry.time,
                entry.text(game: name), brief: style == .line ? entry.text(game: name) : entry.brief,
                entry.game, name, TimelineValues(entry))
        }
        items = (shown + logged).sorted { ($1.time, $0.id) < ($0.time, $1.id) }
    }

    /// What the id of a row begins with.
    static let rowStart = "app-"
    /// What that of an entry of the log begins with.
    static let logStart = "library-"

    private static func spelled(_ id: String) -> String { UUIDText.isUUID(id) ? id.uppercased() : id }
}
