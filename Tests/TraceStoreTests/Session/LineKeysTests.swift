import FileHarness
import RecordFormat
import StoreHarness
import SystemPackage
import TestSupport
import Testing
import TraceFiles
import TraceFormat

@testable import TraceStore

/// Which lines of a file count, by a table of hashes and in parts, beside a dictionary and a reading of the whole.
struct LineKeysTests {
    let scratch: ScratchDirectory
    let session: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        session = try SampleSession(at: scratch.path.appending("set"))
    }

    private func keys(partSize: Int, where isWanted: @escaping @Sendable (CheckedLine) -> Bool) throws
        -> LineKeys
    {
        let file = try #require(
            try SessionReader(session.path).directory.openRegularFile(RecordKind.marker.component))
        return try LineKeys(of: .marker, in: file, isSettled: true, partSize: partSize, where: isWanted)
    }

    @Test(arguments: [200, 5000, 1 << 20])
    func `the last line of each id is found, whatever the parts`(partSize: Int) throws {
        let seed = UInt64.random(in: 0..<1_000_000)
        var random = SeededRandom(seed: seed)
        for round in 0..<20 {
            var text = ""
            var last: [Int: (place: Int, offset: Int)] = [:]
            for _ in 0..<(round * 15) {
                let id = Int.random(in: 1...(round * 6), using: &random)
                let offset = Int.random(in: 0..<20, using: &random)
                switch Int.random(in: 0..<10, using: &random) {
                case 0: text += "\n"
                case 1: text += "{\"id\":\"\(number(id))\"\n"
                default:
                    last[id] = (text.utf8.count, offset)
                    let more = String(repeating: "x", count: Int.random(in: 0..<200, using: &random))
                    text += "{\"id\":\"\(number(id))\",\"offset_ms\":\(offset),\"note\":\"\(more)\"}\n"
                }
            }
            try session("markers.jsonl").write(text)
            let all = try keys(partSize: partSize) { _ in true }
            #expect(all.keys.map(\.byteOffset) == last.values.map(\.place).sorted(), "seed \(seed), \(round)")
            let some = try keys(partSize: partSize) { $0.offset.map { $0.milliseconds < 5 } ?? false }
            #expect(
                some.keys.map(\.byteOffset) == last.values.filter { $0.offset < 5 }.map(\.place).sorted(),
                "seed \(seed), \(round)")
        }
    }

    @Test func `a file that is overwritten while ids are compared is told`() throws {
        let lines = (0..<40).map { "{\"id\":\"\(number($0 % 4 + 1))\",\"offset_ms\":\($0)}\n" }
        try session("markers.jsonl").write(lines.joined())
        let path = session("markers.jsonl")
        #expect(
            code {
                try keys(partSize: 1 << 20) { line in
                    if line.line.number == 40 { try? path.write("x") }
                    return true
                }
            } == .changedMeanwhile)
    }
}
