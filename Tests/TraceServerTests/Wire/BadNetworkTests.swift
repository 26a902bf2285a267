import Foundation
import ProgramHarness
import TestSupport
import Testing

/// A device whose network dies, or answers in the server's place: what it sends again stands once.
///
/// Source: docs/http.md#writing-so-that-nothing-is-lost-or-doubled.
struct BadNetworkTests {
    /// The audio of a voice note.
    private static let sound = "OggS and some sound"

    /// One write of a device, as its outbox keeps it.
    private struct Kept {
        let name: String
        let method: String
        /// Below the session.
        let path: String
        let type: String
        let body: String
        /// What the server says when it has done it, and when it had done so before.
        let first: String
        let again: String
    }

    /// The writes of a device, for records of new ids: a mark, a voice note's record, its audio, and a batch of two marks.
    private static func writes(_ number: (Int) -> String) -> [Kept] {
        let session = "/api/v1/sessions/\(ServedSample.lateSetID)"
        let note = ServedSample.voiceNote(#"{"size":\#(sound.utf8.count),"type":"audio/ogg"}"#)
        func entry(_ id: String) -> String {
            let time = #""created_at":"2026-02-05T10:00:00.000Z""#
            return
                #"{"id":"\#(id)","kind":"marker","session_id":"\#(ServedSample.lateSetID)",\#(time),"payload":"#
                + #"{"id":"\#(id)","offset_ms":5000,\#(time),"source":"user"}}"#
        }
        let json = "application/json"
        let notePath = "\(session)/voice-notes/\(number(2))"
        return [
            Kept(
                name: "mark", method: "PUT", path: "\(session)/markers/\(number(1))", type: json,
                body: ServedSample.marker(), first: "applied", again: "already-applied"),
            Kept(
                name: "record of a voice note", method: "PUT", path: notePath, type: json, body: note,
                first: "waiting", again: "waiting"),
            Kept(
                name: "audio", method: "PUT", path: "\(notePath)/audio", type: "audio/ogg", body: sound,
                first: "applied", again: "already-applied"),
            Kept(
                name: "batch", method: "POST", path: "/api/v1/queue", type: "application/jsonl",
                body: [entry(number(3)), entry(number(4))].joined(separator: "\n"), first: "applied",
                again: "already-applied"),
        ]
    }

    /// What an answer says became of the records; nil where it is not an answer of the server's, and so no acknowledgement.
    private static func results(_ answer: WireAnswer?) -> [String]? {
        guard let answer, (200..<300).contains(answer.status),
            ["application/json", "application/jsonl"].contains(answer["content-type"])
        else { return nil }
        // One record's answer is on one line, too.
        let rows = answer.text.split(separator: "\n").map { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] ?? [:]
        }
        let results = rows.compactMap { $0["result"] as? String }
        return results.isEmpty || results.count < rows.count ? nil : results
    }

    @Test func `what was not acknowledged is sent again, and stands once`() throws {
        let sample = try ServedSample()
        let harms = BadNetwork.Harm.allCases.filter { $0 != .none }
        var ids: [String] = []
        for (index, harm) in harms.enumerated() {
            let numbers = (0...4).map { number(100 + 10 * index + $0) }
            ids += numbers.dropFirst()
            for kept in Self.writes({ numbers[$0] }) {
                let what = "\(kept.name), \(harm)"
                let head = [
                    "\(kept.method) \(kept.path) HTTP/1.1", "Host: localhost", "Connection: close",
                    "Authorization: Bearer \(sample.token)", "Content-Type: \(kept.type)",
                    "Content-Length: \(kept.body.utf8.count)", "", "",
                ].joined(separator: "\r\n")
                let request = Array((head + kept.body).utf8)
                let network = try BadNetwork(to: sample.port)
                // Twice, for a network that stays so.
                for _ in 0..<2 {
                    let answer = try network.send(request, harm)
                    #expect(Self.results(answer) == nil, "\(what): \(answer.map { "\($0)" } ?? "")")
                }
                let hasArrived = [.cutBeforeAnswer, .cutWithinAnswer, .gatewayTimeout].contains(harm)
                let answer = try sample.patiently(kept.method) {
                    try #require(try network.send(request, .none), "\(what): no answer")
                }
                let results = Self.results(answer) ?? []
                // What had to wait may be written by the daemon or by this.
                let isOpen = network.hasWaited && [[kept.first], [kept.again]].contains(Set(results))
                #expect(
                    Set(results) == [hasArrived ? kept.again : kept.first] || isOpen, "\(what): \(answer)")
                #expect(results.count == (kept.name == "batch" ? 2 : 1), "\(what)")
            }
        }
        let lines = try ["markers.jsonl", "voice_notes.jsonl"].flatMap { file in
            String(decoding: try sample.contents(file, of: ServedSample.lateSet), as: UTF8.self)
                .split(separator: "\n")
        }
        for id in ids { #expect(lines.count { $0.contains(#""id":"\#(id)""#) } == 1, "\(id)") }
        // The drain that removes the entry of a voice note whose audio has come may be slower than this.
        try soon("nothing waits: \(try sample.ask("GET", "/queue"))") {
            try sample.ask("GET", "/queue").rows.isEmpty
        }
        try Binaries.trace(
            ["validate", sample.session(ServedSample.lateSet).path], in: sample.copy.directory)
    }
}
