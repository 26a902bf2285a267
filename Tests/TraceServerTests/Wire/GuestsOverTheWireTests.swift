import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What a guest sees who was given one session: that one, and no sign of any other.
struct GuestsOverTheWireTests {
    private let sample: ServedSample
    private let guest: String

    init() throws {
        sample = try ServedSample()
        guest = try sample.newToken("--scope", "read", "--session", ServedSample.active)
    }

    private func ask(_ path: String, _ fields: [(String, String)] = []) throws -> WireAnswer {
        try sample.ask("GET", path, fields, token: guest)
    }

    /// One after the other, with one daemon.
    @Test func `a guest sees the session of the link, and nothing else`() throws {
        try `another session is not there, by any of its names`()
        try `lists, search, moments and figures are about the guest's session alone`()
        try `what is about the whole machine is closed`()
        try `no answer names a place of this machine`()
        try `a guest who may mark marks in this session alone`()
    }

    private func `another session is not there, by any of its names`() throws {
        for rest in [
            "", "/files/session.json", "/files/media/01KGN78MX99GRPVT40K82R6N1F-review.m4a",
            "/media/01KGN78MX99GRPVT40K82R6N1F", "/markers", "/markers/01KGN6KABG4CSWE84XXM21GJG4",
            "/voice-notes", "/transcript", "/timeline", "/strip?cells=10", "/export?format=csv", "/digest",
            "/findings", "/actions", "/actions/01KGN7CZYY8YHX3AE2YBEZTGCW", "/position",
        ] {
            let names = [
                ServedSample.lateSetID, ServedSample.lateSet, "01KGN6",
                "Late%20set,%20Caf%C3%A9%20%C3%9Cbersee",
            ]
            for name in names {
                #expect(
                    try sample.ask("GET", "/sessions/\(name)\(rest)").status == 200, "\(name) is its name")
                let answer = try ask("/sessions/\(name)\(rest)")
                #expect(answer.status == 404, "\(name): \(answer)")
                // Nothing tells it from a session that there never was.
                let absent = try ask("/sessions/\(number(77))\(rest)")
                #expect(absent.code == answer.code && absent.object["detail"] as? String != nil)
            }
        }
    }

    private func `lists, search, moments and figures are about the guest's session alone`() throws {
        let foreign = [
            ServedSample.lateSetID, "01KG336XKC8RDC1SJ36JPCFNYP", "late-set", "rehearsal", "bersee",
        ]
        func expectOwn(_ path: String, _ fields: [(String, String)] = []) throws {
            let answer = try ask(path, fields)
            #expect(answer.status == 200, "\(path): \(answer)")
            for word in foreign { #expect(!answer.text.contains(word), "\(path): \(answer)") }
        }
        for path in [
            "/sessions", "/sessions?limit=1", "/sessions?problems=true", "/sessions?status=closed",
            "/sessions?tag=structure", "/markers", "/markers?limit=1", "/search?q=theme",
            "/search?q=%C3%9Cbersee",
            "/search?q=drone", "/at?time=2026-02-04T20:50Z", "/findings", "/digest",
            "/digest?since=2026-01-01", "/tokens", "//api/v1",
        ] {
            try expectOwn(path)
        }
        for path in ["/sessions", "/markers"] { try expectOwn(path, [("Accept", "application/jsonl")]) }
        try expectOwn("/digest", [("Accept", "text/markdown")])
        try expectOwn("/digest", [("Accept", "text/html")])
        #expect(try ask("/sessions").rows.count == 1)
        #expect(try ask("/sessions?limit=1")["link"] == nil, "there is no sign of more")
        #expect(try ask("/search?q=%C3%9Cbersee").rows.isEmpty)
        #expect(
            try sample.ask("GET", "/search?q=%C3%9Cbersee").rows.isEmpty == false,
            "there is something to find")
        let other = "/search?match=prefix&q=%C3%9Cbers&session=\(ServedSample.lateSetID)"
        #expect(try ask(other).code == "no-such-session")
        #expect(try sample.ask("GET", other).rows.isEmpty == false)
        #expect(try ask("/at?time=2026-02-04T20:50Z").rows.isEmpty)
        #expect(try ask("/at?time=2026-02-11T18:10Z").rows.count == 1)
        #expect(try ask("/findings").rows.isEmpty)
        #expect(try ask("/digest").object["session_count"] as? Int == 1)
        #expect(try ask("/sessions/last").object["session_id"] as? String == ServedSample.activeID)
    }

    private func `what is about the whole machine is closed`() throws {
        for path in ["/status", "/queue", "/queue/\(number(1))", "//metrics"] {
            let answer = try ask(path)
            #expect(answer.status == 403, "\(path): \(answer)")
            #expect(answer.code == "token-filtered")
        }
    }

    private func `no answer names a place of this machine`() throws {
        let path = sample.copy.directory.path
        for address in [
            "/sessions", "/sessions/\(ServedSample.activeID)", "/sessions/\(ServedSample.activeID)/digest",
            "/sessions/\(ServedSample.activeID)/findings", "/search?q=loop", "/at?time=2026-02-11T18:10Z",
            "/sessions/\(ServedSample.activeID)/files/media/none.m4a", "/sessions/none", "/digest",
        ] {
            let answer = try ask(address)
            #expect(!answer.text.contains(path) && !answer.text.contains("/tmp/"), "\(address): \(answer)")
        }
    }

    private func `a guest who may mark marks in this session alone`() throws {
        let token = try sample.newToken("--scope", "mark", "--session", ServedSample.active)
        let before = try sample.contents("markers.jsonl", of: ServedSample.lateSet)
        func put(_ path: String, _ json: String) throws -> WireAnswer {
            try sample.ask("PUT", path, token: token, json: json)
        }
        let marker = ServedSample.marker()
        #expect(try put(ServedSample.markerPath(number(1)), marker).status == 404)
        let entry = FilledRoutes.entry(number(2), for: ServedSample.lateSetID)
        #expect(try put("/queue/\(number(2))", entry).status == 404)
        let unknown = FilledRoutes.entry(number(3), for: number(50))
        #expect(try put("/queue/\(number(3))", unknown).status == 404)
        let batch = try sample.ask(
            "POST", "/queue", [("Content-Type", "application/jsonl")], token: token, json: entry)
        #expect(batch.status == 200)
        #expect(batch.text.contains("rejected") && batch.text.contains("no-such-session"), "\(batch)")
        #expect(try put("/sessions/\(number(4))", "{}").status == 404, "it would not see the session")
        #expect(try put(ServedSample.markerPath(number(5), in: ServedSample.activeID), marker).isWritten)
        #expect(try sample.contents("markers.jsonl", of: ServedSample.lateSet) == before)
    }
}
