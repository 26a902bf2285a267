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

    /// A number as people and tables write it: digits with commas among them, a sign, a fraction. Nil for anything else, and for what
    /// is beyond ``limit``.
    static func number(_ text: String) -> Double? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: ",") }
        let isPlain = digits.allSatisfy {
            $0.isASCIIDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
        }
        guard isPlain, let number = Double(String(decoding: digits, as: UTF8.self)), abs(number) <= limit
        else {
            return nil
        }
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
