internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// A table with a column for all that a marker has.
///
/// It is read by the names of its columns, in any order; those of other programs are known too.
struct DelimitedMarkers: MarkerFormat {
    /// `csv` or `tsv`.
    let spelling: MarkerExport

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
            var rows = try DelimitedRows(source, separator: spelling == .tsv ? spelling.separator : nil)
            guard let header = try rows.next() else { return }
            let columns = try Columns(header)
            while true {
                do throws(ExchangeProblem) {
                    guard let row = try rows.next() else { break }
                    read.add(try columns.marker(row))
                } catch { read.problems.append(error) }
            }
        } catch { read.problems.append(error) }
    }

    /// Which columns hold what; of several the first that is not empty counts.
    private struct Columns {
        private let offset: [Int]
        private let duration: [Int]
        private let label: [Int]
        private let note: [Int]
        private let tags: [Int]
        private let id: [Int]
        private let voiceNoteID: [Int]
        private let createdAt: [Int]
        private let source: [Int]

        init(_ header: DelimitedRow) throws(ExchangeProblem) {
            var numbers: [String: Int] = [:]
            for (number, name) in header.fields.enumerated() {
                let name = name.lowercased().filter { $0 != " " }
                if numbers[name] == nil { numbers[name] = number }
            }
            func columns(_ names: String...) -> [Int] { names.compactMap { numbers[$0] } }
            offset = columns("offset_ms", "time", "offset", "start")
            duration = columns("duration_ms", "duration", "length")
            label = columns("label", "name", "title")
            note = columns("note", "notes", "comment")
            tags = columns("tags", "tag")
            id = columns("id")
            voiceNoteID = columns("voice_note_id")
            createdAt = columns("created_at")
            source = columns("source")
            guard !offset.isEmpty else {
                throw ExchangeProblem(
                    header.place, "no column contains the offsets of the markers",
                    cure:
                        "name the columns in the first line: offset_ms (milliseconds) or time (2:00.000), label, "
                        + "note, tags, duration_ms")
            }
        }

        private func field(_ columns: [Int], _ row: DelimitedRow) -> String? {
            for column in columns where column < row.fields.count && !row.fields[column].isEmpty {
                return row.fields[column]
            }
            return nil
        }

        func marker(_ row: DelimitedRow) throws(ExchangeProblem) -> ImportedMarker {
            guard let text = field(offset, row) else {
                throw ExchangeProblem(
                    row.place, "the row has no offset",
                    cure: "fill in its column offset_ms or time")
            }
            var marker = ImportedMarker(at: row.place, try time(text, row))
            marker.duration = try field(duration, row).map {
                text throws(ExchangeProblem) in try time(text, row)
            }
            marker.label = field(label, row)
            marker.note = field(note, row)
            if let text = field(tags, row) {
                marker.tags = text.utf8.split { $0 == 0x20 || $0 == 0x3B || $0 == 0x2C }.map {
                    String(Substring($0))
                }
            }
            marker.id = try id(id, "id", row)
            marker.voiceNoteID = try id(voiceNoteID, "voice_note_id", row)
            if let text = field(createdAt, row) {
                guard let moment = Timestamp(text) else {
                    throw ExchangeProblem(
                        row.place, "created_at '\(text.shortened)' is not a time in UTC",
                        cure: "write 2026-02-04T20:00:00Z, or leave it empty")
                }
                marker.createdAt = moment
            }
            marker.source = field(source, row).flatMap(RecordSource.init)
            return marker
        }

        private func id(
            _ columns: [Int], _ name: String, _ row: DelimitedRow
        ) throws(ExchangeProblem) -> ULID? {
            guard let text = field(columns, row) else { return nil }
            guard let id = ULID(text) else {
                throw ExchangeProblem(
                    row.place, "\(name) '\(text.shortened)' is not a ULID",
                    cure: "leave it empty; the marker gets a new id")
            }
            return id
        }

        /// Milliseconds, or any time that a person may type.
        private func time(_ text: String, _ row: DelimitedRow) throws(ExchangeProblem) -> SessionOffset {
            do throws(FormatError) { return try OffsetExpression.duration(text) } catch {
                if let offset = ExchangeTime.clock(text) { return offset }
                throw ExchangeProblem(
                    row.place, "'\(text.shortened)' is not a time",
                    cure: "write milliseconds (120000), 2:00.000 or 90s")
            }
        }
    }
}

extension String {
    /// The text as an error shows it: in one line, and not too long.
    var shortened: String {
        let line = oneLine
        return line.count > 60 ? "\(line.prefix(59))…" : line
    }
}
