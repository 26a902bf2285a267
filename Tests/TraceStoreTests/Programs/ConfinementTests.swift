import FileHarness
import Glibc
import SystemPackage
import Testing
import TraceFiles

@testable import TraceStore

/// What a confined program can reach, and that nobody else is confined with it.
@Suite(.enabled(if: Landlock.state == .available, "the kernel has no Landlock"))
struct ConfinementTests {
    let scratch: ScratchDirectory

    init() throws {
        scratch = try ScratchDirectory()
        try scratch.write("handed\n", to: "handed")
        try scratch.write("other\n", to: "other")
    }

    /// Runs a script of `sh` that is handed one file to read and one to write, as `$1` and `$2`.
    private func run(_ script: String) throws -> (output: String, end: ChildProgram.End) {
        let files = [
            try HandedFile(reading: scratch("handed")), try HandedFile(writing: scratch("written")),
        ]
        var program = try ChildProgram(
            "sh", arguments: ["-c", FilePath(script), "sh"] + files.map { FilePath($0.name) },
            options: ChildProgram.Options(gathersErrors: true, confinement: Confinement(files: files)))
        let outcome = try program.run { false }
        return (String(decoding: outcome.output, as: UTF8.self), outcome.end)
    }

    @Test func `it reads what it is handed, and writes where it is to`() throws {
        let ran = try run(#"cat "$1" && echo made > "$2""#)
        #expect(ran.output == "handed\n" && ran.end == .exited(0))
        #expect(try scratch.bytes(of: "written") == Array("made\n".utf8))
    }

    @Test func `a file that took another's name is not what it was handed`() throws {
        let file = try HandedFile(reading: scratch("handed"))
        try scratch.renameOver("handed", "another")
        var program = try ChildProgram(
            "cat", arguments: [FilePath(file.name)],
            options: ChildProgram.Options(confinement: Confinement(files: [file])))
        #expect(try program.run { false }.output == Array("handed\n".utf8))
    }

    @Test(arguments: [
        "cat $D/other", "ls $D", "echo x > $D/other", ": > $D/new", "mkdir $D/new", "rm $D/other",
        "mv $D/other $D/new", "ln -s / $D/new", "truncate -s 0 $D/other", "cat /etc/passwd", "ls /proc/1",
        #"echo x > "$1""#, #"sh -c "sh -c 'cat $D/other'""#, #"cat "$(dirname "$1")/../cwd/other""#,
        "cp $(command -v true) /dev/shm/new && /dev/shm/new",
    ])
    func `it can do nothing else with files, nor can what it starts`(attempt: String) throws {
        let ran = try run(attempt.replacing("$D", with: scratch.path.string))
        #expect(ran.end != .exited(0) && ran.output == "", "\(ran)")
        #expect(try scratch.bytes(of: "other") == Array("other\n".utf8))
        #expect(try scratch.bytes(of: "handed") == Array("handed\n".utf8))
        #expect(access(scratch("new").string, F_OK) != 0)
    }

    @Test func `it sends no signal to others`() throws {
        #expect(try run("kill -0 \(getpid())").end != .exited(0))
    }

    @Test func `nobody else is confined with it`() throws {
        _ = try run("true")
        #expect(try scratch.bytes(of: "other") == Array("other\n".utf8))
        var free = try ChildProgram("cat", arguments: [scratch("other")])
        #expect(try free.run { false }.output == Array("other\n".utf8))
    }

    @Test func `what is not there is not found, as without`() throws {
        #expect {
            _ = try ChildProgram(
                "no-such-program", arguments: [],
                options: ChildProgram.Options(confinement: Confinement(files: [])))
        } throws: { $0 as? Errno == .noSuchFileOrDirectory }
    }
}
