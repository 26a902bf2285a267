import Foundation
import Testing

/// Times are told and read in the zone of the settings.
struct LocalTimeTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// What a command prints on a terminal of 110 columns.
    private func terminal(_ command: String, zone: String) throws -> String {
        let script =
            "stty cols 110 rows 50; TERM=dumb TRACE_TIME_ZONE=\(zone) \(Binaries.url("trace").path) \(command)"
        return try scratch.run("/usr/bin/script", ["-qec", script, "/dev/null"]).output.replacing(
            "\r\n", with: "\n")
    }

    // MARK: - Which zone

    @Test(arguments: [
        (["TRACE_TIME_ZONE": "Europe/Berlin"], "2026-02-04 21:00 CET"),
        (["TRACE_TIME_ZONE": "Asia/Kathmandu"], "2026-02-05 01:45 UTC+05:45"),
        (["TRACE_TIME_ZONE": "America/New_York", "TZ": "Europe/Berlin"], "2026-02-04 15:00 EST"),
        (["TZ": "Europe/Berlin"], "2026-02-04 21:00 CET"), (["TZ": ":Europe/Berlin"], "2026-02-04 21:00 CET"),
        (["TZ": "/usr/share/zoneinfo/Europe/Berlin"], "2026-02-04 21:00 CET"),
        (["TZ": "EST5EDT,M3.2.0,M11.1.0"], "2026-02-04 15:00 EST"), (["TZ": ""], "2026-02-04 20:00 UTC"),
        // As other programs have it.
        (["TZ": "No/Where"], "2026-02-04 20:00 UTC"),
    ])
    func `the settings' zone comes before TZ`(environment: [String: String], shown: String) throws {
        try scratch.closedSession("set")
        let digest = try scratch.trace(["digest", "show", "set"], environment: environment)
        #expect(digest.output.contains("\n\(shown) · 2:00 · closed\n"), "\(digest)")
        let universal = try scratch.trace(["digest", "show", "set", "--utc"], environment: environment)
        #expect(universal.output.contains("\n2026-02-04 20:00 UTC · 2:00 · closed\n"), "\(universal)")
        let json = try scratch.trace(["digest", "show", "set", "--json"], environment: environment)
        #expect(json.output.contains("\"start_time\":\"2026-02-04T20:00:00.000Z\""), "\(json)")
    }

    /// `/etc/localtime` is a link as systemd makes it, or a copy as it was once made.
    @Test(
        .enabled(if: Scratch.canMount, "mounts are not permitted here"),
        arguments: [
            ("ln -s /usr/share/zoneinfo/Europe/Berlin /etc/localtime", "2026-02-04 21:00 CET"),
            ("cp /usr/share/zoneinfo/Europe/Berlin /etc/localtime", "2026-02-04 21:00 CET"),
            (":", "2026-02-04 20:00 UTC"),
        ])
    func `without TZ it is the machine's`(setting: String, shown: String) throws {
        try scratch.closedSession("set")
        let outcome = try scratch.shell(
            """
            exec unshare -m sh -c 'mount -t tmpfs none /etc && \(setting) && unset TZ && \
              exec "$TRACE" digest show set'
            """)
        #expect(outcome.output.contains("\n\(shown) · 2:00 · closed\n"), "\(outcome)")
    }

    @Test(arguments: [
        (
            "Europe/Berln",
            "time_zone: 'Europe/Berln' is not a time zone known on this machine (/usr/share/zoneinfo)",
            "did you mean 'Europe/Berlin'?"
        ),
        (
            "Nowhere",
            "time_zone: 'Nowhere' is not a time zone known on this machine (/usr/share/zoneinfo)",
            "'timedatectl list-timezones' lists them; if there are none, apt install tzdata"
        ),
        (
            "'../../etc/passwd'", "time_zone '../../etc/passwd' is not the name of a time zone",
            "write it like Europe/Berlin or UTC; 'timedatectl list-timezones' lists all"
        ),
    ])
    func `a zone that is none is an error of the configuration`(name: String, message: String, cure: String)
        throws
    {
        try scratch.session("a")
        try scratch.write("# Mine\ntime_zone: \(name)\n", to: "config.yaml")
        let expected = Outcome.failure(
            78, "<scratch>/config.yaml:2: \(message) [config-invalid-value]\n  hint: \(cure)")
        #expect(try scratch.trace("--config", "config.yaml", "digest", "show", "a") == expected)
        #expect(try scratch.trace("config", "check", "config.yaml") == expected)
        let doctor = try scratch.trace("doctor", "--config", "config.yaml")
        #expect(doctor.status == 1)
        #expect(doctor.output.contains("<scratch>/config.yaml:2: time_zone"), "\(doctor)")
    }

    @Test func `an old name that has no file is the zone that it is now`() throws {
        try scratch.closedSession("set")
        try scratch.makeDirectory("zones/Asia")
        try FileManager.default.copyItem(
            atPath: "/usr/share/zoneinfo/Asia/Kolkata", toPath: "\(scratch.path)/zones/Asia/Kolkata")
        try scratch.write("time_zone: Asia/Calcutta\n", to: "config.yaml")
        let zones = ["TZDIR": "\(scratch.path)/zones"]
        #expect(try scratch.trace(["config", "check", "config.yaml"], environment: zones).status == 0)
        let shown = try scratch.trace(
            ["--config", "config.yaml", "digest", "show", "set"], environment: zones)
        #expect(shown.output.contains("\n2026-02-05 01:30 IST · 2:00 · closed\n"), "\(shown)")
    }

    @Test func `what needs no zone does not look for one`() throws {
        try scratch.session("a")
        let environment = ["TRACE_TIME_ZONE": "No/Where"]
        #expect(try scratch.trace("mark", "a", "--offset", "5s", environment: environment).status == 0)
        #expect(try scratch.trace("markers", "list", "a", environment: environment).status == 0)
        #expect(try scratch.trace("sessions", environment: environment).status == 0)
        #expect(try scratch.trace("validate", "a", environment: environment).status == 0)
    }

    @Test func `a damaged file is an error where it is named, and UTC where it is the machine's`() throws {
        try scratch.closedSession("set")
        try scratch.makeDirectory("zones/Europe")
        let whole = try Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/Europe/Berlin"))
        try whole.prefix(300).write(to: URL(filePath: "\(scratch.path)/zones/Europe/Berlin"))
        let zones = ["TZDIR": "\(scratch.path)/zones"]
        let named = try scratch.trace(
            "digest", "show", "set", environment: zones.merging(["TRACE_TIME_ZONE": "Europe/Berlin"]) { $1 })
        #expect(named.status == 78)
        #expect(
            named.errors.hasPrefix(
                "error: TRACE_TIME_ZONE: time_zone 'Europe/Berlin': <scratch>/zones/Europe/Berlin: "
                    + "is not a zone file (byte "), "\(named)")
        #expect(
            named.errors.hasSuffix("hint: reinstall it with apt install --reinstall tzdata\n"), "\(named)")
        let machine = zones.merging(["TZ": "Europe/Berlin"]) { $1 }
        #expect(
            try scratch.trace("digest", "show", "set", environment: machine).output.contains("20:00 UTC"))
        let doctor = try scratch.trace("doctor", environment: machine)
        #expect(doctor.output.contains("\nwarning zone          times are in UTC: TZ: "), "\(doctor)")
        #expect(doctor.status == 0)
    }

    // MARK: - What is shown

    @Test func `lists are in the zone on a terminal, and in a pipe what they were`() throws {
        try scratch.closedSession("set")
        try scratch.copyQueue()
        #expect(try terminal("sessions", zone: "Europe/Berlin").contains("2026-02-04 21:00 CET"))
        let shown = try terminal("session show set", zone: "Asia/Kathmandu")
        #expect(shown.contains("started:   2026-02-05 01:45 UTC+05:45\n"), "\(shown)")
        #expect(shown.contains("ended:     2026-02-05 01:47 UTC+05:45\n"), "\(shown)")
        let queue = try terminal("queue list", zone: "Europe/Berlin")
        #expect(queue.contains(#/\d{4}-\d{2}-\d{2} \d{2}:\d{2} CET/#), "\(queue)")
        let berlin = ["TRACE_TIME_ZONE": "Europe/Berlin"]
        #expect(
            try scratch.trace("sessions", environment: berlin).output.contains(
                "\tclosed\t2026-02-04T20:00:00.000Z\t"))
        #expect(
            try scratch.trace("session", "show", "set", environment: berlin).output.contains(
                "\nstart_time: 2026-02-04T20:00:00.000Z\n"))
        #expect(try scratch.trace("queue", "list", environment: berlin).output.contains("Z\t"))
    }

    @Test func `a terminal shows when a session ended there, and clocks for lengths`() throws {
        try scratch.session("a")
        let closed = try terminal("session close a --at 2026-02-04T21:52:49.7", zone: "Europe/Berlin")
        #expect(closed.hasPrefix("at 2026-02-04 21:52:49.700 CET\n"), "\(closed)")
        #expect(closed.hasSuffix(" (52:49.7, ended 2026-02-04 21:52 CET)\n"), "\(closed)")
        try scratch.session("b", id: 2)
        #expect(
            try terminal("session pause b", zone: "UTC").contains(#/paused: \S+ \(at \d+:\d\d:\d\d\.\d\)\n/#))
        #expect(
            try terminal("session resume b", zone: "UTC").contains(
                #/resumed: \S+ \(at \d+:\d\d:\d\d\.\d, paused for \d+:\d\d\.\d\)\n/#))
        #expect(try scratch.trace("session", "pause", "b").output.hasSuffix("ms)\n"))
    }

    @Test func `what was done is told in the zone`() throws {
        try scratch.session("a")
        #expect(try scratch.trace("mark", "a", "--offset", "5s").status == 0)
        let told =
            #/mark 0:05 in <scratch>\/sessions\/a, written \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\+05:45\n/#
        let outcome = try scratch.trace(
            ["undo", "--dry-run"], environment: ["TRACE_TIME_ZONE": "Asia/Kathmandu"])
        #expect(outcome.output.contains(told), "\(outcome)")
        #expect(
            try scratch.trace("undo", "--dry-run", "--utc").output.hasPrefix(
                "would undo: mark 0:05 in <scratch>/sessions/a, written <now>\n"))
        // A list is for programs, but on a terminal.
        #expect(
            try terminal("undo --list", zone: "Asia/Kathmandu").contains(
                #/\n\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\+05:45  mark +0:05 +a\n/#))
        #expect(
            try scratch.trace(["undo", "--list"], environment: ["TRACE_TIME_ZONE": "Asia/Kathmandu"]).output
                .hasPrefix("<now>\tmark\t1\tmarker\t"))
    }

    @Test func `a session over midnight counts for the day on which it began, by the clocks of the zone`()
        throws
    {
        // 23:30 to 00:10 in UTC: the next day in Berlin, the same in New York.
        try scratch.session("late", id: 1, start: "2026-02-04T23:30:00.000Z")
        try scratch.session("noon", id: 2, start: "2026-02-05T12:00:00.000Z")
        func days(_ zone: String, _ more: String...) throws -> [String] {
            let week = try scratch.trace(
                ["digest", "show", "--since", "2026-02-04", "--until", "2026-02-05"] + more,
                environment: ["TRACE_TIME_ZONE": zone])
            return week.output.matches(of: #/\w{3} (2026-\d\d-\d\d) ▇* ?[\d:]+, (\d) session/#).map {
                "\($0.output.1) \($0.output.2)"
            }
        }
        #expect(try days("Europe/Berlin") == ["2026-02-05 2"])
        #expect(try days("America/New_York") == ["2026-02-04 1", "2026-02-05 1"])
        #expect(try days("Europe/Berlin", "--utc") == ["2026-02-04 1", "2026-02-05 1"])
        let json = try scratch.trace(
            "digest", "show", "--since", "2026-02-04", "--json",
            environment: ["TRACE_TIME_ZONE": "Europe/Berlin"])
        #expect(json.output.contains("\"date\":\"2026-02-04\""), "\(json)")
        #expect(json.output.contains("\"date\":\"2026-02-05\""), "\(json)")
    }

    // MARK: - What is typed

    /// The sessions that started between two moments, by the clocks in Berlin.
    private func sessions(_ since: String, _ until: String) throws -> [String] {
        let outcome = try scratch.trace(
            "sessions", "--since", since, "--until", until, environment: ["TRACE_TIME_ZONE": "Europe/Berlin"])
        try #require(outcome.status == 0, "\(outcome)")
        return ["a", "b", "c", "d"].filter { outcome.output.contains("/sessions/\($0)\t") }
    }

    @Test func `the hour that is repeated is meant as a whole, the one that is left out has nothing in it`()
        throws
    {
        // 02:45 CEST and 02:45 CET; 01:45 CET and 03:15 CEST.
        try scratch.session("a", id: 1, start: "2026-10-25T00:45:00.000Z", title: nil)
        try scratch.session("b", id: 2, start: "2026-10-25T01:45:00.000Z", title: nil)
        try scratch.session("c", id: 3, start: "2026-03-29T00:45:00.000Z", title: nil)
        try scratch.session("d", id: 4, start: "2026-03-29T01:15:00.000Z", title: nil)
        #expect(try sessions("2026-10-25T02:30", "2026-10-25T02:50") == ["a", "b"])
        #expect(try sessions("2026-10-25T02:50", "2026-10-25T02:50") == ["b"])
        #expect(try sessions("2026-10-25T02:45+01:00", "2026-10-25T02:50") == ["b"])
        #expect(try sessions("2026-10-25", "2026-10-25T02:00") == ["a"])
        #expect(try sessions("2026-03-29T01:30", "2026-03-29T02:30") == ["c"])
        #expect(try sessions("2026-03-29T02:30", "2026-03-29T03:30") == ["d"])
        #expect(try sessions("2026-03-29", "2026-03-29") == ["c", "d"])
    }

    @Test func `of a time that the clocks showed twice, it is said which one is meant`() throws {
        let berlin = ["TRACE_TIME_ZONE": "Europe/Berlin"]
        try scratch.session("a", id: 1, start: "2026-10-25T00:45:00.000Z", title: nil)
        let since =
            "warning: --since '2026-10-25T02:30': the clocks showed that time twice; using the first, 2026-10-25 02:30:00 CEST; "
            + "for the second, 2026-10-25 02:30:00 CET, write 2026-10-25T01:30:00.000Z\n"
        let until =
            "warning: --until '2026-10-25T02:30': the clocks showed that time twice; using the second, 2026-10-25 02:30:00 CET; "
            + "for the first, 2026-10-25 02:30:00 CEST, write 2026-10-25T00:30:00.000Z\n"
        for command in [["sessions"], ["timeline"], ["markers", "list", "--all"], ["digest", "show"]] {
            let outcome = try scratch.trace(
                command + ["--since", "2026-10-25T02:30", "--until", "2026-10-25T02:30"], environment: berlin)
            #expect(outcome.errors.hasPrefix(since + until), "\(command) \(outcome)")
        }
        #expect(
            try !scratch.trace(["timeline", "--day", "2026-10-25"], environment: berlin).errors.contains(
                "twice"))
        let made = try scratch.trace(
            ["session", "init", "sessions/b", "--start", "2025-10-26T02:30"], environment: berlin)
        #expect(
            made.errors.contains(
                "--start '2025-10-26T02:30': the clocks showed that time twice; using the first"), "\(made)")
    }

    @Test(arguments: [
        (
            "2026-10-25T02:30", "2026-10-25 02:30:00 CEST",
            "warning: the clocks showed that time twice; using the first, 2026-10-25 02:30:00 CEST; for the second, 2026-10-25 02:30:00 CET, write 2026-10-25T01:30:00.000Z\n"
        ),
        (
            "2026-03-29T02:30", "2026-03-29 03:00:00 CEST",
            "warning: the clocks skipped that time; using the moment of the change\n"
        ),
        ("2026-07-01T12:00:00.5", "2026-07-01 12:00:00.500 CEST", ""),
        ("2026-10-25T02:30+01:00", "2026-10-25 02:30:00 CET", ""),
        ("2060-07-01T12:00", "2060-07-01 12:00:00 CEST", ""),
        ("1960-07-01T12:00", "1960-07-01 12:00:00 CET", ""),
    ])
    func `a moment that the clocks showed twice or never is told`(typed: String, read: String, doubt: String)
        throws
    {
        #expect(
            try scratch.trace("at", typed, environment: ["TRACE_TIME_ZONE": "Europe/Berlin"])
                == Outcome(errors: "at \(read)\n\(doubt)no session ran then\n", status: 1))
    }

    // MARK: - Written digests

    @Test func `a written digest keeps its zone on whatever journey`() throws {
        try scratch.closedSession("set", markers: marker(10, at: 61_000, tags: ["highlight"]))
        func generate(_ zone: String, _ more: String...) throws -> Outcome {
            try scratch.trace(
                ["digest", "generate", "set", "--json"] + more, environment: ["TRACE_TIME_ZONE": zone])
        }
        #expect(try generate("Europe/Berlin").output.contains("\"changed\":true"))
        let home = try scratch.text("sessions/set/digest.md")
        #expect(
            home.hasPrefix(
                "<!-- trace:begin digest v1 zone=Europe/Berlin -->\n# Set\n2026-02-04 21:00 CET · "))
        #expect(try generate("Asia/Kathmandu").output.contains("\"changed\":false"))
        #expect(try scratch.text("sessions/set/digest.md") == home)
        // The next mark abroad: still the same zone.
        #expect(try scratch.trace("mark", "set", "--offset", "70s", "--tag", "highlight").status == 0)
        #expect(try generate("Asia/Kathmandu").output.contains("\"changed\":true"))
        #expect(
            try scratch.text("sessions/set/digest.md").contains(
                "zone=Europe/Berlin -->\n# Set\n2026-02-04 21:00 CET"))
        // What is shown is in the zone of where one is.
        let shown = try scratch.trace(
            "digest", "show", "set", "--rendered", environment: ["TRACE_TIME_ZONE": "Asia/Kathmandu"])
        #expect(shown.output.contains("\n2026-02-05 01:45 UTC+05:45 · "))
        #expect(try generate("Asia/Kathmandu", "--utc").output.contains("\"changed\":true"))
        #expect(
            try scratch.text("sessions/set/digest.md").contains("zone=UTC -->\n# Set\n2026-02-04 20:00 UTC"))
    }

    @Test func `a rule of TZ is noted too, and a zone that nobody knows is told`() throws {
        try scratch.closedSession("set")
        let rule = ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"]
        #expect(try scratch.trace("digest", "generate", "set", environment: rule).status == 0)
        let written = try scratch.text("sessions/set/digest.md")
        #expect(written.hasPrefix("<!-- trace:begin digest v1 zone=CET-1CEST,M3.5.0,M10.5.0/3 -->\n"))
        #expect(try scratch.trace("digest", "generate", "set", "--json").output.contains("\"changed\":false"))
        try scratch.write(
            written.replacing("CET-1CEST,M3.5.0,M10.5.0/3", with: "Mars/Olympus"),
            to: "sessions/set/digest.md")
        #expect(
            try scratch.trace("digest", "generate", "set")
                == .failure(
                    65,
                    """
                    digest.md notes zone=Mars/Olympus: 'Mars/Olympus' is not a time zone known on this machine
                      hint: 'timedatectl list-timezones' lists them; if there are none, apt install tzdata
                    """))
    }
}
