import Foundation
import ProgramHarness
import TestSupport
import Testing

/// A write over HTTP that is disturbed at each of its calls, and repeated as a device does that has got no answer.
struct WireWrite: Sendable, CustomTestStringConvertible {
    let name: String
    /// The thread of the daemon on which it is disturbed.
    var thread = "http-write"
    /// Whether a drain may be faster, so that a call does not come.
    var mayBeDrained = false
    /// Makes what the write needs, for another record each time.
    let begin: @Sendable (ServedScene) throws -> Attempt

    var testDescription: String { name }

    /// One such write.
    struct Attempt {
        /// What is sent, the same at each repeat.
        let request: ServedScene.Request
        /// What is answered if nothing is in the way.
        let first: Int
        /// What is answered once it is done.
        let again: Set<Int>
        /// Checks that it is done once.
        let check: (_ what: String) throws -> Void
    }

    static let all = [
        putMarker, patchMarker, deleteMarker, putVoiceNote, audioAfterRecord, recordAfterAudio,
        postMarkerEntries,
        pair, receivedAudio, receivedRest,
    ]

    private static let marker = """
        {"offset_ms":5000,"created_at":"2026-02-04T20:02:00.000Z","source":"user","label":"Drop"}
        """

    private static func markerPath(_ id: String) -> String { "/sessions/\(ServedScene.set)/markers/\(id)" }

    /// Has a new marker stand in the session.
    private static func newMarker(_ scene: ServedScene) throws -> (path: String, id: String, tag: String) {
        let id = scene.newID()
        let path = markerPath(id)
        let answer = try scene.send(
            ServedScene.Request(method: "PUT", path: path, json: marker), until: [200, 201])
        return (path, id, try #require(answer["etag"]))
    }

    private static let putMarker = WireWrite(name: "PUT marker") { scene in
        let id = scene.newID()
        let request = ServedScene.Request(method: "PUT", path: markerPath(id), json: marker)
        return Attempt(request: request, first: 201, again: [200]) { (what: String) throws in
            #expect(try scene.count(id, in: "set/markers.jsonl") == 1, "\(what)")
        }
    }

    private static let patchMarker = WireWrite(name: "PATCH marker") { scene in
        let (path, id, tag) = try newMarker(scene)
        let request = ServedScene.Request(
            method: "PATCH", path: path, json: #"{"label":"Named"}"#, fields: [("If-Match", tag)])
        return Attempt(request: request, first: 200, again: [412]) { (what: String) throws in
            let present = try scene.get(path)
            #expect(present.object["label"] as? String == "Named", "\(what): \(present)")
            let list = try scene.get("/sessions/\(ServedScene.set)/markers?limit=1000")
            let rows = list.json as? [[String: Any]] ?? []
            #expect(rows.count { $0["id"] as? String == id } == 1, "\(what)")
            // The line that was before stays.
            #expect(try scene.count(id, in: "set/markers.jsonl") == 2, "\(what)")
        }
    }

    private static let deleteMarker = WireWrite(name: "DELETE marker") { scene in
        let (path, id, _) = try newMarker(scene)
        let request = ServedScene.Request(method: "DELETE", path: path)
        return Attempt(request: request, first: 204, again: [204]) { (what: String) throws in
            #expect(try scene.get(path).status == 404, "\(what)")
            // Nor does the device that does not know bring it back.
            _ = try scene.send(ServedScene.Request(method: "PUT", path: path, json: marker), until: [410])
            #expect(try scene.count(id, in: "set/markers.jsonl") == 0, "\(what)")
        }
    }

    /// A voice note whose audio, `sound`, comes by itself, after the record.
    private static let putVoiceNote = WireWrite(name: "PUT voice note", thread: "http-deliver") { scene in
        let id = scene.newID()
        let request = ServedScene.Request(
            method: "PUT", path: "/sessions/\(ServedScene.set)/voice-notes/\(id)",
            json: """
                {"offset_ms":5000,"duration_ms":800,"created_at":"2026-02-04T20:02:00.000Z",\
                "attachment":{"size":5,"type":"audio/mp4","sha256":"dd29442deca69f52c50006b831cb216edf78a7da33748f0a80ff19f2ebe57ecd"}}
                """)
        return Attempt(request: request, first: 202, again: [202]) { (what: String) throws in
            #expect(scene.scratch.exists("state/queue/\(id).json"), "\(what)")
            #expect(try scene.count(id, in: "set/voice_notes.jsonl") == 0, "\(what)")
            try scene.scratch.write("sound", to: "state/queue/\(id).m4a")
            try soon("the voice note is written: \(what)") {
                try scene.flush()
                return try scene.count(id, in: "set/voice_notes.jsonl") == 1
                    && !scene.scratch.exists("state/queue/\(id).json")
            }
        }
    }

    // MARK: - Audio

    /// The audio of the voice notes, and its SHA-256.
    private static let sound = "OggS and some sound"
    private static let soundDigest = "47bfc4f0150d887e04050b7ed8b12daca4a5e4fec50831b27c1b517d0f4ef8c3"

    private static func recordOfSound(_ id: String) -> ServedScene.Request {
        ServedScene.Request(
            method: "PUT", path: "/sessions/\(ServedScene.set)/voice-notes/\(id)",
            json: """
                {"offset_ms":5000,"duration_ms":800,"created_at":"2026-02-04T20:02:00.000Z",\
                "attachment":{"size":\(sound.utf8.count),"type":"audio/ogg","sha256":"\(soundDigest)"}}
                """)
    }

    private static func audio(_ id: String) -> ServedScene.Request {
        ServedScene.Request(
            method: "PUT", path: "/sessions/\(ServedScene.set)/voice-notes/\(id)/audio", json: sound,
            type: "audio/ogg")
    }

    private static func send(_ request: ServedScene.Request, in scene: ServedScene, _ status: Int) throws {
        let answer = try scene.send(request)
        try #require(answer.status == status, "\(answer)")
    }

    /// Checks that a voice note stands with its audio, and that nothing of the upload is left.
    private static func checkSound(_ id: String, in scene: ServedScene, _ what: String) throws {
        try scene.flush()
        #expect(try scene.count(id, in: "set/voice_notes.jsonl") == 1, "\(what)")
        let heard = try scene.get("/sessions/\(ServedScene.set)/voice-notes/\(id)/audio")
        #expect(heard.status == 200 && heard.text == sound, "\(what): \(heard)")
        #expect(!scene.scratch.exists("state/queue/\(id).json"), "\(what)")
        let state = FileManager.default.enumerator(atPath: "\(scene.scratch.path)/state/uploads")
        let left = (state?.allObjects as? [String] ?? []).filter { $0.contains(id) && !$0.hasSuffix(".json") }
        #expect(left == [], "\(what)")
    }

    private static let audioAfterRecord = WireWrite(
        name: "PUT audio after its record", thread: "http-deliver", mayBeDrained: true
    ) { scene in
        let id = scene.newID()
        try send(recordOfSound(id), in: scene, 202)
        return Attempt(request: audio(id), first: 201, again: [200]) { (what: String) throws in
            try checkSound(id, in: scene, what)
        }
    }

    private static let recordAfterAudio = WireWrite(
        name: "PUT record after its audio", thread: "http-deliver", mayBeDrained: true
    ) { scene in
        let id = scene.newID()
        try send(audio(id), in: scene, 202)
        return Attempt(request: recordOfSound(id), first: 201, again: [200]) { (what: String) throws in
            try checkSound(id, in: scene, what)
        }
    }

    private static let receivedAudio = WireWrite(name: "PUT audio, received", thread: "http-receive") {
        scene in
        try audioAfterRecord.begin(scene)
    }

    /// The second half of an upload. A device that does not know whether it came asks how far it is.
    private static let receivedRest = WireWrite(name: "PATCH audio, received", thread: "http-receive") {
        scene in
        let id = scene.newID()
        try send(recordOfSound(id), in: scene, 202)
        var first = audio(id)
        first.json = String(sound.prefix(15))
        first.fields = [("Upload-Complete", "?0"), ("Upload-Length", "\(sound.utf8.count)")]
        try send(first, in: scene, 204)
        var rest = audio(id)
        rest.method = "PATCH"
        rest.json = String(sound.dropFirst(15))
        rest.type = "application/partial-upload"
        rest.fields = [("Upload-Offset", "15")]
        return Attempt(request: rest, first: 201, again: [404, 409]) { (what: String) throws in
            let known = try scene.send(ServedScene.Request(method: "HEAD", path: rest.path))
            if known.status == 204 {
                let offset = try #require(known["upload-offset"].flatMap { Int($0) }, "\(what): \(known)")
                var last = rest
                last.json = String(sound.dropFirst(offset))
                last.fields = [("Upload-Offset", "\(offset)")]
                let answer = try scene.send(last)
                #expect([200, 201, 202].contains(answer.status), "\(what): \(answer)")
            }
            try checkSound(id, in: scene, what)
        }
    }

    /// Two markers and a request for an action, for two sessions, and a marker for a session that is not here.
    private static let postMarkerEntries = WireWrite(name: "POST queue", thread: "http-deliver") { scene in
        let ids = (0..<4).map { _ in scene.newID() }
        func entry(_ id: String, _ kind: String, _ session: String, _ payload: String) -> String {
            let time = #""created_at":"2026-02-04T20:02:00.000Z""#
            return #"{"id":"\#(id)","kind":"\#(kind)","session_id":"\#(session)",\#(time),"payload":"#
                + #"{"id":"\#(id)",\#(time),\#(payload)}}"#
        }
        let marker = #""offset_ms":5000,"source":"user""#
        let lines = [
            entry(ids[0], "marker", ServedScene.set, marker),
            entry(ids[1], "marker", ServedScene.other, marker),
            entry(ids[2], "action_request", ServedScene.set, #""action":"export-clips","status":"started""#),
            entry(ids[3], "marker", number(9), marker),
        ]
        let request = ServedScene.Request(
            method: "POST", path: "/queue", json: lines.joined(separator: "\n"), type: "application/jsonl")
        return Attempt(request: request, first: 200, again: [200]) { (what: String) throws in
            #expect(try scene.count(ids[0], in: "set/markers.jsonl") == 1, "\(what)")
            #expect(try scene.count(ids[1], in: "other/markers.jsonl") == 1, "\(what)")
            #expect(try scene.count(ids[2], in: "set/actions.jsonl") == 1, "\(what)")
            let waiting = "state/queue/\(ids[3]).json"
            try #require(scene.scratch.exists(waiting), "\(what)")
            try scene.scratch.remove(waiting)
        }
    }

    /// A code gives at most one token. One that was used up without an answer gives none, and another code does.
    private static let pair = WireWrite(name: "POST pair") { scene in
        func request(_ code: String, _ name: String) -> ServedScene.Request {
            ServedScene.Request(
                method: "POST", path: "/pair", json: #"{"code":"\#(code)","name":"\#(name)"}"#,
                hasToken: false)
        }
        let name = scene.newID()
        let first = try request(scene.beginPairing(), name)
        return Attempt(request: first, first: 201, again: [403]) { (what: String) throws in
            #expect(try scene.scratch.tokens().count { $0 == name } <= 1, "\(what)")
            let other = try scene.send(request(scene.beginPairing(), "\(name) again"))
            #expect(other.status == 201, "\(what): \(other)")
            try scene.scratch.checkTokens(what)
        }
    }
}

extension WireWrite.Attempt {
    /// Repeats what was sent until the device may forget it, and once more; then it must stand once.
    func finish(in scene: ServedScene, _ what: String) throws {
        let answer = try scene.send(request)
        #expect(again.union([first, 202, 503]).contains(answer.status), "\(what), again: \(answer)")
        if answer.text.contains(#""result":"waiting""#) { try scene.flush() }
        let last = try scene.send(request, until: again)
        #expect(!last.text.contains(#""result":"failed""#), "\(what), once more: \(last)")
        try check(what)
        try scene.checkLines(what)
        try scene.checkNames(what)
    }
}

extension WireWrite {
    /// Writes once, so that what is made but once is there; then notes what another one asks of the kernel.
    func calls(in scene: ServedScene) throws -> [Strace.Call] {
        var isWarm = false
        // Where the disk is slow, the daemon may be at the session in that moment, and the record waits: then the next one is looked at.
        let deadline = ContinuousClock.now + waitLimit
        while ContinuousClock.now < deadline {
            let attempt = try begin(scene)
            let trace = isWarm ? try ThreadTrace(of: scene.thread(thread), in: scene.scratch) : nil
            let answer = try scene.send(attempt.request)
            let log = try trace?.end()
            try attempt.finish(in: scene, name)
            guard answer.status == attempt.first else {
                #expect(answer.status == 202, "\(answer)")
                continue
            }
            if let log {
                return Strace.calls(in: log).filter { call in
                    call.paths.contains { $0.hasPrefix(scene.scratch.path) }
                }
            }
            isWarm = true
        }
        Issue.record("\(name): it always waited")
        return []
    }
}
