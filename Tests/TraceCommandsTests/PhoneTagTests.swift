import Testing

/// The tags that a phone's widget writes for two of the categories.
struct PhoneTagTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        let markers =
            marker(10, at: 1000, tags: ["fix_review"]) + marker(11, at: 2000, tags: ["fix-review"])
            + marker(12, at: 3000, tags: ["texture_sample"]) + marker(13, at: 4000, tags: ["fix"])
        try scratch.session("inside", id: 1, markers: markers)
        try scratch.session("away", id: 2, title: "Other", markers: markers)
        // Outside of the roots no index answers.
        #expect(try scratch.shell("mv sessions/away away") == Outcome())
    }

    @Test(
        arguments: ["inside", "away"],
        ["--tag fix-review", "--tag fix_review", "--tag FIX_Review", "--category fix-review"])
    func `are found by either spelling`(session: String, option: String) throws {
        let path = session == "away" ? "\(scratch.path)/away" : session
        let listed = try scratch.trace(
            ["markers", "list", path] + option.split(separator: " ").map(String.init))
        #expect(
            listed.output == "\(number(10))\t1000\tfix_review\n\(number(11))\t2000\tfix-review\n", "\(listed)"
        )
    }

    @Test func `are found in all sessions, too`() throws {
        let all = try scratch.trace("markers", "list", "--all", "--category", "texture-sample")
        #expect(all.output == "Set\t\(number(12))\t3000\ttexture_sample\n", "\(all)")
        #expect(try scratch.trace("sessions", "--tag", "texture-sample").output.contains("Set"))
    }

    @Test func `have the colours of their categories in other programs`() throws {
        let list = try scratch.trace("export", "inside", "--format", "edl", "--fps", "25")
        #expect(list.status == 0, "\(list)")
        #expect(list.output.matches(of: #/\|C:ResolveColorRed/#).count == 2, "\(list)")
        #expect(list.output.matches(of: #/\|C:ResolveColorPurple/#).count == 1, "\(list)")
    }

    @Test func `are taken away by the category's name`() throws {
        #expect(
            try scratch.trace("marker", "edit", number(10), "-s", "inside", "--untag", "fix-review").status
                == 0)
        #expect(
            try scratch.trace("markers", "list", "inside", "--category", "fix-review").output
                == "\(number(11))\t2000\tfix-review\n")
        // One spelling can take the place of the other.
        let edit = [
            "marker", "edit", number(12), "-s", "inside", "--untag", "texture_sample", "--tag",
            "texture-sample",
        ]
        #expect(try scratch.trace(edit).status == 0)
        #expect(
            try scratch.trace("markers", "list", "inside", "--tag", "texture_sample").output
                == "\(number(12))\t3000\ttexture-sample\n")
    }
}
