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

    @Test func `the drop-in that the documentation shows is one`() throws {
        let page = try String(contentsOfFile: "\(Self.source)/../docs/operations.md", encoding: .utf8)
        let example = String(try #require(page.firstMatch(of: #/(?s)```ini\n(.*?)```/#)?.1))
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
