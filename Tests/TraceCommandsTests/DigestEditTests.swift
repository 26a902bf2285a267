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
        try scratch.writeProgram("#!/bin/sh\n\(script)\n", to: "editor")
        return try scratch.trace(["digest", "edit", session, "--editor", "\(scratch.path)/editor"] + more)
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
                    65, "the editor '<scratch>/editor' failed: nothing was written [tool-failed]"))
        #expect(try isTidy)
        let missing = try scratch.trace(
            "digest", "edit", session, "--editor", "no-such-editor -x")
        #expect(missing.status == 69)
        #expect(
            missing.errors.hasSuffix(
                """
                error: the editor 'no-such-editor -x' was not found [tool-missing]
                  hint: give an installed one with --editor, VISUAL or EDITOR

                """))
        #expect(try scratch.tree(session) == before)
    }

    /// An editor that waits for keys would wait for ever.
    @Test(arguments: ["VISUAL", "EDITOR", "PAGER"])
    func `without a terminal no editor of the environment is started`(_ variable: String) throws {
        try scratch.writeProgram("#!/bin/sh\necho edited >> \"$1\"; touch started\n", to: "editor")
        let before = try scratch.tree(session)
        #expect(
            try scratch.trace("digest", "edit", session, environment: [variable: "\(scratch.path)/editor"])
                == .failure(
                    64,
                    """
                    there is no terminal for an editor
                      hint: run it on a terminal, give an editor that needs none with --editor, or use \
                    'trace digest write --file'
                    """))
        #expect(!scratch.exists("started"))
        #expect(try scratch.tree(session) == before)
        #expect(try isTidy)
    }

    @Test(arguments: ["VISUAL", "EDITOR"], ["", " > answer", " 2> complaints"])
    func `on a terminal the editor of the environment has it`(_ variable: String, _ redirection: String)
        throws
    {
        try scratch.writeProgram("#!/bin/sh\ntest -t 0 && test -t 1 && echo Edited >> \"$1\"\n", to: "editor")
        scratch.environment = [variable: "\(scratch.path)/editor", "SHELL": "/bin/sh"]
        let outcome = try scratch.shell(
            "script -qec '\"$TRACE\" digest edit \(session)\(redirection)' /dev/null </dev/null")
        #expect(outcome.status == 0)
        #expect(try scratch.text("\(session)/digest.md").hasSuffix("Edited\n"))
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
                error: <scratch>/\(session)/digest.md: it has been changed since by someone else [changed-meanwhile]
                  your text is kept in <scratch>/state/edit/<ulid>/digest.md
                  hint: compare both, then 'trace digest write --file' writes yours

                """)
        let torn = try edit("printf '\\377' >> \"$1\"")
        #expect(torn.status == 65)
        #expect(torn.errors.contains("the digest is not UTF-8"))
        #expect(try scratch.names(in: "state/edit").count == 2)
    }
}
