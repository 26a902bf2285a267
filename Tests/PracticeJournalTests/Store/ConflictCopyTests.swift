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

/// Copies of a journal's files that sync tools leave where two servers have written.
struct ConflictCopyTests {
    private static let mark = ".sync-conflict-20260315-120000-ABCDEFG"

    private static func repair(_ scene: JournalScene, settled settleTime: Duration = .zero) -> JournalRepair {
        JournalRepair(
            JournalWriter(scene.journal, formats: JournalScene.formats), keptIn: scene.queue.state,
            settleTime: settleTime, now: { Scene.now })
    }

    /// Puts a file of one journal into another with the time that it has, as sync tools do.
    private static func carry(
        _ name: String, from: JournalScene, to: JournalScene, as other: String? = nil
    ) throws {
        let component = try #require(FilePath.Component(name))
        let file = try #require(try OpenDirectory(from.journal).readFile(component))
        let path = to.journal.appending(other ?? name)
        try path.write(String(decoding: file.contents, as: UTF8.self))
        try setTime(path)
    }

    /// Files have the time of the scene's clock, as if they had just been written.
    private static func setTime(_ path: FilePath) throws {
        let seconds = Int(Scene.now.milliseconds / 1000)
        var times = Array(repeating: timespec(tv_sec: seconds, tv_nsec: 0), count: 2)
        try #require(path.withPlatformString { utimensat(AT_FDCWD, $0, &times, 0) } == 0)
    }

    private static func copyName(_ name: String) -> String {
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        return name[..<dot] + mark + name[dot...]
    }

    private static let files = ["practice-state.json", "sync.jsonl"]

    /// Two servers that had the same journal, and wrote into it apart: one has edited and deleted, each has added.
    private static func servers(
        _ scratch: ScratchDirectory
    ) throws -> (one: JournalScene, other: JournalScene) {
        let one = try JournalScene(in: scratch.path.appending("one"))
        try one.perform(JournalScene.entry(1, "score", #"{"game":"deep-reef","score":10}"#), 1)
        try one.perform(JournalScene.entry(2, "score", #"{"game":"deep-reef","score":20}"#), 2)
        let other = try JournalScene(in: scratch.path.appending("other"))
        for name in files { try carry(name, from: one, to: other) }
        try one.perform(JournalScene.entry(3, "score", #"{"game":"deep-reef","score":30}"#), 3)
        let row = DerivedID.id(of: number(1), .journal)
        try one.perform(JournalScene.entry(4, "delete", "{\"row\":\"\(row)\"}"), 4)
        try other.perform(JournalScene.entry(5, "score", #"{"game":"deep-reef","score":50}"#), 5)
        let edited = DerivedID.id(of: number(2), .journal)
        let patch = "{\"row\":\"\(edited)\",\"patch\":{\"score\":25}}"
        try other.perform(JournalScene.entry(6, "edit", patch), 6)
        for scene in [one, other] { try setTime(scene.journal.appending("practice-state.json")) }
        return (one, other)
    }

    /// What both come to.
    private static let scores = [1.5, 25, 30, 50]

    private static func scores(_ scene: JournalScene) throws -> [Double] {
        try scene.read().scoreEntries.map(\.score).sorted()
    }

    @Test func `two servers whose files a sync tool joined have the same records after a repair`() throws {
        let scratch = try ScratchDirectory()
        let (one, other) = try Self.servers(scratch)
        // The files of the first win, those of the other are kept as copies.
        for name in Self.files { try Self.carry(name, from: other, to: other, as: Self.copyName(name)) }
        for name in Self.files { try Self.carry(name, from: one, to: other) }
        let outcome = try Self.repair(other).run()
        #expect(outcome.plan.fixes.map(\.kind) == [.conflictCopy, .conflictCopy, .conflictCopy])
        #expect(try Self.scores(other) == Self.scores)
        #expect(try ConflictNames.all(in: other.journal) == [])
        for name in Self.files { try Self.carry(name, from: other, to: one) }
        try one.perform(JournalScene.entry(7, "browse", #"{"game":"GaB12"}"#), 7)
        #expect(try Self.scores(one) == Self.scores)
        // A second repair has nothing to do.
        #expect(try Self.repair(other).run().plan.fixes == [])
        // An entry that was delivered to either is known.
        for (id, score) in [(3, 30), (5, 50)] {
            let entry = JournalScene.entry(id, "score", "{\"game\":\"deep-reef\",\"score\":\(score)}")
            #expect(try other.send(entry, id).result.name == "already-applied")
        }
    }

    /// What two servers come to that have written apart, where a sync tool has let one document and one log win, and kept the others as
    /// copies.
    private static func repaired(
        _ one: JournalScene, _ other: JournalScene, documentOfOther: Bool, logOfOther: Bool, in root: FilePath
    ) throws -> (document: GoldenValue, plan: RepairPlan) {
        let scene = try JournalScene(in: root)
        for (name, isOther) in zip(files, [documentOfOther, logOfOther]) {
            try carry(name, from: isOther ? other : one, to: scene)
            try carry(name, from: isOther ? one : other, to: scene, as: copyName(name))
        }
        let outcome = try repair(scene).run()
        #expect(try ConflictNames.all(in: scene.journal) == [])
        return (GoldenValue(try scene.text().utf8), outcome.plan)
    }

    @Test(arguments: 0..<6)
    func `two servers end with the same document, whichever of the files a sync tool let win`(
        seed: Int
    ) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let scratch = try ScratchDirectory()
        let one = try JournalScene(in: scratch.path.appending("one"))
        for id in 1...4 {
            try one.perform(
                JournalScene.entry(id, "score", "{\"game\":\"deep-reef\",\"score\":\(id * 10)}", at: id), id)
        }
        let other = try JournalScene(in: scratch.path.appending("other"))
        for name in Self.files { try Self.carry(name, from: one, to: other) }
        // Each edits, deletes and adds what the other leaves alone.
        var expected: Set<Double> = [1.5, 10, 20, 30, 40]
        for (side, scene) in [one, other].enumerated() {
            for id in [1 + side, 3 + side].shuffled(using: &random) {
                let entry = 20 * (side + 1) + id
                let row = DerivedID.id(of: number(id), .journal)
                expected.remove(Double(id * 10))
                if Bool.random(using: &random) {
                    try scene.perform(
                        JournalScene.entry(entry, "delete", "{\"row\":\"\(row)\"}", at: entry), entry)
                } else {
                    let patch = "{\"row\":\"\(row)\",\"patch\":{\"score\":\(id * 10 + 5)}}"
                    try scene.perform(JournalScene.entry(entry, "edit", patch, at: entry), entry)
                    expected.insert(Double(id * 10 + 5))
                }
            }
            for extra in 0..<Int.random(in: 0...2, using: &random) {
                let id = 60 + side * 10 + extra
                try scene.perform(
                    JournalScene.entry(id, "score", "{\"game\":\"deep-reef\",\"score\":\(id)}", at: id), id)
                expected.insert(Double(id))
            }
        }
        var ends: [GoldenValue] = []
        for (number, (document, log)) in [(false, false), (false, true), (true, false), (true, true)]
            .enumerated()
        {
            let (end, plan) = try Self.repaired(
                one, other, documentOfOther: document, logOfOther: log,
                in: scratch.path.appending("\(number)"))
            #expect(!plan.unresolved.contains { $0.rule == .conflictCopy })
            let scores = try Scene.document(end.bytes).scoreEntries.map(\.score)
            #expect(scores.count == expected.count && Set(scores) == expected, "\(document), \(log)")
            ends.append(end)
        }
        #expect(ends.allSatisfy { $0 == ends[0] })
    }

    @Test func `a copy of the document that the log knows brings nothing back, and reverts nothing`() throws {
        let scratch = try ScratchDirectory()
        let scene = try JournalScene(in: scratch.path)
        try scene.perform(JournalScene.entry(1, "score", #"{"game":"deep-reef","score":10}"#), 1)
        try scene.perform(JournalScene.entry(2, "score", #"{"game":"deep-reef","score":20}"#), 2)
        let name = "practice-state.json"
        try Self.carry(name, from: scene, to: scene, as: Self.copyName(name))
        let (gone, edited) = (DerivedID.id(of: number(1), .journal), DerivedID.id(of: number(2), .journal))
        try scene.perform(JournalScene.entry(3, "delete", "{\"row\":\"\(gone)\"}", at: 1), 3)
        let patch = "{\"row\":\"\(edited)\",\"patch\":{\"score\":25}}"
        try scene.perform(JournalScene.entry(4, "edit", patch, at: 2), 4)
        let document = try scene.text()
        let plan = try Self.repair(scene).run().plan
        #expect(plan.fixes.map(\.kind) == [.conflictCopy])
        #expect(plan.unresolved.isEmpty)
        #expect(try scene.text() == document)
    }

    @Test func `a copy that no log knows brings what is new in it, and nothing back`() throws {
        let scratch = try ScratchDirectory()
        let scene = try JournalScene(in: scratch.path)
        for id in [1, 2] {
            let score = "{\"game\":\"deep-reef\",\"score\":\(id * 10)}"
            try scene.perform(JournalScene.entry(id, "score", score, at: id), id)
        }
        // An app has added a score there, later than all that follows here.
        let later = Scene.now.milliseconds + 3_600_000
        let copy = try scene.text().replacing(
            #""mood": "fine"}"#,
            with: #""mood": "fine"}, {"id":"b","gameID":"Gk9Xy","score":7,"timestamp":\#(later)}"#)
        let path = scene.journal.appending(Self.copyName("practice-state.json"))
        try path.write(copy)
        try Self.setTime(path)
        let (gone, edited) = (DerivedID.id(of: number(1), .journal), DerivedID.id(of: number(2), .journal))
        try scene.perform(JournalScene.entry(3, "delete", "{\"row\":\"\(gone)\"}", at: 3), 3)
        let patch = "{\"row\":\"\(edited)\",\"patch\":{\"score\":25}}"
        try scene.perform(JournalScene.entry(4, "edit", patch, at: 4), 4)
        // And here another one has changed a value since.
        let document = scene.journal.appending("practice-state.json")
        try document.write(scene.text().replacing("fine", with: "great"))
        try Self.setTime(document)
        _ = try Self.repair(scene).run()
        #expect(try Self.scores(scene) == [1.5, 7, 25])
        #expect(try scene.text().contains("great"))
    }

    @Test(arguments: [false, true])
    func `of a copy that a shortened log does not know, what is new comes, and what differs is named`(
        isKnown: Bool
    ) throws {
        let scratch = try ScratchDirectory()
        let scene = try JournalScene(in: scratch.path)
        try scene.perform(
            JournalScene.entry(1, "gamenote", #"{"game":"GaB12","note":"left ramp"}"#), 1)
        let checksum = try #require(scene.log().last).text("after")
        let copy = JournalScene.document.replacing(#""score": 1.50"#, with: #""score": 9"#).replacing(
            #""mood": "fine"}"#,
            with: #""mood": "fine"}, {"id":"b","gameID":"Gk9Xy","score":7,"timestamp":1772300000001}"#)
        // As an older version has left it: one state, and not which values there were before.
        let state =
            #"{"stamps":[[1772300000000,0,""]],"records":{"scoreEntries":[{"key":"6f9619ff-8b86-d011-b42d-00c04fc964ff","set":[[0,{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","score":1.50}]]}]}}"#
        let documents = isKnown ? "{\"\(try Checksum.of(copy))\":1772300000000}" : "{}"
        try scene.journal.appending("sync.jsonl").write(
            #"{"stamp":[1772300000000,0,"trace"],"at":1772300000000,"before":"\#(checksum)","after":"\#(checksum)","documents":\#(documents),"state":\#(state)}"#
                + "\n")
        try scene.journal.appending(Self.copyName("practice-state.json")).write(copy)
        let plan = try Self.repair(scene).run().plan
        #expect(try Self.scores(scene) == (isKnown ? [1.5] : [1.5, 7]))
        let told = plan.unresolved.filter { $0.rule == .conflictCopy }.map(\.message)
        let named = "values of the copies that may be old or new were not taken: score 9 of GaB12"
        #expect(told == (isKnown ? [] : [named]))
    }

    @Test func `a write before the repair takes nothing away`() throws {
        let scratch = try ScratchDirectory()
        let (one, other) = try Self.servers(scratch)
        try Self.carry("sync.jsonl", from: other, to: other, as: Self.copyName("sync.jsonl"))
        try Self.carry("sync.jsonl", from: one, to: other)
        try other.perform(JournalScene.entry(7, "score", #"{"game":"deep-reef","score":70}"#), 7)
        _ = try Self.repair(other).run()
        #expect(try Self.scores(other) == Self.scores + [70])
    }

    @Test func `a copy of the document alone adds what it has`() throws {
        let scratch = try ScratchDirectory()
        let scene = try JournalScene(in: scratch.path)
        let copy = JournalScene.document.replacing("6F9619FF", with: "6F9619FE").replacing(
            #""score": 1.50"#, with: #""score": 9"#)
        try scene.journal.appending(Self.copyName("practice-state.json")).write(copy)
        let plan = try Self.repair(scene).plan()
        #expect(plan.edits.map(\.name.string) == ["practice-state.json"])
        _ = try Self.repair(scene).run()
        #expect(try Self.scores(scene) == [1.5, 9])
    }

    @Test func `a copy that can't be read, or that may still be in transit, is left alone`() throws {
        let scratch = try ScratchDirectory()
        let scene = try JournalScene(in: scratch.path)
        let name = Self.copyName("practice-state.json")
        try scene.journal.appending(name).write("{")
        let plan = try Self.repair(scene).plan()
        #expect(plan.isEmpty)
        #expect(plan.unresolved.contains { $0.rule == .conflictCopy })
        #expect(try Self.repair(scene, settled: .seconds(60)).plan().waiting.map(\.file).contains(name))
    }
}

private enum ConflictNames {
    static func all(in path: FilePath) throws -> [String] {
        var names: [String] = []
        try OpenDirectory(path).forEachName { name in
            if name.string.contains("conflict") { names.append(name.string) }
        }
        return names
    }
}
