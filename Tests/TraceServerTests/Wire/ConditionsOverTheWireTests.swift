import Foundation
import ProgramHarness
import TestSupport
import Testing

/// `If-Range`, `If-None-Match` and their kin, of files that have rested and of files that have not.
struct ConditionsOverTheWireTests {
    private let sample: ServedSample
    private let file: URL
    private let path = "/sessions/\(ServedSample.lateSetID)/files/media/thousand.m4a"

    init() throws {
        sample = try ServedSample()
        file = sample.session(ServedSample.lateSet).appending(path: "media/thousand.m4a")
        try Data(repeating: 7, count: 1000).write(to: file)
    }

    /// The file's tag and date once it has rested.
    private func rested() throws -> (tag: String, date: String) {
        var answer = try sample.ask("GET", path)
        try soon("the file has rested: \(answer)") {
            answer = try sample.ask("GET", path)
            return answer["etag"]?.hasPrefix("\"") == true
        }
        return (try #require(answer["etag"]), try #require(answer["last-modified"]))
    }

    private func status(_ method: String = "GET", _ fields: (String, String)...) throws -> Int {
        try sample.ask(method, path, fields).status
    }

    /// One after the other, with one daemon.
    @Test func `conditions hold over the wire`() throws {
        try `a part is sent only of the version that If-Range names`()
        try `what the client has is not sent again, and nothing is sent of what it does not mean`()
        try `the tag of a marker's line names that line`()
    }

    private func `a part is sent only of the version that If-Range names`() throws {
        let fresh = try sample.ask("GET", path)
        let range = ("Range", "bytes=0-0")
        #expect(fresh["etag"]?.hasPrefix("W/") == true, "a file that has just been written has a weak tag")
        if let tag = fresh["etag"], let date = fresh["last-modified"] {
            #expect(try status("GET", range, ("If-Range", tag)) == 200)
            #expect(try status("GET", range, ("If-Range", date)) == 200)
        }
        let (tag, date) = try rested()
        #expect(try status("GET", range, ("If-Range", tag)) == 206)
        #expect(try status("GET", range, ("If-Range", "W/\(tag)")) == 200)
        #expect(try status("GET", range, ("If-Range", "\"other\"")) == 200)
        #expect(try status("GET", range, ("If-Range", date)) == 206)
        #expect(try status("GET", range, ("If-Range", "Mon, 01 Jan 2024 00:00:00 GMT")) == 200)
        try Data(repeating: 8, count: 1000).write(to: file)
        #expect(try status("GET", range, ("If-Range", tag)) == 200, "the file is another one now")
    }

    private func `what the client has is not sent again, and nothing is sent of what it does not mean`()
        throws
    {
        let (tag, date) = try rested()
        for method in ["GET", "HEAD"] {
            for value in ["*", "\"a\", \"b\", \(tag)", "W/\(tag)"] {
                let answer = try sample.ask(method, path, [("If-None-Match", value), ("Range", "bytes=0-0")])
                #expect(answer.status == 304, "\(method) \(value)")
                #expect(answer["etag"] == tag)
                #expect(answer.body.isEmpty)
            }
            #expect(try status(method, ("If-None-Match", "\"a\", W/\"b\"")) == 200)
            #expect(try status(method, ("If-Modified-Since", date)) == 304)
            #expect(try status(method, ("If-Match", "\"other\"")) == 412)
            #expect(try status(method, ("If-Match", tag)) == 200)
            #expect(try status(method, ("If-Unmodified-Since", "Mon, 01 Jan 2024 00:00:00 GMT")) == 412)
        }
        // A tag goes before a date.
        #expect(
            try status("GET", ("If-None-Match", "\"other\""), ("If-Modified-Since", date)) == 200)
    }

    private func `the tag of a marker's line names that line`() throws {
        let marker = ServedSample.markerPath(ServedSample.lateSetMarker)
        let tag = try #require(try sample.ask("GET", marker)["etag"])
        #expect(try sample.ask("GET", marker, [("If-None-Match", tag)]).status == 304)
        let change = try sample.ask("PATCH", marker, [("If-Match", tag)], json: #"{"label":"again"}"#)
        #expect(change.status == 200, "\(change)")
        let changed = try sample.ask("GET", marker, [("If-None-Match", tag)])
        #expect(changed.status == 200)
        #expect(changed["etag"] == change["etag"])
    }
}
