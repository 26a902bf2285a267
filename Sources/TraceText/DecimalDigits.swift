/// `value` with leading zeros, at least `width` digits.
package func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
extension [UInt8] {
    /// Appends a number in decimal digits, with leading zeros up to `width`.
    package mutating func append(number: Int64, width: Int = 1) {
        if number < 0 { append(UInt8(ascii: "-")) }
        var rest = number.magnitude
        let start = count
        repeat {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        while count - start < width { append(UInt8(ascii: "0")) }
        self[start...].reverse()
    }
}
