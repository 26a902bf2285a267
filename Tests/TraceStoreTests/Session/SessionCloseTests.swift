import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceStore

struct SessionCloseTests {
    let scratch: ScratchDirectory
    let sample: SampleSession
    let writer: SessionWriter

    init() throws {
        scratch = try ScratchDirectory()
        sample = try SampleSession(at: scratch("set"))
        writer = SessionWriter(sample.path)
    }

    /// An hour after the start.
    let hour = Timestamp(milliseconds: 1_770_238_800_000)

    static func end(_ id: ULID = number(3), at offset: Int, wall: String, created: String) -> String {
        """
        {"id":"\(id)","kind":"session_end","offset_ms":\(offset),"wall_time":"\(wall)","created_at":"\(created)",\
        "source":"system"}
        """
    }

    static let endAfterAnHour = end(
        at: 3_600_000, wall: "2026-02-04T21:00:00.000Z", created: "2026-02-04T21:00:00.000Z")

    static func closed(_ updated: String, _ end: String, _ duration: Int) -> String {
        SampleSession.header
            .replacing("\"updated_at\": \"2026-02-04T20:30:00.000Z\"", with: "\"updated_at\": \"\(updated)\"")
            .replacing("\"active\"", with: "\"closed\"")
            .replacing(
                "\"Late set\"",
                with: "\"Late set\",\n  \"end_time\": \"\(end)\",\n  \"duration_ms\": \(duration)")
    }

    /// The id that the writer minted for the last line of the timeline.
    func lastID() throws -> ULID {
        var id: ULID?
        _ = try SessionReader(sample.path).read(.timeline) {
            id = $0.id
        } onFinding: { _ in
        }
        return try #require(id)
    }

    @Test func `closing adds the end to the timeline and to the header`() throws {
        #expect(try writer.close(now: hour) == SessionOffset(milliseconds: 3_600_000))
        let end = Self.endAfterAnHour.replacing(number(3).description, with: try lastID().description)
        #expect(try sample("timeline.jsonl").text() == SampleSession.start + end + "\n")
        #expect(
            try sample("session.json").text()
                == Self.closed("2026-02-04T21:00:00.000Z", "2026-02-04T21:00:00.000Z", 3_600_000))
        #expect(try Inspection(of: sample.path).findings.map(\.rule.id) == ["key-unknown"])
    }

    @Test func `a closed session can't be closed again`() throws {
        _ = try writer.close(now: hour)
        let before = try tree(of: sample.path)
        expectError(.alreadyClosed, "\(sample.path.string): session already closed [already-closed]") {
            try writer.close()
        }
        #expect(try tree(of: sample.path) == before)
    }

    @Test(arguments: ["", "\n"])
    func `after a kill between the two steps the end that stands is used`(ending: String) throws {
        try sample("timeline.jsonl").write(SampleSession.start + Self.endAfterAnHour + ending)
        #expect(try writer.close(now: morning) == SessionOffset(milliseconds: 3_600_000))
        #expect(try sample("timeline.jsonl").text() == SampleSession.start + Self.endAfterAnHour + "\n")
        #expect(
            try sample("session.json").text()
                == Self.closed("2026-02-05T08:00:00.000Z", "2026-02-04T21:00:00.000Z", 3_600_000))
    }

    @Test func `the end lies behind the last entry of the timeline, whatever the clock says`() throws {
        let media = """
            {"id":"\(number(4))","kind":"media_end","offset_ms":7200000,"wall_time":"2026-02-04T22:00:00.000Z",\
            "created_at":"2026-02-04T22:00:00.000Z","source":"user"}

            """
        try sample("timeline.jsonl").write(SampleSession.start + media)
        #expect(try writer.close(now: hour) == SessionOffset(milliseconds: 7_200_000))
        #expect(
            try sample("session.json").text()
                == Self.closed("2026-02-04T22:00:00.000Z", "2026-02-04T22:00:00.000Z", 7_200_000))
        #expect(try Inspection(of: sample.path).findings.map(\.rule.id) == ["key-unknown"])
    }

    @Test func `a clock before the start closes the session at its start`() throws {
        #expect(try writer.close(now: Timestamp(milliseconds: 0)) == .zero)
        let session = try sample.session
        #expect(session.endTime == session.startTime)
        #expect(session.updatedAt == Timestamp("2026-02-04T20:30:00.000Z"))
    }

    @Test func `without a start there is no end`() throws {
        try sample("session.json").write(SampleSession.header.replacing("start_time", with: "begin_time"))
        let before = try tree(of: sample.path)
        expectError(
            .invalidData,
            """
            \(sample("session.json").string): session start_time is missing or invalid [invalid-data]
              hint: write start_time as YYYY-MM-DDTHH:MM:SS.mmmZ, then close again
            """
        ) { try writer.close(now: hour) }
        #expect(try tree(of: sample.path) == before)
    }

    @Test(arguments: ["", "[]"])
    func `a header that is not whole is not taken for one without a start`(header: String) throws {
        try sample("session.json").write(header)
        let before = try tree(of: sample.path)
        do {
            _ = try writer.close(now: hour)
            Issue.record("closed")
        } catch let error as FileError {
            #expect(error.code == .invalidData)
            #expect(error.cure?.text?.hasPrefix("wait until the program that writes it has finished") == true)
        }
        #expect(try tree(of: sample.path) == before)
    }

    @Test func `when only the header fails, closing again finishes the work`() throws {
        var writer = writer
        writer.failPoint = { step, path throws(Errno) in
            if step == .rename, path.lastComponent == "session.json" { throw .ioError }
        }
        expectError(
            .io,
            """
            \(sample("session.json").string): the end was written to timeline.jsonl, but session.json could not be updated: \
            cannot rename the new file to: Input/output error [io]
              hint: check the disk (dmesg, smartctl) before writing to it again
            """
        ) { try writer.close(now: hour) }
        let timeline = try sample("timeline.jsonl").text()
        #expect(try sample("session.json").text() == SampleSession.header)
        writer.failPoint = nil
        #expect(try writer.close(now: morning) == SessionOffset(milliseconds: 3_600_000))
        #expect(try sample("timeline.jsonl").text() == timeline)
    }
}
