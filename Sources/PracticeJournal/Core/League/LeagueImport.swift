package import RecordFormat

/// The scores of a player that come from the table of a league into the journal.
///
/// Source: docs/spec/practice.md#importing.
package struct LeagueImport {
    package struct Counts: Sendable, Equatable {
        package var imported = 0
        /// The journal had them.
        var skipped = 0
        /// Their game or day is unknown.
        var unmatched = 0

        package init(imported: Int = 0, skipped: Int = 0, unmatched: Int = 0) {
            self.imported = imported
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
        guard let player = player.trimmedOrNil else { throw .player }
        var known = KnownScores(document, library, zone)
        var games = MachineGames(library)
        var latest: Double?
        var counts = Counts()
        for row in stats.rows(of: PlayerName(player)) where row.score > 0 {
            let machine = MachineKey(row.machine)
            guard let date = row.date, let game = games.game(machine) else {
                counts.unmatched += 1
                continue
            }
            guard known.insert(row.score, of: game, on: row.day) else {
                counts.skipped += 1
                continue
            }
            let time = Double(zone.start(of: date).milliseconds)
            func id(_ role: String) -> String {
                let score = DocumentNumber.text(row.score)
                return DerivedID.id(of: entry, named: "\(role):\(row.day):\(machine.text):\(score)")
            }
            change.added.append(
                .score(
                    id: id("league-score"), game: game, score: row.score,
                    context: ScoreContext.league.rawValue, tournament: nil, time: time, isLeagueImported: true
                ))
            change.added.append(
                .row(
                    id: id("league-journal"), game: game, action: .scoreLogged, score: row.score,
                    scoreContext: ScoreContext.league.rawValue, note: Self.note, time: time))
            latest = max(latest ?? time, time)
            counts.imported += 1
        }
        self.counts = counts
        summary =
            Self.summaryStart + (shown ?? player)
            + ": \(counts.imported) imported, \(counts.skipped) skipped, \(counts.unmatched) unmatched."
        change.added.append(
            .row(
                id: Self.summaryID(of: entry),
                game: library.games.first?.key ?? "library",
                action: .scoreLogged, scoreContext: ScoreContext.league.rawValue, note: summary,
                time: latest ?? Double(now.milliseconds)))
        change.members = Self.settings(of: document, at: now)
    }

    /// The id of the row that every import leaves: where it is, that import has been made.
    package static func summaryID(of entry: ULID) -> String {
        DerivedID.id(of: entry, named: "league-summary")
    }

    /// The time of the import.
    private static func settings(of document: PracticeDocument, at now: Timestamp)
        -> [DocumentChange.MemberChange]
    {
        document.settingChanges(
            of: .leagueSettings,
            [
                .init(
                    PracticeSettingsObject.leagueSettings.rawValue, "lastImportAt",
                    DocumentNumber.json(Double(now.milliseconds)))
            ])
    }
}

/// The games of machines, each looked for once.
private struct MachineGames {
    private let matcher: MachineMatcher
    private var found: [MachineKey: String?] = [:]

    init(_ library: GameLibrary) { matcher = MachineMatcher(library) }

    mutating func game(_ machine: MachineKey) -> String? {
        if let known = found[machine] { return known }
        let game = matcher.game(machine)
        found[machine] = game
        return game
    }
}

/// The league scores that a journal has, by their game and day.
private struct KnownScores {
    private struct Evening: Hashable {
        let game: String
        let day: String
    }

    private var scores: [Evening: [Double]] = [:]

    init(_ document: PracticeDocument, _ library: GameLibrary, _ zone: ZoneRules) {
        for entry in document.scoreEntries where entry.context.known == .league {
            guard let time = entry.time else { continue }
            let day = zone.date(of: Timestamp(flooring: time))
            scores[Evening(game: library.canonical(entry.game).id, day: day), default: []].append(entry.score)
        }
    }

    /// Whether the score was not there yet.
    mutating func insert(_ score: Double, of game: String, on day: String) -> Bool {
        let evening = Evening(game: game, day: day)
        if scores[evening, default: []].contains(where: { abs($0 - score) < 0.5 }) { return false }
        scores[evening, default: []].append(score)
        return true
    }
}
