import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceText

@testable import TraceStore

/// Media and transcripts that come into a session, at every step of which the process may end.
struct MediaAdditionTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    /// A closed session, so that the entries of the timeline are put between others.
    private static func makeSession(in root: FilePath) throws -> SampleSession {
        let header = SampleSession.header.replacing("\"active\"", with: "\"closed\"").replacing(
            "\"title\"",
            with: "\"end_time\": \"2026-02-04T20:30:00.000Z\",\n  \"duration_ms\": 1800000,\n  \"title\"")
        let session = try SampleSession(at: root.appending("set"), header: header)
        let end = SampleSession.start.replacing(number(2).description, with: number(3).description).replacing(
            "session_start", with: "session_end"
        ).replacing("\"offset_ms\":0", with: "\"offset_ms\":1800000")
        try session("timeline.jsonl").write(SampleSession.start + end)
        try root.appending("take.mp4").write("pictures")
        return session
    }

    private static let media = NewMedia(
        kind: .video, mime: "video/mp4", startOffset: SessionOffset(milliseconds: 5),
        duration: SessionOffset(milliseconds: 1_799_995), suffix: ".mp4")

    private static func add(in root: FilePath, failPoint: FailPoint? = nil) throws {
        var writer = SessionWriter(root.appending("set"))
        writer.failPoint = failPoint
        _ = try writer.addMedia(media, from: root.appending("take.mp4"))
    }

    /// What lies in the session, with ids and moments of the present made alike.
    private static func state(_ root: FilePath) throws -> [String: String] {
        var state: [String: String] = [:]
        for (name, text) in try tree(of: root.appending("set")) {
            func plain(_ text: String) -> String {
                text.replacing(#/(?!01J0{10})[0-9A-HJKMNP-TV-Z]{26}/#, with: "<ulid>").replacing(
                    #/"(updated_at|created_at)": ?"[^"]+"/#, with: "<time>")
            }
            state[plain(name)] = plain(text)
        }
        return state
    }

    /// What is wrong, but for the key that the sample has of its own.
    private static func findings(in session: FilePath) throws -> [String] {
        try Inspection(of: session).findings.map(\.description).filter { !$0.contains("x_mood") }
    }

    @Test func `recordings that begin or end at one place are all in the timeline`() throws {
        let session = try Self.makeSession(in: scratch.path)
        for (start, length) in [(0, 1000), (0, 2000), (1000, 1000)] as [(Int64, Int64)] {
            let media = NewMedia(
                kind: .video, mime: "video/mp4", startOffset: SessionOffset(milliseconds: start),
                duration: SessionOffset(milliseconds: length), suffix: ".mp4")
            _ = try SessionWriter(session.path).addMedia(media, from: scratch("take.mp4"))
        }
        var entries: [String] = []
        try SessionReader(session.path).read(.timeline) { entry in
            guard let kind = entry.detail, kind.hasPrefix("media") else { return }
            entries.append("\(kind) \(entry.offset?.milliseconds ?? -1)")
        }
        #expect(
            entries.sorted() == [
                "media_end 1000", "media_end 2000", "media_end 2000", "media_start 0", "media_start 0",
                "media_start 1000",
            ])
    }

    /// What was added as review audio is that, whatever is there; the last one that was added, at its offset.
    @Test(arguments: ["other", "audio", "video"])
    func `review audio comes before the first audio or video, and can be undone`(kind: String) throws {
        let session = try Self.makeSession(in: scratch.path)
        let items = ["screen", kind].enumerated().map { index, kind in
            """
            {"id": "\(number(50 + index))", "kind": "\(kind)", "path": "media/\(index).mp4", "mime": "video/mp4", \
            "created_at": "2026-02-04T20:00:00Z", "start_offset_ms": 0}
            """
        }
        let header = try session("session.json").text().replacing(
            "\"media\": []", with: "\"media\": [\n    \(items.joined(separator: ",\n    "))\n  ]")
        try session("session.json").write(header)
        for name in ["0.mp4", "1.mp4"] as [FilePath.Component] {
            try session("media").appending(name).write("x")
        }
        var added: [AddedMedia] = []
        var writer = SessionWriter(session.path)
        writer.undoLog = UndoLog(state: scratch("state"))
        for offset in [7, 9] as [Int64] {
            try scratch.path.appending("take.mp4").write("sound \(offset)")
            let media = NewMedia(
                kind: .audio, mime: "audio/mp4", startOffset: SessionOffset(milliseconds: offset),
                duration: nil,
                suffix: ".m4a", isReviewAudio: true)
            added.append(try writer.addMedia(media, from: scratch("take.mp4"), as: .addReviewAudio))
            let review = try session.session.reviewAudio
            #expect(review?.id == added.last?.id && review?.startOffset?.milliseconds == offset)
            #expect(review?.path == added.last?.path && added.last?.notices == [])
        }
        #expect(try Self.findings(in: session.path) == [])
        let text = try session("session.json").text()
        #expect(
            text.contains("\"media\": [\n    {\"id\"")
                && text.contains(items.joined(separator: ",\n    ")) == (kind == "other"))
        let undo = Undo(
            UndoLog(state: scratch("state")), queue: QueueDirectories(state: scratch("state"))
        ) {
            _ in [session.path]
        }
        _ = try undo.run(user: UInt32(geteuid()))
        #expect(try session.session.reviewAudio?.id == added.first?.id)
    }

    @Test func `where a name says that it is the review audio, the person is told that it stays so`() throws {
        let session = try Self.makeSession(in: scratch.path)
        let item = """
            {"id":"\(number(50))","kind":"audio","path":"media/review.mp3","mime":"audio/mpeg",\
            "created_at":"2026-02-04T20:00:00Z","start_offset_ms":0}
            """
        try session("session.json").write(
            session("session.json").text().replacing("\"media\": []", with: "\"media\": [\(item)]"))
        let media = NewMedia(
            kind: .audio, mime: "audio/mp4", startOffset: .zero, duration: nil, suffix: ".m4a",
            isReviewAudio: true)
        let added = try SessionWriter(session.path).addMedia(
            media, from: scratch("take.mp4"), as: .addReviewAudio)
        #expect(try session.session.reviewAudio?.path == "media/review.mp3")
        #expect(added.notices.map { $0.prefix(46) } == ["'media/review.mp3' is still the review audio, "])
    }

    @Test func `a kill before any step, and the same once more, end as undisturbed`() async throws {
        _ = try Self.makeSession(in: scratch.path)
        let steps = Steps()
        try Self.add(in: scratch.path) { (step, _) throws(Errno) in _ = steps.add(step) }
        let expected = try Self.state(scratch.path)
        #expect(expected["timeline.jsonl"]?.split(separator: "\n").count == 4)
        #expect(expected.keys.filter { $0.hasPrefix("media/") } == ["media/<ulid>.mp4"])
        #expect(try Self.findings(in: scratch("set")) == [])
        let count = steps.all.count
        #expect(count > 10)
        for fatal in Torture.steps(count) {
            let place = try ScratchDirectory()
            _ = try Self.makeSession(in: place.path)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = place.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                try MediaAdditionTests.add(in: FilePath(path)) { (step, _) throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
            }
            // The kill may have come after the last record: then the same again would be a second item.
            if try Self.state(place.path) != expected { try Self.add(in: place.path) }
            #expect(try Self.state(place.path) == expected, "killed before step \(fatal)")
        }
    }

    @Test func `a failure at any step leaves the session as it was, or what is told to stand`() throws {
        _ = try Self.makeSession(in: scratch.path)
        let steps = Steps()
        try Self.add(in: scratch.path) { (step, _) throws(Errno) in _ = steps.add(step) }
        for failing in 1...steps.all.count {
            let place = try ScratchDirectory()
            let session = try Self.makeSession(in: place.path)
            let before = try Self.state(place.path)
            let steps = Steps()
            let error = #expect(throws: FileError.self) {
                try Self.add(in: place.path) { (step, _) throws(Errno) in
                    if steps.add(step) == failing { throw .ioError }
                }
            }
            let after = try Self.state(place.path)
            let isNoted = after["timeline.jsonl"] != before["timeline.jsonl"]
            if !isNoted {
                // Where the last sync of its directory fails, the file is in its place, as of every primitive.
                let names = Set(after.keys).subtracting(["media/<ulid>.mp4"])
                #expect(names == Set(before.keys), "failed at step \(failing)")
                #expect(["pictures", nil].contains(after["media/<ulid>.mp4"]))
                #expect(after["session.json"] == before["session.json"], "failed at step \(failing)")
            }
            if isNoted, after["session.json"] == before["session.json"] {
                #expect(
                    error?.message.contains("stand") == true || error?.code == .io,
                    "failed at step \(failing)")
            }
            #expect(try Self.findings(in: session.path) == [], "failed at step \(failing)")
        }
    }

    private static func line(_ id: Int, _ text: String) -> String {
        "{\"id\":\"\(number(id))\",\"offset_ms\":5,\"duration_ms\":6,\"text\":\"\(text)\"}\n"
    }

    private static func transcribe(_ root: FilePath, failPoint: FailPoint? = nil) throws {
        var writer = SessionWriter(root.appending("set"))
        writer.undoLog = UndoLog(state: root.appending("state"))
        writer.failPoint = failPoint
        try writer.writeTranscript(Array(line(41, "new").utf8))
    }

    @Test(arguments: [true, false])
    func `a transcript is replaced whole, whenever the process ends`(hasOne: Bool) async throws {
        func make(_ root: FilePath) throws {
            _ = try Self.makeSession(in: root)
            try Self.add(in: root)
            if hasOne {
                try SessionWriter(root.appending("set")).writeTranscript(Array(Self.line(40, "old").utf8))
            }
        }
        try make(scratch.path)
        let steps = Steps()
        try Self.transcribe(scratch.path) { (step, _) throws(Errno) in _ = steps.add(step) }
        for fatal in Torture.steps(steps.all.count) {
            let place = try ScratchDirectory()
            try make(place.path)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = place.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                try MediaAdditionTests.transcribe(FilePath(path)) { (step, _) throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
            }
            let file = place("set").appending("transcript.jsonl")
            let text = try tree(of: place("set"))["transcript.jsonl"] ?? ""
            #expect(
                [Self.line(40, "old"), Self.line(41, "new"), hasOne ? "-" : ""].contains(text),
                "killed before step \(fatal)")
            try Self.transcribe(place.path)
            #expect(try file.text() == Self.line(41, "new"))
            #expect(try Self.findings(in: place("set")) == [], "killed before step \(fatal)")
        }
    }
}
