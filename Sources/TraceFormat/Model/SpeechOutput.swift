package import RecordFormat
internal import TraceText

/// What a speech-to-text program said it heard, in the order of time.
///
/// Two forms are read: the JSON of whisper.cpp (`-oj`), and JSONL with `offset_ms`, `duration_ms` and `text`, and perhaps
/// `speaker` and `confidence`.
///
/// Source: whisper.cpp, `examples/cli/cli.cpp`, `output_json`; docs/media.md#a-speech-to-text-program.
package struct SpeechOutput: Sendable, Equatable {
    package private(set) var pieces: [Piece] = []
    /// What of it was not taken, or not as it is there.
    package private(set) var notices: [ImportNotice] = []

    /// Something that was heard; the offset counts from the start of the audio.
    package struct Piece: Sendable, Equatable {
        package var offset: SessionOffset
        package var duration: SessionOffset
        package var text: String
        package var speaker: String?
        package var confidence: Double?

        init(
            offset: SessionOffset, duration: SessionOffset, text: String, speaker: String? = nil,
            confidence: Double? = nil
        ) {
            self.offset = offset
            self.duration = duration
            self.text = text
            self.speaker = speaker
            self.confidence = confidence
        }
    }

    /// All that was said, in one line.
    package var text: String { pieces.map(\.text).joined(separator: " ") }

    /// Reads what a program has printed or written.
    ///
    /// Nothing is taken for nothing heard. Pieces without words are left out, and one that says the same as the one right
    /// before it is joined with that: such programs repeat themselves over silence. A segment whose place or text can't be taken is
    /// left out with a notice, and one that ends before it begins has no length.
    ///
    /// - Parameter isStrict: Whether such a segment is refused.
    /// - Throws: ``FormatError`` with `.recordInvalid`, which names the segment or line: of what is not JSON, and where no segment
    ///   can be taken.
    package init(_ bytes: [UInt8], isStrict: Bool = false) throws(FormatError) {
        let read = Self.isWhisper(bytes) ? try Self.whisper(bytes) : try Self.lines(bytes)
        let problems = read.filter { $0.problem != nil }
        if let first = problems.first, isStrict || read.allSatisfy({ $0.piece == nil }) {
            throw Self.malformed("\(first.name) \(first.problem ?? "")")
        }
        notices = Self.notices(of: problems)
        for piece in read.compactMap(\.piece).sorted(by: { $0.offset < $1.offset }) { add(piece) }
    }

    /// What a segment is, and what is wrong with it; nothing of the two for one that is not there.
    private struct Segment {
        /// `segment 2 of 'transcription'`, `line 2`.
        var name: String
        var piece: Piece?
        var problem: String?
    }

    /// One for all segments that are left out, and one for all that have no length.
    private static func notices(of problems: [Segment]) -> [ImportNotice] {
        let groups: [(thing: ImportNotice.Thing, segments: [Segment])] = [
            (.marker, problems.filter { $0.piece == nil }), (.value, problems.filter { $0.piece != nil }),
        ]
        return groups.compactMap { thing, segments in
            guard let first = segments.first else { return nil }
            let rest = segments.count > 1 ? ", and \(segments.count - 1) more like it" : ""
            let outcome =
                thing == .marker
                ? "\(segments.count == 1 ? "the segment is" : "\(segments.count) segments are") left out"
                : "taken without a length"
            return ImportNotice(
                thing, count: segments.count, "\(first.name) \(first.problem ?? "")\(rest); \(outcome)",
                cure: thing == .marker ? "correct it in the file, then transcribe again" : nil)
        }
    }

    /// Whether these bytes are the JSON of whisper.cpp.
    package static func isWhisper(_ bytes: [UInt8]) -> Bool {
        (try? JSONParser().withParsed(bytes) { $0[name: "transcription"]?.kind == .array }) ?? false
    }

    private mutating func add(_ piece: Piece) {
        var piece = piece
        piece.text = piece.text.trimmed
        guard !piece.text.isEmpty, piece.text != "[BLANK_AUDIO]" else { return }
        if let last = pieces.last, last.text == piece.text, last.speaker == piece.speaker {
            let end = max(last.offset.adding(last.duration), piece.offset.adding(piece.duration))
            pieces[pieces.count - 1].duration = end.subtracting(last.offset)
        } else {
            pieces.append(piece)
        }
    }

    private static func whisper(_ bytes: [UInt8]) throws(FormatError) -> [Segment] {
        let parser = try JSONParser()
        let read = try? parser.withParsed(bytes) { root -> [Segment] in
            (root[name: "transcription"]?.elements).map { elements in
                elements.enumerated().map { number, element in
                    let offsets = element[name: "offsets"]
                    return segment(
                        "segment \(number + 1) of 'transcription'", element,
                        ("offsets.from", offsets?[name: "from"]),
                        end: ("offsets.to", offsets?[name: "to"]))
                }
            } ?? []
        }
        return read ?? []
    }

    private static func lines(_ bytes: [UInt8]) throws(FormatError) -> [Segment] {
        let parser = try JSONParser()
        var segments: [Segment] = []
        // Of `\r\n` the second ends a line with nothing in it.
        let rows = bytes.split(omittingEmptySubsequences: false) { $0 == 0x0A || $0 == 0x0D }
        var number = 1
        var position = 0
        for row in rows {
            defer {
                position += row.count + 1
                let isWithin =
                    position < bytes.count && bytes[position - 1] == 0x0D && bytes[position] == 0x0A
                if !isWithin { number += 1 }
            }
            if row.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
            let read = try? parser.withParsed(Array(row)) { root -> Segment? in
                guard root.kind == .object else { return nil }
                return segment(
                    "line \(number)", root, ("offset_ms", root[name: "offset_ms"]),
                    length: ("duration_ms", root[name: "duration_ms"]))
            }
            guard let segment = read ?? nil else {
                throw malformed("line \(number) is not a JSON object")
            }
            segments.append(segment)
        }
        return segments
    }

    /// Of a segment, neither offset nor duration is more.
    private static let latest: Int64 = .max / 4

    /// A value of a segment, and what it is called.
    private typealias Member = (name: String, value: JSONValue?)

    /// Reads a segment that has an end or a length.
    private static func segment(
        _ name: String, _ value: JSONValue, _ start: Member, end: Member? = nil, length: Member? = nil
    ) -> Segment {
        guard let text = value[name: "text"]?.string else {
            return Segment(name: name, problem: "has no 'text'")
        }
        for member in [start, end ?? length ?? start] {
            guard let number = member.value?.integer, number <= latest else {
                return Segment(name: name, problem: "has no whole number of milliseconds in '\(member.name)'")
            }
        }
        let from = start.value?.integer ?? 0
        guard from >= 0 else { return Segment(name: name, problem: "begins before 0, in '\(start.name)'") }
        let lasting = length.map { $0.value?.integer ?? 0 } ?? (end?.value?.integer ?? 0) - from
        let confidence = value[name: "confidence"]?.number.flatMap { (0...1).contains($0) ? $0 : nil }
        let piece = Piece(
            offset: SessionOffset(milliseconds: from), duration: SessionOffset(milliseconds: max(0, lasting)),
            text: text, speaker: value[name: "speaker"]?.string, confidence: confidence)
        return Segment(
            name: name, piece: piece,
            problem: lasting < 0 ? "ends before it begins, in '\((end ?? length ?? start).name)'" : nil)
    }

    private static func malformed(_ message: String) -> FormatError {
        FormatError(
            .recordInvalid, message,
            cure:
                "let the program write whisper.cpp's JSON (-oj), or lines of offset_ms, duration_ms and text")
    }
}

extension String {
    /// The text without white space at its ends.
    fileprivate var trimmed: String {
        var rest = self[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return String(rest)
    }
}
