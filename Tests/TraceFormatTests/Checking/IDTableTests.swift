import RecordFormat
import TestSupport
import Testing

@testable import TraceFormat

struct IDTableTests {
    @Test func `it remembers who used which id, as a dictionary does`() throws {
        var random = SeededRandom(seed: 7)
        let table = IDTable()
        var expected: [ULID: IDTable.Owners] = [:]
        let owners = RecordKind.allCases.map { IDTable.Owners($0.entryKind) } + [.mediaItem]
        for _ in 0..<20_000 {
            // Few values in each part, so that ids come again and differ in any of their 130 bits alone.
            let id = ULID(
                time: UInt64.random(in: 0..<20, using: &random) << 45,
                randomHigh: UInt64.random(in: 0..<20, using: &random),
                randomLow: UInt64.random(in: 0..<20, using: &random))
            let owner = random.element(of: owners)
            #expect(table.insert(id, owner) == expected[id, default: []])
            expected[id, default: []].insert(owner)
        }
        #expect(expected.count > 5000)
        #expect(expected.allSatisfy { table.owners(of: $0.key) == $0.value })
        #expect(table.owners(of: ULID(time: 1, randomHigh: 0, randomLow: 0)) == [])
    }

    @Test func `an empty table knows nobody`() {
        #expect(IDTable().owners(of: ULID(time: 1, randomHigh: 2, randomLow: 3)).isEmpty)
    }
}
