internal import TraceStore

/// What is typed behind `trace practice`.
enum PracticeVerbs: VerbGroup {
    package static let name = "practice"
    package static let title = "Practice journal"
    package static let abstract = "Write and read a pinball practice journal"
    package static let discussion = """
        A game is given by its id, or by the beginning of its name if no other game's name begins so. The journal is the one \
        of --journal, the one around the working directory, or the only one below the roots.
        """
    package static let otherExamples: [(command: String, lines: [String])] = [
        (
            "journal init",
            ["journal init practice ~/pinball --title 'League nights' --time-zone Europe/Berlin"]
        ), ("journals", ["journals --kind practice"]),
        ("timeline", ["timeline --since monday --kind practice"]),
    ]
    package static let members: [VerbGroupMember] = [
        .verb(ScoreVerb.self), .verb(ReadVerb.self), .verb(ViewVerb.self), .verb(SessionVerb.self),
        .verb(WatchVerb.self), .verb(NoteVerb.self), .verb(MechanicsVerb.self), .verb(BrowseVerb.self),
        .verb(GameNoteVerb.self), .verb(JournalVerb.self), .verb(EditVerb.self), .verb(DeleteVerb.self),
        .verb(UndoVerb.self), .verb(GameVerb.self), .verb(FocusVerb.self), .verb(GroupsVerb.self),
        .group(LeagueVerbs.self), .verb(ResumeVerb.self), .verb(SlotsVerb.self),
        .verb(SettingsVerb.self), .group(LibraryVerbs.self),
        .verb(ImportVerb.self), .verb(ConvertVerb.self), .verb(CanonicaliseVerb.self), .verb(MergeVerb.self),
        .verb(DevicesVerb.self), .verb(AcceptVerb.self), .verb(ClearVerb.self),
    ]
}

/// What is typed behind `trace practice league`.
enum LeagueVerbs: VerbGroup {
    static let name = "league"
    static let abstract = "Show the tables of a league, and take scores from them"
    static let discussion = """
        The tables are CSV files in the folder 'league' of the journal, or came with the library. A player is given by the name that the table has, ignoring \
        case; where none is given, it is the player whose journal it is. Players on the list redacted_players.csv are shown as \
        'Redacted' and six digits, by which they can be given, too.
        """
    static let members: [VerbGroupMember] = [
        .verb(LeagueStatsVerb.self), .verb(LeagueStandingsVerb.self), .verb(LeagueAroundVerb.self),
        .verb(LeagueTargetsVerb.self), .verb(LeagueNextVerb.self), .verb(LeagueRecentVerb.self),
        .verb(LeagueVersusVerb.self), .verb(LeagueImportVerb.self), .verb(LeagueAutoFillVerb.self),
        .verb(LeaguePurgeVerb.self),
    ]
}

/// What is typed behind `trace practice library`.
enum LibraryVerbs: VerbGroup {
    static let name = "library"
    static let abstract = "Show the games of the library, or fetch it"
    static let members: [VerbGroupMember] = [
        .verb(LibraryListVerb.self), .verb(LibraryShowVerb.self), .verb(LibraryFetchVerb.self),
    ]
}
