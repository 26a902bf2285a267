import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What devices change: markers and transcripts that others may change too, requests for actions, positions, sessions.
struct ChangesOverTheWireTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    @Test func `of two changes at once one is made, and the other is told what the record is now`() throws {
        let noteID = "01KGN7V9R050HV73NN3GQ46B6M"
        let cases = [
            (path: ServedSample.markerPath(ServedSample.lateSetMarker), member: "label"),
            (path: "/sessions/\(ServedSample.lateSetID)/voice-notes/\(noteID)", member: "transcript_text"),
        ]
        let line = try #require(
            try sample.contents("voice_notes.jsonl", of: ServedSample.lateSet).split(separator: 0x0A).first)
        #expect(String(decoding: line, as: UTF8.self).contains(noteID))
        for (path, member) in cases {
            let json = { (words: String) in #"{"\#(member)":"\#(words)"}"# }
            #expect(try sample.ask("PATCH", path, json: json("none")).status == 428, "\(path)")
            let any = try sample.ask("PATCH", path, [("If-Match", "*")], json: json("any"))
            #expect(any.status == 400, "\(path): \(any)")
            #expect(any.code == "condition-too-wide")
            for wrong in ["\"other\"", "W/\"other\"", "x"] {
                let answer = try sample.ask("PATCH", path, [("If-Match", wrong)], json: json("wrong"))
                #expect(answer.status == 412, "\(path) \(wrong): \(answer)")
            }
        }
        let said = cases[1].path
        let noteTag = try #require(try sample.ask("GET", said)["etag"])
        let written = try sample.ask(
            "PATCH", said, [("If-Match", noteTag)], json: #"{"transcript_text":"as it was said"}"#)
        #expect(written.status == 200, "\(written)")
        let note = try sample.ask("GET", said)
        #expect(note.object["transcript_text"] as? String == "as it was said")
        #expect(note["etag"] == written["etag"] && note["etag"] != noteTag)
        let path = cases[0].path
        let tag = try #require(try sample.ask("GET", path)["etag"])
        let clients = try (0..<2).map { _ in try sample.connect() }
        for (index, client) in clients.enumerated() {
            try client.send(
                sample.bytes("PATCH", path, [("If-Match", tag)], json: #"{"label":"device \#(index)"}"#))
        }
        let answers = try clients.map { try $0.answer() }
        let won = try #require(answers.first { $0.status == 200 })
        let lost = try #require(answers.first { $0.status == 412 }, "\(answers)")
        #expect(lost.code == "changed-meanwhile")
        let present = try #require(lost.object["present"] as? NSDictionary)
        #expect(present == won.object["marker"] as? NSDictionary)
        let now = try sample.ask("GET", path)
        #expect(now["etag"] == won["etag"])
        #expect(present == NSDictionary(dictionary: now.object))
        // With what it was told, the other device can decide.
        let fields = [("If-Match", try #require(now["etag"]))]
        let after = try sample.ask("PATCH", path, fields, json: #"{"label":null,"tags":["structure"]}"#)
        #expect(after.status == 200, "\(after)")
        #expect((after.object["marker"] as? [String: Any])?["label"] == nil)
        // Undoing what one has read is a change like any other: of what is not there any more it is refused.
        let undo = try sample.ask(
            "PATCH", path, [("If-Match", try #require(won["etag"]))], json: #"{"label":"as it was"}"#)
        #expect(undo.status == 412, "\(undo)")
        #expect(undo.object["present"] as? NSDictionary == after.object["marker"] as? NSDictionary)
    }

    @Test func `a start is corrected over HTTP, and by no clock that is ahead`() throws {
        let path = "/sessions/\(ServedSample.lateSetID)"
        let answer = try sample.ask(
            "POST", "\(path)/edit", json: #"{"start_time":"2026-02-04T19:47:10Z","title":"Early set"}"#)
        #expect(answer.status == 200, "\(answer)")
        #expect(answer.object["changed"] as? Bool == true)
        #expect(answer.object["start_time"] as? String == "2026-02-04T19:47:10.000Z")
        let session = try sample.ask("GET", path)
        #expect(session.object["start_time"] as? String == "2026-02-04T19:47:10.000Z", "\(session)")
        #expect(session.object["title"] as? String == "Early set")
        #expect(session.object["end_time"] as? String == "2026-02-04T19:59:24.000Z", "\(session)")
        let again = try sample.ask("POST", "\(path)/edit", json: #"{"start_time":"2026-02-04T19:47:10Z"}"#)
        #expect(again.object["changed"] as? Bool == false, "\(again)")
        let ahead = try sample.ask("POST", "\(path)/edit", json: #"{"start_time":"2098-01-01T00:00:00Z"}"#)
        #expect(ahead.status == 400 && ahead.code == "time-in-future", "\(ahead)")
        let wrong = try sample.ask("POST", "\(path)/edit", json: #"{"start_time":"yesterday"}"#)
        #expect(wrong.status == 422 && wrong.code == "member-malformed", "\(wrong)")
        let reader = try sample.newToken("--scope", "read")
        #expect(try sample.ask("POST", "\(path)/edit", token: reader, json: #"{"title":"x"}"#).status == 403)
        _ = try Binaries.trace(["undo"], in: sample.copy.directory)
        _ = try sample.ask("GET", path)
    }

    @Test func `a clock that is before the session's start is told with every write`() throws {
        let header = sample.session(ServedSample.active).appending(path: "session.json")
        let text = try String(contentsOf: header, encoding: .utf8)
        try text.replacing(#/"start_time": ?"[^"]+"/#, with: #""start_time": "2098-01-01T00:00:00.000Z""#)
            .write(
                to: header, atomically: true, encoding: .utf8)
        let path = "/sessions/\(ServedSample.activeID)"
        let answers = [
            try sample.ask("POST", "\(path)/markers", json: "{}"),
            try sample.ask("PUT", "\(path)/markers/\(number(77))", json: ServedSample.marker()),
            try sample.ask("POST", "\(path)/pause"), try sample.ask("POST", "\(path)/resume"),
            try sample.ask("POST", "\(path)/close"),
        ]
        for answer in answers {
            #expect(answer.status < 300, "\(answer)")
            let warnings = try #require(answer.object["warnings"] as? [String], "\(answer)")
            #expect(
                warnings.contains {
                    $0.contains(
                        "before the session's start at 2098-01-01T00:00:00.000Z; set the clock if it is wrong"
                    )
                }, "\(answer)")
        }
    }

    @Test func `a session is deleted, listed in the bin, and restored, by the owner alone`() throws {
        let path = "/sessions/\(ServedSample.lateSetID)"
        let bin = "/bin/\(ServedSample.lateSetID)/restore"
        let marking = try sample.newToken("--scope", "mark")
        #expect(try sample.ask("DELETE", path, token: marking).status == 403)
        let before = try sample.ask("GET", path).object["title"] as? String
        let deleted = try sample.ask("DELETE", path)
        #expect(deleted.status == 200 && deleted.object["session_id"] as? String == ServedSample.lateSetID)
        #expect(try sample.ask("GET", path).status == 404)
        #expect(try sample.ask("DELETE", path).status == 404)
        #expect(try sample.ask("GET", "/bin", token: marking).status == 403)
        #expect(try sample.ask("GET", "/bin").text.contains(ServedSample.lateSetID))
        #expect(try sample.ask("POST", bin, token: marking).status == 403)
        let restored = try sample.ask("POST", bin)
        #expect(restored.status == 200, "\(restored)")
        #expect(try sample.ask("GET", path).object["title"] as? String == before)
        #expect(try sample.ask("POST", bin).code == "no-such-session")
    }

    @Test func `who marked may remove the mark, and nobody else but the owner`() throws {
        let path = ServedSample.markerPath(number(1))
        let ann = try ["phone", "tablet"].map {
            try sample.newToken("--scope", "mark", "--person", "ann", "--name", $0)
        }
        let bob = try sample.newToken("--scope", "mark", "--person", "bob")
        func remove(_ path: String, _ token: String, _ fields: [(String, String)] = []) throws -> WireAnswer {
            try sample.ask("DELETE", path, fields, token: token)
        }
        #expect(try sample.ask("PUT", path, token: ann[0], json: ServedSample.marker()).isWritten)
        for (token, methods) in [(ann[1], "GET, HEAD, PUT, PATCH, DELETE"), (bob, "GET, HEAD, PUT, PATCH")] {
            #expect(try sample.ask("GET", path, token: token)["allow"] == methods)
        }
        #expect(try remove(path, bob).code == "not-yours")
        #expect(try remove(path, ann[1], [("If-Match", "\"other\"")]).status == 412)
        #expect(try remove(path, ann[1]).status == 204)
        let old = ServedSample.markerPath(ServedSample.lateSetMarker)
        #expect(try remove(old, ann[0]).status == 403)
        #expect(try remove(old, sample.token).status == 204)

        let referenced = ServedSample.markerPath("01KGN6M6CCBYYR2NZ0AVA9C2TD")
        let answer = try remove(referenced, sample.token)
        #expect(answer.status == 409, "\(answer)")
        #expect(answer.code == "is-referenced")
        #expect(try remove("\(referenced)?force=true", sample.token).status == 204)
    }

    @Test func `a marker that came by no network is nobody's, whoever sends it again`() throws {
        let bob = try sample.newToken("--scope", "mark", "--person", "bob")
        let time = #""created_at":"2026-02-05T10:00:00.000Z""#
        func sendAgain(_ id: String) throws {
            let path = ServedSample.markerPath(id)
            let line = String(decoding: try sample.ask("GET", path).body, as: UTF8.self)
            let session = #""session_id":"\#(ServedSample.lateSetID)""#
            let entry = #"{"id":"\#(id)","kind":"marker",\#(session),\#(time),"payload":\#(line)}"#
            for (path, json) in [(path, line), ("/queue/\(id)", entry)] {
                let answer = try sample.ask("PUT", path, token: bob, json: json)
                #expect(answer.status == 200, "\(answer)")
                #expect(answer.object["result"] as? String == "already-applied")
            }
            let refused = try sample.ask("DELETE", path, token: bob)
            #expect(refused.status == 403 && refused.code == "not-yours", "\(refused)")
        }
        try sendAgain(ServedSample.lateSetMarker)
        // Of an id that they bring to another session, that session's marker is theirs.
        let id = "01KGN6NPM4N00HJ0013WGC31Y3"
        let elsewhere = ServedSample.markerPath(id, in: ServedSample.activeID)
        #expect(try sample.ask("PUT", elsewhere, token: bob, json: ServedSample.marker()).isWritten)
        try sendAgain(id)
        #expect(try sample.ask("DELETE", elsewhere, token: bob).status == 204)
        try sendAgain(id)
    }

    @Test func `an action is asked for once, declined once, and never run`() throws {
        let runs = "/sessions/\(ServedSample.lateSetID)/actions"
        let path = "\(runs)/\(number(1))"
        let json = #"{"action":"../x","inputs":{"a":1}}"#
        #expect(try sample.ask("PUT", path, json: json).isWritten)
        #expect(try sample.ask("PUT", path, json: json).status == 200)
        #expect(try sample.ask("PUT", path, json: #"{"action":"other"}"#).status == 409)
        let run = try sample.ask("GET", path)
        #expect(run.object["state"] as? String == "requested")
        #expect(run.object["inputs"] as? [String: Int] == ["a": 1])
        let requested = try sample.ask("GET", "\(runs)?state=requested")
        #expect(requested.rows.compactMap { $0["id"] as? String }.contains(number(1)), "\(requested)")
        let ran = ["approve", "run", "cancel"]
        for verb in ran { #expect(try sample.ask("POST", "\(path)/\(verb)").status == 404, "nothing is run") }

        let mark = try sample.newToken("--scope", "mark")
        #expect(try sample.ask("POST", "\(path)/decline", token: mark, json: "{}").status == 403)
        let declined = try sample.ask("POST", "\(path)/decline", json: #"{"reason":"not today"}"#)
        #expect(declined.status == 200, "\(declined)")
        #expect((declined.object["error"] as? String)?.contains("not today") == true)
        let again = try sample.ask("POST", "\(path)/decline")
        #expect(again.status == 409)
        #expect(again.code == "has-ended")
        #expect(try sample.ask("GET", path).object["state"] as? String == "failed")
        #expect(try sample.ask("POST", "\(runs)/\(number(2))/decline").status == 404)

        let large = #"{"action":"x","inputs":{"text":"\#(String(repeating: "x", count: 1 << 20))"}}"#
        #expect(try sample.ask("PUT", "\(runs)/\(number(3))", json: large).status == 413)
        for inputs in ["[]", "1", "\"x\""] {
            let answer = try sample.ask(
                "PUT", "\(runs)/\(number(3))", json: #"{"action":"x","inputs":\#(inputs)}"#)
            #expect(answer.status == 422, "\(inputs): \(answer)")
        }
    }

    @Test func `a session begins once for its id, and the later position counts`() throws {
        let path = "/sessions/\(number(1))"
        let first = try sample.ask("PUT", path, json: #"{"title":"../../Étude / 1"}"#)
        #expect(first.status == 201, "\(first)")
        #expect(first["content-location"] == "/api/v1\(path)")
        let directory = try #require(first.object["session_path"] as? String)
        #expect(URL(filePath: directory).deletingLastPathComponent().lastPathComponent == "sessions")
        for repeated in [path, path.lowercased()] {
            let again = try sample.ask("PUT", repeated, json: #"{"title":"another"}"#)
            #expect(again.status == 200, "\(again)")
            #expect(again.object["session_path"] as? String == directory)
        }
        #expect(try sample.ask("GET", path).object["title"] as? String == "../../Étude / 1")
        #expect(try sample.ask("PUT", "/sessions/nonsense", json: "{}").code == "id-malformed")
        #expect(try sample.ask("POST", "\(path)/pause").status == 200)
        #expect(try sample.ask("POST", "\(path)/pause").status == 409)
        #expect(try sample.ask("POST", "\(path)/resume").status == 200)
        for (time, code) in [("yesterday", "member-malformed"), ("2998-01-01T00:00:00Z", "time-in-future")] {
            #expect(try sample.ask("POST", "\(path)/close", json: #"{"at":"\#(time)"}"#).code == code)
        }
        #expect(try sample.ask("POST", "\(path)/close").status == 200)
        #expect(try sample.ask("POST", "\(path)/close").code == "already-closed")
        let end = try sample.ask(
            "POST", "/sessions/\(ServedSample.activeID)/close", json: #"{"at":"2026-02-11T18:25:00Z"}"#)
        #expect(end.status == 200, "\(end)")
        let closed = try sample.ask("GET", "/sessions/\(ServedSample.activeID)").object
        #expect(closed["end_time"] as? String == "2026-02-11T18:25:00.000Z")

        let position = "/sessions/\(ServedSample.lateSetID)/position"
        func put(_ offset: Int, _ at: String, token: String? = nil) throws -> WireAnswer {
            try sample.ask("PUT", position, token: token, json: #"{"offset_ms":\#(offset),"at":"\#(at)"}"#)
        }
        #expect(try sample.ask("GET", position).object["offset_ms"] == nil)
        #expect(try put(1000, "2026-02-05T10:00:00.000Z").status == 200)
        let earlier = try put(2000, "2026-02-05T09:00:00.000Z")
        #expect(earlier.status == 412, "\(earlier)")
        #expect(earlier.code == "position-superseded")
        #expect(try sample.ask("GET", position).object["offset_ms"] as? Int == 1000)
        #expect(try put(3000, "2026-02-05T11:00:00.000Z").object["offset_ms"] as? Int == 3000)
        let other = try sample.newToken("--scope", "mark", "--person", "somebody-else")
        #expect(
            try sample.ask("GET", position, token: other).object["offset_ms"] == nil, "each has an own one")
        #expect(try put(1, "2026-02-01T00:00:00.000Z", token: other).status == 200)
        #expect(try sample.ask("GET", position).object["offset_ms"] as? Int == 3000)
    }
}
