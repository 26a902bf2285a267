package import RecordFormat
internal import TraceText

/// What is asked of the tables of a league: the same on the command line and over HTTP. Every name comes from the redaction.
///
/// Source: practice.md, sections 10 and 14.
package struct LeagueAnswers {
    private let tables: LeagueTables
    private let library: GameLibrary
    private let settings: PracticeSettings
    private let redaction: NameRedaction
    private let games: MachineMatcher
    private let takesShownNamesOnly: Bool

    /// - Parameter takesShownNamesOnly: Whether who asks may name players only as answers do: others than the journal's owner. The settings are
    ///   read in the same way, for who asks may have written them.
    package init(
        _ tables: LeagueTables, library: GameLibrary, settings: PracticeSettings, redaction: NameRedaction,
        takesShownNamesOnly: Bool = false
    ) {
        self.tables = tables
        self.library = library
        self.settings = settings
        self.redaction = redaction
        self.takesShownNamesOnly = takesShownNamesOnly
        games = MachineMatcher(library)
    }

    /// The answer as JSON.
    ///
    /// - Throws: ``LeagueRefusal``.
    package func json(_ question: LeagueQuestion) throws(LeagueRefusal) -> JSONText {
        switch question.view {
        case .stats: .array(try machines(question).map(\.json))
        case .scores: .array(try scores(question).map(\.json))
        case .standings: .array(try standings(question).map(\.json))
        case .around: .array(try around(question).map(\.json))
        case .targets: .array(try targets().map(\.json))
        case .next: try next(question).json
        case .recent: try recent(question).json
        case .versus: try versus(question).json
        }
    }

    // MARK: - Scores

    /// The numbers of the machines, in the order of the table; of one machine if one is named.
    package func machines(_ question: LeagueQuestion) throws(LeagueRefusal) -> [LeagueMachine] {
        let stats = try table(\.stats, .stats)
        var found = stats.statistics(season: question.season, bank: question.bank)
        if let machine = question.machine {
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
    package func scores(_ question: LeagueQuestion) throws(LeagueRefusal) -> [LeagueScoreRow] {
        let stats = try table(\.stats, .stats)
        let player = question.player.map { named($0, in: stats) }
        let machine = question.machine.map { MachineKey($0) }
        return rows(
            stats.shown.filter { row in
                player ?? row.player == row.player && question.season ?? row.season == row.season
                    && question.bank ?? row.bank == row.bank
                    && (machine == nil || MachineKey(row.machine) == machine)
            })
    }

    private func rows(_ scores: [LeagueScore]) -> [LeagueScoreRow] {
        let own = own(among: scores.lazy.map(\.player))
        var names: [PlayerName: String] = [:]
        var keys: [String: String?] = [:]
        return scores.map { score in
            let name = names[score.player] ?? redaction.shown(score.player)
            names[score.player] = name
            let game = keys[score.machine] ?? games.game(MachineKey(score.machine))
            keys[score.machine] = .some(game)
            return LeagueScoreRow(score, player: name, isOwn: !own.isEmpty && score.player == own, game: game)
        }
    }

    /// The bank that a player played last.
    package func recent(_ question: LeagueQuestion) throws(LeagueRefusal) -> LeagueEvening {
        let stats = try table(\.stats, .stats)
        // Without a player it is that of the newest row, whoever's that is.
        let player = named(question.player, or: settings.ownPlayer, in: stats)
        guard let bank = RecentBank(for: player, in: stats) else {
            throw LeagueRefusal(
                message: "no row of the league's scores can be shown",
                cure: "a row needs a season, a bank, a player, a machine, and a score or points",
                isMissing: true)
        }
        return LeagueEvening(
            label: bank.label, player: redaction.shown(bank.player), season: bank.season, bank: bank.bank,
            rows: rows(bank.rows))
    }

    // MARK: - Standings

    /// The best of the latest season.
    package func standings(_ question: LeagueQuestion) throws(LeagueRefusal) -> [LeaguePlace] {
        let standings = try table(\.standings, .standings)
        let own = player(question.player, or: settings.ownPlayer, in: standings)
        return places(standings, standings.top(question.top ?? .max), own)
    }

    /// A player with the neighbours.
    package func around(_ question: LeagueQuestion) throws(LeagueRefusal) -> [LeaguePlace] {
        let standings = try table(\.standings, .standings)
        let own = try self.own(instead: question.player)
        let player = self.player(question.player, or: own, in: standings)
        guard let found = standings.around(player) else {
            throw noPlayer(player, "standings")
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
    package func targets() throws(LeagueRefusal) -> [LeagueTarget] { try table(\.targets, .targets).inOrder }

    /// The bank that a player plays next, and its targets. Without a table of scores, none was played.
    package func next(_ question: LeagueQuestion) throws(LeagueRefusal) -> NextBank {
        let targets = try table(\.targets, .targets)
        let stats = tables.stats == nil ? LeagueStats([]) : try table(\.stats, .stats)
        let player = named(question.player, or: settings.ownPlayer, in: stats)
        guard let bank = NextBank(for: player, stats: stats, targets: targets) else {
            throw LeagueRefusal(
                message: "no target is of a game that has a bank in the library",
                cure: "bring the library up to date", isMissing: true)
        }
        return bank
    }

    // MARK: - Two players

    /// Two players, by the games of both.
    package func versus(_ question: LeagueQuestion) throws(LeagueRefusal) -> LeagueComparison {
        let stats = try table(\.stats, .stats)
        func known(_ asked: String?, or own: String) throws(LeagueRefusal) -> PlayerName {
            let name = named(asked, or: own, in: stats)
            guard stats.has(name) else { throw noPlayer(name, "scores") }
            return name
        }
        let you = try known(question.player, or: own(instead: question.player))
        guard !(question.opponent ?? settings.comparisonPlayer).isBlank else {
            throw LeagueRefusal(
                message: "no player to compare with is named", cure: "name one", isMissing: false)
        }
        let them = try known(question.opponent, or: settings.comparisonPlayer)
        let found = HeadToHead(you, them, in: stats, library: library)
        return LeagueComparison(
            you: redaction.shown(you), them: redaction.shown(them),
            games: found.games.map { (game: $0, name: library.name(of: $0.game)) }, youLead: found.youLead,
            theyLead: found.theyLead, averageDelta: found.averageDelta)
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
    ) throws(LeagueRefusal) -> Table {
        guard let table = tables[keyPath: path] else {
            throw LeagueRefusal(
                message: "there is no table league/\(kind.fileName)",
                cure: "put the table of the league into the journal's directory", isMissing: true)
        }
        if let finding = table.refusal {
            throw LeagueRefusal(
                message: "league/\(kind.fileName): \(finding.message)", cure: finding.rule.cure,
                isMissing: true)
        }
        return table
    }

    /// The player of the settings, who is meant if nobody is asked for.
    private func own(instead asked: String?) throws(LeagueRefusal) -> String {
        guard !(asked ?? settings.ownPlayer).isBlank else {
            throw LeagueRefusal(
                message: "no player is named, and the journal does not say whose it is",
                cure: "name one, or write practiceSettings.playerName", isMissing: false)
        }
        return settings.ownPlayer
    }

    /// What was typed may be the name of somebody who is not to be named. To who may not ask by that, it is neither repeated nor replaced by
    /// what is shown instead: the answer is that to a name which nobody has.
    private func noPlayer(_ player: PlayerName, _ table: String) -> LeagueRefusal {
        let name = takesShownNamesOnly ? "of that name" : "'\(redaction.shown(player))'"
        return LeagueRefusal(
            message: "there is no player \(name) in the \(table) of the league",
            cure: "write the name as \(takesShownNamesOnly ? "an answer" : "the table") has it",
            isMissing: true)
    }
}
