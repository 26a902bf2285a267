import Foundation
import ProgramHarness
import Testing

/// What lies in `systemd/`, as systemd's own programs see it.
struct UnitTests {
    private let scratch: Scratch
    private static let source = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "systemd").path

    init() throws { scratch = try Scratch() }

    private func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(Self.source)/\(name)", encoding: .utf8)
    }

    private func analyze(_ arguments: String...) throws -> Outcome {
        try scratch.run(
            "/usr/bin/systemd-analyze", arguments,
            ["XDG_RUNTIME_DIR": scratch.path, "SYSTEMD_COLORS": "0", "PAGER": "cat"])
    }

    /// - Returns: The path of a unit that starts the built daemon.
    private func unit(_ name: String, as installed: String) throws -> String {
        let text = try read(name).replacing("/usr/bin/traced", with: Binaries.url("traced").path)
        try scratch.write(text, to: installed)
        return "\(scratch.path)/\(installed)"
    }

    /// The exposure that is allowed, in tenths. A user's service manager has not the means for most of what is counted.
    @Test(arguments: [
        ("traced.service", "traced.service", "--system", 20),
        ("traced@.service", "traced@.service", "--system", 20),
        ("traced.user.service", "traced.service", "--user", 62),
    ])
    func `a unit is understood whole, and shut in`(
        name: String, installed: String, manager: String, threshold: Int
    ) throws {
        let unit = try unit(name, as: installed)
        let verified = try analyze("verify", manager, "--man=no", "--recursive-errors=no", unit)
        #expect(verified == Outcome(), "\(verified)")
        let security = try analyze(
            "security", manager, "--offline=true", "--no-pager", "--threshold=\(threshold)", unit)
        #expect(security.status == 0 && security.errors == "", "\(security)")
    }

    @Test(arguments: ["traced.service", "traced@.service", "traced.user.service"])
    func `a unit has what the daemon relies on`(name: String) throws {
        let lines = try read(name).split(separator: "\n")
        for line in [
            "Type=notify", "ExecStart=/usr/bin/traced", "ExecReload=/bin/sh -c 'kill -HUP ${MAINPID}'",
            "WatchdogSec=60",
            "Restart=on-failure", "RestartPreventExitStatus=64 78",
        ] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
    }

    @Test(arguments: ["traced.service", "traced@.service", "traced.user.service"])
    func `a unit allows the calls by which the daemon confines ffmpeg`(name: String) throws {
        let filters = try read(name).split(separator: "\n").filter { $0.hasPrefix("SystemCallFilter=") }
        let last = try #require(filters.last)
        // Behind what takes away, which would hold for these too.
        #expect(last == "SystemCallFilter=landlock_create_ruleset landlock_add_rule landlock_restrict_self")
    }

    // MARK: - Sockets

    @Test(arguments: [("traced", "--system"), ("traced.user", "--user")])
    func `a socket unit is understood whole, and mistakes in it are found`(name: String, manager: String)
        throws
    {
        _ = try unit("\(name).service", as: "traced.service")
        let socket = try unit("\(name).socket", as: "traced.socket")
        func verified() throws -> Outcome {
            try analyze("verify", manager, "--man=no", "--recursive-errors=no", socket)
        }
        let outcome = try verified()
        #expect(outcome == Outcome(), "\(outcome)")
        try scratch.write(
            try read("\(name).socket").replacing("Service=", with: "Servic="), to: "traced.socket")
        #expect(try verified().errors.contains("Servic"))
    }

    @Test(arguments: ["traced.socket", "traced.user.socket"])
    func `a socket unit listens on this machine alone, at the port by custom`(name: String) throws {
        let lines = try read(name).split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("Listen") } == ["ListenStream=127.0.0.1:8722"])
        #expect(lines.contains("Service=traced.service"))
        // Enabled, it comes with the daemon, so that a restart of the daemon is enough to take it.
        #expect(lines.contains("WantedBy=sockets.target traced.service"))
    }

    @Test(arguments: ["traced.service", "traced@.service", "traced.user.service"])
    func `no unit of the daemon asks for a socket, so nothing listens unless its socket is enabled`(
        name: String
    )
        throws
    {
        let settings = try read(name).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(settings.filter { $0.contains(".socket") || $0.hasPrefix("Sockets=") } == [])
    }

    @Test(arguments: ["traced.service", "traced@.service"])
    func `a daemon of the system can open no connection to another machine`(name: String) throws {
        let lines = try read(name).split(separator: "\n")
        for line in ["PrivateNetwork=yes", "RestrictAddressFamilies=AF_UNIX", "IPAddressDeny=any"] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
        #expect(!lines.contains { $0.hasPrefix("IPAddressAllow=") })
    }

    // MARK: - Examples of the documentation

    /// - Returns: The unit file that `docs/operations.md` shows under a path.
    private func example(_ path: String) throws -> String {
        let page = try String(contentsOfFile: "\(Self.source)/../docs/operations.md", encoding: .utf8)
        let examples = page.matches(of: #/(?s)```ini\n(.*?)```/#).map { String($0.output.1) }
        return try #require(examples.first { $0.hasPrefix("# \(path)\n") }, "\(path)")
    }

    @Test func `the socket unit for one user's daemon that the documentation shows is one`() throws {
        _ = try unit("traced@.service", as: "traced@.service")
        let text = try example("/etc/systemd/system/traced@NAME.socket").replacing("NAME", with: "ann")
        try scratch.write(text, to: "traced@ann.socket")
        let verified = try analyze(
            "verify", "--system", "--man=no", "--recursive-errors=no", "\(scratch.path)/traced@ann.socket")
        #expect(verified == Outcome(), "\(verified)")
        #expect(text.contains("\nWantedBy=sockets.target traced@ann.service\n"))
    }

    @Test func `the drop-in that the documentation shows is one`() throws {
        let example = try example("/etc/systemd/system/traced.service.d/override.conf")
        let unit = try unit("traced.service", as: "traced.service")
        try scratch.makeDirectory("traced.service.d")
        func verified(_ dropIn: String) throws -> Outcome {
            try scratch.write(dropIn, to: "traced.service.d/override.conf")
            return try analyze("verify", "--system", "--man=no", "--recursive-errors=no", unit)
        }
        #expect(try verified(example) == Outcome())
        #expect(
            try verified(example.replacing("ReadWritePaths", with: "ReadWritPaths")).errors.contains(
                "override.conf"))
    }

    @Test func `user, group and directories are made`() throws {
        try scratch.makeDirectory("root/etc")
        try scratch.write("root:x:0:0:root:/root:/bin/sh\n", to: "root/etc/passwd")
        try scratch.write("root:x:0:\n", to: "root/etc/group")
        let root = "--root=\(scratch.path)/root"
        #expect(
            try scratch.run(
                "/usr/bin/systemd-sysusers", ["--dry-run", root, "\(Self.source)/trace.sysusers"]
            )
            .errors.contains("user 'traced'"))
        guard getuid() == 0 else { return }
        #expect(
            try scratch.run("/usr/bin/systemd-sysusers", [root, "\(Self.source)/trace.sysusers"]).status == 0)
        let users = try scratch.text("root/etc/passwd", filled: false)
        #expect(users.contains("\ntraced:x:") && users.contains(":/nonexistent:/usr/sbin/nologin"))
        let made = try scratch.run(
            "/usr/bin/systemd-tmpfiles", ["--create", root, "\(Self.source)/trace.tmpfiles"])
        #expect(made == Outcome(), "\(made)")
        let modes = try scratch.run(
            "/usr/bin/stat",
            ["-c", "%a %n", "root/srv/trace", "root/srv/trace/sessions", "root/var/lib/trace"])
        #expect(
            modes.output == """
                2775 root/srv/trace
                2775 root/srv/trace/sessions
                2770 root/var/lib/trace

                """)
    }

    @Test func `the limit of watches is one that the kernel knows`() throws {
        let keys = try read("trace.sysctl").split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: " ").first }
        #expect(keys.count == 1)
        for key in keys {
            #expect(access("/proc/sys/\(key.replacing(".", with: "/"))", F_OK) == 0, "\(key)")
        }
    }
}
