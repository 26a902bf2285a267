import FileHarness
import Glibc
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFiles
import TraceFormat
import TraceStore
import TraceText

@testable import TraceExchange

/// The markers of a session in the order of their offsets.
struct OrderedMarkersTests {
    let scratch: ScratchDirectory
    let session: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        session = try SampleSession(at: scratch.path.appending("set"))
    }

    private func line(_ id: Int, _ offset: Int64, _ label: String = "", tags: [String] = []) -> String {
        let marker = Marker(
            id: number(id), offset: SessionOffset(milliseconds: offset), createdAt: morning,
            label: label.isEmpty ? nil : label, tags: tags)
        return String(decoding: marker.json.bytes, as: UTF8.self) + "\n"
    }

    private func ordered(_ change: (inout OrderedMarkers.Choice) -> Void = { _ in }) throws -> OrderedMarkers
    {
        var choice = OrderedMarkers.Choice()
        change(&choice)
        return try OrderedMarkers(in: SessionReader(session.path), choice)
    }

    private func text(_ markers: OrderedMarkers) throws -> String {
        var text: [UInt8] = []
        try markers.write(ExchangeFormat.audacity.format(ExchangeContext())) { text += $0 }
        return String(decoding: text, as: UTF8.self).replacing("0000\t", with: "\t")
    }

    @Test func `offsets order them, then the place in the file, and the last line of an id counts`() throws {
        try session("markers.jsonl").write(
            line(10, 5000, "a") + line(11, 2000, "b") + "\n" + line(12, 2000, "c") + line(10, 1000, "d")
                + line(13, 3000, "e")
                + line(13, 3000, "f"))
        let markers = try ordered()
        #expect(markers.offsets.map(\.milliseconds) == [1000, 2000, 2000, 3000])
        #expect(try text(markers) == "1.00\t1.00\td\n2.00\t2.00\tb\n2.00\t2.00\tc\n3.00\t3.00\tf\n")
    }

    @Test func `what bears a tag counts by its last line`() throws {
        try session("markers.jsonl").write(
            line(10, 1, "a", tags: ["x"]) + line(11, 2, "b", tags: ["x", "y"]) + line(10, 1, "a")
                + line(12, 3, tags: ["y"]))
        #expect(try ordered { $0.tags = ["x"] }.offsets.map(\.milliseconds) == [2])
        #expect(try ordered { $0.tags = ["y"] }.offsets.map(\.milliseconds) == [2, 3])
        #expect(try ordered { $0.tags = ["x", "y"] }.count == 1)
    }

    @Test func `a line that stands elsewhere, or nowhere, takes the place of an earlier one of its id`()
        throws
    {
        try session("markers.jsonl").write(
            line(10, 5, "a") + line(11, 5, "b") + line(12, 5, "c") + line(10, 900) + line(12, 900)
                + line(12, 6, "d")
                + "{\"id\":\"\(number(11))\",\"offset_ms\":\"soon\"}\n")
        let within = try ordered {
            $0.offsets = SessionOffset(milliseconds: 5)...SessionOffset(milliseconds: 6)
        }
        #expect(try text(within) == "0.006000\t0.006000\td\n")
        #expect(try ordered().offsets.map(\.milliseconds) == [6, 900])
    }

    @Test func `what an index has found is read only from the file that it knows`() throws {
        let lines = [line(10, 7, "a"), line(11, 3, "b")]
        try session("markers.jsonl").write(lines.joined())
        let look = try SessionReader(session.path)
        let file = try #require(try look.identity(of: .marker))
        let keys = [
            LineKey(
                offset: SessionOffset(milliseconds: 3), byteOffset: lines[0].utf8.count,
                length: lines[1].utf8.count - 1),
            LineKey(offset: SessionOffset(milliseconds: 7), byteOffset: 0, length: lines[0].utf8.count - 1),
        ]
        let markers = try #require(try OrderedMarkers(in: look, at: keys, where: { $0 == file }))
        #expect(try text(markers) == "0.003000\t0.003000\tb\n0.007000\t0.007000\ta\n")
        let wrong = try #require(
            try OrderedMarkers(
                in: look,
                at: keys.reversed().map { key in
                    LineKey(
                        offset: SessionOffset(milliseconds: 8), byteOffset: key.byteOffset, length: key.length
                    )
                }, where: { $0 == file }))
        #expect(code { try text(wrong) } == .changedMeanwhile)
        try session("markers.jsonl").write(line(12, 1))
        #expect(try OrderedMarkers(in: look, at: keys, where: { $0 == file }) == nil)
    }

    @Test func `a recording leaves out what lies before and behind it, and a lead goes back to its start`()
        throws
    {
        try session("markers.jsonl").write((0..<10).map { line($0 + 10, Int64($0) * 1000) }.joined())
        let within = try ordered {
            $0.origin = SessionOffset(milliseconds: 2500)
            $0.length = SessionOffset(milliseconds: 4500)
        }
        #expect(within.offsets.map(\.milliseconds) == [500, 1500, 2500, 3500, 4500])
        #expect(within.outside == 5)
        let lead = try ordered { $0.lead = SessionOffset(milliseconds: 1500) }
        #expect(lead.offsets.map(\.milliseconds).prefix(4) == [0, 0, 500, 1500])
    }

    @Test func `what is no marker is counted, and a file that is missing has none`() throws {
        try session("markers.jsonl").write(
            line(10, 1) + "{\n{\"id\":\"x\"}\n" + line(11, 2) + "{\"id\":\"torn")
        let markers = try ordered()
        #expect(markers.count == 2 && markers.unreadable >= 2)
        unlink(session("markers.jsonl").string)
        #expect(try ordered().count == 0)
    }

    @Test func `several pieces are one text`() throws {
        let count = 10_000
        try session("markers.jsonl").write(
            (0..<count).reversed().map { line($0 + 100, Int64($0), "m\($0)") }.joined())
        let markers = try ordered()
        var text: [UInt8] = []
        let entries = try markers.write(ExchangeFormat.csv.format(ExchangeContext())) { text += $0 }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        #expect(entries == count && lines.count == count + 1)
        #expect(
            lines.dropFirst().enumerated().allSatisfy { $1.contains(",\($0),") && $1.contains(",m\($0),") })
    }

    @Test func `a file that is overwritten meanwhile is told`() throws {
        try session("markers.jsonl").write((0..<100).map { line($0 + 10, Int64($0), "m\($0)") }.joined())
        let markers = try ordered()
        try session("markers.jsonl").write("x")
        #expect(
            code { try markers.write(ExchangeFormat.csv.format(ExchangeContext())) { _ in } }
                == .changedMeanwhile)
    }
}
