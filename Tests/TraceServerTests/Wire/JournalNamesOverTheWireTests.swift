import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Journals that share an id or the beginning of one: each is reached, by who may see it.
struct JournalNamesOverTheWireTests {
    private let sample: ServedSample
    private let journal: ServedPractice

    init() throws {
        sample = try ServedSample()
        journal = try ServedPractice(sample)
    }

    /// The handles of the journals of that id.
    private func handles(of id: String, token: String? = nil) throws -> [String] {
        try sample.ask("GET", "/journals?limit=1000", token: token).rows.filter { $0["id"] as? String == id }
            .compactMap { $0["handle"] as? String }
    }

    private static let paths = ["", "/records", "/findings", "/document", "/practice/journal"]

    @Test func `a journal and its copy are reached by their handles, and not by the id that both have`()
        throws
    {
        #expect(try handles(of: journal.id) == [journal.id])
        _ = try ServedPractice(sample, "pins-backup", title: "Backup")
        let both = try handles(of: journal.id)
        #expect(Set(both).count == 2 && both.allSatisfy { $0.wholeMatch(of: #/~[0-9a-f]{16}/#) != nil })
        for path in Self.paths {
            let ambiguous = try sample.ask("GET", "/journals/\(journal.id)\(path)")
            #expect(
                ambiguous.status == 409 && ambiguous.code == "journal-name-ambiguous", "\(path): \(ambiguous)"
            )
            for handle in both {
                let answer = try sample.ask("GET", "/journals/\(handle)\(path)")
                #expect(answer.status == 200, "\(handle)\(path): \(answer)")
            }
        }
        let titles = try both.map { try sample.ask("GET", "/journals/\($0)").object["title"] as? String }
        #expect(Set(titles) == ["Pins", "Backup"])
        // The rows of a page have the handles that the list has.
        let rows = try sample.ask("GET", "/journals?kind=practice&limit=1000").rows
        #expect(rows.compactMap { $0["handle"] as? String } == both)
        // Who does not see a journal finds nothing by its handle, either.
        let other = try sample.newToken("--scope", "admin", "--session", ServedSample.lateSet)
        for name in both + [journal.id] {
            #expect(try sample.ask("GET", "/journals/\(name)", token: other).code == "no-such-journal")
        }
    }

    @Test func `no session begins under an id that a journal has, whether or not its kind or place is seen`()
        throws
    {
        let filtered = try sample.newToken("--scope", "mark", "--session", ServedSample.active)
        let before = try sample.filesOfSessions().keys
        // A journal that is seen, one that is hidden, and a hidden session: all the same.
        for (id, token) in [
            (journal.id, nil), (journal.id, filtered), (ServedSample.lateSetID, filtered),
        ] {
            let answer = try sample.ask("PUT", "/sessions/\(id)", token: token, json: "{}")
            #expect(answer.status == 409 && answer.code == "id-taken", "\(answer)")
            #expect(answer.object["detail"] as? String == "another journal has this id")
        }
        #expect(try sample.filesOfSessions().keys == before)
        // One that is seen is begun already, and the journal still takes its entries.
        let seen = try sample.ask("PUT", "/sessions/\(ServedSample.activeID)", token: filtered, json: "{}")
        #expect(seen.status == 200, "\(seen)")
        #expect(try handles(of: journal.id) == [journal.id])
    }

    @Test func `a session and a journal of another kind that have one id have a handle each`() throws {
        try sample.addSession(Array("twin".utf8), ["id": journal.id])
        let both = try handles(of: journal.id)
        #expect(Set(both).count == 2 && both.allSatisfy { $0.hasPrefix("~") })
        #expect(try sample.ask("GET", "/journals/\(journal.id)").status == 409)
        let kinds = try both.map { try sample.ask("GET", "/journals/\($0)").object["kind"] as? String }
        #expect(Set(kinds) == ["session", "practice"])
        // Of sessions, one alone has it.
        let session = try sample.ask("GET", "/sessions/\(journal.id)")
        #expect(session.status == 200, "\(session)")
    }

    @Test func `the beginning of an id names the one journal that the client sees`() throws {
        let beginning = String(journal.id.prefix(4))
        #expect(beginning == ServedSample.lateSetID.prefix(4))
        let ambiguous = try sample.ask("GET", "/journals/\(beginning)")
        #expect(ambiguous.status == 409 && ambiguous.code == "journal-name-ambiguous", "\(ambiguous)")
        let own = try sample.newToken("--scope", "read", "--journal", "Pins")
        let found = try sample.ask("GET", "/journals/\(beginning.lowercased())", token: own)
        #expect(found.object["id"] as? String == journal.id, "\(found)")
        let late = try sample.newToken("--scope", "read", "--session", ServedSample.lateSet)
        #expect(
            try sample.ask("GET", "/journals/\(beginning)", token: late).object["id"] as? String
                == ServedSample.lateSetID)
        #expect(try sample.ask("GET", "/journals/\(journal.id.prefix(3))", token: own).status == 404)
        #expect(try sample.ask("GET", "/journals/~0123456789abcdef").code == "no-such-journal")
    }

    @Test func `the findings of all journals are counted once in the status`() throws {
        try journal.write("{\"schemaVersion\":4,", to: "practice-state.json")
        let rows = try sample.ask("GET", "/journals?limit=1000").rows
        let status = try sample.ask("GET", "/status")
        for severity in ["errors", "warnings"] {
            let sum = rows.reduce(0) { $0 + ($1[severity] as? Int ?? 0) }
            #expect(status.object[severity] as? Int == sum, "\(severity): \(status)")
        }
        #expect(rows.contains { $0["kind"] as? String == "practice" && $0["errors"] as? Int == 1 })
    }

    @Test func `records of a session without a start have no moments, and are not listed by time`() throws {
        try sample.addSession(Array("timeless".utf8), ["id": number(6), "start_time": NSNull()])
        let marker = #"{"id":"\#(number(20))","# + String(ServedSample.marker().dropFirst()) + "\n"
        try Data(marker.utf8).write(to: sample.session("timeless").appending(path: "markers.jsonl"))
        let one = try sample.ask("GET", "/journals/\(number(6))")
        #expect(one.object["entries"] as? [String: Int] == ["marker": 1], "\(one)")
        let records = try sample.ask("GET", "/journals/\(number(6))/records")
        #expect(records.status == 200 && records.rows.isEmpty, "\(records)")
    }
}
