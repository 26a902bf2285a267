import Foundation
import ProgramHarness
import TestSupport
import Testing

/// The podcast feed, as feedparser and ffprobe read it.
///
/// Source: docs/http.md#podcast-feeds.
struct FeedOverTheWireTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardized
    private let sample: ServedSample
    private let scratch: Scratch

    init() throws {
        sample = try ServedSample()
        scratch = try Scratch()
    }

    private func address(_ token: String, _ path: String = "feed.xml") -> String { "/feeds/\(token)/\(path)" }

    private func feed(_ arguments: String...) throws -> String {
        try sample.newToken(["--name", "pocket & <co>", "--scope", "feed"] + arguments)
    }

    /// What an app finds.
    private func subscribe(_ token: String) throws -> [String: Any] {
        let python = Self.root.appending(path: ".build/python/bin/python3").path
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "'make test' installs Tests/requirements.txt there, from PyPI, which it must be able to reach")
        let outcome = try scratch.run(
            python,
            ["-B", Self.root.appending(path: "Tests/Feed/subscribe.py").path]
                + ["http://127.0.0.1:\(sample.port)\(address(token))"])
        try #require(outcome.status == 0, "\(outcome)")
        let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(object as? [String: Any])
    }

    private func episodes(_ token: String) throws -> [[String: Any]] {
        try #require(subscribe(token)["episodes"] as? [[String: Any]])
    }

    private func get(_ path: String, _ fields: [(String, String)] = [], _ method: String = "GET") throws
        -> WireAnswer
    {
        try sample.ask(method, "/\(path)", fields, token: "")
    }

    @Test func `an app that subscribes finds what can be listened to, and plays it by ranges`() throws {
        let token = try feed()
        let found = try subscribe(token)
        #expect(found["bozo"] as? Bool == false, "\(found)")
        #expect(found["title"] as? String == "pocket & <co>")
        #expect(found["again"] as? Int == 304)
        #expect(found["type"] as? String == "application/rss+xml; charset=utf-8")
        let episodes = try #require(found["episodes"] as? [[String: Any]])
        // The active session is none yet.
        #expect(episodes.count == 2, "\(episodes)")
        let late = try #require(episodes.first)
        #expect(late["title"] as? String == "Late set, Café Übersee")
        #expect(late["guid"] as? String == ServedSample.lateSetMedia)
        #expect(late["isLink"] as? Bool == false)
        #expect(late["published"] as? String == "Wed, 04 Feb 2026 20:47:10 GMT")
        #expect(late["duration"] as? String == "732")
        #expect((late["summary"] as? String)?.contains("Late set") == true)
        let file = try Data(
            contentsOf: sample.session(ServedSample.lateSet).appending(
                path: "media/\(ServedSample.lateSetMedia)-review.m4a"))
        #expect(late["length"] as? Int == file.count)
        #expect(late["type"] as? String == "audio/mp4")
        #expect(late["status"] as? Int == 206)
        #expect(late["sent"] as? String == "bytes 100-299/\(file.count)")
        #expect(late["part"] as? String == file[100..<300].map { String(format: "%02x", $0) }.joined())
        let audio = try #require(late["audio"] as? String)
        #expect(audio.hasSuffix(".m4a"))
        let probe = try scratch.run(
            "/usr/bin/env",
            ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", audio])
        #expect(Double(probe.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 1, "\(probe)")
    }

    /// The kinds of things that the W3C's validator and Apple's requirements ask of a feed, of which either refuses it.
    @Test func `the feed is one that validators and directories take`() throws {
        let token = try feed()
        let found = try subscribe(token)
        let channel = try #require(found["channel"] as? [String: [[String: Any]]])
        func only(_ name: String) throws -> [String: Any] {
            let elements = channel[name] ?? []
            #expect(elements.count == 1, "\(name): \(elements)")
            return try #require(elements.first, "\(name)")
        }
        for name in ["title", "link", "description", "itunes:author"] {
            #expect(try (only(name)["text"] as? String)?.isEmpty == false, "\(name)")
        }
        #expect(try only("language")["text"] as? String == "en")
        #expect(try only("itunes:explicit")["text"] as? String == "false")
        #expect(try only("itunes:category")["text"] as? String == "Music")
        let address = "http://127.0.0.1:\(sample.port)"
        let itself = try only("atom:link")
        #expect(itself["href"] as? String == "\(address)/feeds/\(token)/feed.xml")
        #expect(itself["rel"] as? String == "self" && itself["type"] as? String == "application/rss+xml")
        // A square PNG of 1400 to 3000 points, in RGB without transparency, that anybody can fetch.
        #expect(try only("itunes:image")["href"] as? String == "\(address)/podcast.png")
        let image = try get("/podcast.png")
        #expect(image.status == 200 && image["content-type"] == "image/png", "\(image.status)")
        let head = [UInt8](image.body.prefix(26))
        try #require(head.count == 26 && head[12..<16].elementsEqual("IHDR".utf8))
        let (width, height) = (Int(head[18]) << 8 | Int(head[19]), Int(head[22]) << 8 | Int(head[23]))
        #expect(width == height && (1400...3000).contains(width) && head[24] == 8 && head[25] == 2)

        let episodes = try #require(found["episodes"] as? [[String: Any]])
        #expect(Set(episodes.compactMap { $0["guid"] as? String }).count == episodes.count)
        for episode in episodes {
            #expect((episode["title"] as? String)?.isEmpty == false)
            #expect(episode["length"] as? Int ?? 0 > 0)
            #expect((episode["type"] as? String)?.hasPrefix("audio/") == true)
            let audio = try #require(episode["audio"] as? String)
            #expect(audio.wholeMatch(of: #/http://[!-~]+\.(m4a|mp3)/#) != nil, "\(audio)")
            let date = try #require(episode["published"] as? String)
            #expect(
                date.wholeMatch(
                    of: #/(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/#)
                    != nil, "\(date)")
            #expect((episode["duration"] as? String).flatMap { Int($0) } != nil)
        }
    }

    @Test func `a recording of the greatest length there is ends no server`() throws {
        let header = sample.session(ServedSample.lateSet).appending(path: "session.json")
        let text = try String(contentsOf: header, encoding: .utf8)
        // That of the recording stands in its item.
        let items = try #require(text.range(of: "\"media\"")).lowerBound
        let changed =
            String(text[..<items])
            + text[items...].replacing(#/"duration_ms": ?\d+/#, with: "\"duration_ms\":\(Int64.max)")
        try #require(changed != text)
        try changed.write(to: header, atomically: false, encoding: .utf8)
        let answer = try get(address(feed()))
        #expect(answer.status == 200, "\(answer)")
        #expect(answer.text.contains("<itunes:duration>\(Int64.max / 1000)<"), "\(answer)")
    }

    @Test func `chapters and transcript are by the clock of the recording`() throws {
        let late = try #require(episodes(feed()).first)
        // It begins 1.5 s after the session.
        let directory = sample.session(ServedSample.lateSet)
        func offsets(_ name: String) throws -> [Double] {
            try String(contentsOf: directory.appending(path: name), encoding: .utf8).split(separator: "\n")
                .compactMap {
                    let object = try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
                    return (object?["offset_ms"] as? Double).map { ($0 - 1500) / 1000 }
                }.filter { $0 >= 0 }.sorted()
        }
        let chapters = try #require(late["chapters"] as? [[String: Any]])
        let starts = chapters.compactMap { $0["startTime"] as? Double }
        let markers = try offsets("markers.jsonl")
        #expect(
            starts.count > 10 && starts.allSatisfy { start in markers.contains { abs($0 - start) < 0.001 } },
            "\(starts)")
        #expect(chapters.allSatisfy { $0["title"] != nil || $0["toc"] as? Bool == false })
        let cues = try #require(late["cues"] as? [[Any]])
        let segments = try offsets("transcript.jsonl")
        #expect(!cues.isEmpty)
        for cue in cues {
            // webvtt-py knows whole seconds.
            let start = try #require(cue[0] as? Double)
            #expect(segments.contains { $0 >= start && $0 < start + 1 }, "\(cue), \(segments)")
        }
    }

    @Test func `a feed shows what its token sees, and nothing else is there`() throws {
        let token = try feed("--session", ServedSample.lateSetID)
        #expect(try episodes(token).count == 1)
        let late = "\(ServedSample.lateSetID)/\(ServedSample.lateSetMedia)"
        #expect(try get(address(token, "\(late).m4a")).status == 200)
        for path in [
            "01KG3315M0WVAZ9BH8FX9W8D2N/01KG33AQNMEBTHFPF95Z1CYFE1.m4a", "\(ServedSample.activeID)/x.m4a",
            "last/x.m4a", "\(ServedSample.lateSetID)/session.json", "\(late).wav", "\(late)",
            "\(late).json.json",
            "\(ServedSample.lateSetID)/01KGN7V9R050HV73NN3GQ46B6M.m4a",
        ] {
            let answer = try get(address(token, path))
            #expect(answer.status == 404, "\(path): \(answer)")
        }
        // It opens nothing but itself, and no other token opens it.
        #expect(try sample.ask("GET", "/sessions", token: token).status == 403)
        let others = try ["read", "mark", "admin", "waterline"].map { try sample.newToken("--scope", $0) }
        for other in others + ["trace_x", "x"] {
            #expect(try get(address(other)).status == 404)
            #expect(try get(address(other, "\(late).m4a")).status == 404)
        }
    }

    @Test func `after revocation there is nothing, for as long as anybody asks`() throws {
        let token = try feed()
        let path = address(token, "\(ServedSample.lateSetID)/\(ServedSample.lateSetMedia).m4a")
        #expect(try get(path, [], "HEAD").status == 200)
        let list = try Binaries.trace(["token", "list", "--json"], in: sample.copy.directory)
        let id = try #require(list.firstMatch(of: #/"id":"(\w{26})"[^}]*"scope":"feed"/#)?.1)
        _ = try Binaries.trace(["token", "revoke", String(id)], in: sample.copy.directory)
        #expect(try get(address(token)).status == 404)
        #expect(try get(path).status == 404)
        // Guessing ends as it does everywhere; no answer and no log says what was tried.
        var status = 404
        for _ in 0..<40 where status == 404 { status = try get(address(token)).status }
        #expect(status == 429)
        let access = try String(
            contentsOf: sample.copy.directory.appending(path: "state/access/access.log"), encoding: .utf8)
        let metrics = try sample.ask("GET", "/metrics").text
        for text in [sample.daemon.log, access, metrics] {
            #expect(!text.contains(token.dropFirst("trace_".count)))
        }
    }

    @Test func `text of people stays text, with no marker and with many`() throws {
        let hostile = "]]><script>&amp; \u{1F3B9} \u{0}\u{1B}\u{FFFE} \"'"
        let directory = sample.session(ServedSample.lateSet)
        let file = directory.appending(path: "session.json")
        var object = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        object["title"] = hostile
        try JSONSerialization.data(withJSONObject: object).write(to: file)
        try Data().write(to: directory.appending(path: "markers.jsonl"))
        let token = try feed("--session", ServedSample.lateSetID)
        var found = try #require(episodes(token).first)
        #expect(found["title"] as? String == "]]><script>&amp; \u{1F3B9}  \"'", "\(found)")
        #expect((found["chapters"] as? [Any])?.isEmpty == true)
        let lines = (0..<10_000).map { number in
            let id = String(format: "01KGN6KABG4CSWE84XX%07d", number)
            let label = number % 2 == 0 ? "a & b <\u{1F3B8}>" : ""
            return
                #"{"id":"\#(id)","offset_ms":\#(2000 + number * 60),"created_at":"2026-02-04T21:00:00.000Z","#
                + #""source":"user","label":"\#(label)"}"#
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(
            to: directory.appending(path: "markers.jsonl"))
        found = try #require(episodes(token).first)
        let chapters = try #require(found["chapters"] as? [[String: Any]])
        #expect(chapters.count == 10_000)
        #expect(chapters[0]["title"] as? String == "a & b <\u{1F3B8}>")
        #expect(chapters[1]["toc"] as? Bool == false)
    }

    @Test func `a token of a feed is shown as the address to subscribe to`() throws {
        let environment = ["TRACE_HTTP_PUBLIC_URL": "https://trace.example.org"]
        let outcome = try scratch.trace(
            ["token", "add", "--name", "pocket", "--scope", "feed"], environment: environment)
        #expect(
            outcome.output.wholeMatch(
                of: #/https:\/\/trace\.example\.org\/feeds\/trace_[a-z0-9]{38}\/feed\.xml\n/#) != nil,
            "\(outcome)")
    }
}
