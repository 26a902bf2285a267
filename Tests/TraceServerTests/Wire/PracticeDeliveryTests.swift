import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Every write of a practice journal, as a device sends it.
struct PracticeDeliveryTests {
    private let sample: ServedSample
    private let journal: ServedPractice

    private static let row = "0A7B1C00-0000-4000-8000-000000000001"
    private static let group = "0A7B1C00-0000-4000-8000-000000000101"

    /// A document in which there is something to change.
    private static let document = #"""
        {"schemaVersion":4,"journalEntries":[{"id":"\#(row)","gameID":"G1","action":"noteAdded","noteCategory":"shots",
        "note":"left orbit","timestamp":1772402430000}],"noteEntries":[{"id":"0A7B1C00-0000-4000-8000-000000000002","gameID":"G1",
        "category":"shots","note":"left orbit","timestamp":1772402430000}],"customGroups":[{"id":"\#(group)","name":"Old ones",
        "gameIDs":["G1","G2"],"type":"custom","isActive":true,"isArchived":false,"isPriority":false,"createdAt":1772402430000}]}
        """#

    init() throws {
        sample = try ServedSample()
        journal = try ServedPractice(sample, document: Self.document)
        #expect(try sample.ask("GET", "/journals/\(journal.id)").status == 200)
    }

    private struct Write {
        let kind: String
        let payload: String
        /// What is in the file afterwards.
        let expected: String
        var file = "practice-state.json"
    }

    /// In the order in which they are sent: the last ones take away what the others need.
    private static let writes = [
        Write(
            kind: "score", payload: #"{"game":"G1","score":12345678,"context":"practice"}"#,
            expected: #""score":12345678"#),
        Write(
            kind: "task", payload: #"{"game":"G2","task":"rulesheet","progress":40}"#,
            expected: #""progressPercent":40"#),
        Write(
            kind: "video",
            payload:
                #"{"game":"G2","action":"tutorialWatch","kind":"percent","value":"Tutorial 2 • 60%","progress":60}"#,
            expected: "Tutorial 2 • 60%"),
        Write(
            kind: "note", payload: #"{"game":"G1","category":"shots","note":"more nudging"}"#,
            expected: "more nudging"),
        Write(
            kind: "mechanics", payload: #"{"game":"G1","skill":"Post Pass","competency":3}"#,
            expected: "#PostPass competency 3/5."),
        Write(kind: "browse", payload: #"{"game":"G3"}"#, expected: "gameBrowse"),
        Write(
            kind: "resume", payload: #"{"game":"G1","rulesheet":0.4}"#,
            expected: #""rulesheetResumeOffsets":{"G1":0.4}"#),
        Write(
            kind: "gamenote", payload: #"{"game":"G1","note":"two balls first"}"#,
            expected: #""gameSummaryNotes":{"G1":"two balls first"}"#),
        Write(
            kind: "settings", payload: #"{"practiceSettings":{"playerName":"Ann"}}"#,
            expected: #""playerName":"Ann""#),
        Write(
            kind: "edit", payload: #"{"row":"\#(row)","patch":{"note":"right orbit"}}"#,
            expected: "right orbit"),
        Write(
            kind: "library", payload: #"{"game":"G1","kind":"openRulesheet"}"#, expected: "Comet Racer",
            file: "activity.json"),
        Write(
            kind: "group.create", payload: #"{"name":"New ones","games":["G3"]}"#, expected: "New ones"),
        Write(
            kind: "group.priority", payload: #"{"group":"\#(group)"}"#, expected: #""isPriority":true"#),
        Write(kind: "group.select", payload: #"{"group":"\#(group)"}"#, expected: group),
        Write(
            kind: "group.archive", payload: #"{"groups":["\#(group)"]}"#, expected: #""isArchived":true"#),
    ]

    private func text(_ file: String) throws -> String {
        try String(contentsOf: journal.directory.appending(path: file), encoding: .utf8)
    }

    @Test func `each write is in the file once, however often it is sent, one by one and in a batch`() throws
    {
        for (index, write) in Self.writes.enumerated() {
            let id = number(100 + index)
            let entry = ServedPractice.entry(id, write.kind, write.payload)
            let first = try sample.ask("PUT", "/queue/\(id)", json: entry)
            #expect(first.isWritten, "\(write.kind): \(first)")
            let written = try text(write.file)
            #expect(written.contains(write.expected), "\(write.kind): \(written)")
            let again = try sample.ask("PUT", "/queue/\(id)", json: entry)
            #expect(again.status == 200, "\(write.kind): \(again)")
            #expect(again.object["result"] as? String == "already-applied", "\(write.kind): \(again)")
            let batch = try sample.ask(
                "POST", "/queue", [("Content-Type", "application/jsonl")], json: entry)
            #expect(batch.text.contains(#""result":"already-applied""#), "\(write.kind): \(batch)")
            #expect(try text(write.file) == written, "\(write.kind)")
        }
        // Those that need no group any more at once, under other ids.
        let before = try journal.document
        let lines = Self.writes.filter { !$0.kind.hasPrefix("group.") }.enumerated().map { index, write in
            ServedPractice.entry(number(200 + index), write.kind, write.payload)
        }
        for expected in ["applied", "already-applied"] {
            let answer = try sample.ask(
                "POST", "/queue", [("Content-Type", "application/jsonl")],
                json: lines.joined(separator: "\n"))
            let results = answer.results
            #expect(results.count == lines.count, "\(answer)")
            #expect(results.first == expected || answer.hasWaited, "\(answer)")
            #expect(results.allSatisfy { $0 == expected || $0 == "already-applied" }, "\(answer)")
        }
        #expect(try journal.document != before)
        // What it all was can still be read, and nothing waits.
        #expect(try sample.ask("GET", "/journals/\(journal.id)/findings").status == 200)
        #expect(try sample.ask("GET", "/queue").rows.count { "\($0["journal_id"] ?? "")" == journal.id } == 0)
    }

    @Test func `a deletion and canonical ids come over HTTP, too`() throws {
        for (index, (kind, payload)) in [("delete", #"{"row":"\#(Self.row)"}"#), ("canonicalise", "{}")]
            .enumerated()
        {
            let id = number(300 + index)
            let entry = ServedPractice.entry(id, kind, payload)
            #expect(
                [200, 201].contains(try sample.ask("PUT", "/queue/\(id)", json: entry).status), "\(kind)")
            #expect(try sample.ask("PUT", "/queue/\(id)", json: entry).status == 200, "\(kind)")
        }
        #expect(try !journal.document.contains("left orbit"))
    }

    @Test func `another write under an id that was used is a conflict, and changes nothing`() throws {
        let id = number(40)
        let entry = ServedPractice.entry(id, "score", #"{"game":"G1","score":5,"context":"practice"}"#)
        #expect(try sample.ask("PUT", "/queue/\(id)", json: entry).isWritten)
        let written = try journal.document
        for other in [
            ServedPractice.entry(id, "score", #"{"game":"G1","score":6,"context":"practice"}"#),
            ServedPractice.entry(id, "note", #"{"game":"G1","note":"other"}"#),
        ] {
            let answer = try sample.ask("PUT", "/queue/\(id)", json: other)
            #expect(answer.status == 409 && answer.code == "conflict", "\(answer)")
        }
        #expect(try journal.document == written)
    }

    @Test(arguments: [
        ("score", #"{"game":"G1","score":0,"context":"practice"}"#, "Enter a valid score above 0."),
        ("score", #"{"game":"G1","score":5,"context":"tournament"}"#, "Enter a tournament name."),
        ("score", "{}", "game is missing."),
        ("mechanics", #"{"game":"","competency":6}"#, "Choose a competency from 1 to 5."),
        ("edit", #"{"row":"\#(row)","patch":{"id":"x"}}"#, "id can't be changed."),
        ("delete", #"{"row":"0A7B1C00-0000-4000-8000-000000000009"}"#, "There is no row"),
    ])
    func `what the app would refuse is refused in its words, and nothing is written`(
        kind: String, payload: String, reason: String
    ) throws {
        let id = number(50)
        let before = try journal.document
        let answer = try sample.ask("PUT", "/queue/\(id)", json: ServedPractice.entry(id, kind, payload))
        #expect(answer.status == 422, "\(answer)")
        #expect((answer.object["detail"] as? String ?? "").contains(reason), "\(answer)")
        let batch = try sample.ask(
            "POST", "/queue", [("Content-Type", "application/jsonl")],
            json: ServedPractice.entry(number(51), kind, payload))
        #expect(batch.text.contains(#""result":"rejected""#) && batch.text.contains(reason), "\(batch)")
        #expect(try journal.document == before)
    }

    @Test func `who may not write into a journal does not, and does not learn that it is there`() throws {
        let id = number(60)
        let entry = ServedPractice.entry(id, "score", #"{"game":"G1","score":5,"context":"practice"}"#)
        let before = try journal.document
        let reader = try sample.newToken("--scope", "read", "--journal", "Pins")
        #expect(try sample.ask("PUT", "/queue/\(id)", token: reader, json: entry).status == 403)
        let other = try sample.newToken("--scope", "mark", "--session", ServedSample.lateSet)
        let hidden = try sample.ask("PUT", "/queue/\(id)", token: other, json: entry)
        #expect(hidden.status == 404 && hidden.code == "no-such-journal", "\(hidden)")
        let batch = try sample.ask(
            "POST", "/queue", [("Content-Type", "application/jsonl")], token: other, json: entry)
        #expect(batch.text.contains("rejected") && batch.text.contains("no-such-journal"), "\(batch)")
        #expect(try sample.ask("PUT", "/queue/\(id)", token: "", json: entry).status == 401)
        #expect(try journal.document == before)
        let owner = try sample.newToken("--scope", "mark", "--journal", "Pins")
        #expect(try sample.ask("PUT", "/queue/\(id)", token: owner, json: entry).isWritten)
        #expect(try journal.document.contains(#""score":5"#))
    }

    @Test func `what comes for a journal that is not here waits, and is written when it is`() throws {
        let id = number(70)
        let away = "01KGNQZP000000000000000009"
        let entry = ServedPractice.entry(
            id, "score", #"{"game":"G1","score":77,"context":"practice"}"#, for: away)
        let answer = try sample.ask("PUT", "/queue/\(id)", json: entry)
        #expect(answer.status == 202 && answer.object["result"] as? String == "waiting", "\(answer)")
        let other = try ServedPractice(sample, "away", id: away, title: "Away")
        try soon("it is written") { try other.document.contains(#""score":77"#) }
        #expect(try sample.ask("PUT", "/queue/\(id)", json: entry).status == 200)
    }
}
