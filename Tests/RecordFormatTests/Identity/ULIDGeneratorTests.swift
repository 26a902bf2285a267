import TestSupport
import Testing
import RecordFormat

struct ULIDGeneratorTests {
    /// Gives the same number for ever, or those of a list one after the other.
    private struct Numbers: RandomNumberGenerator {
        var list: [UInt64]

        mutating func next() -> UInt64 { list.count > 1 ? list.removeFirst() : list[0] }
    }

    @Test(arguments: [
        (0, "0000000000"), (1, "0000000001"), (1_469_918_176_385, "01ARYZ6S41"),
        (1_770_235_200_000, "01KGN3V0G0"),
        (281_474_976_710_655, "7ZZZZZZZZZ"),
    ])
    func `an id begins with its milliseconds`(milliseconds: Int64, prefix: String) {
        var generator = ULIDGenerator()
        #expect(generator.next(milliseconds: milliseconds).description.prefix(10) == prefix)
    }

    @Test(arguments: [
        (Int64.min, "0000000000"), (-1, "0000000000"), (1 << 48, "7ZZZZZZZZZ"), (.max, "7ZZZZZZZZZ"),
    ])
    func `a time that does not fit in 48 bits is clamped`(milliseconds: Int64, prefix: String) {
        var generator = ULIDGenerator()
        #expect(generator.next(milliseconds: milliseconds).description.prefix(10) == prefix)
    }

    @Test func `an id has the random numbers behind its time`() {
        var generator = ULIDGenerator()
        var random = Numbers(list: [0x0123_4567_89AB_CDEF, .max])
        #expect(generator.next(milliseconds: 0, using: &random).description == "0000000000CY4TQKFFZZZZZZZZ")
    }

    @Test func `ids of one millisecond count up by one`() {
        var generator = ULIDGenerator()
        var random = Numbers(list: [7])
        let texts = (0..<40).map { _ in generator.next(milliseconds: 5, using: &random).description }
        #expect(texts == texts.sorted())
        #expect(texts[0] == "00000000050000000700000007")
        #expect(texts[1] == "00000000050000000700000008")
        #expect(texts[39] == "0000000005000000070000001E")
    }

    @Test func `ids go on rising while the clock stands behind the last one`() {
        var generator = ULIDGenerator()
        var random = Numbers(list: [7])
        let first = generator.next(milliseconds: 1000, using: &random)
        let behind = generator.next(milliseconds: 3, using: &random)
        #expect(behind.description == "00000000Z80000000700000008")
        #expect(first < behind)
        let ahead = generator.next(milliseconds: 1001, using: &random)
        #expect(ahead.description == "00000000Z90000000700000007")
    }

    @Test func `counting carries into the upper half`() {
        var generator = ULIDGenerator()
        var random = Numbers(list: [0, .max])
        #expect(generator.next(milliseconds: 0, using: &random).description == "000000000000000000ZZZZZZZZ")
        #expect(generator.next(milliseconds: 0, using: &random).description == "00000000000000000100000000")
    }

    @Test func `an exhausted millisecond borrows the next one`() {
        var generator = ULIDGenerator()
        var random = Numbers(list: [.max, .max, 3])
        #expect(generator.next(milliseconds: 9, using: &random).description == "0000000009ZZZZZZZZZZZZZZZZ")
        #expect(generator.next(milliseconds: 9, using: &random).description == "000000000A0000000300000003")
        #expect(generator.next(milliseconds: 9, using: &random).description == "000000000A0000000300000004")
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `ids rise strictly whatever the clock does`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var generator = ULIDGenerator()
        var clock: Int64 = 1_770_235_200_000
        var last: ULID?
        for _ in 0..<5000 {
            clock += .random(in: -3...3, using: &random)
            let id = generator.next(milliseconds: clock, using: &random)
            if let last { #expect(last < id) }
            last = id
        }
    }

    @Test func `two generators mint different ids in the same millisecond`() {
        var one = ULIDGenerator()
        var two = ULIDGenerator()
        let ids = (0..<1000).flatMap { _ in [one.next(milliseconds: 1), two.next(milliseconds: 1)] }
        #expect(Set(ids).count == 2000)
    }
}
