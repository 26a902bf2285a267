import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

/// Mends that put right what a session says otherwise than the format, and the `session_end` that follows from it.
struct DerivedFixTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// What is made of the scene's session, whichever device does it: 2026-02-04T20:00:15Z, and the first 80 bits of the SHA-256
    /// of `session_end`, the session's id and 5000.
    static let endID = "01KGN3VF4RY998M1JBD77EK55Q"

    @Test func `values, order and end are mended, and every other byte stays`() throws {
        let scene = try RepairScene(misspelled: scratch.path)
        let before = try scene.files
        let outcome = try scene.repair().run()
        #expect(
            outcome.plan.fixes.map(\.description) == [
                "timeline.jsonl: 8 times with an offset from UTC written in UTC, with Z: wall_time on line 1, "
                    + "created_at on line 1, wall_time on line 2, created_at on line 2, wall_time on line 3 and 3 more "
                    + "[utc-time]",
                "timeline.jsonl: lines sorted by offset_ms (2 lines were out of order) [line-order]",
                "timeline.jsonl: missing session_end added at 5000, where the session ends according to session.json "
                    + "[session-end]",
                "markers.jsonl: 2 times with an offset from UTC written in UTC, with Z: created_at on line 1, "
                    + "created_at on line 2 [utc-time]",
                "markers.jsonl: 2 ids in lower case changed to upper case: id on line 1, voice_note_id on line 1 [id-case]",
                "markers.jsonl: 2 times with an offset from UTC written in UTC, with Z: "
                    + "created_at on line 1 of \(RepairScene.copy), created_at on line 2 of \(RepairScene.copy) [utc-time]",
                "markers.jsonl: 2 ids in lower case changed to upper case: id on line 1 of \(RepairScene.copy), "
                    + "voice_note_id on line 1 of \(RepairScene.copy) [id-case]",
                "markers.jsonl: \(RepairScene.copy) merged: 1 new line [conflict-copy]",
                "voice_notes.jsonl: 1 time with an offset from UTC written in UTC, with Z: created_at on line 1 [utc-time]",
                "voice_notes.jsonl: 2 ids in lower case changed to upper case: id on line 1, marker_id on line 1 [id-case]",
                "transcript.jsonl: lines sorted by offset_ms (1 line was out of order) [line-order]",
                "session.json: 5 times with an offset from UTC written in UTC, with Z: created_at, updated_at, start_time, "
                    + "created_at of media item 1, end_time [utc-time]",
                "session.json: 2 ids in lower case changed to upper case: id, id of media item 1 [id-case]",
            ])
        #expect(outcome.plan.unresolved.isEmpty && outcome.plan.waiting.isEmpty, "\(outcome.plan.unresolved)")
        #expect(
            try scene.files == [
                "session.json": RepairScene.closed,
                "timeline.jsonl": SampleSession.start + RepairScene.pause + RepairScene.media
                    + RepairScene.derivedEnd(Self.endID),
                "markers.jsonl": RepairScene.noted + RepairScene.marker(11) + RepairScene.marker(12),
                "voice_notes.jsonl": RepairScene.linkedNote,
                "transcript.jsonl": RepairScene.words(30, 4) + RepairScene.words(31, 9),
                "media": "(directory)", "media/a.m4a": "sound",
            ])
        let kept = try tree(of: try #require(outcome.kept.first))
        #expect(kept == before.filter { !$0.key.hasPrefix("media") })

        let after = try tree(of: scratch.path)
        #expect(try scene.repair().run().plan.isEmpty)
        #expect(try tree(of: scratch.path) == after)
    }

    @Test func `a clean session with a conflict copy that is spelled otherwise becomes no other one`() throws
    {
        let scene = try RepairScene(misspelled: scratch.path)
        _ = try scene.repair().run()
        let clean = try scene.files
        // A device that was away brings its version of the file once more.
        let other = try RepairScene(misspelled: scratch("other"))
        for name in ["markers", "voice_notes", "transcript", "timeline"] {
            let copy = try #require(FilePath.Component("\(name) 2.jsonl"))
            let file = try #require(FilePath.Component("\(name).jsonl"))
            try scene.session(copy).write(try other.session(file).text())
        }
        let plan = try scene.repair().run().plan
        #expect(plan.unresolved.isEmpty)
        #expect(try scene.files == clean)
    }

    // MARK: - session_end

    struct End: Sendable, CustomTestStringConvertible {
        let name: String
        /// What is replaced in `session.json` of the scene in order.
        var header: [(String, String)] = []
        var timeline: String?
        var copies: [String: String] = [:]
        /// Where `session_end` is put; nil for nowhere.
        var offset: Int64?

        var testDescription: String { name }
    }

    static let ends: [End] = [
        End(name: "all agree", offset: 5000),
        End(name: "the session is active", header: [("\"closed\"", "\"active\"")]),
        End(
            name: "without a pause", header: [("20:00:15.000Z", "20:00:05.000Z")],
            timeline: SampleSession.start, offset: 5000),
        End(name: "the pause was left out of end_time", header: [("20:00:15.000Z", "20:00:05.000Z")]),
        End(name: "duration_ms contradicts", header: [("5000\n", "5001\n")]),
        End(
            name: "start_time is missing", header: [("  \"start_time\": \"2026-02-04T20:00:00.000Z\",\n", "")]
        ),
        End(
            name: "start_time is no time",
            header: [("\"start_time\": \"2026-02-04T20:00:00.000Z\"", "\"start_time\": \"now\"")]),
        End(
            name: "end_time follows from duration_ms",
            header: [(",\n  \"end_time\": \"2026-02-04T20:00:15.000Z\"", "")], offset: 5000),
        End(
            name: "neither is known",
            header: [(",\n  \"end_time\": \"2026-02-04T20:00:15.000Z\",\n  \"duration_ms\": 5000", "")]),
        End(
            name: "there is one already, elsewhere",
            timeline: SampleSession.start + RepairScene.pause
                + RepairScene.end.replacing("5000", with: "4000")),
        End(
            name: "there is one already, without an offset",
            timeline: SampleSession.start + RepairScene.pause
                + RepairScene.end.replacing("5000", with: "\"5000\"")),
        End(
            name: "a conflict copy of the timeline brings it", copies: ["timeline 2.jsonl": RepairScene.end]),
        End(
            name: "a conflict copy of session.json contradicts",
            copies: ["session 2.json": RepairScene.closed.replacing("5000", with: "6000")]),
        End(
            name: "a conflict copy of session.json agrees",
            copies: ["session 2.json": RepairScene.closed.replacing("Late set", with: "Later set")],
            offset: 5000),
        End(
            name: "a conflict copy of another session says nothing",
            copies: [
                "session 2.json": RepairScene.closed.replacing("5000", with: "6000").replacing(
                    "\(SampleSession.id)", with: "\(number(99))")
            ],
            offset: 5000),
        End(
            name: "an empty timeline", header: [("20:00:15.000Z", "20:00:05.000Z")], timeline: "",
            offset: 5000),
        End(
            name: "what is behind the end stays behind it",
            timeline: SampleSession.start + RepairScene.pause
                + RepairScene.media.replacing("3000", with: "7000"), offset: 5000),
        End(
            name: "a last line that is no record and has no newline",
            timeline: SampleSession.start + RepairScene.pause + "12"),
    ]

    @Test(arguments: ends)
    func `session_end is derived where start_time, end_time, duration_ms and the pauses agree`(end: End)
        throws
    {
        let scene = try RepairScene(sound: scratch.path)
        let header = end.header.reduce(RepairScene.closed) { $0.replacing($1.0, with: $1.1) }
        try scene.session("session.json").write(header)
        let timeline = end.timeline ?? SampleSession.start + RepairScene.pause + RepairScene.media
        try scene.session("timeline.jsonl").write(timeline)
        for (name, text) in end.copies {
            try scene.session(try #require(FilePath.Component(name))).write(text)
        }
        let plan = try scene.repair().run().plan
        #expect(plan.fixes.filter { $0.kind == .sessionEnd }.count == (end.offset == nil ? 0 : 1))
        let lines = try scene.session("timeline.jsonl").text().split(separator: "\n").map(String.init)
        let old = timeline.split(separator: "\n").map(String.init)
        let added = lines.filter { !old.contains($0) && !end.copies.values.contains("\($0)\n") }
        #expect(lines.filter { !added.contains($0) }.count == Set(lines).count - added.count)
        guard let offset = end.offset else { return #expect(added.isEmpty) }
        #expect(added.count == 1)
        #expect(
            added.first?.contains(
                #""kind":"session_end","offset_ms":\#(offset),"wall_time":"2026-02-04T20:00:"#) == true)
        #expect(
            plan.unresolved.allSatisfy {
                $0.rule?.id != "session-end-missing" && $0.rule?.id != "timeline-order"
            })
        #expect(try scene.repair().run().plan.isEmpty)
    }

    @Test func `a session_end that somebody edited into something else is not put back`() throws {
        let scene = try RepairScene(misspelled: scratch.path)
        _ = try scene.repair().run()
        let edited = RepairScene.derivedEnd(Self.endID).replacing("session_end", with: "media_end")
        let timeline = try scene.session("timeline.jsonl").text() + edited
        try scene.session("timeline.jsonl").write(timeline)
        let plan = try scene.repair().run().plan
        #expect(plan.isEmpty)
        #expect(plan.unresolved.map { $0.rule?.id } == ["session-end-missing"])
        #expect(try scene.session("timeline.jsonl").text() == timeline)
    }

    @Test func `while the files are young, session_end may still be on its way`() throws {
        let scene = try RepairScene(sound: scratch.path)
        try scene.session("session.json").write(RepairScene.closed)
        try scene.session("timeline.jsonl").write(SampleSession.start + RepairScene.pause)
        let plan = try scene.repair(settleTime: .seconds(600)).run().plan
        #expect(plan.isEmpty)
        #expect(
            plan.waiting.map { "\($0.file): \($0.reason)" } == [
                "timeline.jsonl: its session_end may still be in transit"
            ])
        #expect(!plan.unresolved.contains { $0.rule?.id == "session-end-missing" })
    }

    @Test func `a copy of the timeline that may still be on its way may bring session_end`() throws {
        let scene = try RepairScene(sound: scratch.path)
        try scene.session("session.json").write(RepairScene.closed)
        try scene.session("timeline.jsonl").write(SampleSession.start + RepairScene.pause)
        try scene.session("timeline 2.jsonl").write(String(RepairScene.end.dropLast(20)))
        let plan = try scene.repair(settleTime: .seconds(600)).run().plan
        #expect(plan.isEmpty)
        #expect(plan.waiting.map(\.file) == ["timeline 2.jsonl"])
    }

    // MARK: - What is left to a person

    @Test func `an edit whose offset lies before that of its older line is moved by nobody`() throws {
        let scene = try RepairScene(sound: scratch.path)
        let text = SampleSession.start + RepairScene.media + RepairScene.media.replacing("3000", with: "1000")
        try scene.session("timeline.jsonl").write(text)
        let plan = try scene.repair().run().plan
        #expect(plan.isEmpty)
        #expect(plan.unresolved.map { $0.rule?.id } == ["timeline-order"])
        #expect(try scene.session("timeline.jsonl").text() == text)
    }

    @Test func `the id of a session that another session has stays`() throws {
        let scene = try RepairScene(sound: scratch.path)
        let lower = SampleSession.id.description.lowercased()
        let header = try scene.session("session.json").text().replacing("\(SampleSession.id)", with: lower)
        try scene.session("session.json").write(header)
        var asked: [ULID] = []
        let repair = { (isUsed: Bool) in
            SessionRepair(
                SessionWriter(scene.session.path), keptIn: scene.state, settleTime: .zero, now: { morning },
                isUsedElsewhere: {
                    asked.append($0)
                    return isUsed
                })
        }
        #expect(try repair(true).run().plan.isEmpty)
        #expect(try scene.session("session.json").text() == header)
        #expect(try repair(false).run().plan.fixes.map(\.kind) == [.idCase])
        #expect(try scene.session.session.id == SampleSession.id)
        #expect(asked == [SampleSession.id, SampleSession.id])
        #expect(try repair(true).run().plan.isEmpty)
        #expect(asked.count == 2)
    }

    private static func item(_ id: Int, _ kind: String, _ path: String) -> String {
        """
        {"id":"\(number(id))","kind":"\(kind)","path":"media/\(path)","mime":"audio/mp4","created_at":"2026-02-04T20:00:00.000Z",\
        "start_offset_ms":0}
        """
    }

    @Test(arguments: [("take.wav", true), ("review.wav", false)])
    func
        `what was added as review audio, as the undo log says, comes first, unless a name says otherwise`(
            first: String, isMoved: Bool
        ) throws
    {
        let scene = try RepairScene(sound: scratch.path)
        let items = [
            (50, "screen", "s.mp4"), (51, "audio", first), (52, "audio", "a.m4a"), (53, "audio", "b.m4a"),
        ]
        .map(Self.item)
        for name in ["s.mp4", "a.m4a", "b.m4a", "take.wav", "review.wav"] as [FilePath.Component] {
            try scene.session("media").appending(name).write("sound")
        }
        let header = try scene.session("session.json").text()
        func media(_ items: [String]) -> String {
            header.replacing(
                "\"media\": []", with: "\"media\": [\n    \(items.joined(separator: ",\n    "))\n  ]")
        }
        try scene.session("session.json").write(media(items))
        let state = scratch("commands")
        for (path, time) in [("media/b.m4a", 2), ("media/a.m4a", 1), ("media/gone.m4a", 3)]
            as [(String, Int64)]
        {
            UndoLog(state: state).note(
                UndoableWrite(
                    id: IDGenerator.next(), time: Timestamp(milliseconds: time), user: 0,
                    operation: .addReviewAudio,
                    sessionID: SampleSession.id, session: nil,
                    changes: [
                        .media(path: path, size: 5, modified: 0), .header("media", before: nil, after: nil),
                    ]))
        }
        let repair = SessionRepair(
            SessionWriter(scene.session.path), keptIn: scene.state, settleTime: .zero,
            reviewAudio: { UndoLog.reviewAudio(in: state)[$0] ?? [] }, now: { morning })
        let outcome = try repair.run()
        #expect(
            outcome.plan.fixes.map(\.description)
                == (isMoved
                    ? [
                        "session.json: media/b.m4a moved before media/take.wav: it was added as review audio, according to the "
                            + "undo log [review-audio]"
                    ] : []))
        let moved = isMoved ? [items[0], items[3], items[1], items[2]] : items
        #expect(try scene.session("session.json").text() == media(moved))
        #expect(try scene.session.session.reviewAudio?.path == (isMoved ? "media/b.m4a" : "media/review.wav"))
        #expect(try repair.run().plan.isEmpty)
    }

    @Test func `a file that only has what nobody can mend is left as it is`() throws {
        let scene = try RepairScene(sound: scratch.path)
        let text =
            RepairScene.marker(10).replacing(".000Z", with: ".000")
            + RepairScene.marker(11).replacing("\(number(11))", with: "eleven")
        try scene.session("markers.jsonl").write(text)
        let plan = try scene.repair().run().plan
        #expect(plan.isEmpty)
        #expect(plan.unresolved.map { $0.rule?.id } == ["timestamp-malformed", "ulid-malformed"])
        #expect(try scene.session("markers.jsonl").text() == text)
    }
}
