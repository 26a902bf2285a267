internal import RecordFormat
internal import TraceStore
internal import TraceText

/// The settings of a document, with names as people see them.
struct ShownSettings {
    let player: String
    let leaguePlayer: String
    let comparisonPlayer: String
    let ifpaPlayer: String
    let gapMode: Word<GapMode>

    init(_ settings: PracticeSettings, _ redaction: NameRedaction) {
        func shown(_ name: String) -> String { redaction.shown(PlayerName(name)) }
        player = shown(settings.player)
        leaguePlayer = shown(settings.leaguePlayer)
        comparisonPlayer = shown(settings.comparisonPlayer)
        // It would say who is meant by what is shown instead of the name.
        let isNamed = [settings.player, settings.leaguePlayer].allSatisfy { shown($0) == $0 }
        ifpaPlayer = isNamed ? settings.ifpaPlayer : ""
        gapMode = settings.gapMode
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
                "ifpa_player", "the player's number with the IFPA; empty if it is not known", \.ifpaPlayer),
            .always(
                "gap_mode", GapMode.allCases.map(\.rawValue).joined(separator: ", "), \.gapMode.text),
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
            ("compared with", settings.comparisonPlayer), ("IFPA number", settings.ifpaPlayer),
            ("breaks in charts", settings.gapMode.label),
        ]
        return [.lines(members.map { "\($0): \($1.isEmpty ? "-" : $1)".oneLine })]
    }
}
