import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Devices bring the document of a practice journal by requests, and get the merged one.
struct ReplicaOverTheWireTests {
    private static let names = cases().compactMap { $0["steps"] == nil ? nil : $0["name"] as? String }

    private static func file() -> [String: Any] {
        let url = URL(filePath: #filePath).appending(path: "../../../Fixtures/journals/practice-merge.json")
        let data = (try? Data(contentsOf: url.standardized)) ?? Data()
        return (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
    }

    private static func cases() -> [[String: Any]] { file()["cases"] as? [[String: Any]] ?? [] }

    private static func text(_ value: Any?) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: #require(value), options: [.sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }

    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    private func put(
        _ document: String, from device: String, to journal: ServedPractice, base: String? = nil,
        written: String? = nil, query: String = ""
    ) throws -> WireAnswer {
        var fields = [("Content-Type", "application/json")]
        if let base { fields.append(("If-Match", base)) }
        if let written { fields.append(("Trace-Written-At", written)) }
        return try sample.ask(
            "PUT", "/journals/\(journal.id)/replica/\(device)\(query)", fields, json: document)
    }

    @Test func `into a journal of a newer version nothing is merged for now`() throws {
        let journal = try ServedPractice(sample)
        let header = try String(
            contentsOf: journal.directory.appending(path: "practice.json"), encoding: .utf8)
        try journal.write(header.replacing(#""format":1"#, with: #""format":2"#), to: "practice.json")
        let answer = try put(ServedPractice.emptyDocument, from: "phone", to: journal)
        #expect(answer.status == 503 && answer.code == "journal-not-writable", "\(answer)")
    }

    @Test func `what a device has brought is taken back by an undo of the daemon's user`() throws {
        let journal = try ServedPractice(sample)
        let first = try put(ServedPractice.emptyDocument, from: "phone", to: journal)
        let before = try journal.document
        let grown =
            #"{"schemaVersion":4,"journalEntries":[],"scoreEntries":[{"id":"b","gameID":"G1","score":7,"timestamp":1772300000001}]}"#
        let merged = try put(grown, from: "phone", to: journal, base: first["etag"])
        #expect(merged.status == 200 && merged.text.contains(/"score": ?7/), "\(merged)")
        func trace(_ arguments: String...) throws -> String {
            try Binaries.trace(arguments, in: sample.copy.directory)
        }
        #expect(try trace("undo", "--list").contains("practice merge"))
        #expect(try trace("undo").contains("undone: practice merge"))
        #expect(try journal.document == before)
        // It has taken nothing back of what other devices say, nor does the phone bring it again.
        let again = try put(grown, from: "phone", to: journal, base: merged["etag"])
        #expect(again["trace-merge"] == "unchanged", "\(again)")
    }

    @Test(arguments: names)
    func `what devices bring comes to the golden's document`(name: String) throws {
        let golden = try #require(Self.cases().first { $0["name"] as? String == name })
        let journal = try ServedPractice(sample, document: Self.text(Self.file()["base"]))
        let steps = try #require(golden["steps"] as? [[String: Any]])
        for step in steps.reversed() {
            let device = try #require(step["device"] as? String)
            var base: String?
            if step["base"] is String {
                // The device has the document as it was at first.
                let first = try put(Self.text(Self.file()["base"]), from: device, to: journal)
                #expect(first.status == 200, "\(first)")
                base = first["etag"]
                let document = try Self.text(step["document"])
                let now = try put(document, from: device, to: journal, base: base, written: time(step))
                #expect(now.status == 200, "\(now)")
            } else {
                #expect(try put(Self.text(step["document"]), from: device, to: journal).status == 200)
            }
        }
        let found = try JSONSerialization.jsonObject(with: Data(journal.document.utf8)) as? NSDictionary
        #expect(found == golden["expect"] as? NSDictionary)
    }

    private func time(_ step: [String: Any]) throws -> String? {
        guard let milliseconds = step["at_ms"] as? Int64 else { return nil }
        let time = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        return Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(time)
    }

    @Test func `the answer is what the device has next`() throws {
        let journal = try ServedPractice(
            sample, document: #"{"schemaVersion":4,"gameSummaryNotes":{"G1":"old","G2":"x"}}"#)
        let got = try sample.ask("GET", "/journals/\(journal.id)/document")
        let tag = try #require(got["etag"])
        #expect(tag.utf8.count == 66, "\(tag)")
        try journal.write(got.text.replacing("old", with: "older, from elsewhere"), to: "practice-state.json")
        let first = try put(
            got.text.replacing(#","G2":"x""#, with: #","G3":"new""#), from: "phone", to: journal, base: tag)
        #expect(first.status == 200 && first["trace-merge"] == "union", "\(first)")
        let next = try put(
            first.text.replacing(#""G2":"x","#, with: ""), from: "phone", to: journal, base: first["etag"])
        #expect(next.status == 200 && next["trace-merge"] == "three-way", "\(next)")
        #expect(try next.text == journal.document)
        #expect(next.text.contains("from elsewhere") && next.text.contains("G3") && !next.text.contains("G2"))
        let again = try put(next.text, from: "phone", to: journal, base: next["etag"])
        #expect(again["trace-merge"] == "unchanged" && again["etag"] == next["etag"], "\(again)")
    }

    @Test func `a merge is done once, though it changes what the request was about`() throws {
        let journal = try ServedPractice(
            sample, document: #"{"schemaVersion":4,"gameSummaryNotes":{"G1":"a"}}"#)
        let document = "/journals/\(journal.id)/document"
        // Only then is the journal compared once more at the end of the request.
        try soon("the daemon has read the journal") {
            try sample.ask("GET", document)["trace-fresh"] == "watched"
        }
        let got = try sample.ask("GET", document)
        let brought = got.text.replacing(#""G1":"a""#, with: #""G1":"b""#)
        let answer = try put(brought, from: "phone", to: journal, base: got["etag"])
        #expect(answer["trace-fresh"] == "watched" && answer["trace-merge"] == "three-way", "\(answer)")
    }

    @Test func `an emptied document is refused with its cure, and told as a finding`() throws {
        let journal = try ServedPractice(
            sample,
            document:
                #"{"schemaVersion":4,"noteEntries":[{"id":"a","gameID":"G1","category":"shots","note":"n","timestamp":1772388000000}]}"#
        )
        let first = try put(journal.document, from: "phone", to: journal)
        let refused = try put(#"{"schemaVersion":4}"#, from: "phone", to: journal, base: first["etag"])
        #expect(refused.status == 409, "\(refused)")
        #expect(refused.object["code"] as? String == "practice-replica-emptied", "\(refused)")
        #expect((refused.object["hint"] as? String)?.contains("trace practice accept phone") == true)
        let findings = try sample.ask("GET", "/journals/\(journal.id)/findings").text
        #expect(findings.contains("practice-replica-emptied"), "\(findings)")
        try Binaries.trace(["practice", "accept", "phone", "--journal", "Pins"], in: sample.copy.directory)
        #expect(try !journal.document.contains("\"note\""))
        #expect(!(try sample.ask("GET", "/journals/\(journal.id)/findings").text.contains("emptied")))
    }

    @Test func `a strict reader gets what it can read, and takes nothing away`() throws {
        let journal = try ServedPractice(
            sample,
            document:
                #"{"schemaVersion":4,"noteEntries":[{"id":"0A7B1C00-0000-4000-8000-000000000002","gameID":"G1","category":"zen","note":"n","timestamp":1772388000000}]}"#
        )
        let first = try put(#"{"schemaVersion":4}"#, from: "phone", to: journal, query: "?reader=strict")
        #expect(first.status == 200 && !first.text.contains("zen"), "\(first)")
        let second = try put(
            first.text, from: "phone", to: journal, base: first["etag"], query: "?reader=strict")
        #expect(second["trace-merge"] == "unchanged", "\(second)")
        #expect(try journal.document.contains("zen"))
    }

    @Test func `what can't be merged is refused, and nothing is written`() throws {
        let journal = try ServedPractice(sample)
        for body in ["[]", #"{"schemaVersion":5}"#, #"{"scoreEntries":[7]}"#, "{"] {
            #expect(try put(body, from: "phone", to: journal).status == 422, "\(body)")
        }
        #expect(try put("{}", from: "document", to: journal).status == 422)
        #expect(try put("{}", from: "phone", to: journal, base: "*").status == 400)
        #expect(try put("{}", from: "phone", to: journal, written: "yesterday").status == 400)
        #expect(try journal.document == ServedPractice.emptyDocument)
        #expect(
            !FileManager.default.fileExists(atPath: journal.directory.appending(path: "replicas").path))
    }
}
