import TestSupport
import Testing

@testable import TraceExchange

struct ExchangeGoldenTests {
    @Test(arguments: ExchangeFormat.allCases) func `hostile markers are written as they always were`(
        format: ExchangeFormat
    ) throws {
        let text = try ExchangeSample.text(ExchangeSample.markers, format)
        try expectGolden(String(decoding: text, as: UTF8.self), "markers.\(format.rawValue)")
    }

    @Test(arguments: ExchangeFormat.allCases) func `what is written is recognised and read`(
        format: ExchangeFormat
    ) throws {
        let text = try ExchangeSample.text(ExchangeSample.markers, format)
        #expect(ExchangeFormat.guess(text, extension: nil) == format)
        let read = try ExchangeSample.read(text, format)
        #expect(read.problems == [])
        // YouTube's lines take what follows within ten seconds.
        #expect(read.markers.count == ExchangeSample.markers.count - (format == .youtube ? 2 : 0))
    }

    @Test(arguments: ExchangeFormat.allCases) func `no markers are written, and none read`(
        format: ExchangeFormat
    ) throws {
        let text = try ExchangeSample.text([], format)
        let read = try ExchangeSample.read(text, format)
        #expect(read.problems == [] && read.markers == [], "\(String(decoding: text, as: UTF8.self))")
    }

    @Test(arguments: [
        ("x.csv", "#,Name,Start,End,Length\n", ExchangeFormat.reaper), ("x.csv", "offset_ms,label\n", .csv),
        ("x.csv", "Time;Label\n", .csv), ("x.txt", "0.5\t0.5\tx\n", .audacity),
        ("x.txt", "About\n\n0:00 Intro\n", .youtube),
        ("x.json", "{\"version\":\"1.2.0\",\"chapters\":[]}", .podcast),
        ("x.json", "{\"OTIO_SCHEMA\":\"Timeline.1\"}", .otio),
        ("x", "TITLE: s\n", .edl), ("x.jsonl", "{\"id\":1}\n", .jsonl), ("x", "\u{FEFF}WEBVTT\n", .webvtt),
        ("x", "id\toffset_ms\n", .tsv), ("x.vtt", "", .webvtt),
    ]) func `the contents tell the format, else the extension`(
        name: String, text: String, format: ExchangeFormat
    ) {
        let suffix = name.split(separator: ".").dropFirst().last.map(String.init)
        #expect(ExchangeFormat.guess(Array(text.utf8), extension: suffix) == format)
    }

    @Test(arguments: ["", "hello\n", "{}", "1 2 3\n"]) func `nothing is guessed where nothing tells`(
        text: String
    ) {
        #expect(ExchangeFormat.guess(Array(text.utf8), extension: "txt") == nil)
    }
}
