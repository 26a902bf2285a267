import PracticeJournal
import RecordFormat
import Testing

/// What the goldens of the writes don't have.
struct WriteTests {
    @Test(arguments: [
        ("task", "{}", "game is missing."), ("task", #"{"game":"g"}"#, "task is missing."),
        (
            "task", #"{"game":"g","task":"dance"}"#,
            "task must be one of playfield, rulesheet, tutorialVideo, gameplayVideo, practice."
        ),
        ("task", #"{"game":"g","task":"practice","progress":"1"}"#, "progress must be a whole number."),
        ("score", #"{"game":"g","score":"1"}"#, "score must be a number."),
        ("score", "[]", "The payload is not an object."),
        (
            "score", #"{"game":"g","score":1,"context":"x"}"#,
            "context must be one of practice, league, tournament."
        ),
        ("mechanics", #"{"game":"","competency":6}"#, "Choose a competency from 1 to 5."),
        ("group.archive", #"{"groups":null}"#, "groups is missing."),
        ("group.create", #"{"games":["g",5]}"#, "games[1] must be a text."),
        ("settings", #"{"practiceSettings":7}"#, "practiceSettings must be an object."),
        (
            "settings", #"{"practiceSettings":{"playerName":5}}"#,
            "practiceSettings.playerName must be a text."
        ),
        (
            "settings", #"{"analyticsSettings":{"gapMode":null}}"#, "gapMode can't be taken away."
        ),
        ("settings", #"{"syncSettings":{"x":1}}"#, "syncSettings has no 'x' that can be set."),
        (
            "slots", #"{"practice-journal-filter":"x"}"#,
            "practice-journal-filter must be one of all, study, practice, score, notes, league."
        ),
        ("edit", #"{"row":"r","patch":{"score":"1"}}"#, "patch.score must be a number."),
        ("edit", #"{"row":"r","patch":{"id":"x"}}"#, "id can't be changed."),
        ("edit", #"{"row":"r","patch":{"wings":2}}"#, "A row has no 'wings'."),
    ])
    func `an incomplete write is rejected`(operation: String, text: String, message: String) throws {
        let problem = #expect(throws: ArgumentProblem.self) {
            try Scene.write(operation, GoldenValue(text.utf8))
        }
        #expect(problem?.message == message)
    }

    @Test func `a note about a game is kept, noted and taken away`() throws {
        let noted = try ByteTests.written(
            "{}", Scene.write("gamenote", GoldenValue(#"{"game":"GaB12","note":" two balls first "}"#.utf8)))
        let document = try Scene.document(noted.utf8)
        #expect(document.gameNotes.map(\.note) == ["two balls first"])
        #expect(document.noteEntries.map(\.detail) == ["Game Note"])
        #expect(
            document.rows.map { RowText($0, game: "G").structured } == ["Game Note:\ntwo balls first\n• G"])
        let cleared = try ByteTests.written(noted, GameNoteWrite(game: "GaB12", note: " "))
        #expect(try Scene.document(cleared.utf8).gameNotes.isEmpty)
        #expect(try Scene.document(cleared.utf8).noteEntries.count == 1)
        let same = try ByteTests.written(noted, GameNoteWrite(game: "GaB12", note: "two balls first"))
        #expect(same == noted)
    }

    @Test func `a row whose id is not the only one is not touched`() throws {
        let row =
            #"{"id":"A860D2D8-BA65-8515-8D09-7864C5A53374","gameID":"g","action":"noteAdded","note":"n","timestamp":1}"#
        let document = try Scene.document(
            "{\"journalEntries\":[\(row),\(row.replacing("A8", with: "a8"))]}".utf8)
        #expect(throws: WriteRejection.self) {
            try RowDeletion(of: "A860D2D8-BA65-8515-8D09-7864C5A53374").outcome(in: document)
        }
    }

    @Test func `a record that was written with its row is found whatever it holds`() throws {
        let text = """
            {"journalEntries":[{"id":"A860D2D8-BA65-8515-8D09-7864C5A53374","gameID":"g","action":"scoreLogged",\
            "score":5,"scoreContext":"practice","timestamp":1}],"scoreEntries":[{"id":\
            "B860D2D8-BA65-8515-8D09-7864C5A53374","gameID":"other","score":7,"timestamp":99000}]}
            """
        let known: [PracticeArray: String] = [.scoreEntries: "b860d2d8-ba65-8515-8d09-7864c5a53374"]
        let row = "A860D2D8-BA65-8515-8D09-7864C5A53374"
        let written = try ByteTests.written(text, DeleteWrite(row: row, known: known))
        #expect(written == #"{"journalEntries":[],"scoreEntries":[]}"#)
        #expect(try ByteTests.written(text, DeleteWrite(row: row)).contains("B860D2D8"))
    }

    // MARK: - Groups

    private func applied(_ text: String, _ change: (PracticeDocument) throws -> DocumentChange) throws
        -> PracticeDocument
    {
        let document = try Scene.document(text.utf8)
        return try Scene.document(try document.applying(change(document)))
    }

    private static let groups = """
        {"customGroups":[{"id":"A860D2D8-BA65-8515-8D09-7864C5A53374","name":"A","gameIDs":["GaB12"],"isPriority":true,"createdAt":1},
        {"id":"B860D2D8-BA65-8515-8D09-7864C5A53374","name":"B","gameIDs":[],"createdAt":2}],
        "practiceSettings":{"selectedGroupID":"a860d2d8-ba65-8515-8d09-7864c5a53374"}}
        """
    private static let second = "b860d2d8-ba65-8515-8d09-7864c5a53374"

    @Test func `one group has priority`() throws {
        let document = try applied(Self.groups) { try $0.prioritizing(Self.second) }
        #expect(document.groups.map(\.isPriority) == [false, true])
    }

    @Test func `an archived group is not active, and has no priority`() throws {
        let document = try applied(Self.groups) {
            try $0.archiving(["A860D2D8-BA65-8515-8D09-7864C5A53374"])
        }
        let group = try #require(document.groups.first)
        #expect(group.isArchived && !group.isActive && !group.isPriority)
        #expect(document.groups.selected(stored: nil)?.name == "B")
    }

    @Test func `where the selected group is deleted, the first is selected`() throws {
        let document = try applied(Self.groups) {
            try $0.deletingGroup("A860D2D8-BA65-8515-8D09-7864C5A53374")
        }
        #expect(document.groups.map(\.name) == ["B"])
        #expect(document.settings.selectedGroup == "B860D2D8-BA65-8515-8D09-7864C5A53374")
        let last = try applied(
            "{\"customGroups\":[{\"id\":\"\(Self.second)\"}],\"practiceSettings\":{\"selectedGroupID\":\"\(Self.second)\"}}"
        ) {
            try $0.deletingGroup(Self.second)
        }
        #expect(last.groups.isEmpty && last.settings.selectedGroup == nil)
    }

    @Test func `a group is created, and selected if none is`() throws {
        let library = try Scene.library()
        let draft = GroupDraft(bank: 1, of: library)
        let first = try applied("{}") {
            try draft.change(entry: ByteTests.entry, at: Scene.now, in: $0, library: library, zone: .utc)
        }
        #expect(first.groups.map(\.name) == ["Bank 1 Focus"])
        #expect(first.groups.map(\.games) == [["GaB12", "Gk9Xy"]])
        #expect(first.groups.map(\.type.known) == [.bank])
        #expect(first.groups.map(\.start) == [Double(Scene.now.milliseconds)])
        #expect(first.settings.selectedGroup == DerivedID.id(of: ByteTests.entry, .group))
        var copy = GroupDraft(copying: try #require(first.groups.first))
        copy.isPriority = true
        let second = try applied(Self.groups) {
            try copy.change(entry: ByteTests.entry, at: Scene.now, in: $0, zone: .utc)
        }
        #expect(second.groups.map(\.name) == ["A", "B", "Copy of Bank 1 Focus"])
        #expect(second.groups.map(\.isPriority) == [false, false, true])
    }

    @Test(
        arguments: [
            (" ", ["g"], nil, "Group name is required."), ("n", [" "], nil, "Select at least one game."),
            ("n", ["g"], 1.0, "End date must be on or after start date."),
        ] as [(String, [String], Double?, String)])
    func `an incomplete group is rejected`(name: String, games: [String], end: Double?, message: String)
        throws
    {
        var draft = GroupDraft(name: name, games: games)
        draft.end = end.map { .moment($0) }
        let document = try Scene.document("{}".utf8)
        #expect(throws: WriteRejection(message)) {
            try draft.change(entry: ByteTests.entry, at: Scene.now, in: document, zone: .utc)
        }
    }

    /// Berlin's clocks change on 29 March and on 25 October 2026; Apia is a day ahead of most of the world.
    @Test(arguments: [
        ("Europe/Berlin", "2026-03-25", "2026-03-29", "2026-03-24T23:00:00.000Z", "2026-03-29T21:59:59.000Z"),
        ("Europe/Berlin", "2026-10-25", "2026-10-25", "2026-10-24T22:00:00.000Z", "2026-10-25T22:59:59.000Z"),
        ("Pacific/Apia", "2026-03-25", "2026-03-29", "2026-03-24T11:00:00.000Z", "2026-03-29T10:59:59.000Z"),
        ("UTC", "2026-03-25", "2026-03-29", "2026-03-25T00:00:00.000Z", "2026-03-29T23:59:59.000Z"),
    ])
    func `a group begins and ends with days of the journal`(
        name: String, first: String, last: String, start: String, end: String
    ) throws {
        let zone = try Scene.zone(name)
        func written(_ text: String, _ operation: String, _ payload: String) throws -> String {
            let document = try Scene.document(text.utf8)
            let context = WriteContext(
                entry: ByteTests.entry, at: Scene.now, document: document, zone: zone)
            let outcome = try Scene.write(operation, GoldenValue(payload.utf8)).outcome(context)
            guard case .change(let change, _) = outcome else { throw WriteRejection("nothing is written") }
            return String(decoding: try document.applying(change), as: UTF8.self)
        }
        let (begun, ended) = (try #require(Timestamp(start)), try #require(Timestamp(end)))
        let made = try written(
            "{}", "group.create",
            #"{"name":"n","games":["g"],"first_day":"\#(first)","last_day":"\#(last)"}"#)
        let dates = #""startDate":\#(begun.milliseconds),"endDate":\#(ended.milliseconds),"#
        #expect(made.contains(dates), "\(made)")
        let id = "A860D2D8-BA65-8515-8D09-7864C5A53374"
        let edited = try written(
            #"{"customGroups":[{"id":"\#(id)","name":"A","gameIDs":["g"],"startDate":1,"endDate":2,"createdAt":1}]}"#,
            "group.edit",
            #"{"group":"\#(id)","patch":{"first_day":"\#(first)","last_day":"\#(last)"}}"#)
        #expect(edited.contains(dates), "\(edited)")
    }

    @Test(arguments: [
        #"{"first_day":"2026-02-30"}"#, #"{"last_day":"tomorrow"}"#,
    ])
    func `a day that the calendar does not have is refused`(days: String) throws {
        #expect(throws: ArgumentProblem.self) {
            try Scene.write(
                "group.create", GoldenValue(#"{"name":"n","games":["g"],\#(days.dropFirst())"#.utf8))
        }
        #expect(throws: ArgumentProblem.self) {
            try Scene.write("group.edit", GoldenValue(#"{"group":"x","patch":\#(days)}"#.utf8))
        }
    }

    // MARK: - The log of the library

    private func logged(_ text: String, at: Int64, _ payload: String) throws -> String? {
        let document = try Scene.document("{}".utf8)
        let write = try Scene.write("library", GoldenValue(payload.utf8))
        let context = WriteContext(
            entry: ByteTests.entry, at: Timestamp(milliseconds: at), document: document,
            library: try Scene.library(), zone: .utc)
        guard case .log(let entry) = try write.outcome(context) else { return nil }
        return try LibraryLog(Array(text.utf8)).adding(entry).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `the log keeps the form that it has`() throws {
        let id = DerivedID.id(of: ByteTests.entry, .library)
        let look = #"{"game":"comet-racer","kind":"openRulesheet"}"#
        let ios =
            #"[{"id":"x","gameID":"Gk9Xy","gameName":"Deep Reef","kind":"browseGame","timestamp":794080800}]"#
        #expect(
            try logged(ios, at: 1_772_388_000_500, look)
                == #"[{"id":"\#(id)","gameID":"GaB12","gameName":"Comet Racer","kind":"openRulesheet","timestamp":794080800.5},"#
                + ios.dropFirst())
        let android =
            #"[{"id":"x","gameSlug":"Gk9Xy","gameName":"Deep Reef","kind":"browse","timestampMs":1772388000000}]"#
        #expect(
            try logged(android, at: 1_772_388_000_500, look)
                == #"[{"id":"\#(id)","gameSlug":"GaB12","gameName":"Comet Racer","kind":"rulesheet","timestampMs":1772388000500},"#
                + android.dropFirst())
        #expect(try logged("", at: 1_772_388_000_500, look)?.hasSuffix("794080800.5}]") == true)
    }

    @Test func `the same look within two seconds is logged once, and 500 are kept`() throws {
        let one =
            #"{"id":"x","gameID":"GaB12","gameName":"Comet Racer","kind":"tapVideo","detail":"Tutorial 1","timestamp":794080800}"#
        let look = #"{"game":"GaB12","kind":"tapVideo","detail":"Tutorial 1"}"#
        #expect(try logged("[\(one)]", at: 1_772_388_001_999, look) == nil)
        #expect(try logged("[\(one)]", at: 1_772_388_002_000, look) != nil)
        let many = "[" + Array(repeating: one, count: 600).joined(separator: ",") + "]"
        let kept = try #require(try logged(many, at: 1_772_388_009_000, look))
        #expect(try LibraryLog(Array(kept.utf8)).entries.count == LibraryLog.limit)
    }

    // MARK: - What a person brings

    @Test func `slots are taken out of an app's stored keys, whatever form their values have`() throws {
        let file = JSONText.object {
            $0.member("practice-state-json", #"{"schemaVersion":4}"#)
            $0.member("practice-quick-game-score", "GaB12")
            $0.member("practice-quick-game-study", #""G4""#)
            $0.member("practice-quick-game-practice", "IkdrOVh5Ig==")
            $0.member("practice-quick-game-mechanics", " ")
            $0.member("practice-last-viewed-game-id", "GaB12")
            $0.member("practice-last-viewed-game-ts", "1772388000.25")
            $0.member("library-last-viewed-game-id", "Gk9Xy")
            $0.member("library-last-viewed-game-ts", JSONText(Int64(1_772_388_000_000)))
            $0.member("practice-journal-filter", "notes")
            $0.member("gameroom", "x")
        }
        let brought = try PracticeImport(file.bytes, file: "prefs.json", now: Scene.now)
        let expected = """
            {"practice-quick-game-score":"GaB12","practice-quick-game-study":"G4","practice-quick-game-practice":"Gk9Xy",\
            "practice-last-viewed-game-id":"GaB12","practice-last-viewed-game-ts":1772388000250,\
            "library-last-viewed-game-id":"Gk9Xy","library-last-viewed-game-ts":1772388000000,\
            "practice-journal-filter":"notes"}

            """
        #expect(try String(decoding: #require(brought.slots), as: UTF8.self) == expected)
        let without = JSONText.object { $0.member("practice-state-json", #"{"schemaVersion":4}"#) }
        #expect(try PracticeImport(without.bytes, file: "prefs.json", now: Scene.now).slots == nil)
    }

    @Test(arguments: [false, true]) func `a document is taken out of an app's stored keys`(isBase64: Bool)
        throws
    {
        let document = #"{"schemaVersion":4,"gameSummaryNotes":{"GaB12":"ü"}}"#
        let stored =
            isBase64 ? "eyJzY2hlbWFWZXJzaW9uIjo0LCJnYW1lU3VtbWFyeU5vdGVzIjp7IkdhQjEyIjoiw7wifX0=" : document
        let file = JSONText.object {
            $0.member("practice-state-json", stored)
            $0.member("library-activity-log-v1", "[]")
        }
        let brought = try PracticeImport(file.bytes, file: "prefs.json", now: Scene.now)
        #expect(String(decoding: brought.document, as: UTF8.self) == document)
        #expect(brought.log == Array("[]".utf8))
        #expect(brought.reading.document?.gameNotes.map(\.note) == ["ü"])
        #expect(brought.findings == [])
    }
}
