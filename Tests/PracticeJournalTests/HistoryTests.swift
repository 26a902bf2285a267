import PracticeJournal
import RecordFormat
import TestSupport
import Testing

/// Random writes, edits and deletions, one after the other.
struct HistoryTests {
    @Test(arguments: UInt64(1)...12)
    func `each write changes what it says, and no other byte of a record`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var text = Array((seed.isMultiple(of: 2) ? ByteTests.odd : "{}").utf8)
        for step in 0..<40 {
            let before = try Scene.document(text)
            let context = WriteContext(
                entry: ULID(time: UInt64(step), randomHigh: seed, randomLow: 0),
                at: Timestamp(milliseconds: 1_772_388_000_000 + .random(in: 0..<100_000, using: &random)),
                document: before, zone: .utc)
            let write = try write(to: before, &random)
            guard case .change(let change, _) = try? write.outcome(context) else { continue }
            text = try before.applying(change)
            let after = try Scene.reading(text)
            #expect(after.findings.filter { $0.severity == .error } == [])
            try compare(before, change, try #require(after.document))
        }
    }

    private func write(to document: PracticeDocument, _ random: inout SeededRandom) throws
        -> any PracticeWrite
    {
        let game = random.element(of: ["GaB12", "Gk9Xy", "\"quoted\"\n"])
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return ScoreWrite(game: game, score: Double(Int.random(in: 1..<900, using: &random)))
        case 1:
            return VideoWrite(
                game: game, action: .gameplayWatch, kind: .percent, value: "Gameplay 1 • 5%", progress: 5)
        case 2: return NoteWrite(game: game, note: "a drop catch")
        case 3: return TaskWrite(game: game, task: .rulesheet, progress: .random(in: 0...100, using: &random))
        case 4: return BrowseWrite(game: game)
        case 5: return GameNoteWrite(game: game, note: random.element(of: ["", "one", "two"]))
        case let kind:
            guard !document.rows.isEmpty else { return BrowseWrite(game: game) }
            let row = random.element(of: document.rows).id ?? ""
            if kind == 6 { return DeleteWrite(row: row) }
            let patch = random.element(of: [
                #"{"gameID":"GmN45"}"#, #"{"note":"x"}"#, #"{"score":5}"#, #"{"progressPercent":null}"#,
                #"{"progressPercent":7}"#, #"{"videoValue":"y"}"#,
            ])
            return EditWrite(row: row, try Scene.patch(GoldenValue(patch.utf8)))
        }
    }

    private func compare(
        _ before: PracticeDocument, _ change: DocumentChange, _ after: PracticeDocument
    ) throws {
        for array in PracticeArray.allCases {
            let replaced = change.replaced.filter { $0.place.array == array }
            let removed = Set(change.removed.filter { $0.array == array }.map(\.index))
            let added = change.added.filter { $0.array == array }
            var expected: [[UInt8]] = []
            for index in before.ids(of: array).indices where !removed.contains(index) {
                let replacement = replaced.first { $0.place.index == index }
                expected.append(
                    try replacement.map { try before.text(of: $0) } ?? Array(before.text(of: array, index)))
            }
            let new = Set(added.map { UUIDText.key($0.id) })
            let ids = after.ids(of: array)
            let kept = ids.indices.filter { !new.contains(UUIDText.key(ids[$0] ?? "")) }
            #expect(kept.map { Array(after.text(of: array, $0)) } == expected)
            #expect(ids.count == expected.count + added.count)
            // What comes is put where its time belongs, so that what is in order stays in order.
            let times = after.times(of: array).compactMap { $0 }
            #expect(times == times.sorted())
        }
    }
}
