import Foundation
import RecordFormat
import Testing
import TraceFormat
import TraceText

@testable import TraceDigest

struct TemplateTests {
    private static let values: [String: TemplateValue] = [
        "name": .text("a*b <i> & \"c\""), "none": .text(""), "zero": .number(0), "three": .number(3),
        "yes": .flag(true),
        "no": .flag(false),
        "list": .list([.object(["word": .text("one")]), .object(["word": .text("two")])]), "empty": .list([]),
    ]

    private func render(_ source: String, _ form: DigestTemplate.Form = .text) throws -> String {
        try DigestTemplate(source, file: "t", form: form).render(Self.values).text
    }

    @Test(arguments: [
        (DigestTemplate.Form.markdown, "a\\*b \\<i\\> & \"c\""), (.html, "a*b &lt;i&gt; &amp; &quot;c&quot;"),
        (.text, "a*b <i> & \"c\""),
    ])
    func `texts are escaped for what comes out, and three braces leave them alone`(
        form: DigestTemplate.Form, escaped: String
    ) throws {
        #expect(try render("{{name}}", form) == escaped)
        #expect(try render("{{{name}}}|{{&name}}", form) == "a*b <i> & \"c\"|a*b <i> & \"c\"")
        #expect(try render("{{% CONTENT_TYPE:TEXT}}\n{{name}}", form) == "a*b <i> & \"c\"")
    }

    @Test(arguments: [
        ("week.mustache", DigestTemplate.Form.markdown), ("week.md", .markdown),
        ("WEEK.HTML.mustache", .html),
        ("a/b.htm", .html), ("notes.txt", .text), ("-", .markdown),
    ])
    func `a file's name tells what comes out`(name: String, form: DigestTemplate.Form) {
        #expect(DigestTemplate.Form(fileName: name) == form)
    }

    @Test func `what is empty, false or zero counts as nothing`() throws {
        let source = ["none", "zero", "no", "empty", "three", "yes", "list", "name"].map {
            "{{#\($0)}}+{{/\($0)}}{{^\($0)}}-{{/\($0)}}"
        }.joined(separator: " ")
        #expect(try render(source) == "- - - - + + ++ +")
        #expect(try render("{{zero}} {{three}}") == "0 3")
    }

    @Test func `sections that stand alone on a line leave none behind, on the first line as well`() throws {
        #expect(try render("{{#list}}\n- {{word}}\n{{/list}}\n") == "- one\n- two\n")
        #expect(try render("{{#list}}{{word}}{{^last()}}, {{/last()}}{{/list}}") == "one, two")
    }

    @Test func `a name that is no value is told`() throws {
        let rendering = try DigestTemplate(
            "{{titel}} {{#list}}{{wort}}{{/list}} {{titel}}", file: "t", form: .text
        ).render(Self.values)
        #expect(rendering.unknownNames == ["titel", "wort"])
    }

    @Test(arguments: [
        ("ok\n{{#list}}\n", "t:3", "a section is still open at the end"),
        ("ok\n{{#list}}x{{/name}}\n", "t:2", "this ends a section other than the open one"),
        ("{{name", "t:1", "a tag is not finished"), ("a\n\n{{na me}}", "t:3", "a tag is not finished"),
        ("{{% COLOUR:RED}}", "t:1", "this setting is unknown"),
        ("{{% CONTENT_TYPE:PDF}}", "t:1", "this setting is unknown"),
        ("a\n  {{> other}}", "t:2", "a template can't include another one"),
        ("{{<layout}}{{/layout}}", "t:1", "a template can't include another one"),
    ])
    func `what is wrong is told with its place and its cure`(source: String, place: String, what: String)
        throws
    {
        do throws(TemplateError) {
            _ = try DigestTemplate(source, file: "t", form: .markdown)
            Issue.record("nothing was thrown")
        } catch {
            #expect(error.code == .templateMalformed)
            #expect(error.message.hasPrefix(place), "\(error.message)")
            #expect(error.message.hasSuffix(what), "\(error.message)")
            #expect(error.cure?.text != nil)
        }
    }

    /// The names in a section of docs/digest.md.
    private static func documented(_ heading: String) throws -> Set<String> {
        let page = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/digest.md")
        let sections = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n### ")
        let section = try #require(sections.first { $0.hasPrefix(heading + "\n") }, "no section \(heading)")
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        return Set(
            rows.flatMap { row in
                row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.output.1) }
            })
    }

    /// The names of all values, those in lists after the list's.
    private static func names(_ values: [String: TemplateValue]) -> Set<String> {
        Set(
            values.flatMap { name, value -> [String] in
                guard case .list(let items) = value, case .object(let item)? = items.first else {
                    return [name]
                }
                return [name] + names(item).map { "\(name).\($0)" }
            })
    }

    private static func digest() throws -> Digest {
        let id = try #require(ULID("01ARZ3NDEKTSV4RRFFQ69G5FAV"))
        let marker = Marker(id: id, offset: .zero, createdAt: nil, tags: ["highlight", "fix-review"])
        let note = VoiceNote(
            id: id, createdAt: nil, mediaPath: "media/a.m4a", offset: .zero, duration: .zero, transcript: nil,
            markerID: nil)
        let rule = try #require(Rule.named("tag-malformed"))
        var session = Session()
        session.startTime = Timestamp(milliseconds: 0)
        return Digest(
            session: session, markers: [marker], voiceNotes: [note],
            actions: [ActionRun(id: id, action: "a", createdAt: nil, status: .failed)],
            findings: [Finding(rule, at: Finding.Place(file: "markers.jsonl"), "x")])
    }

    @Test func `every value of a session is documented, and no other`() throws {
        #expect(try Self.documented("Values of a session") == Self.names(Self.digest().templateValues))
    }

    @Test func `every value of several sessions is documented, and no other`() throws {
        let practice = CombinedDigest([.init(try Self.digest(), path: "a")])
        let names = Self.names(practice.templateValues).filter {
            !$0.hasPrefix("sessions.") || $0 == "sessions.path"
        }
        #expect(try Self.documented("Values of several sessions") == names)
    }
}
