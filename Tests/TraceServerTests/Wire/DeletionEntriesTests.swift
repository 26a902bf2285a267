import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Sessions that are deleted and restored by entries of the queue.
struct DeletionEntriesTests {
    private let sample: ServedSample
    private static let name = "2026-02-11-loop-practice"
    private static let session = "01KH6Y2ENP8CHDTMR3J01NAY2F"

    init() throws { sample = try ServedSample() }

    private func entry(_ id: Int, _ kind: String, session: String = Self.session) -> String {
        #"{"id":"\#(number(id))","kind":"session.\#(kind)","session_id":"\#(Self.session)","created_at":"2026-03-02T08:30:00.000Z","payload":{"session_id":"\#(session)"}}"#
    }

    private func send(_ id: Int, _ kind: String, token: String? = nil) throws -> WireAnswer {
        try sample.ask("PUT", "/queue/\(number(id))", token: token, json: entry(id, kind))
    }

    @Test func `who may administrate deletes and restores a session, and nobody else`() throws {
        let mark = try sample.newToken("--scope", "mark")
        for kind in ["remove", "restore"] {
            #expect(try send(300, kind, token: mark).code == "scope-insufficient")
            let batch = try sample.ask(
                "POST", "/queue", [("Content-Type", "application/jsonl")], token: mark,
                json: entry(300, kind) + "\n")
            #expect(batch.text.contains(#""code":"scope-insufficient""#), "\(batch)")
        }
        #expect(FileManager.default.fileExists(atPath: sample.session(Self.name).path))
        let wrong = try sample.ask(
            "PUT", "/queue/\(number(301))", json: entry(301, "remove", session: number(99)))
        #expect(wrong.status == 422 && wrong.text.contains("must name the session of the entry"), "\(wrong)")
        #expect(try send(301, "remove").object["result"] as? String == "applied")
        #expect(!FileManager.default.fileExists(atPath: sample.session(Self.name).path))
        #expect(try sample.ask("GET", "/bin").rows.count == 1)
        let marker =
            #"{"id":"\#(number(302))","kind":"marker","session_id":"\#(Self.session)","created_at":"2026-03-02T08:30:00.000Z","payload":{"id":"\#(number(302))","offset_ms":5,"created_at":"2026-03-02T08:30:00.000Z","source":"user","tags":[]}}"#
        let waits = try sample.ask("PUT", "/queue/\(number(302))", json: marker)
        #expect(waits.status == 202 && waits.text.contains("its session is in the bin"), "\(waits)")
        #expect(try send(303, "restore").object["result"] as? String == "applied")
        #expect(try sample.ask("GET", "/bin").rows.isEmpty)
        let markers = sample.session(Self.name).appending(path: "markers.jsonl")
        try soon("what waited is written once the session is back") {
            try String(contentsOf: markers, encoding: .utf8).contains(number(302))
        }
    }
}
