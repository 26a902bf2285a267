import Foundation
import PracticeJournal
import RecordFormat
import Testing

struct RedactionTests {
    @Test(arguments: LeagueScene.cases("redact"))
    func `a name of the list is shown as a few digits`(golden: GoldenCase) throws {
        let list =
            try golden["list"]?.string.map { Array($0.utf8) } ?? LeagueScene.bytes("league/redacted.csv")
        let shown = NameRedaction(list).shown(PlayerName(golden.text("raw")))
        #expect(shown == (try golden.need("expect").string))
    }

    @Test(arguments: [
        "name\nJane Doe\n", "Player\r\nJane Doe", "rank,PLAYER_NAME\r1,\"Jane Doe\"",
        "\u{FEFF}name\nJane Doe", "Jane Doe", "Bo\nJane Doe\n", "Jane Doe,x\nBo,y,z\n", "\n\nJané  doe\n",
        "name\n\"Doe, Jane\"\n", "Doe, Jane\nMarsh, Bo\n",
    ])
    func `a list has its names in a column, or in its first`(list: String) {
        let redaction = NameRedaction(Array(list.utf8))
        #expect(redaction.shown(PlayerName("Jane Doe")) == "Redacted EF0F26")
        #expect(redaction.shown(PlayerName("Ada Quill")) == "Ada Quill")
        #expect(redaction.findings.isEmpty)
    }

    @Test func `a name with a comma that is in no quotes is redacted, and the row is a finding`() {
        let redaction = NameRedaction(Array("name\nDoe, Jane\nBo\n".utf8))
        #expect(redaction.shown(PlayerName("Jane Doe")) == "Redacted EF0F26")
        #expect(redaction.findings.map(\.rule.id) == ["league-row-width"] && !redaction.redactsEverybody)
    }

    @Test(arguments: [
        ("Zoë", "Zoe"), ("ZOE\u{308}", "zoe"), ("Åse", "A\u{30A}se"), ("각", "\u{1100}\u{1161}\u{11A8}"),
        ("\u{F900}", "豈"), ("İnci", "inci"), ("Ṩǟ", "sa"), ("Jane Doe", "Doe, Jane"),
        ("Doe, Jane", "jane  DOE"),
        ("Zoë van der Hart", "VAN DER HART ,  Zoe"), ("Jane\u{A0}Doe", "Jane Doe"),
        ("Jane Doe", "Ja\u{AD}ne\u{200B} Doe"),
        ("Doe, Jane", "doe,jane"),
    ])
    func `spellings of a name are the same name`(one: String, other: String) {
        let redaction = NameRedaction(Array("name\n\(one)\n".utf8))
        #expect(redaction.shown(PlayerName(other)).hasPrefix("Redacted "))
        // Nobody can tell by the digits how the name is written, and who asks by them gets all that is the player's.
        #expect(redaction.shown(PlayerName(other)) == redaction.shown(PlayerName(one)))
        #expect(PlayerName(one) == PlayerName(other))
        let found = redaction.player(redaction.shown(PlayerName(one)), among: [PlayerName(other)])
        #expect(found == PlayerName(one))
    }

    @Test(arguments: [("Doe Jane", "Jane Doe"), ("Doe,", "Doe"), ("A, B, C", "B, C A"), (",", "")])
    func `other orders are other names`(one: String, other: String) {
        let redaction = NameRedaction(Array("name\n\"\(one)\"\n".utf8))
        #expect(redaction.shown(PlayerName(other)) == other)
    }

    @Test(arguments: [("Søren", "Soren"), ("Łukasz", "Lukasz"), ("Strauß", "Strauss")])
    func `letters that only look alike are other names`(one: String, other: String) {
        let redaction = NameRedaction(Array("name\n\(one)\n".utf8))
        #expect(redaction.shown(PlayerName(other)) == other)
    }

    @Test(arguments: ["\u{FEFF}Name;Club\r\nJane Doe;A\r\n", "rank\tplayer\n1\tJane Doe\n"])
    func `where the names are not between commas, nobody is named`(text: String) {
        let list = NameRedaction(Array(text.utf8))
        #expect(list.findings.map(\.rule.id) == ["league-separator"])
        #expect(list.redactsEverybody && list.shown(PlayerName("Jane Doe")) == "Redacted EF0F26")
    }

    @Test func `a row that can't be read is a finding, and then nobody is named`() {
        let broken = NameRedaction(Array("name\nZo".utf8) + [0xEB] + Array("\nJane Doe\n\"Bo\nCy\n".utf8))
        #expect(broken.findings.map(\.rule.id) == ["league-row-unreadable", "league-row-unreadable"])
        #expect(broken.findings.map(\.place.line) == [2, 4])
        #expect(broken.shown(PlayerName("Jane Doe")) == "Redacted EF0F26")
        #expect(broken.redactsEverybody && broken.shown(PlayerName("Ada Quill")).hasPrefix("Redacted "))
        let short = NameRedaction(Array("rank,name\n1,Jane Doe\n2\n".utf8))
        #expect(short.findings.map(\.rule.id).contains("league-row-unreadable") && short.redactsEverybody)
        let wide = NameRedaction("name\nJane Doe\n".utf8.flatMap { [$0, 0] })
        #expect(wide.findings.map(\.rule.id) == ["league-row-unreadable", "league-row-unreadable"])
        #expect(wide.redactsEverybody)
        let unread = NameRedaction(redactsEverybody: true)
        #expect(unread.shown(PlayerName("Jane Doe")) == "Redacted EF0F26")
        #expect(unread.shown(PlayerName("")).isEmpty)
    }

    @Test(arguments: [
        ("Redacted EF0F26", "Redacted EF0F26"), ("redacted  ef0f26 ", "Redacted EF0F26"),
        ("JANE doe", "Redacted EF0F26"), ("Ada Quill", "Ada Quill"), ("Redacted", "Redacted"),
        ("Redacted FFFFFF", "Redacted FFFFFF"),
    ])
    func `a player is given by the name, or by what is shown instead of it`(typed: String, shown: String) {
        let redaction = NameRedaction(Array("name\nJane Doe\n".utf8))
        let players = ["Ada Quill", "Jane Doe", "Jane Doe"].map { PlayerName($0) }
        #expect(redaction.shown(redaction.player(typed, among: players)) == shown)
    }

    @Test(arguments: [
        ("League import for Jane  Doe: 1 imported", "League import for Redacted: 1 imported"),
        ("League import for A: B: 1 imported", "League import for A: B: 1 imported"),
        ("League import for jane doe", "League import for Redacted"),
        ("League import for Redacted EF0F26: 1", "League import for Redacted EF0F26: 1"),
        ("League import for Ada Quill: 1", "League import for Ada Quill: 1"),
        ("Jane Doe was here", "Jane Doe was here"),
        ("League import for Doe, Jane: 1 imported", "League import for Redacted: 1 imported"),
        ("League import for JÁNE\u{A0}Doe: 1", "League import for Redacted: 1"),
        ("league  IMPORT for Jane Doe: 1 imported", "league  IMPORT for Redacted: 1 imported"),
        (" League import for  doe,jane", " League import for  Redacted"),
        (
            "League import for Jane Doe (spring): 1 imported",
            "League import for Redacted (spring): 1 imported"
        ),
        ("League import for Jane Doe, 1 imported", "League import for Redacted, 1 imported"),
        ("League import for Doe, Jane (S4), 1: 2", "League import for Redacted (S4), 1: 2"),
        ("League import for Jane Doering: 1", "League import for Jane Doering: 1"),
        ("League import for", "League import for"), ("League imports Jane Doe", "League imports Jane Doe"),
    ])
    func `the note of an import names nobody who is redacted, nor which digits are theirs`(
        note: String, shown: String
    ) throws {
        let text = #"{"journalEntries":[{"id":"1","gameID":"g","action":"scoreLogged","note":"\#(note)"}]}"#
        let row = try #require(try Scene.document(text.utf8).rows.first)
        #expect(row.shown(by: NameRedaction(Array("Jane Doe".utf8))).note == shown)
    }

    @Test(arguments: [
        ("League import for Ada Quill: 1 imported", "League import for Redacted: 1 imported"),
        ("League import for Redacted EF0F26: 1 imported", "League import for Redacted EF0F26: 1 imported"),
        ("Jane Doe was here", "Jane Doe was here"),
    ])
    func `where nobody is to be named, no import names anybody`(note: String, shown: String) throws {
        let text = #"{"journalEntries":[{"id":"1","gameID":"g","action":"scoreLogged","note":"\#(note)"}]}"#
        let row = try #require(try Scene.document(text.utf8).rows.first)
        #expect(row.shown(by: NameRedaction(redactsEverybody: true)).note == shown)
    }

    @Test func `what the language writes of a value has no name in it`() throws {
        let stats = try LeagueScene.stats()
        let standings = try LeagueScene.standings()
        let machine = try #require(stats.statistics(of: "Comet Racer"))
        let recent = try #require(RecentBank(for: PlayerName("Bo Marsh"), in: stats))
        let values: [Any] = [
            stats, standings, machine, recent, try LeagueScene.redaction(), PlayerName("Bo Marsh"),
            try #require(standings.around(PlayerName("Bo Marsh"))), stats.findings, standings.findings,
        ]
        for value in values {
            var dumped = ""
            dump(value, to: &dumped)
            for text in [String(describing: value), String(reflecting: value), dumped] {
                #expect(!text.localizedCaseInsensitiveContains("marsh"))
                #expect(!text.localizedCaseInsensitiveContains("62C440"))
                #expect(!text.contains("pinball-app"))
            }
        }
    }

    @Test func `a finding about a row in which a comma is missing does not name the player`() throws {
        let text = """
            Season,BankNumber,Player,Machine,RawScore,Points,EventDate
            4,1,Comet Racer,100,Bo Marsh,2026-02-02
            4,Comet Racer,100,12,Bo Marsh,Bo Marsh,Bo Marsh
            """
        let findings = LeagueStats(Array(text.utf8)).findings
        #expect(!findings.isEmpty)
        for finding in findings { #expect(!finding.description.contains("Marsh")) }
    }
}
