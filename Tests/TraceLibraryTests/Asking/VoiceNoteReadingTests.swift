import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles

@testable import TraceLibrary

/// The voice notes of a session, in their order.
struct VoiceNoteReadingTests {
    private let scratch: ScratchDirectory
    private let session: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        session = try SampleSession(at: scratch("a"))
    }

    private static let everything = SessionOffset.zero...SessionOffset(milliseconds: .max)

    private func reading(
        _ offsets: ClosedRange<SessionOffset> = Self.everything
    ) throws -> VoiceNoteReading {
        try VoiceNoteReading(in: session.path, offsets: offsets)
    }

    @Test func `a session without the file has none`() throws {
        #expect(try reading().notes.isEmpty)
        #expect(try reading().unreadable == 0)
    }

    @Test func `the last line of an id counts, in the order of the offsets and then of the file`() throws {
        let lines = [
            QueueScene.noteLine(14), QueueScene.noteLine(12),
            QueueScene.noteLine(11).replacing("11000", with: "12000"),
            QueueScene.noteLine(13), QueueScene.noteLine(14).replacing("14000", with: "1"),
        ]
        try session("voice_notes.jsonl").write(lines.map { $0 + "\n" }.joined())
        let found = try reading()
        #expect(found.notes.map(\.id) == [14, 12, 11, 13].map { number($0) })
        let texts = found.notes.map { String(decoding: $0.json(.commandLine).bytes, as: UTF8.self) }
        #expect(texts == [lines[4], lines[1], lines[2], lines[3]])
        let some = try reading(
            SessionOffset(milliseconds: 1)...SessionOffset(milliseconds: 12_000))
        #expect(some.notes.map(\.id) == [14, 12, 11].map { number($0) })
        // What has moved out of the range is not found where it was.
        let rest = try reading(SessionOffset(milliseconds: 13_000)...SessionOffset(milliseconds: 20_000))
        #expect(rest.notes.map(\.id) == [number(13)])
    }

    @Test func `of a broken line there is what can be read, or it is counted`() throws {
        try session("voice_notes.jsonl").write(
            """
            {"id":"\(number(20))","offset_ms":5,"duration_ms":-1,"media_path":7,"transcript_text":null}
            {"id":"\(number(21))","duration_ms":1}
            {"offset_ms":1}
            nothing

            """)
        let found = try reading()
        #expect(found.notes.map(\.id) == [number(20)])
        #expect(found.notes.first?.offset == SessionOffset(milliseconds: 5))
        #expect(found.notes.first?.duration == nil)
        #expect(found.notes.first?.mediaPath == nil)
        #expect(found.notes.first?.transcript == nil)
        #expect(found.unreadable == 3)
    }

    @Test func `a file that can't be read is an error`() throws {
        try OpenDirectory.make(session("voice_notes.jsonl"))
        #expect(code { try reading() } == .notRegularFile)
    }
}
