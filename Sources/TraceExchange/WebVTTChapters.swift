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
        var reading = Reading(source.file)
        source.readLines(into: &read) { line, read throws(ExchangeProblem) in
            try reading.take(line, &read)
        }
        reading.endBlock(&read)
    }

    /// The blocks of a file, as the parser of a browser separates them.
    ///
    /// Source: W3C, "WebVTT", "WebVTT file parsing": the steps of the parser and "collect a WebVTT block".
    private struct Reading {
        private enum State {
            /// Before the first line.
            case signature
            /// In the lines behind it, as far as the first empty one.
            case header
            case blocks
            /// The first line is that of another format.
            case refused
        }

        private let file: String
        private var state = State.signature
        /// The first line of the block.
        private var first: TextLine?
        /// How many lines the block has.
        private var count = 0
        /// The line of the block that has its times.
        private var timing: TextLine?
        /// The lines of the block besides that of the times; behind it, they are the text.
        private var texts: [Substring] = []
        private var identifier: Substring?

        init(_ file: String) { self.file = file }

        mutating func take(_ line: TextLine, _ read: inout MarkerSink) throws(ExchangeProblem) {
            if state == .signature {
                let rest = line.text.utf8.dropFirst(6)
                guard line.text.hasPrefix("WEBVTT"), [nil, 0x20, 0x09].contains(rest.first) else {
                    state = .refused
                    throw ExchangeProblem(
                        line.place(file), "the first line is not WEBVTT",
                        cure: "write WEBVTT in the first line, and nothing before it")
                }
                state = .header
            } else if state == .refused {
                return
            } else if line.text.utf8.contains(0x3E), line.text.contains("-->") {
                // A line of times begins a cue, also where no empty line precedes it.
                if count > (state == .header || timing != nil ? 0 : 1) { endBlock(&read) }
                state = .blocks
                begin(line)
                timing = line
                identifier = texts.first
                texts = []
            } else if line.text.isEmpty {
                endBlock(&read)
                state = .blocks
            } else {
                begin(line)
                texts.append(line.text)
            }
        }

        private mutating func begin(_ line: TextLine) {
            if first == nil { first = line }
            count += 1
        }

        /// Takes what the block has: a cue, or nothing.
        mutating func endBlock(_ read: inout MarkerSink) {
            defer {
                (first, timing, identifier, count) = (nil, nil, nil, 0)
                texts.removeAll(keepingCapacity: true)
            }
            guard let first, state == .blocks else { return }
            guard let timing else {
                if !Self.isKnown(first.text) { read.notTaken(.block, String(first.text)) }
                return
            }
            guard timing.number != first.number || !Self.isRemark(first.text) else { return }
            let start = timing.text.prefix { $0 != "-" }.filter { $0 != " " && $0 != "\t" }
            guard let offset = ExchangeTime.clock(start) else {
                return read.leaveOut(
                    .marker,
                    ExchangeProblem(
                        timing.place(file), "'\(start.shortened)' is not a time",
                        cure: "write 00:00:12.500 --> 00:01:00.250"))
            }
            var voices: [String] = []
            let text = texts.map { WebVTTText.plain($0, &voices) }.joined(separator: "\n")
            var marker = ImportedMarker(at: timing.place(file), offset, title: text)
            if let identifier {
                marker.id = ULID(String(identifier))
                // Most number their cues, which tells nothing.
                if marker.id == nil, !identifier.utf8.allSatisfy(\.isASCIIDigit) {
                    read.notTaken(.text, String(identifier))
                }
            }
            for voice in voices { read.notTaken(.voice, voice) }
            checkEnd(of: timing, &read)
            read.add(marker)
        }

        /// Says where a cue ends at no time, and counts its settings: `start --> end`, then words like `align:start`.
        private func checkEnd(of timing: TextLine, _ read: inout MarkerSink) {
            guard let arrow = timing.text.utf8.firstIndex(of: 0x3E) else { return }
            let words = timing.text[timing.text.utf8.index(after: arrow)...].split {
                $0 == " " || $0 == "\t"
            }
            let end = words.first ?? ""
            if ExchangeTime.clock(end) == nil {
                let what =
                    end.isEmpty ? "the cue has no end" : "the end '\(end.shortened)' of the cue is not a time"
                read.leaveOut(
                    .value,
                    ExchangeProblem(
                        timing.place(file), what, cure: "write 00:00:12.500 --> 00:01:00.250"))
            }
            for setting in words.dropFirst() { read.notTaken(.setting, String(setting)) }
        }

        /// Whether a line begins a remark.
        private static func isRemark(_ line: Substring) -> Bool { isBlock("NOTE", line, hasText: true) }

        /// Whether a line begins a block that is there for something else than a cue.
        private static func isKnown(_ line: Substring) -> Bool {
            isRemark(line) || isBlock("STYLE", line, hasText: false)
                || isBlock("REGION", line, hasText: false)
        }

        private static func isBlock(_ word: String, _ line: Substring, hasText: Bool) -> Bool {
            guard line.hasPrefix(word) else { return false }
            let rest = line.utf8.dropFirst(word.utf8.count)
            return hasText
                ? [nil, 0x20, 0x09].contains(rest.first) : rest.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        }
    }
}

/// The text of a cue.
///
/// Source: W3C, "WebVTT", "WebVTT cue text parsing rules"; WHATWG, "HTML", "Named character references".
enum WebVTTText {
    /// A line without its tags, its character references resolved.
    ///
    /// - Parameter voices: Who speaks, in the order in which they do.
    static func plain(_ text: Substring, _ voices: inout [String]) -> String {
        guard text.utf8.contains(where: { $0 == 0x3C || $0 == 0x26 }) else { return String(text) }
        var result = ""
        var rest = text
        while let special = rest.utf8.firstIndex(where: { $0 == 0x3C || $0 == 0x26 }) {
            result += rest[..<special]
            rest = rest[special...]
            if rest.utf8.first == 0x3C, let end = rest.utf8.firstIndex(of: 0x3E) {
                let tag = rest[rest.utf8.index(after: special)..<end]
                let name = tag.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
                if let first = name.first, first == "v" || first.hasPrefix("v."), name.count == 2 {
                    voices.append(resolved(name[1]))
                }
                rest = rest[rest.utf8.index(after: end)...]
            } else if rest.utf8.first == 0x26, let (character, length) = CharacterReference.first(in: rest) {
                result += character
                rest = rest[rest.utf8.index(special, offsetBy: length)...]
            } else {
                result.unicodeScalars.append(rest.unicodeScalars.removeFirst())
            }
        }
        return result + rest
    }

    private static func resolved(_ text: Substring) -> String {
        var none: [String] = []
        return plain(text, &none)
    }
}
