import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What clients are told of journals other than sessions.
struct JournalEventsOverTheWireTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    private typealias Stream = EventsOverTheWireTests.Stream

    /// Reads until a journal has changed so.
    private func expect(
        _ change: String, of id: String = ServedPractice.id, in stream: Stream, title: String = "Pins",
        _ cause: String
    ) throws {
        let event = try stream.next("journal")
        #expect(event.data["event"] as? String == change, "\(cause): \(event)")
        #expect(event.data["handle"] as? String == id, "\(cause): \(event)")
        #expect(event.data["title"] as? String == title, "\(cause): \(event)")
        #expect(event.kind == "watch" && event.data["session_path"] == nil, "\(cause): \(event)")
    }

    /// Waits until events that come late to what was done have come: then the next one is of what is done next.
    private func settle(_ stream: Stream, _ number: Int) throws {
        let id = String(format: "01KJ2NSG40V5Q0J8VY9E9%05d", number)
        #expect(try sample.ask("PUT", "/sessions/\(id)", json: #"{"title":"A sign"}"#).status == 201)
        while try stream.next("session").data["session_id"] as? String != id {}
    }

    @Test func `whoever changes a journal, those who see it are told`() throws {
        let stream = try Stream(sample)
        let journal = try ServedPractice(sample)
        try expect("appeared", in: stream, "it is there")
        try settle(stream, 1)
        let own = try Stream(
            sample, token: try sample.newToken("--scope", "read", "--journal", "Pins"))
        let other = try Stream(
            sample, token: try sample.newToken("--scope", "read", "--session", ServedSample.lateSetID))

        // By a command.
        try Binaries.trace(["practice", "view", "G1", "--journal", "Pins"], in: sample.copy.directory)
        try expect("changed", in: stream, "a command")
        try settle(stream, 2)
        // By a device.
        let id = number(31)
        let entry = ServedPractice.entry(id, "score", #"{"game":"G1","score":5,"context":"practice"}"#)
        #expect(try sample.ask("PUT", "/queue/\(id)", json: entry).isWritten)
        try expect("changed", in: stream, "HTTP")
        try settle(stream, 3)
        // By an app that replaces the document, after which something is wrong with it, and by one that does so in place.
        let bad = try journal.document.replacing("playfieldViewed", with: "neverHeardOf")
        try journal.write(bad, to: "practice-state.json")
        try expect("changed", in: stream, "another program")
        let findings = try sample.ask("GET", "/journals/\(ServedPractice.id)/findings").rows
        #expect(findings.count == 1, "\(findings)")
        try settle(stream, 4)
        try Data(journal.document.replacing("neverHeardOf", with: "neverEverOf").utf8).write(
            to: journal.directory.appending(path: "practice-state.json"))
        try expect("changed", in: stream, "a program that writes in place")
        try settle(stream, 5)
        // Its title.
        try journal.write(
            #"{"id":"\#(ServedPractice.id)","journal":"practice","format":1,"title":"Needles","created_at":"2026-03-01T12:00:00.000Z"}"#,
            to: "practice.json")
        try expect("changed", in: stream, title: "Needles", "a title")
        try settle(stream, 6)
        // A directory that gets another name is another place with the same id.
        try FileManager.default.moveItem(at: journal.directory, to: sample.session("needles"))
        let moved = Set(try (0..<2).map { _ in try stream.next("journal").data["event"] as? String })
        #expect(moved == ["vanished", "appeared"])
        try settle(stream, 7)
        // The daemon may look at it meanwhile, which Foundation's way of removing does not expect.
        try soon("it is gone") {
            try? FileManager.default.removeItem(at: sample.session("needles"))
            return !FileManager.default.fileExists(atPath: sample.session("needles").path)
        }
        // Its files go one by one.
        while try stream.next("journal").data["event"] as? String != "vanished" {}

        // The token of the journal was told of it from the first change to the last, and of nothing else.
        var told: [String?] = []
        while told.last != "vanished" || told.count < 7 {
            let event = try own.next()
            #expect(event.data["kind"] as? String == "journal", "\(event)")
            #expect(event.data["session_id"] as? String == ServedPractice.id, "\(event)")
            told.append(event.data["event"] as? String)
        }
        // The other one sees neither: the first that it is told of is its session.
        try Binaries.trace(
            ["session", "edit", sample.session(ServedSample.lateSet).path, "--title", "Renamed"],
            in: sample.copy.directory)
        let first = try other.next()
        #expect(first.data["session_id"] as? String == ServedSample.lateSetID, "\(first)")
    }

    @Test func `a token of a journal is told what becomes of its entry that waits, and another one is not`()
        throws
    {
        let journal = try ServedPractice(sample)
        #expect(try sample.ask("GET", "/journals/\(ServedPractice.id)").status == 200)
        let token = try sample.newToken("--scope", "mark", "--journal", "Pins")
        let stream = try Stream(sample, token: token)
        let other = try Stream(
            sample, token: try sample.newToken("--scope", "read", "--session", ServedSample.lateSetID))
        let away = sample.copy.directory.appending(path: "away")
        try FileManager.default.moveItem(at: journal.directory, to: away)
        while try stream.next("journal").data["event"] as? String != "vanished" {}
        let id = number(32)
        let entry = ServedPractice.entry(id, "score", #"{"game":"G1","score":5,"context":"practice"}"#)
        let answer = try sample.ask("PUT", "/queue/\(id)", token: token, json: entry)
        #expect(answer.status == 202, "\(answer)")
        let queued = try stream.next("queue")
        #expect(queued.data["event"] as? String == "queued", "\(queued)")
        #expect(queued.data["id"] as? String == id, "\(queued)")
        #expect(queued.data["session_id"] as? String == ServedPractice.id, "\(queued)")
        try FileManager.default.moveItem(at: away, to: journal.directory)
        let applied = try stream.next("queue")
        #expect(applied.data["event"] as? String == "applied", "\(applied)")
        #expect(applied.data["id"] as? String == id, "\(applied)")
        // The first that the other one is told of is its session.
        try Binaries.trace(
            ["session", "edit", sample.session(ServedSample.lateSet).path, "--title", "Renamed"],
            in: sample.copy.directory)
        let first = try other.next()
        #expect(first.data["session_id"] as? String == ServedSample.lateSetID, "\(first)")
    }

    @Test func `what was missed of a journal is told to who comes back`() throws {
        _ = try ServedPractice(sample)
        #expect(try sample.ask("GET", "/journals/\(ServedPractice.id)").status == 200)
        var stream = try Stream(sample)
        try settle(stream, 1)
        let last = stream.lastID
        try Binaries.trace(["practice", "view", "G1", "--journal", "Pins"], in: sample.copy.directory)
        try expect("changed", in: stream, "while it is there")
        stream = try Stream(sample, after: last)
        try expect("changed", in: stream, "after it was told to others")
        // Nobody listens meanwhile.
        let end = stream.lastID
        stream.client.resetWhenClosed()
        stream = try Stream(
            sample, token: sample.newToken("--scope", "read", "--session", ServedSample.lateSetID))
        try Binaries.trace(["practice", "view", "G2", "--journal", "Pins"], in: sample.copy.directory)
        stream = try Stream(sample, after: end)
        try expect("changed", in: stream, "while others listened")
    }
}
