import SystemPackage
import Testing
import TraceConfiguration

@Suite(.machine) struct DefaultsTests {
    let machine = Machine.current

    @Test func `without files a user gets the XDG directories and the documented values`() throws {
        let settings = try machine.load()
        #expect(settings.roots == [machine.home.appending(".local/share/trace/sessions")])
        let state = machine.home.appending(".local/state/trace")
        #expect(settings.stateDirectory == state)
        #expect(settings.runtimeDirectory == state.appending("run"))
        #expect(settings.spools == [state.appending("queue")])
        #expect(settings.reconcileInterval == .seconds(300))
        #expect(settings.settleTime == .seconds(2))
        #expect(settings.quietPeriod == .milliseconds(100))
        #expect(settings.maximumWait == .seconds(1))
        #expect(settings.logLevel == .info)
        #expect(settings.logFormat == .auto)
        #expect(settings.files.isEmpty)
    }

    @Test func `everything the tools keep lies in the state directory`() throws {
        let settings = try machine.load(["TRACE_STATE_DIRECTORY": "/state"])
        #expect(settings.indexDatabase == "/state/index.sqlite")
        #expect(settings.localSpool == "/state/queue")
        #expect(settings.done == "/state/done")
        #expect(settings.failed == "/state/failed")
    }

    @Test(arguments: ["", "/", "/nonexistent", "relative/home"])
    func `without a home directory the machine's locations are used`(home: String) throws {
        let settings = try machine.load(["HOME": home])
        #expect(settings.roots == ["/srv/trace/sessions"])
        #expect(settings.stateDirectory == "/var/lib/trace")
        #expect(settings.runtimeDirectory == "/var/lib/trace/run")
        #expect(settings.origin(of: TraceKeys.stateDirectory).description == "default")
    }

    @Test func `XDG variables move the defaults, and relative ones are ignored`() throws {
        let settings = try machine.load([
            "XDG_DATA_HOME": "/data", "XDG_STATE_HOME": "not/absolute", "XDG_RUNTIME_DIR": "/run/user/1000",
        ])
        #expect(settings.roots == ["/data/trace/sessions"])
        #expect(settings.stateDirectory == machine.home.appending(".local/state/trace"))
        #expect(settings.runtimeDirectory == "/run/user/1000/trace")
        #expect(settings.origin(of: TraceKeys.roots).description == "default from XDG_DATA_HOME")
        #expect(settings.origin(of: TraceKeys.stateDirectory).description == "default from HOME")
    }

    @Test func `the directories of systemd come before XDG, and a configured one before both`() throws {
        let systemd = ["STATE_DIRECTORY": "/var/lib/trace:/var/lib/other", "RUNTIME_DIRECTORY": "/run/trace"]
        let settings = try machine.load(systemd.merging(["XDG_STATE_HOME": "/xdg"]) { $1 })
        #expect(settings.stateDirectory == "/var/lib/trace")
        #expect(settings.runtimeDirectory == "/run/trace")
        #expect(settings.origin(of: TraceKeys.stateDirectory) == .builtIn(from: "STATE_DIRECTORY"))

        try machine.write("state_directory: /srv/state", to: machine.systemFile)
        #expect(try machine.load(systemd).stateDirectory == "/srv/state")
    }
}
