internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// REAPER's list of markers and regions, as its Region/Marker Manager writes and reads it, with the ruler at
/// Minutes:Seconds.
///
/// Source: REAPER's files; RFC 4180 for quotes.
struct ReaperMarkers: MarkerFormat {
    func begin(_ text: inout [UInt8]) { text += "#,Name,Start,End,Length\n".utf8 }

    func write(_ item: ExportItem, to text: inout [UInt8]) {
        let duration = item.marker.duration.flatMap { $0 > .zero ? $0 : nil }
        text.append(UInt8(ascii: duration == nil ? "M" : "R"))
        text.append(number: Int64(item.number + 1))
        text.append(UInt8(ascii: ","))
        MarkerExport.csv.append(field: title(of: item.marker), to: &text)
        text.append(UInt8(ascii: ","))
        text.append(clock: item.marker.offset)
        text.append(UInt8(ascii: ","))
        if let duration { text.append(clock: item.marker.offset.adding(duration)) }
        text.append(UInt8(ascii: ","))
        if let duration { text.append(clock: duration) }
        text.append(UInt8(ascii: "\n"))
    }

    func read(_ source: ImportSource, into read: inout MarkerSink) {
        do throws(ExchangeProblem) {
            var rows = try DelimitedRows(source, separator: UInt8(ascii: ","))
            guard let header = try rows.next() else { return }
            let names = header.fields.map { $0.lowercased() }
            guard let start = names.firstIndex(of: "start") else {
                throw ExchangeProblem(
                    header.place, "there is no column Start",
                    cure: "export it with REAPER's Region/Marker Manager, as CSV")
            }
            let columns = Columns(
                start: start, end: names.firstIndex(of: "end"), name: names.firstIndex(of: "name"))
            // The number and the length follow from the rest.
            let known = names.indices.filter { ["#", "name", "start", "end", "length"].contains(names[$0]) }
            var untaken = UntakenColumns(header, besides: Set(known))
            while true {
                do throws(ExchangeProblem) {
                    guard let row = try rows.next() else { break }
                    do throws(ExchangeProblem) { read.add(try Self.marker(row, columns, &read)) } catch {
                        read.leaveOut(.marker, error)
                    }
                    untaken.count(row, &read)
                } catch { read.problems.append(error) }
            }
            untaken.finish(&read)
        } catch { read.problems.append(error) }
    }

    /// Which columns hold what.
    private struct Columns {
        var start: Int
        var end: Int?
        var name: Int?
    }

    private static func marker(
        _ row: DelimitedRow, _ columns: Columns, _ read: inout MarkerSink
    ) throws(ExchangeProblem) -> ImportedMarker {
        let offset = try time(row[columns.start], row.place)
        var duration: SessionOffset?
        if let end = columns.end.map({ row[$0] }), !end.isEmpty {
            do throws(ExchangeProblem) {
                let end = try time(end, row.place)
                guard end >= offset else {
                    throw ExchangeProblem(
                        row.place, "the region ends before it starts", cure: "correct its times in REAPER")
                }
                duration = end.subtracting(offset)
            } catch { read.leaveOut(.value, error) }
        }
        let name = columns.name.map { row[$0] } ?? ""
        return ImportedMarker(at: row.place, offset, title: name, duration: duration)
    }

    /// Minutes and seconds, or seconds with decimals. Bars and beats (`5.1.00`), frames (`0:00:12:05`) and samples
    /// (`441000`) mean nothing without the project.
    private static func time(_ text: String, _ place: Finding.Place) throws(ExchangeProblem) -> SessionOffset
    {
        let text = text.filter { $0 != " " }
        if let offset = ExchangeTime.clock(text) { return offset }
        if text.contains("."), let offset = ExchangeTime.seconds(text), offset >= .zero { return offset }
        let dots = text.count { $0 == "." }
        let what =
            dots >= 2
            ? "bars and beats" : text.count { $0 == ":" } == 3 ? "frames" : "not minutes and seconds"
        throw ExchangeProblem(
            place, "'\(text.shortened)' is \(what)",
            cure: "set the ruler to Minutes:Seconds in REAPER, and export it again")
    }
}
