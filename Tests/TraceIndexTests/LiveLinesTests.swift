import RecordFormat
import SystemPackage
import Testing
import TraceDigest
import TraceFormat
import TraceStore

@testable import TraceIndex

struct LiveLinesTests {
    @Test func `the index knows which lines count as a reading of the files does`() throws {
        let scratch = try Scratch()
        let folder = try scratch.session()
        let index = try scratch.index()
        var random = SystemRandomNumberGenerator()
        for round in 0..<6 {
            for _ in 0..<(round * 20) {
                let number = Int.random(in: 0..<40, using: &random)
                let tags =
                    [",\"tags\":[\"highlight\"]", ",\"note\":\"x\"", ""].randomElement(using: &random) ?? ""
                let line = SessionFolder.marker(number, at: number * 10, more: tags)
                try folder.append(
                    [line, line, "{\"no\":\"id\"}\n", "\n"].randomElement(using: &random) ?? line)
            }
            try waitForClock()
            _ = try index.reconcile(journal: folder.path, in: nil, settleTime: .zero)
            let inspection = try Inspection(of: folder.path, settleTime: .zero)
            let reading = DigestReading(folder.path, settleTime: .zero)
            let fromIndex = try reading.digest {
                DigestReading.Overview(
                    session: inspection.session, findings: try index.findings(of: folder.path).map(\.finding),
                    lines: try index.liveLines(of: folder.path))
            }
            #expect(try fromIndex == reading.digest { DigestReading.Overview(inspection) })
            #expect(try index.liveLines(of: folder.path)[.marker]?.lastLineOfRepeated == [:])
        }
    }

    @Test func `a session that the index does not know has no lines`() throws {
        let scratch = try Scratch()
        #expect(try scratch.index().liveLines(of: "/nowhere") == [:])
    }
}
