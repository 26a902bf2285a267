import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore

/// What repair does to a session directory.
struct SessionRepairTests {
    let scratch: ScratchDirectory

    init() throws { scratch = try ScratchDirectory() }

    @Test func `a plan names every mend and touches nothing`() throws {
        let scene = try RepairScene(in: scratch.path)
        let before = try tree(of: scratch.path)
        let plan = try scene.repair().plan()
        #expect(try tree(of: scratch.path) == before)
        #expect(
            plan.fixes.map(\.description) == [
                "timeline.jsonl: byte order mark at the start removed [byte-order-mark]",
                "timeline.jsonl: timeline 2.jsonl merged: 1 new line [conflict-copy]",
                "markers.jsonl: torn last line (10 bytes without a newline) set aside: "
                    + "the text ends in the middle of a string [torn-line]",
                "markers.jsonl: \(RepairScene.copy) merged: 2 new lines [conflict-copy]",
                "markers.jsonl: newer line of a copy now counts: \(number(10)) [conflict-copy]",
                "voice_notes.jsonl: voice_notes (Anna's conflicted copy).jsonl merged: 1 new line [conflict-copy]",
                "transcript.jsonl: transcript 2.jsonl merged: no new lines [conflict-copy]",
                "digest.md: digest 2.md set aside: it is the same, byte for byte [conflict-copy]",
                "session.json: byte order mark at the start removed [byte-order-mark]",
                "session.json: voice_notes_path set to voice_notes.jsonl, which exists [path]",
                "session.json: digest_path set to digest.md, which exists [path]",
                "session.json: missing end_time set to \"2026-02-04T20:00:05.000Z\", "
                    + "from session_end in timeline.jsonl [dropped-field]",
                "session.json: missing duration_ms set to 5000, from session_end in timeline.jsonl "
                    + "[dropped-field]",
            ])
        #expect(
            plan.unresolved.map(\.description) == [
                "\(RepairScene.copy):4:5 (byte \(RepairScene.marker(10).utf8.count * 2 + RepairScene.marker(10, "edited").utf8.count + 4)): "
                    + "the text ends in the middle of a string; this line of the copy is not merged [line-torn]",
                "\(RepairScene.headerCopy): a sync tool could not merge two versions of a file and kept this one as a copy [conflict-copy]",
            ])
        #expect(plan.waiting.isEmpty)
    }

    @Test func `what is planned is done, and every old file is kept`() throws {
        let scene = try RepairScene(in: scratch.path)
        let before = try scene.files
        let plan = try scene.repair().plan()
        let outcome = try scene.repair().run()
        #expect(outcome.plan.fixes == plan.fixes)
        #expect(try scene.files == Self.fixed)
        let kept = scene.state.appending("repair").appending("\(SampleSession.id)").appending(
            "2026-02-05T08-00-00.000Z")
        #expect(outcome.kept == [kept])
        let gone = try ["timeline.jsonl", "markers.jsonl", "session.json"] + scene.missing(from: before)
        #expect(try tree(of: kept) == before.filter { gone.contains($0.key) })
        #expect(try scratchMode(kept) == 0o700)
    }

    @Test func `a second repair has nothing to do, and leaves no trace`() throws {
        let scene = try RepairScene(in: scratch.path)
        _ = try scene.repair().run()
        let after = try tree(of: scratch.path)
        let outcome = try scene.repair().run()
        #expect(outcome.plan.isEmpty && outcome.plan.fixes.isEmpty && outcome.kept.isEmpty)
        #expect(outcome.plan.unresolved.map(\.place.file) == [RepairScene.headerCopy.string])
        #expect(try tree(of: scratch.path) == after)
    }

    @Test func `a session in order is left as it is`() throws {
        let scene = try RepairScene(sound: scratch.path)
        let plan = try scene.repair().run().plan
        #expect(plan.isEmpty && plan.fixes.isEmpty && plan.unresolved.isEmpty && plan.waiting.isEmpty)
        #expect(!scene.state.exists)
    }

    @Test(arguments: [("2026-02-05T07:00:00.000Z", true), ("2026-02-04T19:00:00.000Z", false)])
    func `a copy of session.json that only says when it was changed goes, and the later moment stays`(
        moment: String, isLater: Bool
    ) throws {
        let scene = try RepairScene(sound: scratch.path)
        let text = try scene.session("session.json").text()
        let old = try #require(text.firstMatch(of: #/"updated_at": "([^"]+)"/#)?.output.1)
        let other = text.replacing("\"updated_at\": \"\(old)\"", with: "\"updated_at\": \"\(moment)\"")
        let copy: FilePath.Component = "session.sync-conflict-20260204-120000-ABCDEFG.json"
        try scene.session(copy).write(other)
        let plan = try scene.repair().run().plan
        #expect(plan.unresolved.isEmpty && plan.settledCopies.map(\.name) == [copy])
        #expect(try scene.session("session.json").text() == (isLater ? other : text))
        #expect(!scene.session(copy).exists)
        #expect(try scene.repair().run().plan.isEmpty)
    }

    /// What the scene's session is after the repair.
    static var fixed: [String: String] {
        let header = RepairScene.header.replacing(
            "\"voice_notes_path\": null", with: "\"voice_notes_path\": \"voice_notes.jsonl\""
        )
        .replacing("\"digest_path\": null", with: "\"digest_path\": \"digest.md\"")
        .replacing(
            "\"title\": \"Late set\"",
            with:
                "\"title\": \"Late set\",\n  \"end_time\": \"2026-02-04T20:00:05.000Z\",\n  \"duration_ms\": 5000"
        )
        return [
            "session.json": header, "timeline.jsonl": SampleSession.start + RepairScene.end,
            "markers.jsonl": RepairScene.marker(10) + RepairScene.marker(10, "edited")
                + RepairScene.marker(11)
                + RepairScene.marker(12), "voice_notes.jsonl": RepairScene.note, "digest.md": "# Set\n",
            RepairScene.headerCopy.string: RepairScene.header.replacing("Late set", with: "Later set"),
            "media": "(directory)", "media/a.m4a": "sound",
        ]
    }

    private func scratchMode(_ path: FilePath) throws -> UInt32 {
        try OpenDirectory(path).status().permissions
    }

    // MARK: - What is left alone

    @Test func `what is on its way in one file hides nothing else, and keeps no end from the timeline`()
        throws
    {
        let scene = try RepairScene(sound: scratch.path)
        let odd = RepairScene.marker(10).replacing("{\"id\"", with: "{\"colour\":1,\"id\"")
        try scene.session("session.json").write(RepairScene.header)
        for file in ["session.json", "timeline.jsonl"] as [FilePath.Component] {
            try scene.session(file).setModified(secondsAgo: 60)
        }
        try scene.session("markers.jsonl").write(odd + RepairScene.torn)
        var remembered = Session()
        remembered.id = SampleSession.id
        remembered.duration = SessionOffset(milliseconds: 7000)
        remembered.endTime = Timestamp("2026-02-04T20:00:07Z")
        let plan = try scene.repair(remembered: remembered, settleTime: .seconds(30)).run().plan
        #expect(plan.waiting.map(\.file) == ["markers.jsonl"])
        #expect(plan.fixes.map(\.kind).contains(.sessionEnd))
        #expect(plan.unresolved.map(\.rule?.id) == ["key-unknown"])
    }

    @Test func `a line that may still be on its way keeps repair from its file, and from its copies`() throws
    {
        let scene = try RepairScene(sound: scratch.path)
        try scene.session("markers.jsonl").write(RepairScene.marker(10) + RepairScene.torn)
        try scene.session("markers 2.jsonl").write(RepairScene.marker(11))
        let before = try scene.files
        let plan = try scene.repair(settleTime: .seconds(600)).run().plan
        #expect(plan.isEmpty && plan.unresolved.isEmpty)
        #expect(plan.waiting.map(\.file) == ["markers.jsonl", "markers 2.jsonl"])
        #expect(try scene.files == before)
        #expect(try scene.repair().run().plan.waiting.isEmpty)
        #expect(try scene.session("markers.jsonl").text() == RepairScene.marker(10) + RepairScene.marker(11))
    }

    @Test func `a copy that may still be on its way waits, the others are merged`() throws {
        let scene = try RepairScene(sound: scratch.path)
        try scene.session("markers 2.jsonl").write(RepairScene.marker(10))
        try scene.session("markers 3.jsonl").write(RepairScene.marker(11) + RepairScene.torn)
        let plan = try scene.repair(settleTime: .seconds(600)).run().plan
        #expect(plan.waiting.map(\.file) == ["markers 3.jsonl"])
        #expect(plan.unresolved.isEmpty)
        #expect(try scene.session("markers.jsonl").text() == RepairScene.marker(10))
        #expect(scene.session("markers 3.jsonl").exists && !scene.session("markers 2.jsonl").exists)
    }

    @Test func `directories and links that bear the name of a copy are for a person`() throws {
        let scene = try RepairScene(sound: scratch.path)
        try OpenDirectory.make(scene.session("markers 2.jsonl"))
        try scene.session("markers 3.jsonl").link(to: "timeline.jsonl")
        let plan = try scene.repair().run().plan
        #expect(plan.isEmpty)
        #expect(plan.unresolved.map(\.place.file) == ["markers 2.jsonl", "markers 3.jsonl"])
    }

    @Test func `a file that is a directory keeps its copies`() throws {
        let scene = try RepairScene(sound: scratch.path)
        try OpenDirectory.make(scene.session("actions.jsonl"))
        try scene.session("actions 2.jsonl").write("{}\n")
        let plan = try scene.repair().run().plan
        #expect(plan.isEmpty)
        #expect(plan.unresolved.map { $0.rule?.id } == ["file-unreadable", "conflict-copy"])
    }

    @Test func `a session.json that is no JSON is named, and the other files are mended`() throws {
        let scene = try RepairScene(sound: scratch.path)
        try scene.session("session.json").write("{\"id\":")
        try scene.session("markers.jsonl").write(RepairScene.marker(10).replacing("\n", with: ""))
        let outcome = try scene.repair().run()
        #expect(try scene.session("markers.jsonl").text() == RepairScene.marker(10))
        #expect(try scene.session("session.json").text() == "{\"id\":")
        #expect(outcome.plan.unresolved.first?.rule?.id == "json-syntax")
        #expect(outcome.kept.first?.removingLastComponent().lastComponent == "set")
    }

    @Test func `a directory without session.json is no session`() throws {
        try OpenDirectory.make(scratch("set"))
        #expect(code { try RepairScene(at: scratch.path).repair().run() } == .notFound)
    }

    // MARK: - Sources

    @Test func `the index helps where the timeline does not`() throws {
        let scene = try RepairScene(sound: scratch.path)
        let header = RepairScene.header.replacing(",\n  \"title\": \"Late set\"", with: "")
        try scene.session("session.json").write(header)
        var remembered = Session()
        remembered.id = SampleSession.id
        remembered.title = "Late set"
        remembered.duration = SessionOffset(milliseconds: 7000)
        remembered.endTime = Timestamp("2026-02-04T20:00:07Z")
        let plan = try scene.repair(remembered: remembered).run().plan
        #expect(
            plan.fixes.map(\.reason) == [
                "missing session_end added at 7000, where the session ends according to session.json",
                "missing title set to \"Late set\", from the index",
                "missing end_time set to \"2026-02-04T20:00:07.000Z\", from the index",
                "missing duration_ms set to 7000, from the index",
            ])
        #expect(try scene.session.session.duration == SessionOffset(milliseconds: 7000))
        #expect(plan.unresolved.isEmpty)
        #expect(try scene.repair(remembered: remembered).run().plan.isEmpty)
    }

    // MARK: - Other programs

    @Test func `a link stays a link, and its target is mended and kept`() throws {
        let scene = try RepairScene(sound: scratch.path)
        try scratch("elsewhere.jsonl").write(RepairScene.marker(10).replacing("\n", with: ""))
        try #require(unlink(scene.session("markers.jsonl").string) == 0)
        try scene.session("markers.jsonl").link(to: "../elsewhere.jsonl")
        _ = try scene.repair().run()
        #expect(try scene.files["markers.jsonl"] == "(link)")
        #expect(try scratch("elsewhere.jsonl").text() == RepairScene.marker(10))
        #expect(try scene.kept["markers.jsonl"] == [RepairScene.marker(10).replacing("\n", with: "")])
    }

    @Test(arguments: [WriteStep.write, .sync, .compare])
    func `what another program writes meanwhile is not lost`(step: WriteStep) throws {
        let scene = try RepairScene(in: scratch.path)
        let path = scene.session("markers.jsonl")
        let steps = Steps()
        let outcome = try scene.repair(failPoint: { reached, place throws(Errno) in
            // The same names are written to the kept files first; the session's are the longer ones' shorter
            // paths.
            guard reached == step, place == path, steps.add(reached) == 1 else { return }
            try? path.write(RepairScene.marker(10) + RepairScene.marker(13))
        }).run()
        #expect(outcome.kept.count == 2)
        let numbers = try path.text().split(separator: "\n").map { String($0.prefix(33).suffix(2)) }
        #expect(numbers == ["10", "10", "11", "13"])
        #expect(outcome.plan.fixes.count { $0.kind == .byteOrderMark } == 2)
        #expect(try scene.kept["markers.jsonl"]?.count == 2)
    }

    @Test func `a copy that changes while it is merged is merged again`() throws {
        let scene = try RepairScene(sound: scratch.path)
        let copy = scene.session("markers 2.jsonl")
        try copy.write(RepairScene.marker(10))
        let steps = Steps()
        let path = scene.session("markers.jsonl")
        _ = try scene.repair(failPoint: { step, place throws(Errno) in
            guard step == .rename, place == path, steps.add(step) == 1 else { return }
            try? copy.write(RepairScene.marker(10) + RepairScene.marker(11))
        }).run()
        #expect(try path.text() == RepairScene.marker(10) + RepairScene.marker(11))
        #expect(!copy.exists)
    }

    @Test func `a file that never rests ends the repair with a word`() throws {
        let scene = try RepairScene(in: scratch.path)
        let path = scene.session("markers.jsonl")
        let repair = scene.repair(failPoint: { step, place throws(Errno) in
            if step == .compare, place == path {
                try? path.write(RepairScene.marker(Int.random(in: 10..<40)))
            }
        })
        #expect(code { try repair.run() } == .changedMeanwhile)
        #expect(scene.session(RepairScene.copy).exists)
    }
}

extension RepairScene {
    /// The names that were in the session and are no longer.
    func missing(from before: [String: String]) throws -> [String] {
        let now = try files
        return before.keys.filter { now[$0] == nil }
    }
}
