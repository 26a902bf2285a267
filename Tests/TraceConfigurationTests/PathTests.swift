import SystemPackage
import Testing
import TraceConfiguration
import TraceText

@Suite(.machine) struct PathTests {
    let machine = Machine.current

    @Test(arguments: [
        ("~", ""), ("~/", ""), ("~/a/b", "a/b"), ("$HOME/a", "a"), ("${HOME}/a", "a"), ("~/./a//b/", "a/b"),
        ("~/a/../b", "a/../b"),
    ])
    func `the home directory is expanded in every source`(text: String, expected: String) throws {
        let path = expected.isEmpty ? machine.home : machine.home.appending(expected)
        #expect(try machine.load(["TRACE_ROOTS": text]).roots == [path])
        try machine.write("roots: ['\(text)']", to: machine.systemFile)
        #expect(try machine.load().roots == [path])
        var flags = SettingsFlags()
        flags.set(TraceKeys.roots, by: "--root", to: [text])
        #expect(try machine.load(flags: flags).roots == [path])
    }

    @Test func `a relative path starts from the file, or from the working directory`() throws {
        try machine.write("roots: [sessions, ../more, ./~odd]", to: machine.systemFile)
        let etc = machine.root.appending("etc")
        #expect(
            try machine.load().roots == [
                etc.appending("sessions"), etc.appending("../more"), etc.appending("~odd"),
            ])
        #expect(
            try machine.load(["TRACE_ROOTS": "sessions::./b"]).roots == [
                machine.work.appending("sessions"), machine.work.appending("b"),
            ])
    }

    @Test func `a path from the environment need not be UTF-8`() throws {
        let odd: [UInt8] = [0x2F, 0xFF, 0x62]
        let settings = try machine.load(
            bytes: ["TRACE_ROOTS": odd + [0x3A] + Array("/plain".utf8), "TRACE_STATE_DIRECTORY": odd])
        let expected = FilePath(platformString: odd.map(CInterop.PlatformChar.init(bitPattern:)) + [0])
        #expect(settings.roots == [expected, "/plain"])
        #expect(settings.stateDirectory == expected)
    }

    @Test func `the running process gives absolute paths`() throws {
        let settings = try TraceSettings.load(flags: SettingsFlags(configFile: "/dev/null"))
        #expect(settings.roots.allSatisfy { $0.isAbsolute })
    }

    @Test(arguments: [
        (
            "~bob/x", "roots '~bob/x' starts with '~bob', which is not expanded",
            "write the full path; only ~ and $HOME are expanded (a file of that name is ./~bob)"
        ),
        (
            "$DATA/x", "roots '$DATA/x' starts with '$DATA', which is not expanded",
            "write the full path; only ~ and $HOME are expanded (a file of that name is ./$DATA)"
        ),
    ])
    func `what cannot be expanded is refused`(text: String, message: String, hint: String) throws {
        let error = try machine.error(["TRACE_ROOTS": "/a:\(text)"])
        #expect(error.code == .invalidValue)
        #expect(error.message == message)
        #expect(error.cure?.text == hint)
    }

    @Test func `the home directory is refused where there is none`() throws {
        let error = try machine.error(["HOME": "", "TRACE_ROOTS": "~/x"])
        #expect(error.code == .invalidValue)
        #expect(
            "\(error)" == """
                TRACE_ROOTS: roots '~/x' starts from the home directory, but there is none [config-invalid-value]
                  hint: write the full path, or set HOME
                """)
    }

    @Test func `a relative path is refused where the working directory is gone`() throws {
        let error = try machine.error(["TRACE_ROOTS": "x"], workingDirectory: .some(nil))
        #expect(error.code == .invalidValue)
        #expect(error.message == "roots 'x' is relative, and the working directory no longer exists")
    }

    @Test func `a bad path in a list is shown at its own line, escaped`() throws {
        try machine.write("roots:\n  - /a\n  - \"/b\\0\\e[1m\"\n", to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .invalidValue)
        #expect(
            machine.text(error) == """
                /S/etc/config.yaml:3: roots '/b\\u{0}\\u{1B}[1m' has a NUL byte [config-invalid-value]
                  hint: file names can't contain one; remove it
                """)
    }

    @Test func `bytes that are not UTF-8 are escaped in messages`() throws {
        let error = #expect(throws: ConfigurationError.self) {
            try machine.load(bytes: ["TRACE_LOG_LEVEL": [0x61, 0xFF, 0xC3, 0xA9]])
        }
        #expect(error?.message == "log_level 'a\\xFFé' is not one of its values")
    }
}
