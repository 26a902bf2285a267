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
import TraceText

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

    @Test
    func `the first exchange of the device that a journal was adopted from keeps what was edited since`()
        throws
    {
        let row = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
        let edit = #"{"row":"\#(row)","patch":{"score":99}}"#
        try scene.perform(JournalScene.entry(10, "edit", edit), 10)
        try scene.perform(
            JournalScene.entry(11, "gamenote", #"{"game":"GaB12","note":"two first"}"#, at: 1), 11)
        let later = Self.grown.replacing("1772300000001", with: "\(Scene.now.milliseconds + 500_000)")
        let merged = try #require(try bring(later))
        #expect((merged.counts.added, merged.counts.changed, merged.counts.members) == (1, 0, 0))
        #expect(merged.counts.changes.map(\.text) == ["score 7 of Gk9Xy"])
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [7, 99])
        #expect(try scene.text().contains("two first"))
    }

    @Test
    func `of a log that an older version has shortened new records come alone, and what differs is named`()
        throws
    {
        let edit = #"{"row":"3F2504E0-4F89-41D3-9A0C-0305E82C3301","patch":{"score":99}}"#
        try scene.perform(JournalScene.entry(10, "edit", edit), 10)
        let last = try #require(scene.log().last)
        let state =
            #"{"stamps":[[1772300000000,0,""]],"records":{"scoreEntries":[{"key":"6f9619ff-8b86-d011-b42d-00c04fc964ff","set":[[0,{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","score":99}]]}]}}"#
        let checksum = last.text("after")
        try scene.journal.appending("sync.jsonl").write(
            #"{"stamp":[1772300000000,0,"trace"],"at":1772300000000,"before":"\#(checksum)","after":"\#(checksum)","documents":{},"state":\#(state)}"#
                + "\n")
        let merged = try #require(try bring(Self.grown))
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [7, 99])
        #expect(merged.counts.undecided.map(\.text) == ["score 1.50 of GaB12", "row scoreLogged of GaB12"])
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

    /// As a command does, which notes it for an undo.
    private func undoable() -> PracticeDevices {
        var writer = writer
        writer.undoLog = UndoLog(state: scene.queue.state)
        return PracticeDevices(writer) { Scene.now }
    }

    private func exchange(_ document: String) throws -> ReplicaExchange {
        ReplicaExchange(
            Array(document.utf8), from: try DeviceName("phone"), base: .last, takesAnswer: true)
    }

    @Test func `a merge is taken back by an undo, to the byte`() throws {
        _ = try undoable().merge(exchange(JournalScene.document))
        let changed = Self.grown.replacing("\"kept\":1e2", with: "\"kept\":7").replacing(
            #""score": 1.50, "context""#, with: #""score": 8, "context""#
        ).replacing(
            #""schemaVersion": 4,"#, with: #""schemaVersion": 4, "gameSummaryNotes": {"GaB12": "x"},"#)
        guard case .merged(_, _, let counts) = try undoable().merge(exchange(changed)) else {
            Issue.record("refused")
            return
        }
        #expect(
            counts.changes.map { "\($0.kind.rawValue) \($0.text)" } == [
                "changed score 8 of GaB12", "added score 7 of Gk9Xy", "added GaB12 in gameSummaryNotes",
                "changed future",
            ])
        #expect(try scene.undo().parts.map(\.write.operation.rawValue) == ["practice merge"])
        #expect(GoldenValue(try scene.text().utf8) == GoldenValue(JournalScene.document.utf8))
        // The device still has what it brought; it is not news.
        #expect(try bring(changed)?.method == .unchanged)
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5])
    }

    private static let nameless = [
        #"{"gameID":"Gk9Xy","action":"scoreLogged","score":7,"timestamp":1772300000001}"#,
        #"{"score":7,"mood":"odd","timestamp":1772300000001,"action":"scoreLogged","gameID":"Gk9Xy"}"#,
        // Nothing by which it could be put into the order of time.
        #"{"gameID":"Gk9Xy","action":"scoreLogged"}"#,
        // Another record has the id.
        #"{"id":"3f2504e0-4f89-41d3-9a0c-0305e82c3301","gameID":"Gk9Xy","action":"scoreLogged","timestamp":1772300000001}"#,
    ]

    /// The journal's document with more rows behind its own.
    private static func document(_ rows: [String]) -> String {
        let own = #""scoreContext": "practice", "timestamp": 1772300000000.25}"#
        return JournalScene.document.replacing(own, with: ([own] + rows).joined(separator: ", "))
    }

    /// What goes by its text: it has no id, or that of another.
    @Test(arguments: nameless.map { [$0] } + [nameless, [nameless[0], nameless[0]]])
    func `a merge that brings rows without ids is taken back by an undo`(rows: [String]) throws {
        _ = try undoable().merge(exchange(JournalScene.document))
        guard case .merged(_, let answer, let counts) = try undoable().merge(exchange(Self.document(rows)))
        else {
            Issue.record("refused")
            return
        }
        #expect(counts.added == rows.count)
        #expect(try scene.read().rows.count == 1 + rows.count)
        let steps = try scene.undo().parts.flatMap(\.steps)
        #expect(steps.count { $0.contains("row without an id of its own: {") } == rows.count, "\(steps)")
        #expect(GoldenValue(try scene.text().utf8) == GoldenValue(JournalScene.document.utf8))
        // The device has them still; they are no news, and no later write brings them back.
        #expect(try bring(String(decoding: answer, as: UTF8.self))?.method == .unchanged)
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        #expect(try scene.read().rows.count == 2)
    }

    @Test(arguments: nameless.map { [$0] } + [nameless, [nameless[0], nameless[0]]])
    func `a merge that takes rows without ids away is taken back by an undo`(rows: [String]) throws {
        try save(Self.document(rows))
        _ = try undoable().merge(exchange(Self.document(rows)))
        let before = try scene.read().rows.count
        _ = try undoable().merge(exchange(Self.document(Array(rows.dropFirst()))))
        #expect(try scene.read().rows.count == before - 1)
        _ = try scene.undo()
        #expect(try scene.read().rows.count == before)
        let wanted = try Scene.document(Self.document(rows).utf8).rows.map {
            "\($0.id ?? "") \($0.score ?? 0)"
        }
        #expect(try scene.read().rows.map { "\($0.id ?? "") \($0.score ?? 0)" }.sorted() == wanted.sorted())
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        #expect(try scene.read().rows.count == before + 1)
    }

    /// Another program has saved a row without an id with another score. Without a save of its own in which the row was, it is not known to
    /// have had it: then the row comes back, and goes by the undo.
    @Test func `an undo of a merge removes its own row without an id, and no other one`() throws {
        _ = try undoable().merge(exchange(JournalScene.document))
        _ = try undoable().merge(exchange(Self.document([Self.nameless[0]])))
        try save(scene.text().replacing(#""score": 7"#, with: #""score": 8"#), 1)
        let outcome = try scene.undo()
        let steps = outcome.parts.flatMap(\.steps)
        #expect(steps.count == 1 && steps[0].contains(#""score":7"#), "\(steps)")
        #expect(try scene.read().rows.map(\.score) == [1.5, 8])
        // It is told that it was back; there is no command for what has no id.
        let notices = outcome.notices
        #expect(notices.count == 1 && notices[0].contains("row scoreLogged of Gk9Xy"), "\(notices)")
        #expect(notices.allSatisfy { !$0.contains("practice delete") }, "\(notices)")
    }

    @Test func `a row without an id that was edited since is not taken for another`() throws {
        _ = try undoable().merge(exchange(JournalScene.document))
        _ = try undoable().merge(exchange(Self.document([Self.nameless[0]])))
        // The program has had the row: it has saved it with changes of its own.
        let text = try scene.text().replacing(
            #""schemaVersion": 4,"#, with: #""schemaVersion": 4, "a": 1, "b": 2, "c": 3,"#)
        try save(text, 2000)
        _ = try writer.takeUp()
        try save(text.replacing(#""score": 7"#, with: #""score": 8"#), 3000)
        let error = #expect(throws: StoreError.self) { try scene.undo() }
        #expect(error?.code == .unsafeToUndo)
        #expect(
            error?.message.hasSuffix("has been edited or removed since") == true, "\(error?.message ?? "")")
        #expect(try scene.read().rows.map(\.score) == [1.5, 8])
    }

    @Test func `what earlier versions noted of rows without ids is taken back, too`() throws {
        _ = try undoable().merge(exchange(JournalScene.document))
        _ = try undoable().merge(exchange(Self.document([Self.nameless[0]])))
        let log = scene.queue.state.appending("undo/journal.jsonl")
        let text = try String(contentsOfFile: log.string, encoding: .utf8)
        let earlier = text.replacing(#/"id":"text:[^"]*",/#, with: "")
        try #require(earlier != text)
        try log.write(earlier)
        _ = try scene.undo()
        #expect(GoldenValue(try scene.text().utf8) == GoldenValue(JournalScene.document.utf8))
    }

    @Test(arguments: ["phone", "document"])
    func `what was accepted is taken back by an undo`(device: String) throws {
        try bring(Self.grown)
        let before = try scene.text()
        if device == "phone" {
            #expect(try bring(Self.emptied) == nil)
        } else {
            try save(before)
            _ = try writer.takeUp()
            try save(Self.emptied, 1)
        }
        let planned = try undoable().accept(device, isDry: true)
        let counts = try undoable().accept(device)
        #expect(counts.removed >= 2 && counts.changes.map(\.text) == planned.changes.map(\.text))
        #expect(
            counts.changes.first.map { "\($0.kind.rawValue) \($0.text)" } == "removed score 1.50 of GaB12")
        #expect(try scene.undo().parts.map(\.write.operation.rawValue) == ["practice accept"])
        #expect(GoldenValue(try scene.text().utf8) == GoldenValue(before.utf8))
    }

    // MARK: - The order of groups

    private static let groups = ["A", "B", "C"].enumerated().map { index, name in
        let id = "00000000-0000-4000-8000-00000000000\(name)"
        return #"{"id":"\#(id)","name":"\#(name)","gameIDs":[],"createdAt":\#(1_772_300_000_000 + index)}"#
    }

    private static func document(_ groups: [Int]) -> String {
        let groups = groups.map { Self.groups[$0] }.joined(separator: ", ")
        return JournalScene.document.replacing(
            #""schemaVersion": 4,"#, with: #""schemaVersion": 4, "customGroups": [\#(groups)],"#)
    }

    private func names() throws -> String { try scene.read().groups.map(\.name).joined() }

    @Test func `another order of the groups is told, and taken back by an undo`() throws {
        try scene.journal.appending("practice-state.json").write(Self.document([0, 1, 2]))
        _ = try undoable().merge(exchange(Self.document([0, 1, 2])))
        let before = try scene.text()
        guard case .merged(_, _, let counts) = try undoable().merge(exchange(Self.document([2, 0, 1]))) else {
            Issue.record("refused")
            return
        }
        let changes = counts.changes.map { "\($0.kind.rawValue) \($0.text)" }
        #expect(changes == ["changed the order of the groups"])
        #expect(try names() == "CAB")
        let undone = try scene.undo()
        #expect(undone.parts.flatMap(\.steps).contains { $0.contains("the order of the groups") })
        #expect(try scene.text() == before)
        // The log has it, too: what comes next does not bring the other order back.
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        #expect(try bring(Self.document([2, 0, 1]))?.method == .unchanged)
        #expect(try names() == "ABC")
        // Nor does a log that is replayed.
        let history = try scene.log().filter { $0["write"] != nil }.map(\.description)
        #expect(history.contains { $0.contains("\"order\"") })
    }

    @Test func `an undo of an order that was changed since is refused`() throws {
        try scene.journal.appending("practice-state.json").write(Self.document([0, 1, 2]))
        _ = try undoable().merge(exchange(Self.document([0, 1, 2])))
        _ = try undoable().merge(exchange(Self.document([2, 0, 1])))
        let later = Timestamp(milliseconds: Scene.now.milliseconds + 1000)
        _ = try bring(Self.document([1, 2, 0]), at: later)
        let error = #expect(throws: StoreError.self) { try scene.undo() }
        #expect(error?.message == "the order of the groups has been changed since")
        #expect(try names() == "BCA")
    }

    @Test(arguments: [[0, 1, 2], [2, 0, 1], [1, 2, 0]], [0, 1, 2])
    func `a group that was deleted comes back where it stood`(order: [Int], gone: Int) throws {
        try scene.journal.appending("practice-state.json").write(Self.document(order))
        let before = try names()
        let id = "00000000-0000-4000-8000-00000000000\(["A", "B", "C"][gone])"
        try scene.perform(JournalScene.entry(10, "group.delete", "{\"group\":\"\(id)\"}"), 10)
        #expect(try names().count == 2)
        try scene.perform(JournalScene.entry(11, "score", #"{"game":"deep-reef","score":5}"#, at: 1), 11)
        _ = try scene.undo()
        _ = try scene.undo()
        #expect(try names() == before)
        try scene.perform(JournalScene.entry(12, "score", #"{"game":"deep-reef","score":6}"#, at: 2), 12)
        _ = try bring(Self.document(order))
        #expect(try names() == before)
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

    /// Two rows that are none, on lines of their own.
    private static let strayed = grown.replacing(
        #"  "journalEntries": ["#, with: "  \"journalEntries\": [\n    \"torn\",\n    7,")

    @Test func `what is not a record is left out with its place, and the rest is merged`() throws {
        try bring(JournalScene.document)
        func merged(_ text: String, isDry: Bool = false) throws -> MergeCounts? {
            let exchange = ReplicaExchange(
                Array(text.utf8), named: "phone.json", from: try DeviceName("phone"), base: .last,
                takesAnswer: false)
            guard case .merged(_, _, let counts) = try devices().merge(exchange, isDry: isDry) else {
                return nil
            }
            return counts
        }
        let bytes = Array(Self.strayed.utf8)
        let offset = try #require(bytes.firstRange(of: Array("\"torn\"".utf8))).lowerBound
        for isDry in [true, false] {
            let counts = try #require(try merged(Self.strayed, isDry: isDry))
            #expect(counts.added == 1 && counts.removed == 0)
            #expect(
                counts.leftOut.map(\.description) == [
                    "phone.json:7:5 (byte \(offset)): journalEntries[0] is not a record, but must be an object [type-mismatch]",
                    "phone.json:8:5 (byte \(offset + 12)): journalEntries[1] is not a record, but must be an object [type-mismatch]",
                ])
        }
        #expect(try scene.read().scoreEntries.count == 2)
        // What the device had then is compared with what it brings next.
        let next = try #require(try merged(Self.strayed.replacing(#""score":7"#, with: #""score":8"#)))
        #expect(next.changed == 1 && next.added == 0 && next.removed == 0 && next.leftOut.count == 2)
    }

    @Test(arguments: [
        (
            strayed, "phone.json:7:5 (byte ",
            "journalEntries[0] is not a record, but must be an object [type-mismatch], and 1 more"
        ),
        (
            "{\n\"scoreEntries\": 7}", "phone.json:2:1 (byte 2): ",
            "scoreEntries is not an array [type-mismatch]"
        ),
        (
            "{\"schemaVersion\":4,\n \"practiceSettings\": []}", "phone.json:2:2 (byte 21): ",
            "practiceSettings is not an object [type-mismatch]"
        ),
        ("{\n\"a\":}", "phone.json:2:", "[json-syntax]"),
    ])
    func `a document that can't be merged is refused with its file, line and byte`(
        text: String, place: String, reason: String
    ) throws {
        let before = try scene.text()
        let exchange = ReplicaExchange(
            Array(text.utf8), named: "phone.json", from: try DeviceName("phone"), base: .last,
            takesAnswer: true)
        let error = #expect(throws: FormatError.self) { try devices().merge(exchange) }
        #expect(error?.message.hasPrefix(place) == true, "\(error?.message ?? "")")
        #expect(error?.message.hasSuffix(reason) == true, "\(error?.message ?? "")")
        #expect(error?.cure != nil)
        #expect(try scene.text() == before)
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
        // The one that there was at first says nothing, whatever its time.
        try scene.journal.appending("practice-state.json").write(
            JournalScene.document, at: 1_773_576_000)
        try scene.perform(JournalScene.entry(13, "score", #"{"game":"deep-reef","score":8}"#), 13)
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.75, 5, 6, 7, 8])
    }

    private var writer: JournalWriter { JournalWriter(scene.journal, formats: JournalScene.formats) }

    /// An app writes the document in its place.
    private func save(_ document: String, _ second: Int = 0) throws {
        try scene.journal.appending("practice-state.json").write(document, at: 1_773_575_000 + second)
    }

    @Test func `what was written while an app had the document in its memory is put back, and told once`()
        throws
    {
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        let edit = #"{"row":"3F2504E0-4F89-41D3-9A0C-0305E82C3301","patch":{"score":99}}"#
        try scene.perform(JournalScene.entry(11, "edit", edit), 11)
        try save(Self.grown)
        let row = DerivedID.id(of: number(10), .journal)
        let missing = try writer.overwritten(settleTime: .zero)
        #expect(
            missing.map(\.text) == [
                "score 5 of Gk9Xy", "score 99 of GaB12", "row scoreLogged of GaB12",
                "row scoreLogged of Gk9Xy",
            ])
        #expect(missing.map(\.isThere) == [false, true, true, false])
        #expect(missing.compactMap(\.removal) == ["trace practice delete \(row.lowercased())"])
        #expect(try writer.isWrittenByOthers())
        // A look changes nothing.
        #expect(try scene.text() == Self.grown)
        #expect(try writer.takeUp() == missing)
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [5, 7, 99])
        #expect(try writer.takeUp() == [] && writer.overwritten(settleTime: .zero) == [])
        #expect(try !writer.isWrittenByOthers())
    }

    /// The first note makes the array and the object that it is in, and an undo takes both away.
    @Test func `what was undone does not come back when an app saves`() throws {
        let note = #"{"game":"deep-reef","note":"left ramp"}"#
        try scene.perform(JournalScene.entry(10, "gamenote", note), 10)
        _ = try scene.undo()
        #expect(try scene.text() == JournalScene.document)
        try save(Self.grown, 2000)
        #expect(try writer.takeUp() == [])
        #expect(try !scene.text().contains("left ramp"))
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.5, 7])
    }

    @Test func `an app removes what a document of its own has had`() throws {
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        // It loads that, and saves it with a score of its own.
        let ours = try scene.text()
        let seen = ours.replacing(
            #""timestamp": 1772300000000.25, "mood": "fine"}"#,
            with:
                #""timestamp": 1772300000000.25, "mood": "fine"}, {"id":"b","gameID":"Gk9Xy","score":7,"timestamp":1772300000001}"#
        )
        try save(seen, 2000)
        #expect(try writer.takeUp() == [])
        try scene.perform(JournalScene.entry(11, "score", #"{"game":"deep-reef","score":6}"#), 11)
        // It had the score of 5, and not that of 6.
        try save(Self.grown, 3000)
        #expect(try Set(writer.takeUp().map(\.text)) == ["score 6 of Gk9Xy", "row scoreLogged of Gk9Xy"])
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.5, 6, 7])
    }

    /// The commonest day: a score is entered wrongly, and deleted at once. The document is then what it was before, to the byte.
    @Test(arguments: [1, 70, 5000], [false, true])
    func `an app that deletes what it has just added has deleted it`(seconds: Int, hasOlderSave: Bool) throws
    {
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        var ours = try scene.text()
        if hasOlderSave {
            ours = ours.replacing(#""mood": "fine""#, with: #""mood": "great""#)
            try save(ours, 1010)
            _ = try writer.takeUp()
        }
        let end = hasOlderSave ? #""mood": "great"}"# : #""mood": "fine"}"#
        let added = ours.replacing(
            end, with: end + #", {"id":"b","gameID":"Gk9Xy","score":7,"timestamp":1772300000001}"#)
        try save(added, 1030)
        #expect(try writer.takeUp() == [])
        try save(ours, 1030 + seconds)
        #expect(try writer.takeUp() == [])
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.5, 5])
        try scene.perform(JournalScene.entry(11, "score", #"{"game":"deep-reef","score":6}"#, at: 1), 11)
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.5, 5, 6])
        // What was written here meanwhile it still does not remove.
        try save(ours, 1040 + seconds)
        _ = try writer.takeUp()
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.5, 5, 6])
    }

    @Test func `times of imported scores that an app has moved are put back without a word`() throws {
        let imported = JournalScene.document.replacing(
            #""mood": "fine"}"#, with: #""mood": "fine", "leagueImported": true}"#)
        try scene.journal.appending("practice-state.json").write(imported)
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        let ours = try scene.text()
        let moved = ours.replacing(
            #""timestamp": 1772300000000.25, "mood""#, with: #""timestamp": 1772379200000, "mood""#)
        try #require(moved != ours)
        try save(moved)
        #expect(try writer.overwritten(settleTime: .zero) == [] && writer.takeUp() == [])
        #expect(GoldenValue(try scene.text().utf8) == GoldenValue(ours.utf8))
    }

    @Test func `an app with a change of its own does not remove what another one has added`() throws {
        let added = JournalScene.document.replacing(
            #""mood": "fine"}"#,
            with: #""mood": "fine"}, {"id":"b","gameID":"Gk9Xy","score":7,"timestamp":1772300000001}"#)
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        try save(added, 0)
        _ = try writer.takeUp()
        try save(JournalScene.document.replacing("1.50, \"context\"", with: "1.75, \"context\""), 100)
        _ = try writer.takeUp()
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.75, 5, 7])
    }

    @Test
    func `what an app has taken up from here and we have changed or removed since, it does not bring back`()
        throws
    {
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        let row = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
        func edit(_ id: Int, _ score: Int) throws {
            let edit = #"{"row":"\#(row)","patch":{"score":\#(score)}}"#
            try scene.perform(JournalScene.entry(id, "edit", edit, at: id), id)
        }
        try edit(11, 99)
        let loaded = try scene.text()
        try edit(12, 120)
        let gone = DerivedID.id(of: number(10), .journal)
        try scene.perform(JournalScene.entry(13, "delete", "{\"row\":\"\(gone)\"}", at: 13), 13)
        // Later than all of it.
        try save(loaded.replacing(#""mood": "fine""#, with: #""mood": "great""#), 2000)
        _ = try writer.takeUp()
        #expect(try scene.read().scoreEntries.map(\.score) == [120])
        #expect(try scene.text().contains("great"))
        // What it changes itself counts, though it was there before.
        let own = #""schemaVersion": 4, "a": 1, "b": 2, "c": 3,"#
        try save(scene.text().replacing(#""schemaVersion": 4,"#, with: own), 3000)
        _ = try writer.takeUp()
        for (second, (old, new)) in [("120", "99"), ("99", "1.5")].enumerated() {
            try save(
                scene.text().replacing("\"score\": \(old)", with: "\"score\": \(new)"), 4000 + second)
            _ = try writer.takeUp()
            #expect(try scene.read().scoreEntries.map(\.score) == [try #require(Double(new))])
        }
    }

    @Test func `what an app has left is known, though taking it up was cut short behind its line`() throws {
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        try save(Self.grown, 2000)
        var cut = writer
        cut.failPoint = { step, path throws(Errno) in
            if step == .rename, path.lastComponent?.stem.count == 64 { throw .ioError }
        }
        #expect(throws: FileError.self) { try cut.takeUp() }
        #expect(try scene.text() == Self.grown)
        _ = try writer.takeUp()
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.5, 5, 7])
        // It has removed its own score since, and never had the other.
        try save(JournalScene.document, 3000)
        _ = try writer.takeUp()
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.5, 5])
    }

    @Test func `an app that never had most of the records is not refused for lacking them`() throws {
        for id in 10..<35 {
            let score = #"{"game":"deep-reef","score":\#(id)}"#
            try scene.perform(JournalScene.entry(id, "score", score, at: id), id)
        }
        try save(Self.grown)
        #expect(try writer.takeUp().count == 50)
        #expect(try scene.read().scoreEntries.count == 27)
    }

    @Test func `an undo tells what it has put back before`() throws {
        for id in [10, 11] {
            let score = #"{"game":"deep-reef","score":\#(id)}"#
            try scene.perform(JournalScene.entry(id, "score", score, at: id), id)
        }
        try save(Self.grown)
        let notices = try scene.undo().notices
        #expect(notices.count == 1 && notices[0].contains("score 10 of Gk9Xy"), "\(notices)")
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.5, 7, 10])
        #expect(try scene.undo().notices == [])
    }

    @Test func `where it is not known what programs have left there, one says what is new alone`() throws {
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        let log = try scene.log()
        let (whole, write) = (try #require(log.first), try #require(log.last))
        // As a version that kept no such documents has shortened it.
        let values = try DocumentValues(Scene.document(scene.text().utf8))
        let state = SyncState(from: nil, to: values, stamp: .unnoted(newest: values.newest))
        let text = String(decoding: state.json.bytes, as: UTF8.self)
        try scene.journal.appending("sync.jsonl").write(
            #"{"stamp":[1772300000000,0,"trace"],"at":1772300000000,"before":"\#(write.text("after"))","after":"\#(write.text("after"))","documents":{"\#(whole.text("after"))":1},"state":\#(text)}"#
                + "\n")
        try save(Self.grown)
        #expect(try writer.takeUp().map(\.text) == ["score 5 of Gk9Xy", "row scoreLogged of Gk9Xy"])
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.5, 5, 7])
    }

    @Test func `a document that others have emptied is not written into until a person accepts it`() throws {
        try scene.perform(JournalScene.entry(10, "score", #"{"game":"deep-reef","score":5}"#), 10)
        try scene.journal.appending("practice-state.json").write(Self.emptied)
        let error = #expect(throws: PracticeError.self) {
            try scene.perform(JournalScene.entry(11, "score", #"{"game":"deep-reef","score":6}"#), 11)
        }
        #expect(error?.code == .replicaEmptied)
        #expect(try scene.text() == Self.emptied)
        let later = Timestamp(milliseconds: Scene.now.milliseconds + 1000)
        // What it never had stays.
        #expect(try devices(at: later).accept("document", isDry: true).removed == 2)
        #expect(try scene.text() == Self.emptied)
        #expect(try devices(at: later).accept("document").removed == 2)
        try scene.perform(JournalScene.entry(11, "score", #"{"game":"deep-reef","score":6}"#), 11)
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [5, 6])
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
