internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// A CMX 3600 edit decision list with a marker an event, as DaVinci Resolve exports and imports timeline markers.
///
/// The timeline begins at one o'clock, as theirs do; the frame rate is not in the file.
///
/// Source: DaVinci Resolve's files; the CMX 3600 EDL format.
struct EditDecisionList: MarkerFormat {
    private let context: ExchangeContext
    private let rate: FrameRate

    /// - Throws: ``ExchangeError`` with `.exchangeImpossible`.
    init(_ context: ExchangeContext) throws(ExchangeError) {
        guard let rate = context.frameRate else {
            throw ExchangeError(
                .exchangeImpossible, "an EDL counts frames, but does not contain the frame rate",
                cure: "give the timeline's with \(option: "fps"): 24, 25, 29.97, 30, …")
        }
        guard context.count <= Self.mostEvents else {
            throw ExchangeError(
                .exchangeImpossible,
                "an EDL holds \(Self.mostEvents) events, and there are \(context.count) markers",
                cure: "choose some with \(option: "tag"), or use \(option: "format") otio")
        }
        if let last = context.last, last > Self.latest {
            throw ExchangeError(
                .exchangeImpossible,
                "the time code of an EDL ends at \(Self.latest.clock), but a marker is at \(last)",
                cure:
                    "choose earlier ones with \(option: "media") or \(option: "tag"), or use \(option: "format") otio"
            )
        }
        self.context = context
        self.rate = rate
    }

    private static let mostEvents = 999
    /// The hour at which a timeline begins, and the one that a time code does not have.
    private static let (firstHour, lastHour): (Int64, Int64) = (1, 24)

    /// The last place that a time code can name.
    private static let latest = SessionOffset(milliseconds: (lastHour - firstHour) * 3_600_000 - 1000)

    private var start: Int64 { Self.firstHour * 3600 * rate.nominal }

    func begin(_ text: inout [UInt8]) {
        let title = context.title.oneLine
        text += "TITLE: \(title.isEmpty ? "markers" : title)\nFCM: NON-DROP FRAME\n".utf8
    }

    func write(_ item: ExportItem, to text: inout [UInt8]) {
        let frame = start + rate.frame(at: item.marker.offset)
        text.append(UInt8(ascii: "\n"))
        text.append(number: Int64(item.number + 1), width: 3)
        text += "  001      V     C        ".utf8
        for frame in [frame, frame + 1, frame, frame + 1] {
            TimeCode.append(frame, rate, to: &text)
            text.append(UInt8(ascii: " "))
        }
        text +=
            " \n\(Self.note(of: item.marker)) |C:\(Self.color(of: item.marker)) |M:\(title(of: item.marker)) |D:"
            .utf8
        text.append(number: max(1, item.marker.duration.map { rate.frame(at: $0) } ?? 1))
        text.append(UInt8(ascii: "\n"))
    }

    /// A bar would end the text.
    func title(of marker: Marker) -> String {
        let title = MarkerTitle.text(of: marker, isNeeded: true)
        return title.utf8.contains(0x7C) ? title.replacing("|", with: "/") : title
    }

    /// The note in one line; one that would be read as something else begins with a space.
    private static func note(of marker: Marker) -> String {
        guard let note = marker.note?.oneLine.replacing("|", with: "/"), let first = note.first else {
            return ""
        }
        return first.isNumber || first == "*" || note.hasPrefix("FCM:") ? " \(note)" : note
    }

    func resolved(_ offset: SessionOffset) -> SessionOffset { rate.offset(of: rate.frame(at: offset)) }

    private static func color(of marker: Marker) -> String {
        switch marker.categories.first {
        case .highlight: "ResolveColorYellow"
        case .structure: "ResolveColorGreen"
        case .texture: "ResolveColorPurple"
        case .fix: "ResolveColorRed"
        case nil: "ResolveColorBlue"
        }
    }

    // MARK: - Reading

    func read(_ source: ImportSource, into read: inout MarkerSink) {
        var reading = Reading(rate)
        source.readLines(into: &read) { line, read throws(ExchangeProblem) in
            try reading.take(line, in: source.file, &read)
        }
        reading.endEvent(&read)
        let (origin, isGiven) = origin(of: reading.found)
        for found in reading.found {
            var marker = found.marker
            marker.timeCode = found.code
            marker.offset = rate.offset(of: found.frame - origin.frame(rate, dropsFrames: found.dropsFrames))
            read.add(marker)
        }
        read.notTaken(colours: reading.colours)
        guard let first = reading.found.first else { return }
        let code = origin.text(dropsFrames: first.dropsFrames)
        read.say(
            ImportNotice(
                .origin, names: [code], "times count from the time code \(code)",
                cure: isGiven
                    ? nil : "where the timeline begins at another, give that with \(option: "start")"))
    }

    /// Where the timeline begins: as asked; else, if no marker is earlier, at one o'clock.
    private func origin(of found: [Reading.Found]) -> (code: StartCode, isGiven: Bool) {
        if let start = context.start { return (start, true) }
        let first = StartCode(hours: Self.firstHour)
        let isFirst = found.allSatisfy { $0.frame >= first.frame(rate, dropsFrames: $0.dropsFrames) }
        return (isFirst ? first : StartCode(hours: 0), false)
    }

    /// What has been read up to a line.
    private struct Reading {
        /// A marker, and the frame at which it is in the time code, which counts from midnight.
        struct Found {
            var frame: Int64
            var dropsFrames: Bool
            /// As it is written.
            var code: String
            var marker: ImportedMarker
        }

        private let rate: FrameRate
        private(set) var found: [Found] = []
        /// How many markers have which colour.
        private(set) var colours: [String: Int] = [:]
        private var dropsFrames = false
        private var event: Event?

        /// An event whose lines are being read.
        private struct Event {
            /// Nil if its time code can't be read.
            var position: Position?
            var hasMarker = false
            /// Lines that may be the beginning of a note, or belong to a clip.
            var texts: [String] = []
        }

        /// A time code that was read.
        typealias Position = (frame: Int64, dropsFrames: Bool, code: String)

        init(_ rate: FrameRate) { self.rate = rate }

        mutating func take(
            _ line: TextLine, in file: String, _ read: inout MarkerSink
        ) throws(ExchangeProblem) {
            let place = line.place(file)
            if line.text.hasPrefix("FCM:") {
                dropsFrames = line.text.hasPrefix("FCM: DROP")
            } else if let codes = EditDecisionList.codes(of: line.text) {
                endEvent(&read)
                event = Event()
                let position = try position(codes, place, &read)
                event?.position = position
            } else if let note = EditDecisionList.note(line.text), event != nil {
                take(note, place, &read)
            } else if let location = EditDecisionList.location(line.text) {
                event?.hasMarker = true
                if let position = try position(location.code, place, &read) {
                    let marker = ImportedMarker(at: place, .zero, title: location.title)
                    found.append(
                        Found(
                            frame: position.frame, dropsFrames: position.dropsFrames, code: position.code,
                            marker: marker))
                }
            } else if !line.isBlank {
                event?.texts.append(String(line.text))
            }
        }

        private mutating func take(
            _ note: (text: String, title: String, colour: String?, length: Substring?),
            _ place: Finding.Place,
            _ read: inout MarkerSink
        ) {
            event?.hasMarker = true
            let before = event?.texts.filter { !$0.hasPrefix("*") } ?? []
            // Programs that write the line again have it as a comment, whose mark is no part of the note.
            let hasComments = event?.texts.contains { $0.hasPrefix("*") } ?? false
            var own = note.text
            if own.hasPrefix("*"), hasComments || own[...].trimmed == "*" { own.removeFirst() }
            event?.texts.removeAll { !$0.hasPrefix("*") }
            guard let position = event?.position else { return }
            var length: SessionOffset?
            if let text = note.length {
                // One frame is what a marker without a length has.
                if let frames = Int64(text), frames >= 0 {
                    length = frames > 1 ? rate.offset(of: frames) : nil
                } else {
                    read.leaveOut(
                        .value,
                        ExchangeProblem(
                            place, "the length '\(text.shortened)' is not a number of frames",
                            cure: "write whole frames: |D:25"))
                }
            }
            var marker = ImportedMarker(at: place, .zero, title: note.title, duration: length)
            let text = (before + [own]).joined(separator: "\n")
            if text.contains(where: { !$0.isWhitespace }) {
                marker.note = String(text[...].trimmed)
            }
            if let colour = note.colour { colours[colour, default: 0] += 1 }
            found.append(
                Found(
                    frame: position.frame, dropsFrames: position.dropsFrames, code: position.code,
                    marker: marker))
        }

        /// Counts what an event had that is not in a marker.
        mutating func endEvent(_ read: inout MarkerSink) {
            guard let event else { return }
            self.event = nil
            guard event.hasMarker else {
                return read.notTaken(.event)
            }
            // Where the clip comes from says nothing of the marker.
            for text in event.texts where !EditDecisionList.isAboutClip(text) { read.notTaken(.text, text) }
        }

        /// The frame of a time code; nil if it is none, which is counted.
        ///
        /// - Throws: ``ExchangeProblem`` if it can't be one of the frame rate: then no other is where it seems to be.
        private func position(
            _ code: Substring, _ place: Finding.Place, _ read: inout MarkerSink
        ) throws(ExchangeProblem) -> Position? {
            let drops = dropsFrames || code.contains(";")
            if drops, !rate.canDropFrames {
                throw ExchangeProblem(
                    place,
                    "the time code drops frames, as it does at 29.97 and 59.94 frames per second alone",
                    cure: "give \(option: "fps") 29.97 or 59.94")
            }
            if let frame = TimeCode.frame(code, rate, dropsFrames: drops) {
                return (frame, drops, String(code))
            }
            let shown = String(code).shortened
            if let frames = TimeCode.numbers(code)?[3], frames >= rate.nominal {
                throw ExchangeProblem(
                    place, "'\(shown)' is not a time code at \(rate.nominal) frames per second",
                    cure: "give the timeline's with \(option: "fps"): more than \(frames)")
            }
            read.leaveOut(
                .marker,
                ExchangeProblem(
                    place, "'\(shown)' is not a time code",
                    cure: "write hours, minutes, seconds and frames: 01:00:12:00"))
            return nil
        }
    }

    /// Whether a line of an event is about its clip, and not a text of a person.
    fileprivate static func isAboutClip(_ text: String) -> Bool {
        let words = text.drop { $0 == "*" || $0.isWhitespace }
        return ["FROM CLIP", "TO CLIP", "SOURCE FILE", "CLIP NAME", "M2 "].contains { words.hasPrefix($0) }
    }

    /// The time code at which an event is in the timeline, the third of its four; nil if the line is not an event.
    fileprivate static func codes(of line: Substring) -> Substring? {
        guard line.first?.isNumber == true else { return nil }
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count >= 6, words.suffix(4).allSatisfy({ $0.count { ":;".contains($0) } == 3 }) else {
            return nil
        }
        return words[words.count - 2]
    }

    /// `softer here |C:ResolveColorBlue |M:Warm-up |D:1`: a note, a colour, the title and a number of frames.
    fileprivate static func note(
        _ line: Substring
    ) -> (text: String, title: String, colour: String?, length: Substring?)? {
        guard let start = line.range(of: "|M:") else { return nil }
        var title = line[start.upperBound...]
        var length: Substring?
        if let end = title.lastRange(of: "|D:") {
            length = title[end.upperBound...].trimmed
            title = title[..<end.lowerBound]
            if title.last == " " { title.removeLast() }
        }
        let before = line[..<start.lowerBound]
        let colour = before.range(of: "|C:")
        let name = colour.map { before[$0.upperBound...].split(separator: " ").first ?? "" }
        return (
            String(before[..<(colour?.lowerBound ?? before.endIndex)]), String(title),
            name.map { String($0.hasPrefix("ResolveColor") ? $0.dropFirst(12) : $0) }, length
        )
    }

    /// Avid's `* LOC: 01:00:01:14 RED     a note`.
    fileprivate static func location(_ line: Substring) -> (code: Substring, title: String)? {
        guard let start = line.range(of: "LOC:"), line.first == "*" else { return nil }
        let words = line[start.upperBound...].split(maxSplits: 2, whereSeparator: \.isWhitespace)
        guard let code = words.first else { return nil }
        return (code, words.count == 3 ? String(words[2].drop(while: \.isWhitespace)) : "")
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var rest = drop(while: \.isWhitespace)
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
    fileprivate func range(of text: String) -> Range<Index>? { ranges(of: text).first }
    fileprivate func lastRange(of text: String) -> Range<Index>? { ranges(of: text).last }
}
