import FileHarness
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceStore
import TraceText

/// A log that has grown long is rewritten, and knows what it knew.
struct SyncSnapshotTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
    }

    private func logSize() throws -> Int { try scene.text("sync.jsonl").utf8.count }

    /// Writes until the log is rewritten: a long setting that is another each time.
    ///
    /// - Returns: The size of the log before that.
    @discardableResult
    private func growUntilShortened(from first: Int = 100) throws -> Int {
        var size = try logSize()
        for number in first..<first + 100 {
            let note = String(repeating: "\(number) ", count: 4_000)
            let payload = #"{"practiceSettings":{"comparisonPlayerName":"\#(note)"}}"#
            try scene.perform(JournalScene.entry(number, "settings", payload, at: number), number)
            let now = try logSize()
            if now < size { return size }
            size = now
        }
        Issue.record("the log was never rewritten: \(size) bytes")
        return size
    }

    private static let first = JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#)
    private static let second = JournalScene.entry(11, "score", #"{"game":"deep-reef","score":6}"#, at: 1)

    /// The row of a write.
    private static func row(_ id: Int) -> String { DerivedID.id(of: number(id), .journal) }

    @Test func `it is shorter, and says the same of the document`() throws {
        try scene.perform(Self.first, 10)
        let size = try growUntilShortened()
        #expect(size > 200_000)
        let log = try scene.log()
        #expect(
            log.first?["shortened"]?["bytes"]?.integer == (try logSize()) - log[0].description.utf8.count - 1)
        #expect(log.last?["after"]?.string == (try Checksum.of(scene.text())))
        #expect(try logSize() < size / 2)
        // A device that comes now and brings what is there says nothing new.
        #expect(try bring(scene.text()).counts.isZero)
        // It is not written anew with each write from then on.
        let shortened = try scene.log()[0].description
        try scene.perform(Self.second, 11)
        #expect(try scene.log()[0].description == shortened)
        try growUntilShortened(from: 600)
    }

    @Test func `a write that comes again is known, removed or changed as before`() throws {
        try scene.perform(Self.first, 10)
        try scene.perform(Self.second, 11)
        try scene.perform(JournalScene.entry(12, "delete", #"{"row":"\#(Self.row(11))"}"#, at: 2), 12)
        try scene.perform(JournalScene.entry(13, "resume", #"{"game":"GaB12","rulesheet":0.5}"#, at: 3), 13)
        let entries = [
            (10, Self.first), (11, Self.second),
            (12, JournalScene.entry(12, "delete", #"{"row":"\#(Self.row(11))"}"#, at: 2)),
            (13, JournalScene.entry(13, "resume", #"{"game":"GaB12","rulesheet":0.5}"#, at: 3)),
            (10, JournalScene.entry(10, "score", #"{"game":"deep-reef","score":50}"#)),
            (13, JournalScene.entry(13, "resume", #"{"game":"GaB12","rulesheet":0.25}"#, at: 3)),
        ]
        func outcomes() throws -> [String] { try entries.map { try "\(scene.send($0.1, $0.0))" } }
        let known = try outcomes()
        try growUntilShortened()
        let document = try scene.text()
        let now = try outcomes()
        for (before, now) in zip(known, now) { #expect(now == before) }
        #expect(try scene.text() == document)
    }

    @Test func `a row is edited with the record that was written with it`() throws {
        try scene.perform(Self.first, 10)
        // Of the same value and time, so that only the log knows which is whose.
        try scene.perform(JournalScene.entry(11, "score", #"{"game":"deep-reef","score":5}"#), 11)
        try growUntilShortened()
        let edit = #"{"row":"\#(Self.row(11))","patch":{"score":8}}"#
        try scene.perform(JournalScene.entry(90, "edit", edit, at: 900), 90)
        let score = DerivedID.id(of: number(11), .score)
        let scores = try scene.read().scoreEntries.filter { $0.score == 8 }
        #expect(scores.map(\.id) == [score])
    }

    @Test func `what was removed does not come back, and an older document with its old time says nothing`()
        throws
    {
        try scene.perform(Self.first, 10)
        let old = try scene.text()
        try bring(old)
        try scene.perform(JournalScene.entry(12, "delete", #"{"row":"\#(Self.row(10))"}"#, at: 2), 12)
        try growUntilShortened()
        #expect(try bring(old, from: "tablet", base: .none).counts.added == 0)
        let now = try scene.read().rows.count
        let path = scene.journal.appending("practice-state.json")
        try path.write(old)
        // As it was by the clock of this scene.
        try path.setModified(
            secondsAgo: Int((Clock.now().milliseconds - Scene.now.milliseconds) / 1000))
        try scene.perform(JournalScene.entry(90, "resume", #"{"game":"GaB12","rulesheet":0.5}"#, at: 900), 90)
        #expect(try scene.read().rows.count == now)
    }

    @Test func `an app that saves over it then is known by what it had at first, and reverts nothing`() throws
    {
        try scene.perform(Self.first, 10)
        let edit = #"{"row":"3F2504E0-4F89-41D3-9A0C-0305E82C3301","patch":{"score":99}}"#
        try scene.perform(JournalScene.entry(11, "edit", edit, at: 1), 11)
        try growUntilShortened()
        // A device that comes for the first time reverts nothing either.
        #expect(try bring(JournalScene.document, base: .none).counts.isZero)
        let writer = JournalWriter(scene.journal, formats: JournalScene.formats)
        try scene.journal.appending("practice-state.json").write(
            JournalScene.document.replacing(#""mood": "fine""#, with: #""mood": "new""#))
        #expect(try writer.takeUp().count == 5)
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [5, 99])
        #expect(try scene.text().contains(#""mood": "new""#))
    }

    @discardableResult
    private func bring(
        _ document: String, from device: String = "phone", base: ReplicaExchange.Base = .last
    ) throws -> (method: ReplicaExchange.Method, counts: MergeCounts) {
        let devices = PracticeDevices(JournalWriter(scene.journal, formats: JournalScene.formats)) {
            Scene.now
        }
        let exchange = ReplicaExchange(
            Array(document.utf8), from: try DeviceName(device), base: base, takesAnswer: true)
        guard case .merged(let method, _, let counts) = try devices.merge(exchange) else {
            throw FormatError(.recordInvalid, "refused")
        }
        return (method, counts)
    }
}
