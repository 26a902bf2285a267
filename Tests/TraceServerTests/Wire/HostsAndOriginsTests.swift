import Foundation
import ProgramHarness
import TestSupport
import Testing

/// By which names the server may be called, which addresses lead where, and what other sites can make a browser do.
struct HostsAndOriginsTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    /// One after the other, with one daemon.
    @Test func `a request is for this server, and from its own page`() throws {
        try `a request for another host is refused, whatever its address is`()
        try `a target that is not a path is refused`()
        try `no spelling of an address frees it from the token`()
        try `a page of another site changes nothing by the cookie`()
        try `its own page does, with a body that says what it is`()
        try `no answer allows another site to read it`()
    }

    private func `a request for another host is refused, whatever its address is`() throws {
        for target in ["//healthz", "/sessions", "/pair", "//none"] {
            for host in [
                "evil.example", "10.1.2.3", "127.0.0.2", "localhost.", "127.0.0.1.nip.io",
                "localhost.evil.example",
                "evil.example:80", "[::2]", "0.0.0.0",
            ] {
                let answer = try sample.ask("GET", target, [("Host", host)])
                #expect(answer.status == 421, "\(host) \(target): \(answer)")
                #expect(answer.code == "host-unknown")
            }
            for host in ["", "a b", "localhost, localhost", "localhost:x", "user@localhost", "local/host"] {
                let answer = try sample.ask("GET", target, [("Host", host)])
                #expect(answer.status == 400, "'\(host)' \(target): \(answer)")
            }
            let two = try sample.ask("GET", target, [("Host", "localhost"), ("Host", "localhost")])
            #expect(two.status == 400)
        }
        for host in [
            "localhost", "LocalHost", "localhost:1", "127.0.0.1", "127.0.0.1:\(sample.port)", "[::1]:99",
        ] {
            #expect(try sample.ask("GET", "//healthz", [("Host", host)]).status == 200, "\(host)")
        }
        // As a browser does it that believes that a foreign name is this machine.
        let rebound = try Scratch().run(
            "/usr/bin/curl",
            ["--silent", "--write-out", "%{http_code}", "--output", "/dev/null", "--max-time", "60"]
                + ["--resolve", "evil.example:\(sample.port):127.0.0.1"]
                + ["--oauth2-bearer", sample.token, "http://evil.example:\(sample.port)/api/v1/sessions"])
        #expect(rebound.output == "421", "\(rebound)")
        let client = try sample.connect()
        try client.send("GET /healthz HTTP/1.1\r\n\r\n".utf8)
        #expect(try client.answer().status == 400, "a request without Host")
    }

    private func `a target that is not a path is refused`() throws {
        for target in [
            "http://localhost/healthz", "https://evil.example/healthz", "localhost:80", "healthz", "?x", "*",
        ] {
            let client = try sample.connect()
            try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            let answer = try client.answer()
            #expect(answer.status == 400, "\(target): \(answer)")
        }
    }

    private func `no spelling of an address frees it from the token`() throws {
        for target in [
            "/api/v1/sessions?x=/api/v1/pair", "/api/v1//sessions", "//api/v1/sessions", "/API/v1/sessions",
            "/api/V1/sessions", "/healthz/../api/v1/sessions", "/healthz/%2e%2e/api/v1/sessions",
            "/api/v1/sessions;jsessionid=1", "/healthz;/api/v1/sessions", "/api/v1/sessions/",
            "/api/v1/%73essions",
            "/api/v1/pair/../sessions", "/api/v1/sessions%2f", "/api/v1/sessions%00", "/api/v1/sessions%3f",
            "/api%2fv1%2fsessions", "/api/v1/sessions#/healthz", "/healthz%2f..%2fapi/v1/sessions",
            "/api",
            "/api/v1", "/healthz/api/v1/sessions", "/api/v1/sessions?access=anyone", "/metrics",
            "/metrics?x=/healthz",
        ] {
            let answer = try sample.ask("GET", "/\(target)", token: "")
            #expect([400, 401, 404].contains(answer.status), "\(target): \(answer)")
        }
    }

    // MARK: - Other sites

    private func `a page of another site changes nothing by the cookie`() throws {
        let token = try sample.newToken("--scope", "admin")
        let before = try sample.filesOfSessions()
        let foreign: [[(String, String)]] = [
            [], [("Origin", "null")], [("Origin", "http://evil.example")], [("Origin", "http://localhost:1")],
            [("Origin", "https://localhost")], [("Origin", "http://localhost.evil.example")],
            [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")],
            [("Sec-Fetch-Site", "none")],
            [("Sec-Fetch-Site", "cross-site"), ("Origin", "http://localhost")],
            [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "same-origin")],
            [("Referer", "http://localhost/")],
        ]
        let types = [
            "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/plain",
            "application/json",
        ]
        let markers = "/sessions/\(ServedSample.lateSetID)/markers"
        for fields in foreign {
            let all = fields + [("Cookie", "trace=\(token)")]
            for type in types {
                let answer = try sample.ask(
                    "POST", markers, all + [("Content-Type", type)], token: "", json: #"{"offset":"0:10"}"#)
                #expect(answer.status == 403, "\(fields) \(type): \(answer)")
                #expect(answer.code == "origin-foreign")
            }
            for (method, path) in [
                ("POST", "/sessions/\(ServedSample.activeID)/close"), ("POST", "/queue/flush"),
                ("POST", "/logout"),
                ("DELETE", ServedSample.markerPath(ServedSample.lateSetMarker)),
            ] {
                #expect(try sample.ask(method, path, all, token: "").status == 403, "\(fields) \(path)")
            }
            #expect(try sample.ask("GET", "/sessions", all, token: "").status == 200, "reading is harmless")
        }
        #expect(try sample.filesOfSessions() == before)
    }

    private func `its own page does, with a body that says what it is`() throws {
        let token = try sample.newToken("--scope", "mark")
        let markers = "/sessions/\(ServedSample.lateSetID)/markers"
        for origin in [
            ("Sec-Fetch-Site", "same-origin"), ("Origin", "http://localhost"),
            ("Origin", "http://LOCALHOST:80"),
        ] {
            let fields = [origin, ("Cookie", "trace=\(token)")]
            let answer = try sample.ask("POST", markers, fields, token: "", json: #"{"offset":"0:10"}"#)
            #expect(answer.isWritten, "\(origin): \(answer)")
            for type in ["text/plain", "application/x-www-form-urlencoded", ""] {
                let refused = try sample.ask(
                    "POST", markers, fields + [("Content-Type", type)], token: "", json: #"{"offset":"0:10"}"#
                )
                #expect(refused.status == 415, "\(type): \(refused)")
            }
        }
    }

    private func `no answer allows another site to read it`() throws {
        for path in [
            "/sessions", "//healthz", "/none", "/sessions/\(ServedSample.lateSetID)/files/session.json",
        ] {
            let answer = try sample.ask("GET", path, [("Origin", "http://evil.example")])
            #expect(!answer.fields.contains { $0.0.hasPrefix("access-control-") }, "\(path)")
            // As a script, an image, a frame or ahead of time: the answer is the same, and says that it is none of these.
            for fields in [
                [("Sec-Fetch-Dest", "script"), ("Sec-Fetch-Mode", "no-cors")], [("Sec-Fetch-Dest", "image")],
                [("Sec-Fetch-Dest", "iframe")], [("Sec-Purpose", "prefetch")],
            ] {
                let embedded = try sample.ask("GET", path, fields + [("Sec-Fetch-Site", "cross-site")])
                #expect(embedded.status == answer.status, "\(path) \(fields)")
                for name in ["content-type", "x-content-type-options", "cross-origin-resource-policy"] {
                    #expect(embedded[name] == answer[name], "\(path) \(fields) \(name)")
                }
            }
            #expect(answer["cross-origin-resource-policy"] == "same-origin")
            #expect(answer["x-content-type-options"] == "nosniff")
            #expect(answer["referrer-policy"] == "no-referrer")
            #expect(answer["content-security-policy"]?.contains("default-src 'none'") == true)
            #expect(answer["content-security-policy"]?.contains("frame-ancestors 'none'") == true)
        }
        let preflight = try sample.ask(
            "OPTIONS", "/sessions",
            [("Origin", "http://evil.example"), ("Access-Control-Request-Method", "PUT")],
            token: "")
        #expect(!preflight.fields.contains { $0.0.hasPrefix("access-control-") })
    }
}
