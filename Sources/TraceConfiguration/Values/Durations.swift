internal import TraceText

extension SettingType<Duration> {
    /// A span of time within a range: seconds, or numbers with units.
    static func duration(_ range: ClosedRange<Duration>) -> SettingType {
        /// The range for people.
        @Sendable func limits() -> String { "\(written(range.lowerBound)) to \(written(range.upperBound))" }
        return .single(
            "duration, \(limits())",
            read: { (text, _) throws(SettingProblem) in
                guard let duration = readDuration(text) else {
                    throw SettingProblem(
                        .invalidValue, "\(quoted(text)) is not a duration",
                        cure: "write seconds (300, 0.5) or numbers with units (100ms, 5s, 5m, 1h30m, 1d)")
                }
                guard range.contains(duration) else {
                    let bare = text.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
                    let note = bare ? "; a bare number is seconds" : ""
                    throw SettingProblem(
                        .outOfRange, "\(quoted(text)) is out of range", cure: "write \(limits())\(note)")
                }
                return duration
            }, write: written)
    }
}

/// The units of time, the longest first.
private let units: [(name: String, milliseconds: Int128)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
]

/// Reads `300`, `0.5`, `100ms`, `5 m`, `1h30m`. A bare number is seconds.
///
/// - Returns: nil if the text is something else. More than a year is cut off at a thousand years.
package func readDuration(_ text: [UInt8]) -> Duration? {
    var rest = text[...]
    /// Takes the bytes from the front as long as they satisfy the condition.
    func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: condition)
        rest = rest.dropFirst(taken.count)
        return taken
    }
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    var nanoseconds: Int128 = 0
    var parts = 0
    while !rest.isEmpty {
        let whole = take(while: isDigit)
        var fraction = rest[rest.startIndex..<rest.startIndex]
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            fraction = take(while: isDigit)
            guard !fraction.isEmpty else { return nil }
        }
        _ = take { $0 == UInt8(ascii: " ") }
        let name = String(decoding: take { $0 >= 0x61 && $0 <= 0x7A }, as: UTF8.self)
        _ = take { $0 == UInt8(ascii: " ") }
        guard !whole.isEmpty, whole.count <= 12, fraction.count <= 9 else { return nil }
        // Only a number that stands alone may do without a unit.
        let seconds = name.isEmpty && rest.isEmpty && parts == 0
        guard let unit = units.first(where: { $0.name == (seconds ? "s" : name) }) else { return nil }
        var number: Int128 = 0
        for digit in whole + fraction { number = number * 10 + Int128(digit - 0x30) }
        var part = number * unit.milliseconds * 1_000_000
        for _ in fraction { part /= 10 }
        nanoseconds += part
        parts += 1
    }
    guard parts > 0, parts <= units.count else { return nil }
    let thousandYears: Int128 = 31_556_952_000 * 1_000_000_000
    let (seconds, remainder) = min(nanoseconds, thousandYears).quotientAndRemainder(dividingBy: 1_000_000_000)
    return Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(remainder) * 1_000_000_000)
}

/// Writes a duration as ``readDuration(_:)`` reads it, in the fewest units: `5m`, `1h30m`, `100ms`.
func written(_ duration: Duration) -> String {
    var milliseconds = Int128(duration / .milliseconds(1))
    guard milliseconds > 0 else { return "0s" }
    var text = ""
    for unit in units where milliseconds >= unit.milliseconds {
        let (count, rest) = milliseconds.quotientAndRemainder(dividingBy: unit.milliseconds)
        text += "\(count)\(unit.name)"
        milliseconds = rest
    }
    return text
}
