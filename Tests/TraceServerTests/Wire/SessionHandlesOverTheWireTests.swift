import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Sessions whose directories or ids are not as they should be: each has a handle, and is in the list once.
struct SessionHandlesOverTheWireTests {
    private let sample: ServedSample

    init() throws {
        sample = try ServedSample()
        try sample.addSession([0x6E, 0xFF, 0xFE, 0x78], ["id": number(1)])
        try sample.addSession(Array("new\nline".utf8), ["id": number(2)])
        try sample.addSession(Array("without".utf8), [:])
        try sample.addSession(Array("broken".utf8), ["id": "nonsense"])
        try sample.addSession(Array("lower".utf8), ["id": number(3).lowercased()])
        try sample.addSession(Array("one".utf8), ["id": number(4)])
        try sample.addSession(Array("two".utf8), ["id": number(4)])
        try sample.addSession(
            Array("long".utf8), ["id": number(5), "title": String(repeating: "t", count: 1 << 20)])
        try sample.addSession(Array("timeless".utf8), ["id": number(6), "start_time": NSNull()])
        try sample.addSession(Array("~122a1f3ed7579321".utf8), ["id": number(7)])
    }

    private func handles(_ rows: [[String: Any]]) -> [String] { rows.compactMap { $0["handle"] as? String } }

    /// One after the other, with one daemon.
    @Test func `every session has a handle`() throws {
        try `each has a handle of its own, by which all of it is found`()
        try `the pages of a list are complete, and nothing is on two of them`()
        try `a list of very many sessions has each of them once`()
        try `an id that two directories have names neither of them`()
        try `a session without an id can't be given records, and is left as it is`()
    }

    private func `each has a handle of its own, by which all of it is found`() throws {
        let rows = try sample.ask("GET", "/sessions?limit=1000").rows
        let handles = handles(rows)
        #expect(handles.count == 13)
        #expect(Set(handles).count == 13)
        for (handle, row) in zip(handles, rows) {
            let id = row["session_id"] as? String
            if let id, id != number(4) {
                #expect(handle == id)
            } else {
                #expect(handle.wholeMatch(of: #/~[0-9a-f]{16}/#) != nil, "\(handle)")
            }
            for rest in ["", "/markers", "/findings", "/files/session.json", "/digest", "/strip?cells=1"] {
                let answer = try sample.ask("GET", "/sessions/\(handle)\(rest)")
                #expect(answer.status == 200, "\(handle)\(rest): \(answer)")
            }
            let whole = try sample.ask("GET", "/sessions/\(handle)")
            #expect(whole["content-location"] == "/api/v1/sessions/\(handle)")
            #expect(whole.object["session_path"] as? String == row["session_path"] as? String)
        }
    }

    private func `the pages of a list are complete, and nothing is on two of them`() throws {
        for list in ["/sessions", "/markers"] {
            var paged: [[String: Any]] = []
            var next: String? = "\(list)?limit=2"
            while let path = next {
                let answer = try sample.ask("GET", path)
                #expect(answer.status == 200, "\(answer)")
                #expect(answer.rows.count <= 2)
                paged += answer.rows
                let link = answer["link"]?.firstMatch(of: #/<([^>]*)>; rel="next"/#)
                if link != nil { #expect(answer.rows.count == 2, "a page before the last is full") }
                next = link.map { "\(list)\($0.1)" }
                #expect(!(next ?? "").contains("sessions%2F") && !(next ?? "").contains("late-set"))
            }
            let whole = try sample.ask("GET", "\(list)?limit=1000")
            #expect(whole["link"] == nil)
            #expect(NSArray(array: paged) == NSArray(array: whole.rows))
            let names = paged.map { "\($0["handle"] ?? "")/\($0["id"] ?? "")" }
            #expect(Set(names).count == names.count)
            let lines = try sample.ask("GET", list, [("Accept", "application/jsonl")]).text.split(
                separator: "\n")
            #expect(lines.count == paged.count)
        }
    }

    private func `a list of very many sessions has each of them once`() throws {
        let sample = try ServedSample()
        let count = Torture.size(full: 10_000, sample: 1_100)
        for id in 0..<count { try sample.addSession(Array("s\(id)".utf8), ["id": number(1000 + id)]) }
        var seen: [String] = []
        var next: String? = "/sessions?limit=1000"
        while let path = next {
            let answer = try sample.ask("GET", path)
            #expect(answer.status == 200, "\(answer.status)")
            seen += handles(answer.rows)
            next = answer["link"]?.firstMatch(of: #/<([^>]*)>; rel="next"/#).map { "/sessions\($0.1)" }
        }
        #expect(seen.count == count + 3)
        #expect(Set(seen).count == seen.count)
    }

    private func `an id that two directories have names neither of them`() throws {
        let answer = try sample.ask("GET", "/sessions/\(number(4))")
        #expect(answer.status == 409)
        #expect(answer.code == "ambiguous-session")
        let hint = answer.object["hint"] as? String ?? ""
        let handles = hint.matches(of: #/~[0-9a-f]{16}/#).map { String($0.0) }
        #expect(Set(handles).count == 2)
        let marker = ServedSample.marker()
        #expect(
            try sample.ask("PUT", ServedSample.markerPath(number(20), in: number(4)), json: marker).status
                == 409)
        for (index, handle) in handles.enumerated() {
            #expect(try sample.ask("GET", "/sessions/\(handle)").status == 200)
            let path = ServedSample.markerPath(number(21 + index), in: handle)
            #expect(try sample.ask("PUT", path, json: marker).isWritten)
            #expect(try sample.ask("GET", "/sessions/\(handle)/markers").rows.count == 1, "each has its own")
        }
    }

    private func `a session without an id can't be given records, and is left as it is`() throws {
        for name in ["without", "broken", "lower"] {
            let before = try sample.contents("session.json", of: name)
            let handle = try #require(
                try sample.ask("GET", "/sessions/\(name)")["content-location"]?.split(separator: "/").last)
            let path = ServedSample.markerPath(number(30), in: String(handle))
            let answer = try sample.ask("PUT", path, json: ServedSample.marker())
            #expect(answer.status == 422, "\(name): \(answer)")
            #expect(answer.code == "no-session-id")
            #expect(try sample.contents("markers.jsonl", of: name).isEmpty)
            #expect(try sample.contents("session.json", of: name) == before)
        }
    }
}
