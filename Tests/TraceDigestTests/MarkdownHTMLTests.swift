import FormatHarness
import Testing
import TraceFormat

@testable import TraceDigest

struct MarkdownHTMLTests {
    private static func page(_ blocks: [MarkdownBlock], base: String? = "") -> String {
        var session = RecordSample.session(length: 900_000)
        session.media = [DigestSample.audio("media/r.m4a", start: 1000, length: 800_000)]
        var media = PageMedia(base: base, present: ["media/r.m4a"])
        media.base = base
        let audio = PageAudio(of: session, in: media)
        return MarkdownHTML(audio: audio, base: base).html(MarkdownTree(blocks)).text
    }

    private func html(_ words: MarkdownInline...) -> String {
        let html = Self.page([.paragraph(words)])
        return String(html.dropFirst("<p dir=\"auto\">".count).dropLast("</p>\n".count))
    }

    @Test func `a tree becomes HTML`() {
        let html = Self.page([
            .heading(level: 1, [.text("One")]), .heading(level: 6, [.text("Six")]),
            .quote([.paragraph([.emphasis([.text("a")]), .softBreak, .strong([.text("b")]), .lineBreak])]),
            .code("x < y\n"), .rule,
            .list(MarkdownList(start: 3, isTight: false, items: [.init([.paragraph([.text("c")])])])),
            .list(
                MarkdownList(
                    start: nil, isTight: true,
                    items: [.init([.paragraph([.text("[ ] d")])]), .init([.paragraph([.text("[x] e")])])])),
        ])
        #expect(
            html == """
                <h3 dir="auto">One</h3>
                <h6 dir="auto">Six</h6>
                <blockquote>
                <p dir="auto"><em>a</em>
                <strong>b</strong><br>
                </p>
                </blockquote>
                <pre><code>x &lt; y
                </code></pre>
                <hr>
                <ol start="3">
                <li dir="auto"><p dir="auto">c</p>
                </li>
                </ol>
                <ul>
                <li class="task" dir="auto"><input type="checkbox" disabled> d
                </li>
                <li class="task" dir="auto"><input type="checkbox" disabled checked> e
                </li>
                </ul>

                """)
    }

    @Test func `a table has a side for each column, and what is struck out is marked`() {
        let html = Self.page([
            .table(
                MarkdownTable(
                    sides: [nil, .left, .middle, .right],
                    header: [[.text("a")], [.text("<b>")], [], []],
                    rows: [[[.strikethrough([.text("c")])], [], [], [.text("2:00")]]]))
        ])
        #expect(
            html == """
                <table>
                <thead>
                <tr><th dir="auto">a</th><th class="left" dir="auto">&lt;b&gt;</th>\
                <th class="middle" dir="auto"></th><th class="right" dir="auto"></th></tr>
                </thead>
                <tbody>
                <tr><td dir="auto"><del>c</del></td><td class="left" dir="auto"></td><td class="middle" dir="auto"></td>\
                <td class="right" dir="auto"><a class="t" href="media/r.m4a#t=119">2:00</a></td></tr>
                </tbody>
                </table>

                """)
    }

    @Test(arguments: [
        ("http://a.example/?b=\"c", "http://a.example/?b=&quot;c"),
        ("HTTPS://a.example", "HTTPS://a.example"),
        ("mailto:ann@a.example", "mailto:ann@a.example"), ("#t=90", "#t=90"),
        ("media/a%20b.m4a", "x/media/a%20b.m4a"), ("a/b:c", "x/a/b:c"),
        ("javascript:alert(1)", nil), ("JavaScript:alert(1)", nil), ("java\nscript:alert(1)", nil),
        ("\u{1}javascript:alert(1)", nil), (" javascript:alert(1)", nil), ("vbscript:x", nil),
        ("data:text/html,x", nil),
        ("file:///etc/passwd", nil), ("//a.example", nil), ("/etc/passwd", nil), ("\\\\a\\b", nil), ("", nil),
        ("x:y", nil),
    ])
    func `a link leads to the web, to mail and into the session, and nowhere else`(
        target: String, url: String?
    ) {
        let words = MarkdownInline.text("w")
        for link in [MarkdownInline.link(target: target, [words]), .image(target: target, [words])] {
            let html = Self.page([.paragraph([link])], base: "x/")
            let expected = url.map { "<a href=\"\($0)\" rel=\"noopener noreferrer\">w</a>" } ?? "w"
            #expect(html == "<p dir=\"auto\">\(expected)</p>\n")
        }
    }

    @Test func `HTML is shown as it was typed, but for comments`() {
        #expect(
            html(.text("<script>"), .html("<b onclick=x>"), .code("</p>"))
                == "&lt;script&gt;&lt;b onclick=x&gt;<code>&lt;/p&gt;</code>")
        #expect(html(.html("<!-- mine -->"), .text("x")) == "x")
        #expect(Self.page([.html("<!-- trace:begin digest v1 -->\n")]) == "")
        #expect(
            Self.page([.html("<!-- a --><img src=x>")])
                == "<pre><code>&lt;!-- a --&gt;&lt;img src=x&gt;</code></pre>\n")
    }

    @Test(arguments: [
        ("at 2:00 and 1:30.5.", ["2:00", "1:30.5"]), ("(12:34)", ["12:34"]), ("0:00:01", ["0:00:01"]),
        ("from 1:00–2:00", ["1:00", "2:00"]),
        // None of these is a place in a session.
        ("2026-02-04T20:15:00Z", []), ("1:2:3:4", []), ("12:60", []), ("a1:30", []), ("1:30h", []),
        ("3:1.2.3", []),
        ("20.15", []), (":30", []), ("1:", []), ("", []),
    ])
    func `times are found where they stand alone`(text: String, times: [String]) {
        #expect(TimesInText.times(in: text).map { String(text[$0.range]) } == times)
    }

    @Test func `times lead into the audio where that has them, and not within links and code`() {
        let link = "<a class=\"t\" href=\"media/r.m4a#t=119\">2:00</a>"
        #expect(html(.text("at 2:00!")) == "at \(link)!")
        #expect(html(.strong([.text("2:00")])) == "<strong>\(link)</strong>")
        // Before the audio begins, and behind its end.
        #expect(html(.text("0:00, 13:22")) == "0:00, 13:22")
        #expect(html(.code("2:00")) == "<code>2:00</code>")
        #expect(html(.link(target: "http://a", [.text("2:00")])).contains(">2:00</a>"))
    }
}
