internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Chapters of a `<track kind="chapters">`, each lasting until the next begins.
///
/// The identifier of a cue is the marker's id. How long a marker lasts is not kept.
///
/// Source: W3C, "WebVTT: The Web Video Text Tracks Format".
struct WebVTTChapters: MarkerFormat {
    private let context: ExchangeContext

    init(_ context: ExchangeContext) { self.context = context }

    func begin(_ text: inout [UInt8]) { text += WebVTT.head }

    func write(_ item: ExportItem, to text: inout [UInt8]) {
        text.append(
            cue: item.marker.id, from: item.marker.offset, to: item.end(context, atLeast: 1))
        text.append(cueText: title(of: item.marker))
        text.append(UInt8(ascii: "\n"))
    }

    func title(of marker: Marker) -> String { MarkerTitle.text(of: marker, isNeeded: true) }

    // MARK: - Reading

    func read(_ source: ImportSource, into read: inout MarkerSink) {
        var block: [TextLine] = []
        var isFirst = true
        source.readLines(into: &read) { line, read throws(ExchangeProblem) in
            if isFirst {
                isFirst = false
                let rest = line.text.dropFirst(6)
                guard line.text.hasPrefix("WEBVTT"), rest.isEmpty || rest.first == " " || rest.first == "\t"
                else {
                    throw ExchangeProblem(
                        line.place(source.file), "the first line is not WEBVTT", cure: "use a WebVTT file"
                    )
                }
                return
            }
            // Only a line of nothing ends a block.
            guard line.text.isEmpty else {
                block.append(line)
                return
            }
            defer { block = [] }
            try Self.take(block, source, &read)
        }
        do throws(ExchangeProblem) { try Self.take(block, source, &read) } catch {
            read.problems.append(error)
        }
    }

    private static func take(
        _ block: [TextLine], _ source: ImportSource, _ read: inout MarkerSink
    ) throws(ExchangeProblem) {
        // Notes, styles and regions have no times.
        guard let first = block.first, !first.text.hasPrefix("NOTE"),
            let timing = block.firstIndex(where: { $0.text.contains("-->") }), timing <= 1
        else { return }
        let line = block[timing]
        let sides = line.text.split(separator: "-->", maxSplits: 1, omittingEmptySubsequences: false)
        let start = sides[0].filter { $0 != " " && $0 != "\t" }
        guard let offset = ExchangeTime.clock(start) else {
            throw ExchangeProblem(
                line.place(source.file), "'\(String(sides[0]).shortened)' is not a time",
                cure: "write 00:00:12.500 --> 00:01:00.250")
        }
        let text = block[(timing + 1)...].map { Self.plain(String($0.text)) }.joined(separator: "\n")
        var marker = ImportedMarker(at: line.place(source.file), offset, title: text)
        if timing == 1 { marker.id = ULID(block[0].text) }
        read.add(marker)
    }

    /// The text without its tags, its entities resolved.
    private static func plain(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x3C || $0 == 0x26 }) else { return text }
        var result = ""
        var rest = text[...]
        while let first = rest.first {
            if first == "<", let end = rest.firstIndex(of: ">") {
                rest = rest[rest.index(after: end)...]
            } else if first == "&", let entity = entities.first(where: { rest.hasPrefix($0.key) }) {
                result += entity.value
                rest = rest.dropFirst(entity.key.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }

    private static let entities = [
        "&amp;": "&", "&lt;": "<", "&gt;": ">", "&nbsp;": "\u{A0}", "&lrm;": "\u{200E}", "&rlm;": "\u{200F}",
        "&quot;": "\"", "&#39;": "'",
    ]
}
