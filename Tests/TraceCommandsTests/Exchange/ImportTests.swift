import Foundation
import Testing

/// `trace import`
struct ImportTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let labels = "1.5\t4.0\tWarm-up\n90\t90\t[highlight]\n"

    @Test func `what is added is shown, stands, and is taken back`() throws {
        try scratch.session("set", markers: marker(10, at: 90_000, tags: ["highlight"]))
        try scratch.write(Self.labels, to: "labels.txt")
        let before = try scratch.tree("sessions")
        let table = """
                   TIME      LENGTH    LABEL    TAGS
            add    0:01.500  0:02.500  Warm-up
            there  1:30.000                     highlight

            """
        #expect(
            try scratch.trace("import", "labels.txt", "--dry-run")
                == Outcome(table + "would import: 1 added, 1 already there\n"))
        #expect(try scratch.tree("sessions") == before)
        #expect(
            try scratch.trace("import", "labels.txt")
                == Outcome(
                    table + "imported: 1 added, 1 already there\n",
                    errors: "in Set (<scratch>/sessions/set)\n"))
        #expect(
            try scratch.text("sessions/set/markers.jsonl") == marker(10, at: 90_000, tags: ["highlight"])
                + """
                {"id":"<ulid>","offset_ms":1500,"created_at":"<now>","source":"user","label":"Warm-up","tags":[],"duration_ms":2500}

                """)
        let stands = try scratch.tree("sessions")
        #expect(try scratch.trace("import", "labels.txt").output.hasSuffix("imported: 2 already there\n"))
        #expect(try scratch.tree("sessions") == stands)
        #expect(try scratch.trace("validate", "sessions/set") == Outcome("ok: sessions/set\n"))
        #expect(
            try scratch.trace("undo")
                == Outcome(
                    "undone: import 0:01.500 \"Warm-up\" in <scratch>/sessions/set from 'labels.txt', written <now>\n  removed 1 line (marker <ulid>) from markers.jsonl\n"
                ))
        #expect(try scratch.text("sessions/set/markers.jsonl") == marker(10, at: 90_000, tags: ["highlight"]))
    }

    @Test
    func `an import is corrected by the same file with other options, and named where it has another name`()
        throws
    {
        try scratch.session("set")
        let event = "  001      V     C        "
        try scratch.write(
            "TITLE: x\n\n001\(event)01:00:10:00 01:00:10:01 01:00:10:00 01:00:10:01 \n |C:ResolveColorBlue |M:Verse |D:1\n"
                + "\n002\(event)01:00:20:12 01:00:20:13 01:00:20:12 01:00:20:13 \n |C:ResolveColorBlue |M:Solo |D:1\n",
            to: "marks.edl")
        #expect(try scratch.trace("import", "marks.edl", "--fps", "25", "--replace").status == 66)
        #expect(try scratch.trace("import", "marks.edl", "--fps", "25").status == 0)
        let table = """
                    TIME      LENGTH  LABEL  TAGS
            there   0:10.000          Verse
            change  0:20.500          Solo

            """
        #expect(
            try scratch.trace("import", "marks.edl", "--fps", "24", "--replace", "--dry-run").output
                == table + "would import: 1 changed, 1 already there\n")
        let done = try scratch.trace("import", "marks.edl", "--fps", "24", "--replace", "--json")
        #expect(done.output.contains("\"replaced\":1,\"staying_removed\":0,\"removed\":[]"), "\(done)")
        #expect(try scratch.text("sessions/set/markers.jsonl").contains("\"offset_ms\":20500,"))
        try scratch.write("1.5\t1.5\tVerse\n", to: "labels.txt")
        let other = try scratch.trace("import", "labels.txt", "--replace-import", "marks.edl")
        #expect(
            other.output == """
                        TIME      LENGTH  LABEL  TAGS
                change  0:01.500          Verse
                remove  0:20.500          Solo
                imported: 1 changed, 1 removed

                """)
        #expect(try scratch.trace("undo", "--list").output.contains("\t<ulid>\t<scratch>/labels.txt\n"))
        #expect(
            try scratch.trace("undo").output.hasPrefix(
                "undone: import of 2 records in <scratch>/sessions/set from 'labels.txt'"))
        #expect(try scratch.trace("undo").status == 0)
        #expect(try !scratch.text("sessions/set/markers.jsonl").contains("\"offset_ms\":20500,"))
        #expect(try scratch.trace("validate", "sessions/set") == Outcome("ok: sessions/set\n"))
    }

    @Test func `what is kept of an import may be longer than other files, and is taken back`() throws {
        try scratch.session("set")
        let labels = (1...1000).map { "\($0)\t\($0)\tlabel \($0)\n" }.joined()
        try scratch.write(labels, to: "labels.txt")
        #expect(try scratch.trace("import", "labels.txt").status == 0)
        let kept = try scratch.shell(
            "cd state/undo/*/ && echo >> markers.jsonl && truncate -s 70M markers.jsonl")
        #expect(kept.status == 0, "\(kept)")
        #expect(try scratch.trace("undo").output.hasSuffix("lines from markers.jsonl\n"))
        #expect(try scratch.text("sessions/set/markers.jsonl") == "")
    }

    @Test(arguments: [("n", false), ("", false), ("y", true)]) func `at a terminal it asks`(
        answer: String, isWanted: Bool
    ) throws {
        try scratch.session("set")
        try scratch.write(Self.labels, to: "labels.txt")
        // The answer comes when the question has been put.
        let outcome = try scratch.shell(
            "(until grep -q y/N seen; do sleep 0.02; done; echo \(answer)) 2>/dev/null | "
                + "script -qefc \"$TRACE import labels.txt\" seen")
        #expect(outcome.output.contains("add 2 markers to <scratch>/sessions/set? [y/N] "), "\(outcome)")
        #expect(
            outcome.output.contains(isWanted ? "imported: 2 added" : "error: nothing was imported"),
            "\(outcome)")
        #expect(outcome.status == (isWanted ? 0 : 1))
        let count = try scratch.text("sessions/set/markers.jsonl").split(separator: "\n").count
        #expect(count == (isWanted ? 2 : 0))
    }

    @Test func `standard input is read, times count from a recording, and tags are added`() throws {
        try scratch.closedSession("set")
        try scratch.write("sound", to: "take.m4a")
        _ = try scratch.trace(
            "media", "add", "set", "--file", "take.m4a", "--offset", "1000", "--duration", "60000")
        let outcome = try scratch.shell(
            "printf 'offset_ms,label\\n500,x\\n' | $TRACE import - set --media review --tag take-2 --tag x -y -q"
        )
        #expect(
            outcome.status == 0 && outcome.output.contains("add  0:01.500          x      take-2,x\n"),
            "\(outcome)")
    }

    @Test func `what can't be read is told with its place, and nothing is imported`() throws {
        try scratch.session("set")
        try scratch.write(
            "#,Name,Start,End,Length\nM1,x,5.1.00,,\nM2,y,0:01.000,,\nM3,z,6.1.00,,\n", to: "x.csv")
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace("import", "x.csv", "--strict")
                == Outcome(
                    errors: """
                        error: x.csv:2 (byte 24): '5.1.00' is bars and beats
                          hint: set the ruler to Minutes:Seconds in REAPER, and export it again
                        error: x.csv:4 (byte 54): '6.1.00' is bars and beats
                          hint: set the ruler to Minutes:Seconds in REAPER, and export it again
                        error: nothing was imported: 2 problems

                        """, status: 65))
        #expect(try scratch.tree("sessions") == before)
        #expect(!scratch.exists("state/undo"))
        // Without it, the rest comes.
        #expect(
            try scratch.trace("import", "x.csv", "--yes")
                == Outcome(
                    """
                         TIME      LENGTH  LABEL  TAGS
                    add  0:01.000          y
                    imported: 1 added

                    """,
                    errors: """
                        x.csv:2 (byte 24): '5.1.00' is bars and beats, and 1 more like it; 2 markers are left out
                          hint: set the ruler to Minutes:Seconds in REAPER, and export it again
                        in Set (<scratch>/sessions/set)

                        """))
    }

    @Test func `what is not taken is said at the terminal and in JSON`() throws {
        try scratch.session("set")
        try scratch.write("time,label,colour\n0:01.000,Verse,red\n", to: "x.csv")
        let plain = try scratch.trace("import", "x.csv", "--dry-run")
        #expect(plain.status == 0 && plain.errors == "not taken: 1 column ('colour')\n", "\(plain)")
        let json = try scratch.trace("import", "x.csv", "--dry-run", "--json")
        #expect(
            json.output.contains(
                #""notices":[{"about":"column","count":1,"names":["colour"],"message":"not taken: 1 column ('colour')"}],"#
            ), "\(json)")
        try scratch.write("time,label\n12,Verse\n", to: "x.csv")
        let asked = try scratch.trace("import", "x.csv", "--dry-run")
        #expect(asked.status == 65 && asked.errors.contains("--unit s for seconds"), "\(asked)")
        let given = try scratch.trace("import", "x.csv", "--dry-run", "--unit", "s")
        #expect(given.output.contains("add  0:12.000"), "\(given)")
    }

    @Test func `what lies behind the end is refused, unless it is meant`() throws {
        try scratch.closedSession("set")
        try scratch.write("0:00 a\n2:01 b\n", to: "x.txt")
        #expect(
            try scratch.trace("import", "x.txt", "set")
                == .failure(
                    65,
                    "x.txt:2 (byte 7): the marker is at 2:01.000, after the session's end at 2:00.000\n  hint: check that this is the right session; --force adds it anyway"
                ))
        #expect(try scratch.trace("import", "x.txt", "set", "--force").status == 0)
    }

    @Test(arguments: [
        (
            ["x.txt"], 64,
            "x.txt: the format can't be detected from the contents\n  hint: give --format: one of "
        ),
        (["none.txt"], 66, "<scratch>/none.txt: does not exist [not-found]"),
        (["x.txt", "-f", "edl"], 65, "an EDL counts frames"),
        (["x.txt", "--tag", "Loud!"], 64, "'Loud!' is not a valid tag"),
        (["x.txt", "-f", "xml"], 64, "The value 'xml' is invalid for '-f <format>'"),
    ]) func `what can't be done is told`(arguments: [String], status: Int32, message: String) throws {
        try scratch.session("set")
        try scratch.write("hello\n", to: "x.txt")
        let outcome = try scratch.trace(["import"] + arguments)
        #expect(outcome.status == status && outcome.errors.hasPrefix("error: \(message)"), "\(outcome)")
    }

    @Test(arguments: [
        "audacity", "reaper", "csv", "tsv", "jsonl", "podcast", "ffmetadata", "webvtt", "edl", "otio",
        "youtube",
    ])
    func `what is exported comes back into an empty session`(format: String) throws {
        let markers =
            ExportTests.labels.enumerated().map { number, label in
                marker(
                    20 + number, at: 10_000 + number * 10_040,
                    "\"label\":\"\(label)\",\"duration_ms\":\(number * 40),", tags: ["x"])
            } + [
                marker(40, at: 5, tags: ["highlight", "take-2"]), marker(41, at: 125_000, "\"note\":\"n\","),
            ]
        try scratch.session("set", markers: markers.joined())
        try scratch.session("copy", id: 2)
        let fps = format == "edl" ? ["--fps", "25"] : []
        let export = try scratch.trace(
            ["export", "sessions/set", "-f", format, "-o", "x.\(format)", "-q"] + fps)
        #expect(export.status == 0, "\(export)")
        let arguments = ["import", "x.\(format)", "sessions/copy", "-y", "-q", "--json"] + fps
        let outcome = try scratch.trace(arguments)
        #expect(outcome.output.contains("\"added\":13,"), "\(outcome)")
        #expect(try scratch.trace(arguments).output.contains("\"added\":0,\"already_there\":13,"))
        // There they were already.
        let own = ["import", "x.\(format)", "sessions/set", "-n", "-q", "--json"] + fps
        #expect(try scratch.trace(own).output.contains("\"added\":0,\"already_there\":13,"))
        // OpenTimelineIO has the records in it, whose members may come in another order.
        let shown = format == "otio" ? "csv" : format
        let again = try scratch.trace(["export", "sessions/copy", "-f", shown, "-q"] + fps).output
        let first = try scratch.trace(["export", "sessions/set", "-f", shown, "-q"] + fps).output
        // A name that the file bears, and ids where it bears none.
        func plain(_ text: String) -> String {
            text.replacing(#/<ulid>|[0-9A-HJKMNP-TV-Z]{26}/#, with: "").replacing(
                #/"tags":\[\]|<now>|2026-02-04T20:01:00.000Z/#, with: "")
        }
        #expect(plain(again) == plain(first))
        #expect(try scratch.trace("validate", "sessions/copy") == Outcome("ok: sessions/copy\n"))
    }
}
