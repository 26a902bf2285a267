import Foundation
import ProgramHarness
import Testing

/// `trace digest show --html`, `--template` and `--since`, on the sample.
struct DigestPageTests {
    let scratch: Scratch
    private let set = "sessions/2026-02-04-late-set"
    private let practice = "sessions/2026-02-11-loop-practice"

    init() throws {
        scratch = try Scratch()
        try scratch.copySample()
    }

    private func review(of session: String) throws -> String {
        try #require(try scratch.names(in: "\(session)/media").first { $0.contains("review") })
    }

    @Test func `a page beside its audio leads into it and draws it, and leaves nothing else in the session`()
        throws
    {
        let before = try scratch.tree(set)
        #expect(
            try scratch.trace("digest", "show", set, "--html", "--rendered", "--output", "\(set)/digest.html")
                == Outcome("digest: <scratch>/\(set)/digest.html\n"))
        let page = try scratch.text("\(set)/digest.html")
        let review = try review(of: set)
        #expect(page.contains("<audio controls preload=\"metadata\" src=\"media/\(review)\"></audio>"))
        #expect(page.contains("<path class=\"wave\""))
        #expect(page.contains(" href=\"media/\(review)#t="))
        #expect(!page.contains("In your words"))
        var after = try scratch.tree(set)
        after["digest.html"] = nil
        #expect(after == before)
        #expect(try scratch.names(in: "state/waveforms").count == 4, "a file for each level of detail")
        // On standard output it is taken to lie in the session.
        #expect(try scratch.trace("digest", "show", set, "--html", "--rendered") == Outcome(page))
    }

    @Test func `a person's words come first`() throws {
        let page = try scratch.trace("digest", "show", set, "--html").output
        #expect(page.contains("<h2>In your words</h2>\n<div class=\"words\">\n<h3 dir=\"auto\">"))
    }

    @Test func `above the session the way to the audio is longer, elsewhere there is none`() throws {
        try scratch.makeDirectory("away")
        let review = try review(of: set)
        #expect(
            try scratch.trace("digest", "show", set, "--html", "--output", "sessions/set.html").errors == "")
        #expect(
            try scratch.text("sessions/set.html").contains(
                "src=\"2026-02-04-late-set/media/\(review)\""))
        let outcome = try scratch.trace("digest", "show", set, "--html", "--output", "away/set.html")
        #expect(
            outcome.errors == """
                <scratch>/\(set) is not below the page: links to its times do not work
                  hint: write the page into the session's directory or the one above it

                """)
        let page = try scratch.text("away/set.html")
        #expect(!page.contains("<audio"))
        #expect(page.contains("<path class=\"wave\""))
    }

    @Test func `without ffmpeg the page has no picture of the sound, and a notice says so`() throws {
        try scratch.makeDirectory("bin")
        let outcome = try scratch.trace(
            "digest", "show", set, "--html", environment: ["PATH": "\(scratch.path)/bin"])
        #expect(
            outcome.errors == """
                the page has no waveform: ffmpeg not found (required for the waveform) [tool-missing]
                  hint: install it (apt install ffmpeg) and ensure it is on PATH

                """)
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("<rect class=\"cell\""))
        try scratch.writeProgram("#!/bin/sh\necho broken >&2\nexit 1\n", to: "bin/ffmpeg")
        let failed = try scratch.trace(
            "digest", "show", set, "--html", environment: ["PATH": "\(scratch.path)/bin:/bin:/usr/bin"])
        #expect(
            failed.errors == """
                the page has no waveform: ffmpeg failed: broken [tool-failed]
                  hint: check that the file plays

                """)
        #expect(failed.output == outcome.output)
    }

    @Test func `the sums by which a page allows its style and its script are right`() throws {
        let script = """
            import base64, hashlib, re, sys
            page = open(sys.argv[1], encoding="utf-8").read()
            for name in ["style", "script"]:
                body = re.search(f"<{name}>(.*?)</{name}>", page, re.S).group(1)
                allowed = re.search(f"{name}-src &#39;(.*?)&#39;", page).group(1)
                found = "sha256-" + base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
                print(name, "ok" if found == allowed else found)
            """
        try scratch.write(script, to: "sums.py")
        _ = try scratch.trace("digest", "show", practice, "--html", "--output", "page.html")
        #expect(
            try scratch.run("/usr/bin/python3", ["sums.py", "page.html"]) == Outcome("style ok\nscript ok\n"))
    }

    @Test(arguments: [
        ("markers.jsonl", ""), ("digest.md", "; 'trace digest generate' writes digest.md"),
        ("session.json", ""), ("media/REVIEW", ""), ("../link", ""),
    ]) func `no answer is written over a file of a session`(name: String, more: String) throws {
        let name = name.replacing("REVIEW", with: try review(of: set))
        let link = try scratch.shell("ln -s 2026-02-04-late-set/voice_notes.jsonl sessions/link")
        #expect(link.status == 0)
        let before = try scratch.tree("sessions")
        let target = name == "../link" ? "sessions/link" : "\(set)/\(name)"
        let refused = """
            '<scratch>/\(target)' belongs to a session
              hint: use another file\(more)
            """
        #expect(
            try scratch.trace("digest", "show", set, "--rendered", "--output", target)
                == .failure(64, "--output \(refused)"))
        #expect(
            try scratch.trace("export", practice, "-f", "csv", "--force", "-o", target)
                == .failure(64, "--output \(refused)"))
        if name.hasSuffix(".m4a") {
            #expect(
                try scratch.trace("export", set, "--force", "--embed", target)
                    == .failure(64, "--embed \(refused)"))
        }
        #expect(try scratch.tree("sessions") == before)
    }

    @Test func `an answer in a file is what it would be on standard output, in place of an older one`() throws
    {
        for form in [[], ["--json"]] {
            let printed = try scratch.trace(["digest", "show", practice] + form)
            _ = try scratch.trace(["digest", "show", practice, "--output", "out"] + form)
            #expect(try scratch.text("out") == printed.output)
            #expect(try scratch.trace(["digest", "show", practice, "--output", "-"] + form) == printed)
        }
        let nowhere = try scratch.trace("digest", "show", practice, "--output", "none/out")
        #expect(nowhere.status == 66)
        #expect(nowhere.errors.hasPrefix("error: <scratch>/none: does not exist [not-found]"))
    }

    // MARK: - Several sessions

    @Test func `several sessions come in one, as far as they started then`() throws {
        let all = try scratch.trace("digest", "show", "--since", "2026-01-28", "-q")
        #expect(all.output.hasPrefix("# Practice, 2026-01-28 to 2026-02-11\n3 sessions · 3 days · "))
        let week = try scratch.trace("digest", "show", "--since", "2026-02-01", "--until", "2026-02-07")
        #expect(week.output.hasPrefix("# Practice, 2026-02-04\n1 session · 1 day · 12:14\n"))
        #expect(
            try scratch.trace("digest", "show", "--since", "monday")
                == Outcome("# Practice\n\nNo sessions.\n"))
        let page = try scratch.trace("digest", "show", "--since", "2026-02-01", "--html").output
        #expect(page.contains(" href=\"2026-02-04-late-set/media/\(try review(of: set))#t="))
        #expect(
            try scratch.trace("digest", "show", set, "--since", "monday").status == 64)
    }

    @Test func `a session with a file that can't be read is there, with what is wrong`() throws {
        _ = try scratch.trace("sessions")
        try scratch.remove("\(set)/markers.jsonl")
        try scratch.makeDirectory("\(set)/markers.jsonl")
        let outcome = try scratch.trace("digest", "show", "--since", "2026-02-01")
        #expect(outcome.status == 0)
        #expect(outcome.output.contains("2 sessions"))
        #expect(outcome.output.contains("- **Late set, Café Übersee** 5 errors"))
    }

    @Test(arguments: [
        "today", "Yesterday", "sun", "monday", "tuesday", "wed", "thursday", "friday", "saturday",
    ])
    func `days have names`(name: String) throws {
        #expect(try scratch.trace("sessions", "--since", name) == Outcome(errors: "no sessions\n"))
        let now = ISO8601DateFormatter().string(from: Date(timeIntervalSinceNow: -1))
        try scratch.session("now", id: 7, start: now, title: "Now")
        let outcome = try scratch.trace("sessions", "--since", name)
        #expect(outcome.output.contains("Now"), "\(outcome)")
    }

    // MARK: - Templates

    @Test func `a template makes a form of one's own, for one session, for several and for the file`() throws
    {
        try scratch.write(
            "# {{heading}}\n{{#fixes}}\n- [ ] {{time}} {{name}}{{#session}}, {{session}}{{/session}}\n{{/fixes}}\n",
            to: "fixes.md")
        #expect(
            try scratch.trace("digest", "show", practice, "--template", "fixes.md")
                == Outcome("# Loop practice\n- [ ] 11:42 Left hand stumbles\n"))
        let week = try scratch.trace(
            "digest", "show", "--since", "2026-02-01", "--template", "fixes.md")
        #expect(week.output.hasSuffix("- [ ] 11:42 Left hand stumbles, Loop practice\n"))
        #expect(
            try scratch.trace("digest", "generate", practice, "--template", "fixes.md")
                == Outcome("digest: updated\n"))
        #expect(
            try scratch.text("\(practice)/digest.md").hasPrefix(
                "<!-- trace:begin digest v1 zone=UTC -->\n# Loop practice\n- [ ] 11:42"))
        #expect(
            try scratch.shell("printf '{{title}}' | \"$TRACE\" digest show \(practice) --template -")
                == Outcome("Loop practice"))
    }

    @Test func `what is wrong with a template is told with its place`() throws {
        try scratch.write("# {{heading}}\n{{#fixes}}\n", to: "broken.md")
        #expect(
            try scratch.trace("digest", "show", practice, "--template", "broken.md")
                == .failure(
                    65,
                    """
                    broken.md:3:1: a section is still open at the end
                      hint: end '{{#name}}' and '{{^name}}' with '{{/name}}'
                    """))
        #expect(
            try scratch.trace("digest", "show", practice, "--template", "none.md")
                == .failure(
                    66,
                    "<scratch>/none.md: does not exist [not-found]\n  hint: check the path; if it is on a removable or network disk, mount the disk"
                ))
        try scratch.write("{{titel}}.\n", to: "typo.txt")
        #expect(
            try scratch.trace("digest", "show", practice, "--template", "typo.txt")
                == Outcome(
                    ".\n", errors: "warning: typo.txt: 'titel' is not a known value, so it is left empty\n"))
        #expect(try scratch.trace("digest", "show", "--template", "x", "--json").status == 64)
    }
}
