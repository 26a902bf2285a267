import RecordFormat
import TestSupport
import Testing
import TraceFormat

struct SessionOffsetTests {
    @Test(arguments: [
        (0, "0:00.000", "0:00"), (999, "0:00.999", "0:00"), (59999, "0:59.999", "0:59"),
        (60000, "1:00.000", "1:00"),
        (120_000, "2:00.000", "2:00"), (3_599_999, "59:59.999", "59:59"),
        (3_600_000, "1:00:00.000", "1:00:00"),
        (3_723_250, "1:02:03.250", "1:02:03"), (360_000_000, "100:00:00.000", "100:00:00"),
        (-10500, "-0:10.500", "-0:10"), (.max, "2562047788015:12:55.807", "2562047788015:12:55"),
        (.min, "-2562047788015:12:55.808", "-2562047788015:12:55"),
    ])
    func `an offset is spelled as a clock`(milliseconds: Int64, text: String, clock: String) {
        let offset = SessionOffset(milliseconds: milliseconds)
        #expect(offset.description == text)
        #expect(offset.clock == clock)
    }

    @Test(arguments: [UInt64(1), 2]) func `what is spelled is read back`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1000 {
            let offset = SessionOffset(milliseconds: .random(in: 0...(1 << 40), using: &random))
            #expect(try OffsetExpression(offset.description) == .absolute(offset))
        }
    }
}
