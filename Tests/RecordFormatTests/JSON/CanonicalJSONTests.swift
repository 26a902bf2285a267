import RecordFormat
import Testing

/// The one spelling of what means the same.
struct CanonicalJSONTests {
    private static func canonical(_ text: String) -> String? {
        JSONText.canonical(Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(arguments: [
        (#"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#),
        (#" { "a" : [ 1 , { "z":null,"y":true } ] } "#, #"{"a":[1,{"y":true,"z":null}]}"#),
        (#"{"a":1,"a":2}"#, #"{"a":2}"#),
        (#"{"\u0061":"\u00e9\/"}"#, #"{"a":"é/"}"#),
        (#"[1.0,1e3,-0.0,1.5,150e-2,0.1]"#, #"[1,1000,0,1.5,1.5,0.1]"#),
        ("18446744073709551615", "18446744073709551615"),
        ("-9223372036854775808", "-9223372036854775808"),
        (#""line\nbreak""#, #""line\nbreak""#),
        // Two that differ in their normalisation only are two.
        ("{\"e\u{301}\":1,\"\u{e9}\":2}", "{\"e\u{301}\":1,\"\u{e9}\":2}"),
    ])
    func `order, white space, escapes and spellings of numbers leave no trace`(
        _ text: String, _ wanted: String
    )
        throws
    {
        let seen = try #require(Self.canonical(text))
        #expect(Array(seen.utf8) == Array(wanted.utf8), "\(seen)")
        #expect(Self.canonical(seen) == seen)
        #expect(JSONText.isEquivalent(Array(text.utf8), Array(seen.utf8)))
    }

    @Test(arguments: [
        (#"{"a":1}"#, #"{"a":"1"}"#), ("[1,2]", "[2,1]"), (#"{"a":null}"#, "{}"), ("true", "1"),
        ("1.5", "1.25"), (#"{"a":{}}"#, #"{"a":[]}"#), (#"["a","b"]"#, #"["a,b"]"#),
    ])
    func `what differs in its meaning is spelled differently`(_ one: String, _ other: String) {
        #expect(Self.canonical(one) != nil)
        #expect(Self.canonical(one) != Self.canonical(other))
    }

    @Test func `what is not JSON has none`() {
        for text in ["", "{", "nul", "{} {}"] { #expect(Self.canonical(text) == nil, "\(text)") }
    }
}
