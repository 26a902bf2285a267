internal import RecordFormat
internal import TraceText

/// A row of a table: its fields, and where it begins.
struct DelimitedRow {
    var place: Finding.Place
    var fields: [String]

    /// A field; nothing where the row has ended before it.
    subscript(column: Int) -> String { column < fields.count ? fields[column] : "" }
}

/// Reads tables whose fields are separated by commas, semicolons or tabs.
///
/// Source: RFC 4180 for quotes; for tabs, the escapes that ``MarkerExport/tsv`` writes.
struct DelimitedRows {
    private let source: ImportSource
    private let bytes: [UInt8]
    private let separator: UInt8
    /// Whether fields may be in quotes; else they have escapes.
    private let hasQuotes: Bool
    private var position: Int
    private var line = 1

    /// A table whose fields may be in quotes, unless it is `separator` that is given as a tab.
    ///
    /// - Parameters:
    ///   - separator: Nil for what the first line has.
    ///   - isHeader: Whether the fields of a first line are those of a table that is wanted; of several separators that it may have,
    ///     this tells.
    /// - Throws: ``ExchangeProblem`` if the bytes are no text.
    init(
        _ source: ImportSource, separator: UInt8? = nil, where isHeader: ([String]) -> Bool = { _ in true }
    ) throws(ExchangeProblem) {
        let (_, skipped) = try source.decoded()
        self.source = source
        bytes = source.text
        position = skipped
        hasQuotes = separator != UInt8(ascii: "\t")
        self.separator =
            separator ?? Self.separator(of: bytes[skipped...].drop { $0 <= 0x20 }, where: isHeader)
    }

    /// What separates the fields of the first line: a comma, a semicolon, or a tab.
    private static func separator(of text: ArraySlice<UInt8>, where isHeader: ([String]) -> Bool) -> UInt8 {
        let first = text.prefix { $0 != 0x0A && $0 != 0x0D }
        let comma = UInt8(ascii: ",")
        let present = [comma, UInt8(ascii: ";"), UInt8(ascii: "\t")].filter { first.contains($0) }
        guard present.count > 1 else { return present.first ?? comma }
        return present.first { separator in
            isHeader(
                first.split(separator: separator, omittingEmptySubsequences: false).map { field in
                    String(decoding: field.filter { $0 != 0x22 }, as: UTF8.self)
                })
        } ?? present[0]
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

    /// Whether a separator is there, or a line ends: with `\n`, `\r\n`, `\r`, or the file.
    private func endsField(at position: Int) -> Bool {
        guard position < bytes.count else { return true }
        switch bytes[position] {
        case separator, 0x0A, 0x0D: return true
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
            guard byte == 0x22 else {
                if byte <= 0x0D, bytes.endsLine(at: position - 1) { line += 1 }
                continue
            }
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
        position = bytes[position...].indices.first { bytes.endsLine(at: $0) }.map { $0 + 1 } ?? bytes.count
        line += 1
    }
}
