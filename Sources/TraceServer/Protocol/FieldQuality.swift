/// The weight of an element of `Accept` or `Accept-Encoding`.
///
/// Source: RFC 9110, section 12.4.2.
enum FieldQuality {
    /// Takes the parameters of an element, up to its end, and returns the weight in thousandths: 1000 without `q`.
    ///
    /// - Returns: nil for a syntax error.
    static func value(_ scanner: inout FieldScanner) -> Int? {
        var quality = 1000
        while !scanner.isAtEndOfElement() {
            guard scanner.skip(UInt8(ascii: ";")) else { return nil }
            scanner.skipSpace()
            guard let name = scanner.token() else {
                // A parameter may be missing: `text/html;`.
                continue
            }
            guard scanner.skip(UInt8(ascii: "=")) else { return nil }
            if name.asciiLowercased == "q" {
                guard let value = thousandths(&scanner) else { return nil }
                quality = value
            } else if scanner.peek == UInt8(ascii: "\"") {
                guard scanner.quotedText() != nil else { return nil }
            } else {
                guard scanner.token() != nil else { return nil }
            }
        }
        return quality
    }

    /// `0`, `0.123`, `1` or `1.000`.
    private static func thousandths(_ scanner: inout FieldScanner) -> Int? {
        guard let whole = scanner.digits(1), whole <= 1 else { return nil }
        guard scanner.skip(UInt8(ascii: ".")) else { return whole * 1000 }
        let digits = scanner.bytes(while: \.isDigit)
        guard digits.count <= 3 else { return nil }
        var fraction = 0
        var scale = 100
        for digit in digits {
            fraction += Int(digit & 0x0F) * scale
            scale /= 10
        }
        let value = whole * 1000 + fraction
        return value <= 1000 ? value : nil
    }
}
