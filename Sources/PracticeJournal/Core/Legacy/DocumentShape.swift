package import RecordFormat

/// Which of the two forms a document has.
///
/// Source: docs/spec/practice.md#the-older-form.
package enum DocumentShape: String, Sendable {
    /// That of schema 4; one without any known key, too.
    case canonical
    /// Android's older one.
    case legacy
    /// Keys of both.
    case mixed

    package init(of root: JSONValue) {
        var isCanonical = false
        var isLegacy = false
        for (key, _) in root.members {
            let name = String(decoding: key, as: UTF8.self)
            isCanonical = isCanonical || Self.canonicalKeys.contains(name)
            isLegacy = isLegacy || Self.legacyKeys.contains(name)
        }
        self = isLegacy ? (isCanonical ? .mixed : .legacy) : .canonical
    }

    /// Those that the older shape does not have, too.
    private static let canonicalKeys = Set(
        ["schemaVersion"] + PracticeArray.allCases.map(\.rawValue)
            + PracticeSettingsObject.allCases.map(\.rawValue)
            + PracticeMap.allCases.filter { $0 != .gameSummaryNotes }.map(\.rawValue))

    private static let legacyKeys: Set = [
        "playerName", "comparisonPlayerName", "leaguePlayerName", "cloudSyncEnabled", "selectedGroupID",
        "groups", "scores", "notes", "journal", "rulesheetProgress",
    ]
}
