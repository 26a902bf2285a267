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

/// Sessions that were started with a wrong clock: what shows that, and what corrects it.
struct SessionStartTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    private static let minute: Int64 = 60_000
    private static let start = SessionPauseTests.start
    /// What corrects the sample's start: an hour earlier.
    private static let corrected = SessionPauseTests.minute(-60)

    private func lines(_ name: FilePath.Component = "timeline.jsonl") throws -> [String] {
        try scene.session(name).text().split(separator: "\n").map(String.init)
    }

    private func clock() throws -> SessionClock? {
        let session = try SessionReader(scene.session.path)
        return try session.clock(of: session.readableHeader().session)
    }

    private func rules() throws -> Set<String> {
        Set(try Inspection(of: scene.session.path).findings.map(\.rule.id)).subtracting(["key-unknown"])
    }

    /// With a pause of 20 minutes at 0:10:00, and a recording that was added, closed 25 minutes after the pause.
    private func close() throws {
        let writer = scene.writer()
        _ = try writer.pause(now: SessionPauseTests.minute(10))
        _ = try writer.resume(now: SessionPauseTests.minute(30))
        let media = NewMedia(
            kind: .audio, mime: "audio/mp4", startOffset: SessionPauseTests.offset(1),
            duration: SessionPauseTests.offset(2), suffix: ".m4a")
        _ = try writer.addMedia(
            media, from: scratch.path.appending("take.m4a"), now: SessionPauseTests.minute(40))
        _ = try writer.close(now: SessionPauseTests.minute(55))
    }

    @Test func `the start is corrected: offsets stay, and all that says when something was moves by as much`()
        throws
    {
        try close()
        let (before, header) = (try lines(), try scene.session("session.json").text())
        let (markers, clock, broken) = (try lines("markers.jsonl"), try #require(try clock()), try rules())
        #expect(try scene.writer().correctStart(to: Self.corrected, now: morning))
        // The last recording begins a minute after the start, so it is in front of the pause.
        #expect(before.count == 6 && clock.pauses.count == 1)
        let moved = before.map { line in
            let isPause = line.contains(#""offset_ms":600000,"#)
            return line.replacing(#/"wall_time":"2026-02-04T20/#, with: #""wall_time":"2026-02-04T19"#)
                .replacing(
                    isPause ? #/"created_at":"2026-02-04T20/# : #/"created_at":"never/#,
                    with: #""created_at":"2026-02-04T19"#)
        }
        #expect(try lines() == moved)
        let now = try #require(try self.clock())
        #expect(now.start == Self.corrected && now.pauses == clock.pauses)
        let corrected = try scene.session.session
        #expect(corrected.startTime == Self.corrected)
        #expect(
            corrected.endTime == SessionPauseTests.minute(-5)
                && corrected.duration == SessionPauseTests.offset(35))
        #expect(try lines("markers.jsonl") == markers)
        #expect(try rules() == broken)
        // What is there already changes nothing.
        #expect(try !scene.writer().correctStart(to: Self.corrected, now: morning))
        #expect(try lines() == moved)

        #expect(
            try scene.undo() == [
                #"set end_time in session.json to "2026-02-04T20:55:00.000Z""#,
                #"set start_time in session.json to "2026-02-04T20:00:00.000Z""#,
                "restored the old timeline.jsonl",
            ])
        #expect(try lines() == before)
        #expect(
            try scene.session("session.json").text().replacing(#/"updated_at": "[^"]+"/#, with: "")
                == header.replacing(#/"updated_at": "[^"]+"/#, with: ""))
    }

    @Test(arguments: [1, 999, 1001, 7_200_000] as [Int64])
    func `killed at any step, the same correction completes it`(shift: Int64) throws {
        try close()
        let files = ["timeline.jsonl", "session.json"] as [FilePath.Component]
        let before = try files.map { try scene.session($0).text() }
        let start = Self.start.adding(SessionOffset(milliseconds: -shift))
        #expect(try scene.writer().correctStart(to: start, now: morning))
        let whole = try [lines(), [scene.session("session.json").text()]]
        let steps = Steps()
        for (name, text) in zip(files, before) { try scene.session(name).write(text) }
        #expect(
            try scene.writer(failPoint: { step, _ throws(Errno) in _ = steps.add(step) }).correctStart(
                to: start, now: morning))
        try #require(steps.all.count > 4)
        for killed in 1...steps.all.count {
            for (name, text) in zip(files, before) { try scene.session(name).write(text) }
            let count = Steps()
            _ = try? scene.writer(failPoint: { step, _ throws(Errno) in
                if count.add(step) == killed { throw .canceled }
            }).correctStart(to: start, now: morning)
            _ = try scene.writer().correctStart(to: start, now: morning)
            #expect(try lines() == whole[0], "step \(killed)")
            #expect(try [scene.session("session.json").text()] == whole[1], "step \(killed)")
        }
    }

    @Test func `a start that was corrected by hand in session.json alone is completed`() throws {
        let header = try scene.session("session.json").text()
        try scene.session("session.json").write(
            header.replacing(
                #""start_time": "2026-02-04T20:00"#, with: #""start_time": "2026-02-04T19:00"#))
        #expect(try rules().contains("session-start-time"))
        #expect(try scene.writer().correctStart(to: Self.corrected, now: morning))
        #expect(try !rules().contains("session-start-time"))
    }

    @Test func `lines that can't be read stay as they are, and a recording does not become a pause`() throws {
        // It was added an hour before it was, by a clock that was set back meanwhile.
        let odd = """
            {"id":"\(number(30))","kind":"media_start","offset_ms":60000, "wall_time":"2026-02-04T20:01:00Z",\
            "created_at":"2026-02-04T19:01:00.000Z","x":1,"source":"system"}
            """
        let broken = #"{"id":"x","kind":"media_end","wall_time":"tomorrow"}"#
        try scene.session("timeline.jsonl").write(SampleSession.start + "torn\n\n\(odd)\r\n\(broken)\n")
        #expect(try scene.writer().correctStart(to: Self.corrected, now: morning))
        #expect(
            try scene.session("timeline.jsonl").text()
                == SampleSession.start.replacing(
                    #""wall_time":"2026-02-04T20"#, with: #""wall_time":"2026-02-04T19"#
                )
                + "torn\n\n" + odd.replacing("2026-02-04T20:01:00Z", with: "2026-02-04T19:01:00.001Z")
                + "\r\n\(broken)\n")
    }

    @Test func `a start with which the session would end in the future is refused`() throws {
        try close()
        let before = try tree(of: scene.session.path)
        expectError(
            .invalidData,
            "\(scene.session("session.json").escaped): with that start the session would end at "
                + "2026-02-05T08:55:00.000Z, in the future [invalid-data]\n  hint: give an earlier start"
        ) { try scene.writer().correctStart(to: morning, now: morning) }
        #expect(try tree(of: scene.session.path) == before)
    }

    @Test func `a start with which a pause would be in the future is refused`() throws {
        let writer = scene.writer()
        _ = try writer.pause(now: SessionPauseTests.minute(10))
        _ = try writer.resume(now: SessionPauseTests.minute(30))
        let before = try tree(of: scene.session.path)
        expectError(
            .invalidData,
            "\(scene.session("timeline.jsonl").escaped): with that start an entry of the timeline would be at "
                + "2026-02-04T20:50:00.000Z, in the future [invalid-data]\n  hint: give an earlier start"
        ) {
            try scene.writer().correctStart(
                to: SessionPauseTests.minute(40), now: SessionPauseTests.minute(45))
        }
        #expect(try tree(of: scene.session.path) == before)
    }

    // MARK: - The clock

    private func setBack(_ moment: Timestamp, _ kinds: [RecordKind] = [.marker]) throws -> String? {
        let target = try SessionTarget(reading: scene.session.path)
        let setBack = ClockSetBack(of: target.session, in: target.directory, now: moment, lastOf: kinds)
        return setBack?.report.message
    }

    @Test func `a clock that is before the start or the last record is noticed, a minute is not`() throws {
        #expect(try setBack(SessionPauseTests.minute(-1), []) == nil)
        #expect(
            try setBack(Timestamp(milliseconds: Self.start.milliseconds - Self.minute - 1))
                == "the clock is at 2026-02-04T19:58:59.999Z, before the session's start at 2026-02-04T20:00:00.000Z"
        )
        // What somebody marks has the moment of their clock.
        try scene.markers.write(QueueScene.markerLine(12) + "\n")
        let marked = try #require(
            try SessionReader(scene.session.path).lines(of: [number(12)], in: .marker)[number(12)]?.last)
        let created = try #require(
            try JSONParser().withParsed(marked) { $0[name: "created_at"]?.timestamp })
        let early = created.adding(SessionOffset(milliseconds: -Self.minute - 1))
        #expect(
            try setBack(early)
                == "the clock is at \(early), before the last marker of the session, written at \(created)")
        #expect(try setBack(created.adding(SessionOffset(milliseconds: -Self.minute))) == nil)
        #expect(try setBack(early, [.timeline]) == nil)
        // Also behind what is torn, and behind a file of lines that are longer than what is looked at.
        try scene.markers.write(QueueScene.markerLine(12) + "\n" + String(repeating: "x", count: 100))
        #expect(try setBack(early) != nil)
        try scene.markers.write(String(repeating: "{", count: 9000))
        #expect(try setBack(early) == nil)
        try scene.markers.write("")
        #expect(try setBack(early) == nil)
    }

    @Test func `what is to be done is told each in their words`() throws {
        let target = try SessionTarget(reading: scene.session.path)
        let setBack = try #require(
            ClockSetBack(
                of: target.session, in: target.directory, now: SessionPauseTests.minute(-10), lastOf: []))
        #expect(
            setBack.report.hint
                == "set the clock if it is wrong; if the start is wrong, correct it with "
                + "'trace session edit \(scene.session.path.escaped) --start TIME'")
        #expect(
            setBack.textOverHTTP
                == "the clock is at 2026-02-04T19:50:00.000Z, before the session's start at 2026-02-04T20:00:00.000Z; "
                + "set the clock if it is wrong; if the start is wrong, correct it with POST /api/v1/sessions/{s}/edit and 'start_time'"
        )
    }
}
