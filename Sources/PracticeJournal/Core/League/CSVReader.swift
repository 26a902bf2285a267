/// A field of a table: where it is. Its text is made when it is asked for (``CSVReader/text(of:)``).
package struct CSVField: Sendable {
    /// In the bytes, with its quotes.
    let range: Range<Int>
    /// 1-based.
    let line: Int
    /// 1-based, in bytes.
    let column: Int
    /// Whether it begins with a quote that is never closed; such a field has all the rest of the file.
    let isOpen: Bool
}

/// A row of a table.
package struct CSVRow: Sendable {
    /// At least one.
    package fileprivate(set) var fields: [CSVField]
    /// Where it begins; 1-based. A field in quotes may have line breaks.
    let line: Int
    /// In the bytes, without the line break.
    fileprivate(set) var range: Range<Int>
}

/// Reads tables of fields between commas, whatever the bytes are.
///
/// Source: RFC 4180, with rows that end at LF, CR or CRLF. A quote counts where a field begins; what follows the closing one
/// belongs to the field as it is.
///
/// - Complexity: O(size) for all rows.
package struct CSVReader {
    private let bytes: [UInt8]
    private var position: Int
    private var line = 1
    private var lineStart = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: PracticeDocument.byteOrderMark) ? 3 : 0
    }

    /// The next row, or nil at the end. An empty line is a row with an empty field.
    package mutating func next() -> CSVRow? {
        guard position < bytes.count else { return nil }
        var row = CSVRow(fields: [], line: line, range: position..<position)
        while true {
            row.fields.append(field())
            row.range = row.range.lowerBound..<position
            guard position < bytes.count else { return row }
            let byte = bytes[position]
            position += 1
            if byte == comma { continue }
            if byte == carriageReturn, position < bytes.count, bytes[position] == lineFeed { position += 1 }
            beginLine()
            return row
        }
    }

    /// Up to the comma or the line break behind it.
    private mutating func field() -> CSVField {
        let start = position
        let (line, column) = (line, position - lineStart + 1)
        let isOpen = position < bytes.count && bytes[position] == quote && !passQuotes()
        while position < bytes.count, !Self.endsField(bytes[position]) { position += 1 }
        return CSVField(range: start..<position, line: line, column: column, isOpen: isOpen)
    }

    /// Steps over what is in quotes, and says whether they are closed.
    private mutating func passQuotes() -> Bool {
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            let next = position < bytes.count ? bytes[position] : nil
            switch byte {
            case quote:
                guard next == quote else { return true }
                position += 1
            case lineFeed: beginLine()
            case carriageReturn: if next != lineFeed { beginLine() }
            default: break
            }
        }
        return false
    }

    private mutating func beginLine() {
        line += 1
        lineStart = position
    }

    private static func endsField(_ byte: UInt8) -> Bool {
        byte == comma || byte == lineFeed || byte == carriageReturn
    }

    // MARK: - Texts

    /// What a field says; bytes that are not UTF-8 are replaced.
    package func text(of field: CSVField) -> String {
        let written = bytes[field.range]
        guard written.first == quote else { return String(decoding: written, as: UTF8.self) }
        var text: [UInt8] = []
        text.reserveCapacity(written.count)
        var rest = written.dropFirst()
        while let end = rest.firstIndex(of: quote) {
            text += rest[..<end]
            rest = rest[(end + 1)...]
            guard rest.first == quote else { break }
            text.append(quote)
            rest = rest.dropFirst()
        }
        text += rest
        return String(decoding: text, as: UTF8.self)
    }

    /// A row as it is written, with its commas and quotes; bytes that are not UTF-8 are replaced.
    func text(of row: CSVRow) -> String { String(decoding: bytes[row.range], as: UTF8.self) }

    /// Whether the bytes of a row are UTF-8 without NUL.
    func isText(_ row: CSVRow) -> Bool {
        let bytes = bytes[row.range]
        return !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
    }
}

private let comma = UInt8(ascii: ",")
private let quote = UInt8(ascii: "\"")
private let lineFeed: UInt8 = 0x0A
private let carriageReturn: UInt8 = 0x0D
