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
        let page = try Page()
        let table = try page.table(below: question.heading)
        guard ProcessInfo.processInfo.environment["TRACE_WRITE_DOCS"] == nil else {
            return try page.replace(table, with: question.table)
        }
        #expect(page.text[table] == question.table)
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

/// docs/cli-json.md.
private struct Page {
    private static let url = SourceFile.root.appending(path: "docs/cli-json.md")
    let text: String

    init() throws { text = try String(contentsOf: Self.url, encoding: .utf8) }

    /// The rows of the table of a section.
    func table(below heading: String) throws -> Range<String.Index> {
        let sections = text.ranges(of: /\n## [^\n]*\n/)
        let section = try #require(
            sections.first { text[$0].contains("`\(heading)`") }, "no section on \(heading)")
        let head = try #require(text[section.upperBound...].firstRange(of: "|---|---|---|---|\n"))
        let end = text[head.upperBound...].firstRange(of: "\n\n")?.lowerBound
        return head.upperBound..<(end.map { text.index(after: $0) } ?? text.endIndex)
    }

    func replace(_ range: Range<String.Index>, with table: String) throws {
        var page = text
        page.replaceSubrange(range, with: table)
        try page.write(to: Self.url, atomically: true, encoding: .utf8)
    }
}
