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
        text += " \n |C:\(Self.color(of: item.marker)) |M:\(title(of: item.marker)) |D:".utf8
        text.append(number: max(1, item.marker.duration.map { rate.frame(at: $0) } ?? 1))
        text.append(UInt8(ascii: "\n"))
    }

    /// A bar would end the text.
    func title(of marker: Marker) -> String {
        let title = MarkerTitle.text(of: marker, isNeeded: true)
        return title.utf8.contains(0x7C) ? title.replacing("|", with: "/") : title
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
        var dropsFrames = false
        var event: (line: TextLine, frame: Int64)?
        var found: [(frame: Int64, marker: ImportedMarker)] = []
        var isUsed = true
        var passed = 0
        source.readLines(into: &read) { line, _ throws(ExchangeProblem) in
            let place = line.place(source.file)
            if line.text.hasPrefix("FCM:") {
                dropsFrames = line.text.hasPrefix("FCM: DROP")
            } else if let codes = Self.codes(of: line.text) {
                if !isUsed { passed += 1 }
                isUsed = false
                event = nil
                guard let frame = TimeCode.frame(codes, rate, dropsFrames: dropsFrames) else {
                    throw ExchangeProblem(
                        place,
                        "'\(String(codes).shortened)' is not a time code at \(rate.nominal) frames per second",
                        cure: "check \(option: "fps"), or export it again")
                }
                event = (line, frame)
            } else if let note = Self.note(line.text), let event {
                isUsed = true
                let length = note.frames > 1 ? rate.offset(of: note.frames) : nil
                found.append(
                    (event.frame, ImportedMarker(at: place, .zero, title: note.title, duration: length)))
            } else if let location = Self.location(line.text) {
                guard let frame = TimeCode.frame(location.code, rate, dropsFrames: dropsFrames) else {
                    throw ExchangeProblem(
                        place, "'\(location.code)' is not a time code", cure: "check \(option: "fps")")
                }
                isUsed = true
                found.append((frame, ImportedMarker(at: place, .zero, title: location.title)))
            }
        }
        if !isUsed { passed += 1 }
        // If all of them follow the first hour, that is where the timeline begins.
        let origin = found.allSatisfy { $0.frame >= start } ? start : 0
        for (frame, marker) in found {
            var marker = marker
            marker.offset = rate.offset(of: frame - origin)
            read.add(marker)
        }
        if passed > 0 {
            read.notices.append(
                "\(counted(passed, "event")) without a marker \(passed == 1 ? "is" : "are") skipped"
            )
        }
    }

    /// The time code at which an event is in the timeline, the third of its four; nil if the line is not an event.
    private static func codes(of line: Substring) -> Substring? {
        guard line.first?.isNumber == true else { return nil }
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count >= 6, words.suffix(4).allSatisfy({ $0.count { ":;".contains($0) } == 3 }) else {
            return nil
        }
        return words[words.count - 2]
    }

    /// ` |C:ResolveColorBlue |M:Warm-up |D:1`.
    private static func note(_ line: Substring) -> (title: String, frames: Int64)? {
        guard let start = line.range(of: "|M:") else { return nil }
        var title = line[start.upperBound...]
        var frames: Int64 = 1
        if let end = title.lastRange(of: "|D:") {
            frames = Int64(title[end.upperBound...].filter { $0 != " " }) ?? 1
            title = title[..<end.lowerBound]
            if title.last == " " { title.removeLast() }
        }
        return (String(title), frames)
    }

    /// Avid's `* LOC: 01:00:01:14 RED     a note`.
    private static func location(_ line: Substring) -> (code: Substring, title: String)? {
        guard let start = line.range(of: "LOC:"), line.first == "*" else { return nil }
        let words = line[start.upperBound...].split(maxSplits: 2, whereSeparator: \.isWhitespace)
        guard let code = words.first else { return nil }
        return (code, words.count == 3 ? String(words[2].drop(while: \.isWhitespace)) : "")
    }
}

extension Substring {
    fileprivate func range(of text: String) -> Range<Index>? { ranges(of: text).first }
    fileprivate func lastRange(of text: String) -> Range<Index>? { ranges(of: text).last }
}
