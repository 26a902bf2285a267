import FileHarness
import FormatHarness
import Foundation
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat

@testable import TraceDigest

/// What a person wrote, as a tree for pages that are made elsewhere.
struct HandwrittenJSONTests {
    /// The blocks as JSON, with the members in the order of their names.
    private func blocks(_ markdown: String) throws -> String {
        let scratch = try ScratchDirectory()
        let sample = try SampleSession(at: scratch("session"))
        try sample("digest.md").write(markdown)
        var session = RecordSample.session(length: 900_000)
        session.media = [DigestSample.audio("media/r.m4a", start: 1000, length: 800_000)]
        let words = try #require(try HandwrittenDigest(in: OpenDirectory(sample.path)))
        let json = Data(words.json(for: session).bytes)
        let object = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
        #expect(Set(object.keys) == ["blocks"])
        let blocks = try JSONSerialization.data(
            withJSONObject: try #require(object["blocks"]), options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: blocks, as: UTF8.self)
    }

    private func inlines(_ markdown: String) throws -> String {
        let text = try blocks(markdown)
        try #require(text.hasPrefix(#"[{"inlines":"#) && text.hasSuffix(#","type":"paragraph"}]"#), "\(text)")
        return String(text.dropFirst(#"[{"inlines":"#.count).dropLast(#","type":"paragraph"}]"#.count))
    }

    @Test(arguments: [
        ("# One\n", #"[{"inlines":[{"text":"One","type":"text"}],"level":1,"type":"heading"}]"#),
        ("a\nb\n", #"[{"inlines":[{"text":"a\nb","type":"text"}],"type":"paragraph"}]"#),
        (
            "> a\n",
            #"[{"blocks":[{"inlines":[{"text":"a","type":"text"}],"type":"paragraph"}],"type":"quote"}]"#
        ),
        ("    x < y\n", #"[{"text":"x < y\n","type":"code"}]"#),
        ("a\n\n***\n", #"[{"inlines":[{"text":"a","type":"text"}],"type":"paragraph"},{"type":"rule"}]"#),
        (
            "3. a\n4. b\n",
            #"[{"items":[[{"inlines":[{"text":"a","type":"text"}],"type":"paragraph"}],[{"inlines":[{"text":"b","type":"text"}],"type":"paragraph"}]],"ordered":true,"start":3,"type":"list"}]"#
        ),
        (
            "- [x] a\n",
            #"[{"items":[[{"inlines":[{"text":"[x] a","type":"text"}],"type":"paragraph"}]],"ordered":false,"type":"list"}]"#
        ),
        (
            "|a|b|\n|-|-|\n|c|\n",
            #"[{"header":[[{"text":"a","type":"text"}],[{"text":"b","type":"text"}]],"rows":[[[{"text":"c","type":"text"}],[]]],"type":"table"}]"#
        ),
    ])
    func `blocks become nodes`(markdown: String, json: String) throws {
        #expect(try blocks(markdown) == json)
    }

    @Test(arguments: [
        (
            "*a* **b** ~~c~~ `d`",
            #"[{"inlines":[{"text":"a","type":"text"}],"type":"emphasis"},{"text":" ","type":"text"},{"inlines":[{"text":"b","type":"text"}],"type":"strong"},{"text":" ","type":"text"},{"inlines":[{"text":"c","type":"text"}],"type":"strike"},{"text":" ","type":"text"},{"text":"d","type":"code"}]"#
        ),
        ("a  \nb", #"[{"text":"a","type":"text"},{"type":"break"},{"text":"b","type":"text"}]"#),
        (
            "[a *b*](https://c.d/?e=f#g)",
            #"[{"href":"https://c.d/?e=f#g","inlines":[{"text":"a ","type":"text"},{"inlines":[{"text":"b","type":"text"}],"type":"emphasis"}],"type":"link"}]"#
        ),
        (
            "![a](http://c.d/e.png)",
            #"[{"href":"http://c.d/e.png","inlines":[{"text":"a","type":"text"}],"type":"link"}]"#
        ),
        (
            "at 2:00 not 2:00:00 or `1:00`",
            #"[{"text":"at ","type":"text"},{"offset_ms":120000,"text":"2:00","type":"time"},{"text":" not 2:00:00 or ","type":"text"},{"text":"1:00","type":"code"}]"#
        ),
        (
            "[2:00](https://c.d)",
            #"[{"href":"https://c.d","inlines":[{"text":"2:00","type":"text"}],"type":"link"}]"#
        ),
    ])
    func `inlines become nodes`(markdown: String, json: String) throws {
        #expect(try inlines(markdown) == json)
    }

    @Test(arguments: [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd",
        "mailto:a@b.c", "//evil.example", "/api/v1", "#t=1", "media/r.m4a", "https:\\\\evil.example",
        "blob:x", "htt", "https:",
        "http:evil.example", "&#x6a;avascript:alert(1)", "%6aavascript:x",
    ])
    func `a link that does not lead to the web is its text alone`(target: String) throws {
        #expect(try inlines("[a](<\(target)>)") == #"[{"text":"a","type":"text"}]"#)
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <b onclick=x>b</b>",
        "<div>\nx\n</div>",
        "\"><svg onload=x>", "&lt;script&gt;", "]]>", "\u{202E}evil", "{{title}}",
    ])
    func `HTML and other markup is text`(markdown: String) throws {
        let json = try blocks("\(markdown)\n")
        let types = json.matches(of: #/"type":"([a-z]+)"/#).map { String($0.1) }
        #expect(Set(types).isSubset(of: ["paragraph", "text", "code"]), "\(json)")
    }

    @Test func `a comment is nothing`() throws {
        #expect(
            try blocks("<!-- a -->\n\nb <!-- c --> d\n")
                == #"[{"inlines":[{"text":"b  d","type":"text"}],"type":"paragraph"}]"#)
    }

    @Test(arguments: [
        String(repeating: "> ", count: 5000) + "a", String(repeating: "*a ", count: 5000),
        String(repeating: "- ", count: 5000) + "a", String(repeating: "[", count: 50_000),
        String(repeating: "**a *b ", count: 3000), String(repeating: "![", count: 10_000) + "a",
    ])
    func `however deep it is, the tree is not`(markdown: String) throws {
        let json = try blocks(markdown + "\n")
        var (depth, deepest) = (0, 0)
        for byte in json.utf8 {
            if byte == UInt8(ascii: "{") { depth += 1 } else if byte == UInt8(ascii: "}") { depth -= 1 }
            deepest = max(deepest, depth)
        }
        #expect(deepest <= MarkdownTree.depthLimit + 2)
    }
}
