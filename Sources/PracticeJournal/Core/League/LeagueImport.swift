package import RecordFormat

/// The scores of a player that come from the table of a league into the journal.
///
/// Source: docs/spec/practice.md#importing.
package struct LeagueImport {
    package struct Counts: Sendable, Equatable {
        package var imported = 0
        /// The journal had them for another game, which they are not of.
        var repaired = 0
        /// The journal had them.
        var skipped = 0
        /// Their game or day is unknown.
        var unmatched = 0

        package init(imported: Int = 0, repaired: Int = 0, skipped: Int = 0, unmatched: Int = 0) {
            self.imported = imported
            self.repaired = repaired
            self.skipped = skipped
            self.unmatched = unmatched
        }
    }

    package private(set) var change = DocumentChange()
    package private(set) var counts = Counts()
    /// The note of the row that says what came.
    package let summary: String

    /// The note of a row that came from a table.
    static let note = "Imported from LPL stats CSV"
    /// What the newest app writes as the version of the repair that an import makes.
    static let repairVersion = 2
    /// What the note of a row begins with that says what came.
    static let summaryStart = "League import for "

    /// - Parameters:
    ///   - player: As the table names them.
    ///   - shown: As the summary is to name them, if not so: what is in a row is shown and searched.
    ///   - zone: That in which the days of the table begin.
    ///   - entry: The id of the import, from which those of its records follow.
    ///   - now: The time of the import, and of its summary if nothing came.
    /// - Throws: ``WriteRejection`` if nobody is named.
    package init(
        of player: String, shownAs shown: String? = nil, from stats: LeagueStats,
        into document: PracticeDocument, library: GameLibrary,
        zone: ZoneRules, entry: ULID, at now: Timestamp
    ) throws(WriteRejection) {
        try self.init(
            of: player, shownAs: shown, from: stats, games: MachineMatcher(library), into: document,
            library: library, zone: zone, entry: entry, at: now)
    }

    /// - Parameter matcher: By which the games of the machines are found.
    init(
        of player: String, shownAs shown: String? = nil, from stats: LeagueStats,
        games matcher: MachineMatcher, into document: PracticeDocument, library: GameLibrary,
        zone: ZoneRules, entry: ULID, at now: Timestamp
    ) throws(WriteRejection) {
        guard let player = player.trimmedOrNil else { throw .player }
        // As the app does that has the library.
        let isNewest = library.hasCatalogue
        var games = MachineGames(matcher)
        var counts = Counts()
        var found: [FoundScore] = []
        for row in stats.rows(of: PlayerName(player)) where row.score > 0 {
            guard let date = row.date, let game = games.game(of: row) else {
                counts.unmatched += 1
                continue
            }
            found.append(FoundScore(row: row, game: game, start: zone.start(of: date), date: date))
        }
        var known = KnownScores(document, library, zone)
        // A score of the same evening is the row's own; only one that is left may be one that was imported as of another.
        let isSame = found.map { known.takesSame($0) }
        var latest: Double?
        for (score, isSame) in zip(found, isSame) {
            if isSame || known.takesNear(score) || !known.isNew(score) {
                counts.skipped += 1
                continue
            }
            if isNewest, let misplaced = known.takesMisplaced(score) {
                counts.repaired += 1
                change.replaced += document.moving(misplaced, to: score.game)
                continue
            }
            let time = Double((isNewest ? zone.evening(of: score.date) : score.start).milliseconds)
            func id(_ role: String) -> String {
                let number = DocumentNumber.text(score.row.score)
                let machine = MachineKey(score.row.machine).text
                return DerivedID.id(of: entry, named: "\(role):\(score.row.day):\(machine):\(number)")
            }
            change.added.append(
                .score(
                    id: id("league-score"), game: score.game, score: score.row.score,
                    context: ScoreContext.league.rawValue, tournament: nil, time: time, isLeagueImported: true
                ))
            change.added.append(
                .row(
                    id: id("league-journal"), game: score.game, action: .scoreLogged, score: score.row.score,
                    scoreContext: ScoreContext.league.rawValue, note: Self.note, time: time))
            latest = max(latest ?? time, time)
            counts.imported += 1
        }
        self.counts = counts
        let name = shown ?? (isNewest ? PlayerName(player).short : player)
        let repaired = counts.repaired > 0 ? " \(counts.repaired) repaired," : ""
        summary =
            Self.summaryStart + name
            + ": \(counts.imported) imported,\(repaired) \(counts.skipped) skipped, \(counts.unmatched) unmatched."
        change.added.append(
            .row(
                id: Self.summaryID(of: entry),
                game: library.games.first?.key ?? "library",
                action: .scoreLogged, scoreContext: ScoreContext.league.rawValue, note: summary,
                time: latest ?? Double(now.milliseconds)))
        change.members = Self.settings(of: document, at: now, isNewest: isNewest)
    }

    /// The id of the row that every import leaves: where it is, that import has been made.
    package static func summaryID(of entry: ULID) -> String {
        DerivedID.id(of: entry, named: "league-summary")
    }

    /// The time of the import, and for the newest app that there is nothing to repair.
    private static func settings(
        of document: PracticeDocument, at now: Timestamp, isNewest: Bool
    ) -> [DocumentChange.MemberChange] {
        let object = PracticeSettingsObject.leagueSettings
        var members: [DocumentChange.MemberChange] = [
            .init(object.rawValue, "lastImportAt", DocumentNumber.json(Double(now.milliseconds)))
        ]
        if isNewest {
            members.append(
                .init(object.rawValue, "lastRepairVersion", DocumentNumber.json(Self.repairVersion)))
        }
        return document.settingChanges(of: object, members)
    }
}

/// A row of the table whose game and day are known.
private struct FoundScore {
    let row: LeagueScore
    let game: String
    /// Of its day, where the journal is.
    let start: Timestamp
    let date: CivilDate

    var day: String { row.day }

    /// The days before and after it.
    var neighbours: [String] {
        let noon = ZoneRules.utc.start(of: date).adding(SessionOffset(milliseconds: 43_200_000))
        let day = SessionOffset(milliseconds: 86_400_000)
        return [noon.subtracting(day), noon.adding(day)].map(ZoneRules.utc.date(of:))
    }
}

extension ZoneRules {
    /// When an evening of the league is for the newest app: 22:00.
    fileprivate func evening(of date: CivilDate) -> Timestamp {
        let clock = ZoneRules.utc.start(of: date).adding(SessionOffset(milliseconds: 22 * 3_600_000))
        return moments(showing: clock).first
    }
}

extension PlayerName {
    /// The first word and the first letter of the last one, as the newest app shows a name; what is in parentheses behind it stays.
    var short: String {
        let marked = text.firstIndex(of: "(") ?? text.endIndex
        let words = text[..<marked].split(whereSeparator: \.isWhitespace)
        guard words.count > 1, let first = words.first, let letter = words.last?.first else {
            return text.withSingleSpaces
        }
        return "\(first) \(letter) \(text[marked...])".trimmed
    }
}

/// The league scores that a journal has.
private struct KnownScores {
    private struct Score {
        /// In the document.
        let index: Int
        let game: String
        let number: Double
        /// Where the journal is, as `YYYY-MM-DD`.
        let day: String
        let isImported: Bool
        var isTaken = false
    }

    private var scores: [Score] = []
    /// By the whole part of their numbers.
    private var indices: [Double: [Int]] = [:]
    /// Those that the table has brought.
    private var new: [Evening: [Double]] = [:]

    private struct Evening: Hashable {
        let game: String
        let day: String
    }

    init(_ document: PracticeDocument, _ library: GameLibrary, _ zone: ZoneRules) {
        for (index, entry) in document.scoreEntries.enumerated() where entry.context.known == .league {
            guard let time = entry.time else { continue }
            indices[entry.score.rounded(.down), default: []].append(scores.count)
            scores.append(
                Score(
                    index: index, game: library.canonical(entry.game).id, number: entry.score,
                    day: zone.date(of: Timestamp(flooring: time)),
                    isImported: entry.isLeagueImported))
        }
    }

    /// Those with that number, in the order of the document.
    private func like(_ score: FoundScore, _ isWanted: (Score) -> Bool) -> [Int] {
        let whole = score.row.score.rounded(.down)
        return [whole - 1, whole, whole + 1].flatMap { indices[$0] ?? [] }.filter {
            abs(scores[$0].number - score.row.score) < 0.5 && isWanted(scores[$0])
        }.sorted()
    }

    /// Whether the journal has the score on that day.
    mutating func takesSame(_ score: FoundScore) -> Bool {
        let same = like(score) { $0.game == score.game && $0.day == score.day }
        for index in same { scores[index].isTaken = true }
        return !same.isEmpty
    }

    /// Whether the journal has the score, imported, a day before or after: an app has moved its time where the phone was, or it was
    /// imported as of another zone. Each counts for one row.
    mutating func takesNear(_ score: FoundScore) -> Bool {
        let days = score.neighbours
        let near = like(score) {
            $0.game == score.game && $0.isImported && !$0.isTaken && days.contains($0.day)
        }
        guard let index = near.first else { return false }
        scores[index].isTaken = true
        return true
    }

    /// The one imported score of that number and day that no row has as its own.
    ///
    /// - Returns: Its place in the document; nil if there is none, or several.
    mutating func takesMisplaced(_ score: FoundScore) -> Int? {
        let days = score.neighbours + [score.day]
        let found = like(score) { $0.isImported && !$0.isTaken && days.contains($0.day) }
        guard found.count == 1, let index = found.first else { return nil }
        scores[index].isTaken = true
        return scores[index].index
    }

    /// Whether no row of the table has brought it yet.
    mutating func isNew(_ score: FoundScore) -> Bool {
        let evening = Evening(game: score.game, day: score.day)
        if new[evening]?.contains(where: { abs($0 - score.row.score) < 0.5 }) ?? false { return false }
        new[evening, default: []].append(score.row.score)
        return true
    }
}

extension PracticeDocument {
    /// A score gets another game, and so does the only row that stands for it.
    fileprivate func moving(_ index: Int, to game: String) -> [DocumentChange.Replacement] {
        let score = scoreEntries[index]
        let all = rows
        let rows = all.indices.filter { place in
            let row = all[place]
            return row.action?.known == .scoreLogged && row.scoreContext?.known == .league
                && row.game == score.game && row.score == score.score && row.time == score.time
        }
        var places = [DocumentChange.Place(.scoreEntries, index)]
        if rows.count == 1 { places += rows.map { DocumentChange.Place(.journalEntries, $0) } }
        return places.map { DocumentChange.Replacement($0, [("gameID", JSONText(game))]) }
    }
}
