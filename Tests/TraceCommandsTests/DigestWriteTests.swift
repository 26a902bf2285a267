import ProgramHarness
import Testing

struct DigestWriteTests {
    let scratch: Scratch
    private let session = "sessions/set"

    init() throws {
        scratch = try Scratch()
        try scratch.session("set")
        try scratch.write("# Mine\r\n\nIt was – good.", to: "mine.md")
    }

    @Test func `a text is written and read as it is, byte for byte`() throws {
        #expect(try scratch.trace("digest", "read", session) == Outcome("no digest\n"))
        #expect(
            try scratch.trace("digest", "write", session, "--file", "mine.md") == Outcome("digest: updated\n")
        )
        #expect(try scratch.trace("digest", "read", session) == Outcome("# Mine\r\n\nIt was – good."))
        #expect(try scratch.trace("digest", "show", session) == Outcome("# Mine\r\n\nIt was – good."))
        let header = try scratch.text("\(session)/session.json")
        #expect(header.contains("\"digest_path\": \"digest.md\""))
        #expect(header.contains("\"digest_updated_at\": \"<now>\""))
        #expect(try scratch.trace("validate", session) == Outcome("ok: \(session)\n"))
    }

    @Test func `standard input will do, and what changes nothing is not written`() throws {
        let script = "printf '# Piped\\n' | \"$TRACE\" digest write sessions/set --file - --json"
        #expect(
            try scratch.shell(script)
                == Outcome(
                    #"{"session_path":"<scratch>/sessions/set","session_id":"\#(number(1))","changed":true}"#
                        + "\n"))
        let before = try scratch.tree(session)
        #expect(
            try scratch.shell(script)
                == Outcome(
                    #"{"session_path":"<scratch>/sessions/set","session_id":"\#(number(1))","changed":false}"#
                        + "\n"))
        #expect(try scratch.tree(session) == before)
    }

    @Test func `undo puts the text back that was overwritten`() throws {
        try scratch.write("# Theirs\n", to: "\(session)/digest.md")
        #expect(try scratch.trace("digest", "write", session, "--file", "mine.md").status == 0)
        let undone = try scratch.trace("undo")
        #expect(undone.output.hasPrefix("undone: digest write in <scratch>/sessions/set, written <now>\n"))
        #expect(undone.output.hasSuffix("  restored the old digest.md\n"))
        #expect(try scratch.text("\(session)/digest.md") == "# Theirs\n")
    }

    @Test func `what can't be written is told, and nothing is changed`() throws {
        let before = try scratch.tree(session)
        #expect(
            try scratch.trace("digest", "write", session, "--file", "none.md")
                == .failure(
                    66,
                    "<scratch>/none.md: does not exist [not-found]\n  hint: check the path; if it is on a removable or network disk, mount the disk"
                ))
        #expect(
            try scratch.shell("printf '\\377' | \"$TRACE\" digest write sessions/set --file -")
                == .failure(65, "the digest is not UTF-8 [invalid-data]\n  hint: save the text as UTF-8"))
        #expect(try scratch.trace("digest", "write", session, "--file", "").status == 64)
        #expect(try scratch.trace("digest", "write", session).errors.contains("--file"))
        #expect(try scratch.trace("digest", "write", "nowhere", "--file", "mine.md").status == 66)
        #expect(try scratch.tree(session) == before)
    }
}
