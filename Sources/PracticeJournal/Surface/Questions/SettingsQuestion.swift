internal import RecordFormat
internal import TraceStore
internal import TraceText

/// The settings of a document, with names as people see them.
struct ShownSettings {
    let player: String
    let leaguePlayer: String
    let comparisonPlayer: String
    let gapMode: String

    init(_ settings: PracticeSettings, _ redaction: NameRedaction) {
        func shown(_ name: String) -> String { redaction.shown(PlayerName(name)) }
        player = shown(settings.player)
        leaguePlayer = shown(settings.leaguePlayer)
        comparisonPlayer = shown(settings.comparisonPlayer)
        gapMode = settings.gapMode.text
    }
}

extension Shape<ShownSettings> {
    static let settings = Shape(
        "PracticeSettings", "Whose journal it is, and with whom the player is compared",
        [
            .always(
                "the player, the name in the tables of the league if it is another one, and who the player is compared with; empty for nobody",
                [
                    "player": \.player, "league_player": \.leaguePlayer,
                    "comparison_player": \.comparisonPlayer,
                ]),
            .always(
                "gap_mode", GapMode.allCases.map(\.rawValue).joined(separator: ", "), \.gapMode),
        ])
}

extension Question {
    /// No request asks it: what of it a device needs is in the document that it exchanges.
    static let settings = one(
        "settings", "Whose journal it is, and with whom the player is compared", of: .settings
    ) { (journal: OpenedPractice, _) in
        ShownSettings(try journal.document.settings, journal.redaction)
    } screen: { settings, _ in
        let members = [
            ("player", settings.player), ("league player", settings.leaguePlayer),
            ("compared with", settings.comparisonPlayer), ("gaps", settings.gapMode),
        ]
        return [.lines(members.map { "\($0): \($1.isEmpty ? "-" : $1)".oneLine })]
    }
}
