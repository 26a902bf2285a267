import Foundation
import Glibc
import HTTPTypes
import ProgramHarness
import TestSupport
import Testing

@testable import TraceServer

/// Files that the daemon's user may not read: they are told as such, with the cure, and never as a failure of the server.
struct UnreadableFilesOverTheWireTests {
    private let sample: ServedSample

    init() throws {
        // Root reads everything, unless it is taken from it.
        sample = try ServedSample { _ in
            geteuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
        }
        #expect(try FilledRoutes.prepare(sample).status == 202)
    }

    @Test func `a file of mode 000 is 403 with the cure, and no route fails by it`() throws {
        let session = sample.session(ServedSample.lateSet)
        let late = "/sessions/\(ServedSample.lateSetID)"
        let media = "01KGN78MX99GRPVT40K82R6N1F-review.m4a"
        for (name, path) in [
            ("digest.md", "\(late)/digest"), ("digest.md", "\(late)/files/digest.md"),
            ("markers.jsonl", "\(late)/files/markers.jsonl"),
            ("media/\(media)", "\(late)/media/\(ServedSample.lateSetMedia)"),
            ("media/\(media)", "\(late)/files/media/\(media)"), ("media", "\(late)/files/media/\(media)"),
        ] {
            let file = session.appending(path: name).path
            try #require(chmod(file, 0) == 0)
            let answer = try sample.ask("GET", path)
            #expect(answer.status == 403 && answer.code == "permission-denied", "\(name): \(answer)")
            #expect((answer.object["hint"] as? String)?.contains("permission") == true, "\(answer)")
            try #require(chmod(file, 0o755) == 0)
            #expect(try sample.ask("GET", path).status == 200)
        }
        for name in ["session.json", "markers.jsonl", "timeline.jsonl", "digest.md", "media", ""] {
            let file = session.appending(path: name).path
            try #require(chmod(file, 0) == 0)
            for endpoint in Endpoint.routed
            where endpoint.path.hasPrefix("/sessions") && endpoint.method != .put
                && endpoint.id != "getEvents" && endpoint.id != "deleteSession"
            {
                let (fields, body) = FilledRoutes.request(endpoint)
                let answer = try sample.ask(
                    endpoint.method.rawValue, FilledRoutes.path(of: endpoint), fields, json: body)
                #expect(answer.status != 500, "\(name), \(endpoint.id): \(answer)")
            }
            try #require(chmod(file, 0o755) == 0)
        }
    }

    @Test func `a session that can't be read lacks in an answer about all of them, which says so`() throws {
        let sessions = [ServedSample.lateSetID, ServedSample.activeID]
        for (index, session) in sessions.enumerated() {
            let marker = ServedSample.markerPath(number(70 + index), in: session)
            let json = #"{"offset_ms":1000,"label":"everywhere"}"#
            #expect(try sample.ask("PUT", marker, json: json).isWritten)
        }
        func search() throws -> WireAnswer { try sample.ask("GET", "/search?q=everywhere") }
        let whole = try search()
        #expect(whole.rows.count == 2 && whole["trace-left-out"] == nil, "\(whole)")
        let file = sample.session(ServedSample.lateSet).appending(path: "markers.jsonl").path
        try #require(chmod(file, 0) == 0)
        let answer = try search()
        #expect(answer.status == 200 && answer.rows.count == 1, "\(answer)")
        #expect(answer["trace-left-out"] == "1", "\(answer)")
        try #require(chmod(file, 0o644) == 0)
        try soon("it is answered as before") {
            let again = try search()
            return again.rows.count == 2 && again["trace-left-out"] == nil
        }
    }
}
