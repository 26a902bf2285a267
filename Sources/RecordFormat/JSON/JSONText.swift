internal import TraceText

/// Writes JSON: compact, non-ASCII characters as they are, the members in the order in which they are added.
package struct JSONText {
    package private(set) var bytes: [UInt8] = []

    init() {}

    /// `{` … `}` around the members that `body` adds, on one line.
    package static func object(_ body: (inout JSONObjectText) -> Void) -> JSONText {
        var object = JSONObjectText()
        body(&object)
        return object.finished()
    }

    /// `[` … `]` around these texts, on one line.
    package static func array(_ elements: some Sequence<JSONText>) -> JSONText { list(elements) }

    /// As ``array(_:)``, for what most are: other modules need not find out how to go through it.
    package static func array(_ elements: [JSONText]) -> JSONText { list(elements) }

    private static func list(_ elements: some Sequence<JSONText>) -> JSONText {
        var text = JSONText()
        text.bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { text.bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            text.bytes += element.bytes
        }
        text.bytes.append(UInt8(ascii: "]"))
        return text
    }

    package static let null = JSONText(verbatim: "null".utf8)

    /// A string in quotes, with only those escapes that JSON requires.
    package init(_ string: String) {
        bytes.append(quoted: string)
    }

    /// What is JSON already, without another copy.
    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// The same value without a character that a terminal or an editor obeys: each is escaped in the string that holds it.
    package var visible: JSONText { JSONText(bytes: VisibleText.escaped(bytes, as: .json)) }

    package init(_ integer: Int64) { bytes.append(number: integer) }

    /// `null` for what is not a finite number, which JSON can't say.
    package init(_ number: Double) { bytes = Array((number.isFinite ? number.description : "null").utf8) }

    package init(_ boolean: Bool) { bytes = Array((boolean ? "true" : "false").utf8) }

    package init(_ id: ULID) { bytes = [UInt8(ascii: "\"")] + id.bytes + [UInt8(ascii: "\"")] }

    package init(_ moment: Timestamp) { self.init(moment.description) }

    package init(_ offset: SessionOffset) { self.init(offset.milliseconds) }

    /// A text that is JSON already.
    package init(verbatim json: some Sequence<UInt8>) { bytes = Array(json) }

    /// The string that a JSON string represents; `spelled` is one, quotes included.
    package static func unescaped(_ spelled: UnsafeRawBufferPointer) -> String {
        let inner = spelled.dropFirst().dropLast()
        guard inner.contains(UInt8(ascii: "\\")) else { return String(decoding: inner, as: UTF8.self) }
        let parsed = try? JSONParser().withParsed(spelled) { $0.string }
        return (parsed ?? nil) ?? String(decoding: inner, as: UTF8.self)
    }
}

/// The members of an object that is being written.
package struct JSONObjectText {
    private var bytes: [UInt8] = []

    fileprivate init() {
        // Most records have room in it.
        bytes.reserveCapacity(250)
        bytes.append(UInt8(ascii: "{"))
    }

    private mutating func begin(_ name: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(quoted: name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Adds a string.
    package mutating func member(_ name: String, _ string: String) {
        begin(name)
        bytes.append(quoted: string)
    }

    /// Adds an array of strings.
    package mutating func member(_ name: String, _ strings: [String]) {
        begin(name)
        bytes.append(UInt8(ascii: "["))
        for (index, string) in strings.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes.append(quoted: string)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Adds a number.
    package mutating func member(_ name: String, _ offset: SessionOffset) {
        begin(name)
        bytes.append(number: offset.milliseconds)
    }

    /// Adds a moment.
    package mutating func member(_ name: String, _ moment: Timestamp) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        moment.append(to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func member(_ name: String, _ value: JSONText) {
        begin(name)
        bytes += value.bytes
    }

    /// Adds the member only if there is a value.
    package mutating func member(_ name: String, _ value: JSONText?) {
        if let value { member(name, value) }
    }

    fileprivate consuming func finished() -> JSONText {
        bytes.append(UInt8(ascii: "}"))
        return JSONText(bytes: bytes)
    }
}

extension [UInt8] {
    /// Appends a string in quotes, with only those escapes that JSON requires.
    fileprivate mutating func append(quoted string: String) {
        append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { text in
            if text.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                append(contentsOf: text)
            } else {
                for byte in text { append(escaping: byte) }
            }
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaping byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): self += [UInt8(ascii: "\\"), byte]
        case 0x0A: self += "\\n".utf8
        case 0x0D: self += "\\r".utf8
        case 0x09: self += "\\t".utf8
        case 0..<0x20: self += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
        default: append(byte)
        }
    }
}
