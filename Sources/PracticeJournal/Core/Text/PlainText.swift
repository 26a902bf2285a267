extension StringProtocol {
    /// The text without white space and line breaks at its ends.
    var trimmed: String {
        // Most texts have none, and are not read as characters for it.
        let graphic: ClosedRange<UInt32> = 0x21...0x7E
        if let first = unicodeScalars.first, graphic.contains(first.value), let last = unicodeScalars.last,
            graphic.contains(last.value)
        {
            return String(self)
        }
        guard let start = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[start...last])
    }

    /// Whether there is nothing but white space.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// The text without white space at its ends, or nil if nothing is left.
    var trimmedOrNil: String? {
        let text = trimmed
        return text.isEmpty ? nil : text
    }
}

extension String {
    /// The text with line feeds in place of CRLF, which Swift takes for one character.
    var withoutCarriageReturns: String {
        guard utf8.contains(0x0D) else { return self }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count)
        for byte in utf8 {
            if byte == 0x0A, bytes.last == 0x0D { bytes.removeLast() }
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What is before and behind the first occurrence of an ASCII text; nil if it does not occur.
    func split(atFirst separator: StaticString) -> (head: String, tail: String)? {
        let wanted = UnsafeBufferPointer(start: separator.utf8Start, count: separator.utf8CodeUnitCount)
        let bytes = Array(utf8)
        guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
        for start in 0...(bytes.count - wanted.count)
        where bytes[start] == first && bytes[start..<(start + wanted.count)].elementsEqual(wanted) {
            return (
                String(decoding: bytes[..<start], as: UTF8.self),
                String(decoding: bytes[(start + wanted.count)...], as: UTF8.self)
            )
        }
        return nil
    }

    /// The lines between line feeds, blank ones too.
    var lines: [String] {
        utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}

extension Optional where Wrapped == String {
    /// Two texts that say the same: without white space at their ends, ignoring case; a blank one is none.
    func says(_ other: String?) -> Bool {
        (self ?? "").trimmed.lowercased() == (other ?? "").trimmed.lowercased()
    }
}
