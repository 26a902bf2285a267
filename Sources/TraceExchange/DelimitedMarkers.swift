internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// A table with a column for all that a marker has.
///
/// It is read by the names of its columns, in any order; those of other programs are known too.
struct DelimitedMarkers: MarkerFormat {
    /// `csv` or `tsv`.
    private let spelling: MarkerExport
    /// The unit of numbers in columns whose name has none; nil if they tell.
    private let unit: TimeUnit?

    init(spelling: MarkerExport, _ context: ExchangeContext) {
        self.spelling = spelling
        unit = context.unit
    }

    func begin(_ text: inout [UInt8]) {
        spelling.append(fields: MarkerExport.columns, to: &text)
        text.append(UInt8(ascii: "\n"))
    }

    func write(_ item: ExportItem, to text: inout [UInt8]) {
        spelling.append(item.marker, to: &text)
        text.append(UInt8(ascii: "\n"))
    }

    /// All of it, as it is in its own column.
    func title(of marker: Marker) -> String { marker.label ?? "" }

    func read(_ source: ImportSource, into read: inout MarkerSink) {
        do throws(ExchangeProblem) {
            var rows = try DelimitedRows(
                source, separator: spelling == .tsv ? spelling.separator : nil,
                where: DelimitedColumns.hasOffsets)
            guard let header = try rows.next() else { return }
            var columns = try DelimitedColumns(header)
            columns.decideUnit(unit, from: rows)
            while columns.conflict == nil {
                do throws(ExchangeProblem) {
                    guard let row = try rows.next() else { break }
                    do throws(ExchangeProblem) { read.add(try columns.marker(row, &read)) } catch {
                        read.leaveOut(.marker, error)
                    }
                } catch { read.problems.append(error) }
            }
            columns.finish(&read)
        } catch { read.problems.append(error) }
    }
}

/// A unit in which numbers without one are read.
package enum TimeUnit: String, Sendable, CaseIterable {
    /// Seconds, perhaps with decimals.
    case seconds = "s"
    /// Whole milliseconds.
    case milliseconds = "ms"
}

/// Which columns of a table hold what; of several the first that is not empty counts.
struct DelimitedColumns {
    private let header: DelimitedRow
    private let offset: [Int]
    private let duration: [Int]
    private let label: [Int]
    private let note: [Int]
    private let tags: [Int]
    private let id: [Int]
    private let voiceNoteID: [Int]
    private let createdAt: [Int]
    private let source: [Int]
    /// Whether the name of a column says that it has milliseconds.
    private let isMilliseconds: [Bool]
    private var untaken: UntakenColumns
    /// The unit of a number in a column that names none.
    private var unit: TimeUnit?
    private var isUnitGuessed = false
    /// The largest whole number that was read in a unit that was guessed, and its column.
    private var largest: (number: Int64, column: Int)?
    /// Why no unit can be meant.
    private(set) var conflict: ExchangeProblem?

    /// How many rows are looked at for the unit of their numbers.
    private static let sampledRows = 1000

    private static let offsetNames = ["offset_ms", "time", "offset", "start"]
    private static let names = [
        offsetNames, ["duration_ms", "duration", "length"], ["label", "name", "title"],
        ["note", "notes", "comment", "description"], ["tags", "tag"], ["id"], ["voice_note_id"],
        ["created_at"], ["source"],
    ]

    private static func normalized(_ name: String) -> String { name.lowercased().filter { $0 != " " } }

    /// Whether one of these columns has the offsets of markers.
    static func hasOffsets(_ names: [String]) -> Bool {
        names.contains { offsetNames.contains(normalized($0)) }
    }

    /// - Throws: ``ExchangeProblem`` if there are no offsets.
    init(_ header: DelimitedRow) throws(ExchangeProblem) {
        var numbers: [String: Int] = [:]
        for (number, name) in header.fields.enumerated() {
            let name = Self.normalized(name)
            if numbers[name] == nil { numbers[name] = number }
        }
        let known = Self.names.map { $0.compactMap { numbers[$0] } }
        guard !known[0].isEmpty else {
            throw ExchangeProblem(
                header.place, "no column contains the offsets of the markers",
                cure:
                    "name the columns in the first line: offset_ms (milliseconds) or time (2:00.000), label, "
                    + "note, tags, duration_ms")
        }
        self.header = header
        (offset, duration, label, note, tags) = (known[0], known[1], known[2], known[3], known[4])
        (id, voiceNoteID, createdAt, source) = (known[5], known[6], known[7], known[8])
        isMilliseconds = header.fields.indices.map {
            numbers["offset_ms"] == $0 || numbers["duration_ms"] == $0
        }
        untaken = UntakenColumns(header, besides: Set(known.joined()))
    }

    private func column(_ columns: [Int], _ row: DelimitedRow) -> Int? {
        for column in columns where column < row.fields.count && !row.fields[column].isEmpty { return column }
        return nil
    }

    private func field(_ columns: [Int], _ row: DelimitedRow) -> String? {
        column(columns, row).map { row.fields[$0] }
    }

    // MARK: - A marker

    /// The marker of a row; what of it has no place in one is counted.
    ///
    /// - Throws: ``ExchangeProblem`` if it has no offset that can be read.
    mutating func marker(
        _ row: DelimitedRow, _ read: inout MarkerSink
    ) throws(ExchangeProblem) -> ImportedMarker {
        guard let column = column(offset, row) else {
            throw ExchangeProblem(
                row.place, "the row has no offset", cure: "fill in its column offset_ms or time")
        }
        var marker = ImportedMarker(at: row.place, try time(in: column, row))
        if let column = self.column(duration, row) {
            do throws(ExchangeProblem) {
                let length = try time(in: column, row)
                // Other programs write a length of 0 for one that there is not.
                if isMilliseconds[column] || length > .zero { marker.duration = length }
            } catch { read.leaveOut(.value, error) }
        }
        marker.label = text(label, row, &read)
        marker.note = text(note, row, &read)
        if let text = field(tags, row) { marker.tags = tags(text, row, &read) }
        marker.id = id(id, "id", "the marker gets a new id", row, &read)
        marker.voiceNoteID = id(voiceNoteID, "voice_note_id", "the marker names no voice note", row, &read)
        if let text = field(createdAt, row) {
            marker.createdAt = Timestamp(text)
            if marker.createdAt == nil {
                read.leaveOut(
                    .value,
                    ExchangeProblem(
                        row.place, "created_at '\(text.shortened)' is not a time in UTC",
                        cure: "write 2026-02-04T20:00:00Z, or leave it empty"))
            }
        }
        if let text = field(source, row) {
            marker.source = RecordSource(rawValue: text)
            if marker.source == nil {
                read.leaveOut(
                    .value,
                    ExchangeProblem(
                        row.place, "source '\(text.shortened)' is neither user nor system",
                        cure: "write user or system, or leave it empty"))
            }
        }
        untaken.count(row, &read)
        return marker
    }

    /// The first text that is not empty; another one that is not the same has no place.
    private func text(_ columns: [Int], _ row: DelimitedRow, _ read: inout MarkerSink) -> String? {
        guard let first = column(columns, row) else { return nil }
        for other in columns where columns.count > 1 && other < row.fields.count && other != first {
            if !row.fields[other].isEmpty, row.fields[other] != row.fields[first] {
                read.notTaken(.text, header.fields[other])
            }
        }
        return row.fields[first]
    }

    private func tags(_ text: String, _ row: DelimitedRow, _ read: inout MarkerSink) -> [String] {
        let words = text.utf8.split { $0 == 0x20 || $0 == 0x3B || $0 == 0x2C }
        return words.compactMap { word in
            let word = String(Substring(word))
            if Marker.isTag(word) { return word }
            let lowercased = word.lowercased()
            if Marker.isTag(lowercased) { return lowercased }
            read.leaveOut(
                .value,
                ExchangeProblem(
                    row.place, "'\(word.shortened)' is not a tag",
                    cure: "write tags with the letters a to z, digits, - and _, separated by spaces"))
            return nil
        }
    }

    private func id(
        _ columns: [Int], _ name: String, _ outcome: String, _ row: DelimitedRow, _ read: inout MarkerSink
    ) -> ULID? {
        guard let text = field(columns, row) else { return nil }
        if let id = ULID(text) { return id }
        read.leaveOut(
            .value,
            ExchangeProblem(
                row.place, "\(name) '\(text.shortened)' is not a ULID", cure: "leave it empty; \(outcome)"))
        return nil
    }

    // MARK: - Times

    /// How a time is written.
    private enum Form {
        /// Digits alone.
        case whole
        /// Digits with a point in them.
        case decimal
        /// Anything else: with colons or units.
        case expression

        init(_ text: String) {
            var points = 0
            for byte in text.utf8 where !byte.isASCIIDigit {
                guard byte == UInt8(ascii: ".") else {
                    self = .expression
                    return
                }
                points += 1
            }
            self = points == 0 ? .whole : points == 1 && text != "." ? .decimal : .expression
        }
    }

    /// Decides in which unit numbers without one are read: as asked, else seconds where one of the first rows has decimals, for
    /// milliseconds have none.
    mutating func decideUnit(_ asked: TimeUnit?, from rows: DelimitedRows) {
        unit = asked
        let columns = (offset + duration).filter { !isMilliseconds[$0] }
        guard asked == nil, !columns.isEmpty else { return }
        isUnitGuessed = true
        unit = .milliseconds
        var rows = rows
        for _ in 0..<Self.sampledRows {
            guard let next = try? rows.next() else { return }
            let isDecimal = columns.contains { $0 < next.fields.count && Form(next.fields[$0]) == .decimal }
            guard isDecimal else { continue }
            unit = .seconds
            return
        }
    }

    /// Milliseconds, seconds, or any time that a person may type.
    private mutating func time(in column: Int, _ row: DelimitedRow) throws(ExchangeProblem) -> SessionOffset {
        let text = row.fields[column]
        if !isMilliseconds[column], let unit {
            let form = Form(text)
            switch form {
            case .expression: break
            case .whole, .decimal:
                if unit == .seconds {
                    guard let offset = ExchangeTime.seconds(text) else { break }
                    if isUnitGuessed { note(offset.milliseconds / 1000, as: .seconds, in: column, row) }
                    return offset
                }
                if isUnitGuessed, form == .decimal {
                    conflict = conflict ?? mixture(column, row)
                } else if isUnitGuessed {
                    note(Int64(text) ?? .max, as: .milliseconds, in: column, row)
                }
            }
        }
        do throws(FormatError) { return try OffsetExpression.duration(text) } catch {
            if isMilliseconds[column], Form(text) == .decimal {
                let name = header.fields[column].shortened
                throw ExchangeProblem(
                    row.place,
                    "'\(text.shortened)' in the column '\(name)' is not a whole number of milliseconds",
                    cure: "write whole milliseconds, or name the column 'time' or 'duration' for seconds")
            }
            if let offset = ExchangeTime.clock(text) { return offset }
            throw ExchangeProblem(
                row.place, "'\(text.shortened)' is not a time",
                cure: "write 2:00.000, 90s or 120000ms")
        }
    }

    /// More seconds than a day has are likely to be milliseconds.
    private static let mostSeconds: Int64 = 86_400
    /// Fewer milliseconds than a second has are likely to be seconds.
    private static let fewestMilliseconds: Int64 = 1000

    private mutating func note(_ number: Int64, as unit: TimeUnit, in column: Int, _ row: DelimitedRow) {
        // Where all are 0, milliseconds and seconds are the same.
        guard largest.map({ number > $0.number }) ?? (number > 0 || unit == .seconds) else { return }
        largest = (number, column)
        guard unit == .seconds, number > Self.mostSeconds, conflict == nil else { return }
        conflict = ExchangeProblem(
            row.place,
            "'\(row.fields[column].shortened)' would be more seconds than a day has, and no unit is given",
            cure: Self.choice)
    }

    private func mixture(_ column: Int, _ row: DelimitedRow) -> ExchangeProblem {
        ExchangeProblem(
            row.place,
            "'\(row.fields[column].shortened)' has decimals, but the numbers before it were read as milliseconds",
            cure: Self.choice)
    }

    private static let choice: Cure =
        "say in which unit the numbers are: \(option: "unit") s for seconds, \(option: "unit") ms for milliseconds"

    /// Says what was not taken, and how numbers were read.
    func finish(_ read: inout MarkerSink) {
        untaken.finish(&read)
        if let conflict { return read.problems.append(conflict) }
        guard let (number, column) = largest, isUnitGuessed, let unit else { return }
        let name = header.fields[column].shortened
        if unit == .milliseconds, number < Self.fewestMilliseconds {
            read.problems.append(
                ExchangeProblem(
                    header.place,
                    "the numbers of the column '\(name)' have no unit, and as milliseconds all are within the first second",
                    cure: Self.choice))
        } else {
            let words = unit == .seconds ? "seconds, since some have decimals" : "milliseconds"
            read.say(
                ImportNotice(
                    .unit, names: [name],
                    "the numbers of the column '\(name)' have no unit and are read as \(words)",
                    cure: unit == .seconds
                        ? "\(option: "unit") s says so" : "\(option: "unit") s reads them as seconds"))
        }
    }
}

extension StringProtocol {
    /// The text as an error shows it: in one line, and not too long.
    var shortened: String {
        let line = String(self).oneLine
        return line.count > 60 ? "\(line.prefix(59))…" : line
    }
}
