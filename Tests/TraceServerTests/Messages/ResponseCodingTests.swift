import HTTPTypes
import NIOCore
import Testing

@testable import TraceServer

/// Which answers are compressed, and under which tags a client may have them.
struct ResponseCodingTests {
    private static func request(
        _ method: HTTPRequest.Method = .get, _ fields: HTTPFields = [.acceptEncoding: "gzip"]
    ) -> HTTPRequest {
        HTTPRequest(method: method, scheme: nil, authority: "localhost", path: "/", headerFields: fields)
    }

    private static func answer(
        _ type: String = "application/json", length: Int = 2000, _ fields: HTTPFields = [:]
    ) -> Response {
        var answer = Response(.ok, type, [UInt8](repeating: 0x20, count: length))
        for field in fields { answer.fields.append(field) }
        return answer
    }

    private static func isCompressed(_ answer: Response) -> Bool { answer.fields[.contentEncoding] == "gzip" }

    @Test(arguments: [
        ("application/json", true), ("Application/JSON; charset=utf-8", true), ("application/jsonl", true),
        ("application/problem+json", true), ("application/sarif+json", true), ("text/markdown", true),
        ("text/html; charset=utf-8", true), ("text/vtt", true), ("text/css", true), ("text/javascript", true),
        ("application/rss+xml", true), ("application/xml", true), ("image/svg+xml", true),
        ("text/event-stream", false), ("audio/mp4", false), ("video/webm", false), ("image/png", false),
        ("application/octet-stream", false), ("application/zip", false), ("application/jsonish", false),
        ("", false),
    ])
    func `text is compressed, and nothing else is`(type: String, expected: Bool) {
        #expect(ContentCoding.compresses(type) == expected)
        #expect(Self.isCompressed(Self.answer(type).encoded(for: Self.request())) == expected)
    }

    @Test func `short texts, ranges and what is encoded already are left as they are`() {
        let request = Self.request()
        #expect(!Self.isCompressed(Self.answer(length: 1023).encoded(for: request)))
        #expect(Self.isCompressed(Self.answer(length: 1024).encoded(for: request)))
        #expect(!Self.isCompressed(Self.answer(length: 2000, [.acceptRanges: "bytes"]).encoded(for: request)))
        #expect(Self.answer(length: 2000, [.contentEncoding: "br"]).encoded(for: request).body.length == 2000)
        var part = Self.answer()
        part.status = .partialContent
        #expect(!Self.isCompressed(part.encoded(for: request)))
        #expect(!Self.isCompressed(Self.answer().encoded(for: Self.request(.get, [:]))))
        #expect(!Self.isCompressed(Self.answer().encoded(for: Self.request(.get, [.acceptEncoding: "br"]))))
    }

    @Test func `what is compressed to be read has a tag of its own, what was written has the tag of that`() {
        let tagged = Self.answer(length: 2000, [.eTag: "\"ab\""])
        for method in [HTTPRequest.Method.get, .head] {
            #expect(tagged.encoded(for: Self.request(method)).fields[.eTag] == "\"ab-gz\"")
        }
        #expect(tagged.encoded(for: Self.request(.patch)).fields[.eTag] == "\"ab\"")
        #expect(
            Self.answer(length: 9, [.eTag: "\"ab\""]).encoded(for: Self.request()).fields[.eTag] == "\"ab\"")
    }

    @Test(
        arguments: [
            (["gzip"], "\"ab\"", "\"ab\""), (["gzip"], "\"ab-gz\"", "\"ab-gz\""),
            (["gzip"], "W/\"ab-gz\"", "\"ab-gz\""), ([], "\"ab\"", "\"ab\""), ([], "\"x\", \"ab\"", "\"ab\""),
            (["gzip"], "*", "\"ab\""), ([], "\"ab-gz\"", "\"ab-gz\""), (["gzip"], "\"ac\"", nil),
            (["gzip"], "ab", nil), ([], "W/\"ab-gz\"", "\"ab-gz\""), ([], "\"ac-gz\"", nil),
            ([], "*", "\"ab\""),
            (["gzip;q=0.5, identity"], "\"ab-gz\"", "\"ab-gz\""), (["*"], "\"ab-gz\"", "\"ab-gz\""),
            ([""], "\"ab-gz\"", nil), (["identity"], "\"ab-gz\"", nil), (["br"], "\"ab-gz\"", nil),
            (["gzip;q=0"], "\"ab-gz\"", nil), (["gzip;q=0, *"], "\"ab-gz\"", nil),
            (["gzip;q=0"], "\"ab\"", "\"ab\""),
        ] as [([String], String, String?)])
    func `a client that takes compressed answers, or does not say, may have either`(
        codings: [String], names: String, expected: String?
    ) {
        var fields: HTTPFields = [.ifNoneMatch: names]
        fields[values: .acceptEncoding] = codings
        let outcome = KnownTags(.get, fields).outcome(for: EntityTag(hash: [0xAB]))
        #expect(outcome == expected.flatMap(EntityTag.init).map { .known($0) })
    }

    @Test func `If-Match of either coding is met, and of no other`() {
        func outcome(_ names: String, _ coding: String? = nil) -> KnownTags.Outcome? {
            var fields: HTTPFields = [.ifMatch: names]
            fields[.acceptEncoding] = coding
            return KnownTags(.get, fields).outcome(for: EntityTag(hash: [0xAB]))
        }
        for coding in ["gzip", nil] {
            #expect(outcome("\"ab\"", coding) == nil && outcome("\"ab-gz\"", coding) == nil)
            #expect(outcome("\"ac\"", coding) == .refused)
        }
        #expect(outcome("\"ab-gz\"", "identity") == .refused)
    }

    @Test func `answers are kept by their tags, up to a limit, those asked for last longest`() throws {
        let cache = ResponseCache(byteLimit: 8000)
        func tag(_ number: UInt8) -> EntityTag { EntityTag(hash: [number]) }
        for number in 0..<8 as Range<UInt8> {
            _ = cache.keep(Self.answer(length: 1000), tag(number))
        }
        #expect(cache.contents == (8, 8000))
        #expect(cache[tag(0)] != nil)
        _ = cache.keep(Self.answer(length: 1000), tag(8))
        #expect(cache[tag(0)] != nil && cache[tag(1)] == nil && cache[tag(8)] != nil)
        #expect(cache.contents == (8, 8000))
        // A weak tag names no bytes, and what is long would take the place of all others.
        _ = cache.keep(Self.answer(length: 10), EntityTag(hash: [9], isWeak: true))
        _ = cache.keep(Self.answer(length: 1001), tag(10))
        #expect(cache[EntityTag(hash: [9], isWeak: true)] == nil && cache[tag(10)] == nil)
        // The same tag again takes no more.
        _ = cache.keep(Self.answer(length: 1000), tag(8))
        #expect(cache.contents == (8, 8000))
    }

    @Test func `a kept answer is compressed once`() throws {
        let cache = ResponseCache()
        let tag = EntityTag(hash: [1])
        _ = cache.keep(Self.answer(length: 5000), tag)
        let kept = try #require(cache[tag])
        let first = kept.encoded(for: Self.request())
        var count = 0
        let again = kept.compressed?.bytes {
            count += 1
            return nil
        }
        #expect(count == 0)
        guard case .bytes(let bytes) = first.body else {
            Issue.record("it has no bytes")
            return
        }
        #expect(bytes == again)
    }
}
