import Foundation
import Testing

struct SchemaTests {
    let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let kinds = ["session", "timeline", "marker", "voice_note", "transcript", "action"]

    private func object(_ outcome: Outcome) throws -> [String: Any] {
        #expect(outcome.status == 0 && outcome.errors.isEmpty)
        return try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    }

    @Test(arguments: kinds) func `the schema of a kind is printed, for people and on one line`(kind: String)
        throws
    {
        let pretty = try scratch.trace("schema", kind)
        #expect(
            pretty.output.hasPrefix("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"))
        let compact = try scratch.trace("schema", kind, "--json")
        #expect(compact.output.split(separator: "\n").count == 1)
        let document = try object(pretty)
        #expect(try NSDictionary(dictionary: document) == NSDictionary(dictionary: object(compact)))
        #expect(document["$id"] as? String == "urn:trace:schema:\(kind)")
    }

    @Test func `all schemas stand under their kinds`() throws {
        let all = try object(scratch.trace("schema", "--all"))
        #expect(Set(all.keys) == Set(Self.kinds))
    }

    @Test func `without a kind the kinds are listed`() throws {
        #expect(
            try scratch.trace("schema")
                == Outcome(
                    """
                    session\tsession.json\turn:trace:schema:session
                    timeline\ttimeline.jsonl\turn:trace:schema:timeline
                    marker\tmarkers.jsonl\turn:trace:schema:marker
                    voice_note\tvoice_notes.jsonl\turn:trace:schema:voice_note
                    transcript\ttranscript.jsonl\turn:trace:schema:transcript
                    action\tactions.jsonl\turn:trace:schema:action
                    queue-entry\t<id>.json\turn:trace:schema:queue-entry

                    """))
    }

    @Test func `an unknown kind is an error that names the kinds`() throws {
        let outcome = try scratch.trace("schema", "markers")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("'markers' is not one of 'session', 'timeline', 'marker', "))
    }

    @Test func `a kind and all of them exclude each other`() throws {
        let outcome = try scratch.trace("schema", "marker", "--all")
        #expect(outcome.status == 64)
        #expect(outcome.errors.hasPrefix("error: --all prints every kind; leave 'marker' out"))
    }
}
