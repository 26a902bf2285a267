import FileHarness
import Glibc
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceStore

/// Repairs of practice journals, in the directory.
struct JournalRepairTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
    }

    private func repair(
        settled settleTime: Duration = .zero, failPoint: FailPoint? = nil
    ) -> JournalRepair {
        var writer = JournalWriter(scene.journal, formats: JournalScene.formats)
        writer.failPoint = failPoint
        return JournalRepair(
            writer, keptIn: scene.queue.state, settleTime: settleTime, now: { Scene.now })
    }

    @discardableResult
    private func repaired(_ document: String) throws -> RepairRun.Outcome {
        try scene.journal.appending("practice-state.json").write(document)
        let outcome = try repair().run()
        // What is repaired has nothing to repair, and is not touched.
        let before = try tree(of: scratch.path)
        let again = try repair().run()
        #expect(again.plan.fixes == [] && again.kept == [])
        #expect(try tree(of: scratch.path) == before)
        return outcome
    }

    @Test func `a sound journal has nothing to repair`() throws {
        let outcome = try repaired(JournalScene.document)
        #expect(outcome.plan.fixes == [] && outcome.plan.waiting.isEmpty)
        #expect(outcome.plan.id == JournalScene.id)
        #expect(try scene.text() == JournalScene.document)
    }

    @Test(arguments: [
        (
            #"{"studyEvents":[],"scoreEntries":[{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","gameID":"GaB12","score":1.50,"timestamp":794080800.25}]}"#,
            #"{"studyEvents":[],"scoreEntries":[{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","gameID":"GaB12","score":1.50,"timestamp":1772388000250}]}"#,
            ["time-unit"]
        ),
        (
            #"{"schemaVersion":4, "gameSummaryNotes":{"GaB12":"x" , " ":"y"}, "odd":[1e2]}"#,
            #"{"schemaVersion":4, "gameSummaryNotes":{"GaB12":"x"}, "odd":[1e2]}"#,
            ["blank-key"]
        ),
        ("\u{FEFF}" + JournalScene.document, JournalScene.document, ["byte-order-mark"]),
    ])
    func `only what is wrong is changed, and the old file is kept`(
        damaged: String, expected: String, fixes: [String]
    ) throws {
        let outcome = try repaired(damaged)
        #expect(outcome.plan.fixes.map(\.kind.rawValue) == fixes)
        #expect(try scene.text() == expected)
        let kept = try #require(outcome.kept.first)
        let old = try OpenDirectory(kept).readFile("practice-state.json")?.contents
        #expect(old == Array(damaged.utf8))
    }

    @Test func `records that a write has left twice are there once again, and others of an id stay`() throws {
        let score = JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#)
        try scene.perform(score, 10)
        let expected = try scene.text()
        // As versions left them that made a write again where another program touched the document meanwhile.
        try scene.perform(score, 10)
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 5, 5])
        let other =
            #"{"id": "6f9619ff-8b86-d011-b42d-00c04fc964ff", "gameID": "GaB12", "score": 2, "context": "practice", "timestamp": 1772300000000}"#
        func differing(_ text: String) -> String {
            text.replacing(#""scoreEntries": ["#, with: #""scoreEntries": [\#n    \#(other),"#)
        }
        let outcome = try repaired(differing(scene.text()))
        #expect(
            outcome.plan.fixes.map(\.description) == [
                "practice-state.json: remove a record of scoreEntries that is equal to an earlier one with its id [repeated-record]",
                "practice-state.json: remove a record of journalEntries that is equal to an earlier one with its id [repeated-record]",
            ])
        #expect(try scene.text() == differing(expected))
        #expect(outcome.plan.unresolved.map(\.rule) == [.practiceIDDuplicate])
        // What is written next neither brings them back nor takes the others along.
        try scene.perform(JournalScene.entry(11, "browse", #"{"game":"GaB12"}"#), 11)
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.5, 2, 5])
        #expect(try scene.send(score, 10).result.name == "already-applied")
    }

    @Test func `a plan writes nothing`() throws {
        try scene.journal.appending("practice-state.json").write("\u{FEFF}" + JournalScene.document)
        let before = try tree(of: scratch.path)
        #expect(try repair().plan().fixes.count == 1)
        #expect(try tree(of: scratch.path) == before)
    }

    @Test func `the older shape becomes schema 4, and can be written afterwards`() throws {
        let outcome = try repaired(
            #"{"scores":[{"id":"s1","gameSlug":"deep-reef","score":7,"context":"practice","timestampMs":1772300000000}]}"#
        )
        #expect(outcome.plan.fixes.map(\.kind) == [.olderShape])
        #expect(try scene.read().scoreEntries.map(\.score) == [7])
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"GaB12","score":5}"#), 10)
        #expect(try scene.read().scoreEntries.map(\.score) == [7, 5])
    }

    @Test(arguments: [
        #"{"scoreEntries":[{"id":"#, #"[]"#, "", #"{"scores":[],"scoreEntries":[]}"#,
        #"{"schemaVersion":5,"scoreEntries":[{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","timestamp":794080800}]}"#,
    ])
    func `what can't be read whole is left to a person`(document: String) throws {
        let outcome = try repaired(document)
        #expect(outcome.plan.isEmpty && !outcome.plan.unresolved.isEmpty)
        #expect(try scene.text() == document)
    }

    private static let otherFiles: [(name: String, text: String?, rule: Rule)] = [
        ("slots.json", "[", .jsonSyntax), ("slots.json", nil, .fileUnreadable),
        ("activity.json", "{", .jsonSyntax), ("replicas/refused.json", "[", .jsonSyntax),
        ("library/cache-manifest.json", "{", .jsonSyntax),
        ("library/pinball_library_v3.json", "{", .jsonSyntax),
        ("league/LPL_Stats.csv", "name\n", .leagueColumnMissing),
    ]

    @Test(arguments: otherFiles)
    func `what is wrong with any other file is left to a person, too`(
        name: String, text: String?, rule: Rule
    ) throws {
        let path = scene.journal.appending(name)
        try OpenDirectory.make(path.removingLastComponent())
        // Nil is a directory in its place.
        if let text { try path.write(text) } else { try OpenDirectory.make(path) }
        let outcome = try repair().run()
        #expect(outcome.plan.isEmpty)
        let found = outcome.plan.unresolved.filter { $0.place.file == name }
        #expect(!found.isEmpty && found.allSatisfy { $0.rule == rule })
        if let text { #expect(try path.text() == text) }
    }

    @Test func `marks before the header and before the log go, too`() throws {
        let header = try scene.text("practice.json")
        try scene.journal.appending("practice.json").write("\u{FEFF}\u{FEFF}" + header)
        try scene.journal.appending("activity.json").write("\u{FEFF}[]")
        let outcome = try repaired(JournalScene.document)
        #expect(outcome.plan.fixes.map(\.file) == ["activity.json", "practice.json"])
        #expect(try scene.text("practice.json") == header)
        #expect(try scene.text("activity.json") == "[]")
    }

    @Test func `a file that has not rested waits`() throws {
        try scene.journal.appending("practice-state.json").write("\u{FEFF}" + JournalScene.document)
        let outcome = try repair(settled: .seconds(3600)).run()
        #expect(outcome.plan.isEmpty)
        #expect(outcome.plan.waiting.map(\.file) == ["practice-state.json"])
    }

    @Test func `a write that was cut short is not lost to a repair`() throws {
        try scene.journal.appending("practice-state.json").write("\u{FEFF}" + JournalScene.document)
        try scene.put(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        try scene.drain(failPoint: { step, path throws(Errno) in
            if step == .rename, path.lastComponent == "practice-state.json" { throw .ioError }
        })
        let outcome = try repair().run()
        #expect(outcome.plan.fixes.map(\.kind) == [.unfinishedWrite, .byteOrderMark])
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 5])
        #expect(try !scene.text().hasPrefix("\u{FEFF}"))
        #expect(try scene.drain() == ["10 already-applied"])
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 5])
    }

    @Test func `a repair that is killed at any step is done by the next`() async throws {
        let damaged =
            #"{"scoreEntries":[{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","gameID":"GaB12","score":1,"timestamp":794080800}]}"#
        let document = scene.journal.appending("practice-state.json")
        try document.write(damaged)
        let steps = Steps()
        _ = try repair(failPoint: { step, _ throws(Errno) in _ = steps.add(step) }).run()
        let expected = try scene.text()
        #expect(steps.all.count > 4 && expected.contains("1772388000000"))
        for fatal in 1...steps.all.count {
            try document.write(damaged)
            try await Self.killRepair(in: scratch.path, before: fatal)
            let cut = try scene.text()
            #expect(cut == damaged || cut == expected, "killed before step \(fatal)")
            _ = try repair().run()
            #expect(try scene.text() == expected, "killed before step \(fatal)")
        }
    }

    private static func killRepair(in root: FilePath, before fatal: Int) async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = root.string as String, fatal] in
            let scene = JournalScene(at: FilePath(path))
            var writer = JournalWriter(scene.journal, formats: JournalScene.formats)
            let steps = Steps()
            writer.failPoint = { step, _ throws(Errno) in
                if steps.add(step) == fatal { kill(getpid(), SIGKILL) }
            }
            _ = try JournalRepair(
                writer, keptIn: scene.queue.state, settleTime: .zero, now: { Scene.now }
            ).run()
        }
    }
}
