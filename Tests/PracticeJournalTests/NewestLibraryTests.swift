import RecordFormat
import Testing
import TraceText

@testable import PracticeJournal

/// The library of the newest app, alone and with an older one: `practice-newest`.
struct NewestLibraryTests {
    private static func golden(_ name: String) throws -> GoldenCase {
        try #require(GoldenCase.all(of: "practice-newest") { $0.name == name }.first)
    }

    /// The golden's library.
    ///
    /// - Parameter hasOlder: Whether the older library is there, too.
    static func library(
        hasOlder: Bool = false, imported: GoldenValue? = nil, without left: Set<LibraryDataFile> = []
    ) throws -> GameLibrary {
        let file = try golden("catalogue").file
        let names: [LibraryDataFile: String] = [
            .catalogue: "opdb", .curations: "curations", .layout: "layout", .library: "library_v3",
            .rulesheets: "rulesheet_assets", .videos: "video_assets", .playfields: "playfield_assets",
            .gameInfo: "gameinfo_assets",
        ]
        var files: [LibraryDataFile: [UInt8]] = [:]
        for (known, name) in names where !left.contains(known) { files[known] = try file.need(name).bytes }
        if !hasOlder { files[.library] = nil }
        files[.importedSources] = imported?.bytes
        return try GameLibrary(files)
    }

    private static func catalogue() throws -> GameCatalogue {
        let file = try golden("catalogue").file
        let identities = try #require(try file.need("curations").read { GameIdentities($0) })
        return try #require(try file.need("opdb").read { GameCatalogue($0, identities: identities) })
    }

    @Test func `the machines of a group are one game, unless they were told apart`() throws {
        let identities = try Self.catalogue().identities
        for expected in try Self.golden("identities").need("expect").elements {
            #expect(identities.identity(of: expected.text("id")) == expected["identity"]?.string)
            #expect(GameIdentities.group(of: expected.text("id")) == expected["group"]?.string)
        }
        #expect(identities.splitGroups == ["GspL1", "GtwN2"])
    }

    @Test func `the catalogue has one game for each identity`() throws {
        let catalogue = try Self.catalogue()
        let expected = try Self.golden("catalogue").need("expect").elements
        #expect(catalogue.keys == expected.map { $0.text("key") })
        for expected in expected {
            let key = expected.text("key")
            let machine = try #require(catalogue.machine(of: key))
            let texts = [
                machine.id, machine.name, machine.variant, machine.manufacturer, machine.type,
                machine.display,
            ]
            #expect(
                texts
                    == ["machine", "name", "variant", "manufacturer", "type", "display"].map {
                        expected[$0]?.string
                    })
            #expect(machine.year == expected["year"]?.integer)
            #expect(catalogue.machineCount(of: key) == expected["machines"]?.integer)
        }
    }

    @Test(arguments: ["places-of-the-layout", "places-of-imported-sources"])
    func `a source has its machines, where they stand`(name: String) throws {
        let golden = try Self.golden(name)
        let library = try Self.library(imported: golden["sources"])
        let expected = try golden.need("expect").elements
        try #require(library.games.map(\.id) == expected.map { $0.text("id") })
        for (game, expected) in zip(library.games, expected) {
            #expect(
                [game.source, game.key, game.variant, game.area]
                    == ["source", "key", "variant", "area"].map { expected[$0]?.string })
            #expect(
                [game.year, game.areaOrder, game.group, game.position, game.bank]
                    == ["year", "areaOrder", "group", "position", "bank"].map { expected[$0]?.integer })
        }
        // What no source has is known all the same.
        #expect(library.game("X77-Old")?.name == "Prototype")
        #expect(!library.keys.contains("X77-Old") && library.others.contains { $0.key == "X77-Old" })
        #expect(
            library.sources.map(\.kind)
                == (name == "places-of-the-layout"
                    ? [.venue, .venue] : [.venue, .manufacturer, .tournament]))
    }

    @Test func `a game has what there is to read and to see`() throws {
        let golden = try Self.golden("media")
        let file = golden.file
        let catalogue = try Self.catalogue()
        var assets = GameAssets()
        for (known, name) in [
            (LibraryDataFile.rulesheets, "rulesheet_assets"), (.videos, "video_assets"),
            (.playfields, "playfield_assets"), (.gameInfo, "gameinfo_assets"),
        ] {
            _ = try file.need(name).read { assets.read(known, $0) }
        }
        let expected = try golden.need("expect").elements
        for (asked, expected) in zip(try golden.need("games").elements, expected) {
            let key = asked.text("key")
            let machine = asked["machine"]?.string.flatMap { catalogue.machine(listedAs: $0) }
            let media = assets.media(of: key, listed: machine ?? catalogue.machine(of: key), older: nil)
            let files = [media.rulesheet.file, media.playfield.file, media.playfield.url, media.gameInfo]
            #expect(
                files
                    == ["rulesheet_file", "playfield_file", "playfield_url", "gameinfo_file"].map {
                        expected[$0]?.string
                    }, "\(key)")
            #expect(
                media.rulesheets.map { [$0.label, $0.url] }
                    == (try expected.need("rulesheets").elements.map { [$0.text("label"), $0.text("url")] }))
            #expect(
                media.videos.map { [$0.kind, $0.label, $0.url] }
                    == (try expected.need("videos").elements.map {
                        [$0.text("kind"), $0.text("label"), $0.text("url")]
                    }))
            #expect(
                [media.count(of: "tutorial"), media.count(of: "gameplay")]
                    == ["tutorials", "gameplays"].map { expected[$0]?.integer })
        }
    }

    @Test func `an id of either app is that of its game`() throws {
        let (both, newest) = (try Self.library(hasOlder: true), try Self.library())
        for expected in try Self.golden("game-ids").need("expect").elements {
            let id = both.canonical(expected.text("raw"))
            #expect(
                [id.id, id.match.rawValue] == [expected.text("id"), expected.text("match")], "\(expected)")
            #expect(newest.canonical(expected.text("raw")).id == expected.text("newest"), "\(expected)")
        }
    }

    @Test func `the games of a group count once, however an app has left them`() throws {
        let golden = try Self.golden("group-lists")
        let library = try Self.library(hasOlder: true)
        for (list, expected) in zip(
            try golden.need("lists").elements, try golden.need("expect").elements)
        {
            let counted = try expected.need("counted").elements.compactMap(\.string)
            #expect(library.canonical(list.elements.compactMap(\.string)) == counted)
            for app in ["ios", "android"] {
                #expect(
                    library.canonical(try expected.need(app).elements.compactMap(\.string)) == counted)
            }
        }
    }

    // MARK: - Both generations

    @Test func `the older library keeps the venues and games that the newest has not`() throws {
        let library = try Self.library(hasOlder: true)
        #expect(
            library.sources.map(\.id) == ["venue--pm-77", "venue--pm-78", "venue--corner-hall"])
        let kept = library.games.filter { $0.source == "venue--corner-hall" }
        #expect(kept.map(\.key) == ["GaB12", "GspL1", "GtwN2-Mb", "Gq7Zt"])
        #expect(kept.map(\.name) == ["Comet Racer", "Paper Tiger", "Right Twin", "Moon Pirates"])
        #expect(kept.first?.bank == 2 && kept.first?.year == 1991 && kept.first?.id == "v--77--GaB12")
    }

    @Test func `a venue that has another id now is known from the newest library`() throws {
        let layout = #"{"records":[{"sourceId":"the-avenue","sourceName":"Avenue","opdbId":"G1234-M1"}]}"#
        let older =
            #"{"libraries":[{"library_id":"venue--the-avenue-cafe"},{"library_id":"venue--home"}],"items":["#
            + #"{"practice_identity":"G1234","library_id":"venue--the-avenue-cafe","game":"Old"},"#
            + #"{"practice_identity":"G1234","library_id":"venue--home","game":"Old"}]}"#
        let library = try GameLibrary([
            .catalogue: Array(#"[{"opdb_id":"G1234-M1","name":"New"}]"#.utf8), .layout: Array(layout.utf8),
            .library: Array(older.utf8),
        ])
        #expect(library.games.map { "\($0.source) \($0.name)" } == ["venue--pm-8760 New", "venue--home New"])
    }

    @Test func `a record that can't be read costs no other, and of a repeated id the first counts`() throws {
        let text =
            #"[7,{"opdb_id":"G1-M1"},{"name":"x"},{"opdb_id":"G1234-M1","name":"One","manufacturer":{"name":"None"}},"#
            + #"{"opdb_id":"G1234-M1","name":"Two"},{"opdb_id":"G9999-M1","name":"null"}]"#
        let library = try GameLibrary([.catalogue: Array(text.utf8)])
        #expect(library.others.map(\.name) == ["One"] && library.others.first?.manufacturer == nil)
        let findings = try PracticeLibraryFile.findings(in: .catalogue, Array(text.utf8), besides: nil)
        #expect(findings.map(\.rule.id) == ["practice-library-record"])
        #expect(findings.first?.message == "record 1 has no name, nor have 1 others all that they need")
    }

    @Test(arguments: ["{", "[]", "7", #"{"records":7}"#])
    func `a catalogue that is none leaves the older library`(text: String) throws {
        let older = try Self.golden("catalogue").file.need("library_v3").bytes
        let library = try GameLibrary([.catalogue: Array(text.utf8), .library: older])
        #expect(library.games == (try GameLibrary([.library: older])).games)
        #expect(!library.hasCatalogue && library.games.count == 4)
    }

    @Test func `where a file of what to see is missing, the older library has it`() throws {
        let older =
            #"{"items":[{"practice_identity":"GmN45","game":"Star","rulesheet_url":"https://a.example/r","#
            + #""videos":[{"kind":"tutorial","url":"https://a.example/v"}]}]}"#
        let catalogue = try Self.golden("catalogue").file.need("opdb").bytes
        let library = try GameLibrary([.catalogue: catalogue, .library: Array(older.utf8)])
        let media = try #require(library.game("GmN45")?.media)
        #expect(media.rulesheet.url == "https://a.example/r" && media.videos.count == 1)
        let assets = try GameLibrary([
            .catalogue: catalogue, .library: Array(older.utf8), .videos: Array(#"{"records":[]}"#.utf8),
        ])
        #expect(assets.game("GmN45")?.media.videos == [])
    }

    // MARK: - Asking

    @Test func `a list has the games of the sources, and who looks for one finds all that there are`() throws
    {
        let library = try Self.library()
        func keys(_ words: String..., isPlayed: Bool? = nil) -> [String] {
            var query = LibraryQuery()
            query.words = words
            query.isPlayed = isPlayed
            return query.rows(of: library, played: ["GtwN2-Ma"]).map(\.game.key)
        }
        #expect(keys() == ["GaB12", "Gk9Xy", "GspL1-Mb2", "GmN45"])
        #expect(keys("twin") == ["GtwN2-Ma", "GtwN2-Mb", "GspL1-Ma1"])
        #expect(keys("orb", "1999") == ["GtwN2-Ma", "GtwN2-Mb"])
        #expect(keys("le", "2019") == ["GaB12"])
        #expect(keys(isPlayed: true) == ["GtwN2-Ma"])
    }

    @Test(arguments: [
        ("comet", "GaB12"), ("Paper Tiger", "GspL1"), ("left", "GtwN2-Ma"), ("GspL1-Mb2-A7", "GspL1-Mb2"),
    ])
    func `a game is named by its beginning, those of the sources first`(typed: String, key: String) throws {
        #expect(try Self.library().key(named: typed) == key)
    }

    @Test(arguments: [
        ("Commet Racer", "Comet Racer"), ("dep reef", "Deep Reef"), ("Papre Tiger", "Paper Tiger"),
        ("DEEP  RÉEF x", "Deep Reef"), ("Star Barn", "Star Baron & Co"),
    ])
    func `a name that is nearly right is suggested`(typed: String, name: String) throws {
        let library = try Self.library()
        let refusal = #expect(throws: PracticeRefusal.self) { try library.key(named: typed) }
        #expect(refusal?.cure?.text == "did you mean '\(name)'?")
    }

    @Test(arguments: ["zz", "Something else", "Xylophone Racer", "co"])
    func `nothing is suggested for a name that is like none`(typed: String) throws {
        #expect(try Self.library().suggestion(for: typed) == nil)
    }

    @Test func `a player who is redacted is suggested to nobody`() throws {
        let redaction = NameRedaction(Array("name\nBo Marsh\n".utf8))
        let players = ["Bo Marsh", "Ada Quill"].map { PlayerName($0) }
        #expect(redaction.shownName(near: PlayerName("ada quil"), among: players) == "Ada Quill")
        for typed in ["Bo Marsh", "Bo Mrsh", "bo marsh"] {
            #expect(redaction.shownName(near: PlayerName(typed), among: players) == nil)
        }
    }

    // MARK: - League

    private static func matcher(_ library: GameLibrary, _ golden: GoldenCase) throws -> MachineMatcher {
        MachineMatcher(library, MachineMappings(try golden.need("mappings").bytes))
    }

    @Test func `the game of a row is that of its columns, of the mapping, or the only one of the name`()
        throws
    {
        let golden = try Self.golden("league-games")
        for hasOlder in [false, true] {
            let matcher = try Self.matcher(Self.library(hasOlder: hasOlder), golden)
            for (row, expected) in zip(
                try golden.need("rows").elements, try golden.need("expect").elements)
            {
                let found = matcher.game(
                    identity: row["practiceidentity"]?.string, machine: row["opdbid"]?.string,
                    named: MachineKey(row.text("machine")))
                #expect(found?.key == expected["game"]?.string, "\(row)")
                #expect(found?.match.rawValue ?? "none" == expected.text("by"), "\(row)")
            }
        }
    }

    @Test(arguments: [
        ("practiceidentity,opdbid", " GspL1-Ma1 ,"), ("practice_identity,opdb id", ",GspL1-Ma1"),
        ("x,opdb_id", "y,GspL1-Ma1"),
    ])
    func `the columns of a table say which game a row is about`(columns: String, values: String) throws {
        let table =
            "season,banknumber,player,machine,rawscore,points,\(columns)\n4,1,A,Anything,5,1,\(values)\n"
        let stats = LeagueStats(Array(table.utf8))
        var games = MachineGames(MachineMatcher(try Self.library()))
        #expect(stats.rows.map { games.game(of: $0) } == ["GspL1-Ma1"])
        #expect(stats.findings.isEmpty)
    }

    @Test func `an evening of the league is at 22 o'clock, and what an app has moved is repaired`() throws {
        let golden = try Self.golden("league-import")
        let rows = try golden.need("rows").elements.map { row in
            "4,1,\(row.text("player")),\(row.text("machine")),\(row["score"]?.integer ?? 0),1,\(row.text("date"))"
        }
        let table =
            "season,banknumber,player,machine,rawscore,points,eventdate\n" + rows.joined(separator: "\n")
        let library = try Self.library(hasOlder: true)
        func imported(into document: PracticeDocument) throws -> LeagueImport {
            try LeagueImport(
                of: golden.text("player"), from: LeagueStats(Array(table.utf8)),
                games: Self.matcher(library, golden), into: document, library: library,
                zone: Scene.zone(golden.text("zone")),
                entry: #require(ULID("01KJA000000000000000000001")),
                at: Timestamp(milliseconds: Int64(#require(golden["now_ms"]?.integer))))
        }
        let document = try Scene.document(try golden.need("document").bytes)
        let made = try imported(into: document)
        let expected = try golden.need("expect")
        let counts = try expected.need("counts")
        let numbers = ["imported", "repaired", "skipped", "unmatched"].map { counts[$0]?.integer ?? -1 }
        #expect(
            made.counts
                == LeagueImport.Counts(
                    imported: numbers[0], repaired: numbers[1], skipped: numbers[2], unmatched: numbers[3]))
        #expect(made.summary == expected.text("summary"))
        let bytes = try document.applying(made.change)
        let written = GoldenValue(bytes)
        for array in ["scoreEntries", "journalEntries"] {
            let records = try written.need(array).elements.filter { $0["note"]?.string != made.summary }
            let wanted = try expected.need(array).elements
            try #require(records.count == wanted.count)
            for wanted in wanted {
                let found = records.contains { record in
                    wanted.members.allSatisfy { record[$0.name] == $0.value }
                }
                #expect(found, "\(wanted)")
            }
        }
        for (name, value) in try expected.need("leagueSettings").members {
            #expect(written["leagueSettings"]?[name] == value)
        }
        let again = try imported(into: Scene.document(bytes))
        #expect(again.counts == LeagueImport.Counts(skipped: 4, unmatched: 2))
    }

    @Test func `an evening is at 22 o'clock where the journal is, whatever the clocks do that day`() throws {
        let golden = try Self.golden("league-times")
        for (zone, times) in try golden.need("expect").need("evenings").members {
            for (day, time) in zip(try golden.need("days").elements, times.elements) {
                let table =
                    "season,banknumber,player,machine,rawscore,points,eventdate\n4,1,A,Deep Reef,5,1,\(day.string ?? "")\n"
                let library = try Self.library()
                let made = try LeagueImport(
                    of: "A", from: LeagueStats(Array(table.utf8)), into: Scene.document("{}".utf8),
                    library: library, zone: Scene.zone(zone),
                    entry: #require(ULID("01KJA000000000000000000001")), at: Scene.now)
                #expect(made.change.added.first?.time == time.number, "\(zone)")
            }
        }
    }

    /// 2026-02-02 in Detroit: at midnight, at 22:00, and at 22:00 of the evening before, where a phone in Auckland has left it.
    @Test(arguments: [1_770_008_400_000, 1_770_087_600_000, 1_770_022_800_000, 1_769_994_000_000])
    func `a score that was imported is known within a day, and stays where it is`(time: Int) throws {
        let document = try Scene.document(
            #"{"scoreEntries":[{"id":"s","gameID":"GaB12","score":5,"context":"league","timestamp":\#(time),"leagueImported":true}]}"#
                .utf8)
        for library in [try Self.library(), try LeagueScene.library()] {
            let table =
                "season,banknumber,player,machine,rawscore,points,eventdate\n4,1,A,Comet Racer,5,1,2026-02-02\n"
            let made = try LeagueImport(
                of: "A", from: LeagueStats(Array(table.utf8)), into: document, library: library,
                zone: Scene.zone("America/Detroit"), entry: #require(ULID("01KJA000000000000000000001")),
                at: Scene.now)
            #expect(made.counts == LeagueImport.Counts(skipped: 1))
            #expect(made.change.replaced.isEmpty && made.change.removed.isEmpty)
        }
    }

    @Test func `one imported score stands for one evening, and one of one's own for its own day`() throws {
        let table =
            "season,banknumber,player,machine,rawscore,points,eventdate\n"
            + "4,1,A,Comet Racer,5,1,2026-02-02\n4,1,A,Comet Racer,5,1,2026-02-03\n"
        func counts(isImported: Bool, day: Int) throws -> LeagueImport.Counts {
            let time = 1_770_033_600_000 + day * 86_400_000
            let text =
                #"{"scoreEntries":[{"id":"s","gameID":"GaB12","score":5,"context":"league","timestamp":\#(time),"leagueImported":\#(isImported)}]}"#
            return try LeagueImport(
                of: "A", from: LeagueStats(Array(table.utf8)), into: Scene.document(text.utf8),
                library: Self.library(), zone: .utc,
                entry: #require(ULID("01KJA000000000000000000001")), at: Scene.now
            ).counts
        }
        #expect(try counts(isImported: true, day: 0) == LeagueImport.Counts(imported: 1, skipped: 1))
        #expect(try counts(isImported: true, day: 1) == LeagueImport.Counts(imported: 1, skipped: 1))
        #expect(try counts(isImported: false, day: -1) == LeagueImport.Counts(imported: 2))
    }

    @Test func `targets that the app has made say themselves of which games and banks they are`() throws {
        let golden = try Self.golden("league-targets")
        let targets = try #require(
            LeagueTargets(resolved: try golden.need("targets").bytes, library: try Self.library()))
        let expected = try golden.need("expect")
        for (key, scores) in try expected.need("scores").members {
            let target = try #require(targets.target(of: key))
            #expect(
                [target.great, target.main, target.floor]
                    == ["great", "main", "floor"].map { scores[$0]?.number })
        }
        #expect(
            Set(targets.rows.compactMap(\.bank)).sorted()
                == (try expected.need("banks").elements.compactMap(\.integer)))
        for (name, played) in try golden.need("played").members {
            let rows = played.elements.map { "4,\($0.integer ?? 0),A,M,5,1" }
            let table = (["season,banknumber,player,machine,rawscore,points"] + rows).joined(separator: "\n")
            let next = try #require(
                NextBank(for: PlayerName("A"), stats: LeagueStats(Array(table.utf8)), targets: targets))
            let wanted = try expected.need("next").need(name)
            #expect(next.label == wanted.text("label") && next.bank == wanted["bank"]?.integer)
            #expect(next.targets.map(\.game) == wanted["games"]?.elements.compactMap(\.string))
        }
        #expect(
            LeagueTargets(resolved: Array(#"{"version":1,"items":[]}"#.utf8), library: GameLibrary()) == nil)
        #expect(LeagueTargets(resolved: Array("{".utf8), library: GameLibrary()) == nil)
    }
}
