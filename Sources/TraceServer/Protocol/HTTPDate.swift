/// A moment as `Date`, `Last-Modified` and the conditions write it: whole seconds of UTC, from 1970 to the end of 9999.
///
/// A moment outside of these years is clamped.
///
/// Source: RFC 9110, section 5.6.7.
package struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    let seconds: Int64

    /// The last second of 9999.
    private static let latest: Int64 = 253_402_300_799

    /// The moment so many seconds after 1970 began.
    package init(seconds: Int64) { self.seconds = min(max(0, seconds), Self.latest) }

    /// The second in which a moment lies that is so many milliseconds after 1970 began.
    init(milliseconds: Int64) { self.init(seconds: max(0, milliseconds) / 1000) }

    package static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.seconds < right.seconds }

    /// The value for `Last-Modified`; nil if it is in the future, which the field must not be.
    ///
    /// Source: RFC 9110, section 8.8.2.1.
    func asLastModified(now: HTTPDate) -> HTTPDate? { self <= now ? self : nil }

    // MARK: - The calendar

    static let monthNames: [StaticString] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    static let dayNames: [StaticString] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    static func dayCount(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// How many days of the Gregorian calendar are between 1970-01-01 and the first day of a year.
    static func firstDay(of year: Int) -> Int {
        let before = year - 1
        // 477 leap days are before 1970.
        return 365 * (year - 1970) + before / 4 - before / 100 + before / 400 - 477
    }

    var year: Int { day.year }

    /// Year, month and day, each counted from 1, and the day of the week from Sunday as 0.
    private var day: (year: Int, month: Int, day: Int, weekday: Int) {
        let days = Int(seconds / 86400)
        // No year is longer than 366 days, so this is never too late, and by 9999 it is five years too early.
        var year = 1970 + days / 366
        while Self.firstDay(of: year + 1) <= days { year += 1 }
        var rest = days - Self.firstDay(of: year)
        var month = 1
        while rest >= Self.dayCount(ofMonth: month, in: year) {
            rest -= Self.dayCount(ofMonth: month, in: year)
            month += 1
        }
        // 1970 began on a Thursday.
        return (year, month, rest + 1, (days + 4) % 7)
    }

    // MARK: - As text

    /// The form that is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var description: String {
        let (year, month, day, weekday) = day
        var text: [UInt8] = []
        text.reserveCapacity(29)
        func append(_ name: StaticString) { name.withUTF8Buffer { text += $0 } }
        func append(_ number: Int, width: Int) {
            var divisor = 1
            for _ in 1..<width { divisor *= 10 }
            while divisor > 0 {
                text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
                divisor /= 10
            }
        }
        append(Self.dayNames[weekday])
        append(", ")
        append(day, width: 2)
        append(" ")
        append(Self.monthNames[month - 1])
        append(" ")
        append(year, width: 4)
        for (mark, divisor, modulus) in [(" ", 3600, 24), (":", 60, 60), (":", 1, 60)]
            as [(StaticString, Int, Int)]
        {
            append(mark)
            append(Int(seconds) / divisor % modulus, width: 2)
        }
        append(" GMT")
        return String(decoding: text, as: UTF8.self)
    }
}
