import RecordFormat
import TestSupport
import Testing
import TraceFormat
import TraceText

struct OffsetExpressionTests {
    @Test(arguments: [
        ("0", 0), ("120000", 120_000), ("007", 7), ("9223372036854775807", .max),
        ("2:00", 120_000), ("0:00", 0), ("2:5", 125_000), ("90:00", 5_400_000), ("2:00.5", 120_500),
        ("2:00.05", 120_050), ("2:00,250", 120_250), ("1:02:03", 3_723_000), ("1:02:03.250", 3_723_250),
        ("100:00:00", 360_000_000), ("0:59:59.999", 3_599_999),
        ("90s", 90000), ("1h2m3s", 3_723_000), ("250ms", 250), ("1.5m", 90000), ("1m250ms", 60250),
        ("0.5h", 1_800_000),
        ("1.001s", 1001), ("1h", 3_600_000), ("120s", 120_000), ("1h90m", 9_000_000),
        ("120000.0", 120_000), ("1e3", 1000), ("1.2e5", 120_000), ("0.0", 0),
    ])
    func `a place in the session is read`(text: String, milliseconds: Int64) throws {
        #expect(try OffsetExpression(text) == .absolute(SessionOffset(milliseconds: milliseconds)))
        #expect(try OffsetExpression.duration(text) == SessionOffset(milliseconds: milliseconds))
    }

    @Test(arguments: [
        ("+5s", 5000), ("-10s", -10000), ("+0s", 0), ("-0s", 0), ("+1500ms", 1500), ("-1:30", -90000),
        ("+1h2m", 3_720_000),
    ])
    func `a sign counts from the last marker`(text: String, milliseconds: Int64) throws {
        #expect(try OffsetExpression(text) == .fromLastMarker(milliseconds: milliseconds))
    }

    @Test func `words name the moment and the end`() throws {
        #expect(try OffsetExpression("now") == .now)
        #expect(try OffsetExpression("end") == .end)
    }

    @Test(arguments: [
        ("", "it is empty"), ("+", "it is empty"), ("-", "it is empty"),
        ("9223372036854775808", "the number is too large"),
        ("1:2:3:4", "it has more than hours, minutes and seconds"),
        ("2:60", "seconds must be below 60, not '60'"), ("1:60:00", "minutes must be below 60, not '60'"),
        ("1:2:99.5", "seconds must be below 60, not '99.5'"),
        ("2:", "'' is not a number"), (":30", "'' is not a number"), ("1::2", "'' is not a number"),
        ("1.5:00", "'1.5' is not a number"), ("a:30", "'a' is not a number"),
        ("2:-5", "'-5' is not a number"),
        ("2:00s", "'00s' is not a number"), ("2:00.", "'00.' is not a number"),
        ("2:00.1234", "'00.1234' has more than three decimals"),
        ("2:00.5.5", "'00.5.5' is not a number"), ("2: 30", "' 30' is not a number"),
        ("9223372036854775807:00", "the number is too large"),
        ("200000000000000:00:00", "the number is too large"),
        ("90x", "'x' is not h, m, s or ms"), ("90S", "'S' is not h, m, s or ms"),
        ("1h2", "a unit is missing"),
        ("1.5", "a unit is missing"), ("s", "expected a number before 's'"),
        ("1h m", "expected a number before ' m'"),
        ("--5", "expected a number before '-5'"), ("+-5", "expected a number before '-5'"),
        (" 5", "expected a number before ' 5'"), ("5 ", "a unit is missing"),
        ("1m1h", "larger units come first, and each appears only once"),
        ("1s1s", "larger units come first, and each appears only once"),
        ("1.5ms", "it is more precise than a millisecond"),
        ("1.2345s", "'1.2345' has more than three decimals"),
        ("1..5s", "'1..5' is not a number"), (".5s", "'.5' is not a number"), ("1.s", "'1.' is not a number"),
        ("9223372036854775807h", "the number is too large"), ("9000000000000000s", "the number is too large"),
        ("99999999999999999999s", "the number is too large"),
        ("99999999999999999999:00", "the number is too large"),
        ("NOW", "expected a number before 'NOW'"), ("1e-3", "'e' is not h, m, s or ms"),
        ("-5", "a unit is missing"), ("+5", "a unit is missing"), ("120000.5", "a unit is missing"),
        ("1e30", "'e' is not h, m, s or ms"), ("1e400", "'e' is not h, m, s or ms"),
        ("٣s", "expected a number before '٣s'"), ("５", "expected a number before '５'"),
        ("0x10", "'x' is not h, m, s or ms"), ("5\n", "a unit is missing"),
    ])
    func `an offset that is none says how it was read`(text: String, reason: String) {
        let error = #expect(throws: FormatError.self) { try OffsetExpression(text) }
        #expect(error?.code == .offsetMalformed)
        #expect(error?.message == "'\(text)' is not an offset: \(reason)")
        #expect(
            error?.cure?.text
                == "write milliseconds (120000), a time (2:00, 1:02:03.250), units (90s, 1h2m3s, 250ms), now, "
                + "now-10s, end, or +5s and -10s from the last marker")
    }

    @Test(arguments: ["now", "end", "+5s", "-5s", "", "2:60"])
    func `a duration has neither words nor signs`(text: String) {
        let error = #expect(throws: FormatError.self) { try OffsetExpression.duration(text) }
        #expect(error?.code == .offsetMalformed)
        #expect(
            error?.cure?.text
                == "write milliseconds (5000), a time (2:00, 1:02:03.250) or units (90s, 1h2m3s, 250ms)")
    }

    @Test(arguments: [UInt64(1), 2, 3]) func `random texts never trap`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let characters = Array("0123456789999:.,hms+- ")
        for _ in 0..<5000 {
            let text = String(
                (0..<Int.random(in: 0...24, using: &random)).map { _ in random.element(of: characters) })
            _ = try? OffsetExpression(text)
        }
    }
}
