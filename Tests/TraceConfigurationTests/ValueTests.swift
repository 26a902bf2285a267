import SystemPackage
import Testing
import TraceText

@testable import TraceConfiguration

@Suite(.machine) struct ValueTests {
    let machine = Machine.current

    @Test(
        arguments: [
            ("300", .seconds(300)), ("300s", .seconds(300)), ("5m", .seconds(300)), ("5 m", .seconds(300)),
            ("1h30m", .seconds(5400)), ("1h 30m", .seconds(5400)), ("1d", .seconds(86_400)),
            ("1.5s", .milliseconds(1500)), ("1500ms", .milliseconds(1500)), ("90.25", .milliseconds(90_250)),
        ] as [(String, Duration)])
    func `a duration is read`(text: String, expected: Duration) throws {
        #expect(try machine.load(["TRACE_RECONCILE_INTERVAL": text]).reconcileInterval == expected)
        try machine.write("reconcile_interval: \(text)", to: machine.systemFile)
        #expect(try machine.load().reconcileInterval == expected)
    }

    @Test(
        arguments: [
            (.zero, "0s"), (.milliseconds(100), "100ms"), (.seconds(300), "5m"),
            (.seconds(90_061), "1d1h1m1s"),
            (.milliseconds(1500), "1s500ms"),
        ] as [(Duration, String)])
    func `a duration is written as it can be read`(duration: Duration, text: String) {
        #expect(written(duration) == text)
        #expect(readDuration(Array(text.utf8)) == duration)
    }

    @Test(arguments: [
        "soon", "-5s", "5x", "5m30", "1:30", "m", ".5s", "5.s", "1e3", "9999999999999", "5mm", "٣s",
        "1s1s1s1s1s1s",
    ])
    func `what is no duration is refused`(text: String) throws {
        let error = try machine.error(["TRACE_RECONCILE_INTERVAL": text])
        #expect(error.code == .invalidValue)
        #expect(
            "\(error)" == """
                TRACE_RECONCILE_INTERVAL: reconcile_interval '\(text)' is not a duration [config-invalid-value]
                  hint: write seconds (300, 0.5) or numbers with units (100ms, 5s, 5m, 1h30m, 1d)
                """)
    }

    @Test(arguments: [
        ("TRACE_RECONCILE_INTERVAL", "999ms", "write 1s to 1d"),
        ("TRACE_RECONCILE_INTERVAL", "999999999999d", "write 1s to 1d"),
        ("TRACE_QUIET_PERIOD", "100", "write 0s to 10s; a bare number is seconds"),
        ("TRACE_SETTLE_TIME", "61m", "write 0s to 1h"),
        ("TRACE_MAXIMUM_WAIT", "1h", "write 0s to 1m"),
    ])
    func `a duration out of range is refused`(variable: String, text: String, hint: String) throws {
        let error = try machine.error([variable: text])
        #expect(error.code == .outOfRange)
        #expect(error.cure?.text == hint)
        let key = variable.dropFirst("TRACE_".count).lowercased()
        #expect(error.key == key)
        #expect(error.message == "\(key) '\(text)' is out of range")
    }

    @Test func `events cannot be gathered for longer than the longest wait`() throws {
        try machine.write("log_level: debug\nquiet_period: 2s", to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .outOfRange)
        #expect(
            machine.text(error) == """
                /S/etc/config.yaml:2: quiet_period '2s' is longer than maximum_wait '1s' [config-out-of-range]
                  hint: set maximum_wait to 2s or more, or lower quiet_period
                """)
        #expect(try machine.load(["TRACE_MAXIMUM_WAIT": "2s"]).quietPeriod == .seconds(2))
        #expect(
            try machine.error(["TRACE_QUIET_PERIOD": "100ms", "TRACE_MAXIMUM_WAIT": "99ms"]).key
                == "quiet_period")
    }

    @Test(arguments: LogLevel.allCases) func `every log level is read`(level: LogLevel) throws {
        #expect(try machine.load(["TRACE_LOG_LEVEL": level.rawValue]).logLevel == level)
    }

    @Test func `a word that is not among the choices is refused with the choices`() throws {
        try machine.write("log_format: xml", to: machine.userFile)
        let error = try machine.error()
        #expect(error.code == .invalidValue)
        #expect(
            machine.text(error) == """
                /S/home/.config/trace/config.yaml:1: log_format 'xml' is not one of its values [config-invalid-value]
                  hint: write one of: auto, text, json, journald
                """)
    }

    @Test func `a single value is a list of one, and equal paths count once`() throws {
        try machine.write("roots: /a\nspools: [/x, /y/., //x/]", to: machine.systemFile)
        let settings = try machine.load()
        #expect(settings.roots == ["/a"])
        #expect(settings.spools == [settings.localSpool, "/x", "/y"])
        let again = try machine.load(["TRACE_STATE_DIRECTORY": "/s", "TRACE_SPOOLS": "/x:/s/queue"])
        #expect(again.spools == ["/s/queue", "/x"])
    }

    @Test func `a list for a single value is refused`() throws {
        try machine.write("log_level:\n  - debug\n  - info", to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .wrongType)
        #expect(
            machine.text(error) == """
                /S/etc/config.yaml:1: log_level holds a list [config-wrong-type]
                  hint: write log_level: VALUE
                """)
        var flags = SettingsFlags()
        flags.set(TraceKeys.logLevel, by: "--log-level", to: ["debug", "info"])
        #expect(try machine.error(flags: flags).message == "log_level has 2 values")
    }

    @Test(arguments: [("roots: []", 1), ("\nroots: [ ]", 2)])
    func `no root at all is refused`(text: String, line: Int) throws {
        try machine.write(text, to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .outOfRange)
        #expect(error.message == "roots is empty")
        #expect(error.line == line)
        #expect(try machine.error(["TRACE_ROOTS": ":"]).code == .outOfRange)
    }
}
