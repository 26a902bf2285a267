import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// The practice journal through the built command.
struct PracticeTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func makeJournal() throws {
        let made = try scratch.trace(
            "journal", "init", "practice", "sessions/pins", "--title", "Pins", "--json")
        try #require(made.status == 0, "\(made)")
        try scratch.makeDirectory("sessions/pins/library")
        try scratch.write(
            #"{"version":3,"items":[{"practice_identity":"G1","name":"Comet Racer","bank":1},{"practice_identity":"G2","name":"Deep Reef","bank":2},{"practice_identity":"G3","name":"Deep Sea","bank":2}]}"#,
            to: "sessions/pins/library/pinball_library_v3.json")
    }

    private func document() throws -> String {
        try scratch.text("sessions/pins/practice-state.json", filled: false)
    }

    @Test func `a score is written, listed, edited and taken back`() throws {
        try makeJournal()
        let score = try scratch.trace("practice", "score", "comet", "12,345,678")
        #expect(score.status == 0, "\(score)")
        let row = score.output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(row.wholeMatch(of: #/[0-9A-F-]{36}/#) != nil)
        let list = try scratch.trace("practice", "journal", "--filter", "score")
        #expect(list.output.contains("app-\(row)\tComet Racer\tScore: 12,345,678 (Practice)\n"), "\(list)")
        let before = try document()
        #expect(try scratch.trace("practice", "edit", row, "score=99", "scoreContext=league").status == 0)
        #expect(try document().contains(#""score":99"#))
        let undone = try scratch.trace("practice", "undo")
        #expect(undone.status == 0, "\(undone)")
        #expect(undone.output.contains("undone: practice edit"))
        #expect(try document() == before)
        #expect(try scratch.trace("practice", "delete", row).status == 0)
        #expect(try !document().contains("12345678"))
        #expect(try scratch.trace("undo").status == 0)
        #expect(try document() == before)
    }

    @Test func `journals in a library, and sessions with the id of a journal, are told by doctor`() throws {
        try makeJournal()
        #expect(try !scratch.trace("doctor").output.contains("journal       "))
        let header = try scratch.text("sessions/pins/practice.json", filled: false)
        let id = try #require(header.firstMatch(of: /"id": "(\w{26})"/)?.output.1)
        for place in ["library/a", "library/b/c"] {
            try scratch.makeDirectory("sessions/pins/\(place)")
        }
        try scratch.write(
            header.replacing(id, with: "\(number(70))"), to: "sessions/pins/library/a/practice.json")
        try scratch.session("pins/library/b/c", id: 71)
        for name in ["thief", "other"] {
            try scratch.session(name, id: 72)
            let session = try scratch.text("sessions/\(name)/session.json", filled: false)
            try scratch.write(
                session.replacing("\(number(72))", with: id), to: "sessions/\(name)/session.json")
        }
        let told = try scratch.trace("doctor")
        #expect(told.status == 1)
        #expect(
            told.output.contains(
                "2 journals in the library of <scratch>/sessions/pins, where only files to read belong: "
                    + "<scratch>/sessions/pins/library/a, <scratch>/sessions/pins/library/b/c\n        cure: "
            ),
            "\(told)")
        #expect(
            told.output.contains(
                "2 sessions with the id of the journal <scratch>/sessions/pins: "
                    + "<scratch>/sessions/other, <scratch>/sessions/thief\n        cure: "), "\(told)")
    }

    @Test func `records that are there twice are counted by doctor, and removed by repair`() throws {
        try makeJournal()
        let score = try scratch.trace("practice", "score", "comet", "5000000")
        let row = score.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let before = try document()
        // Each array of one element gets that element once more.
        let twice = before.replacing(#/: ?\[(\{"id":[^\[\]]*\})\]/#) { ": [\($0.1), \($0.1)]" }
        try #require(twice != before)
        try scratch.write(twice, to: "sessions/pins/practice-state.json")
        let told = try scratch.trace("doctor")
        #expect(told.output.contains("2 records in"), "\(told)")
        #expect(told.output.contains("repeat earlier ones, id and all"), "\(told)")
        let refused = try scratch.trace("practice", "delete", row)
        #expect(refused.status != 0 && refused.errors.contains("'trace repair' removes those that are equal"))
        let repaired = try scratch.trace(
            "repair", "sessions/pins", "--write", environment: ["TRACE_SETTLE_TIME": "1ms"])
        #expect(repaired.output.contains("[repeated-record]"), "\(repaired)")
        #expect(try !scratch.trace("doctor").output.contains("repeat earlier ones"))
        #expect(try scratch.trace("practice", "delete", row).status == 0)
        #expect(try !document().contains("5000000"))
    }

    @Test func `undo takes back the last write into a journal that is named by its path or title`() throws {
        try makeJournal()
        try scratch.session("a")
        #expect(try scratch.trace("practice", "score", "comet", "1111111").status == 0)
        for name in ["sessions/pins", "Pins"] {
            #expect(try scratch.trace("practice", "score", "comet", "2222222").status == 0)
            #expect(try scratch.trace("mark", "--session", "sessions/a", "--offset", "5").status == 0)
            let list = try scratch.trace("undo", "--list", "--session", name)
            #expect(
                list.output.split(separator: "\n").allSatisfy { $0.contains("\tpractice score\t") }, "\(list)"
            )
            let undone = try scratch.trace("undo", "--session", name)
            #expect(undone.output.hasPrefix("undone: practice score"), "\(undone)")
            #expect(try document().contains("1111111") && !document().contains("2222222"))
        }
    }

    @Test func `what one command wrote into several journals is told as such`() throws {
        try makeJournal()
        let made = try scratch.trace("journal", "init", "practice", "sessions/needles", "--title", "Needles")
        #expect(made.status == 0, "\(made)")
        try scratch.makeDirectory("sessions/needles/library")
        let library = "library/pinball_library_v3.json"
        try scratch.write(
            try scratch.text("sessions/pins/\(library)", filled: false), to: "sessions/needles/\(library)")
        for title in ["Pins", "Needles"] {
            let score = try scratch.trace("practice", "score", "comet", "5", "--journal", title)
            #expect(score.status == 0, "\(score)")
        }
        // As if both had been of one command.
        let log = "state/undo/journal.jsonl"
        try scratch.write(
            try scratch.text(log, filled: false).replacing(
                #/"command_id":"[0-9A-Z]{26}"/#, with: #""command_id":"01KGNQZP000000000000000009""#), to: log
        )
        let list = try scratch.trace("undo", "--list").output
        #expect(list.contains("\tpractice score\t0\t\t\t\t\t2\t\t\t\t\n"), "\(list)")
        let planned = try scratch.trace("undo", "--dry-run").output
        #expect(planned.contains(" in 2 journals, written "), "\(planned)")
        #expect(list.split(separator: "\n").count == 1, "\(list)")
    }

    @Test func `the numbers of a game are for people to read`() throws {
        try makeJournal()
        for score in ["900", "12,345,678", "1,000"] {
            #expect(try scratch.trace("practice", "score", "comet", score).status == 0)
        }
        _ = try scratch.trace("practice", "gamenote", "comet", "left\tramp")
        #expect(
            try scratch.trace("practice", "game", "comet").output == """
                Comet Racer (G1)
                  scores     3: median 1,000, average 4,115,859, lowest 900
                  spread     High Risk: 6172.44, half of them between 950 and 6,173,339
                  progress   0% (playfield 0%, rulesheet 0%, tutorial 0%, gameplay 0%, practice 0%)
                  practised  never, priority 2778.15
                  note       left ramp
                  No rulesheet reading logged yet.
                  No practice sessions logged yet.
                  Score variance is high (wide floor-to-upper spread).

                """)
    }

    @Test(arguments: [
        (["read", "Comet Racer", "40%"], #""progressPercent":40"#), (["view", "G1"], "playfieldViewed"),
        (
            ["session", "comet", "--minutes", "15", "--focus", "multiball"],
            "Practice session: 15 minutes. Focus: Multiball"
        ),
        (["watch", "deep reef", "60%", "--tutorial", "2"], "Tutorial 2 • 60%"),
        (["watch", "deep reef", "--at", "10:00/1:00:00"], "Tutorial 1 • 00:10:00/01:00:00 (17%)"),
        (["note", "G1", "more nudging", "--category", "shots"], "more nudging"),
        (["note", "-", "for all games"], #""gameID":"""#),
        (["mechanics", "comet", "3", "--skill", "Post Pass"], "#PostPass competency 3/5."),
        (["browse", "G1"], "gameBrowse"),
        (["gamenote", "G1", "left ramp"], #""gameSummaryNotes":{"G1":"left ramp"}"#),
        (["resume", "G1", "--rulesheet", "0.4"], #""rulesheetResumeOffsets":{"G1":0.4}"#),
        (["groups", "--create", "Two", "--game", "G1", "--game", "Deep Reef"], #""gameIDs":["G1","G2"]"#),
        (["groups", "--bank", "2"], #""name":"Bank 2 Focus","gameIDs":["G2","G3"]"#),
    ])
    func `each write comes into the document`(_ arguments: [String], _ expected: String) throws {
        try makeJournal()
        let outcome = try scratch.trace(["practice"] + arguments)
        #expect(outcome.status == 0, "\(outcome)")
        let document = try document()
        #expect(document.contains(expected), "\(document)")
        #expect(try scratch.trace("validate", "sessions/pins").status != 65)
    }

    @Test(arguments: [
        (["score", "deep", "5"], 64, "may be one of several games: Deep Reef, Deep Sea"),
        (["score", "nothing", "5"], 66, "there is no game 'nothing' in the library"),
        (["score", "comet", "many"], 64, "write it as 12345678 or 12,345,678"),
        (["score", "comet", "inf"], 64, "write it as 12345678 or 12,345,678"),
        (["score", "comet", "0x1F"], 64, "write it as 12345678 or 12,345,678"),
        (
            ["resume", "comet", "--rulesheet", "nan"], 64,
            "invalid for '--rulesheet <rulesheet>': write a number"
        ),
        (["score", "comet", "0"], 65, "Enter a valid score above 0."),
        (["score", "comet", "5", "--context", "tournament"], 65, "Enter a tournament name."),
        (["session", "comet", "--minutes", "x"], 64, "Practice minutes must be a whole number"),
        (["delete", "0A7B1C00-0000-4000-8000-000000000009"], 65, "There is no row"),
    ])
    func `what can't be written is refused with its reason`(
        _ arguments: [String], _ status: Int32, _ reason: String
    ) throws {
        try makeJournal()
        let outcome = try scratch.trace(["practice"] + arguments)
        #expect(outcome.status == status, "\(outcome)")
        #expect(outcome.errors.contains(reason), "\(outcome)")
        #expect(!scratch.exists("sessions/pins/practice-state.json"))
    }

    @Test func `an answer names the records and the game`() throws {
        try makeJournal()
        let outcome = try scratch.trace("practice", "score", "comet", "5", "--json")
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(answer["game"] as? String == "G1")
        #expect(answer["queued"] as? Bool == false)
        let records = try #require(answer["records"] as? [String: [String]])
        #expect(records["journalEntries"]?.first == answer["id"] as? String)
        #expect(records["scoreEntries"]?.count == 1)
    }

    @Test func `what is queued is written by the next flush, once`() throws {
        try makeJournal()
        let queued = try scratch.trace("queue", "add", "practice", "score", "comet", "77")
        #expect(queued.status == 0, "\(queued)")
        let list = try scratch.trace("queue", "list")
        #expect(list.output.contains("\tpractice.score\t"), "\(list)")
        let flush = try scratch.trace("queue", "flush")
        #expect(flush.output.hasPrefix("applied\t"), "\(flush)")
        #expect(try document().contains(#""score":77"#))
        let all = try scratch.trace("queue", "list", "--all")
        #expect(all.output.hasPrefix("applied\t"), "\(all)")
        let again = try scratch.trace("queue", "flush")
        #expect(again.status == 0 && !again.output.contains("applied"), "\(again)")
    }

    private static let canTrace =
        (try? Scratch().run("/usr/bin/strace", ["-o", "/dev/null", "true"]).status) == 0

    /// Writes a score, and has it stand still behind its line in the log until something is done.
    private func score(_ points: Int, stoppedFor act: () throws -> Void) throws -> Outcome {
        let lines = try scratch.text("sessions/pins/sync.jsonl").split(separator: "\n").count
        let command = try scratch.start(
            "exec /usr/bin/strace -D -f -qq -o /dev/null -e trace=fdatasync "
                + "-e inject=fdatasync:signal=SIGSTOP:when=1 $TRACE practice score comet \(points)",
            log: "log")
        try soon("the line is in the log") {
            try scratch.text("sessions/pins/sync.jsonl").split(separator: "\n").count > lines
        }
        try act()
        try soon("the command ends") {
            kill(command.id, SIGCONT)
            let state = try String(contentsOfFile: "/proc/\(command.id)/stat", encoding: .utf8)
            return state.contains(") Z ")
        }
        return Outcome(try scratch.text("log"), status: try command.wait())
    }

    /// How many scores of the document have so many points.
    private func count(_ points: Int) throws -> Int {
        let document = try JSONSerialization.jsonObject(with: Data(document().utf8)) as? [String: Any]
        let scores = try #require(document?["scoreEntries"] as? [[String: Any]])
        return scores.count { $0["score"] as? Int == points }
    }

    @Test(.enabled(if: canTrace, "needs strace"))
    func `a score is written once, though another program touches the document behind its line`()
        throws
    {
        try makeJournal()
        #expect(try scratch.trace("practice", "score", "comet", "11").status == 0)
        let outcome = try score(77) {
            try #require(
                try scratch.shell("touch -d yesterday sessions/pins/practice-state.json").status == 0)
        }
        #expect(outcome.status == 0 && !outcome.output.contains("queued"), "\(outcome)")
        #expect(try count(77) == 1)
        #expect(try !scratch.trace("queue", "list").output.contains("practice.score"))
    }

    @Test(.enabled(if: canTrace, "needs strace"))
    func `a score that can't be brought into the document waits in the queue, and is not made again`() throws
    {
        try makeJournal()
        #expect(try scratch.trace("practice", "score", "comet", "11").status == 0)
        let before = try document()
        let outcome = try score(77) {
            try scratch.write(String(before.dropLast(9)), to: "sessions/pins/practice-state.json")
        }
        #expect(outcome.status == 0 && outcome.output.contains("queued: "), "\(outcome)")
        try scratch.write(before, to: "sessions/pins/practice-state.json")
        let flush = try scratch.trace("queue", "flush")
        #expect(flush.output.hasPrefix("already-applied\t"), "\(flush)")
        #expect(try count(77) == 1)
        #expect(try !scratch.trace("queue", "list").output.contains("practice.score"))
    }

    @Test func `numbers, focus, groups, mechanics and library are shown`() throws {
        try makeJournal()
        for score in ["100", "200", "300", "400"] {
            #expect(try scratch.trace("practice", "score", "G1", score).status == 0)
        }
        #expect(try scratch.trace("practice", "mechanics", "4", "--skill", "Live Catch").status == 0)
        let game = try scratch.trace("practice", "game", "comet", "--json").output
        #expect(
            game.contains(
                #""average":250.0,"median":250.0,"floor":100.0,"lower_quartile":175.0,"upper_quartile":325.0,"spread":0.9"#
            ))
        #expect(try scratch.trace("practice", "focus").output.split(separator: "\n").count == 3)
        #expect(
            try scratch.trace("practice", "mechanics", "--summary").output.hasPrefix("Live Catch\t1\t4\t4"))
        #expect(
            try scratch.trace("practice", "library", "list", "deep").output
                == "G2\tbank 2\tDeep Reef\nG3\tbank 2\tDeep Sea\n")
        #expect(
            try scratch.trace("practice", "library", "list", "--played").output == "G1\tbank 1\tComet Racer\n"
        )
    }

    @Test func `an app's file becomes a journal, or comes into one without records`() throws {
        try scratch.makeDirectory("sessions/phone")
        let old =
            #"{"scores":[{"id":"s1","gameSlug":"G1","score":5,"timestampMs":1772402430000}],"journal":[]}"#
        try scratch.write(old, to: "sessions/phone/practice-state-json")
        let adopted = try scratch.trace("journal", "adopt", "sessions/phone/practice-state-json")
        #expect(adopted.status == 0, "\(adopted)")
        #expect(
            try scratch.text("sessions/phone/practice-state.json", filled: false).contains("scoreEntries"))
        #expect(try scratch.text("sessions/phone/practice-state-json", filled: false) == old)
        try makeJournal()
        let imported = try scratch.trace(
            "practice", "import", "sessions/phone/practice-state-json", "--journal", "Pins")
        #expect(imported.status == 0, "\(imported)")
        #expect(try document() == scratch.text("sessions/phone/practice-state.json", filled: false))
        #expect(try scratch.trace("practice", "score", "G1", "7", "--journal", "Pins").status == 0)
        let again = try scratch.trace(
            "practice", "import", "sessions/phone/practice-state-json", "--journal", "Pins")
        #expect(
            again.errors.contains("the journal has a document already, which is not empty"), "\(again)")
        let rehearsed = try scratch.trace(
            "practice", "import", "sessions/phone/practice-state-json", "--journal", "Pins", "--dry-run")
        #expect(rehearsed.status == again.status && rehearsed.errors == again.errors, "\(rehearsed)")
    }

    @Test func `a file that has the name of the document it would come to is adopted under another name`()
        throws
    {
        try scratch.makeDirectory("sessions/phone")
        let old =
            #"{"scores":[{"id":"s1","gameSlug":"G1","score":5,"timestampMs":1772402430000}],"journal":[]}"#
        try scratch.write(old, to: "sessions/phone/practice-state.json")
        let refused = try scratch.trace("journal", "adopt", "sessions/phone/practice-state.json")
        #expect(refused.status != 0 && refused.errors.contains("hint: rename it"), "\(refused)")
        #expect(try scratch.text("sessions/phone/practice-state.json", filled: false) == old)
        #expect(!scratch.exists("sessions/phone/practice.json"))
    }

    @Test func `a file that is a journal on its own is only read, and the cure is told`() throws {
        let file = "sessions/phone/practice-state.json"
        try scratch.makeDirectory("sessions/phone")
        try scratch.write(#"{"schemaVersion":4,"journalEntries":[]}"#, to: file)
        let refused = try scratch.trace("practice", "score", "G1", "5", "--journal", file)
        #expect(refused.status == 65 && refused.errors.contains("'trace journal adopt'"), "\(refused)")
        for write in [
            ["undo"], ["clear", "--dry-run"], ["groups", "--create", "X", "--game", "G1"], ["devices"],
        ] {
            let refused = try scratch.trace(["practice"] + write + ["--journal", file])
            #expect(refused.status == 65 && refused.errors.contains("'trace journal adopt'"), "\(refused)")
        }
        for arguments in [["init", "nonsense", "sessions/new"], ["adopt", file, "--kind", "nonsense"]] {
            let unknown = try scratch.trace(["journal"] + arguments)
            #expect(unknown.status == 64 && unknown.errors.contains("'practice'"), "\(unknown)")
        }
    }

    /// Files that are a journal on their own: each form of what an app hands over, with a score of 5 on G1.
    private static let files = [
        (
            "practice-state.json",
            #"{"schemaVersion":4,"scoreEntries":[{"id":"S","gameID":"G1","score":5,"timestamp":1772402430000}],"journalEntries":[{"id":"J","gameID":"G1","action":"scoreLogged","score":5,"scoreContext":"practice","timestamp":1772402430000}],"customGroups":[{"id":"C","name":"Two","gameIDs":["G1"],"isActive":true}]}"#
        ),
        (
            "practice-state-json",
            #"{"practice-state-json":"{\"schemaVersion\":4,\"scoreEntries\":[{\"id\":\"S\",\"gameID\":\"G1\",\"score\":5,\"timestamp\":1772402430000}],\"journalEntries\":[{\"id\":\"J\",\"gameID\":\"G1\",\"action\":\"scoreLogged\",\"score\":5,\"scoreContext\":\"practice\",\"timestamp\":1772402430000}],\"customGroups\":[{\"id\":\"C\",\"name\":\"Two\",\"gameIDs\":[\"G1\"],\"isActive\":true}]}"}"#
        ),
        (
            "practice-upgrade-state-v1.json",
            #"{"scores":[{"id":"s1","gameSlug":"G1","score":5,"context":"practice","timestampMs":1772402430000}],"journal":[{"id":"j1","gameSlug":"G1","action":"score","summary":"x","timestampMs":1772402430000}],"groups":[{"id":"g","name":"Two","gameSlugs":["G1"]}]}"#
        ),
    ]

    @Test(arguments: files)
    func `a file that is a journal on its own is read by each verb that reads`(name: String, text: String)
        throws
    {
        try scratch.makeDirectory("sessions/phone")
        let file = "sessions/phone/\(name)"
        try scratch.write(text, to: file)
        for (verb, expected) in [
            (["journal"], #""score":5"#), (["game", "G1"], #""best":5"#), (["groups"], #""name":"Two""#),
            (["focus"], "[]"), (["mechanics", "--summary"], "[]"), (["resume"], "{"), (["slots"], "{"),
            (["settings"], #""gap_mode":"compressInactive""#), (["library", "list"], "[]"),
        ] {
            // By its path, by its name, and as the only one that there is.
            for named in [["--journal", file], ["--journal", name], []] {
                let answer = try scratch.trace(["practice"] + verb + ["--json"] + named)
                let isEmpty = verb == ["resume"]
                #expect(isEmpty || answer.status == 0, "\(verb) \(named): \(answer)")
                #expect(isEmpty || answer.output.contains(expected), "\(verb) \(named): \(answer)")
            }
        }
        // Where there is a journal, a file that lies about is not meant.
        try makeJournal()
        #expect(try scratch.trace("practice", "score", "G1", "7").status == 0)
        #expect(try scratch.text(file, filled: false) == text)
        #expect(
            try scratch.trace("practice", "journal", "--json", "--journal", file).output.contains(
                #""score":5"#))
    }

    @Test func `an import says what of a file is not in the document`() throws {
        try makeJournal()
        try scratch.write(
            #"{"scores":[{"id":"s1","gameSlug":"G1","timestampMs":1772402430000}],"journal":[]}"#,
            to: "old.json")
        let imported = try scratch.trace("practice", "import", "old.json", "--journal", "Pins")
        #expect(imported.status == 0 && imported.errors.contains("[practice-legacy-left]"), "\(imported)")
    }

    @Test(arguments: [
        (
            #"{"schemaVersion":4,"scoreEntries":[],"videoResumeHints":{},"leagueSettings":{"playerName":"","csvAutoFillEnabled":false}}"#,
            true
        ),
        (
            #"{"leagueSettings":{"playerName":"","csvAutoFillEnabled":true},"practiceSettings":{"playerName":"","comparisonPlayerName":"","ifpaPlayerID":""}}"#,
            true
        ),
        ("{}", true),
        (#"{"schemaVersion":5,"newArray":[{"id":"x"}]}"#, false),
        (#"{"newer":1}"#, false),
        (#"{"practiceSettings":{"playerName":"Ada"}}"#, false),
        (#"{"gameSummaryNotes":{"G1":""}}"#, false),
        (#"{"scores":[]}"#, false), ("[", false),
    ])
    func `an import replaces a document that says nothing, and no other`(
        _ there: String, _ isReplaced: Bool
    ) throws {
        try makeJournal()
        try scratch.write(there, to: "sessions/pins/practice-state.json")
        try scratch.write(#"{"schemaVersion":4,"journalEntries":[]}"#, to: "new.json")
        let imported = try scratch.trace("practice", "import", "new.json", "--journal", "Pins")
        #expect((imported.status == 0) == isReplaced, "\(imported)")
        #expect(try (document() == there) != isReplaced)
    }

    @Test func `nothing is imported into a journal of a newer version`() throws {
        try makeJournal()
        let header = try scratch.text("sessions/pins/practice.json", filled: false)
        try scratch.write(
            header.replacing(#""format": 1"#, with: #""format": 2"#), to: "sessions/pins/practice.json")
        try scratch.write(#"{"schemaVersion":4,"journalEntries":[]}"#, to: "new.json")
        let imported = try scratch.trace("practice", "import", "new.json", "--journal", "Pins")
        #expect(
            imported.status != 0 && imported.errors.contains("a newer version has written this journal"),
            "\(imported)")
        #expect(!scratch.exists("sessions/pins/practice-state.json"))
    }
}
