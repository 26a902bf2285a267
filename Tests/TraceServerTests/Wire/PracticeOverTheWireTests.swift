import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What is asked of practice journals by requests: as the commands of the same names answer it.
struct PracticeOverTheWireTests {
    private let sample: ServedSample
    private let journal: ServedPractice

    init() throws {
        sample = try ServedSample()
        journal = try ServedPractice(sample)
        for arguments in [
            ["score", "G1", "100"], ["score", "G1", "250"], ["score", "G1", "300"], ["read", "G2", "40%"],
            ["mechanics", "4", "--skill", "Live Catch"], ["gamenote", "G1", "left ramp"],
            ["groups", "--create", "Two", "--game", "G1", "--game", "Deep Reef"],
        ] {
            try Binaries.trace(["practice"] + arguments + ["--journal", "Pins"], in: sample.copy.directory)
        }
    }

    /// Requests, and the commands that answer the same.
    private static let alike: [(path: String, command: [String])] = [
        ("practice/journal", ["practice", "journal"]),
        ("practice/journal?filter=score", ["practice", "journal", "--filter", "score"]),
        ("practice/journal?style=line", ["practice", "journal", "--style", "line"]),
        ("practice/journal?game=comet", ["practice", "journal", "--game", "comet"]),
        ("practice/game?game=G1", ["practice", "game", "G1"]),
        ("practice/game?game=deep%20reef", ["practice", "game", "deep reef"]),
        ("practice/game", ["practice", "game"]), ("practice/slots", ["practice", "slots"]),
        ("practice/focus", ["practice", "focus"]), ("practice/groups", ["practice", "groups"]),
        ("practice/mechanics", ["practice", "mechanics", "--summary"]),
        ("practice/league?view=stats", ["practice", "league", "stats"]),
        ("practice/library", ["practice", "library", "list"]),
    ]

    @Test func `a request answers what the command of its name prints, with a tag`() throws {
        try journal.addLeague()
        for (path, command) in Self.alike {
            let answer = try sample.ask("GET", "/journals/\(journal.id)/\(path)")
            #expect(answer.status == 200, "\(path): \(answer)")
            let printed = try Binaries.trace(
                command + ["--journal", "Pins", "--json"], in: sample.copy.directory)
            #expect(
                answer.text.trimmingCharacters(in: .newlines)
                    == printed.trimmingCharacters(in: .newlines), "\(path)")
            let tag = try #require(answer["etag"], "\(path)")
            let again = try sample.ask("GET", "/journals/\(journal.id)/\(path)", [("If-None-Match", tag)])
            #expect(again.status == 304 && again.body.isEmpty, "\(path): \(again)")
            let head = try sample.ask("HEAD", "/journals/\(journal.id)/\(path)")
            #expect(head.status == 200 && head.body.isEmpty && head["etag"] == tag, "\(path): \(head)")
        }
        // What is common to all kinds: with a handle instead of the directory.
        for (path, command) in [
            ("/journals?kind=practice", ["journals", "--kind", "practice"]),
            ("/timeline?day=today&kind=practice", ["timeline", "--day", "today", "--kind", "practice"]),
        ] {
            let answer = try sample.ask("GET", path).rows
            let text = try Binaries.trace(command + ["--json"], in: sample.copy.directory)
            let printed = try #require(
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
            func plain(_ row: [String: Any]) -> NSDictionary {
                row.filter { !["path", "handle"].contains($0.key) } as NSDictionary
            }
            #expect(answer.map(plain) == printed.map(plain), "\(path)")
            #expect(!answer.isEmpty && answer.allSatisfy { $0["handle"] as? String == journal.id }, "\(path)")
        }
    }

    @Test func `a list comes in pages to who asks for pages, and whole to who does not`() throws {
        let path = "/journals/\(journal.id)/practice/journal"
        let whole = try sample.ask("GET", path)
        #expect(whole["link"] == nil && whole.rows.count == 6)
        func ids(_ answer: WireAnswer) -> [String] { answer.rows.compactMap { $0["id"] as? String } }
        for limit in [1, 4, 6] {
            var (joined, next) = ([String](), "?limit=\(limit)")
            while !next.isEmpty {
                let page = try sample.ask("GET", path + next)
                #expect(page.rows.count <= limit, "\(page)")
                joined += ids(page)
                next = page["link"]?.firstMatch(of: #/<([^>]*)>/#).map { String($0.output.1) } ?? ""
            }
            #expect(joined == ids(whole), "\(limit)")
        }
        // A row that comes in between is on the pages that have been read.
        let first = try sample.ask("GET", path + "?limit=2&filter=score")
        let next = try #require(first["link"]?.firstMatch(of: #/<([^>]*)>/#)?.output.1)
        #expect(next.contains("filter=score"))
        try Binaries.trace(
            ["practice", "score", "G1", "900", "--journal", "Pins"], in: sample.copy.directory)
        #expect(try ids(sample.ask("GET", path + next)) == [ids(whole)[5]])
        try Binaries.trace(
            ["practice", "delete", ids(first)[1], "--journal", "Pins"], in: sample.copy.directory)
        #expect(try sample.ask("GET", path + next).code == "cursor-malformed")
        for (query, code) in [("?limit=0", "parameter-malformed"), ("?after=x", "cursor-malformed")] {
            #expect(try sample.ask("GET", path + query).code == code)
        }
        let one = try sample.ask("GET", "/journals/\(journal.id)/practice/game?game=G1&limit=3")
        #expect(one.status == 400, "\(one)")
    }

    @Test func `a journal is emptied by who may administrate it, at once and not by the queue`() throws {
        let path = "/journals/\(journal.id)/practice/clear"
        let before = try journal.document
        let mark = try sample.newToken("--scope", "mark")
        #expect(try sample.ask("POST", path, token: mark).code == "scope-insufficient")
        let entry = ServedPractice.entry(number(300), "clear", "{}")
        let refused = try sample.ask("PUT", "/queue/\(number(300))", json: entry)
        #expect(refused.status == 422 && refused.text.contains("is no entry of a queue"), "\(refused)")
        let planned = try sample.ask("POST", path + "?dry_run=true")
        #expect(planned.status == 200 && planned.object["done"] as? Bool == false, "\(planned)")
        #expect(try journal.document == before)
        let cleared = try sample.ask("POST", path)
        #expect(cleared.object["rows"] as? Int == 6 && cleared.object["groups"] as? Int == 1, "\(cleared)")
        #expect(try sample.ask("GET", "/journals/\(journal.id)/practice/journal").rows.isEmpty)
        try Binaries.trace(["practice", "undo", "--journal", "Pins"], in: sample.copy.directory)
        #expect(try journal.document == before)
    }

    @Test func `a file that is a journal on its own is read by each request, and written by none`() throws {
        let directory = sample.session("phone")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let text = try journal.document
        let file = directory.appending(path: "practice-state.json")
        try text.write(to: file, atomically: true, encoding: .utf8)
        var handle = ""
        try soon("the file is found") {
            let rows = try sample.ask("GET", "/journals?kind=practice").rows
            handle = rows.first { $0["id"] == nil }?["handle"] as? String ?? ""
            return !handle.isEmpty
        }
        for path in [
            "journal", "game?game=G1", "slots", "focus", "groups", "mechanics", "library",
            "league?view=targets",
        ] {
            let alone = try sample.ask("GET", "/journals/\(handle)/practice/\(path)")
            #expect(alone.status == 200 || path.hasPrefix("league"), "\(path): \(alone)")
        }
        #expect(
            try sample.ask("GET", "/journals/\(handle)/practice/journal").rows.count
                == sample.ask("GET", "/journals/\(journal.id)/practice/journal").rows.count)
        let document = try sample.ask("GET", "/journals/\(handle)/document")
        #expect(document.status == 200 && document.text == text, "\(document)")
        #expect(try sample.ask("GET", "/journals/\(handle)/document?reader=strict").status == 200)
        for (method, path) in [("PUT", "replica/phone"), ("POST", "practice/clear")] {
            let refused = try sample.ask(
                method, "/journals/\(handle)/\(path)", json: method == "PUT" ? text : nil)
            #expect(refused.code == "journal-not-writable", "\(path): \(refused)")
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    @Test func `days are counted in the zone that the journal names`() throws {
        // 22:00 in UTC is noon of the next day there.
        let far = try ServedPractice(
            sample, "far", id: "01KGNQZP000000000000000004", title: "Far", timeZone: "Pacific/Kiritimati",
            document:
                #"{"journalEntries":[{"id":"0A7B1C00-0000-4000-8000-000000000001","gameID":"G1","action":"gameBrowse","timestamp":1772402400000}]}"#
        )
        let rows = try sample.ask("GET", "/journals/\(far.id)/practice/journal").rows
        #expect(rows.map { $0["day"] as? String } == ["2026-03-02"])
    }

    @Test func `what a text says is there as values, without a name that is redacted`() throws {
        try journal.addLeague()
        let rows = try sample.ask("GET", "/journals/\(journal.id)/practice/journal").rows
        let scores = rows.filter { $0["action"] as? String == "scoreLogged" }
        #expect(scores.map { $0["score"] as? Int } == [300, 250, 100])
        #expect(scores.map { $0["is_best"] as? Bool } == [true, false, false])
        #expect(
            scores.allSatisfy {
                $0["name"] as? String == "Comet Racer" && $0["league_imported"] as? Bool == false
            })
        let skill = try #require(rows.first { $0["competency"] != nil })
        #expect(skill["skill"] as? String == "Live Catch" && skill["competency"] as? Int == 4)
        #expect(skill["note"] == nil && skill["game"] == nil && skill["name"] == nil, "\(skill)")
        let game = try sample.ask("GET", "/journals/\(journal.id)/practice/game?game=G1").object
        let played = try #require(game["score_entries"] as? [[String: Any]])
        #expect(played.map { $0["score"] as? Int } == [100, 250, 300])
        // The days and times of day are those of the rows that say the same.
        let when = { (value: [String: Any]) in [value["day"], value["clock"]].map { $0 as? String } }
        #expect(played.reversed().map(when) == scores.map(when))
        #expect(game["best"] as? Int == 300 && (game["gaps"] as? [Any])?.isEmpty == true)
        #expect(game["trend"] as? Double == 1.75)
        #expect(game["target"] as? [String: Any] != nil && game["league_mean"] != nil, "\(game)")
        let other = try sample.ask("GET", "/journals/\(journal.id)/practice/game?game=G3").object
        #expect(other["best"] == nil && other["trend"] == nil && other["target"] == nil)
        let skills = try sample.ask("GET", "/journals/\(journal.id)/practice/mechanics").rows
        #expect(skills.first?["series"] as? [Int] == [4])
    }

    @Test func `the note of an import names nobody who is redacted, in no member`() throws {
        let far = try ServedPractice(
            sample, "far", id: "01KGNQZP000000000000000004", title: "Far",
            document:
                #"{"journalEntries":[{"id":"0A7B1C00-0000-4000-8000-000000000001","gameID":"G1","action":"scoreLogged","scoreContext":"league","note":"League import for Zoë Hart: 1 imported, 0 skipped, 0 unmatched.","timestamp":1772402400000}]}"#
        )
        try far.addLeague()
        let answer = try sample.ask("GET", "/journals/\(far.id)/practice/journal")
        #expect(
            answer.rows.first?["note"] as? String
                == "League import for Redacted: 1 imported, 0 skipped, 0 unmatched.")
        #expect(!answer.text.contains("Hart"), "\(answer)")
    }

    private static let paths = [
        "", "/records", "/findings", "/document", "/practice/journal", "/practice/game?game=G1",
        "/practice/focus", "/practice/groups", "/practice/mechanics", "/practice/library",
        "/practice/league?view=targets",
    ]

    @Test func `who does not see the journal finds nothing, and no other method is allowed`() throws {
        let other = try sample.newToken("--scope", "admin", "--session", ServedSample.lateSet)
        let own = try sample.newToken("--scope", "read", "--journal", "Pins")
        try journal.addLeague()
        for path in Self.paths {
            let address = "/journals/\(journal.id)\(path)"
            let hidden = try sample.ask("GET", address, token: other)
            #expect(hidden.status == 404 && hidden.code == "no-such-journal", "\(path): \(hidden)")
            #expect(try sample.ask("GET", address, token: own).status == 200, "\(path)")
            #expect(try sample.ask("GET", address, token: "").status == 401, "\(path)")
            for method in ["POST", "PUT", "DELETE", "PATCH"] {
                let refused = try sample.ask(method, address)
                #expect(refused.status == 405, "\(method) \(path): \(refused)")
                #expect(refused["allow"]?.contains("GET") == true, "\(method) \(path): \(refused)")
            }
            #expect(
                try sample.ask("GET", "\(address)\(path.contains("?") ? "&" : "?")nonsense=1").status == 400)
            // A session is a journal, but no practice journal.
            guard path.hasPrefix("/practice") || path == "/document" else { continue }
            #expect(
                try sample.ask("GET", "/journals/\(ServedSample.lateSetID)\(path)").status == 404, "\(path)")
        }
        for path in ["/journals", "/timeline"] {
            #expect(try sample.ask("POST", path).status == 405, "\(path)")
            #expect(try sample.ask("HEAD", path).status == 200, "\(path)")
        }
    }

    @Test(arguments: [
        "/timeline?limit=0", "/timeline?limit=1000000000", "/timeline?limit=-1", "/timeline?limit=x",
        "/timeline?after=garbage", "/timeline?after=", "/timeline?day=tomorrowish",
        "/timeline?zone=../etc/passwd",
        "/timeline?kind=nothing", "/journals?limit=0", "/journals?limit=99999999999999999999",
        "/journals?after=AQAA", "/journals?kind=nothing", "/journals/PINS/records?limit=0",
        "/journals/PINS/records?limit=1001", "/journals/PINS/records?after=%00",
        "/journals/PINS/records?kind=nothing", "/journals/PINS/records?since=never",
        "/journals/PINS/findings?severity=fatal", "/journals/PINS/practice/journal?filter=nothing",
        "/journals/PINS/document?reader=fast",
    ])
    func `what can't be meant is refused with its place and a cure`(_ path: String) throws {
        let answer = try sample.ask("GET", path.replacing("PINS", with: journal.id))
        #expect(answer.status == 400, "\(path): \(answer)")
        #expect(answer.object["hint"] as? String != nil, "\(path): \(answer)")
    }

    /// The rows of all pages of a list.
    private func pages(_ path: String, limit: Int) throws -> [[String: Any]] {
        var rows: [[String: Any]] = []
        var query = "\(path.contains("?") ? "&" : "?")limit=\(limit)"
        let base = path.prefix { $0 != "?" }
        var address = path + query
        while true {
            let answer = try sample.ask("GET", address)
            #expect(answer.status == 200, "\(address): \(answer)")
            #expect(answer.rows.count <= limit, "\(address)")
            rows += answer.rows
            guard let next = answer["link"]?.firstMatch(of: #/<([^>]*)>; rel="next"/#)?.output.1 else {
                return rows
            }
            #expect(answer.rows.count == limit, "\(address)")
            query = String(next)
            address = base + query
        }
    }

    @Test func `pages of any size are the whole, also of records of one moment in copies of a journal`()
        throws
    {
        // The same bytes under another id: every record has its like at the same moment and place.
        let copy = try ServedPractice(
            sample, "copy", id: "01KGNQZP000000000000000003", title: "Copy", document: journal.document)
        let paths = ["/journals", "/timeline?day=today", "/journals/\(copy.id)/records"]
        for path in paths {
            let whole = try pages(path, limit: 1000) as NSArray
            #expect(whole.count > 3, "\(path)")
            for limit in [1, 2, whole.count - 1, whole.count, whole.count + 1] {
                #expect(try pages(path, limit: limit) as NSArray == whole, "\(path) by \(limit)")
            }
            let lines = try sample.ask("GET", path, [("Accept", "application/jsonl")])
            #expect(lines.text.split(separator: "\n").count == whole.count, "\(path): \(lines)")
        }
        // A cursor of one list is none of another.
        let link = try #require(try sample.ask("GET", "/journals?limit=1")["link"])
        let cursor = try #require(link.firstMatch(of: #/after=([^&>]*)/#)?.output.1)
        #expect(try sample.ask("GET", "/timeline?after=\(cursor)").status == 400)
    }

    @Test func `a document is sent as it is, and to a strict reader as it can read it`() throws {
        let path = "/journals/\(journal.id)/document"
        let whole = try sample.ask("GET", path)
        #expect(whole.text == (try journal.document))
        let tag = try #require(whole["etag"])
        #expect(try sample.ask("GET", path, [("If-None-Match", tag)]).status == 304)
        // Nothing to adjust: the same bytes, and so the same tag.
        #expect(try sample.ask("GET", "\(path)?reader=strict")["etag"] == tag)
        let odd = try journal.document.replacing(#""context":"practice""#, with: #""context":"moonlight""#)
        try journal.write(odd, to: "practice-state.json")
        let changed = try sample.ask("GET", path, [("If-None-Match", tag)])
        #expect(changed.status == 200 && changed.text == odd, "\(changed)")
        let strict = try sample.ask("GET", "\(path)?reader=strict")
        #expect(strict.status == 200 && !strict.text.contains("moonlight"), "\(strict)")
        #expect(strict["etag"] != changed["etag"])
        #expect(try journal.document == odd)
    }

    @Test func `a document that is broken, or that is not there, is said to be so`() throws {
        let own = try sample.newToken("--scope", "read", "--journal", "Pins")
        try journal.write("{\"schemaVersion\":4,", to: "practice-state.json")
        for path in Self.paths where path.hasPrefix("/practice") {
            let answer = try sample.ask("GET", "/journals/\(journal.id)\(path)", token: own)
            #expect(answer.status == 422, "\(path): \(answer)")
            #expect(!answer.text.contains(sample.copy.directory.path), "\(path): \(answer)")
        }
        // The bytes are still to be had, and what is wrong with them is said.
        #expect(try sample.ask("GET", "/journals/\(journal.id)/document").text == "{\"schemaVersion\":4,")
        #expect(try sample.ask("GET", "/journals/\(journal.id)/document?reader=strict").status == 422)
        let findings = try sample.ask("GET", "/journals/\(journal.id)/findings")
        #expect(findings.rows.first?["findings"] as? [Any] != nil, "\(findings)")
        #expect(try sample.ask("GET", "/journals?kind=practice").rows.first?["errors"] as? Int == 1)
        try FileManager.default.removeItem(at: journal.directory.appending(path: "practice-state.json"))
        let none = try sample.ask("GET", "/journals/\(journal.id)/document")
        #expect(none.status == 404 && none.code == "no-document", "\(none)")
        #expect(try sample.ask("GET", "/journals/\(journal.id)/practice/journal").rows.isEmpty)
    }
}
