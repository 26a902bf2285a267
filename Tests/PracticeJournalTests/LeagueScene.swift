import Foundation
import PracticeJournal
import RecordFormat
import Testing

/// The league of the goldens.
enum LeagueScene {
    static let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures")

    static func bytes(_ file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: directory.appending(path: "journals/\(file)")))
    }

    static func stats() throws -> LeagueStats { LeagueStats(try bytes("league/stats.csv")) }

    static func standings() throws -> LeagueStandings { LeagueStandings(try bytes("league/standings.csv")) }

    static func library() throws -> GameLibrary {
        try Scene.library(GoldenCase.all(of: "practice-league").first?.file["library"])
    }

    static func targets() throws -> LeagueTargets {
        LeagueTargets(try bytes("league/targets.csv"), library: try library())
    }

    static func redaction() throws -> NameRedaction { NameRedaction(try bytes("league/redacted.csv")) }

    /// The cases of the golden whose names begin so.
    static func cases(_ prefixes: String...) -> [GoldenCase] {
        GoldenCase.all(of: "practice-league") { golden in prefixes.contains { golden.name.hasPrefix($0) } }
    }

    /// A name as it is written.
    static func plain(_ name: PlayerName) -> String { NameRedaction().shown(name) }

    /// The table of a case: its file, or its text.
    static func table(_ golden: GoldenCase) throws -> [UInt8] {
        try golden["file"]?.string.map(bytes) ?? Array(golden.text("text").utf8)
    }

    /// That the findings are those of a golden; a golden without findings says nothing of them.
    static func expect(_ findings: [Finding], _ expected: GoldenValue) {
        guard let expected = expected["findings"]?.elements else { return }
        #expect(findings.map(\.rule.id) == expected.map { $0.text("rule") })
        #expect(findings.map(\.place.line) == expected.map { $0["row"]?.integer ?? 0 })
        for (finding, expected) in zip(findings, expected) {
            guard let column = expected["column"]?.string else { continue }
            let names = finding.message.hasPrefix("\(column) ") || finding.message.contains("'\(column)'")
            #expect(names, "\(finding)")
        }
    }
}
