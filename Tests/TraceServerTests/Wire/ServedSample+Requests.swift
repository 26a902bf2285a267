import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

extension ServedSample {
    /// The id of ``lateSet``, which is closed.
    static let lateSetID = "01KGN6HCMGFP2XYCHA2GHD03GQ"
    /// The id of ``active``.
    static let activeID = "01KH6Y2ENP8CHDTMR3J01NAY2F"
    /// A marker of ``lateSet`` to which no voice note refers.
    static let lateSetMarker = "01KGN6KABG4CSWE84XXM21GJG4"
    /// The recording of ``lateSet``.
    static let lateSetMedia = "01KGN78MX99GRPVT40K82R6N1F"

    /// A marker as a device sends it, without its id.
    static func marker(_ label: String = "from afar", at offset: Int = 1000) -> String {
        #"{"offset_ms":\#(offset),"created_at":"2026-02-05T10:00:00.000Z","source":"user","label":"\#(label)"}"#
    }

    /// A voice note as a device sends it, without its id and its audio.
    ///
    /// - Parameter attachment: What it says of the audio.
    static func voiceNote(
        at offset: Int = 1000, _ attachment: String = #"{"size":5,"type":"audio/mp4"}"#
    ) -> String {
        #"{"offset_ms":\#(offset),"duration_ms":700,"created_at":"2026-02-05T10:00:00.000Z","attachment":\#(attachment)}"#
    }

    /// The address of a voice note of a session.
    static func voiceNotePath(_ id: String, in session: String = lateSetID) -> String {
        "/sessions/\(session)/voice-notes/\(id)"
    }

    /// The address of a marker of a session.
    static func markerPath(_ id: String, in session: String = lateSetID) -> String {
        "/sessions/\(session)/markers/\(id)"
    }

    /// The bytes of a request, for tests that send many before they read an answer, or broken ones.
    func bytes(
        _ method: String, _ path: String, _ fields: [(String, String)] = [], json: String? = nil
    ) -> [UInt8] {
        let target = path.hasPrefix("//") ? String(path.dropFirst()) : "/api/v1\(path)"
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost", "Authorization: Bearer \(token)"]
        lines += fields.map { "\($0.0): \($0.1)" }
        if let json { lines += ["Content-Type: application/json", "Content-Length: \(json.utf8.count)"] }
        return Array((lines + ["", json ?? ""]).joined(separator: "\r\n").utf8)
    }

    /// Sends a body of any type over a new connection.
    ///
    /// - Parameter token: Instead of the one with all rights.
    func send(
        _ method: String, _ path: String, _ type: String, _ body: Data, _ fields: [(String, String)] = [],
        token: String? = nil
    ) throws -> WireAnswer {
        let all = fields + [("Authorization", "Bearer \(token ?? self.token)"), ("Content-Type", type)]
        let answer = try patiently(method) {
            try connect().request(method, "/api/v1\(path)", all, body: body)
        }
        expectDescribed(answer, method, "/api/v1\(path)")
        return answer
    }

    /// A file of a session as it is now.
    func contents(_ file: String, of session: String) throws -> Data {
        try Data(contentsOf: self.session(session).appending(path: file))
    }

    /// Every file below the sessions with its bytes.
    func filesOfSessions() throws -> [String: Data] {
        let root = copy.directory.appending(path: "sessions")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        return Dictionary(
            uniqueKeysWithValues: paths.map { path in
                (path, FileManager.default.contents(atPath: root.appending(path: path).path) ?? Data())
            })
    }

    /// Writes a session that has nothing but its `session.json` and empty journals.
    ///
    /// - Parameters:
    ///   - directory: The name of its directory, of any bytes.
    ///   - header: Members of `session.json` besides those that every session has, such as its id.
    func addSession(_ directory: [UInt8], _ header: [String: Any]) throws {
        let root = copy.directory.appending(path: "sessions").path
        let path = Array(root.utf8) + [UInt8(ascii: "/")] + directory
        try Self.makeDirectory(path)
        try Self.makeDirectory(path + Array("/media".utf8))
        var members: [String: Any] = [
            "title": "Made by a test", "created_at": "2026-02-01T18:00:00.000Z",
            "updated_at": "2026-02-01T18:00:00.000Z", "status": "active",
            "start_time": "2026-02-01T18:00:00.000Z", "timeline_path": "timeline.jsonl",
            "markers_path": "markers.jsonl", "transcript_path": NSNull(), "voice_notes_path": NSNull(),
            "digest_path": NSNull(), "media": [Any](),
        ]
        members.merge(header) { $1 }
        for file in ["markers.jsonl", "timeline.jsonl"] {
            try Self.write([], to: path + Array("/\(file)".utf8))
        }
        try Self.write(
            try JSONSerialization.data(withJSONObject: members), to: path + Array("/session.json".utf8))
    }

    private static func makeDirectory(_ path: [UInt8]) throws {
        let made = path.withCharacters { mkdir($0, 0o755) }
        guard made == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    /// Writes a file whose path may have any bytes.
    static func write(_ contents: some Sequence<UInt8>, to path: [UInt8]) throws {
        let descriptor = path.withCharacters { open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o644) }
        let bytes = Array(contents)
        guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        close(descriptor)
    }
}

extension [UInt8] {
    /// Hands them to a function of C as a string.
    fileprivate func withCharacters<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        (self + [0]).map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { buffer in
            body(buffer.baseAddress.unsafelyUnwrapped)
        }
    }
}

extension WireAnswer {
    /// Whether the token has asked too often; not whether too many wrong ones were tried.
    var isTooFast: Bool { status == 429 && (body.isEmpty || code == "too-many-requests") }

    /// The code of a problem; empty for any other answer.
    var code: String { object["code"] as? String ?? "" }

    /// The rows of a list; empty for any other answer.
    var rows: [[String: Any]] { json as? [[String: Any]] ?? [] }

    /// The outcomes of what was delivered: one, or one a line.
    var outcomes: [[String: Any]] {
        text.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// What each outcome is.
    var results: [String] { outcomes.compactMap { $0["result"] as? String } }

    /// Whether a record that was new is written: that is said the first time, or where it had to wait, when it is sent again.
    var isWritten: Bool {
        let result = object["result"] as? String
        return status == 201 && [nil, "applied"].contains(result)
            || hasWaited && status == 200 && result == "already-applied"
    }

    /// What is said of a journal that somebody is at.
    static let lockReason = "is being written by another process"

    /// Whether something waits, or was refused, because somebody is at its journal in this moment.
    var isHeldUp: Bool {
        switch status {
        case 503: return code == "session-locked"
        case 200 where self["content-type"] == "application/jsonl": break
        case 202: break
        default: return false
        }
        return outcomes.contains { outcome in
            let reason = outcome["reason"] as? String ?? ""
            return outcome["result"] as? String == "waiting"
                && (reason.contains(Self.lockReason)
                    || reason == "an entry before it could not be written")
        }
    }
}
