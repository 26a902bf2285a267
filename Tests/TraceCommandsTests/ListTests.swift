import Foundation
import Testing

/// Lists as programs read them: tables, whose columns docs/command-line.md names.
struct ListTests {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        try scratch.copySample()
        try scratch.copyQueue()
        scratch.environment["TRACE_SESSION"] = "2026-02-04-late-set"
        #expect(try scratch.trace("token", "add", "--name", "laptop", "--scope", "read").status == 0)
        // What can be undone.
        let queued = ["queue", "add", "marker", "--session", number(1), "--offset", "5"]
        #expect(try scratch.trace(queued).status == 0)
    }

    /// The lists of the page's table, each with its columns.
    private static func documented() throws -> [(words: [String], columns: [String])] {
        let page = try String(
            contentsOf: SourceFile.root.appending(path: "docs/command-line.md"), encoding: .utf8)
        let section = try #require(
            page.components(separatedBy: "\n## Lists\n").last?.components(separatedBy: "\n## ").first)
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
            let names = line.matches(of: #/`([^`]+)`/#).map { String($0.output.1) }
            return (names[0].split(separator: " ").map(String.init), Array(names.dropFirst()))
        }
    }

    @Test func `every list has the columns of its page, in every row`() throws {
        let lists = try Self.documented()
        #expect(lists.count > 15)
        for (words, columns) in lists {
            let plain = try scratch.trace(words + ["-q"])
            let headed = try scratch.trace(words + ["--header", "-q"])
            let lines = headed.output.split(separator: "\n")
            #expect(headed.status == 0, "\(words): \(headed)")
            #expect(lines.first.map(String.init) == columns.joined(separator: "\t"), "\(words)")
            for line in lines {
                #expect(line.count(where: { $0 == "\t" }) == columns.count - 1, "\(words): \(line)")
            }
            // What its scripts have always read has another form.
            if words.first != "markers" {
                #expect(headed.output == columns.joined(separator: "\t") + "\n" + plain.output, "\(words)")
            }
            let table = try scratch.trace(words + ["--format", "csv", "-q"])
            #expect(table.output.hasPrefix(columns.joined(separator: ",") + "\n"), "\(words): \(table)")
            #expect(try scratch.trace(words + ["--format", "tsv", "--json"]).status == 64, "\(words)")
        }
    }

    /// The words of the commands that have `--header`, by what the parser says of itself.
    private static func lists(_ command: [String: Any], below words: [String]) -> [[String]] {
        let arguments = command["arguments"] as? [[String: Any]] ?? []
        let names = arguments.flatMap { $0["names"] as? [[String: String]] ?? [] }.compactMap {
            $0["name"]
        }
        let below = command["subcommands"] as? [[String: Any]] ?? []
        return (names.contains("header") ? [words] : [])
            + below.flatMap { lists($0, below: words + [$0["commandName"] as? String ?? ""]) }
    }

    @Test func `a list that its page lacks is found`() throws {
        let dump = try scratch.trace("--experimental-dump-help").output
        let root = try #require(JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])
        let found = Set(Self.lists(try #require(root["command"] as? [String: Any]), below: []))
        let documented = try Self.documented().map(\.words)
        // Those of kinds of journals have the columns of their tables.
        let missing = found.filter { list in
            list.first != "practice" && !documented.contains { $0.starts(with: list) }
        }
        #expect(found.count > 20 && missing.isEmpty, "\(missing)")
    }

    /// The arguments that lists of a practice journal need.
    private static let needed = [
        "practice mechanics": ["--summary"]
    ]

    @Test func `every list of a practice journal has the columns of its table on a terminal`() throws {
        try scratch.practiceJournal()
        let dump = try scratch.trace("--experimental-dump-help").output
        let root = try #require(JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])
        let lists = Self.lists(try #require(root["command"] as? [String: Any]), below: []).filter {
            $0.first == "practice"
        }
        #expect(lists.count > 7, "\(lists)")
        var filled: Set<[String]> = []
        for list in lists {
            let words = list + (Self.needed[list.joined(separator: " ")] ?? [])
            let plain = try scratch.trace(words + ["-q"])
            // A table of the league that is not there.
            if plain.errors.contains("[not-in-league]") { continue }
            let headed = try scratch.trace(words + ["--header", "-q"])
            #expect(plain.status == 0 && headed.status == 0, "\(words): \(headed)")
            let lines = headed.output.split(separator: "\n").map(String.init)
            let columns = (lines.first ?? "").split(separator: "\t").map(String.init)
            #expect(
                columns.count > 1 && columns.allSatisfy { $0.wholeMatch(of: #/[a-z_]+/#) != nil }, "\(words)")
            #expect(headed.output == columns.joined(separator: "\t") + "\n" + plain.output, "\(words)")
            for line in lines {
                #expect(line.count(where: { $0 == "\t" }) == columns.count - 1, "\(words): \(line)")
            }
            for (format, separator) in [("tsv", "\t"), ("csv", ",")] {
                let table = try scratch.trace(words + ["--format", format, "-q"]).output
                let rows = table.split(separator: "\n").map(String.init)
                #expect(rows.first == columns.joined(separator: separator), "\(words)")
                #expect(rows.count == lines.count, "\(words)")
                if format == "tsv" { #expect(rows == lines, "\(words)") }
            }
            #expect(try scratch.trace(words + ["--format", "tsv", "--json"]).status == 64, "\(words)")
            if lines.count > 1 {
                filled.insert(list)
                // On a terminal a column in which nothing is stays away.
                let script = "stty cols 250 rows 50; TERM=dumb \"$TRACE\" \(words.joined(separator: " ")) -q"
                let screen = try scratch.shell("script -qec '\(script)' /dev/null </dev/null").output
                let heading = screen.split(whereSeparator: \.isNewline).first { $0.contains("  ") } ?? ""
                let names = heading.split(separator: "  ").map {
                    $0.trimmingCharacters(in: .whitespaces).lowercased().replacing(" ", with: "_")
                }
                #expect(!names.isEmpty && names == columns.filter(names.contains), "\(words): \(heading)")
            }
        }
        #expect(filled.count > 5, "\(filled)")
    }

    @Test func `a table has texts as they are, and lines have none that could break them`() throws {
        try scratch.session("odd", id: 9, title: "a\\tb, \\\"c\\\"")
        func row(_ arguments: String...) throws -> String {
            let lines = try scratch.trace(["sessions"] + arguments).output.split(separator: "\n")
            return String(lines.first { $0.contains("/sessions/odd") } ?? "")
        }
        #expect(try row().split(separator: "\t", omittingEmptySubsequences: false)[2] == "a b, \"c\"")
        #expect(try row("--format", "tsv").split(separator: "\t")[2] == #"a\tb, "c""#)
        #expect(try row("--format", "csv").contains("\"a\tb, \"\"c\"\"\","))
    }
}

extension Scratch {
    /// A journal in which each list has something.
    fileprivate func practiceJournal() throws {
        try #require(trace("journal", "init", "practice", "sessions/pins", "--title", "Pins").status == 0)
        try makeDirectory("sessions/pins/library")
        try write(
            #"{"version":3,"items":[{"library_entry_id":"v1--comet-racer","practice_identity":"G1","slug":"comet-racer","name":"Comet Racer","game":"Comet Racer","bank":1},{"library_entry_id":"v1--deep-reef","practice_identity":"G2","slug":"deep-reef","name":"Deep Reef","game":"Deep Reef","bank":2}]}"#,
            to: "sessions/pins/library/pinball_library_v3.json")
        try makeDirectory("sessions/pins/league")
        try write(
            """
            Season,BankNumber,Bank,Player,Machine,RawScore,Points,EventDate
            Season 4,1,Bank One,Ada Quill,Comet Racer,"15,000,000",12,2026-02-02
            Season 4,1,Bank One,Bo Marsh,Comet Racer,9000000,8,2026-02-02

            """, to: "sessions/pins/league/LPL_Stats.csv")
        for words in [
            ["score", "comet", "1000"], ["groups", "--create", "One", "--game", "comet"],
            ["mechanics", "comet", "3", "--skill", "Post Pass"],
            ["settings", "--player", "Ada Quill"],
        ] {
            let outcome = try trace(["practice"] + words)
            try #require(outcome.status == 0, "\(words): \(outcome)")
        }
    }
}
