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
    /// before it is joined with that: such programs repeat themselves over silence.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid`, which names the line.
    package init(_ bytes: [UInt8]) throws(FormatError) {
        let read = Self.isWhisper(bytes) ? try Self.whisper(bytes) : try Self.lines(bytes)
        for piece in read.sorted(by: { $0.offset < $1.offset }) { add(piece) }
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

    private static func whisper(_ bytes: [UInt8]) throws(FormatError) -> [Piece] {
        let parser = try JSONParser()
        var number = 0
        let read = try? parser.withParsed(bytes) { root -> [Piece?] in
            (root[name: "transcription"]?.elements).map { elements in
                elements.map { element -> Piece? in
                    number += 1
                    let offsets = element[name: "offsets"]
                    guard let start = offset(offsets?[name: "from"]), let end = offset(offsets?[name: "to"])
                    else { return nil }
                    return piece(from: start, lasting: end.distance(from: start), element)
                }
            } ?? []
        }
        let pieces = read ?? []
        if let broken = pieces.firstIndex(of: nil) {
            throw malformed("segment \(broken + 1) of 'transcription' has no 'offsets' or 'text'")
        }
        return pieces.compactMap(\.self)
    }

    private static func lines(_ bytes: [UInt8]) throws(FormatError) -> [Piece] {
        let parser = try JSONParser()
        var pieces: [Piece] = []
        for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
            let read = try? parser.withParsed(Array(line)) { root -> Piece? in
                guard let start = offset(root[name: "offset_ms"]),
                    let duration = offset(root[name: "duration_ms"]), max(start, duration) <= latest
                else { return nil }
                return piece(from: start, lasting: duration, root)
            }
            guard let piece = read ?? nil else {
                throw malformed("line \(index + 1) has no 'offset_ms', 'duration_ms' and 'text'")
            }
            pieces.append(piece)
        }
        return pieces
    }

    /// Of a line, neither offset nor duration is more.
    private static let latest = SessionOffset(milliseconds: .max / 4)

    private static func offset(_ value: JSONValue?) -> SessionOffset? {
        value?.integer.map { SessionOffset(milliseconds: $0) }
    }

    private static func piece(
        from start: SessionOffset, lasting duration: SessionOffset?, _ value: JSONValue
    ) -> Piece? {
        guard let duration, start >= .zero, duration >= .zero, let text = value[name: "text"]?.string else {
            return nil
        }
        let confidence = value[name: "confidence"]?.number.flatMap { (0...1).contains($0) ? $0 : nil }
        return Piece(
            offset: start, duration: duration, text: text, speaker: value[name: "speaker"]?.string,
            confidence: confidence)
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
