import Foundation
import ProgramHarness
import Testing

/// What `GET …/files/…` and `GET …/media/…` send.
struct RangesOverTheWireTests {
    private let sample: ServedSample
    private let bytes: Data

    init() throws {
        // What was written just now counts as at rest.
        sample = try ServedSample(["TRACE_SETTLE_TIME": "0s"])
        bytes = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let media = sample.session(ServedSample.lateSet).appending(path: "media")
        for (name, contents) in [("thousand.m4a", bytes), ("empty.m4a", Data())] {
            let file = media.appending(path: name)
            try contents.write(to: file)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_772_000_000)], ofItemAtPath: file.path)
        }
    }

    private func path(_ name: String) -> String {
        "/sessions/\(ServedSample.lateSet)/files/media/\(name)"
    }

    @Test(arguments: [
        ("bytes=0-0", 206, "0-0"), ("bytes=0-", 206, "0-999"), ("bytes=0-1", 206, "0-1"),
        ("bytes=999-", 206, "999-999"), ("bytes=-500", 206, "500-999"), ("bytes=-5000", 206, "0-999"),
        ("bytes=-0", 416, ""), ("bytes=1000-", 416, ""), ("bytes=500-499", 200, ""),
        ("bytes=0-99,100-199", 206, "0-199"), ("bytes=0-0,-1", 200, ""), ("items=0-1", 200, ""),
        ("bytes=a-b", 200, ""), ("bytes=0-18446744073709551616", 206, "0-999"), ("bytes= 0-1 ", 206, "0-1"),
    ])
    func `a range of a file of a thousand bytes`(range: String, status: Int, part: String) throws {
        let answer = try sample.ask("GET", path("thousand.m4a"), [("Range", range)])
        #expect(answer.status == status, "\(answer)")
        switch status {
        case 206:
            let ends = part.split(separator: "-").compactMap { Int($0) }
            #expect(answer["content-range"] == "bytes \(part)/1000")
            #expect(answer.body == bytes[ends[0]...ends[1]])
        case 416: #expect(answer["content-range"] == "bytes */1000")
        default:
            #expect(answer.body == bytes)
            #expect(answer["content-type"] == "audio/mp4")
        }
    }

    @Test func `thousands of ranges are the whole file, and cost no more than one`() throws {
        let client = try sample.connect()
        func ask(_ fields: [(String, String)]) throws -> WireAnswer {
            let all = fields + [("Authorization", "Bearer \(sample.token)")]
            return try client.request("GET", "/api/v1\(path("thousand.m4a"))", all)
        }
        // As many as the fields of a request have room for.
        let apart = (0..<1000).map { "\($0 * 2 % 1000)-\($0 * 2 % 1000)" }.joined(separator: ",")
        let overlapping = Array(repeating: "0-", count: 5000).joined(separator: ",")
        let one = [
            ("Range", "bytes=0-0"), ("X-Padding", String(repeating: "0", count: overlapping.utf8.count)),
        ]
        for ranges in [apart, overlapping] {
            let answer = try ask([("Range", "bytes=\(ranges)")])
            #expect(answer.status == 200, "\(answer)")
            #expect(answer.body == bytes)
        }
        func work(_ fields: [(String, String)]) throws -> Duration {
            let before = try #require(sample.daemon.processorTime)
            for _ in 0..<150 { _ = try ask(fields) }
            return try #require(sample.daemon.processorTime) - before
        }
        _ = try work(one)
        let (single, many) = (try work(one), try work([("Range", "bytes=\(overlapping)")]))
        #expect(many < single * 2 + .milliseconds(200), "\(many), one: \(single)")
    }

    @Test func `a range of an empty file is not in it`() throws {
        let answer = try sample.ask("GET", path("empty.m4a"), [("Range", "bytes=0-")])
        #expect(answer.status == 416)
        #expect(answer["content-range"] == "bytes */0")
        #expect(try sample.ask("GET", path("empty.m4a")).body.isEmpty)
    }

    @Test func `HEAD says the same as GET, without a body and without ranges`() throws {
        let whole = try sample.ask("GET", path("thousand.m4a"))
        let head = try sample.ask("HEAD", path("thousand.m4a"), [("Range", "bytes=0-0")])
        #expect(head.status == 200)
        #expect(head["content-length"] == "1000")
        #expect(head["etag"] == whole["etag"])
        #expect(head.body.isEmpty)
    }

    @Test func `what the client has already is not sent again`() throws {
        let tag = try #require(try sample.ask("GET", path("thousand.m4a"))["etag"])
        for value in ["*", "\"a\", \"b\", \(tag)", "W/\(tag)"] {
            let answer = try sample.ask(
                "GET", path("thousand.m4a"), [("If-None-Match", value), ("Range", "bytes=0-0")])
            #expect(answer.status == 304, "\(value): \(answer)")
            #expect(answer.body.isEmpty)
        }
    }
}
