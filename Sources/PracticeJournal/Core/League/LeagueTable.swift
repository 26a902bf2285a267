internal import RecordFormat

/// A league table: rows whose fields have the names of columns.
///
/// No finding quotes what is in a field: where a comma is missing, the place of a number holds a player's name.
///
/// Source: docs/spec/practice.md#league-tables.
struct LeagueTable {
    private let file: String
    private var reader: CSVReader
    /// The first column of each name.
    private var columns: [String: Int] = [:]
    /// How many fields a row should have; nil if that is unknown.
    private var width: Int?
    /// How many fields a row has at least, so that it has those that are required.
    private var needed = 0
    private var limit = FindingLimit()
    private var found: [Finding] = []
    /// Whether all required columns are there; without them no row is read.
    let isReadable: Bool

    /// - Parameter required: The columns that must be there. Of those that belong together one finding says which are missing.
    init(_ bytes: [UInt8], file: String, required: [[String]]) {
        self.file = file
        reader = CSVReader(bytes)
        let header = Self.rowWithText(&reader)
        width = header?.fields.count
        for (index, field) in (header?.fields ?? []).enumerated() {
            let name = Self.name(reader.text(of: field))
            if columns[name] == nil { columns[name] = index }
        }
        let columns = columns
        needed = required.joined().compactMap { columns[$0] }.max().map { $0 + 1 } ?? 0
        var isReadable = true
        let names = required.flatMap(\.self)
        if names.contains(where: { columns[$0] == nil }),
            let separator = Self.otherSeparator(header, in: reader, known: names)
        {
            self.isReadable = false
            found = [Self.finding(of: separator, file)]
            return
        }
        for group in required {
            let missing = group.filter { columns[$0] == nil }
            guard let first = missing.first else { continue }
            isReadable = false
            let more = missing.count > 1 ? ", nor \(missing.count - 1) others of its kind" : ""
            found.append(
                Finding(
                    .leagueColumnMissing, at: Finding.Place(file: file),
                    "there is no column '\(first)'\(more)"))
        }
        self.isReadable = isReadable
    }

    /// A table without a header, whose first column has this name.
    init(_ bytes: [UInt8], file: String, firstColumn: String) {
        self.file = file
        reader = CSVReader(bytes)
        columns = [firstColumn: 0]
        isReadable = true
    }

    /// What a table that has none of these columns seems to have between its fields; nil for a table of another form.
    ///
    /// - Parameter columns: By which such a table is known.
    static func finding(ofSeparatorIn bytes: [UInt8], file: String, columns: [String]) -> Finding? {
        var reader = CSVReader(bytes)
        let header = rowWithText(&reader)
        return otherSeparator(header, in: reader, known: columns).map { finding(of: $0, file) }
    }

    private static func finding(of separator: String, _ file: String) -> Finding {
        Finding(
            .leagueSeparator, at: Finding.Place(file: file),
            "the fields are separated by \(separator), and not by commas")
    }

    /// What stands between the fields of a header that has more of the known columns so than between commas.
    private static func otherSeparator(
        _ header: CSVRow?, in reader: CSVReader, known: [String]
    ) -> String? {
        guard let header else { return nil }
        let line = reader.text(of: header)
        func count(_ separator: Character) -> Int {
            let names = line.split(separator: separator).map { name($0.replacing("\"", with: "")) }
            return names.isEmpty ? 0 : Set(names).intersection(known).count
        }
        let others: [(Character, String)] = [(";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")]
        return others.first { line.contains($0.0) && count($0.0) > count(",") }?.1
    }

    func hasColumn(_ name: String) -> Bool { columns[name] != nil }

    /// Whether a row is long enough to have a field of a column.
    func hasField(_ column: String, in row: CSVRow) -> Bool { field(column, of: row) != nil }

    /// The name of a column as it is compared.
    private static func name(_ text: some StringProtocol) -> String {
        var scalars = String(text).unicodeScalars
        scalars.removeAll { $0 == "\u{FEFF}" || $0 == "\0" }
        return String(scalars).trimmed.lowercased()
    }

    /// The next row that is not an empty line.
    private static func rowWithText(_ reader: inout CSVReader) -> CSVRow? {
        while let row = reader.next() {
            if row.fields.count > 1 || !reader.text(of: row.fields[0]).isBlank { return row }
        }
        return nil
    }

    // MARK: - Rows

    /// The next row that has the required fields, or nil at the end.
    mutating func next() -> CSVRow? {
        while isReadable, let row = Self.rowWithText(&reader) {
            if let open = row.fields.last, open.isOpen {
                report(.leagueRowUnreadable, row, at: open, "the quote that begins here is never closed")
            } else if !reader.isText(row) {
                report(.leagueRowUnreadable, row, "the row is not UTF-8, or has NUL bytes")
            } else {
                let count = row.fields.count
                if let width, count != width {
                    report(.leagueRowWidth, row, "the row has \(count) fields, the header \(width)")
                }
                if count >= needed { return row }
            }
        }
        return nil
    }

    /// A field without white space at its ends; empty if the row or the table does not have it.
    func text(_ column: String, of row: CSVRow) -> String {
        field(column, of: row).map { reader.text(of: $0).trimmed } ?? ""
    }

    /// The field with the one behind it, as it reads if the comma between them is part of it: nobody has put it in quotes. Nil where it can't
    /// be, as the row has no more fields than the header.
    func textWithComma(_ column: String, of row: CSVRow) -> String? {
        guard let index = columns[column], row.fields.indices.contains(index + 1),
            width.map({ row.fields.count > $0 }) ?? true
        else { return nil }
        return "\(text(column, of: row)), \(reader.text(of: row.fields[index + 1]).trimmed)"
    }

    /// A number, 0 for a blank field or a dash; nil, with a finding, if it is something else.
    mutating func number(_ column: String, of row: CSVRow) -> Double? {
        let text = text(column, of: row)
        if text.isEmpty || text == "—" { return 0 }
        guard let number = ScoreText.inTable(text) else {
            report(.leagueNumber, row, column: column, "\(column) is not a number")
            return nil
        }
        return number
    }

    /// The digits of a text as a number: 4 for `Season 4`; 0 without digits, or if they are too many.
    static func season(_ text: String) -> Int {
        Int(String(decoding: text.utf8.filter(\.isASCIIDigit), as: UTF8.self)) ?? 0
    }

    private func field(_ column: String, of row: CSVRow) -> CSVField? {
        columns[column].flatMap { row.fields.indices.contains($0) ? row.fields[$0] : nil }
    }

    // MARK: - Findings

    mutating func report(_ rule: Rule, _ row: CSVRow, column: String, _ message: String) {
        report(rule, row, at: field(column, of: row), message)
    }

    /// - Parameter field: Nil for the row as a whole.
    private mutating func report(_ rule: Rule, _ row: CSVRow, at field: CSVField? = nil, _ message: String) {
        let place = Finding.Place(
            file: file, line: field?.line ?? row.line, byteOffset: (field?.range ?? row.range).lowerBound,
            column: field?.column ?? 0)
        limit.add(Finding(rule, at: place, message)) { found.append($0) }
    }

    /// By place, the first of each rule, once all rows have been read.
    var findings: [Finding] {
        var findings = found
        limit.finish { findings.append($0) }
        return findings.enumerated().sorted {
            ($0.element.place.byteOffset, $0.offset) < ($1.element.place.byteOffset, $1.offset)
        }.map(\.element)
    }
}
