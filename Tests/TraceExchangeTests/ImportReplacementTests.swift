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

/// What an earlier import brought, given again.
struct ImportReplacementTests {
    let scratch: ScratchDirectory
    let scene: EditingScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try EditingScene(in: scratch.path)
    }

    private static func reading(
        _ text: String, _ format: ExchangeFormat = .audacity, at path: FilePath? = "/home/ann/labels.txt",
        times factor: Int64 = 1
    ) throws -> MarkerImport {
        let format = try format.format(ExchangeContext())
        var markers = try MarkerImport(format)
        var intake = MarkerSink { marker in
            var marker = marker
            marker.offset = SessionOffset(milliseconds: marker.offset.milliseconds * factor)
            markers.add(marker)
        }
        format.read(ImportSource(Array(text.utf8), file: "x"), into: &intake)
        markers.source = ImportedFile(Array(text.utf8), at: path)
        return markers
    }

    @discardableResult
    private func add(
        _ text: String, _ format: ExchangeFormat = .audacity, at path: FilePath? = "/home/ann/labels.txt"
    ) throws -> MarkerImport.Plan {
        try Self.reading(text, format, at: path).run(scene.writer())
    }

    @discardableResult
    private func replace(
        _ text: String, _ format: ExchangeFormat = .audacity, at path: FilePath? = "/home/ann/labels.txt",
        times factor: Int64 = 1, _ choice: ReplacedImport = .sameFile
    ) throws -> MarkerImport.Plan {
        try Self.reading(text, format, at: path, times: factor).run(scene.writer(), replacing: choice)
    }

    /// The markers besides those of the scene: offset, label, tags, and what else was written into them.
    private func markers() throws -> [String] { try Self.markers(of: scene) }

    private static func markers(of scene: EditingScene) throws -> [String] {
        var markers: [ULID: Marker] = [:]
        try OrderedMarkers(in: SessionReader(scene.session.path)).forEach { markers[$0.id] = $0 }
        return markers.values.filter { $0.id != number(10) && $0.id != number(12) }
            .sorted { ($0.offset, $0.label ?? "") < ($1.offset, $1.label ?? "") }
            .map { marker in
                "\(marker.offset.milliseconds) \(marker.label ?? "")"
                    + (marker.tags.isEmpty ? "" : " \(marker.tags.joined(separator: ","))")
                    + (marker.note.map { " (\($0))" } ?? "")
            }
    }

    private func id(_ label: String) throws -> ULID {
        var found: ULID?
        try OrderedMarkers(in: SessionReader(scene.session.path)).forEach {
            if $0.label == label { found = $0.id }
        }
        return try #require(found)
    }

    private func edit(_ label: String, _ values: [(String, JSONText)], tags: [String] = []) throws {
        var edit = RecordEdit()
        edit.values = values.map { (name: $0.0, text: $0.1) }
        edit.addedTags = tags
        _ = try scene.writer().editMarker(id(label)) { _ in edit }
    }

    private func removeMarker(_ label: String) throws {
        _ = try MarkerRemoval(scene.writer(), queue: scene.scene.queue).remove(id(label))
    }

    private static let text = "1\t1\ta\n2\t2\tb\n3\t3\tc\n"

    @Test func `the same file with other times gives its markers these, and one undo gives the old ones`()
        throws
    {
        let before = try scene.files()
        try add(Self.text)
        let ids = try [id("a"), id("b"), id("c")]
        let first = try scene.files()
        let plan = try replace(Self.text, times: 2)
        #expect(plan.count(.replaced) == 3 && plan.count(.added) == 0 && plan.removed.isEmpty)
        #expect(try markers() == ["2000 a", "4000 b", "6000 c"])
        #expect(try [id("a"), id("b"), id("c")] == ids)
        #expect(plan.notices.isEmpty)
        try scene.undo()
        #expect(try scene.files() == first)
        try scene.undo()
        #expect(try scene.files() == before)
    }

    @Test func `given again as they are, nothing is written`() throws {
        try add(Self.text)
        let before = try scene.files()
        let writes = try scene.list()
        let plan = try replace(Self.text)
        #expect(plan.count(.alreadyThere) == 3 && plan.changesNothing)
        #expect(try scene.files() == before && scene.list() == writes)
    }

    @Test func `what was edited since keeps that and gets the rest, and what was removed stays away`() throws
    {
        try add("1\t1\ta\n2\t2\tb\n3\t3\tc\n4\t4\td\n")
        try edit("b", [("label", JSONText("B, louder")), ("note", JSONText("mine"))], tags: ["highlight"])
        try edit("c", [("offset_ms", JSONText(Int64(3100)))])
        try removeMarker("d")
        let edited = try scene.files()
        let plan = try replace("1\t1\ta\n2\t2\tb\n3\t3\tc\n4\t4\td\n", times: 2)
        #expect(try markers() == ["2000 a", "3100 c", "4000 B, louder highlight (mine)"])
        #expect(plan.count(.staysRemoved) == 1)
        #expect(
            plan.notices.map(\.message) == [
                "2 markers were edited since: what was changed in them stays",
                "the marker 'd' was removed since: it stays away",
            ])
        try scene.undo()
        #expect(try scene.files() == edited)
    }

    @Test func `of another version of the file, what is gone goes, and what is new comes`() throws {
        try add("1\t1\ta\n2\t2\tb\n3\t3\tc\n4\t4\td\n")
        try edit("c", [("note", JSONText("mine"))])
        let first = try scene.files()
        let plan = try replace("1\t1\ta\n4.5\t4.5\td\n9\t9\te\n")
        #expect(try markers() == ["1000 a", "3000 c (mine)", "4500 d", "9000 e"])
        #expect(plan.removed.map(\.label) == ["b"])
        #expect(plan.count(.added) == 1 && plan.count(.replaced) == 1 && plan.count(.alreadyThere) == 1)
        #expect(
            plan.notices.map(\.message) == [
                "the marker 'c' is not in the file any more, but was edited or named by a voice note since: it stays"
            ])
        // What is put back stands behind the others.
        try scene.undo()
        #expect(try markers() == ["1000 a", "2000 b", "3000 c (mine)", "4000 d"])
        #expect(
            try Set(scene.files()["markers.jsonl"]?.split(separator: "\n") ?? [])
                == Set(first["markers.jsonl"]?.split(separator: "\n") ?? []))
        // Given again, the version before is whole again.
        try replace("1\t1\ta\n4.5\t4.5\td\n9\t9\te\n")
        try replace("1\t1\ta\n2\t2\tb\n3\t3\tc\n4\t4\td\n")
        #expect(try markers() == ["1000 a", "2000 b", "3000 c (mine)", "4000 d"])
    }

    @Test func `a marker that a voice note names stays`() throws {
        try add(Self.text)
        try scene.notes.write(
            scene.notes.text()
                + EditingScene.note.replacing("\(number(10))", with: "\(id("b"))").replacing(
                    "\(number(11))", with: "\(number(62))") + "\n")
        let plan = try replace("1\t1\ta\n")
        #expect(try markers() == ["1000 a", "2000 b"])
        #expect(plan.removed.map(\.label) == ["c"])
    }

    @Test func `markers of one title are told apart by their order, of another version by their times`()
        throws
    {
        let fills = "1\t1\tFill\n2\t2\tFill\n3\t3\tFill\n"
        try add(fills)
        try edit("Fill", [("note", JSONText("the third"))])
        #expect(try markers() == ["1000 Fill", "2000 Fill", "3000 Fill (the third)"])
        try replace(fills, times: 2)
        #expect(try markers() == ["2000 Fill", "4000 Fill", "6000 Fill (the third)"])
        // Which of them is the edited one can't be known where none is at its time.
        try replace("2\t2\tFill\n4\t4\tFill\n5\t5\tFill\n6\t6\tFill\n")
        #expect(try markers() == ["2000 Fill", "4000 Fill", "5000 Fill", "6000 Fill (the third)"])
    }

    @Test func `an import that replaced one can be replaced`() throws {
        try add(Self.text)
        try replace(Self.text, times: 2)
        try replace(Self.text, times: 3)
        #expect(try markers() == ["3000 a", "6000 b", "9000 c"])
        try replace("1\t1\ta\n2\t2\tb\n")
        #expect(try markers() == ["1000 a", "2000 b"])
        for _ in 1...3 { try scene.undo() }
        #expect(try markers() == ["1000 a", "2000 b", "3000 c"])
    }

    @Test func `several imports of one content are replaced together`() throws {
        try add(Self.text)
        _ = try Self.reading(Self.text, times: 2).run(scene.writer())
        #expect(try markers().count == 6)
        try replace(Self.text, times: 3)
        #expect(try markers() == ["3000 a", "6000 b", "9000 c"])
    }

    @Test func `of a name that was imported with several contents the last is replaced, and that is said`()
        throws
    {
        try add("1\t1\ta\n")
        try add("2\t2\tb\n")
        let plan = try replace("2.5\t2.5\tb\n")
        #expect(try markers() == ["1000 a", "2500 b"])
        #expect(
            plan.notices.map(\.message) == [
                "1 earlier import of a file of this name with other contents stays as it is"
            ])
    }

    @Test func `an import is named by its id or the name of its file`() throws {
        try add(Self.text)
        #expect(code(of: StoreError.self) { try replace("1\t1\ta\n", at: "/elsewhere.txt") } == .noSuchImport)
        #expect(
            code(of: StoreError.self) { try replace("1\t1\ta\n", at: nil, .named("other.txt")) }
                == .noSuchImport)
        #expect(try markers() == ["1000 a", "2000 b", "3000 c"])
        try replace("1\t1\ta\n", at: "/elsewhere.txt", .named("labels.txt"))
        #expect(try markers() == ["1000 a"])
        let log = UndoLog(state: scene.scene.queue.state)
        let last = try #require(
            Undo(log, queue: scene.scene.queue) { _ in [] }.list(user: geteuid()).first?.first?.write.id)
        try replace("1\t1\tz\n", at: nil, .named(last.description))
        #expect(try markers() == ["1000 z"])
    }

    @Test func `where no import is known, the error names what can be done`() throws {
        func problem(_ choice: ReplacedImport) -> String? {
            do { try replace("5\t5\tx\n", at: nil, choice) } catch { return "\(error)" }
            return nil
        }
        #expect(
            problem(.sameFile)?.hasSuffix(
                "no earlier import of this file into the session is known [no-such-import]\n  hint: import it without --replace; 'trace marker remove' removes markers of one that was made elsewhere"
            ) == true, "\(problem(.sameFile) ?? "")")
        try add(Self.text)
        #expect(problem(.sameFile)?.contains("hint: give one with --replace-import: ") == true)
        #expect(problem(.sameFile)?.contains(" ('labels.txt')") == true)
        try scene.undo()
        #expect(code(of: StoreError.self) { try replace(Self.text) } == .noSuchImport)
    }

    @Test func `markers that bring their ids are known by them`() throws {
        let ids = "id,offset_ms,label,tags\n\(number(60)),1,a,x\n\(number(61)),2,b,\n"
        try add(ids, .csv)
        let plan = try replace(
            "id,offset_ms,label,tags\n\(number(61)),5,c,y\n\(number(60)),1,a,z\n", .csv,
            at: "/home/ann/labels.txt")
        #expect(plan.count(.replaced) == 2)
        #expect(try markers() == ["1 a z", "5 c y"])
    }

    @Test func `tags change one by one`() throws {
        try add("offset_ms,label,tags\n1,q,x y\n", .csv)
        try edit("q", [], tags: ["mine"])
        try replace("offset_ms,label,tags\n1,q,y z\n", .csv)
        #expect(try markers() == ["1 q y,mine,z"])
    }

    @Test func `an edit stays also when the import is replaced once more`() throws {
        try add("1\t1\tp\n2\t2\tq\n")
        try edit("q", [("note", JSONText("mine")), ("label", JSONText("Q"))])
        for factor in [2, 3] as [Int64] { try replace("1\t1\tp\n2\t2\tq\n", times: factor) }
        #expect(try markers() == ["3000 p", "6000 Q (mine)"])
        // A value that the file has otherwise twice, too.
        try edit("Q", [("offset_ms", JSONText(Int64(6100)))])
        for factor in [4, 5] as [Int64] { try replace("1\t1\tp\n2\t2\tq\n", times: factor) }
        #expect(try markers() == ["5000 p", "6100 Q (mine)"])
        for _ in 1...2 { try scene.undo() }
        #expect(try markers() == ["3000 p", "6100 Q (mine)"])
    }

    @Test func `what is long is kept apart, and comes back`() throws {
        let many = (1...2000).map { "\($0)\t\($0)\tlabel \($0)\n" }.joined()
        try add(many)
        let first = try markers()
        let plan = try replace((1...2000).map { "\($0)\t\($0)\tother \($0)\n" }.joined())
        #expect(plan.count(.added) == 2000 && plan.removed.count == 2000)
        #expect(try markers().count == 2000)
        try scene.undo()
        #expect(try markers() == first)
    }

    @Test func `what another program changes meanwhile is not lost`() throws {
        try add(Self.text)
        let path = scene.markers
        let line = try #require(path.text().split(separator: "\n").last { $0.contains("\"label\":\"b\"") })
        let edited = line.replacing("\"label\":\"b\"", with: "\"label\":\"theirs\"")
        let writer = scene.writer { step, file throws(Errno) in
            guard step == .write, file.lastComponent == path.lastComponent, let text = try? path.text(),
                !text.contains("theirs")
            else { return }
            do { try path.write(text + edited + "\n") } catch { throw .ioError }
        }
        let markers = try Self.reading(Self.text, times: 2)
        #expect(code { try markers.run(writer, replacing: .sameFile) } == .changedMeanwhile)
        #expect(try self.markers() == ["1000 a", "2000 theirs", "3000 c"])
        _ = try markers.run(scene.writer(), replacing: .sameFile)
        #expect(try self.markers() == ["2000 a", "4000 theirs", "6000 c"])
    }

    private static let other = "2\t2\ta\n4\t4\tb\n9\t9\te\n"

    @Test func `killed before any step, and done once more, it ends as undisturbed, and is taken back whole`()
        async throws
    {
        let steps = Steps()
        try add(Self.text)
        let first = try markers()
        _ = try Self.reading(Self.other).run(
            scene.writer { step, _ throws(Errno) in _ = steps.add(step) }, replacing: .sameFile)
        let expected = try markers()
        #expect(expected == ["2000 a", "4000 b", "9000 e"])
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            _ = try Self.reading(Self.text).run(scene.writer())
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                let scene = EditingScene(at: FilePath(path))
                _ = try Self.reading(Self.other).run(
                    scene.writer { step, _ throws(Errno) in
                        if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                    }, replacing: .sameFile)
            }
            let left = try Self.markers(of: scene)
            #expect(left == first || left == expected, "killed before step \(fatal)")
            _ = try Self.reading(Self.other).run(scene.writer(), replacing: .sameFile)
            #expect(try Self.markers(of: scene) == expected, "killed before step \(fatal)")
            #expect(try scene.unfinished() == 0)
            try scene.undo()
            #expect(try Self.markers(of: scene) == first, "killed before step \(fatal)")
        }
    }

    @Test func `killed before any step, what is there of it is taken back by undo`() async throws {
        let steps = Steps()
        try add(Self.text)
        let first = try markers()
        _ = try Self.reading(Self.other).run(
            scene.writer { step, _ throws(Errno) in _ = steps.add(step) }, replacing: .sameFile)
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try EditingScene(in: scratch.path)
            let before = try Self.markers(of: scene)
            _ = try Self.reading(Self.text).run(scene.writer())
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, fatal = fatal as Int] in
                let steps = Steps()
                let scene = EditingScene(at: FilePath(path))
                _ = try Self.reading(Self.other).run(
                    scene.writer { step, _ throws(Errno) in
                        if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                    }, replacing: .sameFile)
            }
            // Nothing is lost, whatever the log knows of it.
            let writes = try scene.list()
            try scene.undo()
            let undone = try Self.markers(of: scene)
            #expect(undone == (writes.count == 2 ? first : before), "killed before step \(fatal)")
            if writes.count == 2 { try scene.undo() }
            #expect(try Self.markers(of: scene) == before, "killed before step \(fatal)")
        }
    }
}
