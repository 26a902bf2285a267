import Foundation
import Testing
import TraceText

struct StatusTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `before anything there is nothing, and nothing is made`() throws {
        let outcome = try scratch.trace("status")
        #expect(
            outcome.output.hasPrefix(
                """
                daemon:   not running
                root:     <scratch>/sessions
                sessions: 0, none of them in the index
                queue:    0 waiting in <scratch>/state/queue
                index:    <scratch>/state/index.sqlite: there is no index [index-not-found]
                  hint: 
                """))
        #expect(outcome.errors == "")
        #expect(outcome.status == 0)
        #expect(!scratch.exists("state"))
    }

    @Test func `sessions that nothing has read yet are counted all the same`() throws {
        try scratch.session("a", id: 1)
        try scratch.session("b", id: 2)
        let outcome = try scratch.trace("status")
        #expect(outcome.output.contains("\nsessions: 2, none of them in the index\nqueue:"))
        #expect(try scratch.trace("status", "--json").output.contains(#""lagging":2,"problem":"#))
    }

    @Test func `sessions that are recorded have their clock and their last mark`() throws {
        scratch.environment["TRACE_STALE_AFTER"] = "3650d"
        try scratch.session("a", markers: marker(10, at: 125_000, #""label":"Drop","#))
        try scratch.session("b", id: 2, title: "Other")
        #expect(try scratch.trace("session", "pause", "b").status == 0)
        #expect(try scratch.trace("sessions").status == 0)
        let lines = try scratch.trace("status").output.split(separator: "\n")
        let active =
            #/active:   Set \(<scratch>\/sessions\/a\) at \d+:\d\d:\d\d\.\d, last mark 2:05\.0 "Drop"/#
        let paused = #/paused:   Other \(<scratch>\/sessions\/b\) at \d+:\d\d:\d\d\.\d, no mark yet/#
        #expect(lines.contains { $0.wholeMatch(of: active) != nil }, "\(lines)")
        #expect(lines.contains { $0.wholeMatch(of: paused) != nil }, "\(lines)")
    }

    @Test func `what is known, what waits and what lags is counted`() throws {
        try scratch.copySample()
        _ = try scratch.trace("sessions")
        try scratch.session("new", id: 5)
        _ = try scratch.trace("mark", number(9), "--offset", "5")
        // How long ago something happened is another number each day.
        let young = ["TRACE_STALE_AFTER": "3650d"]
        let status = try scratch.trace("status", environment: young)
        // So does the clock of a session that runs.
        let lines = status.output.split(separator: "\n").filter { !$0.hasPrefix("active: ") }
        #expect(status.status == 0 && status.errors == "")
        #expect(
            lines.joined(separator: "\n") == """
                daemon:   not running
                root:     <scratch>/sessions
                sessions: 4, of which 2 active
                problems: 15 errors, 3 warnings ('trace validate --all' shows them)
                queue:    1 waiting in <scratch>/state/queue
                index:    <scratch>/state/index.sqlite: behind the files in 1 of the sessions; the next query reads them
                """)
        #expect(
            try scratch.trace("status", "--json", environment: young)
                == Outcome(
                    """
                    {"daemon":null,"roots":[{"path":"<scratch>/sessions","online":true}],"sessions":4,"journals":{},"active":2,"paused":0,\
                    "forgotten":[],\
                    "errors":15,"warnings":3,"queue":[{"spool":"<scratch>/state/queue","waiting":1}],"failed":0,"unplaced":0,"lost":0,"deleted_sessions":0,\
                    "index":{"path":"<scratch>/state/index.sqlite","lagging":1}}

                    """))
        _ = try scratch.trace("sessions")
        #expect(try scratch.trace("status").output.hasSuffix("/index.sqlite: up to date\n"))
    }

    @Test func `a state directory that others could exchange is told, unless that is meant`() throws {
        try scratch.makeDirectory("open/state")
        #expect(try scratch.shell("chmod 777 open") == Outcome())
        scratch.environment["TRACE_STATE_DIRECTORY"] = "\(scratch.path)/open/state"
        let told = try scratch.trace("status").output
        #expect(
            told.contains("\nstate:    <scratch>/open: everybody on this machine may write here"), "\(told)")
        #expect(try scratch.trace("doctor").output.contains("everybody on this machine may write here"))
        #expect(try scratch.trace("status", "--json").output.contains(#""state_problem":"<scratch>/open: "#))
        scratch.environment["TRACE_STATE_SHARED"] = "yes"
        #expect(try !scratch.trace("status").output.contains("state:  "))
        #expect(try !scratch.trace("status", "--json").output.contains("state_problem"))
        scratch.environment["TRACE_STATE_SHARED"] = nil
        #expect(try scratch.shell("chmod 755 open") == Outcome())
        #expect(try !scratch.trace("status").output.contains("state:  "))
    }

    @Test func `what can't be reached is told, and everything else too`() throws {
        #expect(try scratch.shell("ln -s phone phone") == Outcome())
        let outcome = try scratch.trace(
            "status", "--root", "no", environment: ["TRACE_SPOOLS": "\(scratch.path)/phone"])
        #expect(outcome.output.contains("\nroot:     <scratch>/no (offline)\n"))
        #expect(
            outcome.output.contains("\nqueue:    <scratch>/phone: cannot open the directory: Too many levels")
        )
        #expect(outcome.output.contains("\nindex:    "))
        #expect(outcome.status == 0)
    }

    @Test func `of two roots that lead to one session each command knows one session`() throws {
        try scratch.session("a")
        try scratch.makeDirectory("sessions/live")
        try scratch.session("live/b", id: 2)
        try #require(try scratch.shell("ln -s sessions link").status == 0)
        let roots = ["--root", "link", "--root", "sessions/live"]
        func answer(_ command: String...) throws -> Outcome { try scratch.trace(command + roots) }
        #expect(try answer("status").output.contains("sessions: 2, none of them in the index"))
        #expect(try answer("index", "status").output.contains("lag:      2 sessions to be read"))
        #expect(
            try answer("validate", "--all").output.hasPrefix(
                "ok: <scratch>/link/a\nok: <scratch>/sessions/live/b\n"))
        let listed = try answer("sessions", "--json").output
        for path in ["link/a", "sessions/live/b"] {
            #expect(listed.contains("<scratch>/\(path)\""), "\(listed)")
        }
        #expect(listed.matches(of: #/"session_path":/#).count == 2, "\(listed)")
        #expect(try answer("status").output.contains("sessions: 2, of which"))
    }

    @Test func `numbers that are not of now are said to be older`() throws {
        try scratch.session("a")
        _ = try scratch.trace("sessions")
        let made = "for i in $(seq 257); do mkdir sessions/n$i; echo '{}' > sessions/n$i/session.json; done"
        try #require(try scratch.shell(made).status == 0)
        let lines = try scratch.trace("status").output.split(separator: "\n")
        for name in ["sessions: 1, ", "problems: "] {
            #expect(
                lines.contains { $0.hasPrefix(name) && $0.contains("(as the index last read them)") },
                "\(lines)")
        }
    }

    @Test func `a root that the daemon does not watch is reported, by a mark below it too`() throws {
        try scratch.session("a")
        try scratch.makeDirectory("week")
        #expect(try scratch.shell("ln -s sessions twin") == Outcome())
        try scratch.write("roots: [\(scratch.path)/sessions]\n", to: "daemon.yaml")
        let daemon = try DaemonProcess(
            in: URL(filePath: scratch.path), arguments: ["--config", "\(scratch.path)/daemon.yaml"],
            environment: ["TRACE_ROOTS": ""])
        #expect(daemon.log.contains(" roots=\(scratch.path)/sessions\n"), "\(daemon.log)")
        let roots = ["week", "sessions", "sessions/a", "twin"].flatMap { ["--root", $0] }
        let status = try scratch.trace(["status"] + roots)
        #expect(
            status.output.contains(
                """

                root:     <scratch>/week (not watched)
                root:     <scratch>/sessions (watched)
                root:     <scratch>/sessions/a (watched)
                root:     <scratch>/twin (watched)
                watching: the daemon has other roots: <scratch>/sessions ('trace doctor' says how to fix that)

                """), "\(status)")
        let json = try scratch.trace(["status", "--json"] + roots).output
        #expect(try JSONContract(of: "trace status").breaches(in: json) == [])
        #expect(json.contains(#""roots":["<scratch>/sessions"]"#))
        #expect(json.contains(#""path":"<scratch>/week","online":true,"watching":"not watched""#))
        let doctor = try scratch.trace(["doctor"] + roots).output
        #expect(
            doctor.contains(
                #/warning daemon +running \(process \d+\), but it watches <scratch>\/sessions, not <scratch>\/week\n/#
            ),
            "\(doctor)")

        _ = try scratch.trace("session", "init", "week/b", "--root", "week")
        let warning =
            "warning: the daemon does not watch <scratch>/week; 'trace doctor' says how to fix that\n"
        let mark = ["mark", "week/b", "--offset", "5", "--root", "week"]
        #expect(try scratch.trace(mark).errors.hasSuffix("in <scratch>/week/b\n" + warning))
        #expect(try scratch.trace(mark + ["--quiet"]).errors == "")
        #expect(
            try !scratch.trace("mark", "twin/a", "--offset", "5", "--root", "twin").errors.contains("watch"))

        try scratch.write("roots: [\(scratch.path)/week]\n", to: "daemon.yaml")
        kill(daemon.id, SIGHUP)
        try soon("the daemon watches the other root") {
            try scratch.trace("status").output.contains("root:     <scratch>/sessions (not watched)\n")
        }
        #expect(try scratch.trace(mark).errors.hasSuffix("in <scratch>/week/b\n"))
    }
}
