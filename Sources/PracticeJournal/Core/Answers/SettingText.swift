/// A member of the settings, as people read it.
///
/// Source: docs/practice.md#settings.
struct SettingText {
    let label: String
    private let kind: Kind

    private enum Kind { case player, gapMode, flag, text }

    /// - Parameters:
    ///   - value: Nil where it is taken away.
    ///   - redaction: Whom the text is not to name.
    func shown(_ value: String?, _ redaction: NameRedaction) -> String {
        let value = value ?? ""
        switch kind {
        case .player: return value.isBlank ? "nobody" : redaction.shownOrNobody(PlayerName(value))
        case .gapMode: return Word<GapMode>(value).label
        case .flag: return value == "true" ? "on" : "off"
        case .text: return value.isBlank ? "none" : value
        }
    }

    /// Nil for a member that no person sets.
    init?(_ object: PracticeSettingsObject, _ member: String) {
        switch (object, member) {
        case (.practiceSettings, "playerName"): (label, kind) = ("player", .player)
        case (.practiceSettings, "comparisonPlayerName"): (label, kind) = ("compared with", .player)
        case (.practiceSettings, "ifpaPlayerID"): (label, kind) = ("IFPA number", .text)
        case (.leagueSettings, "playerName"): (label, kind) = ("league player", .player)
        case (.leagueSettings, "csvAutoFillEnabled"): (label, kind) = ("auto-fill by the app", .flag)
        case (.analyticsSettings, "gapMode"): (label, kind) = ("breaks in charts", .gapMode)
        case (.analyticsSettings, "useMedian"): (label, kind) = ("median in charts", .flag)
        case (.syncSettings, "cloudSyncEnabled"): (label, kind) = ("cloud sync", .flag)
        case (.syncSettings, "endpoint"): (label, kind) = ("sync address", .text)
        case (.syncSettings, "phaseLabel"): (label, kind) = ("sync phase", .text)
        default: return nil
        }
    }
}
