import FormatHarness
import RecordFormat
import Testing
import TraceFormat
import TraceStore
import TraceText

@testable import TraceDigest

@Suite struct `Digest as HTML` {
    /// The tags of a page in their order, with the names of their attributes.
    private static func tags(_ page: String) -> [String] {
        page.matches(of: /<(\/?[a-z!][^\s>]*)((?:\s+[^\s=>]+(?:="[^"]*")?)*)\s*\/?>/.ignoresCase()).map {
            match in
            let names = match.output.2.matches(of: /\s([^\s=]+)(?:="[^"]*")?/).map { String($0.output.1) }
            return ([String(match.output.1)] + names).joined(separator: " ")
        }
    }

    private static func page(_ text: String) throws -> String {
        var session = RecordSample.session(title: text, length: 900_000)
        session.media = [DigestSample.audio("media/\(text)review.m4a")]
        let marker = RecordSample.marker(
            1, at: 5000, text, note: text, tags: ["highlight", text], voiceNote: 1)
        let place = Finding.Place(file: text, line: 1)
        let digest = Digest(
            session: session,
            markers: [marker, RecordSample.marker(2, at: 6000, text, tags: ["fix-review", text])],
            voiceNotes: [RecordSample.voiceNote(1, at: 1000, text)],
            actions: [RecordSample.action(1, text, .failed, error: text)],
            findings: [try Finding(#require(Rule.named("tag-malformed")), at: place, text)])
        return digest.html(
            DigestSample.media(of: digest),
            words: .tree(
                MarkdownTree([.paragraph([.text(text), .code(text), .html(text)]), .code(text), .html(text)]))
        )
    }

    @Test(arguments: `Hostile text in a digest`.texts.filter { !SingleLine.isBlank($0) })
    func `no text of a user becomes a tag or an attribute`(text: String) throws {
        // What is a comment in Markdown is not shown.
        let plain = text.hasPrefix("<!--") ? "<!-- plain -->" : "plain"
        #expect(try Self.tags(Self.page(text)) == Self.tags(Self.page(plain)))
    }

    @Test func `a time leads to where the audio plays it, and to nothing where it does not`() throws {
        var session = RecordSample.session(length: 900_000)
        session.media = [DigestSample.audio("media/a review.m4a", start: 1700, length: 800_000)]
        let markers = [1000, 1700, 754_250, 801_700, 801_701].enumerated().map {
            RecordSample.marker($0, at: Int64($1), "at \($1)")
        }
        let page = Digest(session: session, markers: markers).html(
            PageMedia(base: "x/", present: ["media/a review.m4a"]))
        #expect(page.contains("<audio controls preload=\"metadata\" src=\"x/media/a%20review.m4a\"></audio>"))
        for (time, clock) in [("0", "0:01"), ("752.550", "12:34"), ("800", "13:21")] {
            #expect(
                page.contains("<a class=\"t time\" href=\"x/media/a%20review.m4a#t=\(time)\">\(clock)</a>"),
                "\(time)")
        }
        #expect(
            page.contains("<span class=\"time\">0:01</span> <div><span class=\"name\"><bdi>at 1000</bdi>"))
        #expect(
            page.contains("<span class=\"time\">13:21</span> <div><span class=\"name\"><bdi>at 801701</bdi>"))
    }

    @Test func `without its audio a page has neither player nor links`() throws {
        var session = RecordSample.session()
        session.media = [DigestSample.audio("media/review.m4a")]
        let page = Digest(session: session, markers: DigestSample.markers).html(PageMedia())
        #expect(!page.contains("<audio"))
        #expect(!page.contains("href="))
        #expect(page.contains("<rect class=\"cell\""))
    }

    @Test func `a page allows its own style and script alone, and nothing of the network`() throws {
        let page = try DigestSample.full().html(PageMedia())
        #expect(page.contains("content=\"default-src &#39;none&#39;; style-src &#39;sha256-"))
        #expect(page.matches(of: /<script/).count == 1)
        #expect(!page.contains("http:"))
        #expect(!page.contains("https:"))
        #expect(!page.contains(" style=\""))
    }

    @Test func `numbers at the end of their range are no trap`() {
        for length in [nil, 0, 1, Int64.max] {
            var session = RecordSample.session(length: length)
            session.media = [DigestSample.audio("media/a.m4a", start: .max, length: .max)]
            let far = [RecordSample.marker(1, at: .max, duration: .max), RecordSample.marker(2, at: 0)]
            let digest = Digest(session: session, markers: far)
            #expect(digest.html(DigestSample.media(of: digest)).contains("Markers <b>2</b>"))
            #expect(CombinedDigest([.init(digest, path: "a")]).html().contains("Markers <b>2</b>"))
        }
    }

    @Test(arguments: [
        ("media/a.m4a", "media/a.m4a"), ("ä b", "%C3%A4%20b"), ("a?b#c%", "a%3Fb%23c%25"),
        ("\"'<>", "%22%27%3C%3E"),
        ("a:b", "a%3Ab"), ("\n", "%0A"),
    ])
    func `a path becomes a URL`(path: String, url: String) {
        #expect(PageMedia.encoded(path.utf8) == url)
    }
}
