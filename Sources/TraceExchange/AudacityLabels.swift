internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Audacity's label track: start, end and text, separated by tabs; times in seconds.
///
/// Source: the Audacity manual, "Importing and Exporting Labels".
struct AudacityLabels: MarkerFormat {
    func write(_ item: ExportItem, to text: inout [UInt8]) {
        let start = item.marker.offset
        text.append(seconds: start, decimals: 6)
        text.append(UInt8(ascii: "\t"))
        text.append(seconds: start.end(lasting: item.marker.duration), decimals: 6)
        text.append(UInt8(ascii: "\t"))
        text += title(of: item.marker).utf8
        text.append(UInt8(ascii: "\n"))
    }

    func read(_ source: ImportSource, into read: inout MarkerSink) {
        source.readLines(into: &read) { line, read throws(ExchangeProblem) in
            if line.isBlank { return }
            // The frequencies of the label before it.
            if line.text.hasPrefix("\\") {
                let frequencies = line.text.dropFirst().split(separator: "\t").joined(separator: " to ")
                return read.notTaken(.text, frequencies.isEmpty ? nil : "\(frequencies) Hz")
            }
            guard let label = Self.label(line.text) else {
                return read.leaveOut(
                    .marker,
                    ExchangeProblem(
                        line.place(source.file),
                        "this is not a label: expected two times in seconds and a text, separated by tabs",
                        cure: "export it with Audacity's 'Export Labels', in the format 'Text file'"))
            }
            if label.end < label.start {
                read.leaveOut(
                    .value,
                    ExchangeProblem(
                        line.place(source.file), "the label ends before it starts",
                        cure: "correct its times in Audacity"))
            }
            let length = max(label.end, label.start).subtracting(label.start)
            read.add(
                ImportedMarker(at: line.place(source.file), label.start, title: label.text, duration: length))
        }
    }

    /// Whether a line is one of a label track.
    static func isLabel(_ line: String) -> Bool { label(line[...]) != nil }

    /// Old versions wrote one time and the text.
    private static func label(_ line: Substring) -> (start: SessionOffset, end: SessionOffset, text: String)?
    {
        let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count >= 2, let start = ExchangeTime.seconds(fields[0]) else { return nil }
        if let end = ExchangeTime.seconds(fields[1]) {
            return (start, end, fields.count == 3 ? String(fields[2]) : "")
        }
        return (start, start, fields.dropFirst().joined(separator: "\t"))
    }
}
