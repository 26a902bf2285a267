import PracticeJournal
import RecordFormat
import Testing

struct LeagueImportTests {
    private static let entry = "01KJA000000000000000000001"

    private func imported(
        _ document: PracticeDocument, _ golden: GoldenCase
    ) throws -> LeagueImport {
        try LeagueImport(
            of: golden.text("player"), from: try LeagueScene.stats(), into: document,
            library: try LeagueScene.library(), zone: try Scene.zone(golden.text("zone")),
            entry: try #require(ULID(golden.text("entry"))),
            at: Timestamp(milliseconds: Int64(try #require(golden["now_ms"]?.integer))))
    }

    private func counts(_ value: GoldenValue) -> LeagueImport.Counts {
        let numbers = ["imported", "duplicates", "unmatched"].map { value[$0]?.integer ?? -1 }
        return LeagueImport.Counts(imported: numbers[0], skipped: numbers[1], unmatched: numbers[2])
    }

    @Test(arguments: LeagueScene.cases("import-"))
    func `the scores of a player are imported once`(golden: GoldenCase) throws {
        let expected = try golden.need("expect")
        let document = try Scene.document(try golden.need("document").bytes)
        let first = try imported(document, golden)
        #expect(first.counts == counts(try expected.need("counts")))
        #expect(first.summary == expected.text("summary"))
        for array in [PracticeArray.scoreEntries, .journalEntries] {
            let made = first.change.added.filter { $0.array == array }.map { GoldenValue($0.json.bytes) }
            #expect(made == (try expected.need(array.rawValue).elements))
        }
        let written = try Scene.document(try document.applying(first.change))
        #expect(written.settings.lastLeagueImport == expected["lastImportAt"]?.number)
        #expect(written.scoreEntries.count == document.scoreEntries.count + first.counts.imported)
        let summary = LeagueImport.summaryID(of: try #require(ULID(golden.text("entry"))))
        #expect(written.rows.contains { $0.id == summary })
        let second = try imported(written, golden)
        #expect(second.counts == counts(try expected.need("secondTime")))
    }

    @Test(arguments: LeagueScene.cases("machine-game"))
    func `a machine is one game or none`(golden: GoldenCase) throws {
        let name = golden.text("raw").replacing("\"", with: "\"\"")
        let text =
            "season,banknumber,player,machine,rawscore,points,eventdate\n4,1,A,\"\(name)\",5,1,2026-02-16\n"
        let made = try LeagueImport(
            of: "A", from: LeagueStats(Array(text.utf8)), into: try Scene.document("{}".utf8),
            library: try LeagueScene.library(), zone: .utc, entry: try #require(ULID(Self.entry)),
            at: Scene.now)
        let score = made.change.added.first { $0.array == .scoreEntries }
        let game = score.flatMap { GoldenValue($0.json.bytes)["gameID"]?.string }
        #expect(game == golden["expect"]?.string)
    }

    private func imported(_ rows: String, into text: String = "{}", library: GameLibrary? = nil) throws
        -> LeagueImport
    {
        let table = "season,banknumber,player,machine,rawscore,points,eventdate\n" + rows
        return try LeagueImport(
            of: " A  B ", from: LeagueStats(Array(table.utf8)), into: try Scene.document(text.utf8),
            library: try library ?? LeagueScene.library(), zone: .utc,
            entry: try #require(ULID(Self.entry)), at: Scene.now)
    }

    @Test func `a score that the table has twice is imported once`() throws {
        let made = try imported("4,1,a b,Deep Reef,5,1,2026-02-16\n4,1,A B,DEEP reef,5,1,2026-02-16\n")
        #expect(made.counts == LeagueImport.Counts(imported: 1, skipped: 1))
        #expect(Set(made.change.added.map(\.id)).count == made.change.added.count)
    }

    @Test func `an import that brings nothing leaves a row with its time`() throws {
        let made = try imported("", library: GameLibrary())
        #expect(made.change.added.map(\.time) == [Double(Scene.now.milliseconds)])
        #expect(made.change.added.map { GoldenValue($0.json.bytes).text("gameID") } == ["library"])
        #expect(made.summary == "League import for A  B: 0 imported, 0 skipped, 0 unmatched.")
    }

    @Test func `settings that were not there have what an app requires of them`() throws {
        for text in ["{}", #"{"leagueSettings":null}"#] {
            let written = try Scene.document(text.utf8).applying(try imported("", into: text).change)
            let settings = GoldenValue(written)["leagueSettings"]
            #expect(
                settings?.description
                    == #"{"playerName":"","csvAutoFillEnabled":true,"lastImportAt":1773576000000}"#)
        }
        let text = #"{"leagueSettings":{"playerName":"A","csvAutoFillEnabled":true}}"#
        let written = try Scene.document(text.utf8).applying(try imported("", into: text).change)
        #expect(
            GoldenValue(written)["leagueSettings"]?.description
                == #"{"playerName":"A","csvAutoFillEnabled":true,"lastImportAt":1773576000000}"#)
    }

    @Test func `nobody's scores are not imported`() throws {
        #expect(throws: WriteRejection.self) {
            try LeagueImport(
                of: " ", from: try LeagueScene.stats(), into: try Scene.document("{}".utf8),
                library: GameLibrary(), zone: .utc, entry: try #require(ULID(Self.entry)), at: Scene.now)
        }
    }

    // MARK: - Purge

    @Test(arguments: LeagueScene.cases("import-"))
    func `a purge takes out what an import brought`(golden: GoldenCase) throws {
        let before = try golden.need("document").bytes
        var document = try Scene.document(before)
        document = try Scene.document(try document.applying(try imported(document, golden).change))
        document = try Scene.document(try document.applying(document.purgingLeagueImports()))
        #expect(document.scoreEntries.isEmpty && document.rows.isEmpty)
    }

    @Test func `a league score of one's own stays, with its row`() throws {
        let text = """
            {"scoreEntries":[
            {"id":"1","gameID":"g","score":5,"context":"league","timestamp":1770000000000,"leagueImported":false},
            {"id":"2","gameID":"g","score":7,"context":"league","timestamp":1770000000000,"leagueImported":true},
            {"id":"3","gameID":"g","score":5,"context":"practice","timestamp":1770000000000}],
            "journalEntries":[
            {"id":"4","gameID":"g","action":"scoreLogged","score":5,"scoreContext":"league","timestamp":1770000000000},
            {"id":"5","gameID":"g","action":"scoreLogged","score":7,"scoreContext":"league","timestamp":1770000000000},
            {"id":"6","gameID":"g","action":"scoreLogged","score":5,"scoreContext":"practice","timestamp":1770000000000},
            {"id":"7","gameID":"g","action":"scoreLogged","score":5,"scoreContext":"practice",\
            "note":"Imported from LPL stats CSV","timestamp":1770000000000},
            {"id":"8","gameID":"g","action":"noteAdded","note":"League import for X: read it","timestamp":1770000000000},
            {"id":"9","gameID":"g","action":"scoreLogged","scoreContext":"league",\
            "note":"League import for X: 1 imported, 0 skipped, 0 unmatched.","timestamp":1770000000000}]}
            """
        let document = try Scene.document(text.utf8)
        let purged = try Scene.document(try document.applying(document.purgingLeagueImports()))
        #expect(purged.scoreEntries.map(\.id) == ["1", "3"])
        #expect(purged.rows.map(\.id) == ["4", "6", "8"])
        #expect(purged.purgingLeagueImports().isEmpty)
    }
}
