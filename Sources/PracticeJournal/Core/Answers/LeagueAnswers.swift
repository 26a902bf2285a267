internal import RecordFormat
internal import TraceText

/// What is asked of the tables of a league: the same on the command line and over HTTP. Every name comes from the redaction.
///
/// Source: docs/spec/practice.md#league-tables.
struct LeagueAnswers {
    private let tables: LeagueTables
    private let library: GameLibrary
    private let settings: PracticeSettings
    private let redaction: NameRedaction
    private let games: MachineMatcher
    private let takesShownNamesOnly: Bool

    /// - Parameter takesShownNamesOnly: Whether who asks may name players only as answers do: others than the journal's owner. The settings are
    ///   read in the same way, for who asks may have written them.
    init(
        _ tables: LeagueTables, library: GameLibrary, settings: PracticeSettings, redaction: NameRedaction,
        takesShownNamesOnly: Bool = false
    ) {
        self.tables = tables
        self.library = library
        self.settings = settings
        self.redaction = redaction
        self.takesShownNamesOnly = takesShownNamesOnly
        games = MachineMatcher(library, tables.mappings)
    }

    // MARK: - Scores

    /// The numbers of the machines, in the order of the table; of one machine if one is named.
    func machines(_ filter: LeagueScoreFilter = LeagueScoreFilter()) throws(PracticeRefusal)
        -> [LeagueMachine]
    {
        let stats = try table(\.stats, .stats)
        var found = stats.statistics(season: filter.season, bank: filter.bank)
        if let machine = filter.machine {
            let key = MachineKey(machine)
            found = found.filter { MachineKey($0.machine) == key }
        }
        return found.map { machine, statistics in
            LeagueMachine(
                machine: machine, game: games.game(MachineKey(machine)), statistics: statistics,
                lowPlayer: redaction.shown(statistics.lowHolder.player),
                highPlayer: redaction.shown(statistics.highHolder.player))
        }
    }

    /// The rows that have enough to be shown, in the order of the table; those of one player if one is named.
    func scores(
        _ filter: LeagueScoreFilter = LeagueScoreFilter(), of player: String? = nil
    ) throws(PracticeRefusal) -> [LeagueScoreRow] {
        let stats = try table(\.stats, .stats)
        let player = player.map { named($0, in: stats) }
        let machine = filter.machine.map { MachineKey($0) }
        return rows(
            stats.shown.filter { row in
                player ?? row.player == row.player && filter.season ?? row.season == row.season
                    && filter.bank ?? row.bank == row.bank
                    && (machine == nil || MachineKey(row.machine) == machine)
            })
    }

    private func rows(_ scores: [LeagueScore]) -> [LeagueScoreRow] {
        let own = own(among: scores.lazy.map(\.player))
        var names: [PlayerName: String] = [:]
        var machines = MachineGames(games)
        return scores.map { score in
            let name = names[score.player] ?? redaction.shown(score.player)
            names[score.player] = name
            return LeagueScoreRow(
                score, player: name, isOwn: !own.isEmpty && score.player == own,
                game: machines.game(of: score))
        }
    }

    /// The bank that a player played last.
    func recent(_ asked: String? = nil) throws(PracticeRefusal) -> LeagueEvening {
        let stats = try table(\.stats, .stats)
        // Without a player it is that of the newest row, whoever's that is.
        let player = named(asked, or: settings.ownPlayer, in: stats)
        guard let bank = RecentBank(for: player, in: stats) else {
            throw PracticeRefusal(
                .notInLeague, "no row of the league's scores can be shown",
                cure: "a row needs a season, a bank, a player, a machine, and a score or points")
        }
        return LeagueEvening(
            label: bank.label, player: redaction.shown(bank.player), season: bank.season, bank: bank.bank,
            rows: rows(bank.rows))
    }

    // MARK: - Standings

    /// The best of the latest season.
    func standings(
        of asked: String? = nil, top: Int? = nil
    ) throws(PracticeRefusal) -> [LeaguePlace] {
        let standings = try table(\.standings, .standings)
        let own = player(asked, or: settings.ownPlayer, in: standings)
        return places(standings, standings.top(top ?? .max), own)
    }

    /// A player with the neighbours.
    func around(_ asked: String? = nil) throws(PracticeRefusal) -> [LeaguePlace] {
        let standings = try table(\.standings, .standings)
        let own = try self.own(instead: asked)
        let player = self.player(asked, or: own, in: standings)
        guard let found = standings.around(player) else {
            throw noPlayer(player, "standings", among: standings.table.lazy.map(\.player))
        }
        return places(standings, found.rows, player)
    }

    private func player(
        _ asked: String?, or own: String, in standings: LeagueStandings
    ) -> PlayerName {
        player(asked, or: own, among: standings.table.lazy.map(\.player))
    }

    private func places(
        _ standings: LeagueStandings, _ rows: ArraySlice<LeagueStandings.Standing>, _ own: PlayerName
    ) -> [LeaguePlace] {
        zip(rows.indices, rows).map { index, row in
            LeaguePlace(
                season: standings.season ?? 0, position: index + 1, row, player: redaction.shown(row.player),
                isOwn: !own.isEmpty && row.player == own)
        }
    }

    // MARK: - Targets

    /// The targets, in the order of the library.
    func targets() throws(PracticeRefusal) -> [LeagueTarget] {
        try table(\.targets, .targets).inOrder
    }

    /// The bank that a player plays next, and its targets. Without a table of scores, none was played.
    func next(_ asked: String? = nil) throws(PracticeRefusal) -> NextBank {
        let targets = try table(\.targets, .targets)
        let stats = tables.stats == nil ? LeagueStats([]) : try table(\.stats, .stats)
        let player = named(asked, or: settings.ownPlayer, in: stats)
        guard let bank = NextBank(for: player, stats: stats, targets: targets) else {
            throw PracticeRefusal(
                .notInLeague, "no target is of a game that has a bank in the library",
                cure: "bring the library up to date")
        }
        return bank
    }

    // MARK: - One game

    /// What the tables say of a game; nothing where there are none, or none that can be read.
    ///
    /// - Parameter key: That of the game.
    func game(_ key: String) -> GameInLeague {
        var found = GameInLeague()
        found.target = try? table(\.targets, .targets).target(of: key)
        var machines = MachineGames(games)
        let scores = (try? table(\.stats, .stats).rows)?.filter { row in
            row.score > 0 && machines.game(of: row) == key
        }
        found.mean = ScoreStatistics((scores ?? []).lazy.map(\.score))?.average
        return found
    }

    // MARK: - Two players

    /// Two players, by the games of both.
    func versus(
        _ player: String? = nil, _ opponent: String? = nil
    ) throws(PracticeRefusal) -> LeagueComparison {
        let stats = try table(\.stats, .stats)
        func known(_ asked: String?, or own: String) throws(PracticeRefusal) -> PlayerName {
            let name = named(asked, or: own, in: stats)
            guard stats.has(name) else {
                throw noPlayer(name, "scores", among: stats.rows.lazy.map(\.player))
            }
            return name
        }
        let you = try known(player, or: own(instead: player))
        guard !(opponent ?? settings.comparisonPlayer).isBlank else {
            throw PracticeRefusal(
                .nobodyNamed, "no player to compare with is named", cure: "name one")
        }
        let them = try known(opponent, or: settings.comparisonPlayer)
        let found = HeadToHead(you, them, in: stats, library: library, games: games)
        return LeagueComparison(
            you: redaction.shown(you), them: redaction.shown(them),
            games: found.games.map { .init(scores: $0, name: library.name(of: $0.game)) },
            youLead: found.youLead, theyLead: found.theyLead, averageDelta: found.averageDelta)
    }

    // MARK: - Support

    private func named(_ asked: String?, or own: String = "", in stats: LeagueStats) -> PlayerName {
        player(asked, or: own, among: stats.rows.lazy.map(\.player))
    }

    /// The player who is asked for, or else one of the journal's settings. Who may not be asked for is nobody, as if there were none.
    private func player(
        _ asked: String?, or own: String, among players: some Sequence<PlayerName>
    ) -> PlayerName {
        guard takesShownNamesOnly else { return redaction.player(asked ?? own, among: players) }
        return redaction.player(shownAs: asked ?? own, among: players) ?? PlayerName("")
    }

    /// Whose rows are marked as the journal's own.
    private func own(among players: some Sequence<PlayerName>) -> PlayerName {
        takesShownNamesOnly
            ? player(nil, or: settings.ownPlayer, among: players) : PlayerName(settings.ownPlayer)
    }

    private func table<Table: CheckedTable>(
        _ path: KeyPath<LeagueTables, Table?>, _ kind: LeagueTables.Table
    ) throws(PracticeRefusal) -> Table {
        guard let table = tables[keyPath: path] else {
            throw PracticeRefusal(
                .notInLeague, "there is no table league/\(kind.fileName)",
                cure: "put the table of the league there, or fetch it with the library")
        }
        if let finding = table.refusal {
            throw PracticeRefusal(
                .notInLeague, "league/\(kind.fileName): \(finding.message)", cure: finding.rule.cure)
        }
        return table
    }

    /// The player of the settings, who is meant if nobody is asked for.
    private func own(instead asked: String?) throws(PracticeRefusal) -> String {
        guard !(asked ?? settings.ownPlayer).isBlank else {
            throw PracticeRefusal(
                .nobodyNamed, "no player is named, and the journal does not say whose it is",
                cure: "name one, or write practiceSettings.playerName")
        }
        return settings.ownPlayer
    }

    /// What was typed may be the name of somebody who is not to be named. To who may not ask by that, it is neither repeated nor replaced by
    /// what is shown instead: the answer is that to a name which nobody has.
    ///
    /// - Parameter players: Those of the table, one of whom may be meant. Only what is shown of them is suggested.
    private func noPlayer(
        _ player: PlayerName, _ table: String, among players: some Sequence<PlayerName>
    ) -> PracticeRefusal {
        let name = takesShownNamesOnly ? "of that name" : "'\(redaction.shown(player))'"
        return PracticeRefusal(
            .notInLeague, "there is no player \(name) in the \(table) of the league",
            cure: redaction.shownName(near: player, among: players).map { "did you mean '\($0)'?" }
                ?? "write the name as \(takesShownNamesOnly ? "an answer" : "the table") has it")
    }
}

/// What the tables of a league say of a game.
struct GameInLeague: Sendable {
    var target: LeagueTarget?
    /// Of all scores above 0 on its machines; nil without any.
    var mean: Double?

    init() {}
}

/// Which scores of a league are asked for.
struct LeagueScoreFilter: Sendable {
    /// As a table names it.
    var machine: String?
    var season: Int?
    var bank: Int?

    init(machine: String? = nil, season: Int? = nil, bank: Int? = nil) {
        self.machine = machine
        self.season = season
        self.bank = bank
    }
}
