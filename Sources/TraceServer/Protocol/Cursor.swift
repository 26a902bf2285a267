internal import RecordFormat
internal import TraceText

/// Where the next page of a list begins: the sort key of the last row shown, as a text that the client returns unchanged.
///
/// It is opaque, not secret: a forged cursor gives access to nothing that the list itself does not give. The fields are untrusted
/// input, to be checked by the list that reads them.
package struct Cursor: Sendable, Hashable {
    /// A part of a sort key.
    package enum Field: Sendable, Hashable {
        /// A number, such as an offset or a row.
        case integer(Int64)
        /// Bytes, such as an id or a name.
        case bytes([UInt8])
    }

    /// The parts, the most significant first.
    let fields: [Field]

    /// The position after the row with this sort key. The key must be short: a text longer than ``lengthLimit`` is refused when it
    /// comes back.
    package init(_ fields: [Field]) { self.fields = fields }

    /// The greatest length of the text, in characters.
    package static let lengthLimit = ValueType.longestCursor

    // The bytes: a version, then of each field a mark and its contents, then the checksum of all that, big-endian. A number is
    // eight bytes, big-endian; bytes have their count before them, in groups of seven bits, the least significant first.
    private static let version: UInt8 = 1
    private static let integerMark: UInt8 = 0
    private static let bytesMark: UInt8 = 1

    /// The text for a client: letters, digits, `-` and `_`.
    package var text: String {
        var bytes = [Self.version]
        for field in fields {
            switch field {
            case .integer(let number):
                bytes.append(Self.integerMark)
                bytes += Self.bigEndian(UInt64(bitPattern: number), count: 8)
            case .bytes(let contents):
                bytes.append(Self.bytesMark)
                var count = contents.count
                while count >= 0x80 {
                    bytes.append(UInt8(truncatingIfNeeded: count) | 0x80)
                    count >>= 7
                }
                bytes.append(UInt8(truncatingIfNeeded: count))
                bytes += contents
            }
        }
        return Base64URL.text(of: bytes + Self.bigEndian(UInt64(CyclicChecksum.crc32(bytes)), count: 4))
    }

    private static func bigEndian(_ number: UInt64, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
    }

    // MARK: - Reading

    /// Parses a text that ``text`` produced, and no other.
    ///
    /// - Throws: A ``ProtocolError`` with `.cursorMalformed` (400).
    package init(_ text: String) throws(ProtocolError) {
        guard text.utf8.count <= Self.lengthLimit, let bytes = Base64URL.bytes(of: text),
            let fields = Self.fields(bytes)
        else { throw .cursor }
        self.init(fields)
        // Equal cursors have equal texts: overlong counts are refused.
        guard self.text == text else { throw .cursor }
    }

    private static func fields(_ bytes: [UInt8]) -> [Field]? {
        guard bytes.count >= 5, bytes.first == version else { return nil }
        let contents = bytes.dropLast(4)
        guard bytes.suffix(4).elementsEqual(bigEndian(UInt64(CyclicChecksum.crc32(contents)), count: 4))
        else {
            return nil
        }
        var rest = contents.dropFirst()
        var fields: [Field] = []
        while let mark = rest.popFirst() {
            switch mark {
            case integerMark:
                guard rest.count >= 8 else { return nil }
                let number = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                fields.append(.integer(Int64(bitPattern: number)))
                rest = rest.dropFirst(8)
            case bytesMark:
                guard let count = count(&rest), count <= rest.count else { return nil }
                fields.append(.bytes(Array(rest.prefix(count))))
                rest = rest.dropFirst(count)
            default: return nil
            }
        }
        return fields
    }

    /// Takes a count of at most two groups: no cursor has room for more.
    private static func count(_ rest: inout ArraySlice<UInt8>) -> Int? {
        guard let low = rest.popFirst() else { return nil }
        guard low >= 0x80 else { return Int(low) }
        guard let high = rest.popFirst(), high < 0x80 else { return nil }
        return Int(low & 0x7F) | Int(high) << 7
    }
}

extension ProtocolError {
    /// Not a cursor of this server, or one of another list.
    static let cursor = ProtocolError(
        .cursorMalformed, "'after' is not a cursor of this list",
        cure: "copy it unchanged from 'Link' of the previous page, or start again without it")
}
