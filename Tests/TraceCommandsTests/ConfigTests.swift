import Foundation
import ProgramHarness
import Testing

/// `trace config show`, `check` and `path`.
struct ConfigTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `each value is shown with where it comes from`() throws {
        try scratch.makeDirectory("config/trace")
        try scratch.write(
            "# mine\nlog_level: debug\nspools:\n  - /srv/a\n  - b\nsettle_time: 1m30s\n",
            to: "config/trace/config.yaml")
        let outcome = try scratch.trace(
            "config", "show", "--root", "here", environment: ["TRACE_POLL_INTERVAL": "10"])
        #expect(outcome.errors == "" && outcome.status == 0)
        let rows = outcome.output.split(separator: "\n").map {
            String($0).replacing("\t", with: " ")
        }
        for row in [
            "roots <scratch>/here --root", "log_level debug <scratch>/config/trace/config.yaml:2",
            "settle_time 1m30s <scratch>/config/trace/config.yaml:6", "poll_interval 10s TRACE_POLL_INTERVAL",
            "reconcile_interval 5m default", "metrics_file  default",
        ] {
            #expect(rows.contains(row), "\(row)")
        }
        let spools = try #require(rows.firstIndex(of: "spools /srv/a <scratch>/config/trace/config.yaml:3"))
        #expect(rows[spools + 1].hasPrefix("spools <scratch>/config/trace/b"))
    }

    @Test func `a pipe as the configuration is refused at once, by the daemon too`() throws {
        #expect(try scratch.shell("mkfifo pipe") == Outcome())
        let refusal = Outcome.failure(
            78,
            """
            <scratch>/pipe: is a pipe, socket or device, not a regular file [config-file-unreadable]
              hint: put a regular file in its place, or name another with --config or TRACE_CONFIG; /dev/null stands for none
            """)
        #expect(try scratch.trace("sessions", "--config", "pipe") == refusal)
        #expect(try scratch.run(Binaries.url("traced").path, ["--config", "pipe"]) == refusal)
    }

    @Test func `one value is printed for a script`() throws {
        #expect(try scratch.trace("config", "show", "settle_time") == Outcome("2s\n"))
        #expect(
            try scratch.trace("config", "show", "spools", environment: ["TRACE_SPOOLS": "/a:/b"])
                == Outcome("/a\n/b\n"))
        #expect(try scratch.trace("config", "show", "metrics_file") == Outcome())
        #expect(
            try scratch.trace("config", "show", "settle_time", "--json")
                == Outcome(#"{"key":"settle_time","value":"2s","source":"default","from":"default"}"# + "\n"))
        #expect(
            try scratch.trace("config", "show", "setle_time")
                == .failure(64, "unknown key 'setle_time'\n  hint: did you mean 'settle_time'?"))
    }

    @Test func `a mistake is told with its file, its line and its cure`() throws {
        try scratch.write("log_level: debug\nsettle_tim: 2s\n", to: "new.yaml")
        let message =
            "<scratch>/new.yaml:2: unknown key 'settle_tim' [config-unknown-key]\n  hint: did you mean 'settle_time'?"
        #expect(try scratch.trace("config", "check", "new.yaml") == .failure(78, message))
        let json = try scratch.trace("config", "check", "new.yaml", "--json")
        #expect(json.status == 78)
        let problem = """
            {"code":"config-unknown-key","message":"unknown key 'settle_tim'",\
            "file":"<scratch>/new.yaml","line":2,"from":"<scratch>/new.yaml:2","key":"settle_tim",\
            "hint":"did you mean 'settle_time'?"}
            """
        #expect(
            json.output == #"{"valid":false,"problem":\#(problem),"problems":[\#(problem)]}"# + "\n")
        try scratch.write("settle_time: soon\n", to: "new.yaml")
        let value = try scratch.trace("config", "check", "new.yaml")
        #expect(value.status == 78)
        #expect(value.errors.hasPrefix("error: <scratch>/new.yaml:1: settle_time 'soon' is not a duration"))
    }

    @Test func `what is right is said to be`() throws {
        #expect(
            try scratch.trace("config", "check") == Outcome("ok: no configuration file; built-in defaults\n"))
        try scratch.write("log_level: debug\n", to: "new.yaml")
        #expect(try scratch.trace("config", "check", "new.yaml") == Outcome("ok: <scratch>/new.yaml\n"))
    }

    @Test func `the places of files are told even where a file is broken`() throws {
        try scratch.makeDirectory("config/trace")
        try scratch.write("[", to: "config/trace/config.yaml")
        let outcome = try scratch.trace("config", "path")
        #expect(outcome.status == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first == "<scratch>/config/trace/config.yaml")
        #expect(lines.last?.hasPrefix("/etc/trace/config.yaml") == true)
        #expect(
            try scratch.trace("config", "path", "--config", "none.yaml")
                == Outcome("<scratch>/none.yaml\tnot found\n"))
    }
}
