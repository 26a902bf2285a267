import Foundation
import Journals
import RecordFormat
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceStore
import TraceText

@testable import TraceIndex

/// What the index makes of journals whose files are documents, and not lines.
struct DocumentTests {
    private let scratch: Scratch
    private var journal: PracticeFolder
    private let index: JournalIndex

    init() throws {
        scratch = try Scratch()
        try scratch.root.makeDirectory()
        journal = try PracticeFolder(scratch.root.appending("pinball"))
        index = try scratch.index()
    }

    @discardableResult
    private func look() throws -> JournalReconciliation {
        try index.reconcile(
            journal: journal.path, in: scratch.root, settleTime: .zero, verification: .thorough)
    }

    private func isFresh() throws -> Bool {
        try index.dump() == scratch.freshIndex(of: [journal.path]).dump()
    }

    private func records() throws -> [TimelineRecord] {
        try index.timeline(RecordFilter(.roots([scratch.root])))
    }

    @Test mutating func `rows, groups and notes of a document are records, and their bytes are theirs alone`()
        throws
    {
        journal.add("ramps only", game: "G2")
        journal.add("the skill shot #PostPass")
        journal.addGroup("Bank one")
        try journal.writeLibrary()
        try journal.write()
        try journal.writeLog(2)
        let change = try look()
        #expect(change.outcome == .added && change.newFindings.isEmpty)
        #expect(change.addedRecords.map { [$0.key.code: $0.value] }.count == 4)
        let found = try records()
        #expect(found.map(\.entryName) == ["library", "library", "journal", "journal"])
        let row = try #require(found.first { $0.entryName == "journal" }).record
        #expect(row.otherID == PracticeFolder.id(1) && row.subject == "G2" && row.detail == "noteAdded")
        #expect(row.text == "Shots note: ramps only\n• Deep Reef" && row.note == "ramps only")
        #expect(row.wallTime == Timestamp(milliseconds: 1_772_402_401_000))
        #expect(try index.line(of: row) == Array(PracticeFolder.text(journal.rows[0]).utf8))
        #expect(found.last?.record.tags == ["postpass"])
        let known = try #require(try index.journals(.roots([scratch.root])).first)
        #expect(known.kind.name == "practice" && known.title == "Pinball" && known.recordCount == 6)
        #expect(known.first == Timestamp(milliseconds: 1_772_402_400_000) && known.state == "open")
        #expect(try isFresh())
    }

    @Test mutating func `a record that is added writes its row, and no other row is written again`() throws {
        for number in 0..<50 { journal.add("note \(number)") }
        try journal.write()
        try look()
        try waitForClock()
        let keys = try Set(records().map(\.record.line))
        journal.add("one more")
        try journal.write()
        let change = try look()
        #expect(change.addedRecords.values.reduce(0, +) == 1)
        #expect(try Set(records().map(\.record.line)).subtracting(keys).count == 1)
        #expect(try keys.isSubset(of: records().map(\.record.line)))
        #expect(try isFresh())
    }

    @Test mutating func `a game that is renamed in the library renames it in the rows`() throws {
        journal.add("ramps only", game: "G2")
        try journal.writeLibrary()
        try journal.write()
        try look()
        try waitForClock()
        journal.games["G2"] = "Deeper Reef"
        try journal.writeLibrary()
        #expect(try look().outcome == .updated)
        #expect(try records().first?.record.text == "Shots note: ramps only\n• Deeper Reef")
        #expect(try isFresh())
    }

    @Test mutating func `a player who is put on the list of redacted ones goes from the rows of imports`()
        throws
    {
        journal.add("League import for Bo Marsh: 1 imported", game: "G2")
        try journal.write()
        try journal.writeLeague(redacted: [])
        try look()
        try index.fillSearch()
        func names() throws -> Int {
            try index.search(SearchWords("marsh"), RecordFilter(.roots([scratch.root])), limit: 9).count
        }
        #expect(try names() == 1)
        try waitForClock()
        try journal.writeLeague(redacted: ["bo marsh"])
        #expect(try look().outcome == .updated)
        #expect(try records().first?.record.note == "League import for Redacted: 1 imported")
        #expect(try names() == 0)
        #expect(try isFresh())
    }

    @Test
    mutating func `a list of redacted players that becomes a link to nowhere redacts everybody at once`()
        throws
    {
        journal.add("League import for Bo Marsh: 1 imported", game: "G2")
        try journal.write()
        try look()
        try waitForClock()
        let list = journal.path.appending("league/redacted_players.csv")
        try list.removingLastComponent().makeDirectory()
        try FileManager.default.createSymbolicLink(atPath: list.string, withDestinationPath: "nowhere")
        #expect(try look().outcome == .updated)
        #expect(try records().first?.record.note?.contains("Bo Marsh") == false)
        #expect(try look().outcome == .unchanged)
        #expect(try isFresh())
        try FileManager.default.removeItem(atPath: list.string)
        #expect(try look().outcome == .updated)
        #expect(try records().first?.record.note == "League import for Bo Marsh: 1 imported")
        #expect(try isFresh())
    }

    /// Lines of a session and documents alike: a disk that is not mounted is the commonest reason.
    @Test mutating func `what is behind a link is found by a search once the link leads to it`() throws {
        let folder = try SessionFolder(scratch.root.appending("set"))
        journal.add("the left orbit")
        try journal.write()
        let files = [
            (folder.path, "markers.jsonl", SessionFolder.marker(1, more: #","label":"orbit shot""#)),
            (journal.path, "practice-state.json", journal.document),
        ]
        try look()
        for (directory, name, text) in files {
            let (link, target) = (directory.appending(name), scratch.root.appending("away-\(name)"))
            try FileManager.default.removeItem(atPath: link.string)
            try FileManager.default.createSymbolicLink(
                atPath: link.string, withDestinationPath: target.string)
            for isThere in [false, true, false, true] {
                try waitForClock()
                if isThere {
                    try target.write(text.utf8)
                } else {
                    try? FileManager.default.removeItem(atPath: target.string)
                }
                _ = try index.reconcile(
                    journal: directory, in: scratch.root, settleTime: .zero, verification: .thorough)
                try index.fillSearch()
                #expect(try index.isSearchConsistent(), "\(name)")
                let hits = try index.search(
                    SearchWords("orbit"), RecordFilter(.sessions([directory])), limit: 9)
                #expect(hits.isEmpty != isThere, "\(name)")
            }
        }
    }

    /// A document in Android's older shape: no id of it is one of those that the records get, and two rows have the same.
    private static let legacy = #"""
        {"playerName":"Ada Quill","scores":[],
        "notes":[{"id":"n","gameSlug":"G1","timestampMs":1772402400000,"category":"shots","note":"left orbit of Bo Marsh"}],
        "journal":[{"id":"a","gameSlug":"G1","action":"note","summary":"?","timestampMs":1772402400000},
        {"id":"a","gameSlug":"G1","action":"study","summary":"Read 40% of Comet rulesheet","timestampMs":1772402401000},
        {"id":"00000000-0000-4000-8000-00000000000A","gameSlug":"G1","action":"browse","timestampMs":1772402402000}],
        "groups":[{"id":"g","name":"Bank one"}],"gameSummaryNotes":{"G1":"watch the left ramp"}}
        """#

    private static func stored(_ document: String) -> String {
        String(decoding: JSONText.object { $0.member("practice-state-json", document) }.bytes, as: UTF8.self)
    }

    @Test(arguments: [false, true])
    func `a document that is converted when it is read is found, and shown, as what it is converted to`(
        isStored: Bool
    ) throws {
        try journal.path.appending("practice-state.json").write(
            (isStored ? Self.stored(Self.legacy) : Self.legacy).utf8)
        try journal.writeLeague(redacted: [])
        try look()
        try index.fillSearch()
        let scope = RecordFilter.Scope.roots([scratch.root])
        let words = [
            "orbit": "practice.journal", "rulesheet": "practice.journal", "bank": "practice.group",
            "ramp": "practice.gamenote",
        ]
        for (word, kind) in words {
            let hits = try index.search(SearchWords(word), RecordFilter(scope), limit: 9)
            #expect(hits.map(\.kindName) == [kind], "\(word)")
            let record = try #require(hits.first?.record)
            let line = try index.line(of: record)
            let id = try JSONParser().withParsed(line.first == UInt8(ascii: "{") ? line : []) {
                $0[name: "id"]?.string
            }
            #expect(id == record.otherID, "\(word)")
        }
        let rows = try records().map(\.record)
        #expect(rows.count == 3 && Set(rows.compactMap(\.otherID)).count == 3)
        for row in rows {
            #expect(try String(decoding: index.line(of: row), as: UTF8.self).contains(#""gameID":"G1""#))
        }
        let pages = try index.timeline(RecordFilter(scope), hasEverything: false, after: nil, limit: 99)
        #expect(pages.map(\.record.otherID) == rows.map(\.otherID))
        #expect(try isFresh())
    }

    @Test func `a record of a converted document that is another one now is out of date`() throws {
        let file = journal.path.appending("practice-state.json")
        try file.write(Self.legacy.utf8)
        try look()
        let row = try #require(try records().first).record
        try file.write(Self.legacy.replacing("left orbit", with: "upper loop").utf8)
        let error = #expect(throws: IndexError.self) { try index.line(of: row) }
        #expect(error?.code == .stale)
    }

    @Test
    mutating func `a search finds what rows, groups and games' notes say, and no more once they are gone`()
        throws
    {
        journal.add("the left orbit")
        journal.addGroup("Wizards")
        try journal.write()
        try journal.writeLog(1)
        try look()
        try index.fillSearch()
        func search(_ text: String) throws -> [String] {
            try index.search(SearchWords(text), RecordFilter(.roots([scratch.root])), limit: 9).map(
                \.kindName)
        }
        #expect(try search("orbit") == ["practice.journal"])
        #expect(try search("wizards") == ["practice.group"])
        #expect(try search("ramp") == ["practice.gamenote"])
        #expect(try search("pinball") == ["practice"])
        #expect(try search("rulesheet").isEmpty)
        journal.edit(at: 0, "the right orbit")
        try journal.write()
        try look()
        #expect(try search("left orbit").isEmpty)
        #expect(try index.isSearchConsistent())
        #expect(try search("right orbit") == ["practice.journal"])
    }

    @Test func `of several notes of one name only the last is a record, if it is a text`() throws {
        try journal.path.appending("practice-state.json").write(
            #"{"schemaVersion":4,"gameSummaryNotes":{"G1":"old","G2":"gone","G1":"new","G2":7}}"#.utf8)
        try look()
        try index.fillSearch()
        func search(_ text: String) throws -> [IndexedRecord] {
            try index.search(SearchWords(text), RecordFilter(.roots([scratch.root])), limit: 9).compactMap(
                \.record)
        }
        #expect(try search("old").isEmpty && search("gone").isEmpty)
        let found = try search("new")
        #expect(try found.map { try index.line(of: $0) } == [Array(#""G1":"new""#.utf8)])
        #expect(try isFresh())
    }

    @Test(arguments: 0..<12)
    mutating func `after any changes the index is what a fresh one is`(seed: Int) throws {
        var dice = SeededRandom(seed: UInt64(seed))
        let session = try scratch.session()
        try journal.write()
        for _ in 0..<25 {
            for _ in 0...Int.random(in: 0..<3, using: &dice) { try journal.change(&dice) }
            try look()
            if Bool.random(using: &dice) { _ = try index.fillSearch(lines: 3) }
        }
        _ = try index.reconcile(journal: session.path, in: scratch.root, settleTime: .zero)
        #expect(try index.dump() == scratch.freshIndex(of: [journal.path, session.path]).dump())
        #expect(try index.isSearchConsistent())
    }

    @Test mutating func `a document that can't be read is a finding, and its rows are gone until it can`()
        throws
    {
        journal.add("ramps only")
        try journal.write()
        try look()
        try journal.path.appending("practice-state.json").write(#"{"journalEntries":[{"#.utf8)
        #expect(try look().newFindings.map(\.rule.id) == ["json-syntax"])
        #expect(try records().isEmpty && isFresh())
        try journal.write()
        #expect(try look().goneFindings.map(\.rule.id) == ["json-syntax"])
        #expect(try records().count == 1 && isFresh())
    }

    @Test mutating func `a header of a newer format is read, and said to be newer`() throws {
        try journal.path.appending("practice.json").write(
            #"{"id":"01KGNQZP000000000000000001","journal":"practice","format":2,"whatever":true}"#.utf8)
        #expect(try look().newFindings.map(\.rule.id) == ["journal-schema-newer"])
        #expect(try index.journals(.roots([scratch.root])).first?.state == "newer")
    }

    @Test mutating func `a directory with the headers of two kinds is of the first, and that is a finding`()
        throws
    {
        let session = try scratch.session()
        try look()
        _ = try index.reconcile(journal: session.path, in: scratch.root, settleTime: .zero)
        try session.path.appending("practice.json").write("{}".utf8)
        let change = try index.reconcile(journal: session.path, in: scratch.root, settleTime: .zero)
        #expect(change.newFindings.map(\.rule.id).contains("journal-ambiguous"))
        #expect(try index.session(at: session.path) != nil)
    }

    @Test(arguments: [
        "practice-state.json", "practice-state-json", "practice-state-json.json",
        "practice-upgrade-state-v1.json",
    ])
    mutating func `a document on its own is a journal where its directory is none`(name: String) throws {
        let folder = scratch.root.appending("phone")
        try folder.makeDirectory()
        let file = folder.appending(name)
        journal.add("ramps only")
        try file.write(journal.document.utf8)
        #expect(
            JournalFinder.journals(in: scratch.root, of: Journals.all)
                == [file, journal.path].sorted { $0.string < $1.string })
        #expect(JournalFinder.finds(file, below: scratch.root, of: Journals.all))
        let change = try index.reconcile(journal: file, in: scratch.root, settleTime: .zero)
        #expect(change.outcome == .added)
        let record = try #require(try records().first?.record)
        #expect(record.file == file && record.fileName == name)
        #expect(try index.line(of: record) == Array(PracticeFolder.text(journal.rows[0]).utf8))
        #expect(try index.dump() == scratch.freshIndex(of: [file]).dump())
        try waitForClock()
        #expect(try index.reconcile(journal: file, in: scratch.root, settleTime: .zero).isSettled)
        // With a header, it is that journal's document.
        try folder.appending("practice.json").write("{}".utf8)
        #expect(JournalFinder.journals(in: scratch.root, of: Journals.all)?.contains(file) == false)
        #expect(try index.reconcile(journal: file, in: scratch.root, settleTime: .zero).outcome == .removed)
    }
}
