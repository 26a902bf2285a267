import RecordFormat
import TestSupport
import Testing
import TraceFormat
import TraceText

@testable import TraceExchange

/// What is written is read again as it was, as far as the format can tell.
struct ExchangeRoundTripTests {
    private static let pieces = [
        "Drop", " ", "\t", "\n", "\r\n", "\"", "'", ",", ";", "|", "||", "=", "#", "\\", "-->", "&amp;", "&",
        "<b>", "<", ">",
        "👩‍👩‍👧‍👦", "שלום", "é", "e\u{301}", "[", "]", "0:00", "- ", "/", "\u{2028}", "\u{7}", "漢字", "x", "|M:",
        "|D:9", "Start",
        "* x", "FCM: DROP FRAME", "1 2 01:00:00:00 01:00:00:01 01:00:00:00 01:00:00:01",
        "* LOC: 01:00:00:00 RED x",
        "NOTE", "WEBVTT", "[CHAPTER]", "START=5", "\u{FEFF}", "\u{A0}", "%", "${x}",
    ]

    private static func markers(_ random: inout SeededRandom, _ format: ExchangeFormat) -> [Marker] {
        var offset: Int64 = 0
        return (0..<Int.random(in: 0...30, using: &random)).map { number in
            // Whole chapters for YouTube, for which nothing is to be joined; elsewhere also many at one place.
            offset +=
                format == .youtube
                ? .random(in: 11_000...90_000, using: &random) : .random(in: 0...40_000, using: &random)
            if format != .youtube, Int.random(in: 0..<4, using: &random) == 0 {
                offset = max(0, offset - 40_000)
            }
            let words = (0..<Int.random(in: 0...6, using: &random)).map { _ in random.element(of: pieces) }
            return ExchangeSample.marker(
                number, at: offset, Bool.random(using: &random) ? words.joined() : nil,
                note: Bool.random(using: &random) ? random.element(of: pieces) : nil,
                tags: (0..<Int.random(in: 0...2, using: &random)).map {
                    random.element(of: ["highlight", "x", "take-\($0)"])
                },
                duration: Bool.random(using: &random) ? .random(in: 1...90_000, using: &random) : nil)
        }.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(
            \.element)
    }

    @Test(arguments: ExchangeFormat.allCases, 1...40) func `what is read is what was written`(
        format: ExchangeFormat, seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed)
        let markers = Self.markers(&random, format)
        let writer = try format.format(ExchangeSample.context(markers, format))
        let text = try ExchangeSample.text(markers, format)
        let read = try ExchangeSample.read(text, format)
        #expect(read.problems == [])
        // The last chapter may be too near to the end, which is far away here; a title of its own may be the filler's.
        try #require(read.markers.count == markers.count, "\(String(decoding: text, as: UTF8.self))")
        for (number, (one, other)) in zip(markers, read.markers).enumerated() {
            let first = format == .youtube && number == 0 && one.offset.milliseconds < 10_000
            #expect(other.offset == (first ? .zero : writer.resolved(one.offset)))
            Self.expectSame(one, other, writer, format)
        }
    }

    private static func expectSame(
        _ one: Marker, _ other: ImportedMarker, _ writer: any MarkerFormat, _ format: ExchangeFormat
    ) {
        let keeps = format.keeps
        let again = other.marker(id: one.id, now: Timestamp(milliseconds: 0))
        #expect(blanked(writer.title(of: again)) == blanked(writer.title(of: one)))
        if keeps.contains(.wholeLabel) { #expect(other.label ?? "" == one.label ?? "") }
        if keeps.contains(.tags) { #expect(other.tags == one.tags) }
        if keeps.contains(.note) { #expect(other.note ?? "" == one.note ?? "") }
        if keeps.contains(.noteLine) {
            #expect(blanked(other.note ?? "") == blanked(one.note?.oneLine.replacing("|", with: "/") ?? ""))
        }
        if keeps.contains(.id) { #expect(other.id == one.id) }
        guard keeps.contains(.duration) else { return #expect(other.duration == nil) }
        let duration = one.duration.map(writer.resolved)
        // A marker without a length has one frame there.
        let shortest: Int64 = format == .edl ? 41 : 1
        let isLong = (duration?.milliseconds ?? 0) >= shortest
        #expect(isLong ? other.duration == duration : other.duration?.milliseconds ?? 0 < shortest)
    }

    /// Without white space, of which not all formats keep all.
    private static func blanked(_ title: String) -> [UInt8] {
        title.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }.flatMap {
            Array(String($0).utf8)
        }
    }

    @Test(arguments: ["24", "25", "30", "23.976", "29.97", "59.94", "120"])
    func `every frame comes back as itself`(fps: String) throws {
        let rate = try #require(FrameRate(fps))
        for frame in stride(from: Int64(0), through: 3_000_000, by: 977) {
            #expect(rate.frame(at: rate.offset(of: frame)) == frame)
            var code: [UInt8] = []
            TimeCode.append(frame, rate, to: &code)
            #expect(TimeCode.frame(String(decoding: code, as: UTF8.self), rate, dropsFrames: false) == frame)
        }
    }

    @Test(arguments: [
        ("25", 25, 1), ("29.97", 30_000, 1001), ("23.976", 24_000, 1001), ("23.98", 24_000, 1001),
        ("59.94", 60_000, 1001),
        ("30000/1001", 30_000, 1001),
    ]) func `a frame rate is read`(text: String, numerator: Int64, denominator: Int64) throws {
        let rate = try #require(FrameRate(text))
        #expect(rate.numerator == numerator && rate.denominator == denominator)
    }

    @Test(arguments: ["", "0", "-25", "25.5", "1000", "x", "25/0", "1/2", "29,9", "1/0/1"])
    func `what is no frame rate is refused`(
        text: String
    ) {
        #expect(FrameRate(text) == nil)
    }

    @Test(arguments: [
        ("00:01:00;02", 1800), ("00:10:00;00", 17_982), ("01:00:00;00", 107_892), ("00:00:59;29", 1799),
    ])
    func `drop-frame time codes leave numbers out`(code: String, frame: Int64) throws {
        #expect(TimeCode.frame(code, try #require(FrameRate("29.97")), dropsFrames: false) == frame)
    }
}
