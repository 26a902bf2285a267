import FileHarness
import Foundation
import PracticeJournal
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

/// Writes into a practice journal's directory.
struct JournalWriteTests {
    private let scratch: ScratchDirectory
    private let scene: JournalScene

    init() throws {
        scratch = try ScratchDirectory()
        scene = try JournalScene(in: scratch.path)
    }

    private static let score = JournalScene.entry(10, "score", #"{"game":"deep-reef","score":12345678}"#)

    private static let row = """
        {"id":"\(DerivedID.id(of: number(10), .journal))","gameID":"Gk9Xy","action":"scoreLogged","score":12345678,\
        "scoreContext":"practice","timestamp":1772400000000}
        """

    @Test func `a score comes into the document, and no other byte of it changes`() throws {
        try scene.put(Self.score, 10)
        #expect(try scene.drain() == ["10 applied"])
        let score = """
            {"id": "\(DerivedID.id(of: number(10), .score))", "gameID": "Gk9Xy", "score": 12345678, "context": "practice", \
            "timestamp": 1772400000000, "leagueImported": false}
            """
        let row = """
            {"id": "\(DerivedID.id(of: number(10), .journal))", "gameID": "Gk9Xy", "action": "scoreLogged", \
            "score": 12345678, "scoreContext": "practice", "timestamp": 1772400000000}
            """
        let expected = JournalScene.document
            .replacing("\"mood\": \"fine\"}", with: "\"mood\": \"fine\"},\n    \(score)")
            .replacing(".25}\n  ]\n}", with: ".25},\n    \(row)\n  ]\n}")
        #expect(try scene.text() == expected)
        #expect(try scene.text("slots.json") == #"{"practice-quick-game-score":"Gk9Xy"}"# + "\n")
    }

    @Test(arguments: [("scoore", #"{"game":"deep-reef","score":1}"#), ("score", #"{"score":1}"#)])
    func `what no journal would ever take is refused at once, though its journal is away`(
        _ operation: String, _ payload: String
    ) throws {
        let entry = JournalScene.entry(10, operation, payload)
        var delivery = EntryDelivery(scene.queue, now: { Scene.now })
        delivery.formats = JournalScene.formats
        let item = EntryDelivery.Item(read: try SpoolEntry(parsing: Array(entry.utf8), named: number(10)))
        let outcome = try #require(delivery.deliver([item], locate: { _ in [] }).first).get()
        #expect(outcome.result.name == "rejected", "\(outcome.result)")
        #expect(scene.queue.local.entry(number(10)) == nil)
    }

    @Test func `the log has the document before the first write, and the write with the checksums around it`()
        throws
    {
        try scene.perform(Self.score, 10)
        let log = try scene.log()
        #expect(log.count == 2)
        let before = try #require(log.first), write = try #require(log.last)
        #expect(before["document"] == GoldenValue(Array(JournalScene.document.utf8)))
        #expect(before["stamp"] == GoldenValue(Array(#"[1772300000000,0,""]"#.utf8)))
        #expect(write["stamp"] == GoldenValue(Array(#"[1773576000000,0,"trace"]"#.utf8)))
        #expect(before["after"] == write["before"])
        #expect(write["kind"] == GoldenValue(Array(#""practice.score""#.utf8)))
        #expect(write["write"] == GoldenValue(Array("\"\(number(10))\"".utf8)))
        try scene.perform(JournalScene.entry(11, "browse", #"{"game":"GaB12"}"#), 11)
        let next = try #require(try scene.log().last)
        #expect(try scene.log().count == 3)
        #expect(next["before"] == write["after"])
        #expect(next["stamp"] == GoldenValue(Array(#"[1773576000000,1,"trace"]"#.utf8)))
    }

    @Test func `the last write is found behind long lines, and before long torn ones`() throws {
        let long = String(repeating: "w", count: 600_000)
        let text = JournalScene.document.replacing("1e2", with: "\"\(long)\"")
        try scene.journal.appending("practice-state.json").write(text)
        try scene.perform(Self.score, 10)
        try scene.perform(JournalScene.entry(11, "browse", #"{"game":"GaB12"}"#), 11)
        #expect(try scene.log().map { $0["document"] != nil } == [true, false, false])
        let log = try scene.text("sync.jsonl")
        try scene.journal.appending("sync.jsonl").write(log + #"{"write":"torn"# + long)
        try scene.perform(JournalScene.entry(12, "browse", #"{"game":"Gk9Xy"}"#), 12)
        let lines = try scene.text("sync.jsonl").split(separator: "\n")
        #expect(lines.dropFirst(4).map { $0.contains("\(number(12))") } == [true])
        #expect(!lines.dropFirst().contains { $0.contains(#""document":"#) })
    }

    @Test func `an entry is written once, however often and by whichever way it comes`() throws {
        try scene.put(Self.score, 10)
        #expect(try scene.drain() == ["10 applied"])
        let document = try scene.text()
        try scene.put(Self.score, 10)
        #expect(try scene.drain() == ["10 already-applied"])
        let outcome = try scene.send(Self.score, 10)
        #expect(outcome.result.name == "already-applied")
        #expect(outcome.line.map { GoldenValue($0) } == GoldenValue(Array(Self.row.utf8)))
        // Without the ledger, the journal itself tells.
        try #require(unlink(scene.queue.state.appending("applied.jsonl").string) == 0)
        #expect(try scene.send(Self.score, 10).result.name == "already-applied")
        #expect(try scene.text() == document)
    }

    @Test func `another entry of an id that was applied is a conflict`() throws {
        _ = try scene.send(Self.score, 10)
        let other = JournalScene.entry(10, "score", #"{"game":"deep-reef","score":7}"#)
        #expect(try scene.send(other, 10).result.name == "conflict")
        try #require(unlink(scene.queue.state.appending("applied.jsonl").string) == 0)
        #expect(try scene.send(other, 10).result.name == "conflict")
    }

    @Test(arguments: [
        (#"{"game":"deep-reef","score":0}"#, "score", "Enter a valid score above 0."),
        (#"{"game":"deep-reef","score":5,"context":"tournament"}"#, "score", "Enter a tournament name."),
        (#"{"game":"deep-reef"}"#, "score", "score is missing."),
        (#"{"game":"deep-reef","note":"  "}"#, "note", "Note cannot be empty."),
        (
            #"{"row":"00000000-0000-4000-8000-000000000000"}"#, "delete",
            "There is no row 00000000-0000-4000-8000-000000000000."
        ),
        (#"{}"#, "song", "kind 'practice.song' is malformed"),
    ])
    func `an entry that can't be written is refused, and nothing is changed`(
        _ payload: String, _ operation: String, _ reason: String
    ) throws {
        try scene.put(JournalScene.entry(10, operation, payload), 10)
        #expect(try scene.drain() == ["10 rejected: \(reason)"])
        #expect(try scene.text() == JournalScene.document)
        #expect(try OpenDirectory(scene.journal).readFile("sync.jsonl") == nil)
    }

    @Test func `an entry waits until its journal is there`() throws {
        let away = scene.root.appending("away")
        try #require(rename(scene.journal.string, away.string) == 0)
        let outcome = try scene.send(Self.score, 10)
        #expect(outcome.result.reason == "directory does not exist" || outcome.result.name == "waiting")
        try #require(rename(away.string, scene.journal.string) == 0)
        #expect(try scene.drain() == ["10 applied"])
    }

    @Test func `an entry of a journal is not written into a session`() throws {
        let session = try SampleSession(at: scene.root.appending("set"))
        var drain = Drain(scene.queue) { _ in [session.path] }
        drain.formats = JournalScene.formats
        try scene.put(Self.score, 10)
        #expect(try drain.run().map(QueueScene.summary).first?.hasPrefix("10 failed") == true)
    }

    @Test(arguments: [
        (#"{"schemaVersion":5}"#, "has a schema that this version does not know"),
        (#"{"scores":[],"journal":[]}"#, "has Android's older shape"),
        (#"{"scores":[],"scoreEntries":[]}"#, "has keys of schema 4 and of Android's older shape"),
        (#"{"scoreEntries":["#, "can't be read whole"), ("[]", "can't be read whole"),
    ])
    func `nothing is written into a document that is not known whole`(_ text: String, _ reason: String) throws
    {
        try scene.journal.appending("practice-state.json").write(text)
        let outcome = try scene.send(Self.score, 10)
        #expect(outcome.result.name == "waiting")
        #expect(
            outcome.cause?.report.message.contains(reason) == true, "\(outcome.cause?.report.message ?? "")")
        #expect(try scene.text() == text)
        #expect(try OpenDirectory(scene.journal).readFile("sync.jsonl") == nil)
    }

    @Test func `a journal without a document gets one`() throws {
        try #require(unlink(scene.journal.appending("practice-state.json").string) == 0)
        #expect(try scene.send(Self.score, 10).result.name == "applied")
        let document = try scene.read()
        #expect(document.schemaVersion == 4)
        #expect(document.rows.count == 1)
    }

    @Test func `a document that has gone is not begun again`() throws {
        _ = try scene.send(Self.score, 10)
        try #require(unlink(scene.journal.appending("practice-state.json").string) == 0)
        let next = JournalScene.entry(11, "score", #"{"game":"deep-reef","score":3}"#)
        #expect(try scene.send(next, 11).cause?.report.message == "is missing, though the journal had one")
    }

    @Test func `what another program has written stays, and the log has it`() throws {
        _ = try scene.send(Self.score, 10)
        let text = try scene.text().replacing("\"mood\": \"fine\"", with: "\"mood\": \"great\"")
        try scene.journal.appending("practice-state.json").write(text)
        _ = try scene.send(JournalScene.entry(11, "score", #"{"game":"GaB12","score":3}"#), 11)
        #expect(try scene.text().contains("\"mood\": \"great\""))
        let log = try scene.log()
        #expect(log.count == 4)
        let said = try #require(log[2]["state"]?["records"]?["scoreEntries"]?.elements.first)
        #expect(said["set"] == GoldenValue(Array(#"[[0,{"mood":"great"}]]"#.utf8)))
        #expect(log[2]["before"] == log[2]["after"])
        #expect(log[3]["before"] == log[2]["after"])
        #expect(log[2]["stamp"] == GoldenValue(Array(#"[1773576000000,1,"document"]"#.utf8)))
        #expect(log[3]["stamp"] == GoldenValue(Array(#"[1773576000000,2,"trace"]"#.utf8)))
    }

    @Test(arguments: ["99", "-1", "9223372036854775807", "-9223372036854775808"], ["edit", "delete"])
    func `a write that was cut short is made by the ids where its line has places that are not there`(
        index: String, operation: String
    ) throws {
        try scene.perform(Self.score, 10)
        let before = try scene.text()
        let row = DerivedID.id(of: number(10), .journal)
        let payload =
            operation == "edit" ? #"{"row":"\#(row)","patch":{"score":99}}"# : #"{"row":"\#(row)"}"#
        try scene.perform(JournalScene.entry(11, operation, payload), 11)
        let log = try scene.text("sync.jsonl")
        try #require(log.contains("\"index\":1,"))
        try scene.journal.appending("sync.jsonl").write(
            log.replacing("\"index\":1,", with: "\"index\":\(index),"))
        let document = scene.journal.appending("practice-state.json")
        try document.write(before)
        // As it was by the clock of this scene.
        try document.setModified(
            secondsAgo: Int((Clock.now().milliseconds - Scene.now.milliseconds) / 1000))
        try scene.perform(JournalScene.entry(12, "browse", #"{"game":"GaB12"}"#), 12)
        let found = try scene.read()
        #expect(found.rows.contains { $0.id == DerivedID.id(of: number(12), .journal) })
        #expect(found.scoreEntries.map(\.score) == (operation == "edit" ? [1.5, 99] : [1.5]))
    }

    @Test func `numbers in the log that are the greatest there are keep nobody from writing`() throws {
        func stamps(_ count: Int) throws -> [GoldenValue] {
            try scene.log().suffix(count).compactMap { $0["stamp"] }
        }
        func stamp(_ text: String) -> GoldenValue { GoldenValue(text.utf8) }
        func score(_ score: Int, _ id: Int) throws {
            let payload = "{\"game\":\"deep-reef\",\"score\":\(score)}"
            try scene.perform(JournalScene.entry(id, "score", payload), id)
        }
        try score(5, 10)
        let older = try scene.text()
        let checksum = try Checksum.of(older)
        let last = "[1773576000000,9223372036854775807,\"phone\"]"
        let line = """
            {"stamp":\(last),"at":9223372036854775807,"clock":\(last),"before":"\(checksum)",\
            "after":"\(checksum)","state":{"stamps":[\(last)]}}

            """
        try scene.journal.appending("sync.jsonl").write(scene.text("sync.jsonl") + line)
        try score(6, 11)
        #expect(try stamps(1) == [stamp(#"[1773576000001,0,"trace"]"#)])
        // What others write is later, too.
        let document = scene.journal.appending("practice-state.json")
        try document.write(scene.text().replacing("\"mood\": \"fine\"", with: "\"mood\": \"great\""))
        try score(7, 12)
        #expect(
            try stamps(2) == [
                stamp(#"[1773576000001,0,"document"]"#), stamp(#"[1773576000001,1,"trace"]"#),
            ])
        // An older document that the log has at the end of all times says nothing.
        try document.write(older)
        try score(8, 13)
        #expect(try scene.read().scoreEntries.map(\.score).sorted() == [1.5, 5, 6, 7, 8])
        #expect(try scene.text().contains("\"mood\": \"great\""))
    }

    @Test func `a record that has vanished is reported, and put back when that is asked for`() throws {
        _ = try scene.send(Self.score, 10)
        // An app has had it, and then removed it.
        let own = #""schemaVersion": 4, "a": 1, "b": 2, "c": 3,"#
        let document = scene.journal.appending("practice-state.json")
        try document.write(scene.text().replacing(#""schemaVersion": 4,"#, with: own))
        #expect(try scene.send(Self.score, 10).result.name == "already-applied")
        try document.write(JournalScene.document.replacing(#""schemaVersion": 4,"#, with: own))
        #expect(try scene.send(Self.score, 10).result.name == "record-vanished")
        var drain = Drain(scene.queue, now: { Scene.now }, locate: scene.locate)
        drain.formats = JournalScene.formats
        let name = try #require(EntryName("\(number(10))"))
        #expect(try drain.retry(name).result.name == "applied")
        #expect(try scene.read().scoreEntries.map(\.score) == [1.5, 12_345_678])
    }

    @Test func `a row that was deleted does not come back with its entry`() throws {
        _ = try scene.send(Self.score, 10)
        let row = DerivedID.id(of: number(10), .journal)
        _ = try scene.send(JournalScene.entry(11, "delete", #"{"row":"\#(row)"}"#), 11)
        #expect(try scene.text() == JournalScene.document)
        #expect(try scene.send(Self.score, 10).result.name == "removed")
        #expect(try scene.text() == JournalScene.document)
    }

    @Test func `a deletion takes the record that was written with the row, and not one that is like it`()
        throws
    {
        _ = try scene.send(Self.score, 10)
        _ = try scene.send(JournalScene.entry(12, "score", #"{"game":"Gk9Xy","score":12345678}"#), 12)
        let row = DerivedID.id(of: number(12), .journal)
        _ = try scene.send(JournalScene.entry(13, "delete", #"{"row":"\#(row.lowercased())"}"#), 13)
        let left = try scene.read()
        #expect(left.scoreEntries.last?.id == DerivedID.id(of: number(10), .score))
        #expect(left.rows.last?.id == DerivedID.id(of: number(10), .journal))
    }

    @Test func `an edit of a row goes to the record that was written with it`() throws {
        _ = try scene.send(Self.score, 10)
        _ = try scene.send(JournalScene.entry(12, "score", #"{"game":"Gk9Xy","score":12345678}"#), 12)
        let row = DerivedID.id(of: number(12), .journal)
        let edit = #"{"row":"\#(row)","patch":{"score":99}}"#
        let outcome = try scene.send(JournalScene.entry(13, "edit", edit), 13)
        #expect(outcome.result.name == "applied")
        let edited = try scene.read()
        #expect(edited.scoreEntries.first { $0.id == DerivedID.id(of: number(12), .score) }?.score == 99)
        #expect(
            edited.scoreEntries.first { $0.id == DerivedID.id(of: number(10), .score) }?.score == 12_345_678)
        // An edit makes no records; that it was made is in the log.
        #expect(try scene.send(JournalScene.entry(13, "edit", edit), 13).result.name == "already-applied")
        try #require(unlink(scene.queue.state.appending("applied.jsonl").string) == 0)
        #expect(try scene.send(JournalScene.entry(13, "edit", edit), 13).result.name == "already-applied")
    }

    @Test func `a look into the library goes to its log, and not twice within two seconds`() throws {
        let look = #"{"game":"deep-reef","kind":"openRulesheet"}"#
        #expect(try scene.perform(JournalScene.entry(10, "library", look), 10).notice == nil)
        #expect(try scene.perform(JournalScene.entry(11, "library", look, at: 1999), 11).notice != nil)
        #expect(try scene.perform(JournalScene.entry(12, "library", look, at: 2000), 12).notice == nil)
        let log = try LibraryLog(Array(scene.text("activity.json").utf8))
        #expect(log.entries.map(\.id) == [12, 10].map { DerivedID.id(of: number($0), .library) })
        #expect(try scene.text() == JournalScene.document)
        #expect(try scene.send(JournalScene.entry(10, "library", look), 10).result.name == "already-applied")
    }

    @Test(arguments: [
        ("group.create", #"{"name":" Two ","games":["deep-reef"],"priority":true}"#),
        ("settings", #"{"practiceSettings":{"playerName":"Ada"},"analyticsSettings":{"useMedian":false}}"#),
        ("gamenote", #"{"game":"deep-reef","note":"drain left"}"#),
        ("resume", #"{"game":"deep-reef","rulesheet":0.4,"video":"Tutorial 1"}"#),
        (
            "video",
            #"{"game":"deep-reef","action":"tutorialWatch","kind":"percent","value":"60%","progress":60}"#
        ),
        ("mechanics", #"{"game":"","skill":"Post Pass","competency":3}"#),
        ("task", #"{"game":"deep-reef","task":"rulesheet","progress":40}"#),
    ])
    func `each kind of entry is written, found again, and taken back to the byte`(
        _ operation: String, _ payload: String
    ) throws {
        let entry = JournalScene.entry(10, operation, payload)
        let applied = try scene.perform(entry, 10)
        #expect(applied.notice == nil)
        let written = try scene.text()
        #expect(written != JournalScene.document)
        #expect(try Scene.reading(written.utf8).findings.filter { $0.severity == .error } == [])
        #expect(try scene.send(entry, 10).result.name == "already-applied")
        #expect(try scene.text() == written)
        _ = try scene.undo()
        #expect(try scene.text() == JournalScene.document)
        #expect(try scene.send(entry, 10).result.name != "applied")
    }
}
