import Testing

@testable import TraceServer

struct EntityTagTests {
    @Test func `a tag of ours is a hash in hexadecimal`() {
        #expect(EntityTag(hash: [0x00, 0x5F, 0xA0]).description == "\"005fa0\"")
        #expect(EntityTag(hash: [0xFF], isWeak: true).description == "W/\"ff\"")
    }

    @Test(arguments: [
        ("\"\"", "", false), ("\"a\"", "a", false), ("W/\"a\"", "a", true), (" \"a\"\t", "a", false),
        ("\"a,b;c\\\"", "a,b;c\\", false), ("\"é\"", "é", false), ("\"!#~\"", "!#~", false),
    ])
    func `a tag is read`(text: String, opaque: String, isWeak: Bool) throws {
        let tag = try #require(EntityTag(text))
        #expect(tag.opaque == Array(opaque.utf8) && tag.isWeak == isWeak)
    }

    @Test(arguments: [
        "", "a", "\"a", "a\"", "\"a b\"", "\"a\"b", "w/\"a\"", "W\"a\"", "W/a", "\"a\"\"", "\"\u{7F}\"",
        "'a'",
    ])
    func `what is not one tag is none`(text: String) {
        #expect(EntityTag(text) == nil)
    }

    @Test func `gzip has a tag of its own, from which that of the bytes as they are follows`() {
        let tag = EntityTag(hash: [0xAB], isWeak: true)
        #expect(tag.gzipped.description == "W/\"ab-gz\"")
        #expect(tag.gzipped.gzipped == tag.gzipped)
        #expect(tag.gzipped.identity == tag && tag.identity == tag)
        #expect(!tag.gzipped.matchesWeakly(tag))
    }

    @Test(arguments: [
        ("\"1\"", "\"1\"", true, true), ("W/\"1\"", "\"1\"", false, true),
        ("W/\"1\"", "W/\"1\"", false, true),
        ("W/\"1\"", "W/\"2\"", false, false), ("\"1\"", "\"2\"", false, false),
    ])
    func `tags are compared as RFC 9110 has it`(one: String, other: String, isStrong: Bool, isWeak: Bool)
        throws
    {
        let (one, other) = (try #require(EntityTag(one)), try #require(EntityTag(other)))
        #expect(one.matchesStrongly(other) == isStrong && other.matchesStrongly(one) == isStrong)
        #expect(one.matchesWeakly(other) == isWeak && other.matchesWeakly(one) == isWeak)
    }
}
