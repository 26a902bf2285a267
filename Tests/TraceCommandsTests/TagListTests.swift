import Testing

/// `trace tag list`, and what is said of a tag that nothing else bears.
struct TagListTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.session(
            "a",
            markers: marker(10, at: 5, tags: ["highlight", "drop"])
                + marker(11, at: 6, tags: ["drop", "drop"])
                + marker(12, at: 7, tags: ["Odd tag\u{301}"]) + marker(13, at: 8, tags: ["gone"])
                + marker(13, at: 8))
        try scratch.session("b", id: 2, markers: marker(20, at: 5, tags: ["drop", "highlight"]))
    }

    @Test func `tags come with how many markers and sessions have them, the most frequent first`() throws {
        #expect(
            try scratch.trace("tag", "list")
                == Outcome("drop\t3\t2\nhighlight\t2\t2\nOdd tag\u{301}\t1\t1\n"))
        #expect(try scratch.trace("tag", "list", "sessions/b") == Outcome("drop\t1\t1\nhighlight\t1\t1\n"))
        #expect(
            try scratch.trace("tag", "list", "--session", "sessions/b", "--json")
                == Outcome(
                    """
                    [{"tag":"drop","marker_count":1,"session_count":1},\
                    {"tag":"highlight","marker_count":1,"session_count":1}]

                    """))
    }

    @Test func `no tags is an answer too`() throws {
        try scratch.session("c", id: 3, markers: marker(30, at: 5))
        #expect(try scratch.trace("tag", "list", "sessions/c") == Outcome(errors: "no tags\n"))
        #expect(try scratch.trace("tag", "list", "sessions/c", "--json") == Outcome("[]\n"))
    }

    private func mark(_ arguments: String...) throws -> String {
        let outcome = try scratch.trace(["mark", "sessions/a", "--offset", "0:05"] + arguments)
        #expect(outcome.status == 0 && outcome.output == "marker: <ulid>\n")
        return outcome.errors.replacing("at 0:05.000 (5000 ms)\nin Set (<scratch>/sessions/a)\n", with: "")
    }

    @Test(arguments: [true, false])
    func `a tag that no other marker has is told, with the one that was likely meant`(isIndexed: Bool) throws
    {
        if isIndexed { _ = try scratch.trace("sessions") }
        #expect(try mark("--tag", "higlight") == "new tag 'higlight'; did you mean highlight?\n")
        #expect(try mark("--tag", "higlight") == "")
        #expect(
            try mark("--tag", "dorp", "--tag", "fill")
                == "new tag 'dorp'; did you mean drop?\nnew tag 'fill'\n")
        #expect(try mark("--tag", "drop", "--tag", "fix-review") == "")
        #expect(try mark("--tag", "new-one", "-q") == "")
    }

    @Test func `an edit tells it too`() throws {
        let edited = try scratch.trace(
            "marker", "edit", "sessions/a", number(10), "--tag", "slwo", "--tag", "drop")
        #expect(edited == Outcome("marker: \(number(10))\n", errors: "new tag 'slwo'\n"))
    }

    @Test func `what was queued tells it as well`() throws {
        let outcome = try scratch.trace("mark", number(999), "--offset", "5", "--tag", "higlight")
        #expect(outcome.errors.hasSuffix("new tag 'higlight'; did you mean highlight?\n"), "\(outcome)")
    }
}
