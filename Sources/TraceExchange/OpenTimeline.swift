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
            let start = root["global_start_time"]?.withValue(parser) { Self.time($0) } ?? nil
            var colours: [String: Int] = [:]
            for owner in [tracks] + (tracks["children"]?.elements ?? []) {
                for marker in owner["markers"]?.elements ?? [] {
                    let found = marker.withValue(parser) { value in
                        self.marker(value, at: marker.place, start, &colours, &read)
                    }
                    if let found = found ?? nil {
                        read.add(found)
                    } else {
                        read.leaveOut(
                            .marker,
                            marker.problem(
                                "the marker has no marked_range that starts at 0 or later",
                                cure: "give its start_time a value of 0 or more, and a rate above 0"))
                    }
                }
            }
            let clips = (tracks["children"]?.elements ?? []).flatMap { $0["children"]?.elements ?? [] }
            let onClips = clips.reduce(0) { $0 + Self.markerCount(of: $1) }
            if onClips > 0 { read.notTaken(.clipMarker, count: onClips) }
            read.notTaken(colours: colours)
            sayOrigin(start, &read)
        }
    }

    /// How many markers a clip has, or a stack with all that is in it.
    private static func markerCount(of item: PlacedJSON) -> Int {
        let own = item["markers"]?.elements.count ?? 0
        return (item["children"]?.elements ?? []).reduce(own) { $0 + markerCount(of: $1) }
    }

    /// A timeline whose time code begins later may have its markers in that, although the format counts from its start.
    private func sayOrigin(_ start: Time?, _ read: inout MarkerSink) {
        if let given = context.start {
            let code = given.text(dropsFrames: given.dropsFrames)
            read.say(ImportNotice(.origin, names: [code], "times count from the time code \(code)"))
        } else if let start, start.value > 0, let rate = FrameRate(perSecond: start.rate),
            let frame = Int64(exactly: start.value.rounded())
        {
            var bytes: [UInt8] = []
            TimeCode.append(frame, rate, to: &bytes)
            let code = String(decoding: bytes, as: UTF8.self)
            read.say(
                ImportNotice(
                    .origin, names: [code],
                    "times count from the start of the timeline, which its time code calls \(code)",
                    cure: "if all are so much too late, give \(option: "start") \(code)"))
        }
    }

    /// What is taken off a time in frames of that rate.
    private func origin(_ rate: Double) -> SessionOffset {
        guard let start = context.start else { return .zero }
        // Where a time code has no such rate, its seconds alone count.
        guard let rate = FrameRate(perSecond: rate) ?? FrameRate("1") else { return .zero }
        return rate.offset(of: start.frame(rate, dropsFrames: start.dropsFrames))
    }

    private static let known = ["OTIO_SCHEMA", "metadata", "name", "color", "comment", "marked_range"]

    /// Counts what has no place in a marker, and finds the note that DaVinci Resolve writes elsewhere.
    private static func note(of value: JSONValue, _ comment: String, _ read: inout MarkerSink) -> String {
        var note = comment
        for (key, member) in value.members where !member.isEmpty {
            let name = String(decoding: key, as: UTF8.self)
            if !known.contains(name) { read.notTaken(.member, name) }
        }
        guard let metadata = value[name: "metadata"] else { return note }
        for (key, program) in metadata.members where !program.isEmpty {
            let name = "metadata.\(String(decoding: key, as: UTF8.self))"
            guard key.equals("Resolve_OTIO") else {
                read.notTaken(.member, name)
                continue
            }
            for (key, member) in program.members where !member.isEmpty {
                if key.equals("Note"), let text = member.string, note.isEmpty || note == text {
                    note = text
                } else {
                    read.notTaken(.member, "\(name).\(String(decoding: key, as: UTF8.self))")
                }
            }
        }
        return note
    }

    private func marker(
        _ value: JSONValue, at place: Finding.Place, _ globalStart: Time?, _ colours: inout [String: Int],
        _ read: inout MarkerSink
    ) -> ImportedMarker? {
        guard let range = value[name: "marked_range"], var start = Self.time(range[name: "start_time"]) else {
            return nil
        }
        if context.start != nil {
            let origin = origin(globalStart?.rate ?? start.rate)
            start.value -= Double(origin.milliseconds) * start.rate / 1000
        }
        let duration = Self.time(range[name: "duration"])
        if duration == nil, let length = range[name: "duration"], !length.isNull {
            read.leaveOut(
                .value,
                ExchangeProblem(
                    place, "the duration of the marker is not a time",
                    cure: "give it a value of 0 or more, and a rate above 0"))
        }
        let name = value[name: "name"]?.string ?? ""
        let comment = value[name: "comment"]?.string ?? ""
        guard
            let record = value[name: "metadata"]?[name: "trace"].flatMap({
                ImportedMarker(record: $0, at: place)
            })
        else {
            var marker = ImportedMarker(at: place, start.offset, title: name, duration: duration?.offset)
            let note = Self.note(of: value, comment, &read)
            if !note.isEmpty { marker.note = note }
            if let colour = value[name: "color"]?.string { colours[colour, default: 0] += 1 }
            return marker
        }
        if value[name: "metadata"]?[name: "trace"]?[name: "tags"]?.elements.contains(where: {
            !($0.string.map(Marker.isTag) ?? false)
        }) ?? false {
            read.leaveOut(
                .value,
                ExchangeProblem(
                    place, "'metadata.trace.tags' has a text that is not a tag",
                    cure: "write tags with the letters a to z, digits, - and _"))
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

extension JSONValue {
    /// Whether it is `null`, or a text, an array or an object with nothing in it.
    fileprivate var isEmpty: Bool {
        switch kind {
        case .null: true
        case .string: utf8?.isEmpty ?? true
        case .array: elements.first { _ in true } == nil
        case .object: members.first { _ in true } == nil
        case .boolean, .integer, .number: false
        }
    }
}
