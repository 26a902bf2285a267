import FileHarness
import Foundation
import Glibc
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceStore

/// Devices bring their documents to a journal's directory.
struct DeviceMergeTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
    }

    /// What a device has that has added a score to the journal's document.
    private static let grown = JournalScene.document.replacing(
        #""mood": "fine"}"#,
        with: #""mood": "fine"}, {"id":"b","gameID":"Gk9Xy","score":7,"timestamp":1772300000001}"#)
    private static let emptied = #"{"schemaVersion":4}"#

    private func devices(at now: Timestamp = Scene.now) -> PracticeDevices {
        let writer = JournalWriter(scene.journal, formats: JournalScene.formats)
        return PracticeDevices(writer) { [now] in now }
    }

    @discardableResult
    private func bring(
        _ document: String, from device: String = "phone", base: ReplicaExchange.Base = .last,
        isStrict: Bool = false, at now: Timestamp = Scene.now
    ) throws -> (method: ReplicaExchange.Method, answer: String, counts: MergeCounts)? {
        let exchange = ReplicaExchange(
            Array(document.utf8), from: try DeviceName(device), base: base, isStrict: isStrict,
            takesAnswer: true)
        guard case .merged(let method, let answer, let counts) = try devices(at: now).merge(exchange) else {
            return nil
        }
        return (method, String(decoding: answer, as: UTF8.self), counts)
    }

    @Test func `a device that is new adds what it has, and the bytes of all else stay`() throws {
        let merged = try #require(try bring(Self.grown))
        #expect(merged.method == .union && merged.counts.added == 1 && merged.counts.changed == 0)
        #expect(try scene.text() == merged.answer)
        #expect(
            merged.answer
                == JournalScene.document.replacing(
                    #""mood": "fine"}"#,
                    with:
                        #""mood": "fine"},\#n    {"id": "b", "gameID": "Gk9Xy", "score": 7, "timestamp": 1772300000001}"#
                ))
        #expect(try scene.log().map { $0["state"] != nil } == [false, true])
        // The same again says nothing.
        let again = try #require(try bring(merged.answer))
        #expect(again.method == .unchanged && again.counts.isZero && again.answer == merged.answer)
        #expect(try scene.log().count == 2)
    }

    @Test func `what a device has removed is removed, and what was written meanwhile stays`() throws {
        let first = try #require(try bring(Self.grown))
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        let document = try Scene.document(first.answer.utf8)
        let without = try #require(document.indices(of: .scoreEntries, id: "b").first)
        var change = DocumentChange()
        change.removed = [.init(.scoreEntries, without)]
        let merged = try #require(
            try bring(String(decoding: document.applying(change), as: UTF8.self)))
        #expect(merged.method == .threeWay && merged.counts.removed == 1)
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 5])
        // A device that brings the older document again, without having heard, does not bring it back.
        #expect(try bring(Self.grown, from: "tablet")?.counts.added == 0)
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 5])
    }

    @Test func `what a device had is found by its checksum, for as long as it is kept`() throws {
        let first = try #require(try bring(Self.grown))
        let tag = try Checksum.of(first.answer)
        for number in 2..<8 {
            let other = Self.grown.replacing("\"kept\":1e2", with: "\"kept\":\(number)")
            try bring(other, base: .none)
        }
        #expect(try versions().count == 4)
        #expect(try bring(Self.emptied, base: .checksum(tag))?.method == .unchanged)
        #expect(try scene.read().scoreEntries.count == 2)
    }

    /// The files of what was exchanged with the phone.
    private func versions() throws -> [FilePath] {
        let directory = try OpenDirectory(scene.journal.appending("replicas/phone"))
        var paths: [FilePath] = []
        try directory.forEachName { paths.append(directory.path(of: $0)) }
        return paths
    }

    /// What was exchanged with the phone so far has times that are to come, as if the clock had gone back by three years.
    private func setClockBack() throws {
        for path in try versions() {
            let modified = try FileStatus(of: path).identity.modified
            try path.setTime(Int(modified.seconds) + 100_000_000, nanoseconds: Int(modified.nanoseconds))
        }
    }

    @Test(arguments: [false, true])
    func `what a device had last is known, though the clock has gone back since`(isTagged: Bool) throws {
        for number in 1...4 {
            try bring(Self.grown.replacing("\"kept\":1e2", with: "\"kept\":\(number)"))
        }
        try setClockBack()
        let mine = try #require(try bring(Self.grown)).answer
        let tag = try Checksum.of(mine)
        #expect(try versions().count == 4)
        // Another device says something else of what this one has said before.
        func moment(_ seconds: Int64) -> Timestamp {
            Timestamp(milliseconds: Scene.now.milliseconds + seconds * 1000)
        }
        try bring(mine, from: "tablet", at: moment(1))
        try bring(mine.replacing("\"kept\":1e2", with: "\"kept\":7"), from: "tablet", at: moment(2))
        let document = try Scene.document(mine.utf8)
        let index = try #require(document.indices(of: .scoreEntries, id: "b").first)
        var change = DocumentChange()
        change.removed = [.init(.scoreEntries, index)]
        let without = String(decoding: try document.applying(change), as: UTF8.self)
        let base = isTagged ? ReplicaExchange.Base.checksum(tag) : .last
        let merged = try #require(try bring(without, base: base, at: moment(3)))
        #expect(merged.method == .threeWay)
        #expect(merged.counts.removed == 1 && merged.counts.changed == 0 && merged.counts.members == 0)
        #expect(merged.answer.contains("\"kept\":7"))
        #expect(try versions().count == 4)
    }

    @Test func `an emptied document is refused until a person accepts it`() throws {
        let first = try #require(try bring(Self.grown))
        #expect(try bring(Self.emptied) == nil)
        #expect(try scene.text() == first.answer)
        #expect(try devices().list().map { $0.refused != nil } == [true])
        #expect(
            try Self.findings(scene) == [
                "replicas/refused.json: most is gone from the document of 'phone' [practice-replica-emptied]"
            ])
        #expect(try bring(Self.emptied) == nil)
        #expect(try devices().accept("phone", isDry: true).removed == 3)
        #expect(try scene.text() == first.answer)
        #expect(try devices().accept("phone").removed == 3)
        #expect(try scene.read().scoreEntries.isEmpty)
        #expect(try devices().list().map { $0.refused != nil } == [false])
        #expect(try Self.findings(scene) == [])
        // The device has not heard of it, and brings the same again.
        let again = try #require(try bring(Self.emptied, base: .checksum(Checksum.of(first.answer))))
        #expect(again.method == .unchanged)
        #expect(throws: FormatError.self) { try devices().accept("phone") }
    }

    private static func findings(_ scene: JournalScene) throws -> [String] {
        let format = PracticeFormat()
        let snapshot = try JournalSnapshot(OpenDirectory(scene.journal), as: format, settleTime: .zero)
        return try format.findings(in: .practiceRefused, of: snapshot).map(\.description)
    }

    @Test func `a strict reader that hands back what it got removes nothing that was withheld from it`()
        throws
    {
        let odd = JournalScene.document.replacing(
            #""action": "scoreLogged""#, with: #""action": "somethingNew""#)
        try scene.journal.appending("practice-state.json").write(odd)
        let first = try #require(try bring(odd, isStrict: true))
        #expect(try Scene.document(first.answer.utf8).rows.isEmpty)
        let second = try #require(try bring(first.answer, isStrict: true))
        #expect(second.method == .unchanged)
        let changed = first.answer.replacing("1.50", with: "2")
        let third = try #require(
            try bring(changed, base: .checksum(Checksum.of(first.answer)), isStrict: true))
        #expect(third.counts.changed == 1 && third.counts.removed == 0)
        #expect(try scene.read().rows.count == 1)
        #expect(try scene.read().scoreEntries.map(\.score) == [2])
    }

    @Test(arguments: [
        "", ".", "..", "a/b", "refused.json", "document", "trace", "é", String(repeating: "a", count: 65),
    ])
    func `a name that no device may have is refused`(name: String) throws {
        #expect(throws: FormatError.self) { try DeviceName(name) }
    }

    @Test(arguments: [
        "", "[]", "{", #"{"schemaVersion":5}"#, #"{"scoreEntries":[7]}"#, #"{"scoreEntries":[],"scores":[]}"#,
    ])
    func `what can't be merged is refused, and nothing is written`(document: String) throws {
        #expect(throws: FormatError.self) { try bring(document) }
        #expect(try scene.text() == JournalScene.document)
        #expect(try OpenDirectory(scene.journal).readFile("sync.jsonl") == nil)
    }

    @Test func `only so many devices exchange a journal`() throws {
        for number in 0..<64 { try bring(Self.grown, from: "phone-\(number)") }
        #expect(throws: FormatError.self) { try bring(Self.grown, from: "phone-64") }
        #expect(try bring(Self.grown, from: "phone-63")?.method == .unchanged)
    }

    // MARK: - Others write the document

    @Test func `a document that a sync tool brings back loses nothing that was written since`() throws {
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        let older = try scene.text()
        try scene.perform(JournalScene.entry(11, "score", #"{"game":"deep-reef","score":6}"#), 11)
        try scene.journal.appending("practice-state.json").write(
            older.replacing("1.50, \"context\"", with: "1.75, \"context\""), at: 1_773_575_000)
        try scene.perform(JournalScene.entry(12, "score", #"{"game":"deep-reef","score":7}"#), 12)
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.75, 5, 6, 7])
        // Others have removed it, and later: it is gone.
        try scene.journal.appending("practice-state.json").write(
            JournalScene.document, at: 1_773_576_000)
        try scene.perform(JournalScene.entry(13, "score", #"{"game":"deep-reef","score":8}"#), 13)
        #expect(try scene.read().scoreEntries.map(\.score).contains(1.5))
    }

    @Test func `a document that others have emptied is not written into until a person accepts it`() throws {
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        try scene.journal.appending("practice-state.json").write(Self.emptied)
        let error = #expect(throws: FileError.self) {
            try scene.perform(JournalScene.entry(11, "score", #"{"game":"deep-reef","score":6}"#), 11)
        }
        #expect(error?.code == .replicaEmptied)
        #expect(try scene.text() == Self.emptied)
        let later = Timestamp(milliseconds: Scene.now.milliseconds + 1000)
        #expect(try devices(at: later).accept("document").removed == 4)
        try scene.perform(JournalScene.entry(11, "score", #"{"game":"deep-reef","score":6}"#), 11)
        #expect(try scene.read().scoreEntries.map(\.score) == [6])
    }

    // MARK: - Kills

    @Test
    func `a merge that is killed before any step ends as an undisturbed one when the device comes again`()
        async throws
    {
        let (count, expected) = try Self.undisturbed()
        for fatal in Torture.steps(count) { try await Self.kill(before: fatal, expected) }
    }

    private static func undisturbed() throws -> (steps: Int, document: String) {
        let test = try DeviceMergeTests()
        let steps = Steps()
        try merge(test.scene) { step, _ throws(Errno) in _ = steps.add(step) }
        return (steps.all.count, try test.scene.text())
    }

    private static func merge(_ scene: JournalScene, failPoint: FailPoint? = nil) throws {
        var writer = JournalWriter(scene.journal, formats: JournalScene.formats)
        writer.failPoint = failPoint
        _ = try PracticeDevices(writer) { Scene.now }.merge(
            ReplicaExchange(
                Array(grown.utf8), from: try DeviceName("phone"), base: .last, takesAnswer: true))
    }

    private static func kill(before fatal: Int, _ expected: String) async throws {
        let scratch = try ScratchDirectory()
        let scene = try JournalScene(in: scratch.path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = scratch.path.string as String, fatal] in
            let steps = Steps()
            try DeviceMergeTests.merge(
                JournalScene(at: FilePath(path)),
                failPoint: { step, _ throws(Errno) in
                    if steps.add(step) == fatal { Glibc.kill(getpid(), SIGKILL) }
                })
        }
        #expect([JournalScene.document, expected].contains(try scene.text()), "before step \(fatal)")
        try merge(scene)
        #expect(try scene.text() == expected, "killed before step \(fatal)")
        #expect(try scene.read().scoreEntries.count == 2, "killed before step \(fatal)")
    }

    @Test func `a step of a merge that fails is told, and the device comes again`() throws {
        let (count, expected) = try Self.undisturbed()
        for fatal in Torture.steps(count) {
            let scratch = try ScratchDirectory()
            let scene = try JournalScene(in: scratch.path)
            let steps = Steps()
            _ = try? Self.merge(scene) { step, _ throws(Errno) in
                if steps.add(step) == fatal { throw .ioError }
            }
            try Self.merge(scene)
            #expect(try scene.text() == expected, "failed at step \(fatal)")
        }
    }
}

/// SHA-256 as tags and names of files have it.
enum Checksum {
    static func of(_ text: String) throws -> String {
        let scratch = try ScratchDirectory()
        try scratch.path.appending("text").write(text)
        return try OpenDirectory(scratch.path).sha256(of: "text")
    }
}

extension FilePath {
    /// - Parameter seconds: When the file says that it was written.
    fileprivate func write(_ text: String, at seconds: Int) throws {
        try write(text)
        try setTime(seconds)
    }

    fileprivate func setTime(_ seconds: Int, nanoseconds: Int = 0) throws {
        var times = Array(repeating: timespec(tv_sec: seconds, tv_nsec: nanoseconds), count: 2)
        let result = withPlatformString { utimensat(AT_FDCWD, $0, &times, 0) }
        try #require(result == 0)
    }
}
