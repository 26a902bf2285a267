import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Groups of games, the settings, and a journal that is emptied, through the built command.
struct PracticeGroupTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        let made = try scratch.trace(
            "journal", "init", "practice", "sessions/pins", "--title", "Pins", "--time-zone", "Europe/Berlin")
        try #require(made.status == 0, "\(made)")
    }

    private func practice(_ arguments: [String]) throws -> Outcome {
        try scratch.trace(["practice"] + arguments)
    }

    private func document() throws -> String {
        try scratch.text("sessions/pins/practice-state.json", filled: false)
    }

    /// The groups as lines: state, name, games.
    private func groups() throws -> [String] {
        try practice(["groups"]).output.split(separator: "\n").map {
            $0.split(separator: "\t").dropFirst().joined(separator: "|")
        }
    }

    private func make(_ names: String...) throws {
        for name in names {
            let made = try practice(["groups", "--create", name, "--game", "G1"])
            try #require(made.status == 0, "\(made)")
        }
    }

    @Test(arguments: ["--delete", "--edit", "--select", "--prioritize", "--archive-group", "--reorder"])
    func `a name that two groups have is refused, and nothing is changed`(option: String) throws {
        try make("Twin", "Twin")
        let before = try document()
        let refused = try practice(
            ["groups", option, "twin"] + (option == "--edit" ? ["--name", "New"] : []))
        #expect(refused.status == 64, "\(refused)")
        #expect(refused.errors.contains("'twin' may be one of several groups: "), "\(refused)")
        #expect(try document() == before)
    }

    @Test func `a group gets another name, other games, priority and dates`() throws {
        try make("One", "Two")
        #expect(try practice(["groups", "--edit", "Two", "--priority"]).status == 0)
        let edited = try practice([
            "groups", "--edit", "one", "--name", " Spring ", "--game", "G2", "--game", "G1", "--type", "bank",
            "--priority",
            "--start", "2026-03-01", "--end", "2026-03-29",
        ])
        #expect(
            edited.status == 0 && edited.errors.contains("Spring (active, priority): G2, G1"), "\(edited)")
        #expect(try groups() == ["active|Spring|G2, G1", "active|Two|G1"])
        let json = try practice(["groups", "--json"]).output
        // The last day has 23 hours there.
        for member in [
            #""type":"bank""#, #""start":1772319600000"#, #""end":1774821599000"#,
            #""first_day":"2026-03-01""#,
            #""last_day":"2026-03-29""#,
        ] { #expect(json.contains(member), "\(member): \(json)") }
        #expect(json.ranges(of: #""priority":true"#).count == 1)
        #expect(try practice(["groups", "--edit", "Spring", "--end", ""]).status == 0)
        #expect(try !document().contains("endDate"))
        #expect(try practice(["undo"]).status == 0 && document().contains(#""endDate":1774821599000"#))
    }

    @Test(arguments: [
        (["--edit", "One"], 64, "say what of the group is to be changed"),
        (["--edit", "One", "--name", " "], 65, "Group name is required."),
        (
            ["--edit", "One", "--start", "2026-03-02", "--end", "2026-03-01"], 65,
            "End date must be on or after start date."
        ),
        (["--edit", "One", "--end", "tomorrow"], 64, "'tomorrow' is not a day"),
        (["--edit", "One", "--name", "x", "--archive"], 64, "give only one change of groups"),
        (["--name", "x"], 64, "--name belongs to --edit"),
        (["--end", "2026-03-01"], 64, "belong to --create or --edit"),
        (["--priority"], 64, "--priority belongs to"),
        (["--edit", "Nobody", "--name", "x"], 66, "there is no group 'Nobody'"),
        (["--reorder", "One", "--reorder", "One"], 65, "is named twice"),
    ])
    func `what can't be done with a group is refused`(arguments: [String], status: Int32, reason: String)
        throws
    {
        try make("One")
        let before = try document()
        let refused = try practice(["groups"] + arguments)
        #expect(refused.status == status && refused.errors.contains(reason), "\(refused)")
        #expect(try document() == before)
    }

    @Test func `groups stand in the order that they are given, and undo puts them back`() throws {
        try make("One", "Two", "Three")
        let before = try document()
        let moved = try practice(["groups", "--reorder", "Three", "--reorder", "Two"])
        #expect(moved.status == 0 && moved.errors.contains("groups: Three; Two; One"), "\(moved)")
        #expect(try groups() == ["active|Three|G1", "active|Two|G1", "active|One|G1"])
        #expect(try practice(["groups", "--reorder", "Three"]).errors.contains("nothing was written"))
        let undone = try practice(["undo"])
        #expect(undone.status == 0, "\(undone)")
        #expect(try document() == before)
    }

    @Test func `an archived group is opened again`() throws {
        try make("One")
        #expect(try practice(["groups", "--archive-group", "One"]).status == 0)
        #expect(try groups() == ["archived|One|G1"])
        let opened = try practice(["groups", "--unarchive", "One"])
        #expect(opened.status == 0 && opened.errors.contains("changed: One (active): G1"), "\(opened)")
        #expect(try groups() == ["active|One|G1"])
        #expect(try practice(["groups", "--unarchive", "One"]).errors.contains("nothing was written"))
    }

    @Test func `the settings are shown, set and taken back`() throws {
        #expect(
            try practice(["settings"]).output
                == "player: -\nleague player: -\ncompared with: -\nIFPA number: -\nbreaks in charts: short breaks\n"
        )
        let set = try practice(["settings", "--player", "Ada Quill", "--compare-with", "Bo Marsh"])
        #expect(
            set.status == 0 && set.errors.contains("player: Ada Quill; compared with: Bo Marsh"),
            "\(set)")
        let more = try practice(["settings", "--gap-mode", "brokenAxis", "--league-player", "Ada Q"])
        #expect(
            more.status == 0 && more.errors.contains("league player: Ada Q; breaks in charts: broken axis")
                && !more.errors.contains("median"), "\(more)")
        #expect(
            try practice(["settings", "--json"]).output
                == #"{"player":"Ada Quill","league_player":"Ada Q","comparison_player":"Bo Marsh","ifpa_player":"","gap_mode":"brokenAxis"}"#
                + "\n")
        #expect(try practice(["undo"]).status == 0 && practice(["undo"]).status == 0)
        #expect(try practice(["settings"]).output.hasPrefix("player: -\n"))
        try scratch.makeDirectory("sessions/pins/league")
        try scratch.write("name\nBo Marsh\n", to: "sessions/pins/league/redacted_players.csv")
        let hidden = try practice(["settings", "--compare-with", "Bo Marsh"])
        #expect(hidden.status == 0 && !hidden.errors.contains("Marsh"), "\(hidden)")
        #expect(try practice(["settings"]).output.contains("compared with: Redacted 62C440\n"))
    }

    @Test func `a journal is emptied, and undo brings everything back`() throws {
        try make("One", "Two")
        try scratch.write(
            #"[{"id":"0A7B1C00-0000-4000-8000-000000000002","gameID":"G1","gameName":"Comet","kind":"browseGame","timestamp":794080800.25},{"id":"0A7B1C00-0000-4000-8000-000000000001","gameID":"G1","gameName":"Comet","kind":"openRulesheet","timestamp":794080700}]"#,
            to: "sessions/pins/activity.json")
        for write in [
            ["score", "G1", "1000"], ["read", "G1", "40%"], ["watch", "G1"], ["gamenote", "G1", "left ramp"],
            ["resume", "G1", "--rulesheet", "0.4", "--video", "x"], ["settings", "--player", "Ada Quill"],
        ] { try #require(practice(write).status == 0) }
        let (before, log) = (try document(), try scratch.text("sessions/pins/activity.json", filled: false))
        let rows = try practice(["journal"]).output
        let planned = try practice(["clear", "--dry-run"])
        #expect(
            planned.output
                == "would remove: 4 rows, 2 groups, 5 records of them, 2 lines of the library's log\n",
            "\(planned)")
        #expect(try document() == before)
        let cleared = try practice(["clear"])
        #expect(
            cleared.output == "removed: 4 rows, 2 groups, 5 records of them, 2 lines of the library's log\n",
            "\(cleared)")
        #expect(try practice(["journal"]).errors.contains("no rows") && groups().isEmpty)
        #expect(
            try document().contains("Ada Quill") && !document().contains("left ramp")
                && !document().contains("0.4"))
        #expect(try scratch.trace("validate", "sessions/pins").output.contains("ok"))
        let undone = try practice(["undo"])
        #expect(undone.status == 0 && undone.output.contains("undone: practice clear"), "\(undone)")
        #expect(try practice(["journal"]).output == rows)
        #expect(try practice(["groups"]).output.contains("One"))
        let again = try JSONSerialization.jsonObject(with: Data(document().utf8)) as? NSDictionary
        #expect(again == (try JSONSerialization.jsonObject(with: Data(before.utf8)) as? NSDictionary))
        let entries =
            try JSONSerialization.jsonObject(
                with: Data(scratch.text("sessions/pins/activity.json", filled: false).utf8)) as? NSArray
        #expect(entries == (try JSONSerialization.jsonObject(with: Data(log.utf8)) as? NSArray))
    }

    @Test func `no entry of a queue empties a journal`() throws {
        #expect(try scratch.trace("queue", "add", "practice", "clear").status == 64)
    }
}
