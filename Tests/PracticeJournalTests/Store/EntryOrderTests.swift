import FileHarness
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceStore

/// What is about a record comes after the write that makes it.
struct EntryOrderTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
    }

    private static let score = JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#)
    private static let row = DerivedID.id(of: number(10), .journal)
    private static let waits = "waiting: what it is about is in entry \(number(10)), which waits"

    @Test(arguments: [
        ("delete", #"{"row":"\#(Self.row)"}"#, [1.5]),
        ("edit", #"{"row":"\#(Self.row.lowercased())","patch":{"score":7}}"#, [1.5, 7]),
    ])
    func `an entry about a row whose own entry is not whole yet waits for it`(
        operation: String, payload: String, scores: [Double]
    ) throws {
        try scene.put(String(Self.score.prefix(60)), 10)
        let entry = JournalScene.entry(11, operation, payload, at: 1)
        try scene.put(entry, 11)
        try scene.put(JournalScene.entry(12, "browse", #"{"game":"GaB12"}"#, at: 2), 12)
        let results = try scene.drain()
        #expect(results.count == 3 && results[0].hasPrefix("10 waiting: the entry is incomplete"))
        #expect(results.dropFirst() == ["11 \(Self.waits)", "12 applied"])
        #expect(
            try scene.send(entry, 11).result.reason
                == "what it is about is in entry \(number(10)), which waits")
        try scene.put(Self.score, 10)
        #expect(try scene.drain() == ["10 applied", "11 applied"])
        #expect(try scene.read().scoreEntries.map(\.score) == scores)
    }

    @Test func `an entry about a row that is never made is refused with it`() throws {
        try scene.put(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":0}"#), 10)
        try scene.put(JournalScene.entry(11, "delete", #"{"row":"\#(Self.row)"}"#, at: 1), 11)
        #expect(
            try scene.drain() == [
                "10 rejected: Enter a valid score above 0.", "11 rejected: There is no row \(Self.row).",
            ])
    }

    @Test func `what follows a write that fails is not made before it`() throws {
        try scene.put(Self.score, 10)
        for id in 11..<80 {
            try scene.put(JournalScene.entry(id, "browse", #"{"game":"GaB12"}"#, at: id), id)
        }
        try scene.put(JournalScene.entry(80, "delete", #"{"row":"\#(Self.row)"}"#, at: 80), 80)
        let failed = try scene.drain(failPoint: { step, path throws(Errno) in
            if step == .write, path.lastComponent == "sync.jsonl" { throw .noSpace }
        })
        #expect(failed.count == 71 && failed[0].hasPrefix("10 failed"))
        #expect(
            failed.dropFirst().allSatisfy { $0.hasSuffix("waiting: an entry before it could not be written") }
        )
        let results = try scene.drain()
        #expect(results.first == "10 applied" && results.last == "80 applied")
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5])
    }
}
