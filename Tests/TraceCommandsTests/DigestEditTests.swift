import ProgramHarness
import Testing

struct DigestEditTests {
    let scratch: Scratch
    private let session = "sessions/set"

    init() throws {
        scratch = try Scratch()
        try scratch.closedSession(
            "set", markers: marker(10, at: 61_000, "\"label\":\"Drop\",", tags: ["highlight"]))
    }

    /// Runs `digest edit` with a script of `sh` as the editor, which finds the file in `$1`.
    private func edit(_ script: String, _ more: String...) throws -> Outcome {
        try scratch.write("#!/bin/sh\n\(script)\n", to: "editor")
        _ = try scratch.shell("chmod +x editor")
        return try scratch.trace(
            ["digest", "edit", session] + more, environment: ["EDITOR": "\(scratch.path)/editor"])
    }

    private var isTidy: Bool {
        get throws { try !scratch.exists("state/edit") || scratch.names(in: "state/edit").isEmpty }
    }

    @Test func `what an editor leaves is written, and undo takes it back`() throws {
        try scratch.write("# Mine\r\n", to: "\(session)/digest.md")
        #expect(try edit("printf 'More\\n' >> \"$1\"") == Outcome("digest: updated\n"))
        #expect(try scratch.text("\(session)/digest.md") == "# Mine\r\nMore\n")
        #expect(try scratch.text("\(session)/session.json").contains("\"digest_path\": \"digest.md\""))
        #expect(try isTidy)
        #expect(try scratch.trace("undo").status == 0)
        #expect(try scratch.text("\(session)/digest.md") == "# Mine\r\n")
    }

    @Test func `where there is none it begins with what the session is, as generate would write it`() throws {
        let before = try scratch.tree(session)
        #expect(try edit("cat \"$1\" > seen") == Outcome("digest: not changed\n"))
        #expect(try scratch.tree(session) == before)
        let seen = try scratch.text("seen")
        #expect(try edit("printf '\\nMine.\\n' >> \"$1\"", "--json").output.hasSuffix("\"changed\":true}\n"))
        #expect(try scratch.text("\(session)/digest.md") == "\(seen)\nMine.\n")
        #expect(
            try scratch.trace("digest", "generate", session, "--json").output.hasSuffix(
                "\"changed\":false}\n"))
    }

    @Test func `what a killed edit left is finished by the same again`() throws {
        // The text stands already, and session.json does not know it yet.
        try scratch.write("# Mine\n", to: "\(session)/digest.md")
        #expect(try edit(":") == Outcome("digest: updated\n"))
        #expect(try scratch.text("\(session)/session.json").contains("\"digest_path\": \"digest.md\""))
        #expect(try edit(":") == Outcome("digest: not changed\n"))
    }

    @Test func `an editor that fails or is not there changes nothing`() throws {
        try scratch.write("# Mine\n", to: "\(session)/digest.md")
        let before = try scratch.tree(session)
        #expect(
            try edit("exit 3")
                == .failure(
                    65, "the editor '<scratch>/editor' did not end well: nothing is written [tool-failed]"))
        #expect(try isTidy)
        let missing = try scratch.trace(
            "digest", "edit", session, environment: ["VISUAL": "no-such-editor -x"])
        #expect(missing.status == 69)
        #expect(
            missing.errors.hasSuffix(
                """
                error: the editor 'no-such-editor -x' was not found [tool-missing]
                  hint: set VISUAL or EDITOR to one that is installed

                """))
        #expect(try scratch.tree(session) == before)
    }

    @Test func `a text that can't be written is kept, and it is said where`() throws {
        try scratch.write("# Mine\n", to: "\(session)/digest.md")
        let outcome = try edit("printf 'More\\n' >> \"$1\"; printf '# Theirs\\n' > \(session)/digest.md")
        #expect(outcome.status == 75)
        #expect(try scratch.text("\(session)/digest.md") == "# Theirs\n")
        let kept = try #require(try scratch.names(in: "state/edit").first)
        #expect(try scratch.text("state/edit/\(kept)/digest.md") == "# Mine\nMore\n")
        #expect(
            outcome.errors == """
                error: <scratch>/\(session)/digest.md: somebody else has changed it since [changed-meanwhile]
                  your text is kept in <scratch>/state/edit/<ulid>/digest.md
                  hint: look at both, then 'trace digest write --file' writes yours

                """)
        let torn = try edit("printf '\\377' >> \"$1\"")
        #expect(torn.status == 65)
        #expect(torn.errors.contains("the digest is not UTF-8"))
        #expect(try scratch.names(in: "state/edit").count == 2)
    }
}
