import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Links by which players get a recording without a header.
struct MediaLinksTests {
    private let sample: ServedSample
    private let token: String

    init() throws {
        sample = try ServedSample()
        token = try sample.newToken(
            "--scope", "read", "--name", "player", "--session", ServedSample.lateSetID)
    }

    private static let media = "/sessions/\(ServedSample.lateSetID)/media/\(ServedSample.lateSetMedia)"

    private func link() throws -> String {
        let made = try sample.ask("POST", Self.media + "/link", token: token)
        #expect(made.status == 200, "\(made)")
        let expires = try #require(made.object["expires"] as? String)
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let end = try format.parse(expires)
        #expect(abs(end.timeIntervalSinceNow - 12 * 3600) < 60)
        return try #require(made.object["url"] as? String)
    }

    private func play(
        _ target: String, _ method: String = "GET", _ fields: [(String, String)] = []
    ) throws -> WireAnswer {
        try sample.connect().request(method, target, fields)
    }

    @Test func `a link plays one recording, by ranges, and nothing else`() throws {
        let link = try link()
        #expect(link.hasPrefix("/api/v1/sessions/"))
        let whole = try play(link)
        #expect(whole.status == 200 && whole["content-type"] == "audio/mp4", "\(whole.status)")
        let part = try play(link, "GET", [("Range", "bytes=4-7")])
        #expect(part.status == 206 && part.text == "ftyp")
        #expect(try play(link, "HEAD").status == 200)
        // As a page of another site would have it.
        #expect(
            try play(link, "GET", [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Dest", "audio")]).status
                == 200)

        let query = link.drop { $0 != "?" }
        let expiry = try #require(link.firstMatch(of: #/exp=(\d+)/#)?.1)
        let later = try #require(Int(expiry)) + 1
        let other = try sample.newToken("--scope", "admin", "--name", "other")
        let otherID = try #require(
            (try sample.ask("GET", "//api/v1", token: other).object["token"] as? [String: Any])?["id"]
                as? String)
        let ownID = try #require(link.firstMatch(of: #/tid=([0-9A-Z]+)/#)?.1)
        let wrong = [
            link.replacing("exp=\(expiry)", with: "exp=\(later)"), link.replacing("exp=", with: "exp=0"),
            link.replacing(ownID, with: otherID), link + "&x=1", link + "&sig=a", "\(link)a",
            String(link.dropLast()), link.replacing(#/&sig=.*/#, with: "&sig="),
            link.replacing(ServedSample.lateSetMedia, with: ServedSample.lateSetMarker),
            link.replacing(ServedSample.lateSetMedia, with: ServedSample.lateSetMedia.lowercased()),
            link.replacing("/media/", with: "/media/%30").replacing("%300", with: "%30"),
        ]
        for target in wrong where target != link {
            let answer = try play(target)
            #expect(answer.status == 401, "\(target): \(answer)")
            #expect(!answer.text.contains("sig="), "\(answer)")
        }
        for path in ["", "/markers", "/files/session.json"] {
            let answer = try play("/api/v1/sessions/\(ServedSample.lateSetID)\(path)\(query)")
            #expect([400, 401].contains(answer.status), "\(path): \(answer)")
        }
        #expect(try play(link, "POST").status == 405)
        #expect(try play(link).status == 200, "wrong ones have not used it up")
        #expect(!sample.daemon.log.contains("sig="))
    }

    @Test func `a link ends with its token, and can't show what the token can't`() throws {
        let link = try link()
        let elsewhere = "/sessions/\(ServedSample.activeID)/media/\(ServedSample.lateSetMedia)/link"
        #expect(try sample.ask("POST", elsewhere, token: token).status == 404)
        let missing = "/sessions/\(ServedSample.lateSetID)/media/\(number(1))/link"
        #expect(try sample.ask("POST", missing, token: token).code == "no-such-media")
        try sample.restart()
        #expect(try play(link).status == 200, "the key lasts")
        try Binaries.trace(["token", "revoke", "player"], in: sample.copy.directory)
        let answer = try play(link)
        #expect(answer.status == 401 && answer.code == "link-invalid", "\(answer)")
        for _ in 0..<30 { _ = try play(link) }
        #expect(try play(link).status == 429, "guessing has a limit")
    }

    @Test func `a guest's token becomes a cookie, which is renewed by use`() throws {
        let login = try sample.ask("POST", "/login", token: token)
        #expect(login.status == 204, "\(login)")
        let cookie = try #require(login["set-cookie"])
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "\(cookie)")
        let pair = String(cookie.prefix { $0 != ";" })
        let fields = [("Cookie", pair), ("Sec-Fetch-Site", "same-origin"), ("Origin", "http://localhost")]
        let seen = try play("/api/v1/sessions", "GET", fields)
        #expect(seen.status == 200 && (seen.json as? [Any])?.count == 1, "\(seen)")
        let renewed = try play("/api/v1/login", "POST", fields)
        #expect(renewed.status == 204 && renewed["set-cookie"]?.hasPrefix(pair) == true, "\(renewed)")
        let foreign = try play("/api/v1/login", "POST", [("Cookie", pair), ("Sec-Fetch-Site", "cross-site")])
        #expect(foreign.status == 403, "\(foreign)")
    }
}
