import Foundation
import SystemPackage
import Testing
import TraceConfiguration
import TraceText

@Suite(.machine) struct FileTests {
    let machine = Machine.current

    @Test(arguments: [
        "", "# only a comment\n", "---\n", "---\n# nothing\n...\n", "\u{FEFF}# BOM\n", "~\n", "{}\n",
    ])
    func `a file that says nothing is fine`(text: String) throws {
        try machine.write(text, to: machine.systemFile)
        let settings = try machine.load()
        #expect(settings.logLevel == .info)
        #expect(settings.files == [machine.systemFile])
    }

    @Test func `lists, comments, quotes and CRLF are read`() throws {
        try machine.write(
            "# TRACE\r\nroots:\r\n  - /a # one\r\n  - \"/b c\"\r\nlog_level: 'debug'\r\n",
            to: machine.systemFile)
        let settings = try machine.load()
        #expect(settings.roots == ["/a", "/b c"])
        #expect(settings.logLevel == .debug)
        #expect(settings.origin(of: TraceKeys.logLevel) == .file(machine.systemFile, line: 5))
    }

    @Test(arguments: [
        ("root: /a", 1, "root", "did you mean 'roots'?"),
        (
            "log_level: info\nreconcile-interval: 5m", 2, "reconcile-interval",
            "did you mean 'reconcile_interval'?"
        ),
        ("Log_Level: info", 1, "Log_Level", "did you mean 'log_level'?"),
        ("log:\n  level: info", 1, "log.level", "did you mean 'log_level'?"),
        ("stat_directroy: {}", 1, "stat_directroy", "did you mean 'state_directory'?"),
        (
            "zzz: 1", 1, "zzz",
            "the keys are: roots, state_directory, state_shared, runtime_directory, spools, queue_retention, reconcile_interval, poll_interval, settle_time, quiet_period, maximum_wait, stale_after, bin_days, action_timeout, speech_command, speech_language, speech_timeout, time_zone, log_level, log_format, metrics_file, metrics_interval, http_listen, http_certificate, http_key, http_plain_network, http_hosts, http_public_url, http_trusted_proxies, http_connections, http_upload_limit"
        ),
    ])
    func `an unknown key is refused with the nearest one`(text: String, line: Int, key: String, hint: String)
        throws
    {
        try machine.write(text, to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .unknownKey)
        #expect(error.key == key)
        #expect(error.file == machine.systemFile)
        #expect(
            machine.text(error) == """
                /S/etc/config.yaml:\(line): unknown key '\(key)' [config-unknown-key]
                  hint: \(hint)
                """)
    }

    @Test func `an unknown key is found even in a file that is outranked`() throws {
        try machine.write("root: /a", to: machine.systemFile)
        try machine.write("roots: [/a]", to: machine.userFile)
        #expect(try machine.error(["TRACE_ROOTS": "/b"]).code == .unknownKey)
    }

    @Test(arguments: [
        ("roots: [a\nlog_level: info\n", 2), ("a: b: c\n", 1), ("\tlog_level: info\n", 1),
        ("log_level: 'info\n", 2),
        ("log_level: info\n---\nlog_level: debug\n", 2), ("log_level: *none\n", 1),
        (String(repeating: "[", count: 100_000), 1),
    ])
    func `what is not YAML is refused at its line`(text: String, line: Int) throws {
        try machine.write(text, to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .fileMalformed)
        #expect(error.line == line)
        #expect(error.message.hasPrefix("invalid YAML: "))
    }

    @Test func `a syntax error reads like this`() throws {
        try machine.write("log_level: info\nroots: [/a\n", to: machine.systemFile)
        #expect(
            machine.text(try machine.error()) == """
                /S/etc/config.yaml:3: invalid YAML: did not find expected ',' or ']' (column 1) [config-file-malformed]
                  hint: check this line and the one before it; text that contains : # [ { or * needs quotes
                """)
    }

    @Test(arguments: ["- a\n- b\n", "\n\njust text\n"])
    func `a file that is not a mapping is refused`(text: String) throws {
        try machine.write(text, to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .fileMalformed)
        #expect(error.message == "is not a mapping of keys to values")
        #expect(error.cure?.text == "write one 'key: value' a line, such as 'log_level: debug'")
    }

    @Test func `the same key twice is refused`() throws {
        try machine.write("# x\nlog_level: info\nroots: /a\nlog_level: debug\n", to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .duplicateKey)
        #expect(error.key == "log_level")
        #expect(error.message == "key 'log_level' appears twice")
        #expect(error.line == 4)
    }

    @Test(arguments: [
        ("roots: {a: b}", "roots holds a mapping", "write roots: VALUE, or a list with one '- VALUE' a line"),
        ("roots: {}", "roots holds a mapping", "write roots: VALUE, or a list with one '- VALUE' a line"),
        (
            "roots: [[a]]", "roots holds a nested list",
            "write roots: VALUE, or a list with one '- VALUE' a line"
        ),
        ("roots:", "roots has no value", "give it a value, or remove the line"),
        ("log_level: null", "log_level has no value", "give it a value, or remove the line"),
        (
            "roots: [/a, ~]", "roots has no value",
            "YAML reads a bare ~ as null; write \"~\" in quotes for the home directory"
        ),
    ])
    func `a value of the wrong shape is refused`(text: String, message: String, hint: String) throws {
        try machine.write(text, to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .wrongType)
        #expect(error.line == 1)
        #expect(error.message == message)
        #expect(error.cure?.text == hint)
    }

    @Test func `a file that is not UTF-8 is refused at its line`() throws {
        try machine.write(Array("log_level: info\nroots: /".utf8) + [0xFF], to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .fileMalformed)
        #expect(error.line == 2)
        #expect(error.message == "is not UTF-8")
    }

    @Test func `a control character is refused at its line`() throws {
        try machine.write("log_level: info\nroots: /\u{1}", to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .fileMalformed)
        #expect(error.line == 2)
        #expect(error.message == "invalid YAML: control characters are not allowed")
    }

    @Test func `a file beyond all measure is refused`() throws {
        try machine.write([UInt8](repeating: 0x23, count: 1 << 20), to: machine.systemFile)
        #expect(try machine.load().logLevel == .info)
        try machine.write([UInt8](repeating: 0x23, count: 1 << 20 + 1), to: machine.systemFile)
        let error = try machine.error()
        #expect(error.code == .fileMalformed)
        #expect(error.message == "is larger than 1 MiB")
    }

    @Test func `a directory in the place of the file is refused`() throws {
        try machine.write("", to: machine.systemFile.appending("x"))
        let error = try machine.error()
        #expect(error.code == .fileUnreadable)
        #expect(
            machine.text(error) == """
                /S/etc/config.yaml: cannot read the configuration file: Is a directory [config-file-unreadable]
                  hint: make it readable, or name another with --config or TRACE_CONFIG
                """)
    }

    @Test(arguments: [
        "mkfifo", "ln -s /dev/zero", "python3 -c 'import socket, sys; socket.socket(1).bind(sys.argv[1])'",
    ])
    func `a pipe, a device or a socket in the place of the file is refused at once`(command: String) throws {
        try machine.write("", to: machine.systemFile)
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "cd \(machine.root)/etc && rm config.yaml && \(command) config.yaml"]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let error = try machine.error()
        #expect(error.code == .fileUnreadable)
        #expect(
            machine.text(error) == """
                /S/etc/config.yaml: is a pipe, socket or device, not a regular file [config-file-unreadable]
                  hint: put a regular file in its place, or name another with --config or TRACE_CONFIG; /dev/null stands for none
                """)
    }

    @Test(.enabled(if: geteuid() != 0, "root reads everything"))
    func `a file without read permission is refused`() throws {
        try machine.write("log_level: info", to: machine.systemFile)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: machine.systemFile.string)
        let error = try machine.error()
        #expect(error.code == .fileUnreadable)
        #expect(error.message == "cannot read the configuration file: Permission denied")
    }
}
