internal import ArgumentParser
internal import Glibc
internal import PracticeJournal
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceText

/// `trace practice league …`
struct PracticeLeague: CommandGroup {
    static let configuration = CommandConfiguration(
        commandName: "league", abstract: "Show the tables of a league, and take scores from them.",
        discussion: """
            The tables are CSV files in the folder 'league' of the journal. A player is given by the name that the table has, ignoring \
            case; where none is given, it is the player whose journal it is. Players on the list redacted_players.csv are shown as \
            'Redacted' and six digits, by which they can be given, too.
            """,
        subcommands: [
            LeagueStatsCommand.self, LeagueStandingsCommand.self, LeagueAroundCommand.self,
            LeagueTargetsCommand.self, LeagueNextCommand.self, LeagueRecentCommand.self,
            LeagueVersusCommand.self, LeagueImportCommand.self, LeaguePurgeCommand.self,
        ])
    static let typed = "practice league"
}

/// The options of every command that shows the tables of a league.
struct LeagueOptions: ParsableArguments {
    @Flag(help: "Show all names; only to the owner of the journal, at a terminal.")
    var unredacted = false
    @OptionGroup var options: PracticeOptions

    /// Shows what is asked for, as JSON or as `show` prints it.
    func run(_ question: LeagueQuestion, _ show: (LeagueAnswers) throws -> Void) throws {
        try CommandFailure.explaining {
            let context = try CommandContext(options.global)
            let journal = try context.openedPractice(options)
            let answers = try LeagueAnswers(
                journal.league(question.view.tables), library: journal.library,
                settings: journal.document.settings, redaction: redaction(of: journal, context))
            do {
                if options.global.json { return Output.json(try answers.json(question)) }
                try Output.paged(context.isPaged) { try show(answers) }
            } catch let refusal as LeagueRefusal {
                throw CommandFailure(
                    refusal.isMissing ? .noSession : .usage, refusal.message, cure: refusal.cure)
            }
        }
    }

    /// Whom the command is not to show.
    ///
    /// - Throws: ``CommandFailure`` if it is to show everybody, and may not.
    private func redaction(
        of journal: OpenedPractice, _ context: CommandContext
    ) throws -> NameRedaction {
        guard unredacted else {
            context.noticeIncomplete(journal.redaction)
            return journal.redaction
        }
        guard Output.isTerminal else {
            throw CommandFailure(
                .permission, "--unredacted shows names at a terminal only",
                cure: "leave out \(option: "unredacted"), or let the output go to a terminal")
        }
        guard try FileStatus(of: journal.path, followingLinks: true).owner == geteuid() else {
            throw CommandFailure(
                .permission, "--unredacted shows names to the owner of the journal only",
                cure:
                    "leave out \(option: "unredacted"), or run the command as the owner of \(journal.path.escaped)"
            )
        }
        return NameRedaction()
    }
}

extension CommandContext {
    /// Says why nobody is named.
    func noticeIncomplete(_ redaction: NameRedaction) {
        guard redaction.redactsEverybody else { return }
        notice(
            "warning: league/\(NameRedaction.fileName) can't be read whole, so nobody is named; 'trace validate' shows what is wrong"
        )
    }
}
