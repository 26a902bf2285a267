import TestSupport
import Testing
import RecordFormat

/// Times with an offset from UTC.
struct ZonedTimeTests {
    @Test(arguments: [
        ("2026-02-04T21:00:00+01:00", "2026-02-04T20:00:00Z"),
        ("2026-02-04T21:00:00.5+01:00", "2026-02-04T20:00:00.5Z"),
        ("2026-02-04T21:00:00.123456789+01:00", "2026-02-04T20:00:00.123456789Z"),
        ("2026-02-04T15:30:00.000-04:30", "2026-02-04T20:00:00.000Z"),
        ("2026-01-01T05:29:59+05:30", "2025-12-31T23:59:59Z"),
        ("2024-02-28T23:30:00-01:00", "2024-02-29T00:30:00Z"),
        ("2026-02-04T20:00:00-00:00", "2026-02-04T20:00:00Z"),
        ("2026-02-04T21:00:00+0100", "2026-02-04T20:00:00Z"),
        ("2026-02-04t21:00:00+01:00", "2026-02-04T20:00:00Z"),
        ("2026-02-04 21:00:00+01:00", "2026-02-04T20:00:00Z"),
        ("2026-02-04T20:00:00z", "2026-02-04T20:00:00Z"),
        ("0000-01-01T00:30:00+00:30", "0000-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999+00:00", "9999-12-31T23:59:59.999Z"),
    ])
    func `is spelled in UTC, every digit of the fraction kept`(text: String, expected: String) {
        #expect(Timestamp.spelledInUTC(text) == expected)
        #expect(Timestamp(expected) != nil)
    }

    @Test(arguments: [
        "", "2026-02-04", "2026-02-04T20:00:00", "2026-02-04 20:00:00", "2026-02-04T20:00+01:00",
        "2026-02-30T20:00:00+01:00", "2026-02-04T24:00:00+01:00", "2026-02-04T20:00:00+24:00",
        "2026-02-04T20:00:00+01:60", "2026-02-04T20:00:00+1:00", "2026-02-04T20:00:00+01",
        "2026-02-04T20:00:00+01:00Z", "2026-02-04T20:00:00Z+01:00", "2026-02-04T20:00:00.+01:00",
        "2026-02-04T20:00:00 +01:00", "2026-02-04T20:00:00 CET", "2026-02-04T20:00:00+01:00\n",
        "2026-12-31T23:59:60z", "2027-01-01T00:59:60+01:00", "0000-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59-00:01", "2026-02-04T20:00:00\u{2212}01:00", "２０２６-02-04T20:00:00+01:00",
        "2026-02-04_20:00:00+01:00", "04.02.2026 21:00:00 +01:00",
    ])
    func `whose moment is not plain is left as it is`(text: String) {
        #expect(Timestamp.spelledInUTC(text) == nil)
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `names the same moment`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let moment = Timestamp(
            milliseconds: Int64.random(in: -60_000_000_000_000...250_000_000_000_000, using: &random))
        let minutes = Int64.random(in: -1439...1439, using: &random)
        let local = Timestamp(milliseconds: moment.milliseconds + minutes * 60_000).description.dropLast()
        let zone = String(10_000 + abs(minutes) / 60 * 100 + abs(minutes) % 60).dropFirst()
        let text = "\(local)\(minutes < 0 ? "-" : "+")\(zone.prefix(2)):\(zone.suffix(2))"
        #expect(Timestamp.spelledInUTC(text) == moment.description, "seed \(seed): \(text)")
    }
}
