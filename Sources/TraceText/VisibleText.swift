/// Makes untrusted text safe for a terminal or a log: control characters are escaped.
package enum VisibleText {
    /// How a control character is escaped.
    package enum Escape {
        /// `\u{1B}`, as in paths.
        case braces
        /// `\u001b`: the same value where it is in a string of JSON.
        case json
    }

    /// The text with an escape for each character that would be obeyed, but for tabs and line breaks.
    static func escaped(_ text: String) -> String {
        isVisible(text) ? text : String(decoding: escaped(Array(text.utf8)), as: UTF8.self)
    }

    /// The bytes with an escape for each character that would be obeyed, but for tabs and line breaks, and `\xFF` for each
    /// byte that is not UTF-8.
    package static func escaped(_ bytes: [UInt8], as escape: Escape = .braces) -> [UInt8] {
        bytes.withUnsafeBytes { text -> [UInt8] in
            guard var next = firstTerminalControl(in: text, from: 0) else { return bytes }
            var visible: [UInt8] = []
            visible.reserveCapacity(bytes.count + 64)
            var start = 0
            while true {
                visible += text[start..<next.start]
                visible += (next.scalar?.spelled(escape) ?? text[next.start].spelled).utf8
                start = next.start + next.length
                guard let another = firstTerminalControl(in: text, from: start) else { break }
                next = another
            }
            return visible + text[start...]
        }
    }

    /// Bytes of a name or a value, written so that two different ones never look the same: as ``escaped(_:as:)``, with an
    /// escape for tabs and line breaks too, and `\\` for a backslash.
    ///
    /// Not generic: it is asked for the name of each event, and a generic one would be run unspecialized by other modules.
    package static func spelledOut(_ bytes: [UInt8]) -> String {
        let isPlain = bytes.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }
        if isPlain { return String(decoding: bytes, as: UTF8.self) }
        var text = ""
        var parser = Unicode.UTF8.ForwardParser()
        var input = bytes.makeIterator()
        var rest = bytes[...]
        while true {
            switch parser.parseScalar(from: &input) {
            case .valid(let encoded):
                rest = rest.dropFirst(encoded.count)
                let scalar = Unicode.UTF8.decode(encoded)
                if scalar == "\\" {
                    text += "\\\\"
                } else if scalar.isTerminalControl {
                    text += scalar.spelled()
                } else {
                    text.unicodeScalars.append(scalar)
                }
            case .error(let length):
                for byte in rest.prefix(length) { text += byte.spelled }
                rest = rest.dropFirst(length)
            case .emptyInput:
                return text
            }
        }
    }

    /// Whether nothing in the text would be obeyed but tabs and line breaks.
    package static func isVisible(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { firstTerminalControl(in: UnsafeRawBufferPointer($0), from: 0) == nil }
    }

    /// The first character from there on that would be obeyed, or the first byte that is not UTF-8.
    private static func firstTerminalControl(
        in text: UnsafeRawBufferPointer, from start: Int
    ) -> (start: Int, length: Int, scalar: Unicode.Scalar?)? {
        var position = start
        while position < text.count {
            let byte = text[position]
            if byte < 0x80 {
                let isPlain = byte >= 0x20 ? byte != 0x7F : isLineBreakOrTab(text, position)
                guard isPlain else { return (position, 1, Unicode.Scalar(byte)) }
                position += 1
                continue
            }
            guard let length = UTF8Sequence.length(in: text, at: position) else { return (position, 1, nil) }
            // No other bytes begin such a character.
            if byte == 0xC2 || byte == 0xD8 || byte == 0xE2 {
                let value = text[position + 1..<position + length].reduce(
                    UInt32(byte) & (length == 2 ? 0x1F : 0xF)
                ) {
                    $0 << 6 | UInt32($1 & 0x3F)
                }
                if let scalar = Unicode.Scalar(value), scalar.isTerminalControl {
                    return (position, length, scalar)
                }
            }
            position += length
        }
        return nil
    }

    /// A carriage return alone would go back to the start of the line.
    private static func isLineBreakOrTab(_ text: UnsafeRawBufferPointer, _ position: Int) -> Bool {
        switch text[position] {
        case 0x09, 0x0A: true
        case 0x0D: position + 1 < text.count && text[position + 1] == 0x0A
        default: false
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is obeyed where text is shown: a control character, a separator of lines or paragraphs, or a mark of writing
    /// direction (Bidi_Control), which turns what is beside it.
    package var isTerminalControl: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        default: isDirectionMark
        }
    }

    /// Source: Unicode Standard Annex 9, "Directional Formatting Characters".
    var isDirectionMark: Bool {
        switch value {
        case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The character's number as an escape, in whatever text it stands.
    package func spelled(_ escape: VisibleText.Escape = .braces) -> String {
        switch escape {
        case .braces: "\\u{\(String(value, radix: 16, uppercase: true))}"
        case .json:
            "\\u\(String(repeating: "0", count: max(0, 4 - String(value, radix: 16).count)))\(String(value, radix: 16))"
        }
    }
}

extension UInt8 {
    /// A byte that is not UTF-8, as `\xFF`.
    package var spelled: String { "\\x\(self < 16 ? "0" : "")\(String(self, radix: 16, uppercase: true))" }
}

extension String {
    /// The text in one line, for columns and for programs that have but one line for it: what breaks a line and control
    /// characters become spaces, marks of writing direction are left out.
    package var oneLine: String {
        // What most texts hold is seen in their bytes.
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
        return String(
            UnicodeScalarView(
                unicodeScalars.lazy.filter { !$0.isDirectionMark }.map { $0.isTerminalControl ? " " : $0 }))
    }

    /// The text in one line, in which each character that would break it or be obeyed is written out.
    package var visibleLine: String {
        guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
        return unicodeScalars.map { $0.isTerminalControl ? $0.spelled() : String($0) }.joined()
    }
}
