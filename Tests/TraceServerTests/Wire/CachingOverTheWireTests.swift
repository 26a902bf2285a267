import Foundation
import ProgramHarness
import TestSupport
import Testing

/// What a client has already is not sent again, and what is sent is compressed.
struct CachingOverTheWireTests {
    private let sample: ServedSample
    private let session = "/sessions/\(ServedSample.lateSetID)"
    private let gzip = ("Accept-Encoding", "gzip")

    init() throws { sample = try ServedSample(["TRACE_SETTLE_TIME": "500ms"]) }

    /// One after the other, with one daemon.
    @Test func `what the client has is not sent again`() throws {
        try `what is made of a session's files has their tag once they have rested`()
        try `each form of an answer has a tag of its own`()
        try `what depends on the present moment is never taken for what was sent before`()
        try `a change by another program is in the next answer`()
        try `a list is known by what it says`()
        try `an answer is compressed under a tag of its own`()
        try `a list that is streamed is compressed while it is sent`()
        try `files, short answers and what was not asked for so are sent as they are`()
        try `a handle that a second directory takes names neither of them any more`()
    }

    /// The strong tag of an address, once there is one.
    private func tag(_ path: String, _ fields: [(String, String)] = [], token: String? = nil) throws -> String
    {
        var answer = try sample.ask("GET", path, fields, token: token)
        try soon("the files of \(path) have rested: \(answer)") {
            answer = try sample.ask("GET", path, fields, token: token)
            return answer["etag"]?.hasPrefix("\"") == true
        }
        return try #require(answer["etag"])
    }

    private func `what is made of a session's files has their tag once they have rested`() throws {
        for path in ["", "/markers?limit=3", "/voice-notes", "/timeline", "/strip?cells=10", "/findings"] {
            let tag = try tag(session + path)
            let plain = try sample.ask("GET", session + path)
            #expect(plain["etag"] == tag, "\(path)")
            for method in ["GET", "HEAD"] {
                for names in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                    let answer = try sample.ask(method, session + path, [("If-None-Match", names)])
                    #expect(answer.status == 304, "\(method) \(path) \(names)")
                    #expect(answer["etag"] == tag && answer.body.isEmpty)
                    #expect(answer["content-location"] == plain["content-location"])
                    #expect(answer["vary"] == "Accept, Accept-Encoding, Cookie, Authorization")
                }
            }
            #expect(try sample.ask("GET", session + path, [("If-None-Match", "\"other\"")]).status == 200)
            #expect(try sample.ask("GET", session + path, [("If-Match", "\"other\"")]).status == 412)
            #expect(try sample.ask("GET", session + path, [("If-Match", tag)]).body == plain.body)
        }
    }

    private func `each form of an answer has a tag of its own`() throws {
        let reader = try sample.newToken("--scope", "read")
        let tags = [
            try tag(session), try tag(session, token: reader), try tag("\(session)/markers"),
            try tag("\(session)/markers?limit=3"), try tag("\(session)/markers?limit=4"),
            try tag("\(session)/markers?tag=highlight"), try tag("\(session)/strip?cells=3"),
            try tag("\(session)/findings"),
            try tag("\(session)/findings", [("Accept", "application/sarif+json")]),
        ]
        #expect(Set(tags).count == tags.count)
        // The order of the parameters makes no other answer.
        #expect(
            try tag("\(session)/markers?limit=3&tag=highlight")
                == tag("\(session)/markers?tag=highlight&limit=3"))
    }

    private func `what depends on the present moment is never taken for what was sent before`() throws {
        let path = "/sessions/\(ServedSample.activeID)/markers?offset_max=now"
        _ = try tag("/sessions/\(ServedSample.activeID)/markers")
        let named = try tag("/sessions/\(ServedSample.activeID)/markers?offset_max=end")
        let answer = try sample.ask("GET", path)
        #expect(answer["etag"] != named)
        #expect(try sample.ask("GET", path, [("If-None-Match", named)]).status == 200)
    }

    private func `a change by another program is in the next answer`() throws {
        let path = "\(session)/markers?limit=1000"
        let old = try tag(path)
        let rows = try sample.ask("GET", path).rows.count
        let strip = try sample.ask("GET", "\(session)/strip?cells=1").object["total"] as? Int
        let file = try FileHandle(
            forWritingTo: sample.session(ServedSample.lateSet).appending(path: "markers.jsonl"))
        try file.seekToEnd()
        try file.write(
            contentsOf: Data(
                (#"{"id":"01KGN6TZ8R3Q5V7X9Z1B3D5F7A","offset_ms":1,"created_at":"2026-02-05T10:00:00.000Z","#
                    + #""source":"user"}"# + "\n").utf8))
        try file.close()
        let answer = try sample.ask("GET", path, [("If-None-Match", old)])
        #expect(answer.status == 200 && answer.rows.count == rows + 1)
        #expect(answer["etag"]?.hasPrefix("W/") == true, "the file has not rested")
        #expect(try sample.ask("GET", "\(session)/strip?cells=1").object["total"] as? Int == (strip ?? 0) + 1)
        // Until it has, the bytes tell whether the client has them.
        let weak = try #require(answer["etag"])
        let again = try sample.ask("GET", path, [("If-None-Match", weak)])
        #expect(again.status == 304 || again["etag"]?.hasPrefix("\"") == true)
        let new = try tag(path)
        #expect(new != old)
        #expect(try sample.ask("GET", path, [("If-None-Match", old)]).status == 200)
        #expect(try sample.ask("GET", path, [("If-None-Match", new)]).status == 304)
    }

    private func `a list is known by what it says`() throws {
        for path in ["/sessions?limit=2", "/markers?limit=3", "/search?q=bass"] {
            var known = ""
            // The daemon may still note that files have come to rest.
            try soon("the index rests") {
                known = try tag(path)
                return try sample.ask("GET", path, [("If-None-Match", known)]).status == 304
            }
            let whole = try sample.ask("GET", path)
            let link = whole["link"]
            #expect((link != nil) == path.contains("limit"))
            let guest = try sample.newToken("--scope", "read", "--session", ServedSample.activeID)
            let other = try sample.ask("GET", path, [("If-None-Match", known)], token: guest)
            #expect(other.status == 200 && other["etag"] != known, "\(path): \(other)")
            #expect(other.body != whole.body)
            let id =
                "01KGN6TZ8R3Q5V7X9Z1B3D5\(path.contains("search") ? "F" : path.contains("mark") ? "G" : "H")8B"
            let mark = try sample.ask(
                "PUT", ServedSample.markerPath(id), json: ServedSample.marker("bass", at: 2000))
            #expect(mark.isWritten, "\(mark)")
            let changed = try sample.ask("GET", path, [("If-None-Match", known)])
            // The first markers are still the same.
            if try sample.ask("GET", path).body == whole.body {
                #expect(changed.status == 304 && changed["etag"] == known, "\(path): \(changed)")
                #expect(path.contains("markers"))
            } else {
                #expect(changed.status == 200 && changed["etag"] != known, "\(path): \(changed)")
            }
        }
    }

    private func `an answer is compressed under a tag of its own`() throws {
        for (path, type) in [
            ("\(session)/markers", "application/json"), ("\(session)/digest", "text/html"),
            ("\(session)/digest", "text/markdown"), ("/rules", "application/json"),
            ("/markers", "application/json"), ("//api/openapi.json", "application/json"),
        ] {
            let accept = ("Accept", type)
            _ = try tag(path, [accept])
            var plain = try sample.ask("GET", path, [accept])
            var packed = try sample.ask("GET", path, [accept, gzip])
            try soon("the index rests") {
                plain = try sample.ask("GET", path, [accept])
                packed = try sample.ask("GET", path, [accept, gzip])
                return packed["etag"] == plain["etag"].map { "\($0.dropLast())-gz\"" }
            }
            #expect(packed["content-encoding"] == "gzip" && plain["content-encoding"] == nil, "\(path)")
            #expect(
                packed.body.count < plain.body.count && packed["content-length"] == "\(packed.body.count)")
            #expect(try gunzip(packed.body) == plain.body, "\(path)")
            #expect(packed["vary"] == plain["vary"] && packed["content-type"] == plain["content-type"])
            let head = try sample.ask("HEAD", path, [accept, gzip])
            for name in ["etag", "content-encoding", "content-length", "content-type", "vary"] {
                #expect(head[name] == packed[name], "\(path): \(name)")
            }
            for tag in [plain["etag"], packed["etag"]].compactMap(\.self) {
                // Who does not say which codings it takes has what it was given once, in whatever coding.
                for fields in [[accept, gzip], [accept]] {
                    let known = try sample.ask("GET", path, fields + [("If-None-Match", tag)])
                    #expect(known.status == 304 && known["etag"] == tag, "\(path): \(known)")
                    #expect(known["content-encoding"] == nil && known.body.isEmpty)
                }
            }
            let refusing = [accept, ("Accept-Encoding", "identity"), ("If-None-Match", packed["etag"] ?? "")]
            let answer = try sample.ask("GET", path, refusing)
            #expect(answer.status == 200 && answer.body == plain.body, "\(path): \(answer)")
        }
    }

    private func `a list that is streamed is compressed while it is sent`() throws {
        let lines = ("Accept", "application/jsonl")
        let plain = try sample.ask("GET", "\(session)/markers", [lines])
        let packed = try sample.ask("GET", "\(session)/markers", [lines, gzip])
        #expect(packed["content-encoding"] == "gzip" && packed["transfer-encoding"] == "chunked")
        #expect(try gunzip(packed.body) == plain.body && !plain.body.isEmpty)
        let head = try sample.ask("HEAD", "\(session)/markers", [lines, gzip])
        #expect(head["content-encoding"] == "gzip")
    }

    private func `files, short answers and what was not asked for so are sent as they are`() throws {
        for path in ["\(session)/files/markers.jsonl", "\(session)/media/\(ServedSample.lateSetMedia)"] {
            let answer = try sample.ask("GET", path, [gzip])
            #expect(answer["content-encoding"] == nil && answer["accept-ranges"] == "bytes", "\(path)")
        }
        #expect(try sample.ask("GET", "//healthz", [gzip])["content-encoding"] == nil)
        #expect(
            try sample.ask("GET", "/rules", [("Accept-Encoding", "gzip;q=0, br")])["content-encoding"] == nil)
    }

    private func `a handle that a second directory takes names neither of them any more`() throws {
        let tag = try tag(session)
        #expect(try sample.ask("GET", session, [("If-None-Match", tag)]).status == 304)
        try sample.addSession(Array("twin".utf8), ["id": ServedSample.lateSetID])
        try soon("the index knows both") {
            try sample.ask("GET", session, [("If-None-Match", tag)]).status == 409
        }
    }
}
