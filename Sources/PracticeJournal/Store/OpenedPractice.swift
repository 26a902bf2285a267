package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceStore
internal import TraceText

/// One reading of a practice journal, which all that is asked of it shares: each of its files is read when it is first needed, and once.
///
/// Nothing is locked, and nothing written. Belongs to one thread.
package final class OpenedPractice: OpenedJournal {
    /// The journal's directory, or the file that is a journal on its own.
    package let path: FilePath
    package var asking: Asking {
        didSet {
            foundZone = nil
            madeAnswers = nil
        }
    }
    private let directory: OpenDirectory
    /// The name of a file that is the journal on its own: nothing beside it belongs to it.
    private let single: FilePath.Component?
    private var readSingle: PracticeImport?
    private var readLibrary: GameLibrary?
    private var readWholeLibrary: GameLibrary?
    private var readDocument: PracticeDocument?
    private var readLog: [LogEntry]?
    private var readRedaction: NameRedaction?
    private var readSlots: ResumeSlots?
    private var readLeague: [Set<LeagueTables.Table>: LeagueTables] = [:]
    private var foundZone: ZoneRules?
    private var madeAnswers: PracticeAnswers?

    package init(_ path: FilePath, _ asking: Asking) throws {
        single = try Self.single(at: path)
        directory = try OpenDirectory(single == nil ? path : path.removingLastComponent())
        self.path = path
        self.asking = asking
    }

    private static func single(at path: FilePath) throws -> FilePath.Component? {
        guard let name = path.lastComponent,
            JournalLayout.practice.single?.names.contains(name.string) ?? false,
            try FileStatus(of: path, followingLinks: true).kind == .regular
        else { return nil }
        return name
    }

    private func once<Value>(
        _ place: ReferenceWritableKeyPath<OpenedPractice, Value?>, _ read: () throws -> Value
    ) rethrows -> Value {
        if let value = self[keyPath: place] { return value }
        let value = try read()
        self[keyPath: place] = value
        return value
    }

    // MARK: - The files

    /// The games; none where there is no library, or what is in it is not one.
    ///
    /// - Throws: ``FileError`` if the library is there and can't be read.
    package var library: GameLibrary {
        get throws {
            try once(\.readLibrary) {
                single == nil ? try PracticeLibraryFile.library(in: directory) : GameLibrary()
            }
        }
    }

    /// As ``library``, with what there is to read and to see of the games.
    ///
    /// - Throws: As ``library``.
    var wholeLibrary: GameLibrary {
        get throws {
            try once(\.readWholeLibrary) {
                single == nil ? try PracticeLibraryFile.library(in: directory, hasMedia: true) : GameLibrary()
            }
        }
    }

    /// The document; one that is missing has nothing in it. Of a file that is a journal on its own it is what the file comes to.
    ///
    /// - Throws: ``FileError``; with `.invalidData` if it can't be read.
    package var document: PracticeDocument {
        get throws {
            try once(\.readDocument) {
                let reading =
                    try imported?.reading
                    ?? PracticeReading(
                        directory.readFile(OpenedDocument.file, limit: OpenedDocument.limit)?.contents
                            ?? OpenedDocument.empty, now: asking.now, isChecked: false)
                guard let document = reading.document else {
                    throw FileError(
                        .invalidData, reading.findings.first?.message ?? "can't be read",
                        path: directory.path(of: single ?? OpenedDocument.file),
                        cure: "\(verb: "validate") shows what is wrong")
                }
                return document
            }
        }
    }

    /// What a file that is a journal on its own comes to; nil for a directory.
    private var imported: PracticeImport? {
        get throws {
            guard let single else { return nil }
            return try once(\.readSingle) {
                guard let contents = try directory.readFile(single, limit: OpenedDocument.limit)?.contents
                else { throw FileError(.notFound, "is gone", path: path, cure: "try again") }
                return try PracticeImport(contents, file: single.escaped, now: asking.now)
            }
        }
    }

    /// The library's log.
    ///
    /// - Throws: ``FileError``, ``FormatError`` if it can't be read.
    var log: [LogEntry] {
        get throws {
            try once(\.readLog) {
                guard single == nil else {
                    return try imported?.log.map { try LibraryLog($0, library: library).entries } ?? []
                }
                return try LibraryLogWriting.read(directory, library: library)?.log.entries ?? []
            }
        }
    }

    /// Whom who asks is not to see; everybody if the list is there and can't be read.
    package var redaction: NameRedaction {
        if asking.audience == .ownerAlone || single != nil { return NameRedaction() }
        return once(\.readRedaction) { PracticeLeagueFiles.redaction(in: directory) }
    }

    package var notices: [String] {
        guard readRedaction?.redactsEverybody ?? false else { return [] }
        return [
            "warning: league/\(NameRedaction.fileName) can't be read whole, so nobody is named; 'trace validate' shows what is wrong"
        ]
    }

    /// Where the person took up again last.
    ///
    /// - Throws: ``FileError``; with `.invalidData` if that can't be read.
    package var slots: ResumeSlots {
        get throws {
            try once(\.readSlots) {
                guard single == nil else { return try imported?.slots.map { try ResumeSlots($0) } ?? .empty }
                return try SlotsWriting.read(directory).slots
            }
        }
    }

    /// The tables of the league that are there.
    ///
    /// - Throws: ``FileError`` if one is there and can't be read.
    package func league(_ tables: Set<LeagueTables.Table>) throws -> LeagueTables {
        if let read = readLeague[tables] { return read }
        if single != nil { return LeagueTables() }
        func contents(_ table: LeagueTables.Table) throws -> [UInt8]? {
            guard tables.contains(table) else { return nil }
            return try PracticeLeagueFiles.contents(of: table.fileName, in: directory)
        }
        let library = try library
        let mappings = try PracticeLeagueFiles.mappings(in: directory)
        let games = MachineMatcher(library, mappings)
        let league = LeagueTables(
            stats: try contents(.stats).map { LeagueStats($0) },
            standings: try contents(.standings).map { LeagueStandings($0) },
            targets: tables.contains(.targets)
                ? try PracticeLeagueFiles.targets(in: directory, library: library, games) : nil,
            mappings: mappings)
        readLeague[tables] = league
        return league
    }

    /// From where an import takes its scores; nil without a table of scores.
    ///
    /// - Parameter zone: The name of that in which days begin; nil for the machine's.
    /// - Throws: ``FileError``.
    func leagueSource(zone: String?) throws -> LeagueSource? {
        single == nil ? try PracticeLeagueFiles.source(in: directory, zone: zone) : nil
    }

    // MARK: - What they say together

    package var zone: ZoneRules { get throws { try once(\.foundZone, asking.zone) } }

    /// What document, library and log say of the games.
    ///
    /// - Throws: As ``document``, ``library`` and ``log``.
    package var answers: PracticeAnswers {
        get throws {
            try once(\.madeAnswers) {
                try PracticeAnswers(
                    document, library: library, log: log, redaction: redaction, now: asking.now, zone: zone)
            }
        }
    }

    /// What the tables of its league say.
    ///
    /// - Parameter tables: Those that are asked.
    /// - Throws: As ``league(_:)``, ``library`` and ``document``.
    func leagueAnswers(of tables: Set<LeagueTables.Table>) throws -> LeagueAnswers {
        try LeagueAnswers(
            league(tables), library: library, settings: document.settings, redaction: redaction,
            takesShownNamesOnly: asking.audience == .others)
    }

    // MARK: - Games

    /// The id of the game that a person means.
    ///
    /// - Throws: ``PracticeRefusal`` with `.noSuchGame` or `.gameAmbiguous`; as ``library``.
    func game(named typed: String) throws -> String { try library.key(named: typed) }

    /// The id of the game that a person means, or of that which was looked at last.
    ///
    /// - Throws: ``PracticeRefusal`` with `.noSuchGame` or `.gameAmbiguous`; as ``library`` and ``slots``.
    package func gameOrLast(_ typed: String?) throws -> String {
        if let typed { return try game(named: typed) }
        guard let game = try slots.resumeGame(in: library) else {
            throw PracticeRefusal(
                .noSuchGame, "no game was looked at yet, and there is no library",
                cure: [.atMachine("name a game"), .overHTTP("name one: ?game=…")])
        }
        return game
    }
}
