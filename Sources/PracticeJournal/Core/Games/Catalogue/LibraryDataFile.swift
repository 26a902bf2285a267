/// The files of a library's cache that are known by their names: each has its place in the folder `library`, wherever it is elsewhere.
///
/// Source: docs/spec/practice.md#the-library.
enum LibraryDataFile: String, CaseIterable, Sendable {
    /// Games and venues, as the app had them up to its third version of the library.
    case library = "pinball_library_v3.json"
    /// The machines that there are, which the newest app reads in its place.
    case catalogue = "opdb_export.json"
    case curations = "practice_identity_curations_v1.json"
    case rulesheets = "rulesheet_assets.json"
    case videos = "video_assets.json"
    case playfields = "playfield_assets.json"
    case gameInfo = "gameinfo_assets.json"
    case layout = "venue_layout_assets.json"
    /// Fetched, as the app does; nothing in it is read.
    case backglasses = "backglass_assets.json"
    case leagueStats = "LPL_Stats.csv"
    case leagueStandings = "LPL_Standings.csv"
    case leagueTargets = "LPL_Targets.csv"
    case resolvedTargets = "lpl_targets_resolved_v1.json"
    case machineMappings = "lpl_machine_mappings_v1.json"
    /// The players of the league, with the numbers that the IFPA knows them by.
    case ifpaPlayers = "LPL_IFPA_Players.csv"
    case redactedPlayers = "redacted_players.csv"
    /// The venues, makers and tournaments that a person has chosen in the app: no cache has it.
    case importedSources = "pinball-imported-sources-v1.json"

    /// Those by which a cache is one of a pinball library; the first that a manifest has is the library itself.
    static let primary: [LibraryDataFile] = [.catalogue, .library]

    /// Those from which the games come.
    static let games: [LibraryDataFile] = [
        .catalogue, .curations, .layout, .importedSources, .rulesheets, .videos, .playfields, .gameInfo,
        .library,
    ]

    /// Whether it has what there is to read and to see, and no game.
    var isMedia: Bool {
        switch self {
        case .rulesheets, .videos, .playfields, .gameInfo: true
        default: false
        }
    }

    /// Whether a cache has it, and it is fetched without being asked for.
    var isFetched: Bool { self != .importedSources }
}
