import FileHarness
import Foundation
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceStore

/// Entries as earlier versions of the queue's writers have made them: with members that nobody knows, with `null`, with other spellings of
/// numbers, out of range.
struct EarlierEntryTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path, document: Self.document)
        try scene.addLeague()
    }

    private static let document = """
        {"schemaVersion":4,"scoreEntries":[
        {"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","gameID":"GaB12","score":1.5,"context":"practice","timestamp":1772300000000}],
        "noteEntries":[
        {"id":"6F9619FF-8B86-D011-B42D-00C04FC964FE","gameID":"comet-racer","category":"shots","note":"n","timestamp":1772300001000}],
        "journalEntries":[
        {"id":"3F2504E0-4F89-41D3-9A0C-0305E82C3301","gameID":"GaB12","action":"scoreLogged","score":1.5,"scoreContext":"practice","timestamp":1772300000000},
        {"id":"3F2504E0-4F89-41D3-9A0C-0305E82C3303","gameID":"GaB12","action":"rulesheetRead","task":"rulesheet","progressPercent":10,"note":"n","timestamp":1772300002000}],
        "customGroups":[
        {"id":"3F2504E0-4F89-41D3-9A0C-0305E82C3311","name":"A","gameIDs":["GaB12"],"isActive":true,"createdAt":1772300003000},
        {"id":"3F2504E0-4F89-41D3-9A0C-0305E82C3312","name":"B","gameIDs":["Gk9Xy"],"createdAt":1772300004000}]}
        """

    private static var entries: [(id: Int, operation: String, text: String)] {
        get throws {
            let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Fixtures/journals/practice-entries.jsonl")
            return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
                let entry = GoldenValue(line.utf8)
                let id = try #require(Int(entry.text("id").dropFirst(3)))
                return (id, String(entry.text("kind").dropFirst("practice.".count)), String(line))
            }
        }
    }

    /// What a write can change.
    private func contents() throws -> [String] {
        let directory = try OpenDirectory(scene.journal)
        return try ["practice-state.json", "slots.json", "activity.json"].map { name in
            let file = try directory.readFile(try #require(FilePath.Component(name)))
            return String(decoding: file?.contents ?? [], as: UTF8.self)
        }
    }

    @Test func `each is written`() throws {
        let entries = try Self.entries
        #expect(Set(entries.map(\.operation)) == Set(Scene.operations.map(\.name)))
        for (id, operation, text) in entries {
            let before = try contents()
            try scene.put(text, id)
            #expect(try scene.drain() == ["\(id) applied"], "\(operation)")
            #expect(try contents() != before, "\(id) \(operation)")
        }
        #expect(try Scene.reading(scene.text().utf8).findings.filter { $0.severity == .error } == [])
    }

    @Test func `all that wait are written in their order`() throws {
        let entries = try Self.entries
        for (id, _, text) in entries { try scene.put(text, id) }
        #expect(try scene.drain() == entries.map { "\($0.id) applied" })
        let rows = try scene.read().rows
        func row(_ id: Int) -> JournalRow? {
            rows.first { $0.id == DerivedID.id(of: number(id), .journal) }
        }
        #expect([101, 102, 103, 104, 105].map { row($0)?.percent } == [100, nil, 0, 60, 100])
        #expect(row(102)?.note == "Practice session: 15 minutes. Focus: Multiball. late")
        #expect(row(104)?.action?.known == .tutorialWatch)
        #expect([106, 107, 108].map { row($0)?.score } == [12_345_678, 5_000_000.5, 2])
        #expect(row(107)?.tournament == "Spring Open")
        #expect(row(109)?.note?.utf8.count == 160 * 25 - 1)
    }
}
