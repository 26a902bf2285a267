import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Entries of the queue that change what is in a session, from devices.
struct ChangeEntriesTests {
    private let sample: ServedSample
    private static let session = ServedSample.activeID

    init() throws { sample = try ServedSample() }

    private func entry(_ id: Int, _ kind: String, _ payload: String, session: String = Self.session) -> String
    {
        #"{"id":"\#(number(id))","kind":"\#(kind)","session_id":"\#(session)","created_at":"2026-03-02T08:30:00.000Z","payload":\#(payload)}"#
    }

    private func send(
        _ id: Int, _ kind: String, _ payload: String, token: String? = nil, session: String = Self.session
    ) throws -> WireAnswer {
        try sample.ask(
            "PUT", "/queue/\(number(id))", token: token, json: entry(id, kind, payload, session: session))
    }

    private func mark(_ id: Int, token: String) throws {
        let answer = try sample.ask(
            "PUT", ServedSample.markerPath(number(id), in: Self.session), token: token,
            json: ServedSample.marker())
        #expect(answer.isWritten, "\(answer)")
    }

    @Test func `an edit is written once, and one of what was changed meanwhile has both values`() throws {
        try mark(1, token: sample.token)
        let record = #""record_id":"\#(number(1))""#
        let payload = #"{\#(record),"set":{"label":"mine","note":"n"},"was":{"label":"from afar"}}"#
        let first = try send(300, "marker.edit", payload)
        #expect(first.isWritten, "\(first)")
        #expect((first.object["record"] as? [String: Any])?["label"] as? String == "mine")
        #expect(try send(300, "marker.edit", payload).object["result"] as? String == "already-applied")
        let other = #"{\#(record),"set":{"label":"theirs","tags":["x"]},"was":{"label":"from afar"}}"#
        let refused = try send(301, "marker.edit", other)
        #expect(refused.status == 409 && refused.code == "changed-meanwhile", "\(refused)")
        #expect(
            refused.text.contains(
                #""conflicts":[{"member":"label","was":"from afar","now":"mine","set":"theirs"}]"#),
            "\(refused)")
        let batch = try sample.ask(
            "POST", "/queue", [("Content-Type", "application/jsonl")],
            json: entry(302, "marker.edit", other) + "\n" + entry(303, "marker.remove", "{\(record)}") + "\n")
        let lines = batch.text.split(separator: "\n")
        #expect(lines.first?.contains(#""result":"changed-meanwhile""#) == true, "\(batch)")
        #expect(lines.first?.contains(#""now":"mine""#) == true)
        #expect(lines.last?.contains(#""result":"applied""#) == true, "\(batch)")
        #expect(
            try sample.ask("GET", ServedSample.markerPath(number(1), in: Self.session)).status == 404)
        #expect(
            try sample.ask("GET", "/queue?all=true").rows.count {
                $0["state"] as? String == "changed-meanwhile"
            } == 0)
    }

    @Test func `with scope mark a person changes what their devices have sent`() throws {
        let ann = try sample.newToken("--scope", "mark", "--person", "ann")
        let tablet = try sample.newToken("--scope", "mark", "--person", "ann")
        let ben = try sample.newToken("--scope", "mark", "--person", "ben")
        try mark(1, token: ann)
        let payload = #"{"record_id":"\#(number(1))","set":{"note":"n"},"was":{}}"#
        #expect(try send(310, "marker.edit", payload, token: ben).code == "not-yours")
        let batch = try sample.ask(
            "POST", "/queue", [("Content-Type", "application/jsonl")], token: ben,
            json: entry(310, "marker.edit", payload) + "\n")
        #expect(batch.text.contains(#""code":"not-yours""#), "\(batch)")
        #expect(try send(311, "marker.edit", payload, token: tablet).isWritten)
        let read = try sample.newToken("--scope", "read")
        #expect(try send(312, "marker.edit", payload, token: read).code == "scope-insufficient")
        #expect(
            try send(313, "marker.remove", #"{"record_id":"\#(number(1))"}"#, token: ben).code == "not-yours")
        #expect(try send(314, "marker.remove", #"{"record_id":"\#(number(1))"}"#, token: ann).isWritten)
    }

    @Test
    func `a session begins, is paused, renamed and ended by entries, in the moments when they were made`()
        throws
    {
        let token = try sample.newToken("--scope", "mark", "--person", "ann")
        let id = number(320)
        #expect(try send(321, "session.start", #"{"title":"Monday"}"#, token: token, session: id).isWritten)
        #expect(
            try send(321, "session.start", #"{"title":"Monday"}"#, token: token, session: id).status == 200)
        for (number, kind, payload) in [
            (322, "session.pause", #"{"at":"2026-03-02T08:40:00.000Z"}"#),
            (323, "session.resume", #"{"at":"2026-03-02T08:45:00.000Z"}"#),
            (324, "session.edit", #"{"set":{"title":"Tuesday"},"was":{"title":"Monday"}}"#),
            (325, "session.close", #"{"at":"2026-03-02T09:00:00.000Z"}"#),
        ] {
            let answer = try send(number, kind, payload, token: token, session: id)
            #expect(answer.isWritten, "\(answer)")
        }
        let session = try sample.ask("GET", "/sessions/\(id)").object
        #expect(session["title"] as? String == "Tuesday", "\(session)")
        #expect(session["start_time"] as? String == "2026-03-02T08:30:00.000Z")
        #expect(session["duration_ms"] as? Int == 1_500_000)
        let late = try send(
            326, "session.close", #"{"at":"2026-03-02T09:10:00.000Z"}"#, token: token, session: id)
        #expect(late.code == "changed-meanwhile" && late.text.contains(#""member":"end_time""#), "\(late)")
        let wrong = try send(327, "session.pause", #"{"when":1}"#, token: token, session: id)
        #expect(wrong.status == 422 && wrong.code == "rejected", "\(wrong)")
    }
}
