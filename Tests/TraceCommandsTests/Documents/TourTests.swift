import Foundation
import ProgramHarness
import TestSupport
import Testing

/// `sessions-sample/tour`, which `make run` starts.
struct TourTests {
    private static let tour = SourceFile.root.appending(path: "sessions-sample/tour").path
    private static let binaries = Binaries.url("trace").deletingLastPathComponent().path

    @Test func `without a terminal, every step shows what it should, and nothing is left`() throws {
        let scratch = try Scratch()
        let outcome = try scratch.run(Self.tour, [Self.binaries], ["TMPDIR": scratch.path])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try scratch.names(in: "").filter { $0.hasPrefix("trace-tour") } == [])
    }

    @Test
    func
        `on a terminal it ends with what to do next, on one screen, and all of that works until it is stopped`()
        throws
    {
        let scratch = try Scratch()
        let typed = "stty cols 100 rows 30; exec env --default-signal=INT '\(Self.tour)' '\(Self.binaries)'"
        try scratch.write(typed, to: "typed.sh")
        let shown = try scratch.start(
            "TMPDIR=$PWD exec script -qefc \"echo \\$\\$ > tour.pid; . ./typed.sh\" /dev/null",
            log: "screen.txt")
        defer { shown.end() }
        try soon("the tour is over") {
            try scratch.text("screen.txt", filled: false).contains("Ctrl-C")
        }
        let screen = try Self.lastScreen(of: scratch.text("screen.txt", filled: false))
        let text = screen.joined(separator: "\n")
        let page = try #require(
            text.firstMatch(of: #/(http:\/\/127\.0\.0\.1:\d+)\/#g=(trace_\w+)/#), "\(text)")
        let use = try #require(text.firstMatch(of: #/(?m)^\. (\S+)$/#), "\(text)")
        // The page exchanges what is behind the link for a cookie, however often it is opened.
        for _ in 1...2 {
            let answer = try scratch.shell(
                "curl -sS -o /dev/null -w '%{http_code}' -X POST --oauth2-bearer \(page.2) \(page.1)/api/v1/login"
            )
            #expect(answer.output.hasPrefix("2"), "\(answer)")
        }
        let commands = text.split(separator: "\n").drop { !$0.hasPrefix(". ") }.filter { !$0.hasPrefix("#") }
        #expect(commands.count > 4)
        // A line that was too long for the screen continues on the next row.
        let joined = commands.joined(separator: "\n").replacing("\u{1F}\n", with: "")
        let outcome = try scratch.run("/bin/bash", ["-ec", joined])
        #expect(
            outcome.status == 0 && outcome.output.contains("Listen to this again"), "\(joined)\n\(outcome)")

        let id = try #require(pid_t(scratch.text("tour.pid").trimmingCharacters(in: .whitespacesAndNewlines)))
        kill(id, SIGINT)
        _ = try shown.wait()
        #expect(!FileManager.default.fileExists(atPath: String(use.1)))
    }

    /// The last rows on a terminal of 100 columns and 30 rows; one that is continued in the next ends with U+001F.
    private static func lastScreen(of output: String) -> [String] {
        let lines = output.replacing("\r\n", with: "\n").split(
            separator: "\n", omittingEmptySubsequences: false)
        let rows = lines.flatMap { line -> [String] in
            var rows: [String] = []
            var rest = line[...]
            while rest.count > 100 {
                rows.append(rest.prefix(100) + "\u{1F}")
                rest = rest.dropFirst(100)
            }
            return rows + [String(rest)]
        }
        return rows.suffix(30)
    }
}
