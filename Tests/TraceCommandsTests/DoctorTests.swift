import Foundation
import Testing

/// `trace doctor`, and what `trace status` says of a running daemon.
struct DoctorTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The line of a check, and its cure.
    private func lines(_ subject: String, in outcome: Outcome) -> [String] {
        let lines = outcome.output.split(separator: "\n").map(String.init)
        return lines.indices.filter { lines[$0].dropFirst(8).hasPrefix(subject + " ") }.flatMap { index in
            let cure =
                index + 1 < lines.count && lines[index + 1].hasPrefix("        cure: ")
                ? [lines[index + 1]] : []
            return [lines[index]] + cure
        }
    }

    @Test func `where all is well nothing is wrong, and nothing is made`() throws {
        try scratch.session("a")
        let outcome = try scratch.trace("doctor")
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
        #expect(lines("configuration", in: outcome) == ["ok      configuration no file; built-in defaults"])
        #expect(
            lines("root", in: outcome)[0].hasPrefix("ok      root          <scratch>/sessions: 1 session, "))
        #expect(lines("ffmpeg", in: outcome) == ["ok      ffmpeg        /usr/bin/ffmpeg"])
        #expect(lines("clock", in: outcome) == ["ok      clock         <now>"])
        #expect(lines("zone", in: outcome) == ["ok      zone          UTC, from TZ"])
        #expect(
            lines("index", in: outcome) == ["ok      index         none yet; the first query creates it"])
        #expect(lines("queue", in: outcome) == ["ok      queue         0 waiting"])
        #expect(lines("library", in: outcome).count == 2)
        #expect(outcome.output.contains("fs.inotify.max_user_watches is "))
        #expect(outcome.output.contains("fs.inotify.max_user_instances is "))
        #expect(!scratch.exists("state"))
    }

    // MARK: - Landlock

    private static let canTrace =
        (try? Scratch().run("/usr/bin/strace", ["-o", "/dev/null", "true"]).status) == 0

    /// What runs a program whose kernel answers so when it is asked for Landlock.
    private func refusing(_ answer: String) -> [String] {
        [
            "/usr/bin/strace", "-D", "-f", "-qq", "--seccomp-bpf", "-o", "/dev/null", "-e",
            "trace=landlock_create_ruleset", "-e", "inject=landlock_create_ruleset:error=\(answer)",
        ]
    }

    private static let refusals = [
        ("ENOSYS", "the kernel has no Landlock: "), ("EOPNOTSUPP", "the kernel has no Landlock: "),
        ("EPERM", "a filter of system calls keeps "),
    ]

    @Test(.enabled(if: canTrace, "needs strace"), arguments: refusals)
    func `a kernel without Landlock is told from a filter that forbids it`(answer: String, told: String)
        throws
    {
        let command = refusing(answer) + [Binaries.url("trace").path, "doctor"]
        let outcome = try scratch.run(command[0], Array(command.dropFirst()))
        #expect(outcome.status == 0)
        let lines = lines("landlock", in: outcome)
        #expect(
            lines.first?.hasPrefix("warning landlock      \(told)") == true && lines.count == 2, "\(lines)")
    }

    @Test(.enabled(if: canTrace, "needs strace"), arguments: refusals)
    func `how it is for the daemon is told where it is not so for this process`(answer: String, told: String)
        throws
    {
        let daemon = try DaemonProcess(in: URL(filePath: scratch.path), under: refusing(answer))
        let lines = try lines("landlock", in: scratch.trace("doctor"))
        #expect(lines.count == 3, "\(lines)")
        #expect(
            lines.first
                == "ok      landlock      ffmpeg and ffprobe can open the recording that they read, and no other file"
        )
        #expect(lines.dropFirst().first?.hasPrefix("warning landlock      \(told)") == true, "\(lines)")
        #expect(daemon.log.contains("landlock"))
    }

    @Test func `what is wrong has a cure, and exit status 1`() throws {
        try scratch.session("a")
        let header = try scratch.text("sessions/a/session.json", filled: false)
        try scratch.write(
            header.replacing("\"updated_at\": \"2026", with: "\"updated_at\": \"2099"),
            to: "sessions/a/session.json")
        let outcome = try scratch.trace(
            "doctor", "--root", "sessions", "--root", "no",
            environment: ["PATH": "/nowhere", "TRACE_SPEECH_COMMAND": "listen {input_wav}"])
        #expect(outcome.status == 1)
        #expect(outcome.errors == "error: 2 things are wrong\n")
        #expect(
            lines("root", in: outcome).suffix(2) == [
                "problem root          <scratch>/no does not exist",
                "        cure: 'trace session init --title Monday' creates a session and starts its clock; or mount its disk, or correct roots",
            ])
        #expect(
            lines("speech", in: outcome) == [
                "problem speech        listen of speech_command not found",
                "        cure: install it, or put its full path into speech_command",
            ])
        #expect(
            lines("ffmpeg", in: outcome) == [
                "warning ffmpeg        not found; 'media add-review-audio', 'export --embed' and 'transcribe' need it",
                "        cure: apt install ffmpeg",
            ])
        #expect(
            lines("clock", in: outcome)[0]
                == "warning clock         it shows <now>, but <scratch>/sessions/a was changed at 2099-02-04 20:00:00 UTC"
        )
    }

    @Test func `a configuration that can't be read is told, and what needs none`() throws {
        try scratch.write("rots: [/x]\n", to: "config.yaml")
        let outcome = try scratch.trace("doctor", "--config", "config.yaml")
        #expect(outcome.status == 1)
        #expect(
            lines("configuration", in: outcome) == [
                "problem configuration <scratch>/config.yaml:1: unknown key 'rots' [config-unknown-key]",
                "        cure: did you mean 'roots'?",
            ])
        #expect(lines("ffmpeg", in: outcome).count == 1)
    }

    @Test func `a state directory in a root, and one that can't be written`() throws {
        let inside = try scratch.trace("doctor", "--state-directory", "sessions/state")
        #expect(
            lines("configuration", in: inside)[1]
                == "problem configuration the state directory <scratch>/sessions/state is in the root <scratch>/sessions"
        )
        let proc = try scratch.trace("doctor", "--state-directory", "/proc/1/state")
        #expect(proc.status == 1)
        #expect(lines("state", in: proc)[0].hasPrefix("problem state         this user can't write to /proc"))
    }

    @Test func `a state directory that every user may write to`() throws {
        try #require(try scratch.shell("mkdir state && chmod 777 state").status == 0)
        let outcome = try scratch.trace("doctor")
        #expect(
            lines("state", in: outcome)[0]
                == "problem state         every user may write to <scratch>/state, and so change what this one does"
        )
    }

    @Test func `a directory above the state directory that every user may write to`() throws {
        try #require(try scratch.shell("mkdir -p open/state && chmod 777 open").status == 0)
        let place = ["doctor", "--state-directory", "open/state"]
        func state() throws -> String { lines("state", in: try scratch.trace(place))[0] }
        #expect(
            try state().hasPrefix(
                "problem state         <scratch>/open: everybody on this machine may write here"))
        for mode in ["1777", "755"] {
            try #require(try scratch.shell("chmod \(mode) open").status == 0)
            #expect(try state().hasPrefix("ok      state"), "\(mode)")
        }
    }

    @Test(arguments: [": >state", "ln -s nowhere state"])
    func `something else where the state directory should be`(made: String) throws {
        #expect(try scratch.shell(made) == Outcome())
        let outcome = try scratch.trace("doctor")
        #expect(outcome.status == 1)
        #expect(
            lines("state", in: outcome) == [
                "problem state         <scratch>/state is not a directory",
                "        cure: move it away, or set state_directory to another place",
            ])
    }

    @Test(.enabled(if: Scratch.canMount, "mounts are not permitted here"))
    func `what is mounted read-only is named as that`() throws {
        try scratch.session("a")
        try scratch.makeDirectory("state")
        let outcome = try scratch.shell(
            """
            exec unshare -m sh -c 'for place in sessions state; do \
              mount --bind $place $place && mount -o remount,ro,bind $place || exit; done; \
              cd "$PWD" && exec "$TRACE" doctor'
            """)
        #expect(outcome.status == 1)
        for (subject, place) in [("root", "sessions"), ("state", "state")] {
            let found = lines(subject, in: outcome)
            #expect(
                found.first?.hasSuffix("<scratch>/\(place) is mounted read-only: nobody can write there")
                    == true, "\(outcome)")
            #expect(
                found.last?.contains("mount -o remount,rw $(findmnt -n -o TARGET -T <scratch>/\(place))")
                    == true)
        }
    }

    @Test(.enabled(if: Scratch.canMount)) func `a spool that is mounted read-only is named as that`() throws {
        try scratch.session("a")
        try scratch.makeDirectory("phone")
        let outcome = try scratch.shell(
            """
            exec unshare -m sh -c 'mount --bind phone phone && mount -o remount,ro,bind phone || exit; \
              cd "$PWD" && TRACE_SPOOLS="$PWD/phone" exec "$TRACE" doctor'
            """)
        #expect(outcome.status == 1)
        #expect(
            lines("spool", in: outcome).first?.hasSuffix(
                "<scratch>/phone is mounted read-only: nobody can write there") == true, "\(outcome)")
    }

    @Test func `refused entries are told`() throws {
        try scratch.makeDirectory("state/failed")
        try scratch.write("{}", to: "state/failed/\(number(10)).json")
        #expect(
            lines("queue", in: try scratch.trace("doctor")) == [
                "warning queue         0 waiting, 1 refused",
                "        cure: see 'trace queue list --all', then 'trace queue retry ID' or 'trace queue drop ID'",
            ])
    }

    @Test func `of a daemon it is told since when it runs, and how the roots are watched`() throws {
        try scratch.session("a")
        let daemon = try DaemonProcess(in: URL(filePath: scratch.path))
        let status = try scratch.trace("status")
        #expect(
            status.output.prefixMatch(
                of:
                    #/daemon:   running \(process \d+, since <now>\)\nroot:     <scratch>\/sessions \(watched\)\n/#
            ) != nil,
            "\(status)")
        let json = try scratch.trace("status", "--json").output
        #expect(try JSONContract(of: "trace status").breaches(in: json) == [])
        #expect(json.contains(#""online":true,"watching":"watched"}"#))
        #expect(
            lines("daemon", in: try scratch.trace("doctor"))[0].hasPrefix(
                "ok      daemon        running (process "))
        // On a full disk it has its lock, but no room for what it says there.
        #expect(try scratch.shell(": >state/traced.lock") == Outcome())
        #expect(try scratch.trace("status").output.hasPrefix("daemon:   running (process "))
        #expect(daemon.isRunning)
    }
}
