import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// Voice notes whose records a device sends before their audio: each waits, is shown as waiting, and is written once the audio is
/// there.
struct VoiceNoteDeliveryTests {
    private let sample: ServedSample
    /// Five bytes, and their SHA-256.
    private static let sound = "sound"
    private static let checksum = "dd29442deca69f52c50006b831cb216edf78a7da33748f0a80ff19f2ebe57ecd"

    init() throws { sample = try ServedSample() }

    private static func attachment(
        _ size: Int = 5, _ type: String = "audio/mp4", sha256: String? = nil
    ) -> String {
        let hash = sha256.map { #","sha256":"\#($0)""# } ?? ""
        return #"{"size":\#(size),"type":"\#(type)"\#(hash)}"#
    }

    private func put(
        _ id: String, _ json: String = ServedSample.voiceNote(), in session: String = ServedSample.lateSetID
    ) throws -> WireAnswer {
        try sample.ask("PUT", ServedSample.voiceNotePath(id, in: session), json: json)
    }

    /// How many lines of the late set's voice notes have an id.
    private func count(_ id: String) throws -> Int {
        let text = String(
            decoding: try sample.contents("voice_notes.jsonl", of: ServedSample.lateSet), as: UTF8.self)
        return text.split(separator: "\n").count { $0.contains(id) }
    }

    private var spool: URL { sample.copy.directory.appending(path: "state/queue") }

    /// Puts audio into the spool as a sync tool does.
    private func arrive(_ name: String, _ contents: String = sound) throws {
        try contents.write(to: spool.appending(path: name), atomically: true, encoding: .utf8)
    }

    private func expectWaiting(
        _ answer: WireAnswer, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(answer.status == 202, "\(answer)", sourceLocation: sourceLocation)
        #expect(answer.object["result"] as? String == "waiting", sourceLocation: sourceLocation)
        let reason = answer.object["reason"] as? String ?? ""
        #expect(
            reason.hasPrefix("its audio ") && reason.hasSuffix(" is missing"), "\(answer)",
            sourceLocation: sourceLocation)
    }

    @Test func `a record waits for its audio, through a crash, and is written once that is there`() throws {
        let id = number(1)
        let json = ServedSample.voiceNote(Self.attachment(sha256: Self.checksum))
        let before = try sample.filesOfSessions()
        expectWaiting(try put(id, json))
        for repeated in [id, id.lowercased()] { expectWaiting(try put(repeated, json)) }
        expectWaiting(try put(id, ServedSample.voiceNote()))
        #expect(try sample.filesOfSessions() == before)

        // Everybody who looks at the queue sees what is missing.
        let reason = "its audio '\(id).m4a' is missing"
        for path in ["/queue", "/queue?all=true", "/queue/\(id)"] {
            let row = try #require(try sample.ask("GET", path).rows.first { $0["id"] as? String == id })
            #expect(row["reason"] as? String == reason, "\(path): \(row)")
            #expect(row["kind"] as? String == "voice_note")
        }
        let status = try sample.ask("GET", "/status")
        let queue = try #require((status.object["queue"] as? [[String: Any]])?.first)
        #expect(queue["waiting"] as? Int == 1 && queue["awaiting_audio"] as? Int == 1, "\(status)")
        let directory = sample.copy.directory
        #expect(try Binaries.trace(["queue", "list"], in: directory).contains(reason))
        #expect(try Binaries.trace(["status"], in: directory).contains("1 of them for its audio"))

        // A drain leaves it, and nothing fails.
        let flushed = try sample.ask("POST", "/queue/flush")
        #expect(flushed.rows.compactMap { $0["result"] as? String } == ["waiting"], "\(flushed)")
        try sample.restart()
        expectWaiting(try put(id, json))
        #expect(!sample.daemon.log.contains("result=failed"), "\(sample.daemon.log)")

        try arrive("\(id).m4a", "soun")
        try arrive("\(id).m4a")
        try soon("it is written: \(sample.daemon.log)") { try count(id) == 1 }
        #expect(
            try sample.contents("media/\(id).m4a", of: ServedSample.lateSet) == Data(Self.sound.utf8))
        try soon("the queue is empty") { try sample.ask("GET", "/queue").rows.isEmpty }
        let again = try put(id, json)
        #expect(again.status == 200, "\(again)")
        #expect(again.object["result"] as? String == "already-applied")
        #expect((again.object["record"] as? [String: Any])?["media_path"] as? String == "media/\(id).m4a")
        #expect(try put(id, ServedSample.voiceNote(at: 2000)).status == 409)
        #expect(try count(id) == 1)
        try Binaries.trace(["validate", sample.session(ServedSample.lateSet).path], in: directory)

        // What the user takes out does not come back.
        let file = sample.session(ServedSample.lateSet).appending(path: "voice_notes.jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        try (lines.filter { !$0.contains(id) }.joined(separator: "\n") + "\n").write(
            to: file, atomically: true, encoding: .utf8)
        let vanished = try put(id, json)
        #expect(vanished.status == 410 && vanished.code == "record-vanished", "\(vanished)")
        #expect(try count(id) == 0)
    }

    /// One after the other, with one daemon.
    @Test func `a record that can't be taken is refused, and keeps nobody's id`() throws {
        try `another record under the id of one that waits is a conflict`()
        try `what was dropped stays dropped`()
        try `a voice note that stands is there already, wherever its audio is`()
        try `a body that is not a voice note is refused with what is wrong`()
        try `one for a session that somebody has locked waits too`()
    }

    private func `another record under the id of one that waits is a conflict`() throws {
        let id = number(10)
        expectWaiting(try put(id, ServedSample.voiceNote(Self.attachment(sha256: Self.checksum))))
        let other = String(Self.checksum.reversed())
        for conflict in [
            try put(id, ServedSample.voiceNote(at: 2000)), try put(id, in: ServedSample.activeID),
            try put(id, ServedSample.voiceNote(Self.attachment(6))),
            try put(id, ServedSample.voiceNote(Self.attachment(5, "audio/webm"))),
            try put(id, ServedSample.voiceNote(Self.attachment(sha256: other))),
            try sample.ask("PUT", ServedSample.markerPath(id), json: ServedSample.marker()),
            try sample.ask(
                "PUT", "/sessions/\(ServedSample.lateSetID)/actions/\(id)", json: #"{"action":"x"}"#),
        ] {
            #expect(conflict.status == 409, "\(conflict)")
            #expect(conflict.code == "conflict")
        }
        #expect(try put(ServedSample.lateSetMarker).status == 409, "a marker has the id")
        expectWaiting(try put(id))
    }

    private func `what was dropped stays dropped`() throws {
        let id = number(11)
        expectWaiting(try put(id))
        #expect(try sample.ask("POST", "/queue/\(id)/drop").status == 200)
        let answer = try put(id)
        #expect(answer.status == 410 && answer.code == "dropped", "\(answer)")
    }

    private func `a voice note that stands is there already, wherever its audio is`() throws {
        let line = try #require(
            try sample.contents("voice_notes.jsonl", of: ServedSample.lateSet).split(separator: 0x0A).first)
        var note = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        let id = try #require(note["id"] as? String)
        note["media_path"] = nil
        note["attachment"] = ["size": 1, "type": "audio/webm"]
        let json = String(decoding: try JSONSerialization.data(withJSONObject: note), as: UTF8.self)
        let answer = try put(id, json)
        #expect(answer.status == 200, "\(answer)")
        note["offset_ms"] = 1
        let other = String(decoding: try JSONSerialization.data(withJSONObject: note), as: UTF8.self)
        #expect(try put(id, other).status == 409)
    }

    private func `a body that is not a voice note is refused with what is wrong`() throws {
        let before = try sample.filesOfSessions()
        let waiting = try sample.ask("GET", "/queue").rows.count
        func expectRefused(_ json: String, _ status: Int, _ words: String) throws {
            let answer = try put(number(20), json)
            #expect(answer.status == status, "\(json): \(answer)")
            let detail = answer.object["detail"] as? String ?? ""
            #expect(detail.contains(words), "\(json): \(answer)")
            #expect((answer.object["hint"] as? String)?.isEmpty == false, "\(json): \(answer)")
        }
        for (attachment, words) in [
            ("null", "attachment"), ("{}", "size"), ("[]", "attachment"), (#"{"size":5}"#, "type"),
            (#"{"type":"audio/mp4"}"#, "size"), (Self.attachment(0), "size"), (Self.attachment(-1), "size"),
            (#"{"size":"5","type":"audio/mp4"}"#, "size"), (#"{"size":1.5,"type":"audio/mp4"}"#, "size"),
            (Self.attachment(5, "text/html"), "type"), (Self.attachment(5, "audio/mp4/../x"), "type"),
            (Self.attachment(sha256: "x"), "sha256"),
            (Self.attachment(sha256: String(repeating: "g", count: 64)), "sha256"),
            (#"{"size":5,"size":6,"type":"audio/mp4"}"#, "size"),
            (#"{"size":5,"type":"audio/mp4","name":"../x"}"#, "name"),
        ] {
            try expectRefused(ServedSample.voiceNote(attachment), 422, words)
        }
        try expectRefused(ServedSample.voiceNote(Self.attachment(67_108_865)), 413, "larger")
        let good = ServedSample.voiceNote()
        for (old, new, words) in [
            (#""offset_ms":1000"#, #""offset_ms":-1"#, "offset_ms"),
            (#""duration_ms":700,"#, "", "duration_ms"),
            (#""duration_ms":700"#, #""duration_ms":"700""#, "duration_ms"),
            (#""duration_ms":700"#, #""duration_ms":700,"duration_ms":700"#, "duration_ms"),
            (#""duration_ms":700"#, #""duration_ms":700,"colour":"red""#, "colour"),
            (#""duration_ms":700"#, #""duration_ms":700,"media_path":"media/x.m4a""#, "media_path"),
            ("2026-02-05T10:00:00.000Z", "yesterday", "created_at"),
        ] {
            try expectRefused(good.replacing(old, with: new), 422, words)
        }
        try expectRefused("[]", 422, "object")
        try expectRefused("\(good)x", 422, "JSON")
        let differs = try put(number(20), #"{"id":"\#(number(21))",\#(good.dropFirst())"#)
        #expect(differs.status == 400 && differs.code == "id-differs", "\(differs)")
        #expect(try put("nonsense").code == "id-malformed")
        #expect(try put(number(20), in: number(60)).status == 404)
        #expect(try sample.filesOfSessions() == before)
        #expect(try sample.ask("GET", "/queue").rows.count == waiting)
        // Recorders name the codec too, and a moment may stand for the offset.
        let at = good.replacing(#""offset_ms":1000"#, with: #""at":"2026-02-04T20:50:00.000Z""#)
        expectWaiting(
            try put(
                number(20),
                at.replacing("audio/mp4", with: "audio/webm; codecs=opus")))
        let item = try #require(try sample.ask("GET", "/queue/\(number(20))").rows.first)
        let payload = try #require(item["payload"] as? [String: Any])
        #expect(payload["media_path"] as? String == "media/\(number(20)).webm")
        #expect(payload["offset_ms"] as? Int == 169_520, "\(payload)")
        #expect(payload["attachment"] == nil && payload["at"] == nil)
    }

    private func `one for a session that somebody has locked waits too`() throws {
        let directory = open(sample.session(ServedSample.lateSet).path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(directory) }
        try #require(flock(directory, LOCK_EX) == 0)
        sample.isPatient = false
        defer { sample.isPatient = true }
        for _ in 0..<2 { #expect(try put(number(30)).status == 202) }
        #expect(try put(number(30), ServedSample.voiceNote(at: 2000)).status == 409)
    }
}
