import Foundation
import ProgramHarness
import TestSupport
import Testing

/// Waveforms as a page gets them.
struct WaveformOverTheWireTests {
    static let path = "/sessions/\(ServedSample.lateSetID)/media/\(ServedSample.lateSetMedia)/peaks"

    private let sample: ServedSample
    private let programs: Scratch

    /// - Parameter script: What stands in for ffmpeg.
    private init(ffmpeg script: String) throws {
        programs = try Scratch()
        // What stands in for ffmpeg may open no file, but has what the daemon was started with.
        try programs.writeProgram("#!/bin/sh\necho run >&9\n\(script)\n", to: "ffmpeg")
        let runs = "\(programs.path)/\(Self.runs)"
        sample = try ServedSample(["PATH": "\(programs.path):/usr/bin:/bin"]) { _ in
            ["/bin/sh", "-c", #"exec 9>>"$0"; exec "$@""#, runs]
        }
    }

    /// Has a line for each time that ffmpeg was run.
    private static let runs = "runs"

    init() throws { try self.init(ffmpeg: "exec /usr/bin/ffmpeg \"$@\"") }

    private var runCount: Int {
        (try? programs.text(Self.runs, filled: false))?.split(separator: "\n").count ?? 0
    }

    private var recording: URL {
        sample.session(ServedSample.lateSet).appending(path: "media/\(ServedSample.lateSetMedia)-review.m4a")
    }

    private var kept: [String] {
        let directory = sample.daemon.state.appending(path: "waveforms")
        return (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    }

    private func ask(_ query: String = "", _ method: String = "GET", _ fields: (String, String)...) throws
        -> WireAnswer
    {
        try sample.ask(method, Self.path + query, fields)
    }

    /// The first answer that is not that it is being made.
    private func outcome(_ query: String = "") throws -> WireAnswer {
        var answer = try ask(query)
        try soon("the waveform is made or can't be: \(answer)") {
            answer = try ask(query)
            if answer.status == 202 {
                #expect(answer["retry-after"] == "1" && answer.body.isEmpty && answer["etag"] == nil)
            }
            return answer.status != 202
        }
        return answer
    }

    @Test func `a waveform is made once, and then sent like a file`() throws {
        #expect(try ask().status == 202)
        for _ in 0..<5 { _ = try ask("?level=16") }
        let whole = try outcome()
        #expect(whole.status == 200, "\(whole)")
        #expect(runCount == 1)
        #expect(kept.count == 4 && kept.allSatisfy { $0.hasSuffix(".dat") })
        let tag = try #require(whole["etag"])
        #expect(tag.hasPrefix("\""), "it is strong at once")
        #expect(whole["content-type"] == "application/octet-stream")
        #expect(whole["accept-ranges"] == "bytes")
        #expect(whole["content-disposition"]?.hasPrefix("attachment") == true)
        let pieces = (whole.body.count - 24) / 2
        #expect(abs(pieces - 36_575) < 20, "731.5 s of sound: \(pieces)")
        for (level, factor) in [("1", 1), ("4", 4), ("16", 16), ("64", 64)] {
            let answer = try ask("?level=\(level)", "GET", ("Accept-Encoding", "gzip"))
            #expect(answer.body.prefix(8) == Data([2, 0, 0, 0, 1, 0, 0, 0]), "level \(level)")
            #expect((answer.body.count - 24) / 2 == (pieces + factor - 1) / factor, "level \(level)")
            #expect(answer["content-encoding"] == nil)
        }
        let range = ("Range", "bytes=24-123")
        let part = try ask("", "GET", range, ("If-Range", tag))
        #expect(part.status == 206 && part.body == whole.body[24..<124])
        #expect(part["content-range"] == "bytes 24-123/\(whole.body.count)")
        #expect(try ask("?level=64", "GET", range, ("If-Range", tag)).status == 200, "another file")
        #expect(try ask("", "GET", ("If-None-Match", tag)).status == 304)
        #expect(try ask("", "HEAD")["content-length"] == "\(whole.body.count)")
        #expect(try ask("?level=2").code == "parameter-malformed")
        #expect(
            try sample.ask("GET", Self.path.replacing("/media/01KGN7", with: "/media/01KGN8")).code
                == "no-such-media")
        // After a restart nothing is made again, and what the client has is still current.
        try sample.restart()
        #expect(try ask("", "GET", ("If-None-Match", tag)).status == 304)
    }

    @Test func `opening a session has the waveform made`() throws {
        // The real one comes after all others: where the machine has much to do, it takes minutes.
        let quick = try WaveformOverTheWireTests(ffmpeg: "printf '%0500000d' 0")
        let media = Self.path.replacing("/peaks", with: "")
        try soon("the recording has rested") {
            try quick.sample.ask("HEAD", media)["etag"]?.hasPrefix("\"") == true
        }
        #expect(quick.runCount == 0)
        #expect(try quick.sample.ask("GET", "/sessions/\(ServedSample.lateSetID)").status == 200)
        try soon("its waveform is made: \(quick.kept), \(quick.runCount) runs; \(quick.sample.daemon.log)") {
            quick.kept.count == 4
        }
        // Its files are there a moment before the maker has said so.
        try soon("its waveform is answered with") { try quick.ask().status == 200 }
        #expect(quick.runCount == 1)
    }

    @Test(arguments: ["text", "atoms", "empty"])
    func `a recording that can't be read has none, which is found out once`(kind: String) throws {
        let header: [UInt8] = [0, 0, 0, 16] + Array("ftypM4A ".utf8) + [0, 0, 0, 0]
        let atoms = (0..<1_000_000).flatMap { _ in [0, 0, 0, 8] + Array("free".utf8) as [UInt8] }
        let contents = ["text": Array("no sound".utf8), "atoms": header + atoms, "empty": []]
        try Data(contents[kind] ?? []).write(to: recording)
        let answer = try outcome()
        #expect(answer.status == 404 && answer.code == "waveform-unavailable", "\(answer)")
        let detail = answer.object["detail"] as? String ?? ""
        // What is no container is not given to ffmpeg at all.
        let isRun = kind == "atoms"
        let reason = isRun ? "ffmpeg failed: " : "it is not in a container that is opened here"
        #expect(detail.hasPrefix("there is no waveform: \(reason)"), "\(detail)")
        let guest = try sample.ask("GET", Self.path, token: sample.newToken("--scope", "read"))
        #expect(guest.status == 404 && !guest.text.contains(sample.copy.directory.path), "\(guest)")
        let count = runCount
        #expect(try ask().status == 404)
        #expect(try ask("?level=64").status == 404)
        #expect(runCount == count && count == (isRun ? 1 : 0))
        #expect(kept.isEmpty)
    }

    @Test func `another state of the recording is another waveform`() throws {
        try Data("no sound".utf8).write(to: recording)
        #expect(try outcome().status == 404)
        let other = sample.session("2026-01-28-rehearsal-broken").appending(
            path: "media/01KG33AQNMEBTHFPF95Z1CYFE1-review.m4a")
        try Data(contentsOf: other).write(to: recording)
        #expect(try outcome().status == 200)
    }

    @Test func `one that takes too long to make does not hold up the end of the daemon`() throws {
        let slow = try WaveformOverTheWireTests(ffmpeg: "head -c 500000 /dev/zero; exec sleep 60")
        try soon("ffmpeg runs") {
            _ = try slow.ask()
            return slow.runCount == 1
        }
        #expect(slow.sample.daemon.terminate().status == 0)
        #expect(slow.kept.isEmpty)
    }

    @Test func `killed while it is made, nothing is left, and it is made again`() throws {
        let slow = try WaveformOverTheWireTests(ffmpeg: "head -c 500000 /dev/zero; exec sleep 60")
        try soon("ffmpeg runs") {
            _ = try slow.ask()
            return slow.runCount == 1
        }
        try slow.sample.restart()
        #expect(slow.kept.isEmpty)
        #expect(try slow.outcome().status == 200)
        #expect(slow.kept.count == 4)
    }

    @Test func `without ffmpeg there is none, and it says so`() throws {
        let sample = try ServedSample(["PATH": "/nonexistent"])
        var answer = try sample.ask("GET", Self.path)
        try soon("it is known that there is no ffmpeg: \(answer)") {
            answer = try sample.ask("GET", Self.path)
            return answer.status != 202
        }
        #expect(answer.status == 404 && answer.code == "waveform-unavailable", "\(answer)")
        #expect((answer.object["detail"] as? String ?? "").contains("ffmpeg not found"), "\(answer)")
    }
}
