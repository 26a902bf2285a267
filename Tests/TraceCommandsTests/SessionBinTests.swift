import Testing

/// `trace session delete|restore|reopen`, `trace redo`, and the undo of a session.
struct SessionBinTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.session("a")
    }

    @Test func `a deleted session is found by nothing but its restoring`() throws {
        let before = try scratch.tree("sessions/a")
        let deleted = try scratch.trace("session", "delete", "sessions/a")
        #expect(
            deleted.output.hasPrefix("deleted: sessions/a (in <scratch>/sessions/.trace-bin/"), "\(deleted)")
        #expect(try scratch.trace("sessions") == Outcome("", errors: "no sessions\n"))
        let path = try #require(scratch.names(in: "sessions/.trace-bin").first { !$0.hasSuffix(".from") })
        let refused = try scratch.trace("session", "show", "sessions/.trace-bin/\(path)")
        #expect(refused.status == 66 && refused.errors.contains("'trace session restore"), "\(refused)")
        let kept = try scratch.trace("mark", in: "sessions/.trace-bin/\(path)")
        #expect(kept.errors.hasPrefix("kept: no session is open"), "\(kept)")
        let list = try scratch.trace("session", "restore")
        #expect(list.output.contains("\t<scratch>/sessions/a\t"), "\(list)")
        #expect(try scratch.trace("doctor").output.contains("1 deleted session, 0 MiB"))
        for name in ["a", "last"] {
            #expect(
                try scratch.trace("session", "restore", name) == Outcome("restored: <scratch>/sessions/a\n"))
            #expect(try scratch.tree("sessions/a") == before)
            _ = try scratch.trace("session", "delete", "sessions/a")
        }
        #expect(try scratch.trace("undo").output.hasPrefix("undone: session delete"))
        #expect(try scratch.tree("sessions/a") == before)
        #expect(try scratch.trace("redo").output.hasPrefix("redone: session delete"))
        #expect(!scratch.exists("sessions/a"))
    }

    @Test func `a session does not come back beside one of its id`() throws {
        _ = try scratch.trace("session", "delete", "sessions/a")
        try scratch.session("b")
        let refused = try scratch.trace("session", "restore", "a")
        #expect(refused.status == 64 && refused.errors.contains("<scratch>/sessions/b"), "\(refused)")
        let none = try scratch.trace("session", "restore", "c")
        #expect(none.status == 66 && none.errors.contains("'trace session restore' lists"), "\(none)")
    }

    @Test func `a new session is undone as long as nothing is in it, and done again`() throws {
        _ = try scratch.trace("session", "init", "sessions/new", "--title", "New")
        let before = try scratch.tree("sessions/new")
        _ = try scratch.trace("mark", "sessions/new", "5")
        _ = try scratch.trace("undo", "--skip")
        let refused = try scratch.trace("undo")
        #expect(
            refused.status == 1
                && refused.errors.contains("there is something in the session: markers.jsonl"), "\(refused)")
        _ = try scratch.trace("session", "init", "sessions/other")
        #expect(try scratch.trace("undo").output.hasPrefix("undone: session init"))
        #expect(!scratch.exists("sessions/other"))
        #expect(try scratch.trace("redo").output.hasPrefix("redone: session init"))
        #expect(scratch.exists("sessions/other/session.json"))
        #expect(try scratch.tree("sessions/new").keys == before.keys)
    }

    @Test func `a recording with its session is undone and done again in one`() throws {
        try scratch.write("\u{0}sound", to: "take.m4a")
        let made = try scratch.trace(
            "session", "init", "sessions/new", "--start", "2026-02-04T20:00", "--from", "take.m4a")
        #expect(made.status == 0, "\(made)")
        let before = try scratch.tree("sessions/new").filter { $0.key != "session.json" }
        let undone = try scratch.trace("undo")
        #expect(undone.status == 0 && !scratch.exists("sessions/new"), "\(undone)")
        let redone = try scratch.trace("redo")
        #expect(redone.status == 0, "\(redone)")
        #expect(try scratch.tree("sessions/new").filter { $0.key != "session.json" } == before)
        #expect(try scratch.trace("validate", "sessions/new").status == 0)
    }

    @Test func `a reopened session goes on, and a marker that was just made can be edited after the end`()
        throws
    {
        _ = try scratch.trace("mark", "sessions/a", "0")
        _ = try scratch.trace("session", "close", "sessions/a")
        let edited = try scratch.trace("marker", "edit", "last", "--label", "Drop")
        #expect(edited.status == 0 && edited.errors.contains("no session is active"), "\(edited)")
        let removed = try scratch.trace("marker", "remove", "last")
        #expect(removed.status == 0 && removed.errors.contains("no session is active"), "\(removed)")
        #expect(try scratch.text("sessions/a/markers.jsonl") == "")
        #expect(try scratch.trace("marker", "remove", "last").errors.contains("matches 'last'"))
        let reopened = try scratch.trace("session", "reopen", "sessions/a")
        #expect(reopened.output.hasPrefix("reopened: sessions/a (ended at "), "\(reopened)")
        #expect(try scratch.trace("session", "reopen", "sessions/a").errors.contains("[not-closed]"))
        #expect(try scratch.trace("validate", "sessions/a").output == "ok: sessions/a\n")
        #expect(try scratch.trace("undo").output.hasPrefix("undone: session reopen"))
        #expect(try scratch.text("sessions/a/session.json").contains("\"closed\""))
        #expect(try scratch.trace("redo").status == 0)
        #expect(try scratch.text("sessions/a/session.json").contains("\"active\""))
    }

    @Test func `a repair is undone to the byte, and done again`() throws {
        try scratch.copySample()
        let name = "sessions/2026-01-28-rehearsal-broken"
        let before = try scratch.tree(name)
        _ = try scratch.trace("repair", name, "--write")
        let repaired = try scratch.tree(name)
        #expect(repaired != before)
        let undone = try scratch.trace("undo")
        #expect(undone.output.hasPrefix("undone: repair"), "\(undone)")
        #expect(try scratch.tree(name) == before)
        let redone = try scratch.trace("redo")
        #expect(redone.output.hasPrefix("redone: repair"), "\(redone)")
        #expect(try scratch.tree(name) == repaired)
    }

    @Test func `a tag that is not in the session, or of no session, leads to all`() throws {
        let none = try scratch.trace("tag", "rename", "x", "y")
        #expect(none.output == "no marker has the tag 'x'\n" && none.errors.contains("--all"))
        _ = try scratch.trace("session", "close", "sessions/a")
        #expect(try scratch.trace("tag", "rename", "x", "y").errors.contains("--all"))
    }

    @Test func `recordings are listed, and one that is missing is shown as such`() throws {
        #expect(try scratch.trace("media", "list", "sessions/a") == Outcome("", errors: "no media\n"))
        try scratch.write("sound", to: "take.m4a")
        let added = try scratch.trace(
            "media", "add", "sessions/a", "--file", "take.m4a", "--offset", "0", "--duration", "5s")
        #expect(added.status == 0, "\(added)")
        let list = try scratch.trace("media", "list", "sessions/a")
        #expect(list.output.hasPrefix("0\t5000\taudio\t5\tmedia/"), "\(list)")
        let file = try #require(scratch.names(in: "sessions/a/media").first)
        try scratch.remove("sessions/a/media/\(file)")
        #expect(try scratch.trace("media", "list", "sessions/a").output.hasPrefix("0\t5000\taudio\t\tmedia/"))
    }

    @Test func `an entry of the queue is named by a part of its id`() throws {
        try scratch.copySample()
        try scratch.copyQueue()
        let whole = try scratch.trace("queue", "show", "01KH6Z79RYNRTV7HECT4EZEFYS")
        #expect(whole.status == 0)
        #expect(try scratch.trace("queue", "show", "ezefys") == whole)
        #expect(try scratch.trace("queue", "show", "01KH6Z79RYN") == whole)
        #expect(try scratch.trace("queue", "show", "ZZZZZ").status == 66)
        #expect(try scratch.trace("queue", "show", "01K").status == 64)
    }
}
