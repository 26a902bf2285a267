internal import TraceText

/// A moment in UTC, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// As ``SessionOffset`` it has no `+` and no `-`: the functions for sums and differences stop at the first and the last moment that
/// 64 bits can say.
///
/// Source: docs/spec/format.md#scalars; RFC 3339.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Unix time in milliseconds.
    public let milliseconds: Int64

    /// The moment so many milliseconds after (before, if negative) the start of 1970.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The moment of a time with fractions, which are cut off; the nearest there is if it lies beyond.
    package init(flooring milliseconds: Double) {
        let whole = milliseconds.rounded(.down)
        self.init(milliseconds: Int64(exactly: whole) ?? (whole < 0 ? .min : .max))
    }

    /// Orders moments by time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The moment so much after this one; the nearest there is where that lies beyond.
    package func adding(_ length: SessionOffset) -> Timestamp {
        Timestamp(milliseconds: milliseconds.addingClamped(length.milliseconds))
    }

    /// The moment so much before this one; the nearest there is where that lies beyond.
    package func subtracting(_ length: SessionOffset) -> Timestamp {
        Timestamp(milliseconds: milliseconds.subtractingClamped(length.milliseconds))
    }

    /// How many milliseconds after another moment this one is, negative where it is before; the nearest number there is where they
    /// are more than 64 bits can say.
    package func milliseconds(since earlier: Timestamp) -> Int64 {
        milliseconds.subtractingClamped(earlier.milliseconds)
    }

    /// The next millisecond; nil behind the last.
    package var next: Timestamp? {
        milliseconds == .max ? nil : adding(SessionOffset(milliseconds: 1))
    }

    /// The millisecond before; the first there is before that.
    package var previous: Timestamp { subtracting(SessionOffset(milliseconds: 1)) }

    /// The same, or the first or last moment that a text can name, where this is outside the years 0000–9999.
    package var clamped: Timestamp {
        Timestamp(milliseconds: min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999))
    }
}

extension Timestamp {
    /// How the text of a timestamp can be.
    package enum Reading: Equatable {
        /// The moment; fractions beyond milliseconds are cut off.
        case moment(Timestamp)
        /// `YYYY-MM-DDTHH:MM:SS(.fraction)?Z` by its characters, but no such date or time exists.
        case impossible
        /// Not of that form at all.
        case malformed
    }

    /// The moment that `text` represents in UTC with `Z`, or nil.
    public init?(_ text: some StringProtocol) {
        var text = String(text)
        guard case .moment(let moment) = text.withUTF8({ Self.read(UnsafeRawBufferPointer($0)) }) else {
            return nil
        }
        self = moment
    }

    /// Reads `^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$`.
    package static func read(_ text: UnsafeRawBufferPointer) -> Reading {
        guard text.count >= 20,
            let year = number(text, 0, 4), text[4] == UInt8(ascii: "-"),
            let month = number(text, 5, 2), text[7] == UInt8(ascii: "-"),
            let day = number(text, 8, 2), text[10] == UInt8(ascii: "T"),
            let hour = number(text, 11, 2), text[13] == UInt8(ascii: ":"),
            let minute = number(text, 14, 2), text[16] == UInt8(ascii: ":"),
            let second = number(text, 17, 2),
            let millisecond = fraction(text)
        else { return .malformed }
        let date = CivilDate(year: year, month: month, day: day)
        // A leap second is a real time (RFC 3339, section 5.7); it counts as the second that follows.
        guard date.exists, hour < 24, minute < 60, second < 60 || (second == 60 && hour == 23 && minute == 59)
        else {
            return .impossible
        }
        let seconds = Int64(date.daysSince1970) * 86400 + Int64(hour * 3600 + minute * 60 + second)
        return .moment(Timestamp(milliseconds: seconds * 1000 + Int64(millisecond)))
    }

    private static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int? {
        var value = 0
        // One branch for all digits: dates are looked at a million times.
        var highest: UInt8 = 0
        for index in start..<(start + count) {
            let digit = text[index] &- UInt8(ascii: "0")
            highest = max(highest, digit)
            value = value &* 10 &+ Int(digit)
        }
        return highest < 10 ? value : nil
    }

    /// What is between the seconds and the end: `Z`, or a dot, digits and `Z`; as milliseconds.
    private static func fraction(_ text: UnsafeRawBufferPointer) -> Int? {
        guard text[text.count - 1] == UInt8(ascii: "Z") else { return nil }
        if text.count == 20 { return 0 }
        guard text[19] == UInt8(ascii: "."), text.count > 21 else { return nil }
        var value = 0
        var weight = 100
        for index in 20..<(text.count - 1) {
            let digit = text[index] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value += Int(digit) * weight
            weight /= 10
        }
        return value
    }
}

extension Timestamp: CustomStringConvertible {
    /// `YYYY-MM-DDTHH:MM:SS.mmmZ`, always with three fraction digits; years outside 0000–9999 are clamped.
    public var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends what ``description`` says.
    package func append(to bytes: inout [UInt8]) {
        let (days, time) = clamped.milliseconds.quotientAndRemainder(flooringBy: 86_400_000)
        let date = CivilDate(daysSince1970: Int(days))
        func append(_ number: Int64, _ width: Int, _ separator: Unicode.Scalar) {
            bytes.append(number: number, width: width)
            bytes.append(UInt8(ascii: separator))
        }
        append(Int64(date.year), 4, "-")
        append(Int64(date.month), 2, "-")
        append(Int64(date.day), 2, "T")
        append(time / 3_600_000, 2, ":")
        append(time / 60000 % 60, 2, ":")
        append(time / 1000 % 60, 2, ".")
        append(time % 1000, 3, "Z")
    }

    /// The day of the week in UTC; Sunday is 0.
    package var weekday: Int {
        // 1970 began on a Thursday.
        Int(
            (clamped.milliseconds.quotientAndRemainder(flooringBy: 86_400_000).0 + 4)
                .quotientAndRemainder(flooringBy: 7).1)
    }
}

extension FixedWidthInteger {
    /// Division that rounds towards minus infinity, so that the remainder is never negative.
    func quotientAndRemainder(flooringBy divisor: Self) -> (Self, Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
