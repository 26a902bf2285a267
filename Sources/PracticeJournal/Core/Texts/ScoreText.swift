internal import RecordFormat

/// Scores as people read them.
package enum ScoreText {
    /// Without a fraction, half to even, with commas between thousands.
    ///
    /// Source: docs/spec/practice.md#the-text-of-a-row.
    package static func text(_ score: Double) -> String {
        let digits = Array(digits(of: score.rounded(.toNearestOrEven)).utf8)
        let start = digits.first == UInt8(ascii: "-") ? 1 : 0
        var text: [UInt8] = []
        text.reserveCapacity(digits.count * 4 / 3 + 1)
        for (index, digit) in digits.enumerated() {
            if index > start, (digits.count - index).isMultiple(of: 3) { text.append(UInt8(ascii: ",")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A score as a person types it: a whole number of at most ``longestTyped`` digits, alone or in groups of three with one kind of
    /// separator between them. Nil for anything else.
    ///
    /// Source: docs/practice.md#numbers.
    static func typed(_ text: String) -> Double? {
        var digits = ""
        var groups = [0]
        var separator: Unicode.Scalar?
        for scalar in text.trimmed.unicodeScalars {
            if ("0"..."9").contains(scalar) {
                digits.unicodeScalars.append(scalar)
                groups[groups.count - 1] += 1
            } else if separators.contains(scalar), separator ?? scalar == scalar {
                separator = scalar
                groups.append(0)
            } else {
                return nil
            }
        }
        let isGrouped = (1...3).contains(groups[0]) && groups.dropFirst().allSatisfy { $0 == 3 }
        guard groups.count == 1 || isGrouped, digits.count <= longestTyped,
            !digits.hasPrefix("0") || digits == "0"
        else { return nil }
        return Double(digits)
    }

    /// Comma, point, space, no-break space, narrow no-break space, apostrophes, underscore.
    private static let separators: Set<Unicode.Scalar> = [
        ",", ".", " ", "\u{A0}", "\u{202F}", "'", "\u{2019}", "_",
    ]

    /// In digits; a real number holds each of them exactly.
    static let longestTyped = 15

    /// A number of a table: maybe with a sign, a fraction behind a point, an exponent, and commas that group three digits of what is
    /// before these. Nil for anything else, and for what is beyond ``limit``.
    ///
    /// Source: docs/spec/practice.md#league-tables.
    static func inTable(_ text: String) -> Double? {
        let end = text.utf8.firstIndex { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
        let signs: [UInt8] = [UInt8(ascii: "-"), UInt8(ascii: "+")]
        let (whole, rest) = (
            text.utf8[..<(end ?? text.utf8.endIndex)], text.utf8[(end ?? text.utf8.endIndex)...]
        )
        let groups = whole.drop(while: signs.contains).split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        let isGrouped =
            groups.count == 1
            || (1...3).contains(groups[0].count) && groups.dropFirst().allSatisfy { $0.count == 3 }
        let isPlain = rest.allSatisfy { byte in
            byte.isASCIIDigit || byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e")
                || signs.contains(byte)
        }
        guard isGrouped, isPlain, groups.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
            let number = Double(text.replacing(",", with: "")), abs(number) <= limit
        else { return nil }
        return number
    }

    /// More than any game counts. The squares of such numbers, and sums of them, are numbers still.
    static let limit = 1e150

    /// A whole number without an exponent. Beyond 64 bits its shortest digits, with zeros behind them.
    private static func digits(of number: Double) -> String {
        if let integer = Int64(exactly: number) { return String(integer) }
        let parts = number.description.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return number.description }
        let mantissa = parts[0].split(separator: ".")
        let fraction = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1] : ""
        let zeros = String(repeating: "0", count: max(0, exponent - fraction.count))
        return mantissa[0] + fraction + zeros
    }
}
