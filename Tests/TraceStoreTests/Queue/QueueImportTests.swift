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

/// What the phone app exported, put into the local spool.
struct QueueImportTests {
    let scratch: ScratchDirectory
    let scene: QueueScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try Self.makeScene(in: scratch.path)
    }

    static func makeScene(in root: FilePath) throws -> QueueScene {
        let scene = try QueueScene(in: root)
        try root.appending("memo.m4a").write(QueueScene.sound)
        return scene
    }

    static let markers = """
        [
          {"tag": "highlight", "offset_ms": 1200, "created_at": "2026-02-04T20:00:01.200Z"},
          {"created_at":"2026-02-04T20:00:02Z","offset_ms":2e3,"tag":""}
        ]

        """
    static let notes = """
        [{"id":"\(number(11))","created_at":"2026-02-04T20:00:03Z","media_path":"media/\(number(11)).m4a",
          "offset_ms":3000,"duration_ms":700,"localFileName":"file:///var/mobile/memo.m4a"}]
        """

    static func run(
        _ scene: QueueScene, _ text: String, isDryRun: Bool = false, failPoint: FailPoint? = nil
    ) throws -> [String] {
        var queueImport = QueueImport(scene.queue, sessionID: SampleSession.id, device: "phone")
        queueImport.failPoint = failPoint
        let export = try PhoneExport(parsing: Array(text.utf8), file: "export.json")
        let source = QueueImport.Source(export, audioDirectory: scene.root)
        return try queueImport.run([source], isDryRun: isDryRun).map { $0.result.name }
    }

    @Test func `markers get an id from their content, and importing twice adds nothing`() throws {
        let text = Self.markers + Self.notes
        #expect(try Self.run(scene, text, isDryRun: true) == ["queued", "queued", "queued"])
        #expect(try scene.names(scene.local) == [])
        #expect(try Self.run(scene, text) == ["queued", "queued", "queued"])
        let spool = try tree(of: scene.local)
        #expect(try Self.run(scene, text) == ["already-queued", "already-queued", "already-queued"])
        #expect(try tree(of: scene.local) == spool)
        #expect(try scene.results().allSatisfy { $0.hasSuffix(" applied") })
        let lines = try scene.session("markers.jsonl").text()
        #expect(
            lines.replacing(#/"id":"[^"]+"/#, with: "ID") == """
                {ID,"offset_ms":1200,"created_at":"2026-02-04T20:00:01.200Z","source":"user","tags":["highlight"]}
                {ID,"offset_ms":2000,"created_at":"2026-02-04T20:00:02Z","source":"user","tags":[]}

                """)
        #expect(try scene.session("media").appending("\(number(11)).m4a").text() == QueueScene.sound)
        let after = try tree(of: scratch.path)
        let otherwise = Self.notes + " [\(Self.markers)]"
        #expect(
            try Self.run(scene, otherwise) == ["already-applied", "already-applied", "already-applied"])
        #expect(try scene.results() == [])
        #expect(try tree(of: scratch.path) == after)
        let findings = try Inspection(of: scene.session.path).findings
        #expect(findings.filter { $0.place.file != "session.json" } == [])
    }

    @Test func `an id made of content begins with its time, and differs where anything differs`() throws {
        _ = try Self.run(scene, Self.markers)
        let ids = try scene.queue.local.files().map(\.id)
        let first = ULID(milliseconds: 1_770_235_201_200, digest: [])
        #expect(ids.first?.description.prefix(10) == first.description.prefix(10))
        #expect(Set(ids).count == 2)
        _ = try Self.run(scene, Self.markers.replacing("1200,", with: "1201,"))
        #expect(try scene.queue.local.files().count == 3)
    }

    @Test func `audio that is missing is told, the rest is queued, and another import adds it`() throws {
        try #require(unlink(scratch("memo.m4a").string) == 0)
        #expect(try Self.run(scene, Self.markers + Self.notes) == ["queued", "queued", "audio-missing"])
        try scratch.write(QueueScene.sound, to: "memo.m4a")
        #expect(
            try Self.run(scene, Self.markers + Self.notes) == ["already-queued", "already-queued", "queued"])
    }

    @Test func `what was dropped is not queued again, and another of the id is a conflict`() throws {
        #expect(try Self.run(scene, Self.notes) == ["queued"])
        let other = Self.notes.replacing("3000", with: "3001")
        #expect(try Self.run(scene, other) == ["conflict"])
        _ = try scene.queueDrain().drop(try #require(EntryName("\(number(11))")))
        #expect(try Self.run(scene, Self.notes) == ["set-aside"])
        #expect(try scene.names(scene.local) == [])
    }

    @Test(arguments: [
        ("[{\"tag\":\"x\"\n,]", "export.json:2:2 (byte 13): expected a member name in quotes"),
        ("{}", "export.json:1:1 (byte 0): expected an array"),
        ("", "export.json:1:1 (byte 0): expected a value, but the text ends"),
        ("[\n 5]", "export.json:2:2 (byte 3): this is not an object"),
        (
            "[\n{\"tag\":\"x\",\"offset_ms\":-1,\"created_at\":\"2026-02-04T20:00:00Z\"}]",
            "export.json:2:1 (byte 2): offset_ms is missing, or not an integer of milliseconds, 0 or more"
        ),
        (
            "[{\"tag\":\"x\",\"offset_ms\":1,\"created_at\":\"today\"}]",
            "export.json:1:2 (byte 1): created_at is missing, or not a time such as 2026-02-04T20:00:00Z"
        ),
        (
            "[{\"tag\":\"So Loud\",\"offset_ms\":1,\"created_at\":\"2026-02-04T20:00:00Z\"}]",
            "export.json:1:2 (byte 1): payload: the key 'tags' contains 'So Loud', which is not a valid tag [tag-malformed]"
        ),
    ])
    func `what is wrong is told with its place, and nothing is queued`(text: String, message: String) throws {
        #expect {
            try Self.run(scene, text)
        } throws: { error in
            (error as? FormatError)?.message == message
        }
        #expect(try scene.names(scene.local) == [])
    }

    @Test func `a kill before any step, and another import, end as an undisturbed one`() async throws {
        let text = Self.markers + Self.notes
        let steps = Steps()
        let undisturbed = try ScratchDirectory()
        _ = try Self.run(Self.makeScene(in: undisturbed.path), text) { step, _ throws(Errno) in
            _ = steps.add(step)
        }
        let expected = try tree(of: undisturbed.path)
        #expect(steps.all.count > 5)
        for fatal in Torture.steps(steps.all.count) {
            let scratch = try ScratchDirectory()
            let scene = try Self.makeScene(in: scratch.path)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = scratch.path.string as String, text = text as String, fatal = fatal as Int] in
                let steps = Steps()
                _ = try Self.run(QueueScene(at: FilePath(path)), text) { step, _ throws(Errno) in
                    if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
                }
            }
            _ = try Self.run(scene, text)
            #expect(try tree(of: scratch.path) == expected, "killed before step \(fatal)")
        }
    }
}
