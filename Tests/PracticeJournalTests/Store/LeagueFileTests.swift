import FileHarness
import Foundation
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceStore

/// The tables of a league as files of a journal: what is wrong with them is found, and nothing of what they say is kept.
struct LeagueFileTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene
    private let format = PracticeFormat()

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
    }

    private func snapshot() throws -> JournalSnapshot {
        try JournalSnapshot(OpenDirectory(scene.journal), as: format, settleTime: .zero)
    }

    private static let slots: [FileSlot] = [.leagueRedaction, .leagueStats, .leagueStandings, .leagueTargets]

    private func findings() throws -> [Finding] {
        let snapshot = try snapshot()
        return try Self.slots.flatMap { slot -> [Finding] in
            let reading = try format.read(slot, of: snapshot)
            #expect(reading?.records.isEmpty ?? true)
            #expect(try format.findings(in: slot, of: snapshot) == reading?.findings ?? [])
            return reading?.findings ?? []
        }
    }

    @Test(arguments: Rule.league.map(\.id))
    func `what is wrong with a table is found with its place in the journal`(rule: String) throws {
        let fixture = LeagueScene.directory.appending(path: "league-rules/\(rule)")
        try OpenDirectory.make(scene.journal.appending("league"))
        try FileManager.default.copyItem(
            at: fixture.appending(path: LeagueStats.fileName),
            to: URL(filePath: scene.journal.appending("league/LPL_Stats.csv").string))
        let expected = try String(contentsOf: fixture.appending(path: "expected.txt"), encoding: .utf8)
        let lines = expected.split(separator: "\n").map { "league/\($0)" }
        #expect(try findings().map(\.description) == lines)
        #expect(format.layout.rules.contains { $0.id == rule })
    }

    @Test func `without tables there is nothing to say`() throws {
        #expect(try findings().isEmpty)
        try OpenDirectory.make(scene.journal.appending("league"))
        #expect(try findings().isEmpty)
        #expect(try snapshot()[.leagueStats] == .absent)
    }

    private static let odd: [[UInt8]] = [
        [], [0x0A], [0xFF, 0xFE], Array("\u{FEFF}".utf8), [0], Array(repeating: 0x22, count: 100_001),
        Array(repeating: 0x2C, count: 100_000), Array(repeating: 0x0D, count: 100_000),
        Array("season,player,total,banknumber,machine,rawscore,points\n".utf8)
            + Array(repeating: 0xE9, count: 50_000),
        Array(
            (1...3000).map {
                "Season 4,1,\u{202E}Bo \($0)\u{0},Comet,\(String(repeating: "9", count: 400)),1"
            }
            .joined(separator: "\n").utf8),
    ]

    @Test(arguments: odd.indices)
    func `whatever the bytes are, there are a few findings and no name in them`(number: Int) throws {
        let text = Self.odd[number]
        try OpenDirectory.make(scene.journal.appending("league"))
        for name in format.fileNames.filter({ $0.string.hasSuffix(".csv") }) {
            try Data(text).write(to: URL(filePath: scene.journal.appending("league").appending(name).string))
        }
        let found = try findings()
        #expect(found.count < 500)
        for finding in found { #expect(!finding.description.contains("Bo ")) }
        let journal = try OpenedPractice(scene.journal, Asking(now: Scene.now))
        _ = try journal.league([.stats, .standings, .targets])
        _ = journal.redaction
    }

    @Test func `a table of many rows is checked without keeping them`() throws {
        let rows = (0..<40_000).map {
            "Season 4,1,Bank,Player \($0 % 500),Machine \($0 % 90),\($0)x,1,2026-02-02"
        }
        let header = "Season,BankNumber,Bank,Player,Machine,RawScore,Points,EventDate"
        try scene.addLeague([LeagueStats.fileName: ([header] + rows).joined(separator: "\n")])
        let found = try findings()
        #expect(found.count == 20)
        #expect(found.last?.message == "rawscore is not a number, and 39980 more of this rule")
    }

    @Test func `a link in the place of the folder is not followed, one in the place of a table is`() throws {
        let elsewhere = scratch.path.appending("elsewhere")
        try OpenDirectory.make(elsewhere)
        try elsewhere.appending("LPL_Stats.csv").write("Season,Player\n1,a\n")
        try FileManager.default.createSymbolicLink(
            atPath: scene.journal.appending("league").string, withDestinationPath: elsewhere.string)
        #expect(try findings().isEmpty)
        try FileManager.default.removeItem(atPath: scene.journal.appending("league").string)
        try OpenDirectory.make(scene.journal.appending("league"))
        try FileManager.default.createSymbolicLink(
            atPath: scene.journal.appending("league/LPL_Stats.csv").string,
            withDestinationPath: elsewhere.appending("LPL_Stats.csv").string)
        #expect(try !findings().isEmpty)
    }

    @Test func `a list that is there and can't be read redacts everybody, one that is not there nobody`()
        throws
    {
        let list = scene.journal.appending("league/redacted_players.csv").string
        func redactsEverybody() throws -> Bool {
            let redaction = try OpenedPractice(scene.journal, Asking(now: Scene.now)).redaction
            return redaction.shown(PlayerName("Ada Quill")) != "Ada Quill"
        }
        #expect(try !redactsEverybody())
        try scene.addLeague([:])
        #expect(try !redactsEverybody())
        try FileManager.default.createSymbolicLink(atPath: list, withDestinationPath: "nowhere")
        #expect(try redactsEverybody())
        try FileManager.default.removeItem(atPath: list)
        try FileManager.default.createDirectory(atPath: list, withIntermediateDirectories: false)
        #expect(try redactsEverybody())
        try FileManager.default.removeItem(atPath: list)
        try Data().write(to: URL(filePath: list))
        #expect(try !redactsEverybody())
    }
}
