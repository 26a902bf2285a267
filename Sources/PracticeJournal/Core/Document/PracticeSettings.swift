/// The settings of a document that anything here follows from; what is missing is what the app takes then.
///
/// Source: docs/spec/practice.md#settings.
package struct PracticeSettings: Sendable {
    var leaguePlayer = ""
    /// Milliseconds since 1970.
    package var lastLeagueImport: Double?
    var gapMode = Word(GapMode.compressInactive)
    var player = ""
    var comparisonPlayer = ""
    /// A UUID, as it is spelled.
    package var selectedGroup: String?

    package init() {}

    init(league: RecordReader?, analytics: RecordReader?, practice: RecordReader?) {
        leaguePlayer = league?.text("playerName") ?? ""
        lastLeagueImport = league?.time("lastImportAt")
        gapMode = analytics?.word("gapMode", GapMode.self) ?? gapMode
        player = practice?.text("playerName") ?? ""
        comparisonPlayer = practice?.text("comparisonPlayerName") ?? ""
        selectedGroup = practice?.text("selectedGroupID")
    }
}
