/// The settings of a document; what is missing is what the app takes then.
///
/// Source: practice.md, section 2.
package struct PracticeSettings: Sendable {
    package var leaguePlayer = ""
    package var fillsLeagueScores = false
    /// Milliseconds since 1970.
    package var lastLeagueImport: Double?
    package var isCloudSyncEnabled = false
    package var gapMode = Word(GapMode.compressInactive)
    package var usesMedian = true
    package var player = ""
    package var comparisonPlayer = ""
    /// A UUID, as it is spelled.
    package var selectedGroup: String?

    package init() {}

    init(league: RecordReader?, sync: RecordReader?, analytics: RecordReader?, practice: RecordReader?) {
        leaguePlayer = league?.text("playerName") ?? ""
        fillsLeagueScores = league?.boolean("csvAutoFillEnabled") ?? false
        lastLeagueImport = league?.time("lastImportAt")
        isCloudSyncEnabled = sync?.boolean("cloudSyncEnabled") ?? false
        gapMode = analytics?.word("gapMode", GapMode.self) ?? gapMode
        usesMedian = analytics?.boolean("useMedian") ?? true
        player = practice?.text("playerName") ?? ""
        comparisonPlayer = practice?.text("comparisonPlayerName") ?? ""
        selectedGroup = practice?.text("selectedGroupID")
    }
}
