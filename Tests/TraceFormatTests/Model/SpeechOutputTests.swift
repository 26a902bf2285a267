import RecordFormat
import Testing
import TraceFormat
import TraceText

/// What a speech-to-text program has written, and what of it can't be taken.
struct SpeechOutputTests {
    private func read(_ text: String, isStrict: Bool = false) throws -> (pieces: [String], notices: [String])
    {
        let output = try SpeechOutput(Array(text.utf8), isStrict: isStrict)
        return (
            output.pieces.map { "\($0.offset.milliseconds)+\($0.duration.milliseconds) \($0.text)" },
            output.notices.map(\.message)
        )
    }

    private static let good = #"{"offset_ms":1,"duration_ms":2,"text":"a"}"#

    /// A line that can't be taken, the reason, and the same one corrected as the reason says.
    private static let broken: [(line: String, reason: String, cured: String)] = [
        (
            #"{"duration_ms":2,"text":"b"}"#, "has no whole number of milliseconds in 'offset_ms'",
            #"{"offset_ms":5,"duration_ms":2,"text":"b"}"#
        ),
        (
            #"{"offset_ms":5,"text":"b"}"#, "has no whole number of milliseconds in 'duration_ms'",
            #"{"offset_ms":5,"duration_ms":2,"text":"b"}"#
        ),
        (
            #"{"offset_ms":5,"duration_ms":2.5,"text":"b"}"#,
            "has no whole number of milliseconds in 'duration_ms'",
            #"{"offset_ms":5,"duration_ms":2,"text":"b"}"#
        ),
        (
            #"{"offset_ms":5,"duration_ms":2}"#, "has no 'text'",
            #"{"offset_ms":5,"duration_ms":2,"text":"b"}"#
        ),
        (
            #"{"offset_ms":-5,"duration_ms":2,"text":"b"}"#, "begins before 0, in 'offset_ms'",
            #"{"offset_ms":5,"duration_ms":2,"text":"b"}"#
        ),
    ]

    @Test(arguments: broken.indices) func `a segment that can't be taken is left out, and the rest is not`(
        number: Int
    ) throws {
        let (line, reason, cured) = Self.broken[number]
        let found = try read("\(Self.good)\n\(line)\n")
        #expect(found.pieces == ["1+2 a"])
        #expect(found.notices == ["line 2 \(reason); the segment is left out"])
        let error = #expect(throws: FormatError.self) { try read("\(Self.good)\n\(line)\n", isStrict: true) }
        #expect(error?.message == "line 2 \(reason)")
        #expect(throws: FormatError.self) { try read(line) }
        #expect(try read("\(Self.good)\n\(cured)\n", isStrict: true).pieces == ["1+2 a", "5+2 b"])
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func `each of three line ends ends a line`(end: String) throws {
        let text = [Self.good, "", #"{"offset_ms":5,"duration_ms":-1,"text":"b"}"#, ""].joined(separator: end)
        let found = try read(text)
        #expect(found.pieces == ["1+2 a", "5+0 b"])
        #expect(found.notices == ["line 3 ends before it begins, in 'duration_ms'; taken without a length"])
    }

    @Test func `what is not JSON is refused, also behind what is`() {
        #expect(throws: FormatError.self) { try read("\(Self.good)\n{\"offset_ms\":") }
        #expect(throws: FormatError.self) { try read("\(Self.good)\nhello\n") }
    }

    @Test func `a segment of whisper's JSON is named by its number`() throws {
        let text = """
            {"transcription":[{"offsets":{"from":0,"to":5},"text":"a"},{"text":"b"},{"offsets":{"from":9,"to":8},"text":"c"},{}]}
            """
        let found = try read(text)
        #expect(found.pieces == ["0+5 a", "9+0 c"])
        #expect(
            found.notices == [
                "segment 2 of 'transcription' has no whole number of milliseconds in 'offsets.from', and 1 more like it; 2 segments are left out",
                "segment 3 of 'transcription' ends before it begins, in 'offsets.to'; taken without a length",
            ])
    }
}
