import Foundation
import Journals
import RecordFormat
import TestSupport
import Testing
import TraceStore

/// What docs/cli-json.md says of the answers of the kinds of journal is written out of their shapes.
///
/// With `TRACE_WRITE_DOCS` set, the page is written; then compare what has changed.
@Suite(.serialized) struct KindDocumentTests {
    private static let questions = Journals.all.formats.flatMap { format in
        format.surface.questions.flatMap(\.views).map {
            DocumentedQuestion(heading: "trace \(format.layout.kind) \($0.command)", shape: $0.shape)
        }
    }

    @Test(arguments: questions)
    func `the table of an answer is its shape's`(_ question: DocumentedQuestion) throws {
        let url = SourceFile.root.appending(path: "docs/cli-json.md")
        let page = AnswerPage(text: try String(contentsOf: url, encoding: .utf8))
        guard ProcessInfo.processInfo.environment["TRACE_WRITE_DOCS"] == nil else {
            let written = try page.writing(question.table, below: question.heading)
            return try written.write(to: url, atomically: true, encoding: .utf8)
        }
        #expect(
            try page.rows(below: question.heading) == question.table,
            "TRACE_WRITE_DOCS=1 and this test rewrite it")
    }

    @Test(arguments: [
        "", "\nWords.\n", "\n\(AnswerPage.head)", "\nWords.\n\n\(AnswerPage.head)| old | row |\n",
    ])
    func `a table is written into its section alone, and a heading is enough`(_ section: String) throws {
        let (before, after) = (
            "# Page\n\n## `trace a`\n\n| x |\n", "\n## `trace c`\n\n\(AnswerPage.head)| c |\n"
        )
        for after in [after, ""] {
            let page = AnswerPage(text: "\(before)\n## `trace b`, `trace b2`\n\(section)\(after)")
            let written = try page.writing("| new |\n", below: "trace b2")
            let words = section.contains("Words") ? "\nWords.\n" : ""
            #expect(
                written
                    == "\(before)\n## `trace b`, `trace b2`\n\(words)\n\(AnswerPage.head)| new |\n\(after)")
            #expect(try AnswerPage(text: written).rows(below: "trace b") == "| new |\n")
        }
    }

    @Test func `words behind a table stay there`() throws {
        let page = AnswerPage(text: "\n## `trace a`\n\n\(AnswerPage.head)| old |\n\nWords.\n")
        #expect(
            try page.writing("| new |\n", below: "trace a")
                == "\n## `trace a`\n\n\(AnswerPage.head)| new |\n\nWords.\n")
    }

    @Test func `an answer without a section is refused by its heading`() {
        #expect(throws: AnswerPage.Missing(heading: "trace b")) {
            try AnswerPage(text: "\n## `trace a`\n").writing("| new |\n", below: "trace b")
        }
    }
}

/// An answer, and the heading of its section.
struct DocumentedQuestion: Sendable, CustomTestStringConvertible {
    let heading: String
    let shape: AnswerShape

    var testDescription: String { heading }

    /// The rows of the table, each with the members that are alike.
    var table: String { Self.rows(shape, below: "").joined(separator: "\n") + "\n" }

    private static func rows(_ shape: AnswerShape, below prefix: String) -> [String] {
        var groups: [[AnswerShape.Member]] = []
        for member in shape.members {
            let isAlike = groups.last?.first.map {
                ($0.type, $0.summary, $0.printed) == (member.type, member.summary, member.printed)
            }
            if isAlike ?? false {
                groups[groups.count - 1].append(member)
            } else {
                groups.append([member])
            }
        }
        return groups.flatMap { group -> [String] in
            let names = group.map { "`\(prefix)\($0.name)`" }.joined(separator: ", ")
            let isAlways = group[0].printed == .always ? "yes" : "no"
            let row = "| \(names) | \(group[0].type.documentedName) | \(isAlways) | \(group[0].summary) |"
            guard let inner = group[0].type.shape else { return [row] }
            let separator = if case .array = group[0].type { "[]." } else { "." }
            let below = group.map { rows(inner, below: "\(prefix)\($0.name)\(separator)") }
            // The members of objects that are alike stand together, too.
            return [row] + below.reduce([]) { merged($0, $1) }
        }
    }

    private static func merged(_ one: [String], _ other: [String]) -> [String] {
        guard one.count == other.count else { return one + other }
        return zip(one, other).map { one, other in
            let (names, more) = (one.components(separatedBy: " | "), other.components(separatedBy: " | "))
            return ([names[0] + ", " + more[0].dropFirst(2)] + names.dropFirst()).joined(separator: " | ")
        }
    }
}

/// The text of a page whose sections have a table each.
struct AnswerPage {
    let text: String

    static let head = "| key | type | always | what |\n|---|---|---|---|\n"

    struct Missing: Error, Equatable, CustomStringConvertible {
        let heading: String
        var description: String { "add a section with the heading ## `\(heading)`" }
    }

    /// What is between the heading and the next one, from line to line.
    private func section(below heading: String) throws -> Range<String.Index> {
        let headings = text.ranges(of: /\n## [^\n]*\n/)
        guard let number = headings.firstIndex(where: { text[$0].contains("`\(heading)`") }) else {
            throw Missing(heading: heading)
        }
        let next = headings.dropFirst(number + 1).first
        return headings[number].upperBound..<(next?.lowerBound ?? text.endIndex)
    }

    /// The rows of the table of a section; nil without a table.
    private func rowRange(in section: Range<String.Index>) -> Range<String.Index>? {
        text[section].firstRange(of: "|---|---|---|---|\n").map { head in
            let rows = text[head.upperBound..<section.upperBound].prefixMatch(of: /(\|[^\n]*\n)*/)
            return head.upperBound..<(rows?.range.upperBound ?? head.upperBound)
        }
    }

    /// The rows of the table of a section; none without a table.
    func rows(below heading: String) throws -> String {
        rowRange(in: try section(below: heading)).map { String(text[$0]) } ?? ""
    }

    /// The page with the rows of a section replaced; one without a table gets it at its end.
    func writing(_ rows: String, below heading: String) throws -> String {
        let section = try section(below: heading)
        if let old = rowRange(in: section) {
            return text[..<old.lowerBound] + rows + text[old.upperBound...]
        }
        let words = String(text[section].reversed().drop(while: \.isNewline).reversed())
        return text[..<section.lowerBound] + words + (words.isEmpty ? "\n" : "\n\n") + Self.head + rows
            + text[section.upperBound...]
    }
}
