import FileHarness
import Foundation
import Journals
import RecordFormat
import SystemPackage
import TestSupport
import Testing
import TraceIndex
import TraceLibrary
import TraceStore

/// What the list of all kinds of journal promises to those who go by numbers and names.
struct JournalsTests {
    private let layouts = Journals.all.formats.map(\.layout)

    @Test func `a kind of entry has a number, a name and a file of its own`() {
        let entries = layouts.flatMap(\.entryKinds)
        #expect(Set(entries.map(\.kind)).count == entries.count)
        #expect(Set(entries.map(\.name)).count == entries.count)
        for entry in entries {
            #expect(
                layouts.flatMap(\.files).count { $0.entryKinds.contains(entry.kind) } == 1, "\(entry.name)")
        }
    }

    /// The numbers of entries that docs/contributing.md says are taken, by the kinds that have them.
    private static func blocks() throws -> [(kinds: String, block: Int)] {
        let page = try String(
            contentsOf: SourceFile.root.appending(path: "docs/contributing.md"), encoding: .utf8)
        return page.matches(of: /\n\| (\d+) to (\d+) \| ([^|\n]+) \|/).compactMap { row in
            guard let first = Int(row.1), let last = Int(row.2) else { return nil }
            #expect(first.isMultiple(of: 16) && last == first + 15)
            return (String(row.3), first / 16)
        }
    }

    @Test func `each kind has sixteen numbers of its own, which the page for contributors lists`() throws {
        let blocks = try Self.blocks()
        #expect(Set(blocks.map(\.block)).count == blocks.count)
        #expect(blocks.last?.kinds == "kinds of tests")
        for layout in layouts {
            let name = "`\(layout.kind)`"
            let block = try #require(
                blocks.first { $0.kinds == name }?.block, "no row of numbers for \(name)")
            #expect(layout.entryKinds.allSatisfy { $0.kind.block == block }, "\(name)")
        }
        #expect(blocks.count == layouts.count + 1)
    }

    @Test func `a set of kinds of entry holds those alone, up to the last number`() {
        let all = (0..<EntryKind.count).map { EntryKind(code: $0) }
        for kind in all {
            let set = EntryKindSet([kind])
            #expect(all.filter(set.contains) == [kind])
        }
    }

    @Test func `a kind of journal has a name and a header of its own`() {
        #expect(Set(layouts.map(\.kind)).count == layouts.count)
        #expect(Set(layouts.compactMap(\.names.first)).count == layouts.count)
    }

    @Test func `a rule of several kinds is one rule`() {
        for rule in layouts.flatMap(\.rules) { #expect(Journals.all.rule(named: rule.id) == rule) }
        #expect(Set(Journals.all.rules.map(\.id)).count == Journals.all.rules.count)
    }

    @Test func `a layout names its files as its format does`() {
        for format in Journals.all.formats {
            #expect(format.layout.files.map(\.baseName) == format.fileNames.map(\.string))
        }
    }

    @Test func `what is wrong with a league table is the same with and without an index`() throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/league-rules").standardized
        for name in try FileManager.default.contentsOfDirectory(atPath: fixtures.path).sorted() {
            let scratch = try ScratchDirectory()
            let journal = URL(filePath: scratch.path.string).appending(path: "pins")
            let league = journal.appending(path: "league")
            try FileManager.default.createDirectory(at: league, withIntermediateDirectories: true)
            try Data(#"{"journal":"practice","format":1}"#.utf8).write(
                to: journal.appending(path: "practice.json"))
            try Data("{}".utf8).write(to: journal.appending(path: "practice-state.json"))
            let table = try Data(contentsOf: fixtures.appending(path: "\(name)/LPL_Stats.csv"))
            for file in ["LPL_Stats.csv", "LPL_Standings.csv", "LPL_Targets.csv", "redacted_players.csv"] {
                try table.write(to: league.appending(path: file))
            }
            let path = FilePath(journal.path)
            let index = try JournalIndex(ownAt: scratch.path.appending("index.sqlite"), formats: Journals.all)
            _ = try index.reconcile(journal: path, in: nil)
            let question = FindingsQuestion()
            let found = try question.findings(of: path)
            #expect(found.findings.contains { $0.rule.id == name && $0.place.file == "league/LPL_Stats.csv" })
            #expect(try question.findings(of: path, by: index)?.findings == found.findings, "\(name)")
            // A table that goes, and one that is corrected, take their findings with them.
            for file in ["LPL_Standings.csv", "LPL_Targets.csv", "redacted_players.csv"] {
                try FileManager.default.removeItem(at: league.appending(path: file))
            }
            try Data("season,banknumber,player,machine,rawscore,points\n4,1,A,B,1,1\n".utf8).write(
                to: league.appending(path: "LPL_Stats.csv"))
            _ = try index.reconcile(journal: path, in: nil)
            let rest = try question.findings(of: path, by: index)?.findings ?? []
            #expect(!rest.contains { $0.place.file.hasPrefix("league/") }, "\(name): \(rest)")
        }
    }

    /// Journals of documents are checked without an index; nothing may differ.
    @Test func `what is wrong with a document is the same with and without an index`() throws {
        let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/practice-rules").standardized
        let names = try FileManager.default.contentsOfDirectory(atPath: fixtures.path).sorted()
        try #require(names.count > 20)
        for (number, name) in names.enumerated() {
            let scratch = try ScratchDirectory()
            let journal = URL(filePath: scratch.path.string).appending(path: "pins")
            try FileManager.default.copyItem(at: fixtures.appending(path: name), to: journal)
            // Lies alone, has a header, a broken one, a document that is a directory and half a log, or no id.
            let added = [
                [:], ["practice.json": #"{"journal":"practice","format":1}"#], ["practice.json": "{"],
                ["practice.json": "{}", "activity.json": "[{"],
                ["practice.json": "{}"],
            ][number % 5]
            for (name, text) in added {
                try Data(text.utf8).write(to: journal.appending(path: name))
            }
            if number % 5 == 3 {
                // A file that is a directory can't be read.
                try FileManager.default.removeItem(at: journal.appending(path: "practice-state.json"))
                try FileManager.default.createDirectory(
                    at: journal.appending(path: "practice-state.json"), withIntermediateDirectories: false)
            }
            let path = FilePath(added.isEmpty ? "\(journal.path)/practice-state.json" : journal.path)
            let index = try JournalIndex(ownAt: scratch.path.appending("index.sqlite"), formats: Journals.all)
            _ = try index.reconcile(journal: path, in: nil)
            let question = FindingsQuestion()
            let found = try question.findings(of: path)
            #expect(try question.findings(of: path, by: index)?.findings == found.findings, "\(name)")
        }
    }
}
