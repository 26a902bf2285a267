/// Spells JSON: compact, non-ASCII characters as they are, the members in the order in which they are added.
package struct JSONText {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// `{` … `}` around the members that `body` adds, on one line.
    package static func object(_ body: (inout JSONObjectText) -> Void) -> JSONText {
        var object = JSONObjectText()
        body(&object)
        return object.finished()
    }

    /// `[` … `]` around these texts, on one line.
    package static func array(_ elements: some Sequence<JSONText>) -> JSONText {
        var text = JSONText()
        text.bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { text.bytes.append(UInt8(ascii: ",")) }
            text.bytes += element.bytes
        }
        text.bytes.append(UInt8(ascii: "]"))
        return text
    }

    package static let null = JSONText(verbatim: "null".utf8)

    /// A string in quotes, with only those escapes that JSON requires.
    package init(_ string: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 { append(escaping: byte) }
        bytes.append(UInt8(ascii: "\""))
    }

    package init(_ integer: Int64) { bytes = Array(String(integer).utf8) }

    package init(_ number: Double) { bytes = Array(number.description.utf8) }

    package init(_ boolean: Bool) { bytes = Array((boolean ? "true" : "false").utf8) }

    package init(_ id: ULID) { bytes = [UInt8(ascii: "\"")] + id.bytes + [UInt8(ascii: "\"")] }

    package init(_ moment: Timestamp) { self.init(moment.description) }

    package init(_ offset: SessionOffset) { self.init(offset.milliseconds) }

    /// A text that is JSON already.
    package init(verbatim json: some Sequence<UInt8>) { bytes = Array(json) }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x0A: bytes += "\\n".utf8
        case 0x0D: bytes += "\\r".utf8
        case 0x09: bytes += "\\t".utf8
        case 0..<0x20: bytes += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
        default: bytes.append(byte)
        }
    }

    /// The string that a JSON string spells; `spelled` is one, quotes included.
    package static func unescaped(_ spelled: UnsafeRawBufferPointer) -> String {
        let inner = spelled.dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
        let parsed = try? JSONParser().withParsed(spelled) { $0.string }
        return (parsed ?? nil) ?? String(decoding: inner, as: UTF8.self)
    }
}

/// The members of an object that is being spelled.
package struct JSONObjectText {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    package mutating func member(_ name: String, _ value: JSONText) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes += JSONText(name).bytes
        bytes.append(UInt8(ascii: ":"))
        bytes += value.bytes
    }

    /// Adds the member only if there is a value.
    package mutating func member(_ name: String, _ value: JSONText?) {
        if let value { member(name, value) }
    }

    fileprivate func finished() -> JSONText { JSONText(verbatim: bytes + [UInt8(ascii: "}")]) }
}
