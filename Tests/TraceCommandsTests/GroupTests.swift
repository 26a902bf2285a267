import Foundation
import ProgramHarness
import Testing

/// Several people of one group and a daemon of its own user, as on a home server. Needs root, to be all of them.
@Suite(.enabled(if: getuid() == 0)) struct GroupTests {
    private let scratch: Scratch
    private static let group = 5900

    /// Somebody, and with which umask.
    private struct Person {
        var id: Int
        var isMember = true
        var umask = "022"

        /// A command line that becomes this person.
        func command(_ program: String, _ arguments: [String]) -> [String] {
            [
                "/bin/sh", "-c", "umask \(umask); exec \"$0\" \"$@\"", "/usr/bin/setpriv", "--reuid=\(id)",
                "--regid=\(id)", isMember ? "--groups=\(GroupTests.group)" : "--clear-groups", "--", program,
            ] + arguments
        }
    }

    private let service = Person(id: 5901, umask: "007")
    private let alice = Person(id: 5902)
    private let bob = Person(id: 5903, umask: "077")
    private let stranger = Person(id: 5904, isMember: false)

    init() throws {
        scratch = try Scratch()
        try scratch.makeDirectory("state")
        try scratch.makeDirectory("run")
        // As systemd and tmpfiles.d make them.
        #expect(
            try scratch.shell(
                """
                chown -R \(service.id):\(Self.group) . && chmod 755 . && chmod 2775 sessions run && chmod 2770 state
                """) == Outcome())
    }

    private func trace(_ person: Person, _ arguments: String...) throws -> Outcome {
        let command = person.command(Binaries.url("trace").path, arguments)
        return try scratch.run(
            command[0], Array(command.dropFirst()),
            ["XDG_CONFIG_HOME": "/nonexistent", "HOME": "/nonexistent"])
    }

    private func done(_ person: Person, _ arguments: String...) throws -> Outcome {
        let command = person.command(Binaries.url("trace").path, arguments)
        let outcome = try scratch.run(
            command[0], Array(command.dropFirst()),
            ["XDG_CONFIG_HOME": "/nonexistent", "HOME": "/nonexistent"])
        #expect(outcome.status == 0, "\(arguments) by \(person.id): \(outcome)")
        #expect(!outcome.errors.contains("warning"), "\(arguments) by \(person.id): \(outcome)")
        return outcome
    }

    private func startDaemon(under wrapper: [String] = []) throws -> DaemonProcess {
        let command = service.command(Binaries.url("traced").path, [])
        return try DaemonProcess(
            in: URL(filePath: scratch.path), environment: ["TRACE_SETTLE_TIME": "300ms"],
            under: wrapper + command.dropLast())
    }

    private func lines(_ file: String) throws -> Int {
        try scratch.text("sessions/\(file)", filled: false).split(separator: "\n").count
    }

    @Test func `whoever comes first, the others of the group can go on`() throws {
        // Alice queues before the daemon has ever run, and makes a session.
        _ = try done(alice, "session", "init", "sessions/set", "--title", "Set")
        _ = try done(alice, "mark", "sessions/set", "--offset", "1000")
        _ = try done(alice, "queue", "add", "marker", "--session", "sessions/set", "--offset", "2000")
        let daemon = try startDaemon()
        try soon("the daemon has drained Alice's entry") { try lines("set/markers.jsonl") == 2 }
        try soon("the entry is kept") {
            try scratch.exists("state/done") && !scratch.names(in: "state/done").isEmpty
        }

        // Bob's umask gives nobody anything, and yet all go on in turn.
        _ = try done(bob, "mark", "sessions/set", "--offset", "3000", "--label", "Drop")
        _ = try done(bob, "undo")
        _ = try done(bob, "mark", "sessions/set", "--offset", "3000")
        _ = try done(alice, "mark", "sessions/set", "--offset", "4000")
        try daemon.pause()
        _ = try done(bob, "queue", "add", "marker", "--session", "sessions/set", "--offset", "5000")
        #expect(try done(alice, "queue", "flush").output.hasSuffix("flushed: 1 applied\n"))
        daemon.resume()
        _ = try done(bob, "queue", "add", "marker", "--session", "sessions/set", "--offset", "6000")
        try soon("the daemon has drained Bob's entry") { try lines("set/markers.jsonl") == 6 }
        _ = try done(bob, "session", "init", "sessions/bobs", "--title", "Bob's")
        _ = try done(alice, "mark", "sessions/bobs", "--offset", "1000")
        // Its marker stands a second after a start that was just now.
        #expect(try trace(alice, "session", "close", "sessions/bobs").status == 0)
        _ = try done(bob, "validate", "--all")
        #expect(try done(alice, "index", "verify").output.hasPrefix("ok: 2 sessions"))
        #expect(!daemon.log.contains("error"), "\(daemon.log)")
        #expect(daemon.terminate().status == 0)

        // An index that a person has made is the daemon's too.
        #expect(try scratch.shell("rm state/index.sqlite*") == Outcome())
        _ = try done(bob, "sessions")
        let second = try startDaemon()
        _ = try done(alice, "mark", "sessions/set", "--offset", "7000")
        try soon("the daemon has read it") { second.log.contains("indexed") }
        #expect(!second.log.contains("error"), "\(second.log)")
        #expect(second.terminate().status == 0)
        let private_ = try scratch.run(
            "/usr/bin/find", ["state", "sessions", "!", "-perm", "-g=rw", "!", "-path", "state/undo*"])
        #expect(private_.output == "state/traced.lock\n", "\(private_)")
    }

    @Test func `who is not of the group learns that the daemon runs, and nothing else`() throws {
        try scratch.session("a")
        let daemon = try startDaemon()
        let status = try trace(stranger, "status")
        #expect(status.status == 0)
        let lines = status.output.split(separator: "\n")
        #expect(
            lines.first?.wholeMatch(of: #/daemon:   running \(process \d+, since <now>\)/#) != nil,
            "\(status)")
        #expect(status.output.contains("queue:    <scratch>/state/queue: cannot "), "\(status)")
        #expect(try trace(stranger, "mark", "sessions/a", "--offset", "5").status != 0)
        daemon.kill()
        #expect(try trace(stranger, "status").output.hasPrefix("daemon:   not running\n"))
        #expect(scratch.exists("run/traced.status"))
        let second = try startDaemon()
        #expect(second.terminate().status == 0)
        #expect(!scratch.exists("run/traced.status"))
    }

    @Test func `the group gives and takes access together, and strangers see none of it`() throws {
        _ = try done(alice, "token", "add", "--name", "phone", "--scope", "mark")
        #expect(try done(bob, "token", "list").output.contains("\tphone\t"))
        #expect(try done(bob, "token", "rename", "phone", "desk").output == "renamed: desk (<ulid>)\n")
        _ = try done(bob, "token", "add", "--name", "laptop", "--scope", "read")
        #expect(try done(alice, "token", "revoke", "laptop").output == "revoked: laptop (<ulid>)\n")
        #expect(try done(service, "token", "log").output.split(separator: "\n").count == 4)
        for arguments in [
            ["list"], ["log"], ["revoke", "desk"], ["add", "--name", "x", "--scope", "admin"],
        ] {
            let command = stranger.command(Binaries.url("trace").path, ["token"] + arguments)
            let outcome = try scratch.run(
                command[0], Array(command.dropFirst()),
                ["XDG_CONFIG_HOME": "/nonexistent", "HOME": "/nonexistent"])
            #expect(outcome.status == 77 && outcome.output == "", "\(arguments): \(outcome)")
        }
        #expect(try done(service, "token", "list").output.split(separator: "\n").count == 1)
    }

    @Test(.enabled(if: Self.canTrace, "strace is missing, or not permitted here"))
    func `the runtime of a daemon without privileges says nothing in the system's log`() throws {
        let calls = "\(scratch.path)/calls"
        let daemon = try startDaemon(
            under: ["/usr/bin/strace", "-D", "-f", "-o", calls, "-e", "trace=connect,setpriority"])
        #expect(daemon.terminate().status == 0)
        let text = try scratch.text("calls")
        #expect(text.contains(/setpriority.*EACCES/), "the cause is there: \(text)")
        #expect(!text.contains("/dev/log"), "\(text)")
    }

    private static let canTrace =
        (try? Scratch().run("/usr/bin/strace", ["-o", "/dev/null", "true"]).status) == 0
}
