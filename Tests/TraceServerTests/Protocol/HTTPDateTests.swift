import TestSupport
import Testing

@testable import TraceServer

struct HTTPDateTests {
    private static let now = HTTPDate(seconds: 1_770_000_000)

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
        (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"), (1_767_225_599, "Wed, 31 Dec 2025 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
    ])
    func `a date is written and read`(seconds: Int64, text: String) {
        #expect(HTTPDate(seconds: seconds).description == text)
        #expect(HTTPDate(text, now: Self.now)?.seconds == seconds)
    }

    @Test(arguments: 0..<4)
    func `any date is the same when it is written and read`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<2000 {
            let date = HTTPDate(seconds: .random(in: 0...253_402_300_799, using: &random))
            #expect(HTTPDate(date.description, now: Self.now) == date)
        }
    }

    @Test func `every day follows the one before`() {
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        var last = ""
        for day in 0..<(400 * 366) {
            let text = HTTPDate(seconds: Int64(day) * 86400).description
            #expect(text.hasPrefix(days[day % 7]) && text != last)
            last = text
        }
    }

    @Test(arguments: [
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Wed Nov 16 08:49:37 1994", 784_975_777), ("Wednesday, 16-Nov-94 08:49:37 GMT", 784_975_777),
        // 2026 and 50 years are 2076.
        ("Thursday, 01-Jan-70 00:00:00 GMT", 3_155_760_000),
        ("Friday, 31-Dec-76 23:59:59 GMT", 3_376_684_799),
        ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800), ("Friday, 31-Dec-99 23:59:60 GMT", 946_684_800),
        (" Sun, 06 Nov 1994 08:49:37 GMT ", 784_111_777), ("Mon, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("Wed, 31 Dec 1969 23:59:59 GMT", 0), ("Sat, 01 Jan 0000 00:00:00 GMT", 0),
    ])
    func `the forms of old programs are read`(text: String, seconds: Int64) {
        #expect(HTTPDate(text, now: Self.now)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "0", "784111777", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 GMT+1", "Sun, 6 Nov 1994 08:49:37 GMT", "sun, 06 nov 1994 08:49:37 gmt",
        "Sun,06 Nov 1994 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 2023 00:00:00 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 19944 08:49:37 GMT",
        "Sund, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov 06 08:49:37 1994 GMT", "Day, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT",
    ])
    func `anything else is no date`(text: String) {
        #expect(HTTPDate(text, now: Self.now) == nil)
    }

    @Test func `a time that a file can have and a date can't is the nearest date`() {
        #expect(HTTPDate(seconds: .min) == HTTPDate(seconds: 0))
        #expect(HTTPDate(seconds: .max).description == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate(milliseconds: 784_111_777_999).seconds == 784_111_777)
        #expect(HTTPDate(milliseconds: .min).seconds == 0)
    }

    @Test func `a time in the future is not told`() {
        #expect(Self.now.asLastModified(now: Self.now) == Self.now)
        #expect(HTTPDate(seconds: Self.now.seconds + 1).asLastModified(now: Self.now) == nil)
    }
}
