import FileHarness
import RecordFormat
import StoreHarness
import TestSupport
import Testing

@testable import PracticeJournal

/// Players with their numbers, and the settings that the newest app has: `practice-newest`.
struct SettingsTests {
    private static func golden() throws -> GoldenCase {
        try #require(GoldenCase.all(of: "practice-newest") { $0.name == "players-and-settings" }.first)
    }

    private static func table(_ players: [GoldenValue]) -> [UInt8] {
        let rows = players.map { player in
            ["player", "ifpa_player_id", "ifpa_name"].map { player.text($0) }.joined(separator: ",")
        }
        return Array((["Player,IFPA_Player_ID,IFPA_Name"] + rows).joined(separator: "\n").utf8)
    }

    @Test func `a typed name means the only player of that name, or the only one of a like name`() throws {
        let golden = try Self.golden()
        let players = LeaguePlayers(
            Self.table(try golden.need("players").elements), redaction: NameRedaction())
        for expected in try golden.need("expect").need("players").elements {
            let found = players.player(named: expected.text("typed"))
            let match = expected["match"]
            #expect(found?.number == match?["ifpa_player_id"]?.string, "\(expected)")
            #expect(found == nil || found?.name.text == match?.text("player"), "\(expected)")
        }
    }

    @Test func `a player who is redacted is found by no number`() throws {
        let players = LeaguePlayers(
            Self.table(try Self.golden().need("players").elements),
            redaction: NameRedaction(Array("name\nRobert Marsh\n".utf8)))
        #expect(players.player(named: "Robert Marsh") == nil && players.player(named: "Rob Marsh") == nil)
        #expect(players.player(named: "Ada Quill")?.number == "11111")
    }

    @Test func `a name is shown by its first word and a letter`() throws {
        for (name, shown) in try Self.golden().need("expect").need("shown").members {
            #expect(PlayerName(name).short == shown.string)
        }
    }

    @Test func `what an app writes at its first start says nothing, and is what is taken without it`() throws
    {
        let first = try Self.golden().need("expect").need("first")
        #expect(try DocumentValues(Scene.document(first.bytes)).isEmpty)
        let defaults = PracticeSettingsObject.leagueSettings.defaults
        #expect(
            GoldenValue(JSONText.object { for (name, value) in defaults { $0.member(name, value) } }.bytes)
                == first["leagueSettings"])
        let settings = try Scene.document("{}".utf8).settings
        #expect(
            [settings.player, settings.comparisonPlayer, settings.ifpaPlayer]
                == (try first.need("practiceSettings").members.map { $0.value.string }))
    }

    @Test func `a strict reader gets settings that it can read`() throws {
        let golden = try Self.golden()
        for (stored, expected) in zip(
            try golden.need("strict").elements, try golden.need("expect").need("strict").elements)
        {
            #expect(try GoldenValue(StrictView(of: Scene.document(stored.bytes)).bytes) == expected)
        }
    }

    @Test func `what an earlier app leaves out of the settings stays, and what a purge takes away goes`()
        throws
    {
        let golden = try Self.golden()
        for (merge, expected) in zip(
            try golden.need("merges").elements, try golden.need("expect").need("merged").elements)
        {
            let base = try Scene.document(merge.need("base").bytes)
            var journal = try Journal(base)
            try journal.hear(
                SyncState(
                    from: DocumentValues(base), to: DocumentValues(Scene.document(merge.need("said").bytes)),
                    stamp: SyncStamp(milliseconds: 1_772_388_000_001, device: "phone")))
            #expect(GoldenValue(journal.document.bytes) == expected)
        }
    }

    @Test func `the older form of the newest app keeps the number`() throws {
        let golden = try Self.golden()
        let made = try GoldenValue(
            golden.need("older").read { LegacyConversion(of: $0, now: Scene.now).bytes } ?? [])
        for (object, members) in try golden.need("expect").need("older").members {
            #expect(made[object] == members)
        }
    }

    // MARK: - Setting a name

    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
        try scene.addLeague([
            "LPL_IFPA_Players.csv":
                "player,ifpa_player_id,ifpa_name\nAda Quill,No. 111,Ada B. Quill\nBo Marsh,222,\n",
            "redacted_players.csv": "name\nBo Marsh\n",
        ])
    }

    private func set(_ number: Int, _ payload: String) throws -> String? {
        _ = try scene.perform(JournalScene.entry(number, "settings", payload, at: number), number)
        return try scene.read().settings.ifpaPlayer
    }

    @Test func `with the name of a player comes the number, and one of somebody else goes`() throws {
        #expect(try set(9, #"{"practiceSettings":{"playerName":"Bo Marsh"}}"#)?.isEmpty == true)
        let text = try scene.text()
        #expect(try set(10, #"{"practiceSettings":{"playerName":"ada quill"}}"#) == "111")
        _ = try scene.undo()
        #expect(try scene.text() == text)
        #expect(try set(11, #"{"leagueSettings":{"playerName":"Ada B Quill"}}"#) == "111")
        #expect(try set(12, #"{"practiceSettings":{"playerName":"Nobody"}}"#)?.isEmpty == true)
        #expect(
            try set(13, #"{"practiceSettings":{"playerName":"Ada Quill","ifpaPlayerID":" 7-77 "}}"#) == "777")
        #expect(try set(14, #"{"practiceSettings":{"playerName":"Nobody"}}"#) == "777")
    }

    @Test func `what is asked is set, and beside it what an app can't read an object without`() throws {
        _ = try set(9, #"{"analyticsSettings":{"gapMode":"brokenAxis"}}"#)
        #expect(
            try GoldenValue(scene.text().utf8)["analyticsSettings"]
                == GoldenValue(#"{"useMedian":true,"gapMode":"brokenAxis"}"#.utf8))
        _ = try set(10, #"{"analyticsSettings":{"useMedian":false}}"#)
        _ = try set(11, #"{"analyticsSettings":{"gapMode":"realTimeline"}}"#)
        #expect(
            try GoldenValue(scene.text().utf8)["analyticsSettings"]
                == GoldenValue(#"{"useMedian":false,"gapMode":"realTimeline"}"#.utf8))
    }
}
