import SystemPackage
import Testing
import TraceConfiguration
import TraceText

@Suite(.machine) struct PrecedenceTests {
    let machine = Machine.current

    @Test func `each source outranks the one before it, and says so`() throws {
        func reconcile(
            _ environment: [String: String] = [:], flags: SettingsFlags = SettingsFlags()
        ) throws -> (Duration, SettingOrigin) {
            let settings = try machine.load(environment, flags: flags)
            return (settings.reconcileInterval, settings.origin(of: TraceKeys.reconcileInterval))
        }
        #expect(try reconcile() == (.seconds(300), .builtIn(from: nil)))
        try machine.write("# the machine's\n\nreconcile_interval: 10m\n", to: machine.systemFile)
        #expect(try reconcile() == (.seconds(600), .file(machine.systemFile, line: 3)))
        try machine.write("reconcile_interval: 20m\n", to: machine.userFile)
        #expect(try reconcile() == (.seconds(1200), .file(machine.userFile, line: 1)))
        let environment = ["TRACE_RECONCILE_INTERVAL": "30m"]
        #expect(try reconcile(environment) == (.seconds(1800), .environment("TRACE_RECONCILE_INTERVAL")))
        var flags = SettingsFlags()
        flags.set(TraceKeys.reconcileInterval, by: "--reconcile-interval", to: ["40m"])
        #expect(try reconcile(environment, flags: flags) == (.seconds(2400), .flag("--reconcile-interval")))
        flags.set(TraceKeys.reconcileInterval, by: "--reconcile-interval", to: [])
        #expect(try reconcile(environment, flags: flags).0 == .seconds(1800))
    }

    @Test func `a later source replaces a whole list and leaves other keys alone`() throws {
        try machine.write("roots: [/a, /b]\nlog_level: debug", to: machine.systemFile)
        try machine.write("roots: [/c]", to: machine.userFile)
        let settings = try machine.load()
        #expect(settings.roots == ["/c"])
        #expect(settings.logLevel == .debug)
        #expect(settings.files == [machine.userFile, machine.systemFile])
    }

    @Test func `an empty variable counts as unset`() throws {
        #expect(try machine.load(["TRACE_LOG_LEVEL": "", "TRACE_ROOTS": ""]).logLevel == .info)
    }

    @Test func `a named file is used instead of the two, and the flag before the variable`() throws {
        try machine.write("log_level: debug", to: machine.systemFile)
        try machine.write("log_level: trace", to: machine.userFile)
        try machine.write("log_format: json", to: machine.work.appending("one.yaml"))
        try machine.write("log_format: text", to: machine.work.appending("two.yaml"))
        let environment = ["TRACE_CONFIG": "one.yaml"]
        let settings = try machine.load(environment)
        #expect(settings.logFormat == .json)
        #expect(settings.logLevel == .info)
        #expect(settings.files == [machine.work.appending("one.yaml")])
        #expect(
            try machine.load(environment, flags: SettingsFlags(configFile: "two.yaml")).logFormat == .text)
        #expect(try machine.load(["TRACE_CONFIG": "/dev/null"]).logLevel == .info)
    }

    @Test func `a named file that is not there is an error`() throws {
        let error = try machine.error(["TRACE_CONFIG": "none.yaml"])
        #expect(error.code == .fileUnreadable)
        #expect(
            machine.text(error) == """
                TRACE_CONFIG: there is no configuration file '/S/work/none.yaml' [config-file-unreadable]
                  hint: correct the path, or leave it out to use the default files
                """)
        let flag = try machine.error(flags: SettingsFlags(configFile: "none.yaml"))
        #expect(flag.origin == .flag("--config"))
    }
}
