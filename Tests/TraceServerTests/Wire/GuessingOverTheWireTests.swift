import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Clients that try tokens and codes by the thousand, from one address and from many.
struct GuessingOverTheWireTests {
    private static let count = Torture.size(full: 10_000, sample: 400)
    private let sample: ServedSample

    /// A proxy on this machine says where the clients are.
    init() throws { sample = try ServedSample(["TRACE_HTTP_TRUSTED_PROXIES": "127.0.0.1"]) }

    private static func from(_ address: String) -> (String, String) { ("X-Forwarded-For", address) }

    /// One after the other, with one daemon.
    @Test func `who guesses has to wait, and nobody else`() throws {
        try `wrong tokens from one address`()
        try `wrong tokens from a network of IPv6`()
        try `wrong tokens from a hundred addresses`()
        try `wrong codes from a hundred addresses`()
    }

    /// How many guesses were answered with each status.
    private func guess(from address: (Int) -> String) throws -> [Int: Int] {
        let client = try sample.connect()
        // Well-formed, and of no token: as of another server.
        let gone = try sample.newToken("--scope", "admin", "--name", "gone")
        try Binaries.trace(["token", "revoke", "gone"], in: sample.copy.directory)
        let wrong = [gone, "trace_wrong", "x", String(gone.dropLast()) + (gone.last == "0" ? "1" : "0")]
        var statuses: [Int: Int] = [:]
        for number in 0..<Self.count {
            let token = wrong[number % wrong.count]
            let answer = try client.request(
                "GET", "/api/v1/sessions",
                [("Authorization", "Bearer \(token)"), Self.from(address(number))])
            statuses[answer.status, default: 0] += 1
        }
        return statuses
    }

    private func expectUnhindered() throws {
        let owner = Self.from("198.51.100.7")
        #expect(try sample.ask("GET", "/sessions", [owner]).status == 200, "the owner, elsewhere")
        #expect(try sample.ask("GET", "//healthz", [Self.from("203.0.113.1")], token: "").status == 200)
    }

    private func `wrong tokens from one address`() throws {
        let statuses = try guess { _ in "203.0.113.1" }
        #expect(Set(statuses.keys) == [401, 429], "\(statuses)")
        #expect(statuses[401] ?? 0 >= 20 && statuses[429] ?? 0 > Self.count / 2, "\(statuses)")
        let client = try sample.connect()
        func ask(_ path: String, _ token: String? = nil) throws -> WireAnswer {
            let fields = token.map { [("Authorization", "Bearer \($0)")] } ?? []
            return try client.request("GET", path, fields + [Self.from("203.0.113.1")])
        }
        let wrong = try ask("/api/v1/sessions", "trace_wrong")
        #expect(wrong.status == 429 && wrong["retry-after"].flatMap { Int($0) } ?? 0 > 0, "\(wrong)")
        // The right one has as many bits as it takes, and gets in from there too; so does who listens by a link or a feed.
        let media = "/sessions/\(ServedSample.lateSetID)/media/\(ServedSample.lateSetMedia)"
        let link = try #require(try sample.ask("POST", "\(media)/link").object["url"] as? String)
        let feed = "/feeds/\(try sample.newToken("--scope", "feed", "--name", "pocket"))/feed.xml"
        for _ in 0..<3 {
            #expect(try ask("/api/v1/sessions", sample.token).status == 200)
            #expect(try ask(link).status == 200)
            #expect(try ask(feed).status == 200)
            for path in ["\(link)0", "/feeds/\(sample.token)/feed.xml"] {
                #expect(try ask(path).status == 429, "\(path)")
            }
        }
        try expectUnhindered()
    }

    /// All of it may be one subscriber's.
    private func `wrong tokens from a network of IPv6`() throws {
        let statuses = try guess { "2001:db8:1:2::\(String($0 + 1, radix: 16))" }
        #expect(statuses[429] ?? 0 > Self.count / 2, "\(statuses)")
        try expectUnhindered()
    }

    private func `wrong tokens from a hundred addresses`() throws {
        let addressCount = Torture.size(full: 100, sample: 10)
        let statuses = try guess { "192.0.2.\(1 + $0 % addressCount)" }
        #expect(Set(statuses.keys) == [401, 429], "\(statuses)")
        #expect(statuses[401] ?? 0 >= 20 * addressCount, "\(statuses)")
        #expect(statuses[429] ?? 0 > Self.count / 4, "\(statuses)")
        try expectUnhindered()
        // Each address is a line, and not each attempt.
        let log = sample.copy.directory.appending(path: "state/access/access.log")
        let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
        #expect(lines.count { $0.contains("refused") } <= 3 * (addressCount + 1), "\(lines.count) lines")
    }

    private func `wrong codes from a hundred addresses`() throws {
        let text = try Binaries.trace(["pair", "--json"], in: sample.copy.directory)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let code = try #require(object?["code"] as? String)
        func pair(_ code: String, from address: String) throws -> Int {
            try sample.connect().request(
                "POST", "/api/v1/pair", [("Content-Type", "application/json"), Self.from(address)],
                body: Data(#"{"code":"\#(code)","name":"phone"}"#.utf8)
            ).status
        }
        var statuses: [Int: Int] = [:]
        for number in 0..<Self.count / 4 {
            let status = try pair("0000-\(1000 + number % 9000)", from: "192.0.2.\(1 + number % 100)")
            statuses[status, default: 0] += 1
        }
        #expect(Set(statuses.keys) == [403, 429], "\(statuses)")
        #expect(statuses[403] ?? 0 >= 10 && statuses[429] ?? 0 > Self.count / 8, "\(statuses)")
        try soon("the right code may be tried, and has ended") {
            let status = try pair(code, from: "192.0.2.200")
            #expect(status == 429 || status == 403)
            return status == 403
        }
        try expectUnhindered()
    }
}
