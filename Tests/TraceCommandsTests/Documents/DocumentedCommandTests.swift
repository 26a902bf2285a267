import Foundation
import ProgramHarness
import TestSupport
import Testing

/// README and `docs`: each command that they show is typed, and prints what they show (docs/contributing.md#commands-in-the-documentation).
struct DocumentedCommandTests {
    private static let pagesWithCommands = CommandPage.all.filter { page in
        page.blocks.contains { page.isRunHere($0) }
    }

    /// Whether the pages are to show what is printed now.
    private static let isWriting = ["TRACE_WRITE_DOCS", "TRACE_UPDATE_GOLDEN"].contains {
        ProcessInfo.processInfo.environment[$0] == "1"
    }

    @Test(arguments: pagesWithCommands)
    func `a page shows what its commands print`(_ page: CommandPage) throws {
        let steps = page.steps
        let typed = steps.filter { step in
            if case .variation = step.kind { false } else { true }
        }
        let outcomes = try DocumentShell().run(typed.map { ($0.kind, $0.text) })
        var rest = outcomes[...]
        var shown = ShownOutput()
        var written = page.lines
        var shift = 0
        for step in steps {
            if case .variation = step.kind {
                shown.vary(step.text)
                continue
            }
            guard let outcome = rest.popFirst() else {
                Issue.record("\(page.name): not typed: \(step.text)")
                return
            }
            switch step.kind {
            case .variation: break
            case .preparation:
                if outcome.status != 0 {
                    Issue.record("\(page.name): prepare: \(step.text)\n\(outcome.output)")
                }
            case .script(let line):
                guard outcome.status != 0 else { continue }
                Issue.record(
                    "\(page.name):\(line + 1): status \(outcome.status)\n\(step.text)\n\(outcome.output)")
            case .command(let example, _):
                let place = "\(page.name):\(example.line + 1): $ \(step.text)"
                let indentation = String(repeating: " ", count: example.indentation)
                let lines = Self.lines(of: outcome.output)
                let expected = page.lines[example.output].map { line in
                    Self.trimmed(
                        line.hasPrefix(indentation) ? line.dropFirst(example.indentation) : line[...])
                }
                let isFailureShown = (expected + lines).contains {
                    $0.contains("error: ") || $0.contains("error ")
                }
                if outcome.status != 0, !isFailureShown {
                    Issue.record("\(place)\nended with status \(outcome.status)")
                }
                let compared = shown.compare(expected, with: lines)
                guard compared.contains(where: { if case .same = $0 { false } else { true } }) else {
                    continue
                }
                Issue.record(
                    "\(place)\n\(Self.differences(compared))\nTRACE_WRITE_DOCS=1 writes it into the page")
                let new = compared.compactMap { line in
                    switch line {
                    case .same(let text), .new(let text): text.isEmpty ? "" : indentation + text
                    case .missing: nil
                    }
                }
                let range = example.output.lowerBound + shift..<example.output.upperBound + shift
                written.replaceSubrange(range, with: new)
                shift += new.count - example.output.count
            }
        }
        if Self.isWriting, written != page.lines {
            try Data(written.joined(separator: "\n").utf8).write(to: page.url)
        }
    }

    /// Without the line break at the end, and without the blanks behind a line, which no page shows.
    private static func lines(of output: String) -> [String] {
        var lines = output.split(separator: "\n", omittingEmptySubsequences: false).map { trimmed($0) }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    private static func trimmed(_ line: Substring) -> String {
        String(line.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
    }

    private static func differences(_ lines: [ShownOutput.Line]) -> String {
        lines.compactMap { line in
            switch line {
            case .same: nil
            case .missing(let text): "  - \(text)"
            case .new(let text): "  + \(text)"
            }
        }.joined(separator: "\n")
    }

    @Test func `the picture of a terminal is of what the commands print`() throws {
        let programs = Binaries.url("trace").deletingLastPathComponent().path
        let draw = SourceFile.root.appending(path: "docs/pictures/terminal").path
        let outcome = try Scratch().run(draw, [programs, "--check"])
        if Self.isWriting { _ = try Scratch().run(draw, [programs]) }
        #expect(outcome.status == 0, "\(outcome)\nTRACE_WRITE_DOCS=1 draws it again")
    }

    /// The first column of the table.
    private static func reasons() throws -> Set<String> {
        let page = try CommandPage(name: "docs/contributing.md").lines
        let table = page.drop { $0 != "| not run | what it needs |" }.dropFirst(2).prefix {
            $0.hasPrefix("| ")
        }
        return Set(table.compactMap { $0.firstMatch(of: #/^\| `([a-z ]+)` \|/#).map { String($0.1) } })
    }

    @Test func `every block of commands is run, or has a reason of the list`() throws {
        let reasons = try Self.reasons()
        #expect(reasons.count > 3)
        let names = Set(Self.pagesWithCommands.map(\.name))
        #expect(
            names.isSuperset(of: [
                "README.md", "docs/first-evening.md", "docs/operations.md", "docs/practice.md",
            ]))
        var used: Set<String> = []
        for page in CommandPage.all {
            for block in page.blocks {
                let place = "\(page.name):\(block.lines.lowerBound)"
                if let reason = block.value("not run") {
                    #expect(reasons.contains(reason), "\(place): '\(reason)' is none of the reasons")
                    #expect(page.isOfCommands(block), "\(place): not a block of commands")
                    used.insert(reason)
                } else if block.value("example") != nil {
                    #expect(page.name == "docs/http.md", "\(place): HTTPExamplesTests reads another page")
                } else if page.isRunHere(block) {
                    #expect(
                        ["console", "sh"].contains(block.language), "\(place): write ```console or ```sh")
                    if block.language == "console", let first = block.lines.first {
                        #expect(
                            page.text(first, of: block).hasPrefix("$ "), "\(place): a command comes first")
                    }
                }
            }
        }
        #expect(used == reasons, "each reason is used")
    }
}
