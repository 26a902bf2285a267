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
                let found = chapter.withValue(parser) { Self.chapter($0, at: chapter.place, &read) }
                if let marker = found ?? nil {
                    read.add(marker)
                } else {
                    read.leaveOut(
                        .marker,
                        chapter.problem(
                            "startTime is missing, or not a number of seconds, 0 or more",
                            cure: "write it in seconds: \"startTime\": 12.5"))
                }
            }
        }
    }

    private static func chapter(
        _ value: JSONValue, at place: Finding.Place, _ read: inout MarkerSink
    ) -> ImportedMarker? {
        var start: SessionOffset?
        var end: SessionOffset?
        var title = ""
        var members: [String] = []
        for (key, value) in value.members {
            if key.equals("startTime") {
                start = offset(value)
            } else if key.equals("endTime") {
                end = offset(value)
                if end == nil, !value.isNull { members.append("endTime") }
            } else if key.equals("title"), let text = value.string {
                title = text
            } else if !key.equals("toc"), !value.isNull {
                members.append(String(decoding: key, as: UTF8.self))
            }
        }
        guard let start else { return nil }
        for name in members { read.notTaken(.member, name) }
        if let end, end < start {
            read.leaveOut(
                .value,
                ExchangeProblem(
                    place, "the chapter ends before it starts",
                    cure: "correct its endTime, or leave it out"))
        }
        return ImportedMarker(at: place, start, title: title, duration: end.map { $0.subtracting(start) })
    }

    /// Seconds as a number; those of some programs are a text, in seconds or as a clock.
    private static func offset(_ time: JSONValue) -> SessionOffset? {
        if let text = time.string {
            return (ExchangeTime.seconds(text) ?? ExchangeTime.clock(text)).flatMap { $0 < .zero ? nil : $0 }
        }
        guard let seconds = time.number, seconds >= 0, seconds < 1e12 else { return nil }
        return SessionOffset(rounding: seconds * 1000)
    }
}
