internal import RecordFormat
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Chapters as `ffmpeg` reads them and puts them into a media file.
///
/// Each lasts until the next begins, the last one until the end: how long a marker lasts is not kept.
///
/// Source: the ffmpeg manual, "Metadata".
struct FFMetadata: MarkerFormat {
    private let context: ExchangeContext

    init(_ context: ExchangeContext) { self.context = context }

    package func begin(_ text: inout [UInt8]) {
        text += ";FFMETADATA1\n".utf8
        if !context.title.isEmpty { Self.append("title", context.title, to: &text) }
        if context.startsAtZero, let first = context.first, first > .zero {
            append(from: .zero, to: first, title: "Start", &text)
        }
    }

    package func write(_ item: ExportItem, to text: inout [UInt8]) {
        append(
            from: item.marker.offset, to: item.end(context, atLeast: 0), title: title(of: item.marker), &text)
    }

    package func title(of marker: Marker) -> String {
        let title = MarkerTitle.text(of: marker)
        guard let limit = context.longestTitle, title.utf8.count > limit else { return title }
        var length = 0
        let kept = title.prefix { character in
            length += character.utf8.count
            return length <= limit - "…".utf8.count
        }
        return kept + "…"
    }

    private func append(
        from start: SessionOffset, to end: SessionOffset, title: String, _ text: inout [UInt8]
    ) {
        text += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=".utf8
        text.append(number: start.milliseconds)
        text += "\nEND=".utf8
        text.append(number: end.milliseconds)
        text.append(UInt8(ascii: "\n"))
        Self.append("title", title, to: &text)
    }

    private static func append(_ key: String, _ value: String, to text: inout [UInt8]) {
        text += key.utf8
        text.append(UInt8(ascii: "="))
        for byte in value.utf8 {
            if Self.escaped.contains(byte) { text.append(0x5C) }
            text.append(byte)
        }
        text.append(UInt8(ascii: "\n"))
    }

    private static let escaped = Array("=;#\\\n".utf8)

    // MARK: - Reading

    package func read(_ source: ImportSource, into read: inout MarkerSink) {
        do throws(ExchangeProblem) {
            _ = try source.decoded()
            var chapter: Chapter?
            var entries = Entries(source)
            while let line = entries.next() {
                if line.key == nil, line.value.lowercased() == "[chapter]" {
                    chapter?.add(to: &read)
                    chapter = Chapter(place: line.place)
                } else if line.key == nil, line.value.hasPrefix("[") {
                    chapter?.add(to: &read)
                    chapter = nil
                } else {
                    chapter?.take(line, &read)
                }
            }
            chapter?.add(to: &read)
        } catch { read.problems.append(error) }
    }

    /// A line, its escapes resolved; without a key where it has no `=`.
    private struct Entry {
        var place: Finding.Place
        var key: String?
        var value: String
    }

    /// Reads the lines one after the other.
    private struct Entries {
        private let text: [UInt8]
        private let file: String
        private var position: Int
        private var number = 1

        init(_ source: ImportSource) {
            text = source.text
            file = source.file
            position = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        }

        /// The next line that is neither empty nor a comment, or nil at the end.
        mutating func next() -> Entry? {
            while position < text.count {
                let place = Finding.Place(file: file, line: number, byteOffset: position)
                var key: [UInt8]?
                var value: [UInt8] = []
                let isComment = text[position] == UInt8(ascii: ";") || text[position] == UInt8(ascii: "#")
                while position < text.count {
                    let byte = text[position]
                    position += 1
                    if byte == 0x0A || byte == 0x0D {
                        if !text.endsLine(at: position - 1) { position += 1 }
                        number += 1
                        break
                    }
                    if byte == 0x5C, position < text.count, !isComment {
                        if text[position] == 0x0D, !text.endsLine(at: position) {
                            value.append(0x0D)
                            position += 1
                        }
                        if text[position] == 0x0A || text[position] == 0x0D { number += 1 }
                        value.append(text[position])
                        position += 1
                    } else if byte == UInt8(ascii: "="), key == nil {
                        key = value
                        value = []
                    } else {
                        value.append(byte)
                    }
                }
                if isComment || (key == nil && value.isEmpty) { continue }
                return Entry(
                    place: place, key: key.map { String(decoding: $0, as: UTF8.self) },
                    value: String(decoding: value, as: UTF8.self))
            }
            return nil
        }
    }

    private struct Chapter {
        let place: Finding.Place
        /// Parts of a second: nanoseconds where nothing is said.
        private var unit: (numerator: Int64, denominator: Int64) = (1, 1_000_000_000)
        private var start: Int64?
        private var end: Int64?
        private var title = ""
        /// Why it can't be taken.
        private var problem: ExchangeProblem?

        init(place: Finding.Place) { self.place = place }

        mutating func take(_ line: Entry, _ read: inout MarkerSink) {
            switch line.key?.lowercased() {
            case "timebase":
                let parts = line.value.split(separator: "/").compactMap { Int64($0) }
                guard parts.count == 2, parts[0] > 0, parts[1] > 0 else {
                    problem =
                        problem
                        ?? ExchangeProblem(
                            line.place, "TIMEBASE '\(line.value.shortened)' is not a fraction",
                            cure: "write TIMEBASE=1/1000, and START and END in milliseconds")
                    return
                }
                unit = (parts[0], parts[1])
            case "start":
                start = Int64(line.value)
                guard start == nil else { return }
                problem =
                    problem
                    ?? ExchangeProblem(
                        line.place, "START '\(line.value.shortened)' is not a whole number",
                        cure: "write a whole number, in units of TIMEBASE")
            case "end": end = Int64(line.value)
            case "title": title = line.value
            default: read.notTaken(.member, line.key ?? line.value)
            }
        }

        func add(to read: inout MarkerSink) {
            if let problem { return read.leaveOut(.marker, problem) }
            guard var start else {
                return read.leaveOut(
                    .marker,
                    ExchangeProblem(
                        place, "the chapter has no START", cure: "write START=… in units of TIMEBASE"))
            }
            // Sound that an encoder puts before the first is not a time before the recording.
            if start < 0, let end, end > 0 {
                read.say(
                    ImportNotice(
                        .origin, at: place,
                        "the chapter begins before the recording and ends in it: it is taken from its start"))
                start = 0
            }
            let milliseconds = Double(start) * Double(unit.numerator) * 1000 / Double(unit.denominator)
            guard abs(milliseconds) < 0x1p53, let offset = SessionOffset(rounding: milliseconds) else {
                return read.leaveOut(
                    .marker,
                    ExchangeProblem(
                        place, "the chapter starts too late", cure: "correct its START or TIMEBASE"))
            }
            read.add(ImportedMarker(at: place, offset, title: title))
        }
    }
}
