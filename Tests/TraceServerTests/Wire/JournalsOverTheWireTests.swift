import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Journals of every kind, by requests.
struct JournalsOverTheWireTests {
    private let sample: ServedSample
    private static let id = "01KGNQZP000000000000000001"

    init() throws {
        sample = try ServedSample()
        let folder = sample.session("pinball")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(
            #"""
            {"schemaVersion":4,"journalEntries":[{"id":"0A7B1C00-0000-4000-8000-000000000001","gameID":"G1",
            "action":"gameBrowse","timestamp":1772402400000.5},{"id":"0A7B1C00-0000-4000-8000-000000000002","gameID":"G2",
            "action":"noteAdded","noteCategory":"shots","note":"left orbit","timestamp":1772402430000}]}
            """#.utf8
        ).write(to: folder.appending(path: "practice-state.json"))
        try Data(
            #"{"id":"\#(Self.id)","journal":"practice","format":1,"title":"Pinball","created_at":"2026-03-01T12:00:00.000Z"}"#
                .utf8
        ).write(to: folder.appending(path: "practice.json"))
    }

    private func rows(_ path: String, token: String? = nil) throws -> [[String: Any]] {
        let answer = try sample.ask("GET", path, token: token)
        #expect(answer.status == 200, "\(path): \(answer)")
        return try #require(JSONSerialization.jsonObject(with: answer.body) as? [[String: Any]])
    }

    /// One after the other, with one daemon.
    @Test func `journals are listed, read, checked and on the timeline, for tokens that see them`() throws {
        try `the list has every kind, and a journal its records`()
        try `a day is that of the zone that is asked for`()
        try `a session without a marker is on its day, on each page of it`()
        try `a search and a moment are about all kinds`()
        try `a token sees the journals that it names, and no others`()
    }

    private func `the list has every kind, and a journal its records`() throws {
        let all = try rows("/journals")
        #expect(Set(all.compactMap { $0["kind"] as? String }) == ["session", "practice"])
        let practice = try rows("/journals?kind=practice")
        #expect(practice.compactMap { $0["handle"] as? String } == [Self.id])
        #expect(practice.first?["records"] as? Int == 2)
        let one = try sample.ask("GET", "/journals/\(Self.id)")
        #expect((one.object["entries"] as? [String: Int]) == ["practice.journal": 2])
        let first = try sample.ask("GET", "/journals/\(Self.id)/records?limit=1")
        let row = try #require((JSONSerialization.jsonObject(with: first.body) as? [[String: Any]])?.first)
        #expect(row["time"] as? String == "2026-03-01T22:00:00.000Z")
        #expect((row["record"] as? [String: Any])?["gameID"] as? String == "G1")
        let next = try #require(first["link"]?.firstMatch(of: #/<([^>]*)>/#)?.output.1)
        let second = try rows("/journals/\(Self.id)/records\(next)")
        #expect(second.compactMap { $0["subject"] as? String } == ["G2"])
        let findings = try rows("/journals/\(Self.id)/findings")
        let rules = (findings.first?["findings"] as? [[String: Any]])?.compactMap { $0["rule"] as? String }
        #expect(rules == ["practice-link-missing"])
        #expect(try sample.ask("GET", "/journals/nothing").code == "no-such-journal")
    }

    private func `a day is that of the zone that is asked for`() throws {
        #expect(try rows("/timeline?day=2026-03-01&zone=UTC&kind=practice").count == 2)
        #expect(try rows("/timeline?day=2026-03-01&zone=Pacific/Kiritimati&kind=practice").isEmpty)
        #expect(try rows("/timeline?day=2026-03-02&zone=Pacific/Kiritimati&kind=practice").count == 2)
        #expect(try rows("/timeline?day=2026-03-02&zone=Asia/Calcutta&kind=practice").count == 2)
        #expect(try sample.ask("GET", "/timeline?zone=Nowhere").status == 400)
    }

    private func `a session without a marker is on its day, on each page of it`() throws {
        for (id, start) in [
            ("01KGNQZP000000000000000011", "2026-03-01T21:59:00.000Z"),
            ("01KGNQZP000000000000000012", "2026-03-01T22:00:10.000Z"),
            ("01KGNQZP000000000000000013", "2026-03-01T22:00:10.000Z"),
            ("01KGNQZP000000000000000014", "2026-03-02T00:00:00.000Z"),
        ] {
            try sample.addSession(Array("silent-\(id.suffix(2))".utf8), ["id": id, "start_time": start])
        }
        let path = "/timeline?day=2026-03-01&zone=UTC"
        func shown(_ rows: [[String: Any]]) -> [String] {
            rows.map {
                "\($0["time"] as? String ?? "") \($0["entry"] as? String ?? "") \($0["id"] as? String ?? "")"
            }
        }
        var whole: [String] = []
        try soon("the sessions are found") {
            whole = shown(try rows(path))
            return whole.count == 5
        }
        #expect(whole.map { $0.suffix(2) } == ["11", "01", "12", "13", "01"])
        #expect(whole.first == "2026-03-01T21:59:00.000Z session 01KGNQZP000000000000000011")
        for limit in 1...5 {
            var (joined, next) = ([String](), "\(path)&limit=\(limit)")
            while !next.isEmpty {
                let page = try sample.ask("GET", next)
                #expect(page.rows.count <= limit, "\(page)")
                joined += shown(page.rows)
                next = page["link"]?.firstMatch(of: #/<([^>]*)>/#).map { "/timeline\($0.output.1)" } ?? ""
            }
            #expect(joined == whole, "\(limit)")
        }
        #expect(try rows(path + "&kind=practice").count == 2 && rows(path + "&kind=session").count == 3)
    }

    private func `a search and a moment are about all kinds`() throws {
        let nothing = try sample.ask("GET", "/search?q=%21%21%21")
        #expect(nothing.status == 400 && nothing.code == "no-words")
        #expect(
            try rows("/search?q=orbit&kind=practice").compactMap { $0["kind"] as? String } == [
                "practice.journal"
            ])
        #expect(try rows("/search?q=orbi&kind=practice").isEmpty)
        #expect(try rows("/search?q=orbi&kind=practice&match=prefix").count == 1)
        #expect(try rows("/search?q=orbi&match=prefix&session=\(ServedSample.lateSetID)").isEmpty)
        let found = try rows("/at?time=2026-03-01T22:00:29Z")
        #expect(found.compactMap { $0["journal"] as? String } == ["practice"])
    }

    private func `a token sees the journals that it names, and no others`() throws {
        let one = try sample.newToken("--scope", "read", "--journal", "Pinball")
        #expect(try rows("/journals", token: one).compactMap { $0["id"] as? String } == [Self.id])
        #expect(try rows("/sessions", token: one).isEmpty)
        #expect(try rows("/timeline?day=2026-03-01&zone=UTC", token: one).count == 2)
        let other = try sample.newToken("--scope", "read", "--session", ServedSample.lateSet)
        #expect(try rows("/journals?kind=practice", token: other).isEmpty)
        #expect(try rows("/search?q=orbit", token: other).isEmpty)
        #expect(try sample.ask("GET", "/journals/\(Self.id)/records", token: other).status == 404)
        #expect(try sample.ask("GET", "/journals/\(Self.id)", token: other).code == "no-such-journal")
        let told = try sample.ask("GET", "", token: one).object["token"] as? [String: Any]
        #expect(told?["journals"] as? [String] == [Self.id] && told?["sessions"] as? [String] == [])
        // Whoever has asked the same just before: an answer that is kept is not another token's.
        for path in ["/sessions", "/markers"] {
            for _ in 0..<3 {
                #expect(try !rows(path).isEmpty, "\(path)")
                #expect(try rows(path, token: one).isEmpty, "\(path)")
                #expect(try !rows(path, token: other).isEmpty, "\(path)")
            }
        }
        #expect(try rows("/search?q=orbit", token: one).count == rows("/search?q=orbit&kind=practice").count)
        #expect(try rows("/search?q=orbit", token: other).isEmpty)
    }
}
