import Foundation
import ProgramHarness
import TestSupport
import Testing

/// How rows of a practice journal are named, and what a write says of itself.
struct PracticeRowTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        let made = try scratch.trace("journal", "init", "practice", "sessions/pins", "--title", "Pins")
        try #require(made.status == 0, "\(made)")
    }

    private func addLibrary() throws {
        try scratch.makeDirectory("sessions/pins/library")
        try scratch.write(
            #"{"version":3,"items":[{"practice_identity":"G1","name":"Comet Racer"},{"practice_identity":"G2","name":"Deep Reef"},{"practice_identity":"G3","name":"Deep Sea"}]}"#,
            to: "sessions/pins/library/pinball_library_v3.json")
    }

    private func practice(_ arguments: String...) throws -> Outcome {
        try scratch.trace(["practice"] + arguments)
    }

    private func document() throws -> String {
        try scratch.text("sessions/pins/practice-state.json", filled: false)
    }

    /// Writes a score, and gives the id of its row.
    private func score(_ game: String, _ points: String) throws -> String {
        let outcome = try practice("score", game, points)
        try #require(outcome.status == 0, "\(outcome)")
        return outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test func `a row is named as the journal shows it, by the beginning of its id, and as the last one`()
        throws
    {
        try addLibrary()
        let row = try score("comet", "1000")
        // Of a row that only says that a game was looked at nothing can be changed.
        #expect(try practice("browse", "deep reef").status == 0)
        let names = [
            row, "app-\(row)", "app-\(row.lowercased())", String(row.prefix(8)), "app-" + row.prefix(5),
            "last",
        ]
        for (number, name) in names.enumerated() {
            let edited = try practice("edit", name, "score=\(number + 2),000")
            #expect(edited.status == 0, "\(name): \(edited)")
            #expect(
                edited.errors.contains("changed: Comet Racer: Score: \(number + 2),000 (Practice)"),
                "\(edited)")
            #expect(try document().contains(#""score":\#(number + 2)000"#))
        }
        let deleted = try practice("delete", "last")
        #expect(deleted.errors.contains("deleted: Comet Racer: Score: 7,000 (Practice)"), "\(deleted)")
        #expect(try practice("delete", "last").errors.contains("there is no row that can be changed"))
        #expect(try practice("undo").status == 0 && document().contains(#""score":7000"#))
    }

    @Test(arguments: [
        ("0000", 66, "there is no row '0000'"), ("91", 66, "4 or more characters"),
        ("library-0A7B1C00", 66, "is of the library's log"),
        ("app-0A7B1C00-0000-4000-8000-000000000009", 65, "There is no row"),
    ])
    func `a row that there is not is refused`(name: String, status: Int32, reason: String) throws {
        _ = try score("G1", "5")
        let before = try document()
        for verb in [["edit", name, "score=7"], ["delete", name]] {
            let outcome = try scratch.trace(["practice"] + verb)
            #expect(outcome.status == status && outcome.errors.contains(reason), "\(outcome)")
        }
        #expect(try document() == before)
    }

    @Test func `the beginning of several ids names them, and no row is changed`() throws {
        let rows = (1...2).map {
            #"{"id":"911A91B\#($0)-1391-40F6-9208-AFA1AD85A4C0","gameID":"G1","action":"scoreLogged","score":\#($0)000,"scoreContext":"practice","timestamp":1772388000000}"#
        }
        let text = #"{"journalEntries":[\#(rows.joined(separator: ","))]}"#
        try scratch.write(text, to: "sessions/pins/practice-state.json")
        let refused = try practice("delete", "911a")
        #expect(
            refused.status == 64
                && refused.errors.contains(
                    "'911a' names 2 rows: 911A91B1-1391-40F6-9208-AFA1AD85A4C0 G1: Score: 1,000 (Practice), 911A91B2-"
                ),
            "\(refused)")
        #expect(try document() == text)
        #expect(try practice("delete", "911a91b2").status == 0)
        #expect(try document().contains("911A91B1") && !document().contains("911A91B2"))
    }

    @Test func `an edit says what can be changed, and needs something to change`() throws {
        _ = try score("G1", "5")
        let help = try practice("edit", "--help").output.split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        #expect(help.contains("of a score score, scoreContext, tournamentName"), "\(help)")
        #expect(help.contains("of a note noteCategory, noteDetail"), "\(help)")
        let refused = try practice("edit", "last")
        #expect(refused.status == 64, "\(refused)")
    }

    @Test func `games are named by the beginning of their names wherever one is meant`() throws {
        try addLibrary()
        _ = try score("comet", "1000")
        #expect(try practice("edit", "last", "gameID=deep reef").status == 0)
        #expect(try document().contains(#""gameID":"G2""#) && !document().contains("deep reef"))
        #expect(try practice("slots", "practice-quick-game-score=deep reef").status == 0)
        #expect(
            try scratch.text("sessions/pins/slots.json", filled: false).contains(
                #""practice-quick-game-score":"G2""#))
        for verb in [
            ["edit", "last", "gameID=nothing"], ["slots", "practice-quick-game-score=nothing"],
            ["read", "nothing"],
            ["note", "nothing", "x"], ["mechanics", "nothing", "3"], ["resume", "nothing", "--video", "x"],
            ["groups", "--create", "x", "--game", "nothing"], ["journal", "--game", "nothing"],
            ["game", "nothing"],
            ["library", "show", "nothing"], ["edit", "last", "gameID=deep"],
        ] {
            let refused = try scratch.trace(["practice"] + verb)
            let isAmbiguous = refused.errors.contains("may be one of several games")
            #expect(refused.status == (isAmbiguous ? 64 : 66), "\(verb): \(refused)")
            #expect(
                isAmbiguous == verb.contains("gameID=deep")
                    && (isAmbiguous || refused.errors.contains("there is no game 'nothing' in the library")),
                "\(verb): \(refused)")
        }
        let blank = try practice("score", " ", "5")
        #expect(blank.status == 64 && blank.errors.contains("name the game"), "\(blank)")
    }

    @Test func `without a library every id is taken`() throws {
        _ = try score("anything", "1000")
        #expect(try practice("edit", "last", "gameID=another").status == 0)
        #expect(try document().contains(#""gameID":"another""#))
        #expect(try practice("slots", "practice-quick-game-score=a third").status == 0)
    }

    @Test func `an empty note is refused, with a skill to tag it with, too`() throws {
        for verb in [
            ["note", "G1", ""], ["note", "G1", " \n"], ["note", "G1", "", "--detail", "Post Pass"],
        ] {
            let refused = try scratch.trace(["practice"] + verb)
            #expect(
                refused.status != 0 && refused.errors.contains("Note cannot be empty."), "\(verb): \(refused)"
            )
        }
        #expect(!scratch.exists("sessions/pins/practice-state.json"))
    }

    @Test(arguments: [
        (["score", "comet", "12.345.678"], "Comet Racer: Score: 12,345,678 (Practice)"),
        (["score", "comet", "12 345", "--context", "league"], "Comet Racer: Score: 12,345 (League)"),
        (["read", "comet", "40%"], "Comet Racer: Rulesheet: Progress: 40%"),
        (["view", "comet"], "Comet Racer: Playfield: Viewed playfield"),
        (["session", "comet", "--minutes", "5"], "Comet Racer: Practice session: 5 minutes"),
        (["note", "-", "for all"], "General practice note: for all"),
        (["browse", "comet"], "Comet Racer: Browsed"),
        (["gamenote", "comet", "left ramp"], "Comet Racer: Game Note: left ramp"),
        (["resume", "comet", "--rulesheet", "0.4"], "Comet Racer: 0.4"),
        (
            ["groups", "--create", "Two", "--game", "G1", "--game", "G2"],
            "group Two (active): Comet Racer, Deep Reef"
        ),
        (["slots", "practice-journal-filter=score"], "practice-journal-filter: score"),
    ])
    func `a write says what it wrote`(arguments: [String], said: String) throws {
        try addLibrary()
        let outcome = try scratch.trace(["practice"] + arguments)
        #expect(outcome.status == 0 && outcome.errors.contains("\(said)\n"), "\(outcome)")
        #expect(!outcome.output.contains("Comet"), "\(outcome)")
    }

    @Test func `a value that an edit can't take is refused with what is to be written`() throws {
        let refused = try scratch.trace("practice", "edit", "last", "score=1,5")
        #expect(
            refused.status == 64 && refused.errors.contains("'1,5' is not a score: write it as 12345678"),
            "\(refused)")
    }

    @Test func `an answer has what was written, and what waits`() throws {
        try addLibrary()
        let written = try practice("score", "comet", "1.234", "--json")
        #expect(written.output.contains(#""text":"Comet Racer: Score: 1,234 (Practice)""#), "\(written)")
        let queued = try scratch.trace("queue", "add", "practice", "score", "comet", "1.234")
        #expect(
            queued.status == 0 && queued.errors.contains("waits: score: game G1, score 1234"), "\(queued)")
    }

    @Test func `an empty list says that it is empty, and has no line`() throws {
        for (verb, said) in [
            (["journal"], "no rows"), (["groups"], "no groups"),
            (["mechanics", "--summary"], "no skill was logged"),
            (["focus"], "no games"), (["library", "list"], "no games"), (["devices"], "no devices"),
        ] {
            let list = try scratch.trace(["practice"] + verb)
            #expect(list.status == 0 && list.output.isEmpty && list.errors.contains(said), "\(verb): \(list)")
            let json = try scratch.trace(["practice"] + verb + ["--json"])
            #expect(json.errors.isEmpty && json.output == "[]\n", "\(verb): \(json)")
        }
    }

    @Test func `no write names a player who is not to be named`() throws {
        try scratch.makeDirectory("sessions/pins/league")
        try scratch.write("name\nBo Marsh\n", to: "sessions/pins/league/redacted_players.csv")
        try scratch.write(
            #"{"journalEntries":[{"id":"911A91B3-1391-40F6-9208-AFA1AD85A4C0","gameID":"G1","action":"scoreLogged","scoreContext":"league","note":"League import for Bo Marsh: 1 imported, 0 skipped, 0 unmatched.","timestamp":1772388000000}]}"#,
            to: "sessions/pins/practice-state.json")
        let deleted = try practice("delete", "last", "--json")
        #expect(deleted.status == 0 && deleted.output.contains("Redacted"), "\(deleted)")
        #expect(!deleted.output.contains("Marsh") && !deleted.errors.contains("Marsh"), "\(deleted)")
    }
}
