internal import TraceText

/// A strict reader of RFC 8259 that keeps places: it says where a text stops being JSON, and where the members of an object
/// lie, so that one of them can be changed without touching a byte of the others.
///
/// It is for errors and edits; whole files are read by ``JSONParser``.
package struct JSONScanner {
    /// A syntax error: its location and reason.
    package struct Failure: Error, Equatable {
        /// Bytes from the start of the text.
        package let position: Int
        package let reason: String
        /// Whether it is JSON but for a number that nobody can hold.
        var isNumberTooLarge = false
    }

    /// A member of an object: the bytes of its name (quotes included) and of its value.
    package struct Member: Equatable {
        package let name: String
        package let nameRange: Range<Int>
        package let valueRange: Range<Int>
    }

    private let text: UnsafeRawBufferPointer
    private var position = 0
    /// The closing brackets of what has been opened; one array for all values.
    private var open: [UInt8] = []
    /// Whether the text is JSON for certain.
    private var isParsed = false

    private init(_ text: UnsafeRawBufferPointer) { self.text = text }

    /// Where and why `text` is not one JSON text, or nil when it is one.
    package static func failure(in text: UnsafeRawBufferPointer) -> Failure? {
        var scanner = JSONScanner(text)
        do throws(Failure) {
            scanner.skipSpace()
            try scanner.value()
            scanner.skipSpace()
            if scanner.position < text.count {
                throw scanner.fail("unexpected text after the end of the value")
            }
            return nil
        } catch {
            return error
        }
    }

    /// The members of the object that `text` is, in their order, duplicates included.
    ///
    /// - Parameter isParsed: As for ``outline(of:)``.
    package static func members(
        of text: UnsafeRawBufferPointer, isParsed: Bool = false
    ) throws(Failure) -> [Member] {
        var scanner = JSONScanner(text)
        scanner.isParsed = isParsed
        var members: [Member] = []
        scanner.skipSpace()
        guard scanner.peek == UInt8(ascii: "{") else { throw scanner.fail("expected an object") }
        try scanner.object { members.append($0) }
        scanner.skipSpace()
        if scanner.position < text.count { throw scanner.fail("unexpected text after the end of the object") }
        return members
    }

    /// Where the elements of the array that `text` is lie, in their order.
    package static func elements(of text: UnsafeRawBufferPointer) throws(Failure) -> [Range<Int>] {
        var scanner = JSONScanner(text)
        var elements: [Range<Int>] = []
        scanner.skipSpace()
        guard scanner.peek == UInt8(ascii: "[") else { throw scanner.fail("expected an array") }
        try scanner.array { elements.append($0) }
        scanner.skipSpace()
        if scanner.position < text.count { throw scanner.fail("unexpected text after the end of the array") }
        return elements
    }

    /// The members of the object that `text` is, as ``members(of:)``, and in the same reading where the elements of those lie that are
    /// arrays; nil for the others.
    ///
    /// - Parameter text: What ``JSONParser`` has read as an object: what is in the values is not looked at again to find their ends.
    package static func outline(
        of text: UnsafeRawBufferPointer
    ) throws(Failure) -> [(member: Member, elements: [Range<Int>]?)] {
        var scanner = JSONScanner(text)
        scanner.isParsed = true
        var outline: [(member: Member, elements: [Range<Int>]?)] = []
        scanner.skipSpace()
        guard scanner.peek == UInt8(ascii: "{") else { throw scanner.fail("expected an object") }
        var elements: [Range<Int>] = []
        try scanner.object(
            { member in
                let isArray = text[member.valueRange.lowerBound] == UInt8(ascii: "[")
                outline.append((member, isArray ? elements : nil))
                elements = []
            }, { elements.append($0) })
        scanner.skipSpace()
        if scanner.position < text.count { throw scanner.fail("unexpected text after the end of the object") }
        return outline
    }

    /// Where the values lie that stand one after the other in `text`, with nothing but white space between
    /// them.
    package static func values(of text: UnsafeRawBufferPointer) throws(Failure) -> [Range<Int>] {
        var scanner = JSONScanner(text)
        var values: [Range<Int>] = []
        scanner.skipSpace()
        repeat {
            let start = scanner.position
            try scanner.value()
            values.append(start..<scanner.position)
            scanner.skipSpace()
        } while scanner.position < text.count
        return values
    }

    // MARK: - Grammar

    private var peek: UInt8? { position < text.count ? text[position] : nil }

    private func fail(_ reason: String, isNumberTooLarge: Bool = false) -> Failure {
        Failure(position: position, reason: reason, isNumberTooLarge: isNumberTooLarge)
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// A value that lies `depth` deep, without recursion. Nothing is open before it, nor behind it.
    private mutating func value(depth: Int = 0) throws(Failure) {
        if isParsed { return try skipValue() }
        while true {
            let opened = try scalarOrOpening(depth)
            if opened { continue }
            while let closing = open.last {
                skipSpace()
                guard let byte = peek else {
                    throw fail("the text ends before '\(Character(Unicode.Scalar(closing)))'")
                }
                if byte == closing {
                    position += 1
                    open.removeLast()
                } else if byte == UInt8(ascii: ",") {
                    position += 1
                    try startOfItem(in: closing)
                    break
                } else {
                    throw fail("expected ',' or '\(Character(Unicode.Scalar(closing)))'")
                }
            }
            if open.isEmpty { return }
        }
    }

    /// Reads a scalar, or opens an array or object and is at its first item; false when a value is complete.
    private mutating func scalarOrOpening(_ depth: Int) throws(Failure) -> Bool {
        guard let byte = peek else { throw fail("expected a value, but the text ends") }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let start = position
            let closing = byte + 2
            position += 1
            skipSpace()
            if peek == closing {
                position += 1
                return false
            }
            // As libsimdjson counts, which does not descend into what is empty.
            guard depth + open.count < JSONParser.maximumDepth - 1 else {
                position = start
                throw fail("objects and arrays nest deeper than \(JSONParser.maximumDepth)")
            }
            open.append(closing)
            try startOfItem(in: closing)
            return true
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case 0: throw fail("expected a value, found a NUL byte")
        default: throw fail("expected a value")
        }
        return false
    }

    /// A value of a text that is JSON.
    private mutating func skipValue() throws(Failure) {
        var depth = 0
        repeat {
            guard let byte = peek else { throw fail("the text ends in the middle of a value") }
            switch byte {
            case UInt8(ascii: "\""): try skipString()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                position += 1
            case _ where depth > 0: position += 1
            default: skipScalar()
            }
        } while depth > 0
    }

    /// A number or a word.
    private mutating func skipScalar() {
        while let byte = peek, byte > 0x20, !",]}".utf8.contains(byte) { position += 1 }
    }

    private mutating func skipString() throws(Failure) {
        position += 1
        while true {
            while hasNoEnd(at: position) { position += 8 }
            guard let byte = peek else { throw fail("the text ends in the middle of a string") }
            position += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
    }

    private mutating func startOfItem(in closing: UInt8) throws(Failure) {
        skipSpace()
        if closing == UInt8(ascii: "}") { _ = try name() }
    }

    private mutating func name() throws(Failure) -> Range<Int> {
        guard peek == UInt8(ascii: "\"") else { throw fail("expected a member name in quotes") }
        let start = position
        try string()
        let range = start..<position
        skipSpace()
        guard peek == UInt8(ascii: ":") else { throw fail("expected ':' after a member name") }
        position += 1
        skipSpace()
        return range
    }

    /// - Parameter visitElement: Called with each element of a member that is an array, before the member; nil if nobody asks.
    private mutating func object(
        _ visit: (Member) -> Void, _ visitElement: ((Range<Int>) -> Void)? = nil
    ) throws(Failure) {
        position += 1
        skipSpace()
        if peek == UInt8(ascii: "}") {
            position += 1
            return
        }
        while true {
            let nameRange = try name()
            let start = position
            if let visitElement, peek == UInt8(ascii: "[") {
                try array(depth: 2, visitElement)
            } else {
                try value(depth: 1)
            }
            let spelled = UnsafeRawBufferPointer(rebasing: text[nameRange])
            visit(
                Member(name: JSONText.unescaped(spelled), nameRange: nameRange, valueRange: start..<position))
            skipSpace()
            guard let byte = peek else { throw fail("the text ends before '}'") }
            position += 1
            if byte == UInt8(ascii: "}") { return }
            guard byte == UInt8(ascii: ",") else {
                position -= 1
                throw fail("expected ',' or '}'")
            }
            skipSpace()
        }
    }

    /// - Parameter depth: How deep its elements lie.
    private mutating func array(depth: Int = 1, _ visit: (Range<Int>) -> Void) throws(Failure) {
        position += 1
        skipSpace()
        if peek == UInt8(ascii: "]") {
            position += 1
            return
        }
        while true {
            let start = position
            try value(depth: depth)
            visit(start..<position)
            skipSpace()
            guard let byte = peek else { throw fail("the text ends before ']'") }
            position += 1
            if byte == UInt8(ascii: "]") { return }
            guard byte == UInt8(ascii: ",") else {
                position -= 1
                throw fail("expected ',' or ']'")
            }
            skipSpace()
        }
    }

    private mutating func word(_ word: StaticString) throws(Failure) {
        let end = min(position + word.utf8CodeUnitCount, text.count)
        guard UnsafeRawBufferPointer(rebasing: text[position..<end]).equals(word) else {
            throw fail("expected a value")
        }
        position = end
    }

    private mutating func number() throws(Failure) {
        let start = position
        var hasExponent = false
        if peek == UInt8(ascii: "-") { position += 1 }
        if peek == UInt8(ascii: "0") {
            position += 1
            if peek?.isASCIIDigit == true { throw fail("a number has a leading zero") }
        } else {
            try digits()
        }
        if peek == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            hasExponent = true
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        if let byte = peek, byte > 0x20, !",]}".utf8.contains(byte) {
            throw fail("a number is incomplete")
        }
        // Most numbers: of so few digits each can be held.
        if !hasExponent, position - start <= 18 { return }
        let spelled = String(decoding: text[start..<position], as: UTF8.self)
        let isPlain = text[start..<position].allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
        let fits =
            isPlain ? Int64(spelled) != nil || UInt64(spelled) != nil : Double(spelled)?.isFinite == true
        guard !fits else { return }
        position = start
        throw fail("a number is too large", isNumberTooLarge: true)
    }

    private mutating func digits() throws(Failure) {
        guard peek?.isASCIIDigit == true else { throw fail("expected a digit") }
        while peek?.isASCIIDigit == true { position += 1 }
    }

    private mutating func string() throws(Failure) {
        position += 1
        while isPlain(at: position) { position += 8 }
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw fail("a control character in a string is not escaped")
            case 0..<0x80: position += 1
            default:
                guard let length = UTF8Sequence.length(in: text, at: position) else {
                    throw fail("the bytes of a string are not UTF-8")
                }
                position += length
            }
        }
        throw fail("the text ends in the middle of a string")
    }

    /// Whether the next eight bytes are ASCII that stands for itself in a string.
    ///
    /// All at once: a byte that is 0 borrows into its highest bit when 1 is taken from it, and one below 0x20 when that is.
    private func isPlain(at position: Int) -> Bool {
        guard position + 8 <= text.count else { return false }
        let bytes = text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let (quotes, backslashes) = Self.borrows(of: bytes)
        return (bytes &- Self.each * 0x20 | quotes | backslashes | bytes) & (Self.each * 0x80) == 0
    }

    /// Whether there is neither a quote nor a backslash among the next eight bytes, whatever else there is.
    private func hasNoEnd(at position: Int) -> Bool {
        guard position + 8 <= text.count else { return false }
        let bytes = text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        let (quotes, backslashes) = Self.borrows(of: bytes)
        return (quotes | backslashes) & (Self.each * 0x80) == 0
    }

    private static let each: UInt64 = 0x0101_0101_0101_0101

    /// With the highest bit set of bytes that are quotes, and of those that are backslashes; of some other bytes, too.
    private static func borrows(of bytes: UInt64) -> (quotes: UInt64, backslashes: UInt64) {
        let quotes = bytes ^ each * UInt64(UInt8(ascii: "\""))
        let backslashes = bytes ^ each * UInt64(UInt8(ascii: "\\"))
        return (quotes &- each, backslashes &- each)
    }

    private mutating func escape() throws(Failure) {
        let start = position
        position += 1
        guard let byte = peek else { throw fail("the text ends in the middle of an escape") }
        position += 1
        guard byte == UInt8(ascii: "u") else {
            if "\"\\/bfnrt".utf8.contains(byte) { return }
            position = start
            guard (0x21..<0x7F).contains(byte) else { throw fail("a backslash does not begin an escape") }
            throw fail("'\\\(Character(Unicode.Scalar(byte)))' is not an escape")
        }
        let first = try hexadecimal(from: start)
        guard (0xD800...0xDFFF).contains(first) else { return }
        guard first < 0xDC00, peek == UInt8(ascii: "\\"), position + 1 < text.count,
            text[position + 1] == UInt8(ascii: "u")
        else {
            position = start
            throw fail("an escape is half of a surrogate pair")
        }
        position += 2
        guard (0xDC00...0xDFFF).contains(try hexadecimal(from: start)) else {
            position = start
            throw fail("an escape is half of a surrogate pair")
        }
    }

    private mutating func hexadecimal(from start: Int) throws(Failure) -> UInt32 {
        guard position + 4 <= text.count,
            let value = UInt32(String(decoding: text[position..<(position + 4)], as: UTF8.self), radix: 16),
            text[position] != UInt8(ascii: "+"), text[position] != UInt8(ascii: "-")
        else {
            position = start
            throw fail("'\\u' needs four hexadecimal digits")
        }
        position += 4
        return value
    }
}
