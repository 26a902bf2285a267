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

    @Test func `a list that its page lacks is found`() throws {
        let dump = try scratch.trace("--experimental-dump-help").output
        let root = try #require(JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])
        func lists(_ command: [String: Any], below words: [String]) -> [[String]] {
            let arguments = command["arguments"] as? [[String: Any]] ?? []
            let names = arguments.flatMap { $0["names"] as? [[String: String]] ?? [] }.compactMap {
                $0["name"]
            }
            let below = command["subcommands"] as? [[String: Any]] ?? []
            return (names.contains("header") ? [words] : [])
                + below.flatMap { lists($0, below: words + [$0["commandName"] as? String ?? ""]) }
        }
        let found = Set(lists(try #require(root["command"] as? [String: Any]), below: []))
        let documented = try Self.documented().map(\.words)
        // Those of kinds of journals have the columns of their tables.
        let missing = found.filter { list in
            list.first != "practice" && !documented.contains { $0.starts(with: list) }
        }
        #expect(found.count > 20 && missing.isEmpty, "\(missing)")
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
