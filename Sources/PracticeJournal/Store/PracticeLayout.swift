package import RecordFormat

extension JournalKind {
    /// A pinball player's journal.
    package static var practice: JournalKind { JournalKind(name: "practice") }
}

extension EntryKind {
    /// A row of the journal. The numbers 16 to 31 are those of practice journals.
    static let practiceRow = EntryKind(code: 16)
    /// An entry of the library's log.
    static let practiceLogEntry = EntryKind(code: 17)
    /// A group of games.
    static let practiceGroup = EntryKind(code: 18)
    /// A note about a game as a whole.
    static let practiceGameNote = EntryKind(code: 19)
    /// The header, which is no record of the index.
    static let practiceHeader = EntryKind(code: 31)
}

extension FileSlot {
    static let practiceManifest = FileSlot(FileSlot.header.number + 1)
    /// The first of ``LibraryDataFile/games``, which follow one another.
    private static let firstOfGames = FileSlot.header.number + 2
    package static let leagueRedaction = FileSlot(FileSlot.header.number + 11)
    static let cachedRedaction = FileSlot(FileSlot.header.number + 12)
    static let practiceDocument = FileSlot(FileSlot.header.number + 13)
    static let practiceLog = FileSlot(FileSlot.header.number + 14)
    package static let leagueStats = FileSlot(FileSlot.header.number + 15)
    package static let leagueStandings = FileSlot(FileSlot.header.number + 16)
    package static let leagueTargets = FileSlot(FileSlot.header.number + 17)
    static let cachedStats = FileSlot(FileSlot.header.number + 18)
    static let cachedStandings = FileSlot(FileSlot.header.number + 19)
    static let cachedTargets = FileSlot(FileSlot.header.number + 20)
    static let resolvedTargets = FileSlot(FileSlot.header.number + 21)
    static let machineMappings = FileSlot(FileSlot.header.number + 22)
    package static let practiceRefused = FileSlot(FileSlot.header.number + 23)
    package static let practiceSlots = FileSlot(FileSlot.header.number + 24)

    /// The slots of ``LibraryDataFile/games``, in their order.
    static let games = LibraryDataFile.games.indices.map { FileSlot(firstOfGames + $0) }

    /// Those from which the ids and the names come.
    static let namedGames = games.filter { $0.libraryFile?.isMedia == false }

    /// The file of the library that is in the slot; nil for another one.
    var libraryFile: LibraryDataFile? {
        switch self {
        case .resolvedTargets: .resolvedTargets
        case .machineMappings: .machineMappings
        default: FileSlot.games.firstIndex(of: self).map { LibraryDataFile.games[$0] }
        }
    }
}

extension JournalLayout {
    /// The files of a practice journal. The arrays of values are no entries: each value is in a row of the journal, too, and would be
    /// found twice. Nor are the rows of league tables: they name people, of whom some are to be named nowhere.
    ///
    /// Source: docs/practice.md#the-directory and docs/spec/practice.md#the-timeline.
    static let practice = JournalLayout(
        .practice,
        files: [
            JournalFile(.header, document: PracticeHeader.fileName, of: []),
            JournalFile(
                .practiceManifest, document: CacheManifest.fileName, in: LibraryCacheNames.folder, of: []),
        ]
            + zip(FileSlot.games, LibraryDataFile.games).map { slot, file in
                inLibrary(slot, file, dependingOn: [.practiceManifest])
            } + [
                JournalFile(.leagueRedaction, document: NameRedaction.fileName, in: "league", of: []),
                inLibrary(.cachedRedaction, .redactedPlayers),
                JournalFile(
                    .practiceDocument, document: "practice-state.json",
                    of: [.practiceRow, .practiceGroup, .practiceGameNote],
                    dependingOn: FileSlot.namedGames + [.leagueRedaction, .cachedRedaction]),
                JournalFile(
                    .practiceLog, document: "activity.json", of: [.practiceLogEntry],
                    dependingOn: FileSlot.namedGames),
                JournalFile(.leagueStats, document: LeagueStats.fileName, in: "league", of: []),
                JournalFile(.leagueStandings, document: LeagueStandings.fileName, in: "league", of: []),
                JournalFile(.leagueTargets, document: LeagueTargets.fileName, in: "league", of: []),
                inLibrary(.cachedStats, .leagueStats), inLibrary(.cachedStandings, .leagueStandings),
                inLibrary(.cachedTargets, .leagueTargets), inLibrary(.resolvedTargets, .resolvedTargets),
                inLibrary(.machineMappings, .machineMappings),
                JournalFile(.practiceRefused, document: "refused.json", in: "replicas", of: []),
                JournalFile(.practiceSlots, document: "slots.json", of: []),
            ],
        entryKinds: [
            EntryDeclaration(.practiceRow, "practice.journal", isSearched: true, isOnTimeline: true),
            EntryDeclaration(.practiceLogEntry, "practice.library", isSearched: false, isOnTimeline: true),
            EntryDeclaration(.practiceGroup, "practice.group", isSearched: true),
            EntryDeclaration(.practiceGameNote, "practice.gamenote", isSearched: true),
        ],
        otherNames: ["sync.jsonl"],
        single: SingleFiles(
            [
                "practice-state.json", "practice-state-json", "practice-state-json.json",
                "practice-upgrade-state-v1.json",
            ], as: .practiceDocument),
        rules: Rule.reading + Rule.schema + Rule.journal + Rule.practice + Rule.libraryCache + Rule.replicas
            + Rule.league
            + [.conflictCopy])

    private static func inLibrary(
        _ slot: FileSlot, _ file: LibraryDataFile, dependingOn dependencies: [FileSlot] = []
    ) -> JournalFile {
        JournalFile(
            slot, document: file.rawValue, in: LibraryCacheNames.folder, of: [], dependingOn: dependencies)
    }
}
