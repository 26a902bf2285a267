import PracticeJournal
import RecordFormat
import Testing

/// Documents of several devices become one.
struct MergeTests {
    private static let merges = GoldenCase.all(of: "practice-merge") { $0["steps"] != nil }
    private static let emptied = GoldenCase.all(of: "practice-merge") { $0["document"] != nil }

    @Test(arguments: merges)
    func `what devices say is the same in every order, and any step twice`(golden: GoldenCase) throws {
        let base = try Scene.document(golden.file.need("base").bytes)
        let values = try DocumentValues(base)
        let steps = try golden.need("steps").elements.map { step in
            let document = try DocumentValues(Scene.document(step.need("document").bytes))
            let at = step["at_ms"]?.integer.map { Int64($0) }
            return SyncState(
                from: step["base"] == nil ? nil : values, to: document,
                stamp: SyncStamp(
                    milliseconds: try #require(at ?? document.newest),
                    device: at == nil ? "" : step.text("device")))
        }
        let expected = try golden.need("expect")
        for order in Self.orders(of: Array(steps.indices)) {
            for repeated in [nil] + order.map(Optional.some) {
                var journal = try Journal(base)
                for step in order { try journal.hear(steps[step]) }
                if let repeated { try journal.hear(steps[repeated]) }
                #expect(GoldenValue(journal.document.bytes) == expected, "\(order), \(repeated as Int?)")
            }
        }
    }

    private static let stamps: [(last: SyncStamp, next: SyncStamp)] = [
        (
            SyncStamp(milliseconds: 5, counter: 7, device: "phone"),
            SyncStamp(milliseconds: 5, counter: 8, device: "phone")
        ),
        (
            SyncStamp(milliseconds: 5, counter: .max, device: "phone"),
            SyncStamp(milliseconds: 6, device: "phone")
        ),
        (
            SyncStamp(milliseconds: .max, counter: .max, device: "phone"),
            SyncStamp(milliseconds: .max, counter: .max, device: "phone")
        ),
    ]

    @Test(arguments: stamps)
    func `the next stamp of a device is later than its last, until there is no later one`(
        last: SyncStamp, next: SyncStamp
    ) {
        #expect(SyncStamp.next(of: "phone", after: last, at: Timestamp(milliseconds: 5)) == next)
    }

    @Test(arguments: emptied)
    func `an emptied document is refused`(golden: GoldenCase) throws {
        let found = try EmptiedDocument(
            from: DocumentValues(Scene.document(golden.need("base").bytes)),
            to: DocumentValues(Scene.document(golden.need("document").bytes)))
        let name: String? =
            switch found {
            case .everything: "everything"
            case .array(let array): array.rawValue
            case nil: nil
            }
        #expect(name == (try golden.need("expect"))["refusedFor"]?.string)
    }

    @Test func `what a merge does not change keeps its bytes`() throws {
        let text = ByteTests.odd.replacing(#""journalEntries""#, with: #""journalEntries""#)
        let document = try Scene.document(text.utf8)
        let values = try DocumentValues(document)
        let state = SyncState(from: nil, to: values, stamp: SyncStamp(milliseconds: 1, device: ""))
        #expect(try document.merged(with: state).bytes == Array(text.utf8))
    }

    @Test func `a record without an id, and a second one with the same, come and go as a whole`() throws {
        let one = #"{"noteEntries":[{"gameID":"A","note":"x","timestamp":1772388000000}]}"#
        let two =
            #"{"noteEntries":[{"gameID":"A","note":"x","timestamp":1772388000000},"#
            + #"{"gameID":"A","note":"x","timestamp":1772388000000},{"gameID":"B","note":"y"}]}"#
        let document = try Scene.document(one.utf8)
        let said = try SyncState(
            from: DocumentValues(document), to: DocumentValues(Scene.document(two.utf8)),
            stamp: SyncStamp(milliseconds: 1_772_388_000_001, device: "phone"))
        let merged = try Scene.document(document.merged(with: said).bytes)
        #expect(merged.noteEntries.map(\.note).sorted { ($0 ?? "") < ($1 ?? "") } == ["x", "x", "y"])
        let back = try SyncState(
            from: DocumentValues(merged), to: DocumentValues(document),
            stamp: SyncStamp(milliseconds: 1_772_388_000_002, device: "phone"))
        var journal = try Journal(document)
        try journal.hear(said)
        try journal.hear(back)
        #expect(GoldenValue(journal.document.bytes) == GoldenValue(one.utf8))
    }

    @Test func `what every document must have does not go, whatever a device leaves out`() throws {
        let one =
            #"{"noteEntries":[{"id":"a","gameID":"A","category":"shots","note":"x","detail":"y","timestamp":1772388000000}],"#
            + #""analyticsSettings":{"gapMode":"realTimeline","useMedian":false},"practiceSettings":{"playerName":"Ada"}}"#
        let two = #"{"noteEntries":[{"id":"a","timestamp":1772388000000}],"practiceSettings":{}}"#
        let document = try Scene.document(one.utf8)
        let said = try SyncState(
            from: DocumentValues(document), to: DocumentValues(Scene.document(two.utf8)),
            stamp: SyncStamp(milliseconds: 1_772_388_000_001, device: "phone"))
        let expected = one.replacing(#""detail":"y","#, with: "").replacing(#""playerName":"Ada""#, with: "")
        #expect(try GoldenValue(document.merged(with: said).bytes) == GoldenValue(expected.utf8))
    }

    @Test func `null counts as missing where the app writes nothing`() throws {
        let one = #"{"noteEntries":[{"id":"a","gameID":"A","note":"x","timestamp":1772388000000}]}"#
        let two =
            #"{"noteEntries":[{"id":"a","gameID":"A","note":"x","detail":null,"mood":null,"timestamp":1772388000000.0}]}"#
        let said = try SyncState(
            from: DocumentValues(Scene.document(one.utf8)), to: DocumentValues(Scene.document(two.utf8)),
            stamp: SyncStamp(milliseconds: 1_772_388_000_001, device: "phone"))
        let merged = try Scene.document(one.utf8).merged(with: said).bytes
        #expect(
            String(decoding: merged, as: UTF8.self)
                == #"{"noteEntries":[{"id":"a","gameID":"A","note":"x","timestamp":1772388000000,"mood":null}]}"#
        )
    }

    @Test(arguments: [
        #"{"scoreEntries":7,"noteEntries":[]}"#, #"{"scoreEntries":[7]}"#, #"{"practiceSettings":[]}"#,
        #"{"scoreEntries":[{"id":"a","timestamp":794080800.25}]}"#,
    ])
    func `what would be lost by a merge is refused`(text: String) throws {
        let document = try Scene.document(text.utf8)
        #expect(throws: FormatError.self) { try DocumentValues(document) }
    }

    static func orders(of steps: [Int]) -> [[Int]] {
        guard steps.count > 1 else { return [steps] }
        return steps.flatMap { first in
            orders(of: steps.filter { $0 != first }).map { [first] + $0 }
        }
    }
}

/// A journal that hears what devices say.
struct Journal {
    var state: SyncState
    var document: PracticeDocument

    init(_ document: PracticeDocument) throws {
        let values = try DocumentValues(document)
        state = SyncState(
            from: nil, to: values, stamp: SyncStamp(milliseconds: values.newest ?? 0, device: ""))
        self.document = document
    }

    mutating func hear(_ said: SyncState) throws {
        state.join(said)
        document = try Scene.document(document.merged(with: state).bytes)
    }
}
