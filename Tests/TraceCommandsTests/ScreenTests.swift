import TestSupport
import Testing

/// What people see on a terminal, and that scripts see what they saw.
struct ScreenTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.copySample()
        try scratch.copyQueue()
        try scratch.session(
            "2026-03-29-夏時間の夜の練習", id: 7, start: "2026-03-29T00:30:00.000Z", title: "夏時間の夜の練習、長い長い題名がここに続きます",
            markers: marker(
                71, at: 14_830, #""label":"練習曲その二","note":"左手をもっと静かに、右手はそのまま","duration_ms":65000,"#,
                tags: ["highlight", "左手"])
                + marker(
                    72, at: 3_725_250,
                    #""label":"e\#u{301}tude \#u{1F469}\#u{200D}\#u{1F469}\#u{200D}\#u{1F467} \u001b[31m","#,
                    tags: ["fix-review"])
                + marker(73, at: 3_800_000))
    }

    /// What a terminal of so many columns shows, without colours if nothing else is said.
    private func screen(
        _ commands: [String], columns: Int, rows: Int = 50, zone: String = "UTC",
        environment: [String: String] = ["NO_COLOR": "1"]
    ) throws -> String {
        let script = commands.map { "printf '$ %s\\n' 'trace \($0)'; \"$TRACE\" \($0) 2>&1; echo" }
        try scratch.write(
            "stty cols \(columns) rows \(rows)\n" + script.joined(separator: "\n") + "\n", to: "screen.sh")
        scratch.environment = environment.merging([
            "TERM": "xterm-256color", "TRACE_PAGER": "", "SHELL": "/bin/sh", "TRACE_TIME_ZONE": zone,
            // How long ago something happened is another number each day.
            "TRACE_STALE_AFTER": "3650d",
        ]) {
            $1
        }
        let output = try scratch.shell("script -qec 'sh screen.sh' /dev/null </dev/null").output
        // A terminal ends lines by "\r\n", which is one character; what is left of a bar that was drawn over itself, as on a
        // slow machine, is nothing.
        return output.replacing(#/(?:\r[^\r\n]*\u{1B}\[K)+/#, with: "").replacing("\r\n", with: "\n")
            // The clock of an active session runs.
            .replacing(#/ at \d+:\d\d:\d\d\.\d, (last mark|no mark)/#) { " at <clock>, \($0.output.1)" }
    }

    private static let commands = [
        "sessions", "sessions --tag highlight", "markers list 2026-02-04-late-set",
        "markers list 2026-03-29-夏時間の夜の練習",
        "markers list 2026-02-11-loop-practice --tag highlight", "markers list --all",
        "markers list --all --tag nothing",
        "search t*", "search 練習", "search セッション", "search thi", "at 2026-02-04T20:52Z",
        "at 2026-03-29T00:30:10Z",
        "at 2001-01-01T00:00Z", "queue list", "queue list --all", "action list 2026-02-04-late-set",
        "action list 2026-02-11-loop-practice", "session show 2026-02-04-late-set",
        "session show 2026-03-29-夏時間の夜の練習",
        "tag list", "journals", "timeline --day 2026-02-11", "voice-notes list 2026-02-04-late-set", "status",
        "digest show 2026-02-04-late-set --rendered",
        "digest show 2026-03-29-夏時間の夜の練習", "digest show --since 2026-02-01 --until 2026-03-29",
        // Errors
        "markers list nowhere", "session list", "mark 2026-02-04-late-set 2:60", "mark 2:00 That groove",
        "mark --ofset 2:00", "at soon", "sessions --since 2026-03-30 --until 2026-03-29",
        "marker edit 000072x --label y",
        "validate 2026-01-28-rehearsal-broken", "help nope",
    ]

    /// One session begins half an hour before summer time does in Berlin.
    @Test(arguments: [
        (60, 50, "Europe/Berlin"), (80, 24, "UTC"), (80, 50, "Europe/Berlin"), (100, 30, "UTC"),
        (200, 50, "UTC"),
        (200, 50, "Europe/Berlin"),
    ])
    func `lists fit the terminal`(columns: Int, rows: Int, zone: String) throws {
        let screen = try screen(Self.commands, columns: columns, rows: rows, zone: zone)
        let name = zone.replacing("/", with: "-")
        try expectGolden(screen, "screen-\(columns)-\(name).txt")
    }

    @Test func `categories have their colours, and nothing is said by them alone`() throws {
        let lists = [
            "markers list 2026-02-04-late-set", "search hair", "sessions", "action list 2026-02-04-late-set",
        ]
        let plain = try screen(lists, columns: 110)
        let coloured = try screen(lists, columns: 110, environment: [:])
        #expect(coloured.contains("\u{1B}[31mfix-review\u{1B}[0m"))
        #expect(coloured.contains("\u{1B}[33mhighlight\u{1B}[0m"))
        #expect(coloured.contains("\u{1B}[1mhair\u{1B}[0m"))
        #expect(coloured.replacing(/\u{1B}\[\d+m/, with: "") == plain)
    }

    /// A list that is not held as a whole has the widths of its beginning.
    @Test func `a long list keeps its columns`() throws {
        let markers = (0..<3000).map { number in
            marker(
                10_000 + number, at: number * 10_000,
                number < 1000 ? "" : "\"label\":\"Take \(number)\",\"note\":\"a b c\",")
        }
        try scratch.session("long", id: 8, start: "2026-04-01T20:00:00.000Z", markers: markers.joined())
        for command in ["markers list long", "markers list --all --session long"] {
            let lines = try screen([command], columns: 100).split(separator: "\n").dropFirst()
            #expect(lines.count == 3001)
            #expect(lines.first?.contains("LABEL") == true && lines.first?.contains("NOTE") == true)
            #expect(lines.allSatisfy { $0.count <= 100 })
            let ends = lines.dropFirst().map(\.count)
            #expect(Set(ends).count == 1, "\(command)")
            #expect(lines.last?.contains("Take 2999") == true && lines.last?.hasSuffix("012999") == true)
        }
    }

    @Test func `in a pipe there is no table`() throws {
        #expect(
            try scratch.trace("markers", "list", "2026-03-29-夏時間の夜の練習").output.hasPrefix(
                "\(number(71))\t14830\t"))
        #expect(try scratch.trace("search", "練習").output.contains("\t0:14\t14830\tmarker\t練習曲その二\t"))
        #expect(try scratch.trace("session", "show", "2026-02-04-late-set").output.hasPrefix("id: "))
    }
}
