import FileHarness
import Foundation
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

/// Scores that come from the table of a league into a journal's directory, and go again.
struct LeagueWriteTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
        try scene.addLeague()
    }

    private static func `import`(_ id: Int, _ player: String? = "Ada Quill", at time: Int = 0) -> String {
        let player = player.map { #""player":"\#($0)","# } ?? ""
        return JournalScene.entry(id, "league_import", "{\(player)\"zone\":\"Europe/Berlin\"}", at: time)
    }

    private func league() throws -> [ScoreEntry] {
        try scene.read().scoreEntries.filter(\.isLeagueImported)
    }

    @Test func `the scores of a player come once, by whatever way and however often`() throws {
        try scene.put(Self.import(10), 10)
        #expect(try scene.drain() == ["10 applied"])
        #expect(try league().map(\.score) == [15_000_000, 5_500_000])
        // Local midnight in the zone of the entry: the journal does not name one.
        #expect(try league().map(\.time) == [1_769_986_800_000, 1_770_591_600_000])
        let rows = try scene.read().rows.filter { $0.scoreContext?.known == .league }
        #expect(Set(rows.map(\.score)) == [15_000_000, 5_500_000, nil])
        let summary = rows.first { $0.id == LeagueImport.summaryID(of: number(10)) }
        #expect(summary?.note == "League import for Ada Quill: 2 imported, 0 skipped, 1 unmatched.")
        #expect(summary?.score == nil && summary?.time == 1_770_591_600_000)
        let text = try scene.text()
        // The same entry again, though the queue has lost its memory.
        try FileManager.default.removeItem(atPath: scene.queue.state.string)
        #expect(try scene.send(Self.import(10), 10).result.name == "already-applied")
        #expect(try scene.text() == text)
        // Another import.
        let again = try scene.perform(Self.import(11, at: 1), 11)
        #expect(again.details.map(\.name) == ["imported", "repaired", "skipped", "unmatched"])
        #expect(
            again.details.map { String(decoding: $0.value.bytes, as: UTF8.self) } == ["0", "0", "2", "1"])
        #expect(try league().count == 2)
    }

    @Test func `an import and a purge are taken back byte by byte`() throws {
        let imported = try scene.perform(Self.import(10), 10)
        #expect(imported.records.count == 5)
        let text = try scene.text()
        let purged = try scene.perform(JournalScene.entry(11, "league_purge", "{}", at: 1), 11)
        #expect(purged.details.map { String(decoding: $0.value.bytes, as: UTF8.self) } == ["2", "3"])
        #expect(try league().isEmpty)
        _ = try scene.undo()
        #expect(try scene.text() == text)
        _ = try scene.undo()
        #expect(try scene.text() == JournalScene.document)
        let nothing = try scene.perform(JournalScene.entry(12, "league_purge", "{}", at: 2), 12)
        #expect(nothing.changes.isEmpty && nothing.notice == "nothing was imported")
    }

    @Test func `an import whose records were purged does not come back`() throws {
        _ = try scene.send(Self.import(10), 10)
        _ = try scene.perform(JournalScene.entry(11, "league_purge", "{}", at: 1), 11)
        try FileManager.default.removeItem(atPath: scene.queue.state.string)
        _ = try scene.send(Self.import(10), 10)
        #expect(try league().isEmpty)
    }

    @Test func `the player is by default the one of the settings, the league's name first`() throws {
        _ = try scene.perform(
            JournalScene.entry(9, "settings", #"{"practiceSettings":{"playerName":"ada  quill"}}"#), 9)
        _ = try scene.perform(Self.import(10, nil, at: 1), 10)
        #expect(try league().count == 2)
        let own = #"{"leagueSettings":{"playerName":"redacted 62c440"}}"#
        _ = try scene.perform(JournalScene.entry(11, "settings", own, at: 2), 11)
        _ = try scene.perform(Self.import(12, nil, at: 3), 12)
        #expect(Set(try league().map(\.score)) == [15_000_000, 9_000_000, 5_500_000])
    }

    /// What came would say who is meant by what is shown instead of the name.
    @Test(arguments: ["Bo Marsh", " bo  MARSH", "B\u{f3} Marsh", "Nobody"])
    func `who is redacted is not imported by name, and that is told as of a name that nobody has`(
        player: String
    ) throws {
        let reason = "10 rejected: No player is shown by that name in league/LPL_Stats.csv."
        try scene.put(Self.import(10, player), 10)
        #expect(try scene.drain() == [reason])
        // Nor by way of the settings.
        let own = #"{"practiceSettings":{"playerName":"\#(player)"}}"#
        _ = try scene.perform(JournalScene.entry(11, "settings", own, at: 1), 11)
        let text = try scene.text()
        let error = #expect(throws: FormatError.self) {
            try scene.perform(Self.import(12, nil, at: 2), 12)
        }
        #expect(error?.message == "No player is shown by that name in league/LPL_Stats.csv.")
        #expect(try scene.text() == text)
    }

    @Test func `who is redacted is imported by what is shown instead, and not named`() throws {
        let applied = try scene.perform(Self.import(10, "redacted 62c440"), 10)
        #expect(try league().map(\.score) == [9_000_000])
        #expect(try scene.text().contains("League import for Redacted 62C440: 1 imported"))
        #expect(try !scene.text().contains("Marsh"))
        let record = String(decoding: try #require(applied.record), as: UTF8.self)
        #expect(!record.contains("Marsh"))
    }

    @Test func `where the list is not given out, nothing is imported`() throws {
        let list = scene.journal.appending("league/redacted_players.csv")
        try FileManager.default.removeItem(atPath: list.string)
        try OpenDirectory.make(list)
        #expect(throws: FileError.self) { try scene.perform(Self.import(10), 10) }
        #expect(try scene.text() == JournalScene.document)
        try FileManager.default.removeItem(atPath: list.string)
        _ = try scene.perform(Self.import(10), 10)
        #expect(try league().count == 2)
    }

    @Test func `where the list can't be read whole, nobody is named`() throws {
        let list = scene.journal.appending("league/redacted_players.csv")
        try Data([0x6E, 0x61, 0x6D, 0x65, 0x0A, 0xFF, 0x0A]).write(to: URL(filePath: list.string))
        #expect(throws: FormatError.self) { try scene.perform(Self.import(10), 10) }
        let shown = NameRedaction(redactsEverybody: true).shown(PlayerName("Ada Quill"))
        _ = try scene.perform(Self.import(11, shown), 11)
        #expect(try league().count == 2)
        #expect(try !scene.text().contains("Ada Quill"))
    }

    @Test func `what can't be imported is refused`() throws {
        try scene.put(Self.import(10, " "), 10)
        try scene.put(JournalScene.entry(11, "league_import", #"{"player":5}"#, at: 1), 11)
        try scene.put(
            JournalScene.entry(12, "league_import", #"{"player":"A","zone":"Moon/Far"}"#, at: 2), 12)
        #expect(
            try scene.drain().prefix(2) == [
                "10 rejected: Choose a player.", "11 rejected: player must be a text.",
            ])
        #expect(try scene.text() == JournalScene.document)
        try FileManager.default.removeItem(atPath: scene.journal.appending("league/LPL_Stats.csv").string)
        try scene.put(Self.import(13, at: 3), 13)
        #expect(
            try scene.drain().contains(
                "13 rejected: There is no table of scores, league/LPL_Stats.csv."))
    }
}
