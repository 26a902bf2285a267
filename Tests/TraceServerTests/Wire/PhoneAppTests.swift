import Foundation
import ProgramHarness
import Testing

/// A client that does what the phone app does, over HTTP instead of in a directory: it knows session directories and files, and
/// no API beyond them.
///
/// Source: docs/spec/README.md#from-files-to-http.
struct PhoneAppTests {
    private let sample: ServedSample
    private let token: String
    /// What the app takes for the session's directory.
    private let root: String

    init() throws {
        sample = try ServedSample()
        token = try sample.newToken("--scope", "mark", "--person", "ann")
        root = "/sessions/\(ServedSample.lateSet)/files"
    }

    /// The player, which asks for two bytes, then for pieces, by the size it has learned.
    private func play(_ path: String) throws -> Data {
        let first = try sample.ask("GET", "\(root)/\(path)", [("Range", "bytes=0-1")], token: token)
        #expect(first.status == 206)
        #expect(first["content-type"] == "audio/mp4")
        let range = try #require(first["content-range"])
        let size = try #require(Int(range.split(separator: "/")[1]))
        var sound = Data()
        while sound.count < size {
            let end = min(sound.count + 65_536, size) - 1
            let piece = try sample.ask(
                "GET", "\(root)/\(path)", [("Range", "bytes=\(sound.count)-\(end)")], token: token)
            #expect(piece.status == 206)
            // It becomes a strong one as soon as the file has rested.
            #expect(piece["etag"]?.trimmingPrefix("W/") == first["etag"]?.trimmingPrefix("W/"))
            sound += piece.body
        }
        return sound
    }

    @Test func `it loads the session, plays its recording by ranges and reads the digest`() throws {
        let header = try sample.ask("GET", "\(root)/session.json", token: token)
        #expect(header.status == 200)
        #expect(header["content-type"] == "application/json")
        let media = try #require((header.object["media"] as? [[String: Any]])?.first?["path"] as? String)
        let file = sample.session(ServedSample.lateSet).appending(path: media)
        #expect(try play(media) == Data(contentsOf: file))
        let digest = try sample.ask(
            "GET", "/sessions/\(ServedSample.lateSet)/digest", [("Accept", "text/markdown")], token: token)
        #expect(digest.status == 200)
        #expect(
            digest.body
                == (try Data(contentsOf: sample.session(ServedSample.lateSet).appending(path: "digest.md"))))
    }

    @Test func `its pending markers are taken once, however often it sends them`() throws {
        let pending = """
            [{"tag":"texture_sample","offset_ms":61000,"created_at":"2026-02-04T20:48:11.000Z"},
             {"tag":"highlight","offset_ms":62000,"created_at":"2026-02-04T20:48:12.000Z"}]
            """
        let markers = sample.session(ServedSample.lateSet).appending(path: "markers.jsonl")
        let before = try String(contentsOf: markers, encoding: .utf8).split(separator: "\n").count
        func send() throws -> [String] {
            let answer = try sample.ask(
                "POST", "/sessions/\(ServedSample.lateSet)/phone-import", token: token, json: pending)
            #expect(answer.status == 200, "\(answer)")
            return (answer.json as? [[String: Any]] ?? []).compactMap { $0["result"] as? String }
        }
        #expect(try send() == ["queued", "queued"])
        // The answer was lost: it sends them again.
        #expect(try send() == ["already-applied", "already-applied"])
        let after = try String(contentsOf: markers, encoding: .utf8).split(separator: "\n")
        #expect(after.count == before + 2)
        #expect(after.count { $0.contains("\"offset_ms\":61000") } == 1)
        try Binaries.trace(
            ["validate", sample.session(ServedSample.lateSet).path], in: sample.copy.directory)
    }

    @Test func `what it appends stands once, also if it dies between sending and noting that it did`() throws
    {
        let path = "/sessions/\(ServedSample.lateSet)/markers/01KGN7AAAAAAAAAAAAAAAAAAAA"
        let marker =
            #"{"offset_ms":63000,"created_at":"2026-02-04T20:48:13.000Z","source":"user","tags":["structure"]}"#
        #expect(try sample.ask("PUT", path, token: token, json: marker).isWritten)
        try sample.restart()
        #expect(try sample.ask("PUT", path, token: token, json: marker).status == 200)
        let markers = sample.session(ServedSample.lateSet).appending(path: "markers.jsonl")
        let lines = try String(contentsOf: markers, encoding: .utf8).split(separator: "\n")
        #expect(lines.count { $0.contains("01KGN7AAAAAAAAAAAAAAAAAAAA") } == 1)
    }
}
