import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// Markers that a device sends under ids of its own: written once, however often they are sent.
struct MarkerDeliveryTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    private func put(
        _ id: String, _ json: String = ServedSample.marker(), in session: String = ServedSample.lateSetID
    ) throws -> WireAnswer {
        try sample.ask("PUT", ServedSample.markerPath(id, in: session), json: json)
    }

    /// How many lines of a session's markers have an id.
    private func count(_ id: String, in session: String = ServedSample.lateSet) throws -> Int {
        let text = String(decoding: try sample.contents("markers.jsonl", of: session), as: UTF8.self)
        return text.split(separator: "\n").count { $0.contains(id) }
    }

    @Test func `the same marker is written once, and another under its id not at all`() throws {
        let id = number(1)
        let first = try put(id)
        #expect(first.isWritten, "\(first)")
        let line = try sample.ask("GET", ServedSample.markerPath(id))
        #expect(line["etag"] == first["etag"])
        #expect(NSDictionary(dictionary: line.object) == (first.object["record"] as? NSDictionary))
        for repeated in [id, id.lowercased()] {
            let again = try put(repeated)
            #expect(again.status == 200, "\(again)")
            #expect(again.object["result"] as? String == "already-applied")
            #expect(again["etag"] == first["etag"])
        }
        #expect(try put(id, #"{"id":"\#(id)",\#(ServedSample.marker().dropFirst())"#).status == 200)
        #expect(
            try put(id, #"{"id":"\#(id.lowercased())",\#(ServedSample.marker().dropFirst())"#).status == 200)

        for conflict in [
            try put(id, ServedSample.marker("another")), try put(id, in: ServedSample.activeID),
            try sample.ask(
                "PUT", "/sessions/\(ServedSample.lateSetID)/actions/\(id)",
                json: #"{"action":"export-clips"}"#),
        ] {
            #expect(conflict.status == 409, "\(conflict)")
            #expect(conflict.code == "conflict")
        }
        #expect(try count(id) == 1)
        #expect(try count(id, in: ServedSample.active) == 0)
    }

    @Test func `an id that is not a ULID, or not that of the body, is refused`() throws {
        for id in [
            "1", "01KH", "x", String(repeating: "U", count: 26), String(repeating: "Z", count: 26), "%ff",
            "last",
        ] {
            let answer = try put(id)
            #expect([400, 404].contains(answer.status), "\(id): \(answer)")
            if id != "%ff" { #expect(answer.code == "id-malformed", "\(id): \(answer)") }
        }
        for other in ["\"\(number(2))\"", "\"x\"", "1", "null", "[]"] {
            let answer = try put(number(1), #"{"id":\#(other),\#(ServedSample.marker().dropFirst())"#)
            #expect(answer.status == 400, "\(other): \(answer)")
            #expect(answer.code == "id-differs")
        }
        #expect(try count(number(1)) == 0)
    }

    @Test func `fifty that come at once are one marker`() throws {
        let id = number(1)
        let request = sample.bytes("PUT", ServedSample.markerPath(id), json: ServedSample.marker())
        let clients = try (0..<50).map { _ in try sample.connect() }
        for client in clients { try client.send(request.dropLast()) }
        for client in clients { try client.send(request.suffix(1)) }
        let statuses = try clients.map { try $0.answer().status }
        #expect(statuses.count { $0 == 201 } == 1)
        #expect(statuses.count { $0 == 200 } == 49, "\(statuses)")
        #expect(try count(id) == 1)
    }

    @Test func `what the user has removed does not come back`() throws {
        let (removed, edited, overTheWire) = (number(1), number(2), number(3))
        for id in [removed, edited, overTheWire] { #expect(try put(id).isWritten) }
        try Binaries.trace(
            ["marker", "remove", removed, "--session", ServedSample.lateSet], in: sample.copy.directory)
        let file = sample.session(ServedSample.lateSet).appending(path: "markers.jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let rest = lines.filter { !$0.contains(edited) }.joined(separator: "\n") + "\n"
        try rest.write(to: file, atomically: true, encoding: .utf8)
        #expect(try sample.ask("DELETE", ServedSample.markerPath(overTheWire)).status == 204)
        for (id, code) in [(removed, "removed"), (edited, "record-vanished"), (overTheWire, "removed")] {
            let answer = try put(id)
            #expect(answer.status == 410, "\(answer)")
            #expect(answer.code == code)
            #expect(try sample.ask("GET", ServedSample.markerPath(id)).status == 404)
            #expect(try count(id) == 0)
        }
        #expect(try sample.ask("DELETE", ServedSample.markerPath(overTheWire)).status == 204, "again")
        #expect(try sample.ask("DELETE", ServedSample.markerPath(number(4))).status == 404)
    }

    @Test func `what was removed is gone in any order of its members, by whichever way it comes`() throws {
        let (byQueue, byPut) = (number(1), number(2))
        let time = #""created_at":"2026-02-05T10:00:00.000Z""#
        func send(_ id: String) throws -> WireAnswer {
            let payload = #"{"label":"from afar","source":"user",\#(time),"offset_ms":1000,"id":"\#(id)"}"#
            let entry =
                #"{"id":"\#(id)","kind":"marker","session_id":"\#(ServedSample.lateSetID)",\#(time),"payload":\#(payload)}"#
            return try sample.send("POST", "/queue", "application/jsonl", Data(entry.utf8))
        }
        let first = try send(byQueue)
        #expect(first.results == [first.hasWaited ? "already-applied" : "applied"], "\(first)")
        #expect(try put(byPut).isWritten)
        for id in [byQueue, byPut] {
            #expect(try sample.ask("DELETE", ServedSample.markerPath(id)).status == 204)
            let answer = try put(id)
            #expect(answer.status == 410 && answer.code == "removed", "\(answer)")
            let queued = try send(id)
            #expect(queued.results == ["removed"], "\(queued)")
        }
    }

    @Test func `one for a session that somebody has locked waits, and is written later`() throws {
        let id = number(1)
        let directory = open(sample.session(ServedSample.lateSet).path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(flock(directory, LOCK_EX) == 0)
        sample.isPatient = false
        let before = try sample.contents("markers.jsonl", of: ServedSample.lateSet)
        let first = try put(id)
        #expect(first.status == 202, "\(first)")
        #expect(first.object["result"] as? String == "waiting")
        #expect(try put(id).status == 202, "again")
        #expect(try put(id, ServedSample.marker("another")).status == 409)
        #expect(try sample.contents("markers.jsonl", of: ServedSample.lateSet) == before)
        #expect(try sample.ask("GET", "/queue").rows.compactMap { $0["id"] as? String } == [id])
        // Another session is not held up.
        #expect(try put(number(2), in: ServedSample.activeID).status == 201)
        close(directory)
        sample.isPatient = true
        try soon("the drain writes it: \(sample.daemon.log)") { try count(id) == 1 }
        #expect(try put(id).status == 200)
        #expect(try count(id) == 1)
        try soon("the queue is empty") { try sample.ask("GET", "/queue").rows.isEmpty }
    }

    @Test func `one that waits is taken back by a device of its person, and by nobody else`() throws {
        let id = number(1)
        let path = ServedSample.markerPath(id)
        let ann = try (0..<2).map { _ in try sample.newToken("--scope", "mark", "--person", "ann") }
        let bob = try sample.newToken("--scope", "mark", "--person", "bob")
        let directory = open(sample.session(ServedSample.lateSet).path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(flock(directory, LOCK_EX) == 0)
        sample.isPatient = false
        let first = try sample.ask("PUT", path, token: ann[0], json: ServedSample.marker())
        #expect(first.status == 202, "\(first)")
        #expect(try sample.ask("DELETE", path, token: bob).code == "not-yours")
        let elsewhere = ServedSample.markerPath(id, in: ServedSample.activeID)
        #expect(try sample.ask("DELETE", elsewhere, token: ann[1]).status == 404)
        // The drain that tries again and again may hold the queue.
        try soon("it is taken back: \(sample.daemon.log)") {
            try sample.ask("DELETE", path, token: ann[1]).status == 204
        }
        close(directory)
        sample.isPatient = true
        #expect(try sample.ask("GET", "/queue").rows.isEmpty)
        let again = try sample.ask("PUT", path, token: ann[0], json: ServedSample.marker())
        #expect(again.status == 410 && again.code == "dropped", "\(again)")
        #expect(try count(id) == 0)
    }

    @Test func `a session that is away, has moved or was replaced gets its own records, and no other does`()
        throws
    {
        func move(_ from: URL, _ to: URL) throws { try #require(rename(from.path, to.path) == 0) }
        let sessions = sample.copy.directory.appending(path: "sessions")
        let away = sample.copy.directory.appending(path: "away")
        let own = sample.session(ServedSample.lateSet)
        func lines(_ file: String, at session: URL) throws -> String {
            try String(contentsOf: session.appending(path: file), encoding: .utf8)
        }

        // As a disk that is not mounted.
        sample.isPatient = false
        try move(sessions, away)
        let unmounted = try put(number(1))
        #expect(unmounted.status == 202, "\(unmounted)")
        let note = try sample.ask(
            "PUT", ServedSample.voiceNotePath(number(2)), json: ServedSample.voiceNote())
        #expect(note.status == 202, "\(note)")
        try move(away, sessions)
        try soon("the drain writes it: \(sample.daemon.log)") { try count(number(1)) == 1 }

        // The index may have it at both places, or at none.
        let renamed = sessions.appending(path: "renamed")
        try move(own, renamed)
        let moved = try put(number(3))
        #expect(moved.isWritten || moved.status == 202, "\(moved)")
        try soon("it is written: \(sample.daemon.log)") {
            try lines("markers.jsonl", at: renamed).contains(number(3))
        }

        // Another session takes the place by name, and this one is nowhere.
        try move(renamed, away)
        try sample.addSession(Array(ServedSample.lateSet.utf8), ["id": number(70)])
        for id in [4, 5] {
            let answer = try put(number(id))
            #expect([202, 404].contains(answer.status), "\(answer)")
        }
        #expect(try lines("markers.jsonl", at: own).isEmpty)
        sample.isPatient = true
        #expect(try put(number(6), in: number(70)).isWritten)
        #expect(try lines("markers.jsonl", at: own).split(separator: "\n").count == 1)
    }

    @Test func `a repeat by its key is the same marker, written or waiting`() throws {
        let path = "/sessions/\(ServedSample.activeID)/markers"
        func post(_ key: String) throws -> WireAnswer {
            try sample.ask("POST", path, [("Idempotency-Key", key)], json: #"{"label":"pedal"}"#)
        }
        let first = try post("one")
        let again = try post("one")
        #expect(first.isWritten && again.status == 200, "\(first) \(again)")
        #expect(first.object["id"] as? String == again.object["id"] as? String)
        #expect(try post("two").isWritten)

        let directory = open(sample.session(ServedSample.active).path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(directory) }
        try #require(flock(directory, LOCK_EX) == 0)
        sample.isPatient = false
        #expect(try post("three").status == 202)
        let repeated = try post("three")
        #expect(repeated.status == 202, "\(repeated)")
        #expect(try sample.ask("GET", "/queue").rows.count == 1)
    }
}
