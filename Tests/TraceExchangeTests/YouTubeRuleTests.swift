import RecordFormat
import Testing
import TraceFormat
import TraceStore

@testable import TraceExchange

/// YouTube's rules, which it does not tell anybody who breaks them.
struct YouTubeRuleTests {
    private static func written(_ seconds: [Double], length: Double? = nil) throws -> (
        lines: [String], notices: [String]
    ) {
        let markers = seconds.enumerated().map { number, second in
            ExchangeSample.marker(number, at: Int64(second * 1000), "m\(number)")
        }
        var context = ExchangeSample.context(markers, .youtube)
        context.length = length.map { SessionOffset(milliseconds: Int64($0 * 1000)) }
        let text = try ExchangeSample.text(markers, .youtube, context)
        let format = try ExchangeFormat.youtube.format(context)
        let entries = format.entries(at: markers.map(\.offset))?.count ?? 0
        return (
            String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init),
            format.notices(entries: entries, characters: text.count)
        )
    }

    @Test(arguments: [
        ([0, 20, 40], ["0:00 m0", "0:20 m1", "0:40 m2"]),
        // The first is moved to the start, where it is near; else a start is added.
        ([9.9, 20, 40], ["0:00 m0", "0:20 m1", "0:40 m2"]),
        ([10, 20, 40], ["0:00 Start", "0:10 m0", "0:20 m1", "0:40 m2"]),
        ([9.9, 10, 19.9, 20], ["0:00 m0", "0:10 m1 / m2", "0:20 m3"]),
        // Fractions are cut off before the distance counts.
        ([0, 10.9, 20.1], ["0:00 m0", "0:10 m1", "0:20 m2"]),
        ([0, 1, 2, 3, 4, 5, 30, 50], ["0:00 m0 / m1 / m2 +3 more", "0:30 m6", "0:50 m7"]),
        ([0, 3599, 3661], ["0:00 m0", "59:59 m1", "1:01:01 m2"]),
    ]) func `a start is added, and what comes too fast joins`(seconds: [Double], lines: [String]) throws {
        #expect(try Self.written(seconds).lines == lines)
    }

    @Test func `the last chapter lasts ten seconds too`() throws {
        #expect(
            try Self.written([0, 20, 40, 55], length: 60).lines == ["0:00 m0", "0:20 m1", "0:40 m2 / m3"])
        #expect(try Self.written([0, 20, 40, 50], length: 60).lines.count == 4)
    }

    @Test func `what YouTube would keep to itself is told`() throws {
        #expect(try Self.written([0, 20, 40]).notices == [])
        #expect(
            try Self.written([15, 16]).notices == [
                "a line '0:00 Start' was added: YouTube requires one at 0:00",
                "1 marker joined the line before: YouTube requires 10 seconds per chapter",
                "warning: YouTube will not show chapters: it requires at least 3, and there are 2",
            ])
        #expect(
            try Self.written((0..<600).map { Double($0) * 20 }).notices.last?.hasPrefix(
                "warning: the text has ") == true)
    }
}
