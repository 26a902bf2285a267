import Foundation
import TestSupport
import Testing

/// Entries that are written by hand.
struct QueueCheckTests {
    let scratch: Scratch
    private static let id = "01KH6Z79RYNRTV7HECT4EZEFYS"
    private static let session = "01KH6Y2ENP8CHDTMR3J01NAY2F"

    init() throws { scratch = try Scratch() }

    private static func entry(_ change: (String) -> String = { $0 }) -> String {
        change(
            """
            {"id":"\(id)","kind":"marker","session_id":"\(session)","created_at":"2026-02-11T18:25:39.614Z",
             "payload":{"id":"\(id)","offset_ms":5000,"created_at":"2026-02-11T18:25:39.614Z","source":"user"}}
            """)
    }

    private func check(_ text: String, as name: String = "\(id).json", _ more: String...) throws -> Outcome {
        try scratch.write(text, to: name)
        return try scratch.trace(["queue", "check", name] + more)
    }

    private static let waits = "its session \(session) was not found; it waits until it is"

    @Test func `an entry that is right is told so, and that its session is not here`() throws {
        #expect(
            try check(Self.entry())
                == Outcome(
                    "ok: \(Self.id).json (marker for session \(Self.session))\n",
                    errors: "warning: \(Self.id).json: \(Self.waits)\n"))
        try scratch.copySample()
        #expect(
            try scratch.shell("\"$TRACE\" queue check - < \(Self.id).json")
                == Outcome("ok: standard input (marker for session \(Self.session))\n"))
    }

    @Test(
        arguments: [
            (
                #""kind":"marker""#, #""kind":"song""#, "kind 'song' is malformed",
                EntryKinds.cure
            ),
            (#""kind":"marker","#, "", "kind is missing", EntryKinds.cure),
            (session, "01L", "session_id '01L' is malformed", "write the id from session.json"),
            (
                "\"2026-02-11T18:25:39.614Z\",\n", "\"yesterday\",\n", "created_at 'yesterday' is malformed",
                "write a time such as 2026-02-04T20:01:00.000Z"
            ),
            (
                "\"payload\"", "\"load\"", "payload is missing",
                "put the record there, as the line to write into the session"
            ),
            (
                #"{"id":"01KH6Z79RYNRTV7HECT4EZEFYS","k"#, #"{"id":"01KH6Z79RYNRTV7HECT4EZEFYT","k"#,
                "the entry has the id 01KH6Z79RYNRTV7HECT4EZEFYT, and its file's name \(id)",
                "name the file 01KH6Z79RYNRTV7HECT4EZEFYT.json, or give it that id"
            ),
            (
                #""payload":{"id":"01KH6Z79RYNRTV7HECT4EZEFYS""#,
                #""payload":{"id":"01KH6Z79RYNRTV7HECT4EZEFYT""#,
                "the payload has another id",
                "give entry, payload and file name one id, which no other record has"
            ),
            (",\"source\":\"user\"", "", "payload: source is missing [key-missing]", nil),
            ("}}", "}", "byte 274: an object is not closed", nil),
        ] as [(String, String, String, String?)])
    func `what is wrong is told with its cure`(old: String, new: String, message: String, hint: String?)
        throws
    {
        let outcome = try check(Self.entry { $0.replacing(old, with: new) })
        #expect(outcome.status == 65 && outcome.output == "")
        if message.hasPrefix("byte") {
            #expect(outcome.errors.hasPrefix("error: \(Self.id).json: "), "\(outcome)")
        } else {
            #expect(
                outcome.errors.hasPrefix("error: \(Self.id).json: \(message)\n  hint: \(hint ?? "")"),
                "\(outcome)")
        }
    }

    @Test func `the file's name is the id`() throws {
        #expect(
            try check(Self.entry(), as: "mine.json")
                == .failure(
                    65,
                    """
                    mine.json: 'mine.json' is not the name of an entry
                      hint: name the file \(Self.id).json
                    """))
    }

    @Test func `the audio is compared`() throws {
        try scratch.copyQueue()
        let name = "01KH6Z79RYNRTV7HECT4EZEFYS"
        try scratch.copySample()
        #expect(
            try scratch.trace("queue", "check", "state/queue/\(name).json")
                == Outcome("ok: \(name).json (voice_note for session \(Self.session))\n"))
        try scratch.write("other", to: "state/queue/\(name).m4a")
        #expect(
            try scratch.trace("queue", "check", "state/queue/\(name).json")
                == .failure(
                    65,
                    """
                    \(name).json: its audio '\(name).m4a' is not the file that attachment describes
                      hint: write "size":5 and "sha256":"d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"
                    """))
        try scratch.remove("state/queue/\(name).m4a")
        #expect(
            try scratch.trace("queue", "check", "state/queue/\(name).json").errors.contains(
                "put it next to the entry"))
    }

    /// The page is enough to write an entry by hand: what stands there is right.
    @Test func `the examples of the page are entries, and the schema takes them`() throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "docs/queue.md"), encoding: .utf8)
        let examples = page.split(separator: "```json\n").dropFirst().compactMap {
            $0.split(separator: "```").first
        }
        .map(String.init).filter { $0.contains("\"payload\"") && !$0.contains("\"wall_time\"") }
        let ofSessions = examples.filter { $0.contains("\"session_id\"") }
        #expect(ofSessions.count == 3)
        try scratch.write(try scratch.trace("schema", "queue-entry").output, to: "schema.json")
        for example in examples {
            let id = try #require(example.firstMatch(of: /"id": "([0-9A-Z]{26})"/)).output.1
            try scratch.write(example, to: "\(id).json")
            let outcome = try scratch.trace("queue", "check", "\(id).json", "-q")
            if example.contains("voice_note") {
                #expect(outcome.errors.contains("its audio '\(id).m4a' can't be read"), "\(outcome)")
            } else {
                #expect(outcome.output.hasPrefix("ok: "), "\(outcome)")
            }
        }
        for example in ofSessions { #expect(try schemaErrors(example) == "") }
    }

    @Test(arguments: [
        (#""kind":"marker""#, #""kind":"song""#), (",\"source\":\"user\"", ""),
        (#""kind":"marker""#, #""kind":"voice_note""#),
        ("\"offset_ms\":5000", "\"offset_ms\":-1"), (session, "01L"),
    ])
    func `what the drain would refuse, the schema refuses`(old: String, new: String) throws {
        try scratch.write(try scratch.trace("schema", "queue-entry").output, to: "schema.json")
        #expect(try schemaErrors(Self.entry()) == "")
        #expect(try schemaErrors(Self.entry { $0.replacing(old, with: new) }) != "")
    }

    /// What a validator says that knows nothing of this project.
    private func schemaErrors(_ text: String) throws -> String {
        try scratch.write(text, to: "instance.json")
        let outcome = try scratch.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import json, sys, jsonschema
                schema, instance = (json.load(open(name)) for name in sys.argv[1:])
                jsonschema.Draft202012Validator.check_schema(schema)
                for error in jsonschema.Draft202012Validator(schema).iter_errors(instance): print(error.message)
                """, "schema.json", "instance.json",
            ])
        #expect(outcome.errors == "" && outcome.status == 0, "\(outcome)")
        return outcome.output
    }
}
