internal import RecordFormat
internal import TraceStore

enum JournalVerb: DeclaredVerb {
    static let verb = Verb.asking(
        "journal", "List what was practised, newest first",
        discussion:
            "One row a line: its time, its id, and its text in one line, with ' / ' where another one begins.",
        examples: ["", "--filter score --game 'comet racer'"], .timeline, own: [DeclaredParameter](.limit))
}

enum GameVerb: DeclaredVerb {
    static let verb = Verb.asking(
        "game", "Show the numbers of a game, and what there is to look at", examples: ["'comet racer'"],
        .game)
}

enum FocusVerb: DeclaredVerb {
    static let verb = Verb.asking(
        "focus", "List the games of the library, those that need practice most first", examples: [""],
        .focus, own: [DeclaredParameter](.limit))
}

/// Shows or writes.
enum ResumeVerb: DeclaredVerb {
    static let verb = Verb(
        "resume", "Show or note where reading a rulesheet or watching the videos stopped",
        discussion: "Without an option, shows what is noted.",
        examples: ["", "'comet racer' --rulesheet 0.4"],
        [DeclaredParameter](.lastGame, ResumeWrite.rulesheet, ResumeWrite.video), at: .perhapsAway,
        check: { asked throws(ArgumentProblem) in
            guard asked[.lastGame] != nil || !isWrite(asked) else {
                throw .refused("name the game of which this is to be noted")
            }
        }
    ) { asked, place in
        guard isWrite(asked) else { return .ask(.resume, asked) }
        return .write(Verb.Write(.resume, try asked.namingGame(in: place)))
    }

    private static func isWrite(_ asked: Arguments) -> Bool {
        asked[ResumeWrite.rulesheet] != nil || asked[ResumeWrite.video] != nil
    }
}

/// Shows or writes.
enum SlotsVerb: DeclaredVerb {
    static let verb = Verb(
        "slots", "Show or set with which games, filter and venue an app begins",
        discussion: """
            The slots are \(ResumeSlots.Slot.allCases.map(\.rawValue).joined(separator: ", ")). Writes set those of the games that they \
            are about. Slots are not taken back by undo.
            """, examples: ["", "practice-journal-filter=score"], [DeclaredParameter](SlotsWrite.slots),
        own: Verb.tableForm, at: .perhapsAway
    ) { asked, place in
        let typed = asked[SlotsWrite.slots]
        guard !typed.isEmpty else { return .ask(.slots, Arguments()) }
        let library = try place.practice?.library ?? GameLibrary()
        let named = try typed.map { member in
            guard let game = member.value.string, !game.isBlank,
                ResumeSlots.Slot(rawValue: member.name)?.holdsGame ?? false
            else { return member }
            return ArgumentValue.Member(member.name, .text(try library.key(named: game)))
        }
        return .write(Verb.Write(.slots, asked.setting(SlotsWrite.slots, to: .object(named))))
    }
}

/// Shows or writes.
enum SettingsVerb: DeclaredVerb {
    private static let player = Parameter<String?>("player", "Whose journal it is")
    private static let league = Parameter<String?>(
        "league-player", "The player's name in the tables of the league, if it is another one")
    private static let comparison = Parameter<String?>("compare-with", "With whom the player is compared")
        .with(
            placeholder: "player")
    private static let ifpa = Parameter<String?>(
        "ifpa-player",
        "The player's number with the IFPA; by default that of the name in the league's table of players"
    ).with(placeholder: "number")
    private static let gapMode = Parameter<GapMode?>(
        "gap-mode",
        "How charts show long breaks: "
            + GapMode.allCases.map { "\($0.rawValue) (\(Word($0).label))" }.joined(separator: ", "))

    static let verb = Verb(
        "settings", "Show or set whose journal it is, and with whom the player is compared",
        discussion: """
            Without an option, shows them. An empty name is nobody's. With the name comes the player's number with the IFPA, where the \
            league's table of players has one. \(Verb.waiting)
            """,
        examples: ["", "--player 'Ada Quill' --compare-with 'Bo Marsh'"],
        [DeclaredParameter](player, comparison, league, ifpa, gapMode), own: [DeclaredParameter](.noQueue),
        at: .perhapsAway
    ) { asked, _ in
        let arguments = SettingsWrite.arguments([
            (.practiceSettings, "playerName", asked[player]),
            (.practiceSettings, "comparisonPlayerName", asked[comparison]),
            (.practiceSettings, "ifpaPlayerID", asked[ifpa]),
            (.leagueSettings, "playerName", asked[league]),
            (.analyticsSettings, "gapMode", asked[gapMode]?.rawValue),
        ])
        return arguments == Arguments()
            ? .ask(.settings, arguments) : .write(Verb.Write(.settings, arguments))
    }
}

// MARK: - The library

enum LibraryListVerb: DeclaredVerb {
    private static let words = Parameter<[String]>(
        "words", Parameter<String?>.search.declared.summary, as: .argument
    ).with(placeholder: "search")
    private static let played = Parameter<Bool>("played", "Only games with a score")
    private static let unplayed = Parameter<Bool>("unplayed", "Only games without a score")

    static let verb = Verb(
        "list", "List the games of the library", examples: ["", "comet"],
        [DeclaredParameter](
            words, Question.librarySort, Question.librarySource, Question.libraryBank, played, unplayed),
        own: [DeclaredParameter](.limit) + Verb.tableForm,
        check: { asked throws(ArgumentProblem) in
            if asked[played], asked[unplayed] { throw .refused("give --played or --unplayed, not both") }
        }
    ) { asked, _ in
        let isPlayed = asked[played] ? "true" : asked[unplayed] ? "false" : nil
        return .ask(
            .library,
            asked.setting(Parameter<String?>.search, asked[words].joined(separator: " ")).setting(
                Question.libraryPlayed, isPlayed))
    }
}

enum LibraryShowVerb: DeclaredVerb {
    static let verb = Verb.asking(
        "show", "Show a game of the library: its place, rulesheet, playfield and videos",
        examples: ["'comet racer'"], .libraryGame)
}

// MARK: - The league

enum LeagueStatsVerb: DeclaredVerb {
    private static let rows = Parameter<Bool>("rows", "List the scores")
    private static let player = Question.onlyPlayer.with("With --rows: only scores of this player")

    static let verb = Verb(
        "stats", "Show what was scored on the machines of the league",
        discussion: "With --rows, lists the scores themselves, in the order of the table.",
        examples: ["", "'Comet Racer' --season 4"],
        Question.leagueMachines.parameters + [DeclaredParameter](rows, player),
        own: [DeclaredParameter](.limit, .unredacted) + Verb.tableForm,
        check: { asked throws(ArgumentProblem) in
            if asked[player] != nil, !asked[rows] { throw .refused("--player belongs to --rows") }
        }
    ) { asked, _ in .ask(asked[rows] ? .leagueScores : .leagueMachines, asked) }
}

enum LeagueStandingsVerb: DeclaredVerb {
    static let verb = Verb.asking(
        "standings", "Show how the players stand in the latest season", examples: ["--top 5"],
        .leagueStandings, own: [DeclaredParameter](.unredacted))
}

enum LeagueAroundVerb: DeclaredVerb {
    static let verb = Verb.asking(
        "around", "Show a player with the neighbours in the standings", examples: ["", "'Ada Quill'"],
        .leagueAround, own: [DeclaredParameter](.unredacted))
}

enum LeagueTargetsVerb: DeclaredVerb {
    static let verb = Verb.asking(
        "targets", "Show what are good scores, in the order of the library", examples: [""], .leagueTargets,
        own: [DeclaredParameter](.unredacted))
}

enum LeagueNextVerb: DeclaredVerb {
    static let verb = Verb.asking(
        "next", "Show the bank that a player plays next, and its targets", examples: [""], .leagueNext,
        own: [DeclaredParameter](.unredacted))
}

enum LeagueRecentVerb: DeclaredVerb {
    static let verb = Verb.asking(
        "recent", "Show the bank that a player played last",
        discussion: "If the table does not have the player, it is the bank that anybody played last.",
        examples: ["", "'Ada Quill' --json"], .leagueRecent, own: [DeclaredParameter](.unredacted))
}

enum LeagueVersusVerb: DeclaredVerb {
    static let verb = Verb.asking(
        "versus", "Compare two players by the games that both have scores for", examples: ["'Bo Marsh'"],
        .leagueVersus, own: [DeclaredParameter](.unredacted))
}
