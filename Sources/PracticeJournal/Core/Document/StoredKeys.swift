internal import RecordFormat

/// What an app keeps under its stored keys, as conversions of a phone's preferences give it: texts of JSON, or base64 of them.
///
/// Source: docs/spec/practice.md#what-an-app-hands-over.
struct StoredKeys {
    /// The document, in one of its shapes.
    let document: [UInt8]
    /// The log of the library.
    let log: [UInt8]?
    /// All values as they are stored, numbers as they are written; what is base64 of a text of JSON as that.
    let values: [String: [UInt8]]
    /// Which key the document was under, and the one that has another, if there is one.
    let key: String
    let other: String?

    /// The first that is there is read.
    private static let documentKeys = ["practice-state-json", "practice-upgrade-state-v1"]

    /// Nil if the object has no stored key of a document.
    init?(_ root: JSONValue) {
        let members = root.members.map { (name: String(decoding: $0.0, as: UTF8.self), value: $0.1) }
        func text(_ name: String) -> [UInt8]? {
            members.last { $0.name == name }?.value.utf8.flatMap { Self.json($0) }
        }
        let found = Self.documentKeys.compactMap { key in text(key).map { (key: key, document: $0) } }
        guard let first = found.first else { return nil }
        (key, document) = first
        other = found.dropFirst().first?.key
        log = text("library-activity-log-v1")
        var values: [String: [UInt8]] = [:]
        for (name, value) in members {
            values[name] = value.utf8.map(Self.plain) ?? value.number.map { Array($0.description.utf8) }
        }
        self.values = values
    }

    /// What a text is base64 of if that is a text of JSON, else the text itself: an id of a game may look like base64.
    private static func plain(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        let quote = UInt8(ascii: "\"")
        guard let decoded = Base64.decoded(text), decoded.count > 1, decoded.first == quote,
            decoded.last == quote
        else { return Array(text) }
        return decoded
    }

    /// The text itself if it is JSON, else what it is base64 of.
    private static func json(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        let first = text.first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return isJSON ? Array(text) : Base64.decoded(text)
    }
}

/// Base64 of RFC 4648, section 4, with line breaks.
enum Base64 {
    /// Nil if the text is not base64.
    static func decoded(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count, padding) = (UInt32(0), 0, 0)
        for byte in text where byte != 0x20 && !(0x09...0x0D).contains(byte) {
            if byte == UInt8(ascii: "=") {
                padding += 1
                continue
            }
            guard padding == 0, let value = value(of: byte) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            guard count.isMultiple(of: 4) else { continue }
            bytes += [UInt8(truncatingIfNeeded: bits >> 16), UInt8(truncatingIfNeeded: bits >> 8)]
            bytes.append(UInt8(truncatingIfNeeded: bits))
        }
        switch count % 4 {
        case 0: break
        case 2: bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3: bytes += [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: return nil
        }
        return count == 0 || padding > 2 ? nil : bytes
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
