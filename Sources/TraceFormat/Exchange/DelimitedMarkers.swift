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

    /// All of it, as it stands in its own column.
    func title(of marker: Marker) -> String { marker.label ?? "" }

    func read(_ source: ImportSource) -> ImportedMarkers {
        var read = ImportedMarkers()
        do throws(ExchangeProblem) {
            var rows = try DelimitedRows(source, separator: spelling == .tsv ? spelling.separator : nil)
            guard let header = try rows.next() else { return read }
            let columns = try Columns(header)
            while true {
                do throws(ExchangeProblem) {
                    guard let row = try rows.next() else { break }
                    read.markers.append(try columns.marker(row))
                } catch { read.problems.append(error) }
            }
        } catch { read.problems.append(error) }
        return read
    }

    /// Which column holds what.
    private struct Columns {
        private let numbers: [String: Int]

        init(_ header: DelimitedRow) throws(ExchangeProblem) {
            var numbers: [String: Int] = [:]
            for (number, name) in header.fields.enumerated() {
                let name = name.lowercased().filter { $0 != " " }
                if numbers[name] == nil { numbers[name] = number }
            }
            self.numbers = numbers
            guard Self.offsets.contains(where: { numbers[$0] != nil }) else {
                throw ExchangeProblem(
                    header.place, "no column tells where the markers stand",
                    hint:
                        "name the columns in the first line: offset_ms (milliseconds) or time (2:00.000), label, "
                        + "note, tags, duration_ms")
            }
        }

        private static let offsets = ["offset_ms", "time", "offset", "start"]

        private func field(_ names: [String], _ row: DelimitedRow) -> String? {
            for name in names {
                guard let number = numbers[name], row.fields.indices.contains(number) else { continue }
                if !row.fields[number].isEmpty { return row.fields[number] }
            }
            return nil
        }

        func marker(_ row: DelimitedRow) throws(ExchangeProblem) -> ImportedMarker {
            guard let text = field(Self.offsets, row) else {
                throw ExchangeProblem(
                    row.place, "the row does not tell where the marker stands",
                    hint: "fill its column offset_ms or time")
            }
            var marker = ImportedMarker(at: row.place, try time(text, row))
            marker.duration = try field(["duration_ms", "duration", "length"], row).map {
                text throws(ExchangeProblem) in try time(text, row)
            }
            marker.label = field(["label", "name", "title"], row)
            marker.note = field(["note", "notes", "comment"], row)
            let tags = field(["tags", "tag"], row) ?? ""
            marker.tags = tags.split { " ;,".contains($0) }.map(String.init)
            marker.id = try id("id", row)
            marker.voiceNoteID = try id("voice_note_id", row)
            if let text = field(["created_at"], row) {
                guard let moment = Timestamp(text) else {
                    throw ExchangeProblem(
                        row.place, "created_at '\(text.shortened)' is no time in UTC",
                        hint: "write 2026-02-04T20:00:00Z, or leave it empty")
                }
                marker.createdAt = moment
            }
            marker.source = field(["source"], row).flatMap(RecordSource.init)
            return marker
        }

        private func id(_ name: String, _ row: DelimitedRow) throws(ExchangeProblem) -> ULID? {
            guard let text = field([name], row) else { return nil }
            guard let id = ULID(text) else {
                throw ExchangeProblem(
                    row.place, "\(name) '\(text.shortened)' is not a ULID",
                    hint: "leave it empty; the marker gets an id of its own")
            }
            return id
        }

        /// Milliseconds, or any time that a person may type.
        private func time(_ text: String, _ row: DelimitedRow) throws(ExchangeProblem) -> SessionOffset {
            do throws(FormatError) { return try OffsetExpression.duration(text) } catch {
                if let offset = ExchangeTime.clock(text) { return offset }
                throw ExchangeProblem(
                    row.place, "'\(text.shortened)' is no time",
                    hint: "write milliseconds (120000), 2:00.000 or 90s")
            }
        }
    }
}

extension String {
    /// The text as an error shows it: in one line, and not too long.
    var shortened: String {
        let line = ExchangeText.oneLine(self)
        return line.count > 60 ? "\(line.prefix(59))…" : line
    }
}
