import Foundation
import TestSupport
import Testing
import TraceFiles

/// `trace repair`, as a person and as a program see it.
struct RepairTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let torn = #"{"id":"01J000"#

    /// A closed session of two minutes with a torn last line, from whose `session.json` a rewrite dropped
    /// what the timeline still tells.
    private func damagedSession(_ name: String = "a") throws {
        try scratch.closedSession(name, markers: marker(10, at: 5) + marker(11, at: 7) + Self.torn)
        let header = try scratch.text("sessions/\(name)/session.json")
        try scratch.write(
            header.replacing(
                """
                  "media": [],
                  "end_time": "2026-02-04T20:02:00.000Z",
                  "duration_ms": 120000

                """,
                with: """
                      "media": []

                    """), to: "sessions/\(name)/session.json")
        try scratch.letRest("sessions/\(name)")
    }

    /// What is said above the list of repairs.
    private static func heading(isWritten: Bool) -> String {
        isWritten ? "repaired:" : "would be repaired with --write:"
    }

    private static func fixes(isWritten: Bool) -> String {
        """
        sessions/a
        \(heading(isWritten: isWritten))
          markers.jsonl: torn last line (13 bytes without a newline) set aside: the text ends in the middle \
        of a string [torn-line]
          session.json: missing end_time set to "2026-02-04T20:02:00.000Z", from session_end in timeline.jsonl \
        [dropped-field]
          session.json: missing duration_ms set to 120000, from session_end in timeline.jsonl [dropped-field]

        """
    }

    /// The names of the directories with kept files, and what lies in them.
    private func kept() throws -> [String: [String]] {
        guard scratch.exists("state/repair") else { return [:] }
        var kept: [String: [String]] = [:]
        for session in try scratch.names(in: "state/repair") {
            for run in try scratch.names(in: "state/repair/\(session)") {
                kept["\(session)/\(run)"] = try scratch.names(in: "state/repair/\(session)/\(run)")
            }
        }
        return kept
    }

    // MARK: - Nothing to mend

    @Test(arguments: [["--write"], []]) func `a session in order has nothing to mend`(options: [String])
        throws
    {
        try scratch.session("a", markers: marker(10, at: 5))
        let before = try scratch.tree("sessions")
        #expect(
            try scratch.trace(["repair", "sessions/a"] + options)
                == Outcome("ok: sessions/a: nothing to repair\n"))
        #expect(try scratch.tree("sessions") == before)
        #expect(!scratch.exists("state"))
    }

    @Test func `as JSON, too`() throws {
        try scratch.session("a")
        #expect(
            try scratch.trace("repair", "--json")
                == Outcome(
                    """
                    {"session_path":"<scratch>/sessions/a","session_id":"\(number(1))","written":false,"mends":[],"diffs":[],\
                    "merged_copies":[],"kept":[],"concerns":[],"waiting":[]}

                    """))
    }

    // MARK: - Mending

    @Test func `a dry run tells what would be done, shows a diff, and touches nothing`() throws {
        try damagedSession()
        let before = try scratch.tree("")
        let line = marker(11, at: 7).dropLast()
        #expect(
            try scratch.trace("repair", "sessions/a")
                == Outcome(
                    """
                    \(Self.fixes(isWritten: false))--- markers.jsonl
                    +++ markers.jsonl
                    @@ -1,3 +1,2 @@
                     \(marker(10, at: 5).dropLast())
                     \(line)
                    -\(Self.torn)
                    \\ No newline at end of file
                    --- session.json
                    +++ session.json
                    @@ -11,4 +11,6 @@
                       "voice_notes_path": null,
                       "digest_path": null,
                    -  "media": []
                    +  "media": [],
                    +  "end_time": "2026-02-04T20:02:00.000Z",
                    +  "duration_ms": 120000
                     }
                    3 to repair

                    """,
                    errors: "error: nothing was written; 'trace repair --write' makes the repairs\n",
                    status: 1))
        #expect(try scratch.tree("") == before)
    }

    @Test func `what is written is what was shown, and the old files are kept`() throws {
        try damagedSession()
        let before = try scratch.tree("sessions/a")
        let outcome = try scratch.trace("repair", "sessions/a", "--write")
        let (run, names) = try #require(try kept().first)
        #expect(
            outcome
                == Outcome(
                    "\(Self.fixes(isWritten: true))  old files: <scratch>/state/repair/\(run)\n3 repaired\n"))
        #expect(run.hasPrefix("\(number(1))/"))
        #expect(names == ["markers.jsonl", "session.json"])
        for name in names {
            #expect(try scratch.tree("state/repair/\(run)")[name] == before[name])
        }
        #expect(try scratch.text("sessions/a/markers.jsonl") == marker(10, at: 5) + marker(11, at: 7))
        #expect(try scratch.trace("validate", "sessions/a") == Outcome("ok: sessions/a\n"))

        #expect(
            try scratch.trace("repair", "sessions/a", "--write")
                == Outcome("ok: sessions/a: nothing to repair\n"))
        #expect(try kept().count == 1)
    }

    @Test func `as JSON, mends and diffs are there for programs`() throws {
        try damagedSession()
        let fixes = """
            "mends":[{"mend":"torn-line","file":"markers.jsonl","reason":"torn last line (13 bytes without a newline) \
            set aside: the text ends in the middle of a string"},{"mend":"dropped-field","file":"session.json",\
            "reason":"missing end_time set to \\"2026-02-04T20:02:00.000Z\\", from session_end in timeline.jsonl"},\
            {"mend":"dropped-field","file":"session.json","reason":"missing duration_ms set to 120000, from \
            session_end in timeline.jsonl"}],"diffs":[{"file":"markers.jsonl","diff":["@@ -1,3 +1,2 @@"
            """
        let plan = try scratch.trace("repair", "sessions/a", "--json")
        let start = #"{"session_path":"<scratch>/sessions/a","session_id":"\#(number(1))","written":"#
        #expect(plan.output.hasPrefix("\(start)false,\(fixes)"))
        #expect(plan.output.hasSuffix(#""merged_copies":[],"kept":[],"concerns":[],"waiting":[]}"# + "\n"))
        #expect(plan.errors == "error: nothing was written; 'trace repair --write' makes the repairs\n")
        #expect(plan.status == 1)

        let done = try scratch.trace("repair", "sessions/a", "--write", "--json")
        let run = try #require(try kept().keys.first)
        #expect(done.output.hasPrefix("\(start)true,\(fixes)"))
        #expect(
            done.output.hasSuffix(
                #""merged_copies":[],"kept":["<scratch>/state/repair/\#(run)"],"concerns":[],"waiting":[]}"#
                    + "\n"))
        #expect(done.errors == "")
        #expect(done.status == 0)
    }

    // MARK: - Conflict copies

    /// Every form of docs/repair.md#merging-conflict-copies.
    private static let copies = [
        "markers.sync-conflict-20260204-203000-ABCDEFG.jsonl", "markers.sync-conflict-20260204-203000.jsonl",
        "markers (conflicted copy 2026-02-04 203000).jsonl",
        "markers (conflicted copy anna 2026-02-04 203000).jsonl",
        "markers_conflict-20260204-203000.jsonl", "markers (Anna's conflicted copy 2026-02-04).jsonl",
        "markers 2.jsonl",
    ]

    @Test func `conflict copies of every tool are merged, whichever of the versions is the file`() throws {
        let names = ["markers.jsonl"] + Self.copies
        var merged: Set<String> = []
        for rotation in [0, 1, 4] {
            let session = "s\(rotation)"
            try scratch.session(session, id: rotation + 1)
            for index in names.indices {
                // Each version has a line of all and one of its own.
                let name = names[(index + rotation) % names.count]
                try scratch.write(
                    marker(10, at: 1) + marker(20 + index, at: 100 - index), to: "sessions/\(session)/\(name)"
                )
            }
            try scratch.letRest("sessions/\(session)")
            let outcome = try scratch.trace("repair", "sessions/\(session)", "--write")
            #expect(outcome.errors == "")
            #expect(outcome.status == 0)
            for copy in Self.copies {
                let fix = "  markers.jsonl: \(copy) merged: 1 new line [conflict-copy]\n"
                #expect(outcome.output.contains(fix))
                #expect(!scratch.exists("sessions/\(session)/\(copy)"))
            }
            let text = try scratch.text("sessions/\(session)/markers.jsonl")
            #expect(
                text.split(separator: "\n").map { "\($0)\n" }.sorted()
                    == ([marker(10, at: 1)] + names.indices.map { marker(20 + $0, at: 100 - $0) }).sorted())
            merged.insert(text)
            let after = try scratch.tree("sessions/\(session)")
            #expect(
                try scratch.trace("repair", "sessions/\(session)", "--write")
                    == Outcome("ok: sessions/\(session): nothing to repair\n"))
            #expect(try scratch.tree("sessions/\(session)") == after)
        }
        #expect(merged.count == 1)
    }

    @Test func `a merge is told with what it changes`() throws {
        try scratch.session("a", markers: marker(10, at: 5) + marker(11, at: 6))
        let edited = marker(10, at: 5, #""label":"Edited","#)
        try scratch.write(marker(10, at: 5) + edited, to: "sessions/a/markers 2.jsonl")
        try scratch.letRest("sessions/a")
        let outcome = try scratch.trace("repair", "sessions/a", "--write")
        let run = try #require(try kept().keys.first)
        #expect(
            outcome
                == Outcome(
                    """
                    sessions/a
                    repaired:
                      markers.jsonl: markers 2.jsonl merged: 1 new line [conflict-copy]
                      markers.jsonl: newer line of a copy now counts: \(number(10)) [conflict-copy]
                      old files: <scratch>/state/repair/\(run)
                    2 repaired

                    """))
        #expect(
            try scratch.text("sessions/a/markers.jsonl") == marker(10, at: 5) + edited + marker(11, at: 6))
        #expect(try kept() == [run: ["markers 2.jsonl", "markers.jsonl"]])
    }

    // MARK: - What is left

    @Test func `what needs a person is named with its cure, and nothing is done to it`() throws {
        try scratch.session("a", markers: "{}\n")
        try scratch.write("{}", to: "sessions/a/session 2.json")
        try scratch.letRest("sessions/a")
        let before = try scratch.tree("")
        #expect(
            try scratch.trace("repair", "sessions/a", "--write")
                == Outcome(
                    """
                    sessions/a
                    needs manual repair:
                      markers.jsonl:1 (byte 0): created_at is missing [key-missing]
                        hint: add the key
                      markers.jsonl:1 (byte 0): id is missing [key-missing]
                        hint: add the key
                      markers.jsonl:1 (byte 0): offset_ms is missing [key-missing]
                        hint: add the key
                      markers.jsonl:1 (byte 0): source is missing [key-missing]
                        hint: add the key
                      session 2.json: a sync tool could not merge two versions of a file and kept this one as a copy [conflict-copy]
                        hint: 'trace repair' merges copies of .jsonl files and of documents; of another file, add what it lacks from the copy, then delete the copy
                    5 for manual repair

                    """, errors: "error: some problems need manual repair\n", status: 1))
        #expect(try scratch.tree("") == before)
    }

    @Test func `a file that may still be on its way is left alone`() throws {
        try scratch.session("a", markers: marker(10, at: 5))
        try scratch.write(marker(10, at: 5) + Self.torn, to: "sessions/a/markers.jsonl")
        let before = try scratch.tree("")
        #expect(
            try scratch.trace(
                "repair", "sessions/a", "--write", environment: ["TRACE_SETTLE_TIME": "1h"])
                == Outcome(
                    """
                    sessions/a
                    left unchanged for now:
                      markers.jsonl: its last line may still be in transit
                    1 left unchanged for now

                    """,
                    errors: "error: some files may still be in transit; try again in a while\n",
                    status: 1))
        #expect(try scratch.tree("") == before)
    }

    @Test func `of the broken sample what can be mended is shown, and the rest is named`() throws {
        try scratch.copySample()
        let outcome = try scratch.trace("repair", "sessions/2026-01-28-rehearsal-broken")
        try expectGolden(outcome.output, "repair-broken.txt")
        #expect(outcome.errors == "error: nothing was written; 'trace repair --write' makes the repairs\n")
        #expect(outcome.status == 1)
    }

    // MARK: - All sessions

    /// `a` is in order, `b` needs mends, `c` a person, and `d` may still be on its way.
    private func severalSessions() throws {
        try scratch.session("a")
        try scratch.session(
            "b", id: 2, markers: marker(10, at: 5).replacing("20:01:00.000Z", with: "21:01:00.000+01:00"))
        try scratch.session("c", id: 3, markers: marker(11, at: -5))
        try scratch.session("d", id: 4)
    }

    private static func several(isWritten: Bool) -> String {
        """
        <scratch>/sessions/b
        \(heading(isWritten: isWritten))
          markers.jsonl: 1 time with an offset from UTC written in UTC, with Z: created_at on line 1 [utc-time]

        """
    }
    private static let person = """
        <scratch>/sessions/c
        needs manual repair:
          markers.jsonl:1:48 (byte 47): offset_ms is -5, but must not be negative [number-negative]
            hint: write 0 or a larger number
        1 for manual repair

        """

    @Test func `all sessions below the roots are repaired, each as if it were the only one`() throws {
        try severalSessions()
        let before = try scratch.tree("sessions")
        let plan = try scratch.trace("repair", "--all")
        #expect(plan.output.hasPrefix("\(Self.several(isWritten: false))--- markers.jsonl\n"))
        #expect(
            plan.output.hasSuffix(
                "1 to repair\n\(Self.person)1 to repair, 1 for manual repair in 2 of 4 sessions\n"))
        #expect(plan.errors == "error: nothing was written; 'trace repair --all --write' makes the repairs\n")
        #expect(plan.status == 1)
        #expect(try scratch.tree("sessions") == before)

        let done = try scratch.trace("repair", "--all", "--write")
        let run = try #require(try kept().keys.first)
        #expect(
            done
                == Outcome(
                    """
                    \(Self.several(isWritten: true))  old files: <scratch>/state/repair/\(run)
                    1 repaired
                    \(Self.person)1 repaired, 1 for manual repair in 2 of 4 sessions

                    """, errors: "error: some problems need manual repair\n", status: 1))
        #expect(try scratch.text("sessions/b/markers.jsonl") == marker(10, at: 5))

        try scratch.write("", to: "sessions/c/markers.jsonl")
        #expect(
            try scratch.trace("repair", "--all", "--write")
                == Outcome("ok: nothing to repair in 4 sessions\n"))
    }

    @Test func `all sessions as JSON are an array`() throws {
        try severalSessions()
        let outcome = try scratch.trace("repair", "--all", "--json")
        #expect(
            outcome.output.hasPrefix(
                "[{\"session_path\":\"<scratch>/sessions/a\",\"session_id\":\"\(number(1))\",\"written\":false,"
            ))
        #expect(outcome.output.hasSuffix("\"waiting\":[]}]\n"))
        #expect(outcome.output.split(separator: "\"session_path\":").count == 5)
        #expect(outcome.status == 1)
    }

    @Test func `a session that can't be repaired is reported, and the rest is done`() throws {
        try severalSessions()
        try scratch.remove("sessions/c")
        try scratch.remove("sessions/a/session.json")
        #expect(try scratch.shell("ln -s session.json sessions/a/session.json").status == 0)
        let outcome = try scratch.trace(
            "repair", "--all", "--write", "--root", "no", "--root", "sessions", "--root", "sessions/b")
        #expect(try scratch.text("sessions/b/markers.jsonl") == marker(10, at: 5))
        #expect(outcome.output.contains("1 repaired"))
        #expect(
            outcome.output.components(separatedBy: "[utc-time]").count == 2, "roots that lie in each other")
        #expect(outcome.errors.hasSuffix("error: not every journal could be repaired\n"))
        #expect(outcome.status == 65)
    }

    @Test func `all goes without a session`() throws {
        #expect(try scratch.trace("repair", "--all", "sessions/a").status == 64)
    }

    // MARK: - What can't be done

    @Test func `without such a session nothing happens`() throws {
        try scratch.session("a")
        #expect(
            try scratch.trace("repair", "b")
                == .failure(
                    66,
                    """
                    no session is named 'b' in <scratch>/sessions [no-such-session]
                      hint: give a directory, an id, a title or 'last'; 'trace sessions' lists them
                    """))
        try scratch.remove("sessions/a/session.json")
        #expect(try scratch.trace("repair", "sessions/a").status == 66)
    }

    @Test(.enabled(if: ImmutableFiles.canBeMade, "chattr +i needs root and a file system that has it"))
    func `where the old files can't be kept, nothing is mended, but a dry run tells what would be`() throws {
        try damagedSession()
        try scratch.makeDirectory("state")
        let before = try scratch.tree("sessions")
        try #require(try scratch.shell("chattr +i state") == Outcome())
        let plan = try scratch.trace("repair", "sessions/a")
        let outcome = try scratch.trace("repair", "sessions/a", "--write")
        _ = try scratch.shell("chattr -i state")
        #expect(plan.output.hasPrefix(Self.fixes(isWritten: false)))
        #expect(
            outcome
                == .failure(
                    77,
                    """
                    <scratch>/state/repair: cannot create the directory: Operation not permitted [permission-denied]
                      hint: check the owner and the attributes (lsattr) of the file and its directory
                    """))
        #expect(try scratch.tree("sessions") == before)
    }
}
