import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What is asked of the tables of a league by requests: as the commands answer it, and never with a name that is redacted.
struct LeagueOverTheWireTests {
    private let sample: ServedSample
    private let journal: ServedPractice

    private static let redacted = ["Marsh", "marsh", "Zoë", "Zoe", "Hart"]

    init() throws {
        sample = try ServedSample(["TRACE_LOG_LEVEL": "debug"])
        let own = #"{"practiceSettings":{"playerName":"Ada Quill","comparisonPlayerName":"Redacted 62C440"}}"#
        journal = try ServedPractice(sample, document: own)
        try journal.addLeague()
        #expect(try sample.ask("GET", "/journals/\(journal.id)").status == 200)
    }

    private func ask(_ query: String) throws -> WireAnswer {
        try sample.ask("GET", "/journals/\(journal.id)/practice/league\(query)")
    }

    private static let alike: [(query: String, command: [String])] = [
        ("", ["standings"]), ("?view=standings&top=5", ["standings", "--top", "5"]),
        ("?view=around", ["around"]), ("?view=around&player=redacted%20%2062c440", ["around", "Bo Marsh"]),
        ("?view=around&player=Redacted%2062C440", ["around", "Bo Marsh"]),
        ("?view=stats", ["stats"]),
        ("?view=stats&season=4&bank=1", ["stats", "--season", "4", "--bank", "1"]),
        ("?view=stats&machine=comet%20racer", ["stats", "Comet Racer"]),
        ("?view=scores", ["stats", "--rows"]),
        ("?view=scores&player=Redacted%2062C440", ["stats", "--rows", "--player", "bo marsh"]),
        ("?view=targets", ["targets"]), ("?view=next", ["next"]),
        ("?view=next&player=Redacted%2062C440", ["next", "Bo Marsh"]),
        ("?view=recent", ["recent"]), ("?view=recent&player=nobody", ["recent", "nobody"]),
        ("?view=versus", ["versus"]),
        (
            "?view=versus&player=Cy%20Ferro&opponent=Redacted%2062C440",
            ["versus", "Bo Marsh", "--player", "Cy Ferro"]
        ),
    ]

    @Test func `a request answers what the command prints, with a tag and without a name that is redacted`()
        throws
    {
        for (query, command) in Self.alike {
            let answer = try ask(query)
            #expect(answer.status == 200, "\(query): \(answer)")
            let printed = try Binaries.trace(
                ["practice", "league"] + command + ["--journal", "Pins", "--json"], in: sample.copy.directory)
            #expect(
                answer.text.trimmingCharacters(in: .newlines) == printed.trimmingCharacters(in: .newlines),
                "\(query)")
            for name in Self.redacted { #expect(!answer.text.contains(name), "\(query): \(answer)") }
            let tag = try #require(answer["etag"], "\(query)")
            let again = try sample.ask(
                "GET", "/journals/\(journal.id)/practice/league\(query)", [("If-None-Match", tag)])
            #expect(again.status == 304, "\(query): \(again)")
        }
        #expect(try ask("").text.contains("Redacted 62C440"))
        // Another table is another answer at once.
        let old = try ask("?view=stats")
        try journal.write(
            "season,banknumber,player,machine,rawscore,points\n4,1,Bo Marsh,Deep Reef,7,1\n",
            to: "league/LPL_Stats.csv")
        let new = try ask("?view=stats")
        #expect(new["etag"] != old["etag"] && new.rows.count == 1, "\(new)")
        for name in Self.redacted { #expect(!sample.daemon.log.contains(name)) }
    }

    /// Absent and a link to nowhere: the first redacts nobody, the second is a list that can't be read.
    @Test
    func `a list of redacted players that becomes a link to nowhere is noticed by whom an answer is known`()
        throws
    {
        let list = journal.directory.appending(path: "league/redacted_players.csv")
        try FileManager.default.removeItem(at: list)
        let entry = ServedPractice.entry(
            number(360), "note", #"{"game":"GaB12","note":"League import for Bo Marsh: 1 imported"}"#)
        #expect(try sample.ask("PUT", "/queue/\(number(360))", json: entry).isWritten)
        let path = "/journals/\(journal.id)/practice/journal"
        // Asked until the files have rested, and the answer is kept.
        var known = ""
        try soon("it is known") {
            known = try #require(try sample.ask("GET", path)["etag"])
            return try sample.ask("GET", path, [("If-None-Match", known)]).status == 304
        }
        #expect(try sample.ask("GET", path).text.contains("Bo Marsh"))
        try FileManager.default.createSymbolicLink(atPath: list.path, withDestinationPath: "nowhere")
        let now = try sample.ask("GET", path, [("If-None-Match", known)])
        #expect(now.status == 200 && !now.text.contains("Bo Marsh"), "\(now)")
    }

    @Test func `who is redacted is not found by the name, which no answer tells from one that nobody has`()
        throws
    {
        for name in ["Bo%20Marsh", "bo%20%20MARSH", "Zo%C3%AB%20Hart", "Zoe%20Hart"] {
            for query in [
                "?view=around&player=", "?view=scores&player=", "?view=standings&player=",
                "?view=next&player=",
                "?view=recent&player=", "?view=versus&player=", "?view=versus&player=Cy%20Ferro&opponent=",
            ] {
                let (answer, other) = (try ask(query + name), try ask(query + "Nobody"))
                #expect(answer.status == other.status, "\(query)\(name): \(answer)")
                if answer.status == 200 {
                    #expect(answer.body == other.body, "\(query)\(name): \(answer)")
                } else {
                    #expect(answer.code == "not-in-league")
                    let detail = answer.object["detail"] as? String
                    #expect(detail == other.object["detail"] as? String)
                    #expect(detail?.contains("no player of that name") == true, "\(query): \(answer)")
                }
                for name in Self.redacted { #expect(!answer.text.contains(name), "\(query): \(answer)") }
            }
        }
    }

    @Test(arguments: [
        ("?view=none", 400, "parameter-malformed"), ("?view=targets&top=5", 400, "parameter-unknown"),
        ("?view=around&opponent=x", 400, "parameter-unknown"), ("?top=0", 400, "parameter-malformed"),
        ("?top=x", 400, "parameter-malformed"), ("?view=stats&season=-1", 400, "parameter-malformed"),
        ("?unredacted=true", 400, "parameter-unknown"), ("?view=around&player=Zed", 404, "not-in-league"),
        ("?view=versus&opponent=Zoe%20Hart", 404, "not-in-league"),
    ])
    func `what can't be answered is refused with its reason`(
        _ query: String, _ status: Int, _ code: String
    ) throws {
        let answer = try ask(query)
        #expect(answer.status == status && answer.code == code, "\(answer)")
        #expect(answer.object["hint"] as? String != nil, "\(answer)")
        for name in Self.redacted { #expect(!answer.text.contains(name), "\(answer)") }
    }

    @Test func `without a table, a player or a journal that is seen, it says so`() throws {
        try journal.write("{}", to: "practice-state.json")
        #expect(try ask("?view=around").code == "parameter-missing")
        #expect(try ask("?view=versus&player=Ada%20Quill").code == "parameter-missing")
        try FileManager.default.removeItem(at: journal.directory.appending(path: "league"))
        for view in ["stats", "scores", "standings", "around", "targets", "next", "recent", "versus"] {
            let answer = try ask("?view=\(view)")
            #expect(answer.status == 404 && answer.code == "not-in-league", "\(view): \(answer)")
        }
        let other = try sample.newToken("--scope", "admin", "--session", ServedSample.lateSet)
        let path = "/journals/\(journal.id)/practice/league"
        #expect(try sample.ask("GET", path, token: other).code == "no-such-journal")
        #expect(try sample.ask("GET", path, token: "").status == 401)
    }

    @Test func `an import is delivered once, and its answer names nobody who is redacted`() throws {
        let id = number(300)
        let entry = ServedPractice.entry(id, "league_import", #"{"player":"Redacted 62C440","zone":"UTC"}"#)
        let first = try sample.ask("PUT", "/queue/\(id)", json: entry)
        #expect(first.isWritten, "\(first)")
        #expect(try journal.document.contains("League import for Redacted 62C440: "))
        let again = try sample.ask("PUT", "/queue/\(id)", json: entry)
        #expect(again.object["result"] as? String == "already-applied", "\(again)")
        for answer in [first, again] {
            for name in Self.redacted { #expect(!answer.text.contains(name), "\(answer)") }
        }
        let journalRows = try sample.ask("GET", "/journals/\(journal.id)/practice/journal")
        #expect(journalRows.text.contains("League import for Redacted 62C440: "), "\(journalRows)")
        let purge = ServedPractice.entry(number(301), "league_purge", "{}")
        let purged = try sample.ask("PUT", "/queue/\(number(301))", json: purge)
        #expect(purged.isWritten, "\(purged)")
        #expect(try !journal.document.contains("leagueImported\":true"))
        for (index, arguments) in [#"{"player":7}"#, #"{"zone":"Mars/Olympus"}"#, #"{"zone":""}"#]
            .enumerated()
        {
            let refused = ServedPractice.entry(number(302 + index), "league_import", arguments)
            let answer = try sample.ask("PUT", "/queue/\(number(302 + index))", json: refused)
            #expect(answer.status == 422, "\(arguments): \(answer)")
        }
        for name in Self.redacted { #expect(!sample.daemon.log.contains(name)) }
    }

    /// Each way in which a name that is written could come back as what is shown instead of it.
    @Test func `who may write does not learn by writing which digits are whose`() throws {
        func deliver(_ id: Int, _ kind: String, _ payload: String) throws -> WireAnswer {
            try sample.ask(
                "PUT", "/queue/\(number(id))", json: ServedPractice.entry(number(id), kind, payload))
        }
        /// What every question answers, and the records that there are.
        func answers() throws -> [String] {
            var paths = LeagueView.allCases.map { "practice/league?view=\($0)" }
            paths += ["practice/league?view=versus&opponent=Cy%20Ferro", "practice/journal", "records"]
            // Each refusal has a number of its own.
            return try paths.map {
                try sample.ask("GET", "/journals/\(journal.id)/\($0)").text
                    .replacing(/"instance":"[0-9A-Z]{26}"/, with: "")
            }
        }
        let byName = try deliver(310, "league_import", #"{"player":"Bo Marsh","zone":"UTC"}"#)
        let byNobody = try deliver(311, "league_import", #"{"player":"Nobody","zone":"UTC"}"#)
        #expect(byName.status == byNobody.status && byName.status != 201, "\(byName)")
        var seen: [[String]] = []
        for (step, name) in ["Bo Marsh", "Nobody"].enumerated() {
            for (index, member) in ["playerName", "comparisonPlayerName"].enumerated() {
                let settings = #"{"practiceSettings":{"\#(member)":"\#(name)"}}"#
                #expect(try deliver(320 + 10 * step + index, "settings", settings).isWritten)
            }
            seen.append(try answers())
            let own = try deliver(340 + step, "league_import", #"{"zone":"UTC"}"#)
            #expect(own.status == byNobody.status, "\(own)")
        }
        #expect(seen[0] == seen[1])
        let note = #"{"game":"GaB12","note":"League import for Bo Marsh: 1 imported"}"#
        #expect(try deliver(350, "note", note).isWritten)
        let row = try journal.document.firstMatch(of: /"id": ?"([^"]*)"[^}]*"note": ?"League import/)?.output
            .1
        let patch = #"{"row":"\#(row ?? "")","patch":{"note":"League import for Bo Marsh: 1 imported"}}"#
        _ = try deliver(351, "edit", patch)
        for answer in try answers().dropFirst(LeagueView.allCases.count + 1) {
            #expect(!answer.contains("62C440"), "\(answer)")
        }
    }

    private enum LeagueView: String, CaseIterable, CustomStringConvertible {
        case stats, scores, standings, around, targets, next, recent, versus

        var description: String { rawValue }
    }

    @Test func `a broken table is in the findings of the journal, by rule and place`() throws {
        try journal.write("season,player\nMarsh,Hart\n", to: "league/LPL_Stats.csv")
        try soon("the daemon has seen it") {
            try sample.ask("GET", "/journals/\(journal.id)/findings").text.contains("league-column-missing")
        }
        let findings = try sample.ask("GET", "/journals/\(journal.id)/findings")
        #expect(findings.text.contains("league/LPL_Stats.csv"), "\(findings)")
        for name in Self.redacted { #expect(!findings.text.contains(name), "\(findings)") }
    }
}
