internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore

/// The tables of a league in a journal's directory. No row of them comes into an index: people are named there.
enum PracticeLeagueFiles {
    static let folder: FilePath.Component = "league"

    /// What is wrong with a file, of which nothing is kept.
    ///
    /// - Parameter name: Its path in the journal's directory.
    static func findings(in slot: FileSlot, _ bytes: [UInt8], named name: String) -> [Finding] {
        switch slot {
        case .leagueStats, .cachedStats: LeagueStats.findings(in: bytes, file: name)
        case .leagueStandings, .cachedStandings: LeagueStandings.findings(in: bytes, file: name)
        case .leagueTargets, .cachedTargets: LeagueTargets.findings(in: bytes, file: name)
        default: NameRedaction(bytes, file: name).findings
        }
    }

    /// Whom nobody is to see; everybody if the list is there and can't be read.
    static func redaction(of snapshot: JournalSnapshot) -> NameRedaction {
        snapshot.single == nil ? redaction(in: snapshot.directory) : NameRedaction()
    }

    /// As ``redaction(of:)``, of a journal's directory.
    static func redaction(in directory: OpenDirectory) -> NameRedaction {
        (try? readRedaction(in: directory)) ?? NameRedaction(redactsEverybody: true)
    }

    /// The list of the person and that which was fetched with the library: who is on one of them is not named.
    ///
    /// - Throws: ``FileError`` if the system does not give a list out.
    private static func readRedaction(in directory: OpenDirectory) throws -> NameRedaction {
        try ([folder] + [FilePath.Component(cache)].compactMap(\.self)).reduce(NameRedaction()) {
            lists, folder in
            if let list = try contents(of: NameRedaction.fileName, in: folder, of: directory) {
                return lists.joined(with: NameRedaction(list))
            }
            // A link that leads nowhere is a list that can't be read.
            let isThere = try isThere(NameRedaction.fileName, in: folder, of: directory)
            return isThere ? NameRedaction(redactsEverybody: true) : lists
        }
    }

    private static func isThere(
        _ name: String, in folder: FilePath.Component, of directory: OpenDirectory
    ) throws -> Bool {
        guard let name = FilePath.Component(name),
            try directory.statusIfPresent(of: folder, followingLinks: false)?.kind == .directory
        else { return false }
        return try directory.openDirectory(folder).statusIfPresent(of: name, followingLinks: false) != nil
    }

    /// The bytes of a table: that which a person has put into the folder `league`, else that which was fetched with the library; nil if
    /// there is none.
    ///
    /// - Throws: ``FileError``.
    static func contents(of name: String, in directory: OpenDirectory) throws -> [UInt8]? {
        if let own = try contents(of: name, in: folder, of: directory) { return own }
        return try FilePath.Component(cache).flatMap { try contents(of: name, in: $0, of: directory) }
    }

    private static func contents(
        of name: String, in folder: FilePath.Component, of directory: OpenDirectory
    ) throws -> [UInt8]? {
        guard let name = FilePath.Component(name),
            try directory.statusIfPresent(of: folder, followingLinks: false)?.kind == .directory
        else { return nil }
        return try directory.openDirectory(folder).readFile(name, limit: limit)?.contents
    }

    /// When the table of scores was written.
    ///
    /// - Throws: ``FileError``.
    static func tableTime(in directory: OpenDirectory) throws -> Timestamp? {
        guard let name = FilePath.Component(LeagueStats.fileName) else { return nil }
        for folder in [folder] + [FilePath.Component(cache)].compactMap(\.self) {
            guard try directory.statusIfPresent(of: folder, followingLinks: false)?.kind == .directory,
                let status = try directory.openDirectory(folder).statusIfPresent(
                    of: name, followingLinks: true)
            else { continue }
            return status.identity.modified.timestamp
        }
        return nil
    }

    private static let limit: Int64 = 64 << 20
    private static let cache = LibraryCacheNames.folder

    /// The players of the league with their numbers; nil if there is no table of them.
    ///
    /// - Throws: ``FileError``.
    static func players(in directory: OpenDirectory) throws -> LeaguePlayers? {
        guard let table = try contents(of: LeaguePlayers.fileName, in: directory) else { return nil }
        return LeaguePlayers(table, redaction: try readRedaction(in: directory))
    }

    /// Which games the machines are, as the league says it.
    ///
    /// - Throws: ``FileError``.
    static func mappings(in directory: OpenDirectory) throws -> MachineMappings {
        try contents(of: LibraryDataFile.machineMappings.rawValue, in: directory).map { MachineMappings($0) }
            ?? MachineMappings()
    }

    /// The targets: of what a person has put into the folder `league`, else of what was fetched with the library, those that the newest app
    /// has made, else the table; nil if there are none.
    ///
    /// - Throws: ``FileError``.
    static func targets(
        in directory: OpenDirectory, library: GameLibrary, _ games: MachineMatcher
    ) throws -> LeagueTargets? {
        for folder in [folder] + [FilePath.Component(cache)].compactMap(\.self) {
            let name = LibraryDataFile.resolvedTargets.rawValue
            if let resolved = try contents(of: name, in: folder, of: directory)
                .flatMap({ LeagueTargets(resolved: $0, library: library) })
            {
                return resolved
            }
            if let table = try contents(of: LeagueTargets.fileName, in: folder, of: directory) {
                return LeagueTargets(table, games: games)
            }
        }
        return nil
    }

    /// What an import needs; nil without a table of scores. What it writes stays, so a list that is not given out is an error here, and
    /// not a reason to redact everybody.
    ///
    /// - Parameter zone: The name of that in which days begin; nil for the machine's.
    /// - Throws: ``FileError``.
    static func source(in directory: OpenDirectory, zone: String?) throws -> LeagueSource? {
        guard let table = try contents(of: LeagueStats.fileName, in: directory) else { return nil }
        return LeagueSource(
            stats: LeagueStats(table), mappings: try mappings(in: directory),
            redaction: try readRedaction(in: directory),
            zone: try ZoneFiles.rules(configured: zone))
    }
}
