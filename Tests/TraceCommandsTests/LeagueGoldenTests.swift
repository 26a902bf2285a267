import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Every golden of the league tables that a command reaches, through the built command.
struct LeagueGoldenTests {
    let scratch: Scratch
    private let golden: [String: Any]

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures/journals")

    init() throws {
        scratch = try Scratch()
        scratch.environment = ["TZ": "UTC"]
        let made = try scratch.trace("journal", "init", "practice", "sessions/pins")
        try #require(made.status == 0, "\(made)")
        let text = try Data(contentsOf: Self.fixtures.appending(path: "practice-league.json"))
        golden = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
        for folder in ["library", "league"] { try scratch.makeDirectory("sessions/pins/\(folder)") }
        try write(try #require(golden["library"]), to: "library/pinball_library_v3.json")
        for (table, name) in [
            ("stats", "LPL_Stats"), ("standings", "LPL_Standings"), ("targets", "LPL_Targets"),
            ("redacted", "redacted_players"),
        ] {
            try write(text: Self.table("league/\(table).csv"), to: "league/\(name).csv")
        }
    }

    private static func table(_ name: String) throws -> String {
        try String(contentsOf: fixtures.appending(path: name), encoding: .utf8)
    }

    private func write(_ value: Any, to name: String) throws {
        let text = try JSONSerialization.data(withJSONObject: value)
        try write(text: String(decoding: text, as: UTF8.self), to: name)
    }

    private func write(text: String, to name: String) throws {
        try scratch.write(text, to: "sessions/pins/\(name)")
    }

    private typealias Object = [String: Any]

    private func cases(_ prefixes: String...) throws -> [Object] {
        let cases = try #require(golden["cases"] as? [Object])
        let found = cases.filter { golden in prefixes.contains { name(golden).hasPrefix($0) } }
        try #require(!found.isEmpty)
        return found
    }

    private func name(_ golden: Object) -> String { golden["name"] as? String ?? "" }

    /// What a command answers; nil if it refuses.
    private func ask(_ arguments: [String]) throws -> Any? {
        let outcome = try scratch.trace(["practice", "league"] + arguments + ["--json"])
        guard outcome.status == 0 else {
            #expect([64, 66].contains(outcome.status), "\(outcome)")
            return nil
        }
        return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    }

    /// What is shown instead of the names that are redacted, by the goldens themselves.
    private func shown(_ name: String) throws -> String {
        let key = name.split(separator: " ").joined(separator: " ").lowercased()
        let redacted = try cases("redact-").first { golden in
            let raw = golden["raw"] as? String ?? ""
            return raw.split(separator: " ").joined(separator: " ").lowercased() == key
        }
        return redacted?["expect"] as? String ?? name
    }

    private func numbers(_ rows: [Object], _ key: String) -> [Double?] { rows.map { $0[key] as? Double } }
    private func texts(_ rows: [Object], _ key: String) -> [String?] { rows.map { $0[key] as? String } }

    @Test func `machines`() throws {
        for golden in try cases("machine-season", "machine-all", "machine-zero", "machine-redacted") {
            let expected = try #require(golden["expect"] as? Object)
            let options = ["season", "bank"].flatMap { name in
                (golden[name] as? Int).map { ["--\(name)", "\($0)"] } ?? []
            }
            let rows = try ask(["stats", try #require(golden["machine"] as? String)] + options) as? [Object]
            let found = try #require(rows, "\(golden)")
            #expect(found.first?["count"] as? Int ?? 0 == expected["count"] as? Int)
            guard let found = found.first else { continue }
            for side in ["low", "high"] {
                #expect(found[side] as? Double == expected[side] as? Double)
                let season = (found["\(side)_season"] as? Int).map { " (S\($0))" } ?? ""
                #expect("\(found["\(side)_player"] ?? "")\(season)" == expected["\(side)Player"] as? String)
            }
            for (key, name) in [("mean", "mean"), ("median", "median"), ("deviation", "std")] {
                let difference = try #require(found[key] as? Double) - (expected[name] as? Double ?? .nan)
                #expect(abs(difference) < 1e-4, "\(golden)")
            }
        }
    }

    @Test func `standings and the players around one`() throws {
        for golden in try cases("standings") {
            try write(
                text: golden["text"] as? String ?? Self.table("league/standings.csv"),
                to: "league/LPL_Standings.csv")
            let expected = try #require(golden["expect"] as? Object)
            let answer = try ask(["standings"]) as? [Object]
            guard let table = expected["table"] as? [Object] else {
                // It lacks a column.
                #expect(answer == nil, "\(golden)")
                continue
            }
            let rows = try #require(answer)
            #expect(numbers(rows, "rank") == numbers(table, "rank"), "\(golden)")
            #expect(numbers(rows, "points") == numbers(table, "points"), "\(golden)")
            #expect(try texts(rows, "player") == texts(table, "player").map { try shown($0 ?? "") })
        }
        try write(text: Self.table("league/standings.csv"), to: "league/LPL_Standings.csv")
        for golden in try cases("around-") {
            let rows = try ask(["around", try #require(golden["player"] as? String)]) as? [Object]
            guard let expected = golden["expect"] as? Object else {
                #expect(rows == nil, "\(golden)")
                continue
            }
            let found = try #require(rows, "\(golden)")
            #expect(
                try texts(found, "player") == (expected["players"] as? [String])?.map { try shown($0) },
                "\(golden)")
            #expect(found.first?["position"] as? Int == (expected["start"] as? Int).map { $0 + 1 })
            let own = found.first { $0["you"] as? Bool == true }
            #expect(own?["position"] as? Int == expected["position"] as? Int)
        }
    }

    @Test func `targets, the next bank and the most recent one`() throws {
        let targets = try #require(try cases("targets").first?["expect"] as? Object)
        let expected = (targets["rows"] as? [Object] ?? []).sorted { one, other in
            one["order"] as? Int ?? .max < other["order"] as? Int ?? .max
        }
        let rows = try #require(try ask(["targets"]) as? [Object])
        #expect(texts(rows, "name") == texts(expected, "game"))
        for key in ["great", "main", "floor", "bank"] {
            #expect(numbers(rows, key) == numbers(expected, key))
        }
        #expect(texts(rows, "match") == texts(expected, "match"))
        for golden in try cases("next-bank") {
            let found = try #require(try ask(["next", golden["player"] as? String ?? ""]) as? Object)
            let expected = try #require(golden["expect"] as? Object)
            #expect(found["label"] as? String == expected["label"] as? String)
            #expect(found["bank"] as? Int == expected["bank"] as? Int)
            #expect(texts(found["targets"] as? [Object] ?? [], "name") == expected["games"] as? [String])
        }
        for golden in try cases("most-recent") {
            let found = try #require(try ask(["recent", golden["player"] as? String ?? ""]) as? Object)
            let expected = try #require(golden["expect"] as? Object)
            #expect(found["label"] as? String == expected["label"] as? String)
            let name = try #require(found["player"] as? String)
            #expect(try name == shown(expected["player"] as? String ?? ""), "\(golden)")
            let rows = found["rows"] as? [Object] ?? []
            let wanted = expected["rows"] as? [Object] ?? []
            #expect(texts(rows, "machine") == texts(wanted, "machine"))
            for key in ["score", "points"] { #expect(numbers(rows, key) == numbers(wanted, key)) }
        }
    }

    @Test func `two players`() throws {
        for golden in try cases("head-to-head") {
            let them = try #require(golden["them"] as? String)
            let you = try #require(golden["you"] as? String)
            let found = try #require(try ask(["versus", them, "--player", you]) as? Object)
            let expected = try #require(golden["expect"] as? Object)
            #expect(found["you_lead"] as? Int == expected["youLead"] as? Int)
            #expect(found["they_lead"] as? Int == expected["theyLead"] as? Int)
            let mean = try #require(found["average_delta"] as? Double)
            #expect(abs(mean - (expected["averageDelta"] as? Double ?? .nan)) < 1e-4)
            let games = found["games"] as? [Object] ?? []
            let wanted = expected["games"] as? [Object] ?? []
            #expect(texts(games, "game") == texts(wanted, "game"))
            #expect(numbers(games, "delta") == numbers(wanted, "delta"))
            for side in ["you", "them"] {
                let scores = games.map { $0[side] as? Object ?? [:] }
                let expected = wanted.map { $0[side] as? Object ?? [:] }
                for key in ["count", "mean", "high", "low"] {
                    #expect(numbers(scores, key) == numbers(expected, key), "\(side) \(key)")
                }
            }
        }
    }

    @Test func `imports, by the queue`() throws {
        let header = try scratch.text("sessions/pins/practice.json", filled: false)
        let journal = try #require(header.firstMatch(of: /"id": "(\w{26})"/)?.output.1)
        for golden in try cases("import-") {
            for name in ["sessions/pins/sync.jsonl", "state"] where scratch.exists(name) {
                try scratch.remove(name)
            }
            try write(try #require(golden["document"]), to: "practice-state.json")
            let now = try #require(golden["now_ms"] as? Double)
            let format = ISO8601DateFormatter()
            format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
            let moment = format.string(from: Date(timeIntervalSince1970: now / 1000))
            let entry = try #require(golden["entry"] as? String)
            let player = try #require(golden["player"] as? String)
            let zone = try #require(golden["zone"] as? String)
            try scratch.makeDirectory("state/queue")
            try scratch.write(
                #"{"id":"\#(entry)","kind":"practice.league_import","journal_id":"\#(journal)","created_at":"\#(moment)","payload":{"player":"\#(player)","zone":"\#(zone)"}}"#
                    + "\n", to: "state/queue/\(entry).json")
            let flush = try scratch.trace("queue", "flush")
            #expect(flush.output.hasPrefix("applied\t"), "\(flush)")
            let text = try scratch.text("sessions/pins/practice-state.json", filled: false)
            let written = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
            let expected = try #require(golden["expect"] as? Object)
            for array in ["scoreEntries", "journalEntries"] {
                let known = Set(texts((golden["document"] as? Object)?[array] as? [Object] ?? [], "id"))
                let made = (written[array] as? [Object] ?? []).filter { !known.contains($0["id"] as? String) }
                func keyed(_ rows: [Object]) -> NSDictionary {
                    NSDictionary(objects: rows, forKeys: rows.map { ($0["id"] as? NSString) ?? "" })
                }
                #expect(keyed(made) == keyed(expected[array] as? [Object] ?? []), "\(zone) \(array)")
            }
            let settings = written["leagueSettings"] as? Object
            #expect(settings?["lastImportAt"] as? Double == expected["lastImportAt"] as? Double)
            let second = try scratch.trace(
                "practice", "league", "import", "--player", player, "-n", "--json",
                environment: ["TRACE_TIME_ZONE": zone])
            let counts = try JSONSerialization.jsonObject(with: Data(second.output.utf8)) as? Object
            let wanted = try #require(expected["secondTime"] as? Object)
            #expect(counts?["imported"] as? Int == wanted["imported"] as? Int, "\(second)")
            #expect(counts?["skipped"] as? Int == wanted["duplicates"] as? Int, "\(second)")
            #expect(counts?["unmatched"] as? Int == wanted["unmatched"] as? Int, "\(second)")
        }
    }
}
