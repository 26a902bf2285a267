import FileHarness
import Foundation
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceStore

@testable import PracticeJournal

/// The tables of a league that came with the library.
struct CachedLeagueTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
    }

    private static let header = "season,banknumber,player,machine,rawscore,points,eventdate\n"

    private func write(_ text: String, to name: String) throws {
        let file = scene.journal.pushing(FilePath(name))
        try OpenDirectory.make(file.removingLastComponent())
        try file.write(text)
    }

    @Test func `a table of the cache is read where the person has none`() throws {
        let directory = try OpenDirectory(scene.journal)
        #expect(try PracticeLeagueFiles.source(in: directory, zone: "UTC") == nil)
        try write(Self.header + "4,1,Cache,M,5,1,2026-02-02\n", to: "library/LPL_Stats.csv")
        func player() throws -> String? {
            try PracticeLeagueFiles.source(in: directory, zone: "UTC")?.stats.rows.first.map {
                LeagueScene.plain($0.player)
            }
        }
        #expect(try player() == "Cache")
        try write(Self.header + "4,1,Own,M,5,1,2026-02-02\n", to: "league/LPL_Stats.csv")
        #expect(try player() == "Own")
    }

    @Test func `who is on either list of redacted players is not named`() throws {
        try write("name\nAda Quill\n", to: "library/redacted_players.csv")
        try write("name\nBo Marsh\n", to: "league/redacted_players.csv")
        let redaction = PracticeLeagueFiles.redaction(in: try OpenDirectory(scene.journal))
        let shown = ["Ada Quill", "Bo Marsh", "Cy Ferro"].map { redaction.shown(PlayerName($0)) }
        #expect(shown[0].hasPrefix("Redacted ") && shown[1].hasPrefix("Redacted ") && shown[2] == "Cy Ferro")
        try write("name\n\"open", to: "library/redacted_players.csv")
        #expect(PracticeLeagueFiles.redaction(in: try OpenDirectory(scene.journal)).redactsEverybody)
    }

    @Test func `the targets are those that the app has made, of the folder that has any`() throws {
        let table = "game,second_highest_avg,fourth_highest_avg,eighth_highest_avg\n"
        let resolved =
            #"{"version":1,"items":[{"order":1,"game":"Made","second_highest_avg":3,"fourth_highest_avg":2,"eighth_highest_avg":1}]}"#
        func game() throws -> String? {
            let library = GameLibrary()
            return try PracticeLeagueFiles.targets(
                in: OpenDirectory(scene.journal), library: library, MachineMatcher(library))?.rows.first?.game
        }
        #expect(try game() == nil)
        try write(table + "Cached,3,2,1\n", to: "library/LPL_Targets.csv")
        #expect(try game() == "Cached")
        try write(resolved, to: "library/lpl_targets_resolved_v1.json")
        #expect(try game() == "Made")
        try write(table + "Own,3,2,1\n", to: "league/LPL_Targets.csv")
        #expect(try game() == "Own")
    }

    @Test(arguments: [
        (FileSlot.cachedStats, "LPL_Stats.csv", "a", Rule.leagueColumnMissing),
        (.cachedStandings, "LPL_Standings.csv", "a", .leagueColumnMissing),
        (.cachedTargets, "LPL_Targets.csv", "a", .leagueColumnMissing),
        (.machineMappings, "lpl_machine_mappings_v1.json", #"{"items":[{}]}"#, .practiceLibraryRecord),
        (.resolvedTargets, "lpl_targets_resolved_v1.json", "{", .jsonSyntax),
    ])
    func `what is wrong with a file of the cache is found`(
        slot: FileSlot, name: String, text: String, rule: Rule
    ) throws {
        try write(text, to: "library/\(name)")
        let snapshot = try JournalSnapshot(
            OpenDirectory(scene.journal), as: PracticeFormat(), settleTime: .zero)
        let findings = try PracticeFormat().findings(in: slot, of: snapshot)
        #expect(findings.first?.rule == rule)
        #expect(findings.allSatisfy { $0.place.file == "library/\(name)" })
    }
}
