import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceStore

struct SessionPauseTests {
    let scratch: ScratchDirectory
    let sample: SampleSession
    let writer: SessionWriter

    init() throws {
        scratch = try ScratchDirectory()
        sample = try SampleSession(at: scratch("set"))
        writer = SessionWriter(sample.path)
    }

    /// The sample's `start_time`.
    static let start = Timestamp(milliseconds: 1_770_235_200_000)

    static func minute(_ minutes: Int64) -> Timestamp {
        Timestamp(milliseconds: start.milliseconds + minutes * 60_000)
    }

    static func offset(_ minutes: Int64) -> SessionOffset { SessionOffset(milliseconds: minutes * 60_000) }

    func clock() throws -> SessionClock? {
        let session = try SessionReader(sample.path)
        return try session.clock(of: session.readableHeader().session)
    }

    /// Kind, offset in minutes, moment in minutes of the timeline's lines.
    func timeline() throws -> [String] {
        var lines: [String] = []
        _ = try SessionReader(sample.path).read(.timeline) { entry in
            let wall = ((entry.wallTime ?? Self.start).milliseconds - Self.start.milliseconds) / 60_000
            lines.append("\(entry.detail ?? "") \((entry.offset ?? .zero).milliseconds / 60_000) \(wall)")
        } onFinding: { _ in
        }
        return lines
    }

    func rules() throws -> [String] {
        try Inspection(of: sample.path).findings.map(\.rule.id).filter { $0 != "key-unknown" }
    }

    @Test func `a pause stops the clock until it is over`() throws {
        #expect(try writer.pause(now: Self.minute(10)).offset == Self.offset(10))
        #expect(try clock()?.offset(at: Self.minute(25)) == Self.offset(10))
        let over = try writer.resume(now: Self.minute(30))
        #expect(over.offset == Self.offset(10) && over.length == 20 * 60_000)
        #expect(try clock()?.offset(at: Self.minute(35)) == Self.offset(15))
        #expect(try timeline() == ["session_start 0 0", "media_end 10 10", "media_start 10 30"])
        #expect(try rules() == [])
    }

    @Test func `two pauses add up`() throws {
        for minute in [10, 30] as [Int64] {
            _ = try writer.pause(now: Self.minute(minute))
            _ = try writer.resume(now: Self.minute(minute + 5))
        }
        #expect(try clock()?.offset(at: Self.minute(40)) == Self.offset(30))
        #expect(try clock()?.wall(at: Self.offset(30)) == Self.minute(40))
    }

    @Test func `a paused session is not paused again, and one that is not paused does not resume`() throws {
        expectError(
            .notPaused,
            "\(sample.path.string): the session is not paused [not-paused]\n"
                + "  hint: start a pause with 'trace session pause'"
        ) { try writer.resume(now: Self.minute(5)) }
        _ = try writer.pause(now: Self.minute(10))
        let before = try tree(of: sample.path)
        expectError(
            .alreadyPaused,
            "\(sample.path.string): the session is already paused, at 10:00.000 [already-paused]\n"
                + "  hint: end the pause with 'trace session resume'"
        ) { try writer.pause(now: Self.minute(11)) }
        #expect(try tree(of: sample.path) == before)
    }

    @Test func `a session that is closed after a pause ends at its recorded time`() throws {
        _ = try writer.pause(now: Self.minute(10))
        _ = try writer.resume(now: Self.minute(30))
        #expect(try writer.close(now: Self.minute(50)) == Self.offset(30))
        let header = try SessionReader(sample.path).readableHeader().session
        #expect(header.endTime == Self.minute(50) && header.duration == Self.offset(30))
        #expect(try rules() == [])
    }

    @Test func `a session that is closed while it is paused ends its pause first`() throws {
        _ = try writer.pause(now: Self.minute(10))
        #expect(try writer.close(now: Self.minute(50)) == Self.offset(10))
        #expect(
            try timeline() == [
                "session_start 0 0", "media_end 10 10", "media_start 10 50", "session_end 10 50",
            ])
        let header = try SessionReader(sample.path).readableHeader().session
        #expect(header.endTime == Self.minute(50) && header.duration == Self.offset(10))
        #expect(try rules() == [])
    }

    @Test func `an end_time that passes over a pause is found`() throws {
        _ = try writer.pause(now: Self.minute(10))
        _ = try writer.resume(now: Self.minute(30))
        _ = try writer.close(now: Self.minute(50))
        let text = try sample("session.json").text()
        try sample("session.json").write(text.replacing("20:50:00.000Z", with: "20:30:00.000Z"))
        let finding = try Inspection(of: sample.path).findings.first {
            $0.rule.id == "closed-duration-mismatch"
        }
        #expect(
            finding?.message
                == "end_time is 1800000 ms after start_time, but duration_ms is 1800000 and the pauses before it last 1200000 ms"
        )
    }

    @Test func `media that are added after a pause are at the moment of their offset`() throws {
        _ = try writer.pause(now: Self.minute(10))
        _ = try writer.resume(now: Self.minute(30))
        let file = scratch("take.wav")
        try file.write("sound")
        _ = try writer.addMedia(
            NewMedia(
                kind: .audio, mime: "audio/wav", startOffset: Self.offset(10), duration: Self.offset(5),
                suffix: ".wav"), from: file, now: Self.minute(60))
        #expect(
            try timeline() == [
                "session_start 0 0", "media_end 10 10", "media_start 10 30", "media_start 10 30",
                "media_end 15 35",
            ])
        #expect(try clock()?.offset(at: Self.minute(40)) == Self.offset(20))
    }

    @Test func `a clock that was set back does not break a pause`() throws {
        _ = try writer.pause(now: Self.minute(10))
        let over = try writer.resume(now: Self.minute(5))
        #expect(over.offset == Self.offset(10) && over.length == 0)
        #expect(try clock()?.offset(at: Self.minute(12)) == Self.offset(12))
        #expect(try rules() == [])
    }

    /// A pause from minute 20 to 21, as a clock that was ahead writes it.
    private func pauseAhead() throws {
        _ = try writer.pause(now: Self.minute(20))
        _ = try writer.resume(now: Self.minute(21))
    }

    @Test func `a pause behind which a later one would count is refused, with both times and the line`()
        throws
    {
        try pauseAhead()
        let before = try tree(of: sample.path)
        let place = try #require(before["timeline.jsonl"]?.split(separator: "\n").first?.utf8.count)
        expectError(
            .invalidData,
            """
            \(sample.path.string)/timeline.jsonl: the clock is at 10:00.000 (2026-02-04T20:10:00.000Z), but line 2 (byte \(place + 1)) is \
            of a pause at 20:00.000 (2026-02-04T20:20:00.000Z), which would follow [invalid-data]
              hint: try again when the session's clock is past 20:00.000; if a clock was ahead when that pause was written, remove its \
            lines or correct their offset_ms, wall_time and created_at
            """
        ) { try writer.pause(now: Self.minute(10)) }
        #expect(try tree(of: sample.path) == before)
        #expect(try writer.pause(now: Self.minute(25)).offset == Self.offset(24))
        #expect(try clock()?.pausedAt == Self.offset(24))
    }

    @Test func `a pause before a later recording, and before the end of the session, counts`() throws {
        let file = scratch("take.wav")
        try file.write("sound")
        _ = try writer.addMedia(
            NewMedia(
                kind: .audio, mime: "audio/wav", startOffset: Self.offset(20), duration: nil, suffix: ".wav"),
            from: file, now: Self.minute(5))
        try sample("timeline.jsonl").write(
            sample("timeline.jsonl").text()
                + Self.line(30, "session_end", Self.minute(30), at: Self.offset(30)))
        #expect(try writer.pause(now: Self.minute(10)).offset == Self.offset(10))
        #expect(try clock()?.pausedAt == Self.offset(10))
        #expect(try writer.resume(now: Self.minute(12)).length == 2 * 60_000)
        #expect(try clock()?.pausedAt == nil && clock()?.offset(at: Self.minute(13)) == Self.offset(11))
    }

    private static func line(
        _ id: Int, _ kind: String, _ moment: Timestamp, at offset: SessionOffset
    ) -> String {
        """
        {"id":"\(number(id))","kind":"\(kind)","offset_ms":\(offset.milliseconds),"wall_time":"\(moment)","created_at":"\(moment)",\
        "source":"system"}

        """
    }

    @Test func `where lines are in another order, the end of a pause is not written before others`() throws {
        let pause = [
            Self.line(30, "media_end", Self.minute(20), at: Self.offset(20)),
            Self.line(31, "media_start", Self.minute(21), at: Self.offset(20)),
            Self.line(32, "media_end", Self.minute(10), at: Self.offset(10)),
        ]
        try sample("timeline.jsonl").write(SampleSession.start + pause.joined())
        #expect(try clock()?.pausedAt == Self.offset(10))
        let before = try tree(of: sample.path)
        let error = #expect(throws: FileError.self) { try writer.resume(now: Self.minute(12)) }
        #expect(error?.code == .invalidData)
        #expect(error?.cure?.text == "'trace repair' puts the lines in order; then try again")
        #expect(try tree(of: sample.path) == before)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `whatever the clock did, a session is paused after a pause, and runs after its end`(seed: UInt64)
        throws
    {
        var dice = SeededRandom(seed: seed)
        var now: Int64 = 0
        for _ in 0..<12 {
            now += Int64.random(in: -7...12, using: &dice)
            let before = try #require(try clock())
            do {
                if before.pausedAt == nil {
                    let offset = try writer.pause(now: Self.minute(now)).offset
                    #expect(try clock()?.pausedAt == offset, "seed \(seed)")
                } else {
                    let over = try writer.resume(now: Self.minute(now))
                    let after = try #require(try clock())
                    #expect(after.pausedAt == nil && before.pausedAt == over.offset, "seed \(seed)")
                    // It stood still from where it would have run on until now.
                    let start = before.wall(resumingAt: over.offset)
                    #expect(
                        after.wall(resumingAt: over.offset) == max(start, Self.minute(now)), "seed \(seed)")
                    #expect(
                        over.length == max(0, Self.minute(now).milliseconds(since: start)), "seed \(seed)")
                }
            } catch let error as FileError where error.code == .invalidData {
                #expect(try clock() == before, "seed \(seed)")
            }
        }
        #expect(try rules() == [])
    }
}
