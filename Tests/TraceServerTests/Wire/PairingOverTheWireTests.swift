import Foundation
import ProgramHarness
import TestSupport
import Testing

/// How a device fetches its token for a code.
struct PairingOverTheWireTests {
    private let sample: ServedSample

    init() throws { sample = try ServedSample() }

    /// Begins a pairing by the command line.
    private func begin(_ arguments: String...) throws -> (code: String, secret: String) {
        let text = try Binaries.trace(["pair"] + arguments + ["--json"], in: sample.copy.directory)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        return (
            try #require(object?["code"] as? String), try #require(object?["secret"] as? String)
        )
    }

    private func pair(_ code: String, name: String = "phone") throws -> WireAnswer {
        try sample.ask("POST", "/pair", token: "", json: #"{"code":"\#(code)","name":"\#(name)"}"#)
    }

    /// One after the other, with one daemon.
    @Test func `a device fetches its token by a code`() throws {
        try `a code gives one device a token, in the answer and as a cookie`()
        try `a code is taken as people type it, and the secret of a QR code too`()
        try `what is not a code is not an attempt`()
        try `a browser behind a proxy with a password is paired, and its cookie counts`()
        try `a code stays where the cookie that it brings would not count`()
    }

    private func `a code gives one device a token, in the answer and as a cookie`() throws {
        let (code, _) = try begin("--scope", "read")
        let answer = try pair(code)
        #expect(answer.status == 201, "\(answer)")
        #expect(answer["cache-control"]?.contains("no-") == true)
        #expect(answer.object["name"] as? String == "phone")
        #expect(answer.object["scope"] as? String == "read")
        let token = try #require(answer.object["token"] as? String)
        let cookie = try #require(answer["set-cookie"])
        #expect(cookie.hasPrefix("trace=\(token);"))
        for part in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains(part)) }
        #expect(!cookie.contains("Domain"))
        #expect(try sample.ask("GET", "/sessions", token: token).status == 200)
        #expect(try sample.ask("GET", "/sessions", [("Cookie", "trace=\(token)")], token: "").status == 200)
        #expect(
            try sample.ask("PUT", ServedSample.markerPath(number(1)), token: token, json: "{}").status == 403)

        let again = try pair(code)
        #expect(again.status == 403)
        #expect(again.code == "pairing-code-refused")
    }

    private func `a code is taken as people type it, and the secret of a QR code too`() throws {
        let (code, _) = try begin()
        #expect(try pair(code.lowercased().replacing("-", with: " ")).status == 201)
        let (_, secret) = try begin("--name", "tablet")
        let answer = try pair(secret, name: "something else")
        #expect(answer.status == 201)
        #expect(answer.object["name"] as? String == "tablet", "the owner's name for it counts")
    }

    private func `a browser behind a proxy with a password is paired, and its cookie counts`() throws {
        let password = ("Authorization", "Basic YW5uOng=")
        let (code, _) = try begin("--scope", "mark")
        let paired = try sample.ask(
            "POST", "/pair", [password, ("Sec-Fetch-Site", "same-origin")], token: "",
            json: #"{"code":"\#(code)"}"#)
        #expect(paired.status == 201, "\(paired)")
        let token = try #require(paired.object["token"] as? String)
        let fields = [password, ("Cookie", "trace=\(token)"), ("Sec-Fetch-Site", "same-origin")]
        #expect(try sample.ask("GET", "/sessions", fields, token: "").status == 200)
        let marked = try sample.ask(
            "PUT", ServedSample.markerPath(number(90)), fields, token: "", json: ServedSample.marker())
        #expect(marked.isWritten, "\(marked)")
        let foreign = try sample.ask(
            "PUT", ServedSample.markerPath(number(91)), [password, ("Cookie", "trace=\(token)")], token: "",
            json: ServedSample.marker())
        #expect(foreign.code == "origin-foreign", "a password of the proxy frees nobody from the check")
        #expect(try sample.ask("GET", "/sessions", [password], token: "").code == "token-missing")
    }

    private func `a code stays where the cookie that it brings would not count`() throws {
        let (code, _) = try begin()
        for (field, refusal) in [
            (("Authorization", "Token x"), "credential-malformed"),
            (("Origin", "https://proxy.example"), "origin-foreign"),
            (("Sec-Fetch-Site", "cross-site"), "origin-foreign"),
        ] {
            let refused = try sample.ask("POST", "/pair", [field], token: "", json: #"{"code":"\#(code)"}"#)
            #expect(refused.code == refusal, "\(field): \(refused)")
        }
        #expect(try pair(code).status == 201)
    }

    @Test func `five wrong codes end those that wait, and more than ten a minute are not looked at`() throws {
        let (code, _) = try begin()
        for wrong in ["0000-0000", "0000-0001", "x", "", "0000-0002"] {
            let answer = try pair(wrong)
            #expect(answer.status == 403, "\(answer)")
            #expect(answer.code == "pairing-code-refused", "no answer tells one wrong code from another")
        }
        #expect(try pair(code).status == 403, "the right one has ended")
        var last = try pair("0000-0000")
        for _ in 0..<10 { last = try pair("0000-0000") }
        #expect(last.status == 429)
        #expect(last["retry-after"].flatMap { Int($0) } ?? 0 > 0)
        #expect(try sample.ask("GET", "/sessions").status == 200, "who has a token is not hindered")
    }

    private func `what is not a code is not an attempt`() throws {
        for json in ["{}", #"{"code":1}"#, #"{"code":null}"#, #"{"code":"x","other":1}"#, "[]", "x"] {
            #expect(try sample.ask("POST", "/pair", token: "", json: json).status == 422, "\(json)")
        }
        #expect(try sample.ask("POST", "/pair", token: "").status == 400)
        #expect(try sample.ask("GET", "/pair", token: "")["allow"] == "OPTIONS, POST")
        let form = [("Content-Type", "application/x-www-form-urlencoded")]
        #expect(try sample.ask("POST", "/pair", form, token: "", json: "code=0000-0000").status == 415)
        let (code, _) = try begin()
        #expect(try pair(code).status == 201)
    }
}
