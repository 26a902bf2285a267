public import RecordFormat
public import TraceText

/// What a person typed for a place in a session, before it is known which session.
///
/// Source: docs/spec/format.md#offsets-as-people-write-them.
public enum OffsetExpression: Sendable, Hashable {
    /// So far from the start.
    case absolute(SessionOffset)
    /// So far from the last marker, back if negative.
    case fromLastMarker(milliseconds: Int64)
    /// The time that has passed since the start of an active session.
    case now
    /// So long before ``now``, > 0.
    case beforeNow(milliseconds: Int64)
    /// The end of the session.
    case end

    /// Reads a bare integer (milliseconds; `120000.0` and `1e3` too), `m:ss`, `h:mm:ss` (each with a fraction), units (`90s`, `1h2m3s`, `1.5m`,
    /// `250ms`), `now`, `now-10s`, `end`, or `+` or `-` before a duration with its unit for a place relative to the last marker.
    ///
    /// - Throws: ``FormatError`` with `.offsetMalformed`, which says how the text was read.
    public init(_ text: String) throws(FormatError) {
        switch text {
        case "now": self = .now
        case "end": self = .end
        case let text where text.hasPrefix("now-"):
            self = .beforeNow(milliseconds: try Self.distance(text.dropFirst(4), in: text))
        case let text where text.hasPrefix("now+"): throw Self.malformed(text, "it has not happened yet")
        default:
            guard let first = text.first, first == "+" || first == "-" else {
                self = .absolute(SessionOffset(milliseconds: try Self.milliseconds(text, in: text)))
                return
            }
            let distance = try Self.distance(text.dropFirst(), in: text)
            self = .fromLastMarker(milliseconds: first == "-" ? -distance : distance)
        }
    }

    /// The moment that it means in whatever session; nil if it is a place in one.
    package func moment(now: Timestamp) -> Timestamp? {
        switch self {
        case .now: now
        case .beforeNow(let distance): now.adding(SessionOffset(milliseconds: -distance))
        case .absolute, .fromLastMarker, .end: nil
        }
    }

    /// A length behind a sign.
    private static func distance(_ length: Substring, in text: String) throws(FormatError) -> Int64 {
        // What a script computed as a negative number must not land somewhere near the last marker.
        if !length.isEmpty, length.utf8.allSatisfy(\.isASCIIDigit) {
            throw malformed(text, "a unit is missing")
        }
        return try milliseconds(String(length), in: text)
    }

    /// Reads a length of time by the same grammar, without the words and signs.
    ///
    /// - Throws: ``FormatError`` with `.offsetMalformed`.
    public static func duration(_ text: String) throws(FormatError) -> SessionOffset {
        do throws(FormatError) { return SessionOffset(milliseconds: try milliseconds(text, in: text)) } catch
        {
            throw FormatError(
                error.code, error.message,
                cure: "write milliseconds (5000), a time (2:00, 1:02:03.250) or units (90s, 1h2m3s, 250ms)")
        }
    }

    private static func milliseconds(_ text: String, in whole: String) throws(FormatError) -> Int64 {
        if text.isEmpty { throw malformed(whole, "it is empty") }
        if text.contains(":") { return try clock(text, in: whole) }
        if let value = Int64(text), text.utf8.allSatisfy(\.isASCIIDigit) { return value }
        if text.utf8.allSatisfy(\.isASCIIDigit) { throw malformed(whole, "the number is too large") }
        if let value = wholeNumber(text) { return value }
        return try units(text, in: whole)
    }

    /// An integer as programs print theirs that know only floating-point numbers: `120000.0`, `1.2e5`.
    private static func wholeNumber(_ text: String) -> Int64? {
        let isNumber = text.utf8.allSatisfy { $0.isASCIIDigit || ".eE+".utf8.contains($0) }
        guard isNumber, text.utf8.first?.isASCIIDigit == true, let number = Double(text), number < 0x1p53
        else { return nil }
        return Int64(exactly: number)
    }

    /// `m:ss(.fff)` or `h:mm:ss(.fff)`; a comma is taken for the point, as subtitles write it.
    private static func clock(_ text: String, in whole: String) throws(FormatError) -> Int64 {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3 else { throw malformed(whole, "it has more than hours, minutes and seconds") }
        var total: Int64 = 0
        for (index, part) in parts.enumerated() {
            let isSeconds = index == parts.count - 1
            let value = try thousandths(part, point: isSeconds ? ".," : "", in: whole)
            if index > 0, value >= 60000 {
                throw malformed(
                    whole, "\(isSeconds ? "seconds" : "minutes") must be below 60, not '\(part)'")
            }
            total = try scaled(total, by: 60, plus: value, in: whole)
        }
        return total
    }

    /// `1h2m3s`, `90s`, `1.5m`, `250ms`: each unit at most once, the larger before the smaller.
    private static func units(_ text: String, in whole: String) throws(FormatError) -> Int64 {
        let scales: [(name: String, milliseconds: Int64)] = [
            ("h", 3_600_000), ("m", 60000), ("s", 1000), ("ms", 1),
        ]
        var rest = Substring(text)
        var smallest = Int64.max
        var total: Int64 = 0
        while !rest.isEmpty {
            let digits = rest.prefix { $0.utf8.allSatisfy(\.isASCIIDigit) || $0 == "." }
            rest = rest.dropFirst(digits.count)
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard !digits.isEmpty else {
                throw malformed(whole, "expected a number before '\(unit + rest)'")
            }
            let value = try thousandths(digits, point: ".", in: whole)
            guard let scale = scales.first(where: { $0.name == unit })?.milliseconds else {
                throw malformed(whole, unit.isEmpty ? "a unit is missing" : "'\(unit)' is not h, m, s or ms")
            }
            guard scale < smallest else {
                throw malformed(whole, "larger units come first, and each appears only once")
            }
            smallest = scale
            let (product, overflow) = value.multipliedReportingOverflow(by: scale)
            guard !overflow else { throw malformed(whole, "the number is too large") }
            guard product % 1000 == 0 else { throw malformed(whole, "it is more precise than a millisecond") }
            total = try scaled(total, by: 1, plus: product / 1000, in: whole)
        }
        return total
    }

    /// A decimal number in thousandths, so that no binary fraction can round it.
    private static func thousandths(
        _ text: Substring, point: String, in whole: String
    ) throws(FormatError) -> Int64 {
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { point.contains($0) }
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(\.isASCIIDigit) }) else {
            throw malformed(whole, "'\(text)' is not a number")
        }
        let decimals = parts.count == 2 ? parts[1] : ""
        guard decimals.utf8.count <= 3 else {
            throw malformed(whole, "'\(text)' has more than three decimals")
        }
        guard let value = Int64(parts[0] + decimals + String(repeating: "0", count: 3 - decimals.utf8.count))
        else {
            throw malformed(whole, "the number is too large")
        }
        return value
    }

    private static func scaled(
        _ value: Int64, by factor: Int64, plus more: Int64, in whole: String
    ) throws(FormatError) -> Int64 {
        let (product, first) = value.multipliedReportingOverflow(by: factor)
        let (sum, second) = product.addingReportingOverflow(more)
        guard !first, !second else { throw malformed(whole, "the number is too large") }
        return sum
    }

    private static func malformed(_ text: String, _ reason: String) -> FormatError {
        FormatError(
            .offsetMalformed, "'\(text)' is not an offset: \(reason)",
            cure:
                "write milliseconds (120000), a time (2:00, 1:02:03.250), units (90s, 1h2m3s, 250ms), now, now-10s, end, "
                + "or +5s and -10s from the last marker")
    }
}
