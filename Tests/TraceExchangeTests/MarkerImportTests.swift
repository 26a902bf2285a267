import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

@testable import TraceExchange

/// Markers of another program, taken into a session.
struct MarkerImportTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    private func results(_ text: String, _ format: ExchangeFormat = .audacity) throws -> [MarkerImport.Result]
    {
        try importing(text, format).run(scene.writer()).items.map(\.result)
    }

    private func lines() throws -> [Substring] { try scene.markers.text().split(whereSeparator: \.isNewline) }

    @Test func `what is new stands behind what was there, whose bytes stay`() throws {
        let before = try scene.markers.text()
        #expect(try results("1.5\t2.0\tnew\n3\t3\t[highlight]\n") == [.added, .added])
        let added = try scene.markers.text().dropFirst(before.count).split(separator: "\n")
        #expect(try scene.markers.text().hasPrefix(before))
        #expect(
            added.count == 2 && added[0].contains("\"offset_ms\":1500,")
                && added[0].contains("\"duration_ms\":500"))
        #expect(added[1].contains("\"tags\":[\"highlight\"]") && !added[1].contains("label"))
    }

    @Test func `twice is once, also where the file has two that are alike`() throws {
        let text = "1\t1\tx\n1\t1\tx\n2\t2\t\n"
        #expect(try results(text) == [.added, .added, .added])
        let after = try scene.files()
        #expect(try results(text) == [.alreadyThere, .alreadyThere, .alreadyThere])
        #expect(try scene.files() == after)
        #expect(try results("1\t1\tx\n1\t1\tx\n1\t1\tx\n") == [.alreadyThere, .alreadyThere, .added])
    }

    @Test func `compared before the lock, an import adds what it would have added under it`() throws {
        let text = "1\t1\tx\n1\t1\tx\n2\t2\t\n"
        func results() throws -> [MarkerImport.Result] {
            try importing(text).runBesideOthers(scene.writer()).items.map(\.result)
        }
        #expect(try results() == [.added, .added, .added])
        let after = try scene.files()
        #expect(try results() == [.alreadyThere, .alreadyThere, .alreadyThere])
        #expect(try scene.files() == after)
        #expect(try scene.list().count { $0.contains("import") } == 1)
    }

    @Test func `an import is compared while somebody else holds the session`() throws {
        // What can't be compared is told before the lock is waited for.
        try #require(unlink(scene.markers.string) == 0 && mkfifo(scene.markers.string, 0o600) == 0)
        var writer = scene.writer()
        writer.lockTimeout = .zero
        try DirectoryLock.holding(scene.session.path) { _ in
            #expect(code { try importing("1\t1\tx\n").runBesideOthers(writer) } == .notRegularFile)
            #expect(code { try importing("1\t1\tx\n").run(writer) } == .sessionLocked)
        }
    }

    @Test func `what another program adds between the comparison and the append is not added again`() throws {
        // That its last line has no end is seen under the lock.
        let path = scene.markers
        let before = try path.text()
        try path.write(String(before.dropLast()))
        let other =
            #"{"id":"\#(number(60))","offset_ms":1000,"created_at":"2026-02-04T20:00:00Z","source":"user","label":"x"}"#
        let writer = scene.writer { step, file throws(Errno) in
            guard step == .write, file.lastComponent == path.lastComponent,
                let text = try? path.text(), !text.contains("\(number(60))")
            else { return }
            do { try path.write(text + "\n\(other)") } catch { throw .ioError }
        }
        let results = try importing("1\t1\tx\n2\t2\ty\n").runBesideOthers(writer).items.map(\.result)
        #expect(results == [.alreadyThere, .added])
        #expect(try lines().count { $0.contains("\"offset_ms\":1000,") } == 1)
        #expect(try lines().count { $0.contains("\"offset_ms\":2000,") } == 1)
    }

    @Test func `a marker that was edited is compared as it is now`() throws {
        // 10000 ms, with the label of its last line.
        #expect(try results("10\t10\ta\n") == [.alreadyThere])
        var edit = RecordEdit()
        edit.values = [("label", JSONText("b"))]
        try scene.edit(10, edit)
        #expect(try results("10\t10\ta\n10\t10\tb\n") == [.added, .alreadyThere])
    }

    @Test func `white space at the ends of a label, or more of it between words, is no difference`() throws {
        var edit = RecordEdit()
        edit.values = [("label", JSONText(" late  groove "))]
        try scene.edit(10, edit)
        for label in ["late groove", " late groove", "late  groove", "late groove ", "late groove  "] {
            #expect(try results("offset_ms,label\n10000,\"\(label)\"\n", .csv) == [.alreadyThere])
        }
        #expect(try results("offset_ms,label\n10000,\"lategroove\"\n", .csv) == [.added])
        edit.values = [("label", JSONText("groove"))]
        try scene.edit(10, edit)
        #expect(try results("offset_ms,label\n10000,\" groove\"\n", .csv) == [.alreadyThere])
    }

    @Test func `a whole record comes in byte for byte`() throws {
        let line = """
            {"source" : "user","id":"\(number(50))", "offset_ms":7000,"created_at":"2026-02-04T20:00:00Z"}
            """
        #expect(try results(line + "\n", .jsonl) == [.added])
        #expect(try lines().last.map(String.init) == line)
    }

    @Test
    func `a value of a record that breaks the format is left out, and a marker without a place is not one`()
        throws
    {
        let line = """
            {"source":"user","id":"\(number(50))","offset_ms":7000,"created_at":"2026-02-04T20:00:00Z","tags":["Loud!","x"]}
            """
        let notices = try ExchangeSample.read(Array(line.utf8), .jsonl).notices.map(\.message)
        #expect(notices.count == 1)
        #expect(notices.first?.hasSuffix("[tag-malformed]; the value is left out") == true, "\(notices)")
        #expect(try importing(line + "\n", .jsonl).run(scene.writer()).items.map(\.marker.tags) == [["x"]])
        let before = try scene.markers.text()
        #expect(try importing("{\"label\":\"x\"}\n", .jsonl).run(scene.writer()).count(.added) == 0)
        // A reader does not know from where the times count, and so not which is before the session.
        let labels = try importing("-1\t1\tnew\n")
        #expect(labels.problems.count == 1)
        #expect(throws: FileError.self) { try labels.run(scene.writer()) }
        #expect(try scene.markers.text() == before)
    }

    @Test func `a record whose id is not one comes once with a new one`() throws {
        let line = #"{"id":"marker-1","offset_ms":7000,"label":"x","duration_ms":-5,"source":"me"}"#
        let notices = try ExchangeSample.read(Array(line.utf8), .jsonl).notices
        #expect(notices.map(\.thing) == [.value, .value, .value], "\(notices)")
        #expect(try results(line + "\n", .jsonl) == [.added])
        #expect(try results(line + "\n", .jsonl) == [.alreadyThere])
    }

    @Test func `times are compared as fine as the format tells them`() throws {
        var edit = RecordEdit()
        edit.values = [("offset_ms", JSONText(Int64(12_340)))]
        try scene.edit(10, edit)
        #expect(try results("0:00 Start\n0:12 a\n", .youtube) == [.alreadyThere])
        #expect(try results("0:13 a\n", .youtube) == [.added])
    }

    @Test func `an id that is there is passed over, and what differs stays`() throws {
        let before = try scene.files()
        let same = "id,offset_ms,label\n\(number(10)),10000,a\n"
        #expect(try results(same, .csv) == [.alreadyThere])
        #expect(try results("id,offset_ms,label\n\(number(10)),10000,z\n", .csv) == [.differs])
        #expect(try scene.files() == before)
        // Markers that bear ids are others, however alike.
        let two = "id,offset_ms,label\n\(number(50)),7,n\n\(number(51)),7,n\n"
        #expect(try results(two, .csv) == [.added, .added])
        #expect(try results(two, .csv) == [.alreadyThere, .alreadyThere])
    }

    @Test func `an id of another record gives way, and a reference to nothing is left out`() throws {
        let text =
            "id,offset_ms,voice_note_id\n\(number(11)),7,\(number(99))\n\(number(52)),8,\(number(11))\n"
        let plan = try importing(text, .csv).run(scene.writer())
        #expect(plan.notices.count == 2)
        let lines = try lines()
        #expect(!lines.contains { $0.contains("\"id\":\"\(number(11))\"") || $0.contains("\(number(99))") })
        #expect(lines.last?.contains("\"voice_note_id\":\"\(number(11))\"") == true)
        #expect(
            try Inspection(of: scene.session.path).findings.filter {
                $0.rule.id == "marker-voice-note-missing"
            } == [])
    }

    @Test func `a record is taken byte for byte`() throws {
        let line = """
            {"source":"system","offset_ms" : 1.5e1,"id":"\(number(60))","created_at":"2026-02-04T20:54:41Z","tags":["x"] }
            """
        #expect(try results(line + "\n", .jsonl) == [.added])
        #expect(try lines().last ?? "" == line)
    }

    @Test func `of an id that stands twice in the file the last counts`() throws {
        let plan = try importing(
            "id,offset_ms,label\n\(number(60)),1,a\n\(number(60)),2,b\n", .csv
        ).run(scene.writer())
        #expect(plan.items.map(\.marker.label) == ["b"])
    }

    @Test func `what would break the format has a place`() throws {
        let problems = try importing("1\t1\tx\n-1\t-1\ty\n").problems
        #expect(
            problems.map(\.description) == [
                "x:2 (byte 6): offset_ms is -1000, but must not be negative [number-negative]\n  hint: \(Rule.numberNegative.cureText)"
            ])
    }

    @Test func `the largest offset that a record may have comes from a table, too`() throws {
        #expect(try results("offset_ms,label\n9223372036854775807,x\n", .csv) == [.added])
        #expect(try lines().last?.contains("\"offset_ms\":9223372036854775807,") == true)
    }

    @Test func `an import that was taken back can be done again`() throws {
        let before = try scene.files()
        #expect(try results("1\t1\tx\n2\t2\ty\n") == [.added, .added])
        #expect(try scene.undo() == ["removed 2 lines from markers.jsonl"])
        #expect(try scene.files() == before)
        #expect(try results("1\t1\tx\n2\t2\ty\n") == [.added, .added])
    }

    @Test func `an import of which a marker was edited or named since is not taken back`() throws {
        let ids = "id,offset_ms,label\n\(number(60)),1,a\n\(number(61)),2,b\n"
        #expect(try results(ids, .csv) == [.added, .added])
        var edit = RecordEdit()
        edit.values = [("label", JSONText("c"))]
        try scene.edit(61, edit)
        let edited = try scene.files()
        _ = try scene.undo()
        #expect(try scene.files() != edited)
        try scene.notes.write(
            scene.notes.text()
                + EditingScene.note.replacing("\(number(10))", with: "\(number(60))").replacing(
                    "\(number(11))", with: "\(number(62))") + "\n")
        #expect(code(of: StoreError.self) { try scene.undo() } == .unsafeToUndo)
        let again = try scene.files()
        #expect(try scene.files() == again)
    }

    @Test func `killed before any step, and done once more, it ends as undisturbed`() async throws {
        let text = "1\t1\tx\n2\t2\ty\n3\t3\tz\n"
        let steps = Steps()
        _ = try importing(text).run(scene.writer { step, _ throws(Errno) in _ = steps.add(step) })
        let expected = try Self.plain(scene)
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int, text = text as String] in
                let steps = Steps()
                let scene = EditingScene(at: FilePath(path))
                _ = try importing(text).run(
                    scene.writer { step, _ throws(Errno) in
                        if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                    })
            }
            _ = try importing(text).run(scene.writer())
            #expect(try Self.plain(scene) == expected, "killed before step \(fatal)")
        }
    }

    /// The markers, without what is another each time.
    private static func plain(_ scene: EditingScene) throws -> String {
        try scene.markers.text().replacing(#/"id":"[^"]+"/#, with: "").replacing(
            #/"created_at":"[^"]+"/#, with: "")
    }
}
