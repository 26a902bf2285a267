import Foundation
import TestSupport
import Testing

/// What comments cite, and where the links of the documentation lead, is there (docs/contributing.md#citations).
struct CitationTests {
    private let pages = Pages()

    @Test func `every citation leads to a page, and to a heading of it`() throws {
        let citations = try Self.texts().flatMap { Citation.all(in: $0.text, of: $0.path) }
        #expect(citations.count > 300, "the citations are found")
        for citation in citations {
            if let problem = pages.problem(of: citation) { Issue.record("\(citation.place): \(problem)") }
        }
    }

    @Test func `every link of the documentation leads to a file, and to a heading of it`() throws {
        let paths = try Self.paths(below: "docs").filter { $0.hasSuffix(".md") } + ["README.md"]
        let links = try paths.flatMap { Link.all(in: try Self.text(of: $0), of: $0) }
        #expect(links.count > 200, "the links are found")
        for link in links {
            if let problem = pages.problem(of: link) { Issue.record("\(link.place): \(problem)") }
        }
    }

    /// The names of pages are put together, so that this file cites none of them.
    private static let docs = "docs"
    private static let missing = "none.md"

    @Test(arguments: [
        ("A.swift", "/// Source: \(docs)/spec/practice.md#times."),
        ("A.swift", "let hint = \"see \(docs)/operations.md\""),
        (
            "A.swift",
            "/// Source: \(docs)/spec/format.md#sessionjson and \(docs)/rules.md; RFC 9110, section 8.3."
        ),
        ("A.swift", "    /// Brings `digest.md` up to date, and `media/digest.md`."),
        ("A.swift", "    try scratch.write(\"\", to: \"mine.md\")"),
        ("A.swift", "// Of files, `.md` is read."),
        ("Tests/Mutants/mutants/a.py", "\"\"\"Which survive: Tests/Mutants/README.md.\"\"\""),
        ("Tests/Mutants/a.sh", "# What README.md says."),
        ("Makefile", "# One build (\(docs)/decisions/0033-one-optimised-build.md)."),
    ])
    func `what is there may be cited, and what is not a page may be named`(path: String, line: String) {
        #expect(Citation.all(in: line, of: path).compactMap(pages.problem) == [])
    }

    @Test(arguments: [
        ("A.swift", "/// Source: server.md, section 3."),
        ("A.swift", "/// Source: practice.md, section 12, \"Emptied\"."),
        ("A.swift", "func a() {}  // as in \(missing)"),
        ("A.swift", "/// Source: \(docs)/spec/none.md."),
        ("A.swift", "/// Source: \(docs)/spec/practice.md#section-12."),
        ("A.swift", "/// Source: \(docs)/spec/practice.md#Times."),
        ("A.swift", "let hint = \"see \(docs)/none.md\""),
        ("A.swift", "/// Source: RFC 9457; \(docs)/http.md#errors and \(docs)/http.md#error."),
        ("a.js", " * As page.md has it."),
        ("a.py", "\"\"\"Two browsers (server.md, row 56).\"\"\""),
        ("a.py", "count = 1  # server.md, row 56"),
        ("Makefile", "# One build (\(docs)/decisions/0033)."),
    ])
    func `a citation that leads nowhere is found`(path: String, line: String) {
        #expect(Citation.all(in: "\n" + line, of: path).compactMap(pages.problem).count == 1)
        #expect(Citation.all(in: "\n" + line, of: path).allSatisfy { $0.place == "\(path):2" })
    }

    @Test(arguments: [
        "[no page](none.md)", "[no heading](spec/practice.md#section-12)", "[nothing here](#nowhere)",
        "see [`code`](none.md)",
    ])
    func `a link that leads nowhere is found`(text: String) {
        #expect(Link.all(in: text, of: "\(Self.docs)/a.md").compactMap(pages.problem).count == 1)
    }

    @Test(arguments: ["/home/", "/root/", "/work/", "/tmp/", "/Users/", "://"])
    func `the specification names no place on a machine, and nothing on the web`(text: String) throws {
        let paths = try Self.paths(below: "docs/spec")
        #expect(paths.count > 3, "the pages are found")
        for path in paths where try Self.text(of: path).contains(text) {
            Issue.record("\(path): '\(text)'")
        }
    }

    // MARK: - Files

    /// The texts that may cite a page. What is data to a test is none of them.
    private static func texts() throws -> [(path: String, text: String)] {
        let marks = [".md", Citation.decisions].map { Data($0.utf8) }
        let paths =
            try ["Sources", "Tests", "packaging", "page", "systemd"].flatMap(Self.paths)
            + ["Makefile"]
        return paths.compactMap { path in
            let contents = try? Data(contentsOf: SourceFile.root.appending(path: path))
            guard let contents, marks.contains(where: { contents.range(of: $0) != nil }) else { return nil }
            return String(data: contents, encoding: .utf8).map { (path, $0) }
        }
    }

    private static func paths(below folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(
            atPath: SourceFile.root.appending(path: folder).path)
        return names.map { "\(folder)/\($0)" }.filter { path in
            let folders = Set(path.split(separator: "/").dropLast())
            let isData =
                !folders.isDisjoint(with: ["Corpus", "Golden", "__pycache__"])
                || folders.contains { $0.hasPrefix(".") }
            return !isData && (!folders.contains("Fixtures") || path.hasSuffix(".md"))
        }
    }

    private static func text(of path: String) throws -> String {
        try String(contentsOf: SourceFile.root.appending(path: path), encoding: .utf8)
    }
}

/// What leads from one place to another.
private protocol Pointer {
    /// The path below the package of the file in which it is, and the line: 1-based.
    var path: String { get }
    var line: Int { get }
    /// The path to which it leads: below the package, or from the file's directory; empty for the file itself.
    var page: String { get }
    var heading: String? { get }
}

extension Pointer {
    var place: String { "\(path):\(line)" }

    /// The directory of the file in which it is, with a slash behind it unless it is that of the package.
    fileprivate var folder: String {
        path.split(separator: "/").dropLast().map { "\($0)/" }.joined()
    }
}

/// A page that a file names: by a path in `docs` anywhere, by any other name in a comment.
private struct Citation: Pointer {
    let path: String
    let line: Int
    let page: String
    let heading: String?

    /// Decisions are cited by their whole names.
    static let decisions = "docs/decisions/"
    /// A file of every session, and no page.
    private static let digest = "digest.md"

    static func all(in text: String, of path: String) -> [Citation] {
        var found: [Citation] = []
        for (index, bytes) in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
        {
            let line = String(decoding: bytes, as: UTF8.self)
            guard line.contains(".md") || line.contains(decisions) else { continue }
            let comment = comment(in: line, of: path)
            for match in line.matches(
                of: #/([A-Za-z0-9_.\/-]*[A-Za-z0-9_-]\.md)(?![A-Za-z0-9_])(?:#([A-Za-z0-9_-]+))?/#)
            {
                let page = String(match.1)
                let isNamed =
                    !page.hasPrefix("/") && page.split(separator: "/").last.map(String.init) != digest
                guard page.hasPrefix("docs/") || isNamed && comment.contains(page) else { continue }
                found.append(
                    Citation(path: path, line: index + 1, page: page, heading: match.2.map(String.init)))
            }
            for match in line.matches(of: #/docs\/decisions\/[0-9]+(?![0-9-])/#) {
                found.append(Citation(path: path, line: index + 1, page: String(match.0), heading: nil))
            }
        }
        return found
    }

    /// What of a line is said to people; empty if nothing is.
    private static func comment(in line: String, of path: String) -> Substring {
        let start = line.drop { $0 == " " }
        switch path.split(separator: ".").last {
        case "md": return ""
        case "swift", "h", "c", "cpp", "js", "css":
            if start.hasPrefix("*") || start.hasPrefix("/*") { return start }
            return line.firstMatch(of: #/(?:^|\s)\/\/.*/#)?.0 ?? ""
        default:
            if start.hasPrefix("\"\"\"") { return start }
            return line.firstMatch(of: #/(?:^|\s)#.*/#)?.0 ?? ""
        }
    }
}

/// A link of a page to another file of the package.
private struct Link: Pointer {
    let path: String
    let line: Int
    let page: String
    let heading: String?

    static func all(in text: String, of path: String) -> [Link] {
        var found: [Link] = []
        for (number, line) in Markdown.lines(of: text) where line.contains("](") {
            // Without what is code.
            let words = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
            for match in words.matches(of: #/\]\(([^)\s]+)\)/#) where !match.1.contains("://") {
                let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                found.append(
                    Link(
                        path: path, line: number, page: String(parts[0]),
                        heading: parts.count > 1 ? String(parts[1]) : nil))
            }
        }
        return found
    }
}

/// The pages that there are, with their headings as links name them.
private final class Pages {
    private var known: [String: Set<String>] = [:]

    /// What is wrong with where it leads; nil if nothing is.
    func problem(of pointer: some Pointer) -> String? {
        let paths =
            pointer.page.isEmpty
            ? [pointer.path]
            // A link is a path from the page that it is on, and nothing else.
            : pointer is Link
                ? [pointer.folder + pointer.page] : [pointer.page, pointer.folder + pointer.page]
        let found = paths.first {
            FileManager.default.fileExists(atPath: SourceFile.root.appending(path: $0).path)
        }
        guard let found, pointer is Link || found.hasSuffix(".md") else {
            return "there is no page '\(pointer.page)'"
        }
        guard let heading = pointer.heading, !headings(of: found).contains(heading) else { return nil }
        return "'\(found)' has no heading '\(heading)'"
    }

    private func headings(of path: String) -> Set<String> {
        if let known = known[path] { return known }
        let text = try? String(contentsOf: SourceFile.root.appending(path: path), encoding: .utf8)
        let headings = Markdown.headings(of: text ?? "")
        known[path] = headings
        return headings
    }
}

private enum Markdown {
    /// The lines outside of code, with their numbers: 1-based.
    static func lines(of text: String) -> [(number: Int, line: String)] {
        var isCode = false
        return text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated().compactMap {
            let line = String(decoding: $0.element, as: UTF8.self)
            if line.hasPrefix("```") { isCode.toggle() }
            return isCode ? nil : ($0.offset + 1, line)
        }
    }

    /// In lower case, with hyphens for spaces, without what is neither letter nor digit; of equal ones the later with their number.
    static func headings(of text: String) -> Set<String> {
        var counts: [String: Int] = [:]
        var headings: Set<String> = []
        for (_, line) in lines(of: text) {
            guard let title = line.wholeMatch(of: #/#{1,6} +(.*)/#)?.1 else { continue }
            let plain = title.replacing(#/\[([^\]]*)\]\([^)]*\)/#) { $0.1 }
            let name = plain.lowercased().compactMap { character -> String? in
                if character == " " { return "-" }
                let isKept =
                    character.isLetter || character.isNumber || character == "-" || character == "_"
                return isKept ? String(character) : nil
            }.joined()
            let count = counts[name, default: 0]
            headings.insert(count == 0 ? name : "\(name)-\(count)")
            counts[name] = count + 1
        }
        return headings
    }
}
