import PracticeJournal
import RecordFormat
import TestSupport
import Testing

/// Documents of which it is not known what they were before: old copies, first exchanges, conflict copies.
struct MergeHistoryTests {
    @Test(arguments: GoldenCase.all(of: "practice-merge-history"), [false, true])
    func
        `such a document says what is new alone, in every order and any one twice, though the log was shortened`(
            golden: GoldenCase, isShortened: Bool
        ) throws
    {
        let start = try Scene.document(golden.file.need("base").bytes)
        let copies = try golden.need("copies").elements.map { try Scene.document($0.bytes) }
        let expected = try golden.need("expect")
        for order in MergeTests.orders(of: Array(copies.indices)) {
            for repeated in [nil] + order.map(Optional.some) {
                var journal = try Journal(start)
                for edit in try golden.need("edits").elements {
                    try journal.edit(
                        to: Scene.document(edit.need("document").bytes),
                        at: Int64(try #require(edit["at_ms"]?.integer)))
                }
                if isShortened { try journal.forgetLines() }
                for copy in order { try journal.hear(copies[copy]) }
                if let repeated { try journal.hear(copies[repeated]) }
                #expect(GoldenValue(journal.document.bytes) == expected, "\(order), \(repeated as Int?)")
            }
        }
    }

    /// How many histories of the 500 are tried: all of them in `make torture`.
    private static let share = Torture.isFull ? 100 : 10

    @Test(arguments: 0..<5)
    func `a document that was there at any time says nothing`(hundred: Int) throws {
        for seed in hundred * 100..<hundred * 100 + Self.share {
            var history = try DeviceHistory(seed: UInt64(seed))
            try history.run(steps: 12)
            var journal = history.server
            if seed.isMultiple(of: 2) { try journal.forgetLines() }
            for document in history.documents {
                let said = try SyncState(
                    DocumentValues(document), beyond: journal.state,
                    stamp: SyncStamp(milliseconds: .max, device: ""))
                #expect(said.isEmpty, "seed \(seed)")
            }
        }
    }

    @Test func `a value in another spelling is the same value`() throws {
        func document(_ score: String, _ mood: String) throws -> PracticeDocument {
            try Scene.document(
                #"{"scoreEntries":[{"id":"a","gameID":"G","score":\#(score),"mood":\#(mood),"timestamp":1772388000000}]}"#
                    .utf8)
        }
        var journal = try Journal(document("1.50", #"{"a":1,"b":[1e2]}"#))
        try journal.edit(to: document("2", "null"), at: 1_772_388_000_001)
        let old = try SyncState(
            DocumentValues(document("1.5", #"{ "b": [100.0], "a": 1 }"#)), beyond: journal.state,
            stamp: SyncStamp(milliseconds: .max, device: ""))
        #expect(old.isEmpty)
    }

    @Test func `where a log has forgotten its values, new records come alone, and what differs is named`()
        throws
    {
        let start =
            #"{"scoreEntries":[{"id":"a","gameID":"G","score":1,"timestamp":1772388000000}],"gameSummaryNotes":{"G":"x"}}"#
        var journal = try Journal(Scene.document(start.utf8))
        try journal.edit(
            to: Scene.document(start.replacing(#""score":1"#, with: #""score":2"#).utf8),
            at: 1_772_388_000_001)
        journal.state.forgetPast()
        let copy = try Scene.document(
            #"{"scoreEntries":[{"id":"a","gameID":"G","score":1,"mood":"new","timestamp":1772388000000},{"id":"b","gameID":"G","score":7,"timestamp":1772388000009}],"gameSummaryNotes":{"G":"y","H":"z"}}"#
                .utf8)
        let undecided = try journal.state.undecided(in: DocumentValues(copy)).map(\.text)
        #expect(undecided == ["score 1 of G", "G in gameSummaryNotes"])
        try journal.hear(copy)
        #expect(
            GoldenValue(journal.document.bytes)
                == GoldenValue(
                    #"{"scoreEntries":[{"id":"a","gameID":"G","score":2,"timestamp":1772388000000},{"id":"b","gameID":"G","score":7,"timestamp":1772388000009}],"gameSummaryNotes":{"G":"x","H":"z"}}"#
                        .utf8))
    }
}

extension Journal {
    /// Hears a document of which it is not known what it was before.
    mutating func hear(_ copy: PracticeDocument) throws {
        let values = try DocumentValues(copy)
        try hear(SyncState(values, beyond: state, stamp: .unnoted(newest: values.newest)))
    }

    /// Its document was another one, and is now this one.
    mutating func edit(to edited: PracticeDocument, at milliseconds: Int64) throws {
        try hear(
            SyncState(
                from: DocumentValues(document), to: DocumentValues(edited),
                stamp: SyncStamp(milliseconds: milliseconds, device: SyncStamp.ownDevice)))
    }

    /// As when its log is shortened.
    mutating func forgetLines() throws {
        state = try #require(SyncState(SpelledJSON(state.json.bytes)))
    }
}
