internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// An OpenTimelineIO timeline without clips, the markers on its stack of tracks.
///
/// Each carries its record in `metadata.trace`, so that nothing is lost on the way; what an editor has changed of name, time
/// and comment since counts anyway.
///
/// Source: OpenTimelineIO's "File Format Specification"; its schemas Timeline.1, Stack.1 and Marker.2.
struct OpenTimeline: MarkerFormat {
    private let context: ExchangeContext
    /// What precedes the number of a frame. Where no frame rate is given a frame is a millisecond.
    private let timeStart: [UInt8]

    init(_ context: ExchangeContext) {
        self.context = context
        timeStart =
            "{\"OTIO_SCHEMA\":\"RationalTime.1\",\"rate\":".utf8
            + JSONText(context.frameRate?.perSecond ?? 1000).bytes
            + ",\"value\":".utf8
    }

    private func frame(at offset: SessionOffset) -> Int64 {
        context.frameRate?.frame(at: offset) ?? offset.milliseconds
    }

    func begin(_ text: inout [UInt8]) {
        text += "{\"OTIO_SCHEMA\":\"Timeline.1\",\"metadata\":{},\"name\":".utf8
        text += JSONText(context.title).bytes
        text += ",\"global_start_time\":null,\"tracks\":{\"OTIO_SCHEMA\":\"Stack.1\",\"metadata\":{},".utf8
        text +=
            "\"name\":\"tracks\",\"source_range\":null,\"effects\":[],\"enabled\":true,\"children\":[],".utf8
        text += "\"markers\":[".utf8
    }

    func write(_ item: ExportItem, to text: inout [UInt8]) {
        let marker = item.marker
        text += (item.number == 0 ? "\n" : ",\n").utf8
        text += "{\"OTIO_SCHEMA\":\"Marker.2\",\"metadata\":{\"trace\":".utf8
        // The record as it is, other writers' keys and spelling included.
        text += item.isMoved || item.line.isEmpty ? marker.json.bytes : item.line
        text += "},\"name\":".utf8
        text += JSONText(title(of: marker)).bytes
        text += ",\"color\":\"\(Self.color(of: marker))\",\"comment\":".utf8
        text += JSONText(marker.note ?? "").bytes
        text += ",\"marked_range\":{\"OTIO_SCHEMA\":\"TimeRange.1\",\"duration\":".utf8
        append(frame(at: marker.duration ?? .zero), to: &text)
        text += ",\"start_time\":".utf8
        append(frame(at: marker.offset), to: &text)
        text += "}}".utf8
    }

    private func append(_ frames: Int64, to text: inout [UInt8]) {
        text += timeStart
        text.append(number: frames)
        text += ".0}".utf8
    }

    func end(_ text: inout [UInt8]) { text += "\n]}}\n".utf8 }

    private static func color(of marker: Marker) -> String {
        switch marker.categories.first {
        case .highlight: "YELLOW"
        case .structure: "GREEN"
        case .texture: "PURPLE"
        case .fix: "RED"
        case nil: "BLUE"
        }
    }

    // MARK: - Reading

    func read(_ source: ImportSource, into read: inout MarkerSink) {
        source.readJSON(into: &read) { root, parser, read throws(ExchangeProblem) in
            guard let tracks = root["tracks"] else {
                throw root.problem(
                    "this is not an OpenTimelineIO timeline", cure: "save the whole timeline as .otio")
            }
            for owner in [tracks] + (tracks["children"]?.elements ?? []) {
                for marker in owner["markers"]?.elements ?? [] {
                    if let found = marker.withValue(parser, { self.marker($0, at: marker.place) }) ?? nil {
                        read.add(found)
                    } else {
                        read.problems.append(
                            marker.problem("the marker has no marked_range that starts at 0 or later"))
                    }
                }
            }
            let nested = (tracks["children"]?.elements ?? []).flatMap { $0["children"]?.elements ?? [] }
            let passed = nested.reduce(0) { $0 + ($1["markers"]?.elements.count ?? 0) }
            if passed > 0 {
                read.notices.append(
                    "\(counted(passed, "marker")) on clips skipped: only those of the timeline and its tracks are read"
                )
            }
        }
    }

    private func marker(_ value: JSONValue, at place: Finding.Place) -> ImportedMarker? {
        guard let range = value[name: "marked_range"], let start = Self.time(range[name: "start_time"]) else {
            return nil
        }
        let duration = Self.time(range[name: "duration"])
        let name = value[name: "name"]?.string ?? ""
        let comment = value[name: "comment"]?.string ?? ""
        guard
            let record = value[name: "metadata"]?[name: "trace"].flatMap({
                ImportedMarker(record: $0, at: place)
            })
        else {
            var marker = ImportedMarker(at: place, start.offset, title: name, duration: duration?.offset)
            if !comment.isEmpty { marker.note = comment }
            return marker
        }
        // What the record tells is finer than frames and longer than a line, and stands unless it was changed.
        var marker = record
        if !start.isSame(as: record.offset) { marker.offset = start.offset }
        if let duration, !duration.isSame(as: record.duration ?? .zero) {
            marker.duration = duration.offset > .zero ? duration.offset : nil
        }
        let known = Marker(
            id: ULID(milliseconds: 0, digest: []), offset: .zero, createdAt: nil, label: record.label,
            tags: record.tags)
        if title(of: known) != name {
            let named = ImportedMarker(at: place, .zero, title: name)
            marker.label = named.label
            if named.label == nil { marker.tags = named.tags }
        }
        if comment != record.note ?? "", value[name: "comment"] != nil {
            marker.note = comment.isEmpty ? nil : comment
        }
        return marker
    }

    /// A time in frames of some rate.
    private struct Time {
        var value: Double
        var rate: Double

        var offset: SessionOffset { SessionOffset(rounding: value * 1000 / rate) ?? .zero }

        /// Whether this is the frame that is nearest to an offset.
        func isSame(as offset: SessionOffset) -> Bool {
            abs(Double(offset.milliseconds) * rate / 1000 - value) <= 0.5001
        }
    }

    private static func time(_ value: JSONValue?) -> Time? {
        guard let count = value?[name: "value"]?.number, let rate = value?[name: "rate"]?.number, rate > 0,
            count >= 0,
            count * 1000 / rate < 0x1p53
        else { return nil }
        return Time(value: count, rate: rate)
    }
}
