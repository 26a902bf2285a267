internal import RecordFormat
internal import TraceText

/// A row of a table: its fields, and where it begins.
struct DelimitedRow {
    var place: Finding.Place
    var fields: [String]
}

/// Reads tables whose fields are separated by commas, semicolons or tabs.
///
/// Source: RFC 4180 for quotes; for tabs, the escapes that ``MarkerExport/tsv`` writes.
struct DelimitedRows {
    private let source: ImportSource
    private let bytes: [UInt8]
    private let separator: UInt8
    /// Tabs have escapes instead of quotes.
    private var hasQuotes: Bool { separator != UInt8(ascii: "\t") }
    private var position: Int
    private var line = 1

    /// - Parameter separator: Nil for what the first line seems to have: a comma, or a semicolon.
    /// - Throws: ``ExchangeProblem`` if the bytes are no text.
    init(_ source: ImportSource, separator: UInt8? = nil) throws(ExchangeProblem) {
        let (_, skipped) = try source.decoded()
        self.source = source
        bytes = source.text
        position = skipped
        let first = bytes[skipped...].prefix { $0 != 0x0A }
        let comma = UInt8(ascii: ",")
        self.separator = separator ?? (first.contains(comma) || !first.contains(0x3B) ? comma : 0x3B)
    }

    /// The next row that is not blank, or nil at the end.
    mutating func next() throws(ExchangeProblem) -> DelimitedRow? {
        while position < bytes.count {
            let place = Finding.Place(file: source.file, line: line, byteOffset: position)
            let fields = try fields()
            if fields.count > 1 || fields[0].utf8.contains(where: { $0 > 0x20 }) {
                return DelimitedRow(place: place, fields: fields)
            }
        }
        return nil
    }

    /// Reads up to the end of the row, and steps over its line break.
    private mutating func fields() throws(ExchangeProblem) -> [String] {
        var fields: [String] = []
        while true {
            let isQuoted = hasQuotes && position < bytes.count && bytes[position] == 0x22
            fields.append(isQuoted ? try quoted() : plain())
            guard position < bytes.count else { return fields }
            let byte = bytes[position]
            position += 1
            if byte == separator { continue }
            if byte == 0x0D, position < bytes.count, bytes[position] == 0x0A { position += 1 }
            line += 1
            return fields
        }
    }

    /// Whether a separator is there, or a line ends: with `\n`, `\r\n`, or the file.
    private func endsField(at position: Int) -> Bool {
        guard position < bytes.count else { return true }
        switch bytes[position] {
        case separator, 0x0A: return true
        case 0x0D: return position + 1 == bytes.count || bytes[position + 1] == 0x0A
        default: return false
        }
    }

    /// Up to the separator, or the end of the line.
    private mutating func plain() -> String {
        let start = position
        while !endsField(at: position) { position += 1 }
        let field = bytes[start..<position]
        return hasQuotes
            ? String(decoding: field, as: UTF8.self) : String(decoding: Self.unescaped(field), as: UTF8.self)
    }

    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        guard field.contains(0x5C) else { return Array(field) }
        var result: [UInt8] = []
        var rest = field
        while let byte = rest.popFirst() {
            guard byte == 0x5C, let escaped = rest.first else {
                result.append(byte)
                continue
            }
            let meant: UInt8? =
                switch escaped {
                case UInt8(ascii: "t"): 0x09
                case UInt8(ascii: "n"): 0x0A
                case UInt8(ascii: "r"): 0x0D
                case 0x5C: 0x5C
                default: nil
                }
            result.append(meant ?? byte)
            if meant != nil { rest.removeFirst() }
        }
        return result
    }

    private mutating func quoted() throws(ExchangeProblem) -> String {
        let start = position
        position += 1
        // What precedes a quote that is written twice; most fields have none.
        var field: [UInt8] = []
        var rest = position
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == 0x0A { line += 1 }
            guard byte == 0x22 else { continue }
            if position < bytes.count, bytes[position] == 0x22 {
                field += bytes[rest..<position]
                position += 1
                rest = position
                continue
            }
            guard endsField(at: position) else {
                let problem = ExchangeProblem(
                    source.place(of: position), "unexpected text after the closing quote of a field",
                    cure: "double the quotes inside a field")
                skipLine()
                throw problem
            }
            let last = bytes[rest..<position - 1]
            return field.isEmpty
                ? String(decoding: last, as: UTF8.self) : String(decoding: field + last, as: UTF8.self)
        }
        throw ExchangeProblem(
            source.place(of: start), "the quote that begins here is never closed",
            cure: "double the quotes inside a field")
    }

    private mutating func skipLine() {
        position = bytes[position...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        line += 1
    }
}
