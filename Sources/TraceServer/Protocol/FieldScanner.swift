/// A position in the value of a header field, with the grammar that fields share.
///
/// It never reads outside of the value: at its end, nothing more is found.
struct FieldScanner {
    private let bytes: [UInt8]
    private var position = 0

    /// - Complexity: O(length of the value).
    init(_ value: some StringProtocol) { bytes = Array(value.utf8) }

    /// The next byte; nil at the end.
    var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether nothing follows.
    var isAtEnd: Bool { position >= bytes.count }

    /// Takes the next byte.
    mutating func next() -> UInt8? {
        guard let byte = peek else { return nil }
        position += 1
        return byte
    }

    /// Takes this byte if it is the next one.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    /// Takes this text if it is what follows, byte for byte.
    mutating func skip(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard length <= bytes.count - position else { return false }
        let isNext = text.withUTF8Buffer { bytes[position..<position + length].elementsEqual($0) }
        if isNext { position += length }
        return isNext
    }

    /// Takes spaces and tabs.
    mutating func skipSpace() { _ = bytes(while: \.isFieldSpace) }

    /// Takes bytes while a condition is true.
    mutating func bytes(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = position
        while let byte = peek, condition(byte) { position += 1 }
        return bytes[start..<position]
    }

    /// Takes a token.
    ///
    /// - Returns: nil if none begins here.
    /// - Source: RFC 9110, section 5.6.2.
    mutating func token() -> String? {
        let token = bytes(while: \.isTokenByte)
        return token.isEmpty ? nil : String(decoding: token, as: UTF8.self)
    }

    /// Takes a quoted string and removes its quotes and backslashes.
    ///
    /// - Returns: nil if none begins here, or if it has no end.
    /// - Source: RFC 9110, section 5.6.4.
    mutating func quotedText() -> [UInt8]? {
        guard skip(UInt8(ascii: "\"")) else { return nil }
        var text: [UInt8] = []
        while let byte = next() {
            if byte == UInt8(ascii: "\"") { return text }
            guard byte == UInt8(ascii: "\\") else {
                text.append(byte)
                continue
            }
            guard let escaped = next() else { return nil }
            text.append(escaped)
        }
        return nil
    }

    /// Takes a decimal number; one that is too large for 64 bits is clamped.
    ///
    /// - Returns: nil if no digit is next.
    mutating func number() -> Int64? {
        let digits = bytes(while: \.isDigit)
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for digit in digits {
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) = tens.addingReportingOverflow(Int64(digit & 0x0F))
            if isTooLarge || overflows { return .max }
            value = sum
        }
        return value
    }

    /// Takes exactly so many decimal digits, at most four.
    mutating func digits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<min(count, 4) {
            guard let byte = peek, byte.isDigit else { return nil }
            position += 1
            value = value * 10 + Int(byte & 0x0F)
        }
        return value
    }

    // MARK: - Lists

    /// Moves to the beginning of the next element of a comma-separated list. Empty elements are skipped, as a recipient must.
    ///
    /// - Returns: False if there is none.
    /// - Source: RFC 9110, section 5.6.1.2.
    mutating func moveToElement() -> Bool {
        _ = bytes { $0.isFieldSpace || $0 == UInt8(ascii: ",") }
        return !isAtEnd
    }

    /// Whether an element ends here, but for white space, which is taken.
    mutating func isAtEndOfElement() -> Bool {
        skipSpace()
        return isAtEnd || peek == UInt8(ascii: ",")
    }

    /// Moves to the end of the current element; commas in quotes belong to it.
    mutating func skipElement() {
        while let byte = peek, byte != UInt8(ascii: ",") {
            if byte == UInt8(ascii: "\"") {
                if quotedText() == nil { position = bytes.count }
            } else {
                position += 1
            }
        }
    }
}
