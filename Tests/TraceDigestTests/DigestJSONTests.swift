import FormatHarness
import RecordFormat
import TestSupport
import Testing
import TraceFormat

@testable import TraceDigest

@Suite struct `Digest as JSON` {
    @Test func `a full session`() throws {
        let json = try DigestSample.full().json()
        try expectGolden(String(decoding: json.bytes, as: UTF8.self) + "\n", "full.json")
    }

    @Test func `what is not known is left out, lists are there`() throws {
        let json = Digest(session: Session(), markers: []).json()
        try JSONParser().withParsed(json.bytes) { root in
            #expect(root[name: "length_ms"] == nil)
            #expect(root[name: "timeline"] == nil)
            #expect(root[name: "notable_moments"].map { Array($0.elements).isEmpty } == true)
            #expect(root[name: "counts"]?[name: "markers"]?.integer == 0)
        }
    }

    @Test func `the numbers count everything, the lists are capped`() throws {
        let markers = (0..<50).map { RecordSample.marker($0, at: Int64($0) * 1000, tags: ["fix-review"]) }
        let json = Digest(session: RecordSample.session(), markers: markers).json()
        try JSONParser().withParsed(json.bytes) { root in
            #expect(root[name: "counts"]?[name: "fix_review"]?.integer == 50)
            #expect(root[name: "fixes"].map { Array($0.elements).count } == 20)
            #expect(root[name: "more"]?[name: "fixes"]?.integer == 30)
        }
    }
}
