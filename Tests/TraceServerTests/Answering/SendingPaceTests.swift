import Testing

@testable import TraceServer

/// Who is sent long pieces.
struct SendingPaceTests {
    private static func notes(_ count: Int, _ milliseconds: Int, _ pace: inout SendingPace) {
        for _ in 0..<count { pace.note(.milliseconds(milliseconds)) }
    }

    private static func size(_ pace: borrowing SendingPace) -> Int { pace.pieceSize / 1024 }

    @Test func `a client that takes a megabyte at once gets long pieces until it is slow`() {
        var pace = SendingPace(FastLanes())
        var sizes = [Self.size(pace)]
        // Sixty-three, one that is waited for, and as many again are not 64 in turn.
        Self.notes(63, 0, &pace)
        pace.note(.milliseconds(21))
        Self.notes(63, 0, &pace)
        sizes.append(Self.size(pace))
        pace.note(.zero)
        sizes.append(Self.size(pace))
        Self.notes(100, 100, &pace)
        sizes.append(Self.size(pace))
        pace.note(.milliseconds(101))
        sizes.append(Self.size(pace))
        #expect(sizes == [16, 16, 256, 256, 16])
    }

    @Test func `a few get long pieces at a time, and give way when they end`() {
        let lanes = FastLanes(count: 1)
        var sizes: [Int] = []
        do {
            var first = SendingPace(lanes)
            var second = SendingPace(lanes)
            Self.notes(70, 0, &first)
            Self.notes(70, 0, &second)
            sizes += [Self.size(first), Self.size(second)]
            first.note(.seconds(1))
            second.note(.zero)
            sizes += [Self.size(first), Self.size(second)]
        }
        var third = SendingPace(lanes)
        Self.notes(70, 0, &third)
        sizes.append(Self.size(third))
        #expect(sizes == [256, 16, 16, 256, 256])
    }
}
