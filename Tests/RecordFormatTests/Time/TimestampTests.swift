import TestSupport
import Testing
import RecordFormat

struct TimestampTests {
    static let moments: [(String, Int64)] = [
        ("1970-01-01T00:00:00.000Z", 0), ("1969-12-31T23:59:59.000Z", -1000),
        ("1969-12-31T23:59:59.999Z", -1),
        ("0001-01-01T00:00:00.000Z", -62_135_596_800_000), ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
        ("1900-03-01T00:00:00.000Z", -2_203_891_200_000), ("2000-02-29T12:34:56.000Z", 951_827_696_000),
        ("2026-02-04T20:00:00.000Z", 1_770_235_200_000), ("2038-01-19T03:14:08.000Z", 2_147_483_648_000),
        ("2100-03-01T00:00:00.000Z", 4_107_542_400_000), ("2400-02-29T00:00:00.000Z", 13_574_563_200_000),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ]

    @Test(arguments: moments) func `a moment is read and written back`(text: String, milliseconds: Int64) {
        #expect(Timestamp(text) == Timestamp(milliseconds: milliseconds))
        #expect(Timestamp(milliseconds: milliseconds).description == text)
    }

    @Test(arguments: [
        ("2026-02-04T20:00:00Z", 0), ("2026-02-04T20:00:00.0Z", 0), ("2026-02-04T20:00:00.5Z", 500),
        ("2026-02-04T20:00:00.05Z", 50), ("2026-02-04T20:00:00.123Z", 123),
        ("2026-02-04T20:00:00.123999Z", 123),
        ("2026-02-04T20:00:00.00099999999999999999999999999999999999999999Z", 0),
    ])
    func `fractions beyond milliseconds are cut off`(text: String, milliseconds: Int64) {
        #expect(Timestamp(text) == Timestamp(milliseconds: 1_770_235_200_000 + milliseconds))
    }

    @Test func `a leap second is the second that follows`() {
        #expect(Timestamp("2016-12-31T23:59:60Z") == Timestamp("2017-01-01T00:00:00Z"))
        #expect(Timestamp("2016-12-31T23:59:60.250Z") == Timestamp("2017-01-01T00:00:00.250Z"))
    }

    @Test(arguments: [
        "2026-13-40T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-01-32T00:00:00Z", "2026-04-31T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z", "2000-02-30T00:00:00Z", "2026-02-04T24:00:00Z", "2026-02-04T20:60:00Z",
        "2026-02-04T20:00:60Z", "2026-02-04T23:59:61Z", "2026-02-04T23:58:60Z", "0000-00-00T00:00:00Z",
    ])
    func `a text of the right form names no moment`(text: String) {
        #expect(reading(text) == .impossible)
        #expect(Timestamp(text) == nil)
    }

    @Test(arguments: [
        "", "2026-02-04", "2026-02-04T20:00:00", "2026-02-04T20:00:00Z\n", "2026-02-04T20:00:00.5Z\n",
        " 2026-02-04T20:00:00Z", "2026-02-04 20:00:00Z", "2026-02-04t20:00:00Z", "2026-02-04T20:00:00z",
        "2026-02-04T20:00:00+00:00", "2026-02-04T20:00:00.Z", "2026-02-04T20:00:00.5",
        "2026-02-04T20:00:00,5Z",
        "2026-02-04T20:00:00.5.5Z", "2026-02-04T20:00Z", "2026-2-04T20:00:00Z", "26-02-04T20:00:00Z",
        "12026-02-04T20:00:00Z", "-026-02-04T20:00:00Z", "+026-02-04T20:00:00Z", "2026/02/04T20:00:00Z",
        "2026-02-04T20-00-00Z", "２026-02-04T20:00:00Z", "2026-02-04T20:00:00.٣Z", "2026-02-04T20:00:00.5\0Z",
    ])
    func `a text of another form is no timestamp`(text: String) {
        #expect(reading(text) == .malformed)
        #expect(Timestamp(text) == nil)
    }

    @Test func `every day from 1583 to 2800 follows the one before`() {
        var day = Timestamp(milliseconds: -12_212_553_600_000)
        #expect(day.description == "1583-01-01T00:00:00.000Z")
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for year in 1583...2800 {
            let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
            for (month, length) in lengths.enumerated() {
                // The first and the last day of each month: every day in between is linear in its number.
                let last = length + (month == 1 && isLeap ? 1 : 0)
                for number in [1, last] {
                    let text = "\(year)-\(twoDigits(month + 1))-\(twoDigits(number))T00:00:00.000Z"
                    let expected = day.adding(SessionOffset(milliseconds: Int64(number - 1) * 86_400_000))
                    guard Timestamp(text) != expected || expected.description != text else { continue }
                    Issue.record("\(text) is not \(expected)")
                }
                day = day.adding(SessionOffset(milliseconds: Int64(last) * 86_400_000))
            }
        }
        #expect(day.description == "2801-01-01T00:00:00.000Z")
    }

    @Test(arguments: [UInt64(1), 2]) func `random moments are written and read back`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2000 {
            let moment = Timestamp(
                milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
            #expect(Timestamp(moment.description) == moment)
        }
    }

    @Test func `a moment outside of four-digit years is written as the nearest one inside`() {
        #expect(Timestamp(milliseconds: .max).description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: .min).description == "0000-01-01T00:00:00.000Z")
    }

    @Test func `moments are ordered, added to and subtracted`() throws {
        let start = try #require(Timestamp("2026-02-28T23:59:59.999Z"))
        let end = start.adding(SessionOffset(milliseconds: 1))
        #expect(end.description == "2026-03-01T00:00:00.000Z")
        #expect(start < end)
        #expect(end.milliseconds(since: start) == 1)
        #expect(start.milliseconds(since: end) == -1)
        #expect(ZoneRules.utc.minuteText(end) == "2026-03-01 00:00 UTC")
        #expect([start.weekday, end.weekday] == [6, 0])
    }

    private func reading(_ text: String) -> Timestamp.Reading {
        Array(text.utf8).withUnsafeBytes { Timestamp.read($0) }
    }

    private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
