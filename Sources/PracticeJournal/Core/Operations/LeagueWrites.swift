internal import RecordFormat

/// The scores of a player come from the league's table into the journal.
///
/// Source: docs/spec/practice.md#importing.
struct LeagueImportWrite: PracticeWrite {
    private let player: String?
    private let zone: String?

    static let player = Parameter<String?>("player", "The player; by default, the one whose journal it is")
    static let zone = Parameter<String?>(
        "zone", "In which the days of the table begin, if the journal does not name one")

    init(_ asked: Arguments) {
        player = asked[Self.player]
        zone = asked[Self.zone]
    }

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        guard let league = context.league(zone) else {
            throw WriteRejection("There is no table of scores, league/\(LeagueStats.fileName).")
        }
        let made = try league.scores(
            of: player, into: context.document, library: context.library, entry: context.entry,
            at: context.at)
        let counts = made.counts
        return .counted(
            made.change,
            [
                ("imported", counts.imported), ("repaired", counts.repaired), ("skipped", counts.skipped),
                ("unmatched", counts.unmatched),
            ])
    }
}

/// What was imported from the league's table is taken out again.
struct LeaguePurgeWrite: PracticeWrite {
    init() {}

    package func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome {
        let change = context.document.purgingLeagueImports()
        if change.isEmpty { return .nothing("nothing was imported") }
        return .counted(change, Self.counts(of: change))
    }

    /// How many scores and rows go.
    static func counts(of change: DocumentChange) -> [(name: String, count: Int)] {
        [
            ("scores", change.removed.count { $0.array == .scoreEntries }),
            ("rows", change.removed.count { $0.array == .journalEntries }),
        ]
    }
}
