internal import RecordFormat

/// The settings of a document that anything here follows from; what is missing is what the app takes then.
///
/// Source: docs/spec/practice.md#settings.
package struct PracticeSettings: Sendable {
    var leaguePlayer = ""
    /// Milliseconds since 1970.
    package var lastLeagueImport: Double?
    /// The members that an import leaves, as far as they are there.
    var leagueImport: [String] = []
    var gapMode = Word(GapMode.compressInactive)
    var player = ""
    var comparisonPlayer = ""
    /// The player's number with the IFPA; empty if it is not known.
    var ifpaPlayer = ""
    /// A UUID, as it is spelled.
    package var selectedGroup: String?

    package init() {}

    init(league: RecordReader?, analytics: RecordReader?, practice: RecordReader?) {
        leaguePlayer = league?.text("playerName") ?? ""
        lastLeagueImport = league?.time("lastImportAt")
        let names: [StaticString] = ["lastImportAt", "lastRepairVersion"]
        leagueImport = names.filter { league?.value[name: $0] != nil }.map { "\($0)" }
        gapMode = analytics?.word("gapMode", GapMode.self) ?? gapMode
        player = practice?.text("playerName") ?? ""
        comparisonPlayer = practice?.text("comparisonPlayerName") ?? ""
        ifpaPlayer = practice?.text("ifpaPlayerID") ?? ""
        selectedGroup = practice?.text("selectedGroupID")
    }
}
