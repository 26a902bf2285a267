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
            let name = names.firstIndex(of: "name")
            let end = names.firstIndex(of: "end")
            while true {
                do throws(ExchangeProblem) {
                    guard let row = try rows.next() else { break }
                    read.add(try Self.marker(row, start: start, end: end, name: name))
                } catch { read.problems.append(error) }
            }
        } catch { read.problems.append(error) }
    }

    private static func marker(
        _ row: DelimitedRow, start: Int, end: Int?, name: Int?
    ) throws(ExchangeProblem) -> ImportedMarker {
        func field(_ number: Int?) -> String {
            number.flatMap { row.fields.indices.contains($0) ? row.fields[$0] : nil } ?? ""
        }
        let offset = try time(field(start), row.place)
        var duration: SessionOffset?
        if !field(end).isEmpty {
            let end = try time(field(end), row.place)
            guard end >= offset else {
                throw ExchangeProblem(
                    row.place, "the region ends before it starts", cure: "correct its times in REAPER")
            }
            duration = end.subtracting(offset)
        }
        return ImportedMarker(at: row.place, offset, title: field(name), duration: duration)
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
