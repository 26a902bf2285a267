package import RecordFormat
package import SystemPackage
package import TraceFormat
internal import TraceStore
package import TraceText

/// How a file of markers is to be read: `trace import`.
package struct ImportRequest: Sendable {
    /// Nil if the file tells.
    var format: ExchangeFormat?
    /// The recording from whose start times count, as ``Session/mediaItem(_:)`` reads it; nil for the session.
    var media: String?
    /// Tags that every marker gets.
    var tags: [String]
    /// Frames a second, for formats that count them.
    var frameRate: String?
    /// From which time code a timeline counts, as it is typed; nil if the file tells.
    var start: String?
    /// The unit of numbers in columns that name none; nil if they tell.
    var unit: TimeUnit?
    /// Whether markers after the end of a closed session are allowed.
    var isForced: Bool
    /// Whether a marker whose meaning can't be taken refuses the file.
    var isStrict: Bool

    /// An import of what a file has.
    package init(
        format: ExchangeFormat? = nil, media: String? = nil, tags: [String] = [], frameRate: String? = nil,
        start: String? = nil, unit: TimeUnit? = nil, isForced: Bool = false, isStrict: Bool = false
    ) {
        self.format = format
        self.media = media
        self.tags = tags
        self.frameRate = frameRate
        self.start = start
        self.unit = unit
        self.isForced = isForced
        self.isStrict = isStrict
    }

    /// The markers of a file, before it is known which of them are there.
    package struct Reading {
        package let markers: MarkerImport
        let format: ExchangeFormat
        /// What is not taken of the file, and how what can be read in two ways was read.
        package let notices: [ImportNotice]
        /// Why the file can't be taken, in its order. As long as there is any, nothing should be written.
        package let problems: [ExchangeProblem]
    }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - suffix: The extension of its name, if it has one.
    ///   - path: The absolute path of the file, by which a later import of it finds this one; nil for what is not in a file.
    ///   - header: What `session.json` says.
    /// - Throws: ``ExchangeError``; ``FormatError`` with `.memory`.
    /// - Complexity: O(size of the file) in time and memory.
    package func read(
        _ source: ImportSource, extension suffix: String?, at path: FilePath? = nil, for header: Session
    ) throws -> Reading {
        guard let known = format ?? ExchangeFormat.guess(source.text, extension: suffix) else {
            if let encoding = source.otherEncoding {
                throw ExchangeError(
                    .formatUnknown, "\(source.file): the text is \(encoding)",
                    cure: "save it as UTF-8, then import it again")
            }
            if source.isMatroskaChapters {
                throw ExchangeError(
                    .formatUnknown, "\(source.file): chapters as Matroska's tools write them are not read",
                    cure:
                        "let ffmpeg write those of the recording: ffmpeg -i FILE.mka -f ffmetadata chapters.ffmeta"
                )
            }
            throw ExchangeError.formatUnknown(
                "\(source.file): the format can't be detected from the contents")
        }
        try known.refuse(frameRate: frameRate, among: [.edl])
        try known.refuse("start", isGiven: start != nil, among: [.edl, .otio])
        try known.refuse("unit", isGiven: unit != nil, among: [.csv, .tsv])
        var exchange = ExchangeContext()
        exchange.frameRate = try FrameRate.typed(frameRate)
        exchange.start = try StartCode.typed(start)
        exchange.unit = unit
        let format = try known.format(exchange)
        let origin = try media.map { try header.mediaItem($0) }?.startOffset ?? .zero
        var markers = try MarkerImport(format, size: source.text.count)
        markers.source = ImportedFile(source.text, at: path)
        var intake = MarkerSink(isStrict: isStrict) { marker in
            var marker = marker
            return place(&marker, from: origin, header) ?? markers.take(marker).map { .element($0) }
        }
        format.read(source, into: &intake)
        if intake.count == 0, intake.problems.isEmpty, !source.isBlank {
            if let reason = intake.takeReasonForNothing(source) {
                intake.problems.append(reason)
            } else if intake.notices.isEmpty {
                intake.say(ImportNotice(.file, "there are no markers in the file"))
            }
        }
        return Reading(
            markers: markers, format: known, notices: intake.notices,
            problems: intake.problems.sorted { $0.place.byteOffset < $1.place.byteOffset })
    }

    /// Counts from the session's start, and adds the tags.
    ///
    /// - Returns: Why it can't be there.
    private func place(
        _ marker: inout ImportedMarker, from origin: SessionOffset, _ header: Session
    ) -> MarkerRefusal? {
        let offset = marker.offset.sum(with: origin)
        let new = tags.filter { !marker.tags.contains($0) }
        if origin != .zero || !new.isEmpty { marker.line = nil }
        marker.offset = offset ?? marker.offset
        marker.tags += new
        if offset == nil, marker.offset > .zero {
            return .element(
                ExchangeProblem(
                    marker.place, "the marker is later than any session can last", cure: "correct its time"))
        }
        guard let offset, offset >= .zero else {
            return .element(beforeStart(marker))
        }
        if !isForced, header.status == .closed, let end = header.duration, marker.offset > end {
            return .whole(
                ExchangeProblem(
                    marker.place, "the marker is at \(marker.offset), after the session's end at \(end)",
                    cure: marker.timeCode == nil
                        ? ["check that this is the right session", "\(option: "force") adds it anyway"]
                        : [
                            "check that this is the right session",
                            "\(option: "start") gives the time code at which the timeline begins",
                            "\(option: "force") adds it anyway",
                        ]))
        }
        return nil
    }

    /// Why a marker can't be there that would be before 0: what counts its time is what can be wrong.
    private func beforeStart(_ marker: ImportedMarker) -> ExchangeProblem {
        guard let start else {
            return ExchangeProblem(
                marker.place, "the marker is before the start of the session",
                cure: "give the recording from which the times count with \(option: "media"), or correct them"
            )
        }
        let code = marker.timeCode.map { " at the time code '\($0)'" } ?? ""
        return ExchangeProblem(
            marker.place,
            "the marker\(code) is before the start '\(start.oneLine)' that was given for the timeline",
            cure:
                "give the time code at which the timeline begins with \(option: "start"), which no marker is before"
        )
    }
}

extension MarkerImport.Result {
    /// All of them, in the order in which they are counted.
    package static let all: [Self] = [.added, .replaced, .alreadyThere, .differs, .staysRemoved]

    /// As `--json` names it.
    var name: String {
        switch self {
        case .added: "added"
        case .alreadyThere: "already-there"
        case .differs: "differs"
        case .replaced: "replaced"
        case .staysRemoved: "stays-removed"
        }
    }
}

extension MarkerImport.Plan {
    /// The import with the keys of docs/cli-json.md.
    ///
    /// - Parameters:
    ///   - reading: What was read of the file.
    ///   - isDone: Whether it was done, and not only planned.
    ///   - hint: How a cure is written for who gets the answer; nil if there is nothing for them.
    ///   - addSession: Adds what says which session it is about.
    package func json(
        _ reading: ImportRequest.Reading, isDone: Bool, hint: (Cure) -> String? = \.text,
        addSession: (inout JSONObjectText) -> Void
    ) -> JSONText {
        .object { object in
            addSession(&object)
            object.member("format", JSONText(reading.format.rawValue))
            object.member("done", JSONText(isDone))
            object.member("added", JSONText(Int64(count(.added))))
            object.member("already_there", JSONText(Int64(count(.alreadyThere))))
            object.member("differing", JSONText(Int64(count(.differs))))
            if isReplacing {
                object.member("replaced", JSONText(Int64(count(.replaced))))
                object.member("staying_removed", JSONText(Int64(count(.staysRemoved))))
                object.member("removed", .array(removed.lazy.map { $0.removedJSON }))
            }
            object.member("notices", .array((reading.notices + notices).map { $0.json(hint) }))
            object.member("markers", .array(items.lazy.map(\.json)))
        }
    }
}

extension Marker {
    /// As one that an import takes out.
    fileprivate var removedJSON: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("offset_ms", JSONText(offset))
            object.member("label", label.map { JSONText($0) })
        }
    }
}

extension MarkerImport.Plan.Item {
    fileprivate var json: JSONText {
        .object { object in
            object.member("result", JSONText(result.name))
            object.member("id", id.map { JSONText($0) })
            object.member("offset_ms", JSONText(marker.offset))
            object.member("duration_ms", marker.duration.map { JSONText($0) })
            object.member("label", marker.label.map { JSONText($0) })
            object.member("tags", .array(marker.tags.map { JSONText($0) }))
            object.member("file", JSONText(place.file))
            object.member("line", JSONText(Int64(place.line)))
            object.member("byte_offset", JSONText(Int64(place.byteOffset)))
        }
    }
}
