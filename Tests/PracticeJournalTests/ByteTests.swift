import PracticeJournal
import RecordFormat
import TestSupport
import Testing
import TraceText

/// Every byte of a document that nobody asked to change stays as it is.
struct ByteTests {
    /// Spelled as nobody would: every number, space and unknown key is to stay.
    static let odd = """
        {"newTopLevel" : [1.50, 2e3],\t"journalEntries":[ {"gameID":"GaB12", "id":"A860D2D8-BA65-8515-8D09-7864C5A53374",\
        "action":"scoreLogged","score":1.5e2,"scoreContext":"practice","timestamp":1772388000000.0, "mood":{"a":[ ]}} ,
          {"id":"B860D2D8-BA65-8515-8D09-7864C5A53374","gameID":"GaB12","action":"gameBrowse","timestamp":1772388009000}
        ], "scoreEntries":[{"id":"C860D2D8-BA65-8515-8D09-7864C5A53374","gameID":"GaB12","score":150.00,\
        "context":"practice","timestamp":1772388000001.25,"x":null}],
         "schemaVersion":4 }

        """

    static let entry = ULID(time: 1, randomHigh: 2, randomLow: 3)

    static func context(_ document: PracticeDocument, at: Int64 = 1_772_388_005_000) -> WriteContext {
        WriteContext(entry: entry, at: Timestamp(milliseconds: at), document: document, zone: .utc)
    }

    /// The text after a write.
    static func written(_ text: String, _ write: some PracticeWrite, at: Int64 = 1_772_388_005_000) throws
        -> String
    {
        let document = try Scene.document(text.utf8)
        guard case .change(let change, _) = try write.outcome(context(document, at: at)) else { return text }
        return String(decoding: try document.applying(change), as: UTF8.self)
    }

    @Test func `nothing to change is the same text`() throws {
        let document = try Scene.document(Self.odd.utf8)
        #expect(try document.applying(DocumentChange()) == Array(Self.odd.utf8))
    }

    @Test func `a new record is put where its time belongs, and the rest stays`() throws {
        let text = try Self.written(Self.odd, ScoreWrite(game: "GaB12", score: 900))
        let id = DerivedID.id(of: Self.entry, .journal)
        let scoreID = DerivedID.id(of: Self.entry, .score)
        let row = """
            {"id":"\(id)", "gameID":"GaB12", "action":"scoreLogged", "score":900, "scoreContext":"practice", "timestamp":1772388005000}
            """
        let score = """
            {"id":"\(scoreID)", "gameID":"GaB12", "score":900, "context":"practice", "timestamp":1772388005000, "leagueImported":false}
            """
        // Between the two rows, and behind the only score; laid out as the first score.
        let compact = { (text: String) in text.replacing(", \"", with: ",\"") }
        let expected = Self.odd.replacing(
            "\n  {\"id\":\"B860", with: "\n  \(compact(row)),\n  {\"id\":\"B860"
        ).replacing("\"x\":null}]", with: "\"x\":null},\(compact(score))]")
        #expect(text == expected)
    }

    @Test func `an edit replaces single values`() throws {
        let patch = try Scene.patch(GoldenValue(#"{"score":175}"#.utf8))
        let edit = EditWrite(row: "a860d2d8-ba65-8515-8d09-7864c5a53374", patch)
        let text = try Self.written(Self.odd, edit)
        #expect(
            text
                == Self.odd.replacing("\"score\":1.5e2", with: "\"score\":175")
                .replacing("\"score\":150.00", with: "\"score\":175"))
    }

    @Test func `a deletion takes the records and one comma each`() throws {
        let text = try Self.written(Self.odd, DeleteWrite(row: "A860D2D8-BA65-8515-8D09-7864C5A53374"))
        let expected = """
            {"newTopLevel" : [1.50, 2e3],\t"journalEntries":[
              {"id":"B860D2D8-BA65-8515-8D09-7864C5A53374","gameID":"GaB12","action":"gameBrowse","timestamp":1772388009000}
            ], "scoreEntries":[],
             "schemaVersion":4 }

            """
        #expect(text == expected)
    }

    @Test func `a record is laid out as its neighbours`() throws {
        let pretty = """
            {
              "journalEntries" : [
                {
                  "id" : "A860D2D8-BA65-8515-8D09-7864C5A53374",
                  "gameID" : "GaB12",
                  "action" : "gameBrowse",
                  "timestamp" : 1772388000000
                }
              ],
              "scoreEntries" : [

              ]
            }
            """
        let text = try Self.written(pretty, BrowseWrite(game: "Gk9Xy"))
        let id = DerivedID.id(of: Self.entry, .journal)
        let added = """
            ,
                {
                  "id" : "\(id)",
                  "gameID" : "Gk9Xy",
                  "action" : "gameBrowse",
                  "timestamp" : 1772388005000
                }
              ],
            """
        #expect(text == pretty.replacing("\n  ],\n  \"score", with: added + "\n  \"score"))
    }

    @Test(arguments: [
        "{}", "{ }", "\u{FEFF}{}", "{\"journalEntries\":null}", "{\n  \"schemaVersion\": 4\n}\n",
    ])
    func `a document without records gets its first`(text: String) throws {
        let written = try Self.written(text, ScoreWrite(game: "GaB12", score: 1))
        let reading = try Scene.reading(written.utf8)
        #expect(reading.document?.rows.count == 1)
        #expect(reading.document?.scoreEntries.count == 1)
        #expect(reading.findings.filter { $0.rule != .byteOrderMark } == [])
        #expect(written.hasPrefix("\u{FEFF}") == text.hasPrefix("\u{FEFF}"))
    }

    @Test func `maps and settings are changed in place`() throws {
        let text =
            #"{"rulesheetResumeOffsets":{ "GaB12":0.50 , "Gk9Xy" : 1.0 },"videoResumeHints":{"GaB12":"0:10"}}"#
        let resumed = try Self.written(text, ResumeWrite(game: "GaB12", rulesheet: 0.75, video: " "))
        #expect(resumed == text.replacing("0.50", with: "0.75").replacing("\"GaB12\":\"0:10\"", with: ""))
    }

    @Test func `what is not an array is not written over`() throws {
        let document = try Scene.document(#"{"journalEntries":{"a":1}}"#.utf8)
        var change = DocumentChange()
        change.added = [.row(id: "x", game: "g", action: .gameBrowse, time: 1)]
        #expect(throws: FormatError.self) { try document.applying(change) }
    }

    @Test(arguments: [1, 99, -1, Int.max, Int.min])
    func `a record that the document does not have is neither changed nor removed`(index: Int) throws {
        let document = try Scene.document(#"{"scoreEntries":[{"id":"a","timestamp":1}]}"#.utf8)
        let place = DocumentChange.Place(.scoreEntries, index)
        var edit = DocumentChange()
        edit.replaced = [DocumentChange.Replacement(place, [("score", JSONText(Int64(1)))])]
        var deletion = DocumentChange()
        deletion.removed = [place]
        for change in [edit, deletion] {
            let error = #expect(throws: FormatError.self) { try document.applying(change) }
            #expect(error?.code == .recordInvalid)
        }
    }

    @Test func `the ids of games become canonical, and nothing else changes`() throws {
        let text = """
            {"noteEntries":[{"gameID":" comet-racer","id":"A860D2D8-BA65-8515-8D09-7864C5A53374","category":"shots",\
            "note":"n","timestamp":1772388000000.50}],"customGroups":[{"id":"B860D2D8-BA65-8515-8D09-7864C5A53374",\
            "gameIDs":["deep-reef","Gk9Xy","nowhere"]}],"rulesheetResumeOffsets":{"comet-racer":0.9,"GaB12":0.5},\
            "gameSummaryNotes":{"GaB12":"old","comet-racer":"new"}}
            """
        let document = try Scene.document(text.utf8)
        let change = Canonicalisation.change(of: document, by: try Scene.library())
        let expected = text.replacing("\" comet-racer\"", with: "\"GaB12\"")
            .replacing("[\"deep-reef\",\"Gk9Xy\",\"nowhere\"]", with: "[\"Gk9Xy\",\"nowhere\"]")
            .replacing("{\"comet-racer\":0.9,\"GaB12\":0.5}", with: "{\"GaB12\":0.9}")
            .replacing("{\"GaB12\":\"old\",\"comet-racer\":\"new\"}", with: "{\"GaB12\":\"new\"}")
        #expect(String(decoding: try document.applying(change), as: UTF8.self) == expected)
        #expect(Canonicalisation.change(of: document, by: GameLibrary()).isEmpty)
    }

    @Test(arguments: Array(UInt64(1)...20))
    func `records that come together are put where each alone would be`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        func row() -> NewRecord {
            .row(
                id: "\(UInt8.random(in: 0...9, using: &random))", game: "g", action: .gameBrowse,
                time: Double.random(in: 0..<6, using: &random).rounded(.down))
        }
        let there =
            (0..<8).map { _ in String(decoding: row().json.bytes, as: UTF8.self) }
            + [#"{"id":"without a time"}"#]
        let text = "{\"journalEntries\":[\(there.shuffled(using: &random).joined(separator: ","))]}"
        let document = try Scene.document(text.utf8)
        var all = DocumentChange()
        all.added = (0..<6).map { _ in row() }
        var written = document
        for record in all.added.sorted(by: { ($0.time, $0.id) < ($1.time, $1.id) }) {
            var one = DocumentChange()
            one.added = [record]
            written = try Scene.document(try written.applying(one))
        }
        #expect(try Scene.document(try document.applying(all)).rows.map(\.id) == written.rows.map(\.id))
    }
}
