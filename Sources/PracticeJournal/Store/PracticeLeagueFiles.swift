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
        case .leagueStats: LeagueStats.findings(in: bytes, file: name)
        case .leagueStandings: LeagueStandings.findings(in: bytes, file: name)
        case .leagueTargets: LeagueTargets.findings(in: bytes, file: name)
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

    /// - Throws: ``FileError`` if the system does not give the list out.
    private static func readRedaction(in directory: OpenDirectory) throws -> NameRedaction {
        if let list = try contents(of: NameRedaction.fileName, in: directory) { return NameRedaction(list) }
        // A link that leads nowhere is a list that can't be read.
        return NameRedaction(redactsEverybody: try isThere(NameRedaction.fileName, in: directory))
    }

    private static func isThere(_ name: String, in directory: OpenDirectory) throws -> Bool {
        guard let name = FilePath.Component(name),
            try directory.statusIfPresent(of: folder, followingLinks: false)?.kind == .directory
        else { return false }
        return try directory.openDirectory(folder).statusIfPresent(of: name, followingLinks: false) != nil
    }

    /// The bytes of a table; nil if there is none.
    ///
    /// - Throws: ``FileError``.
    static func contents(of name: String, in directory: OpenDirectory) throws -> [UInt8]? {
        guard let name = FilePath.Component(name),
            try directory.statusIfPresent(of: folder, followingLinks: false)?.kind == .directory
        else { return nil }
        return try directory.openDirectory(folder).readFile(name, limit: limit)?.contents
    }

    private static let limit: Int64 = 64 << 20

    /// What an import needs; nil without a table of scores. What it writes stays, so a list that is not given out is an error here, and
    /// not a reason to redact everybody.
    ///
    /// - Parameter zone: The name of that in which days begin; nil for the machine's.
    /// - Throws: ``FileError``.
    static func source(in directory: OpenDirectory, zone: String?) throws -> LeagueSource? {
        guard let table = try contents(of: LeagueStats.fileName, in: directory) else { return nil }
        return LeagueSource(
            stats: LeagueStats(table), redaction: try readRedaction(in: directory),
            zone: try ZoneFiles.rules(configured: zone))
    }
}
