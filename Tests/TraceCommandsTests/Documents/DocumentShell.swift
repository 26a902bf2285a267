import Foundation
import ProgramHarness
import TestSupport
import Testing

/// One shell, in which the commands of a page are typed; its home directory is that of Ann, whose name is as long as the directory's, so that a table is
/// cut where the page shows it.
final class DocumentShell {
    static let home = "/home/ann"
    let home: String
    private let steps: String

    /// The outcome of a step.
    struct Outcome {
        let output: String
        let status: Int
    }

    init() throws {
        home = try Self.newDirectory()
        steps = "\(home)/.steps"
        try FileManager.default.createDirectory(atPath: steps, withIntermediateDirectories: true)
    }

    deinit {
        if ProcessInfo.processInfo.environment["TRACE_KEEP_SCRATCH"] == nil {
            try? FileManager.default.removeItem(atPath: home)
        } else {
            print("kept: \(home)")
        }
    }

    /// A directory of its own, whose path has as many characters as ``home``.
    private static func newDirectory() throws -> String {
        while true {
            let name = UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(home.count - "/tmp/".count)
            if mkdir("/tmp/\(name)", 0o700) == 0 { return "/tmp/\(name)" }
            guard errno == EEXIST else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        }
    }

    /// Types the steps of a page, those that are no commands but what is said of them left out.
    ///
    /// - Returns: The outcome of each, in order; shorter if one that prepares has failed, which is the last one then.
    func run(_ texts: [(kind: CommandPage.Step.Kind, text: String)]) throws -> [Outcome] {
        var names: [String] = []
        for (index, step) in texts.enumerated() {
            let suffix =
                switch step.kind {
                case .preparation, .variation: "prepare"
                case .script, .command(_, .pipe): "pipe"
                case .command(_, .size(let size)): size
                }
            let number = String(index + 1000)
            names.append("\(number)-\(suffix)")
            try Data(step.text.utf8).write(to: URL(filePath: "\(steps)/\(number)-\(suffix).sh"))
        }
        let screens = try runScript().split(separator: "\u{1E}", omittingEmptySubsequences: false)
        var onScreen = screens.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)[...]
        let port = try? String(contentsOfFile: "\(home)/.port", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return names.prefix { FileManager.default.fileExists(atPath: "\(steps)/\($0).status") }.map { name in
            let status = try? String(contentsOfFile: "\(steps)/\(name).status", encoding: .utf8)
            let kept = try? String(contentsOfFile: "\(steps)/\(name).out", encoding: .utf8)
            var output = kept ?? onScreen.popFirst().map { String($0) } ?? ""
            output.replace(home, with: Self.home)
            if let port, !port.isEmpty { output.replace("127.0.0.1:\(port)", with: "127.0.0.1:8722") }
            let code = status.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
            return Outcome(output: output, status: code ?? -1)
        }
    }

    /// - Returns: What was on the terminal.
    private func runScript() throws -> String {
        let fixtures = SourceFile.root.appending(path: "Tests/Fixtures/documents/run.sh").path
        let screen = "\(home)/.screen"
        try Data().write(to: URL(filePath: screen))
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        let typed = "bash '\(fixtures)' '\(steps)'"
        let limit = String(waitLimit.components.seconds)
        process.arguments = ["--kill-after=5", limit, "script", "-qefc", typed, "/dev/null"]
        let programs = Binaries.url("trace").deletingLastPathComponent().path
        process.environment = [
            "HOME": home, "PATH": "\(programs):/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "SHELL": "/bin/bash", "TERM": "xterm-256color", "NO_COLOR": "1", "TRACE_PAGER": "",
            "TRACE_CONFIG": "", "TRACE_ROOTS": "\(home)/music/sessions",
            "TRACE_RUNTIME_DIRECTORY": "\(home)/.local/state/trace/run",
            "SAMPLE": SampleCopy.sample.resolvingSymlinksInPath().path,
        ]
        process.currentDirectoryURL = URL(filePath: home)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: screen))
        process.standardError = try FileHandle(forWritingTo: URL(filePath: screen))
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus != 124, "the commands end")
        let text = try String(decoding: Data(contentsOf: URL(filePath: screen)), as: UTF8.self)
        // A terminal ends lines by "\r\n"; what is left of a bar that was drawn over itself is nothing.
        return text.replacing(#/(?:\r[^\r\n]*\u{1B}\[K)+/#, with: "").replacing("\r\n", with: "\n")
    }
}
