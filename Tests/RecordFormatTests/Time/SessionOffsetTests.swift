import RecordFormat
import Testing

/// What is calculated with offsets and moments, which may be any number of 64 bits.
struct SessionOffsetTests {
    private static func at(_ milliseconds: Int64) -> SessionOffset {
        SessionOffset(milliseconds: milliseconds)
    }

    @Test(
        arguments: [
            (5, 3, 8, 2), (.max, 1, .max, .max - 1), (.min, 1, .min + 1, .min), (.max, .max, .max, 0),
            (.min, .max, -1, .min), (0, .min, .min, .max), (-3, .max, .max - 3, .min),
        ] as [(Int64, Int64, Int64, Int64)])
    func `sums and differences stop at the last number there is`(
        one: Int64, other: Int64, sum: Int64, difference: Int64
    ) {
        #expect(Self.at(one).adding(Self.at(other)) == Self.at(sum))
        #expect(Self.at(one).subtracting(Self.at(other)) == Self.at(difference))
        let moment = Timestamp(milliseconds: one)
        #expect(moment.adding(Self.at(other)) == Timestamp(milliseconds: sum))
        #expect(moment.subtracting(Self.at(other)) == Timestamp(milliseconds: difference))
        #expect(moment.milliseconds(since: Timestamp(milliseconds: other)) == difference)
    }

    @Test func `where there is no result, that is said`() {
        #expect(Self.at(.max).next == nil && Self.at(.max - 1).next == Self.at(.max))
        #expect(Self.at(.min).previous == nil && Self.at(0).previous == Self.at(-1))
        #expect(Self.at(.max).sum(with: Self.at(1)) == nil && Self.at(.max).sum(with: .zero) == Self.at(.max))
        #expect(
            Self.at(0).distance(from: Self.at(.min)) == nil
                && Self.at(7).distance(from: Self.at(9)) == Self.at(-2))
        #expect(Timestamp(milliseconds: .max).next == nil)
        #expect(Timestamp(milliseconds: .min).previous == Timestamp(milliseconds: .min))
    }

    @Test func `an end is never before its beginning`() {
        #expect(
            Self.at(5).end(lasting: nil) == Self.at(5) && Self.at(5).end(lasting: Self.at(-3)) == Self.at(5))
        #expect(Self.at(.max - 1).end(lasting: Self.at(9)) == Self.at(.max))
    }
}
