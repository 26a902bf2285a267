internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Chapters of a podcast episode, in a file of JSON beside it.
///
/// Source: the Podcasting 2.0 namespace, "JSON Chapters Format", version 1.2.
struct PodcastChapters: MarkerFormat {
    private let context: ExchangeContext

    init(_ context: ExchangeContext) { self.context = context }

    func begin(_ text: inout [UInt8]) {
        text += "{\"version\":\"1.2.0\",".utf8
        if !context.title.isEmpty { text += "\"title\":".utf8 + JSONText(context.title).bytes + ",".utf8 }
        text += "\"chapters\":[".utf8
    }

    func write(_ item: ExportItem, to text: inout [UInt8]) {
        text += (item.number == 0 ? "\n{\"startTime\":" : ",\n{\"startTime\":").utf8
        text.append(seconds: item.marker.offset)
        let title = title(of: item.marker)
        // What has no title is no line of a player's list.
        text += title.isEmpty ? Array(",\"toc\":false".utf8) : ",\"title\":".utf8 + JSONText(title).bytes
        if let duration = item.marker.duration, duration > .zero {
            text += ",\"endTime\":".utf8
            text.append(seconds: item.marker.offset.adding(duration))
        }
        text.append(UInt8(ascii: "}"))
    }

    func end(_ text: inout [UInt8]) { text += "\n]}\n".utf8 }

    func read(_ source: ImportSource, into read: inout MarkerSink) {
        source.readJSON(into: &read) { root, parser, read throws(ExchangeProblem) in
            guard let chapters = root["chapters"] else {
                throw root.problem(
                    "there is no list of chapters", cure: "use a file of Podcasting 2.0 chapters")
            }
            for chapter in chapters.elements {
                let times = chapter.withValue(parser) { value in
                    (
                        Self.offset(value[name: "startTime"]), Self.offset(value[name: "endTime"]),
                        value[name: "title"]?.string
                    )
                }
                guard let (start, end, title) = times, let start else {
                    read.problems.append(
                        chapter.problem("startTime is missing, or not a number of seconds, 0 or more"))
                    continue
                }
                let length = end.map { $0.subtracting(start) }
                read.add(
                    ImportedMarker(at: chapter.place, start, title: title ?? "", duration: length))
            }
        }
    }

    private static func offset(_ seconds: JSONValue?) -> SessionOffset? {
        guard let seconds = seconds?.number, seconds >= 0, seconds < 1e12 else { return nil }
        return SessionOffset(rounding: seconds * 1000)
    }
}
