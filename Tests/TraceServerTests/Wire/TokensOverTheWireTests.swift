import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

/// How a token is presented, and until when it lets its holder in.
struct TokensOverTheWireTests {
    private let sample: ServedSample
    private let path = "/sessions/\(ServedSample.lateSetID)"

    init() throws { sample = try ServedSample() }

    private func ask(_ fields: (String, String)...) throws -> WireAnswer {
        try sample.ask("GET", path, fields, token: "")
    }

    private func bearer(_ token: String) -> (String, String) { ("Authorization", "Bearer \(token)") }

    /// One after the other, with one daemon.
    @Test func `a token lets its holder in until it ends`() throws {
        try `only one token that is right lets anybody in, and the header goes before the cookie`()
        try `a token in a query is no token`()
        try `a token that has expired lets nobody in`()
        try `a token that is revoked is gone with the next request, on the same connection too`()
        try `a token revokes no other one unless it may do everything`()
        try `what is being sent ends with the token`()
    }

    private func `what is being sent ends with the token`() throws {
        let file = sample.session(ServedSample.lateSet).appending(path: "media/endless.wav")
        try Data().write(to: file)
        // It has no end within the life of this test.
        try #require(truncate(file.path, 1 << 40) == 0)
        func receive(_ token: String) throws -> WireClient {
            let client = try sample.connect()
            let target = "/api/v1\(path)/files/media/endless.wav"
            try client.send(
                "GET \(target) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n".utf8)
            #expect(try client.head().status == 200)
            _ = try client.take(1 << 20)
            return client
        }
        let lasting = try receive(sample.newToken("--scope", "read"))
        let expiring = try receive(sample.newToken("--scope", "read", "--expires", "2s"))
        let revoked = try receive(sample.newToken("--scope", "read", "--name", "guest"))
        try Binaries.trace(["token", "revoke", "guest"], in: sample.copy.directory)
        for client in [revoked, expiring] {
            #expect(throws: ConnectionClosed.self) { while true { _ = try client.take(1 << 20) } }
        }
        _ = try lasting.take(8 << 20)
        try FileManager.default.removeItem(at: file)
    }

    private func `only one token that is right lets anybody in, and the header goes before the cookie`()
        throws
    {
        let token = try sample.newToken("--scope", "read")
        let last = token.last == "0" ? "1" : "0"
        // As one of another server.
        let elsewhere = try sample.newToken("--scope", "admin", "--name", "gone")
        try Binaries.trace(["token", "revoke", "gone"], in: sample.copy.directory)
        for fields in [
            [], [bearer("")], [bearer("trace_")], [bearer(String(repeating: "x", count: 44))],
            [bearer(String(token.dropLast()) + last)], [bearer(elsewhere)], [bearer("bearer \(token)")],
            [("Authorization", "Bearer bearer x")], [("Authorization", "Basic dTpw")],
            [("Authorization", token)], [bearer(token), bearer(token)], [bearer("\(token), \(token)")],
            [bearer(String(repeating: "a", count: 5000))],
            [("Cookie", "trace=\(token); trace=\(token)")],
            [("Cookie", "trace=\(token)"), ("Cookie", "trace=\(token)")],
            [("Cookie", "__Host-trace=\(token)")], [("Cookie", "TRACE=\(token)")],
            [("Cookie", "trace=\"")], [("Cookie", "trace=")],
            [("Cookie", "trace=\(token)"), bearer(elsewhere)],
            [("Cookie", "trace=\(token)"), ("Authorization", "Bearer bearer x")],
        ] {
            let answer = try sample.ask("GET", path, fields, token: "")
            #expect(answer.status == 401, "\(fields): \(answer)")
            #expect(answer["www-authenticate"]?.hasPrefix("Bearer") == true, "\(fields)")
            #expect(!answer.text.contains(token), "no answer repeats a token")
        }
        let mistyped = try ask(bearer(String(token.dropLast()) + last))
        #expect(mistyped.code == "token-mistyped")
        #expect(mistyped.object["hint"] as? String == "copy the whole token, from 'trace_' on")
        for fields in [
            [bearer(token)], [("Authorization", "bEARER \(token)")], [bearer(token.uppercased())],
            [("Cookie", "trace=\(token)")], [("Cookie", "a=b; trace=\(token); c=d")],
            [("Cookie", "trace=\(elsewhere)"), bearer(token)],
            [("Cookie", "trace=x; trace=y"), bearer(token)],
        ] {
            let answer = try sample.ask("GET", path, fields, token: "")
            #expect(answer.status == 200, "\(fields): \(answer)")
        }
    }

    private func `a token in a query is no token`() throws {
        let token = try sample.newToken("--scope", "read")
        for name in ["token", "access_token", "authorization", "trace"] {
            #expect(try sample.ask("GET", "\(path)?\(name)=\(token)", token: "").status == 401)
            #expect(try sample.ask("GET", "\(path)?\(name)=\(token)").status == 400)
        }
    }

    @Test func `after too many wrong tokens an address has to wait`() throws {
        var statuses: [Int] = []
        for _ in 0..<30 { statuses.append(try ask(bearer("trace_wrong")).status) }
        #expect(statuses.prefix(20).allSatisfy { $0 == 401 })
        let answer = try ask(bearer("trace_wrong"))
        #expect(answer.status == 429)
        #expect(answer["retry-after"].flatMap { Int($0) } ?? 0 > 0)
        #expect(try sample.ask("GET", "//healthz", token: "").status == 200)
    }

    private func `a token that has expired lets nobody in`() throws {
        let token = try sample.newToken("--scope", "read", "--expires", "1s")
        var answer: WireAnswer?
        try soon("the token has expired: \(String(describing: answer))") {
            let now = try ask(bearer(token))
            answer = now
            return now.status == 401
        }
        #expect(answer?.code == "token-expired")
    }

    private func `a token that is revoked is gone with the next request, on the same connection too`() throws
    {
        func fields(_ token: String) -> [(String, String)] { [("Authorization", "Bearer \(token)")] }
        func revocations(_ revoke: (_ id: String, _ token: String) throws -> Void) throws {
            let token = try sample.newToken("--scope", "mark")
            let client = try sample.connect()
            let own = try client.request("GET", "/api/v1/tokens", fields(token))
            #expect(own.rows.count == 1, "a token sees itself alone: \(own)")
            try revoke(try #require(own.rows.first?["id"] as? String), token)
            let answer = try client.request("GET", "/api/v1\(path)", fields(token))
            #expect(answer.status == 401, "\(answer)")
            #expect(answer.code == "token-unknown")
        }
        try revocations { id, _ in
            try Binaries.trace(["token", "revoke", id], in: sample.copy.directory)
        }
        try revocations { id, _ in
            let statuses = try (0..<2).map { _ in try sample.ask("DELETE", "/tokens/\(id)").status }
            #expect(statuses == [204, 404])
        }
        try revocations { id, token in
            let answer = try sample.ask("DELETE", "/tokens/\(id)", token: token)
            #expect(answer.status == 204)
        }
        try revocations { _, token in
            let answer = try sample.ask("POST", "/logout", token: token)
            #expect(answer.status == 204)
            #expect(answer["set-cookie"]?.contains("Max-Age=0") == true)
            #expect(answer["clear-site-data"] == "\"cache\"")
        }
    }

    @Test
    func `while others could exchange the state directory no token counts, unless it is shared`()
        throws
    {
        let file = sample.copy.directory.appending(path: "config.yaml")
        try "".write(to: file, atomically: true, encoding: .utf8)
        try sample.restart(["TRACE_CONFIG": file.path])
        #expect(try sample.ask("GET", "/sessions").status == 200)
        try #require(chmod(sample.copy.directory.path, 0o777) == 0)
        let refused = try sample.ask("GET", "/sessions")
        #expect(refused.status >= 400 && refused.code == "access-exposed", "\(refused)")
        for (isShared, status) in [("yes", 200), ("no", refused.status)] {
            try "state_shared: \(isShared)\n".write(to: file, atomically: true, encoding: .utf8)
            kill(sample.daemon.id, SIGHUP)
            try soon("the settings are those of the file") {
                try sample.ask("GET", "/sessions").status == status
            }
        }
        try #require(chmod(sample.copy.directory.path, 0o755) == 0)
        #expect(try sample.ask("GET", "/sessions").status == 200)
    }

    @Test func `each answer names its token, and a browser that is signed out keeps none`() throws {
        let mark = try sample.newToken("--scope", "mark", "--session", ServedSample.active)
        let id = try #require(
            (try sample.ask("GET", "", token: mark).object["token"] as? [String: Any])?["id"] as? String)
        for (method, path, status) in [
            ("GET", "", 200), ("POST", "/login", 204), ("GET", "/sessions", 200), ("GET", "/markers", 200),
            ("GET", "/sessions/\(ServedSample.activeID)/files/markers.jsonl", 200),
            ("GET", "/sessions/\(ServedSample.lateSetID)", 404), ("GET", "/status", 403),
            ("PUT", "/sessions/\(ServedSample.activeID)/digest", 403),
        ] {
            let answer = try sample.ask(method, path, token: mark)
            #expect(answer.status == status, "\(method) \(path): \(answer)")
            #expect(answer["trace-token"] == id, "\(method) \(path): \(answer)")
            // Nobody on the way keeps it for another.
            let policy = answer["cache-control"] ?? ""
            #expect(policy.contains("private") || policy == "no-store", "\(method) \(path): \(policy)")
            #expect(answer["clear-site-data"] == nil)
            if let tag = answer["etag"] {
                let again = try sample.ask(method, path, [("If-None-Match", tag)], token: mark)
                #expect(again["trace-token"] == id, "\(path): \(again)")
            }
        }
        for token in ["", "trace_wrong"] {
            let answer = try sample.ask("GET", "/sessions", token: token)
            #expect(answer.status == 401 && answer["clear-site-data"] == "\"cache\"", "\(answer)")
            #expect(answer["trace-token"] == nil)
        }
    }

    private func `a token revokes no other one unless it may do everything`() throws {
        let list = try sample.ask("GET", "/tokens").rows
        let owner = try #require(list.first?["id"] as? String)
        let token = try sample.newToken("--scope", "mark")
        #expect(try sample.ask("DELETE", "/tokens/\(owner)", token: token).status == 404)
        let filtered = try sample.newToken("--scope", "admin", "--session", ServedSample.active)
        #expect(try sample.ask("DELETE", "/tokens/\(owner)", token: filtered).status == 404)
        #expect(try sample.ask("GET", "/tokens").status == 200)
    }
}
