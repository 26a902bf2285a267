import RecordFormat
import TestSupport
import Testing
import TraceFormat
import TraceText

@testable import TraceExchange

/// Files as other programs write them, and what is said of those that can't be read.
struct ExchangeReadingTests {
    private static func told(_ marker: ImportedMarker) -> String {
        let tags = marker.tags.isEmpty ? "" : " \(marker.tags)"
        return "\(marker.offset.milliseconds)\(marker.duration.map { "+\($0.milliseconds)" } ?? "")"
            + "\(marker.label.map { " \($0)" } ?? "")\(tags)\(marker.note.map { " (\($0))" } ?? "")"
    }

    private static let reaperHeader = "#,Name,Start,End,Length,Color\n"

    @Test(arguments: [
        (
            ExchangeFormat.audacity, "3.4\t6.1\tx\r\n\\\t100\t2000\r\n7,25\t7,25\ty\n",
            ["3400+2700 x", "7250 y"]
        ),
        (.audacity, "12.5\told label\n", ["12500 old label"]),
        (.audacity, "0.0004\t0.0004\t\n0.0005\t1\ta\tb", ["0", "1+999 a\tb"]),
        (.audacity, "-1.5\t0.5\tearly\n", ["-1500+2000 early"]),
        (
            .audacity, "1\t1\t[highlight, take-2]\n2\t2\t[Loud!]\n",
            ["1000 [\"highlight\", \"take-2\"]", "2000 [Loud!]"]
        ),
        (
            .reaper,
            reaperHeader + "M1,\"Slow, jam\",0:12.500,,,FF8000\nR2,Take,1:15.000,2:00.000,0:45.000,#00FF00\n",
            ["12500 Slow, jam", "75000+45000 Take"]
        ),
        (.reaper, reaperHeader + "M1,x,1:02:03.250,,\nM2,y,12.5,,\n", ["3723250 x", "12500 y"]),
        (
            .csv, "\u{FEFF}Label,Offset_ms,Tags\r\n\"a \"\"b\"\"\r\nc\",1500,\"x;y, z\"\r\n",
            ["1500 a \"b\"\r\nc [\"x\", \"y\", \"z\"]"]
        ),
        (.csv, "time;name\n2:00.5;x\n90s;y\n1:02:03,250;z\n", ["120500 x", "90000 y", "3723250 z"]),
        (.csv, "start,length,title,comment\n0,5s,x,why\n\n", ["0+5000 x (why)"]),
        (.tsv, "offset_ms\tlabel\n5\ta\\tb\\\\n\\x\n", ["5 a\tb\\n\\x"]),
        (
            .jsonl, "{\"offset_ms\":5,\"label\":\"x\"}\n\n{\"offset_ms\":1e3,\"tags\":[\"y\"],\"extra\":1}",
            ["5 x", "1000 [\"y\"]"]
        ),
        (
            .youtube, "Our set!\n\n0:00 - Intro\n(1:05) - Verse\n1:02:45 - Take 2  \n* not one\n",
            ["0 Intro", "65000 Verse", "3765000 Take 2"]
        ),
        (.youtube, "0:00 Start\n0:10 - a\n0:30 b\n", ["10000 - a", "30000 b"]),
        (
            .youtube, "0:00 - - a\n0:10 | b\n0:30 - 5 dB\n", ["0 - a", "10000 b", "30000 5 dB"]
        ),
        (
            .youtube, "[0:00] Intro\n【1:05】Verse\n[2:30 – 4:00] End\n1:00:00 (3:00) Encore\n",
            ["0 Intro", "65000 Verse", "150000 End", "3600000 Encore"]
        ),
        (
            .youtube, "0:00 Intro (1:05)\n1:05 Verse (1:25)\n2:30 End\n",
            ["0 Intro", "65000 Verse", "150000 End"]
        ),
        (
            .youtube, "0:00 Intro\n1:05 4:33\n2:30 Take at 7:30pm\n",
            ["0 Intro", "65000", "150000 Take at 7:30pm"]
        ),
        (
            .youtube, "Intro (0:00)\nVerse 1:05 – 2:30\nEnd: 2:30\n漢字 - [4:00]\n",
            ["0 Intro", "65000 Verse", "150000 End", "240000 漢字"]
        ),
        (
            .youtube, "1) 0:00 Intro\n2. 1:05 Verse\n03 - 2:30 End\n",
            ["0 Intro", "65000 Verse", "150000 End"]
        ),
        (
            .youtube, "\u{25BA} 0:00開場\n\u{200E}1:05\u{200B}- Love \u{2764}\u{FE0F}\n",
            ["0 開場", "65000 - Love \u{2764}\u{FE0F}"]
        ),
        (
            .podcast,
            "{\"chapters\":[{\"startTime\":0,\"title\":\"x\",\"img\":\"y\"},{\"startTime\":12.3456,\"endTime\":20,\"toc\":false}]}",
            ["0 x", "12346+7654"]
        ),
        (
            .ffmetadata,
            ";FFMETADATA1\ntitle=no\n[STREAM]\ntitle=no\n[CHAPTER]\nSTART=1500000000\ntitle=a\\=b\\\nc\n# no\n[CHAPTER]\r\nTIMEBASE=1/44100\r\nSTART=44100\r\nEND=1\r\n",
            ["1500 a=b\nc", "1000"]
        ),
        (
            .webvtt,
            "WEBVTT - chapters\nKind: chapters\n\nNOTE a --> b\nmore\n\n00:12.500 --> 01:00.250 align:start\n<v Ann>a</v> &amp; b\nc\n\nid\n01:00:00.000 --> 01:00:01.000\nx",
            ["12500 a & b\nc", "3600000 x"]
        ),
        (
            .edl,
            "TITLE: x\nFCM: NON-DROP FRAME\n\n001  AX  V  C  00:00:00:00 00:00:01:00 01:00:12:12 01:00:13:12\n* FROM CLIP NAME: y\n* LOC: 01:00:12:20 RED     Fix this\n\n002  001      V     C        01:01:00:00 01:01:00:01 01:01:00:00 01:01:00:01  \n |C:ResolveColorBlue |M:Drop |D:50\n003  AX  V  C  00:00:00:00 00:00:01:00 01:02:12:12 01:02:13:12\n",
            ["12800 Fix this", "60000+2000 Drop"]
        ),
        (.edl, "001 001 V C 00:00:01:00 00:00:01:01 00:00:01:00 00:00:01:01\n |M:early\n", ["1000 early"]),
        (
            .otio,
            "{\"OTIO_SCHEMA\":\"Timeline.1\",\"tracks\":{\"OTIO_SCHEMA\":\"Stack.1\",\"markers\":[],\"children\":[{\"OTIO_SCHEMA\":\"Track.1\",\"markers\":[{\"OTIO_SCHEMA\":\"Marker.2\",\"name\":\"x\",\"comment\":\"why\",\"marked_range\":{\"start_time\":{\"value\":50,\"rate\":25},\"duration\":{\"value\":24,\"rate\":24}}}],\"children\":[{\"markers\":[{}]}]}]}}",
            ["2000+1000 x (why)"]
        ),
    ]) func `what other programs write is read`(format: ExchangeFormat, text: String, markers: [String])
        throws
    {
        let read = try ExchangeSample.read(Array(text.utf8), format)
        #expect(read.problems.map(\.description) == [])
        #expect(read.markers.map(Self.told) == markers)
    }

    @Test(arguments: [
        (1, "not taken: 1 event without a marker"), (2, "not taken: 2 events without a marker"),
    ])
    func `events of a decision list that have no marker are counted`(count: Int, notice: String) throws {
        let event = "001  AX  V  C  00:00:00:00 00:00:01:00 00:00:02:00 00:00:03:00\n"
        let marked = "* LOC: 00:00:02:05 RED     Here\n"
        let text = String(repeating: event, count: count) + event + marked
        let read = try ExchangeSample.read(Array(text.utf8), .edl)
        #expect(read.markers.count == 1 && read.notices.first?.message == notice)
    }

    @Test func `what an editor has changed of a timeline counts`() throws {
        let markers = [ExchangeSample.marker(1, at: 1010, "a\nb", tags: ["x"], duration: 500)]
        var context = ExchangeSample.context(markers, .otio)
        context.frameRate = FrameRate("25")
        let text = String(decoding: try ExchangeSample.text(markers, .otio, context), as: UTF8.self)
        func read(_ text: String) throws -> [String] {
            try ExchangeSample.read(Array(text.utf8), .otio).markers.map(Self.told)
        }
        #expect(try read(text) == ["1010+500 a\nb [\"x\"]"])
        #expect(
            try read(text.replacing("\"value\":25.0", with: "\"value\":26.0")) == ["1040+500 a\nb [\"x\"]"])
        #expect(
            try read(text.replacing("\"name\":\"a b\"", with: "\"name\":\"c\"")) == ["1010+500 c [\"x\"]"])
        #expect(
            try read(text.replacing("\"comment\":\"\"", with: "\"comment\":\"d\"")) == [
                "1010+500 a\nb [\"x\"] (d)"
            ])
    }

    @Test(arguments: [
        (
            ExchangeFormat.audacity, "1\t1\tx\nhello\n",
            "x:2 (byte 6): this is not a label: expected two times in seconds and a text, separated by tabs\n  hint: export it with Audacity's 'Export Labels', in the format 'Text file'"
        ),
        (
            .audacity, "2\t1\tx\n",
            "x:1 (byte 0): the label ends before it starts\n  hint: correct its times in Audacity"
        ),
        (
            .reaper, reaperHeader + "M1,x,5.1.00,,\n",
            "x:2 (byte 30): '5.1.00' is bars and beats\n  hint: set the ruler to Minutes:Seconds in REAPER, and export it again"
        ),
        (
            .reaper, reaperHeader + "\nM1,x,00:00:12:05,,\n",
            "x:3 (byte 31): '00:00:12:05' is frames\n  hint: set the ruler to Minutes:Seconds in REAPER, and export it again"
        ),
        (
            .reaper, reaperHeader + "M1,x,441000,,\n",
            "x:2 (byte 30): '441000' is not minutes and seconds\n  hint: set the ruler to Minutes:Seconds in REAPER, and export it again"
        ),
        (
            .csv, "id,label\n1,2\n",
            "x:1 (byte 0): no column contains the offsets of the markers\n  hint: name the columns in the first line: offset_ms (milliseconds) or time (2:00.000), label, note, tags, duration_ms"
        ),
        (
            .csv, "offset_ms,label\n5,\"a\nb\n",
            "x:2:3 (byte 18): the quote that begins here is never closed\n  hint: double the quotes inside a field"
        ),
        (
            .csv, "offset_ms,label\n5,\"a\"b\n1,x\n",
            "x:2:6 (byte 21): unexpected text after the closing quote of a field\n  hint: double the quotes inside a field"
        ),
        (
            .csv, "offset_ms,label\n\n1:75,x\n",
            "x:3 (byte 17): '1:75' is not a time\n  hint: write 2:00.000, 90s or 120000ms"
        ),
        (
            .csv, "offset_ms,id\n5,x\n",
            "x:2 (byte 13): id 'x' is not a ULID\n  hint: leave it empty; the marker gets a new id"
        ),
        (
            .csv, "offset_ms,label\n,x\n",
            "x:2 (byte 16): the row has no offset\n  hint: fill in its column offset_ms or time"
        ),
        (
            .tsv, "offset_ms\tcreated_at\n5\tyesterday\n",
            "x:2 (byte 21): created_at 'yesterday' is not a time in UTC\n  hint: write 2026-02-04T20:00:00Z, or leave it empty"
        ),
        (
            .jsonl, "{\"label\":\"x\"}\n",
            "x:1 (byte 0): offset_ms is missing [key-missing]\n  hint: \(Rule.keyMissing.cureText)"
        ),
        (
            .jsonl, "{\"offset_ms\":1}\n{\"offset_ms\":-1}\n",
            "x:2:14 (byte 29): offset_ms is -1, but must not be negative [number-negative]\n  hint: \(Rule.numberNegative.cureText)"
        ),
        (
            .podcast, "{\"chapters\":\n[{\"startTime\":\"x\"}]}",
            "x:2:2 (byte 14): startTime is missing, or not a number of seconds, 0 or more\n  hint: write it in seconds: \"startTime\": 12.5"
        ),
        (
            .podcast, "{\"chapters\":[}",
            "x:1:14 (byte 13): expected a value\n  hint: it may be cut off or edited: export it again with the program that wrote it"
        ),
        (
            .podcast, "[]",
            "x:1:1 (byte 0): there is no list of chapters\n  hint: use a file of Podcasting 2.0 chapters"
        ),
        (
            .ffmetadata, ";FFMETADATA1\n[CHAPTER]\nSTART=x\n",
            "x:3 (byte 23): START 'x' is not a whole number\n  hint: write a whole number, in units of TIMEBASE"
        ),
        (
            .ffmetadata, ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/0\n",
            "x:3 (byte 23): TIMEBASE '1/0' is not a fraction\n  hint: write TIMEBASE=1/1000, and START and END in milliseconds"
        ),
        (
            .ffmetadata, ";FFMETADATA1\n[CHAPTER]\ntitle=x\n",
            "x:2 (byte 13): the chapter has no START\n  hint: write START=… in units of TIMEBASE"
        ),
        (
            .webvtt, "WEBVTX\n",
            "x:1 (byte 0): the first line is not WEBVTT\n  hint: write WEBVTT in the first line, and nothing before it"
        ),
        (
            .webvtt, "WEBVTT\n\n12 --> 13\nx\n",
            "x:3 (byte 8): '12' is not a time\n  hint: write 00:00:12.500 --> 00:01:00.250"
        ),
        (
            .edl, "001 001 V C 1:0:0:0 1:0:0:0 01:00:01:25 01:00:01:26\n |M:x\n",
            "x:1 (byte 0): '01:00:01:25' is not a time code at 25 frames per second\n  hint: give the timeline's with --fps: more than 25"
        ),
        (
            .otio, "{}",
            "x:1:1 (byte 0): this is not an OpenTimelineIO timeline\n  hint: save the whole timeline as .otio"
        ),
    ]) func `what can't be read has a place, a reason and a cure`(
        format: ExchangeFormat, text: String, problem: String
    ) throws {
        let problems = try ExchangeSample.read(Array(text.utf8), format, isStrict: true).problems
        #expect(problems.first?.description ?? "" == problem)
    }

    /// SubRip's captions have times in their lines, and yet they are no chapters.
    @Test func `the times of captions are not those of chapters`() throws {
        let captions = Array(
            "1\n00:00:01,000 --> 00:00:02,000\nHi\n\n2\n00:01:00,500 --> 00:01:02,000\nHo\n".utf8)
        #expect(ExchangeFormat.guess(captions, extension: "srt") == nil)
        #expect(try ExchangeSample.read(captions, .youtube).markers.isEmpty)
        let arrow = try ExchangeSample.read(Array("0:00 verse --> chorus\n".utf8), .youtube).markers
        #expect(arrow.map(\.label) == ["verse --> chorus"])
    }

    @Test(arguments: ExchangeFormat.allCases) func `bytes that are no text are told where they stand`(
        format: ExchangeFormat
    ) throws {
        let latin = try ExchangeSample.read(Array("0:00 a\n0:20 caf".utf8) + [0xE9, 0x0A], format).problems
        #expect(
            latin.contains {
                $0.description
                    == "x:2:9 (byte 15): the bytes are not UTF-8\n  hint: save it as UTF-8, then import it again"
            })
        let wide = try ExchangeSample.read([0xFF, 0xFE, 0x30, 0x00], format).problems
        #expect(wide.first?.message == "the text is UTF-16")
    }

    @Test(arguments: ExchangeFormat.allCases) func `many markers are read in time that grows with them`(
        format: ExchangeFormat
    ) throws {
        let count = format == .edl ? 999 : 4000
        let markers = (0..<count).map { ExchangeSample.marker($0, at: Int64($0) * 11_000, "a \"b\" \($0)") }
        var context = ExchangeSample.context(markers, format)
        context.length = nil
        let text = try ExchangeSample.text(markers, format, context)
        var read: [ImportedMarker] = []
        let work = try CountedWork.processorTime { read = try ExchangeSample.read(text, format).markers }
        #expect(read.count == count)
        #expect(work < .seconds(20))
    }

    @Test func `an EDL takes no more than it can hold`() throws {
        var context = ExchangeContext()
        func error() -> String? {
            do throws(ExchangeError) { _ = try ExchangeFormat.edl.format(context) } catch {
                return error.message
            }
            return nil
        }
        #expect(error() == "an EDL counts frames, but does not contain the frame rate")
        context.frameRate = FrameRate("25")
        #expect(error() == nil)
        context.count = 1000
        #expect(error() == "an EDL holds 999 events, and there are 1000 markers")
        context.count = 1
        context.last = SessionOffset(milliseconds: 83_000_000)
        #expect(error()?.hasPrefix("the time code of an EDL ends at 22:59:59") == true)
    }
}
