import FileHarness
import Foundation
import RecordFormat
import StoreHarness
import SystemPackage
import Testing
import TraceFormat
import TraceStore
import TraceText

@testable import TraceExchange

/// Files of other programs, as they come into a session, with what is said of them: `Tests/Fixtures/exchange`.
struct ForeignFilesTests {
    private let scratch: ScratchDirectory
    private let session: SampleSession

    init() throws {
        scratch = try ScratchDirectory()
        session = try SampleSession(at: scratch("a"))
    }

    /// The markers that a text would add, or why it is refused, and the notices.
    private func imported(
        _ text: [UInt8], named name: String, _ request: ImportRequest
    ) throws -> (markers: [String], notices: [String]) {
        let suffix = name.split(separator: ".").last.map(String.init)
        let reading = try request.read(
            ImportSource(text, file: name), extension: suffix, for: session.session)
        guard reading.problems.isEmpty else {
            return (reading.problems.map { "refused: \($0)" }, reading.notices.map(\.text))
        }
        let plan = try reading.markers.plan(in: SessionReader(session.path))
        return (plan.items.map { Self.told($0.marker) }, (reading.notices + plan.notices).map(\.text))
    }

    private static func told(_ marker: Marker) -> String {
        let tags = marker.tags.isEmpty ? "" : " \(marker.tags)"
        return "\(marker.offset.milliseconds)\(marker.duration.map { "+\($0.milliseconds)" } ?? "")"
            + "\(marker.label.map { " \($0)" } ?? "")\(tags)\(marker.note.map { " (\($0))" } ?? "")"
    }

    private func imported(
        file: String, _ request: ImportRequest
    ) throws -> (markers: [String], notices: [String]) {
        let path = URL(filePath: #filePath).appending(path: "../../Fixtures/exchange/\(file)").standardized
        return try imported(Array(Data(contentsOf: path)), named: file, request)
    }

    private static let youtube = ImportRequest(format: .youtube)
    private static func edl(_ rate: String, start: String? = nil) -> ImportRequest {
        ImportRequest(frameRate: rate, start: start)
    }

    private static func origin(_ code: String) -> String {
        "times count from the time code \(code)\n  hint: where the timeline begins at another, give that with --start"
    }

    private static let chapters = ["0 Intro", "65000 Verse", "150000 End"]
    private static let choice =
        "hint: say in which unit the numbers are: --unit s for seconds, --unit ms for milliseconds"

    // swift-format-ignore
    @Test(arguments: [
        // What has no place in a marker.
        ("notes.edl", edl("25"), ["10000 Count-in (softer here)", "20000+2000 Solo (keep take 2)", "30000 Outro"],
         ["not taken: 3 colours of markers ('Blue', 'Green', 'Purple')", origin("01:00:00:00")]),
        ("unknown-columns.csv", ImportRequest(), ["1000 Verse", "9000 Solo"],
         ["not taken: 2 columns ('colour', 'speaker')"]),
        // WebVTT.
        ("chapters.vtt", ImportRequest(),
         ["10000 Café ♫ A & B", "20000 Don't stop…", "30000 Half <time>", "40000 Notebook", "3600000 After HLS"],
         ["not taken: 1 text ('NOTEBOOK-3')", "not taken: 2 settings of cues ('align:start', 'position:10%')"]),
        ("no-blank.vtt", ImportRequest(), ["5000 One", "15000 Two"], []),
        // Carriage returns.
        ("mac.csv", ImportRequest(), ["1000 One", "2000 Two", "3000 Three"], []),
        ("mac.txt", ImportRequest(), ["1000 One", "2000 Two", "3000 Three"], []),
        ("mac.vtt", ImportRequest(), ["1000 One", "2000 Two", "3000 Three"], []),
        // Units.
        ("whole.csv", ImportRequest(), ["12000 Intro", "95000 Solo"],
         ["the numbers of the column 'time' have no unit and are read as seconds, since some have decimals\n  hint: --unit s says so"]),
        ("ints.csv", ImportRequest(),
         ["refused: ints.csv:1 (byte 0): the numbers of the column 'start' have no unit, and as milliseconds all are within the first second\n  \(choice)"], []),
        ("ints.csv", ImportRequest(unit: .seconds), ["12000 Intro", "95000 Solo"], []),
        ("ints.csv", ImportRequest(unit: .milliseconds), ["12 Intro", "95 Solo"], []),
        // Origins.
        ("second-hour.edl", edl("25"), ["300000 After the break", "2400000 Encore"], [origin("01:00:00:00")]),
        ("second-hour.edl", edl("25", start: "0"), ["3900000 After the break", "6000000 Encore"],
         ["times count from the time code 00:00:00:00"]),
        ("both.edl", edl("25"), ["300000 Opener", "3900000 After the break", "6000000 Encore"],
         [origin("00:00:00:00")]),
        ("both.edl", edl("25", start: "01:00:00:00"), ["300000 After the break", "2400000 Encore"],
         ["both.edl:5 (byte 118): the marker at the time code '00:05:00:00' is before the start '01:00:00:00' that was given for the timeline; the marker is left out\n  hint: give the time code at which the timeline begins with --start, which no marker is before",
          "times count from the time code 01:00:00:00"]),
        // Ten minutes of a time code that drops frames are 17,982 frames of 1001/30000 s: 0.6 ms less.
        ("drop.edl", edl("29.97"), ["10010 Ten seconds", "599999 Ten minutes"], [origin("01:00:00;00")]),
        ("drop.edl", edl("29.97", start: "01:00:00;00"), ["10010 Ten seconds", "599999 Ten minutes"],
         ["times count from the time code 01:00:00;00"]),
        ("drop.edl", edl("30"),
         ["refused: drop.edl:4 (byte 29): the time code drops frames, as it does at 29.97 and 59.94 frames per second alone\n  hint: give --fps 29.97 or 59.94",
          "refused: drop.edl:7 (byte 150): the time code drops frames, as it does at 29.97 and 59.94 frames per second alone\n  hint: give --fps 29.97 or 59.94"], []),
        // Lines of chapters.
        ("chapters-text/dash.txt", youtube, chapters, []),
        ("chapters-text/after.txt", youtube, chapters, []),
        ("chapters-text/after.txt", ImportRequest(), chapters, []),
        ("chapters-text/zwsp.txt", youtube, chapters, []),
        ("chapters-text/numbered.txt", youtube, chapters, []),
        ("chapters-text/two.txt", youtube, chapters, ["not taken: 3 second times of lines"]),
        ("chapters-text/auphonic.txt", youtube,
         ["0 Hello", "62500 Tuning (https://example.org/tuning)", "3600250 Late"],
         ["not taken: 1 line without a time ('# chapters of the evening')"]),
        // One odd element.
        ("nan.otio", ImportRequest(), ["10000+42 Chorus (louder)"], []),
        ("negative.ffmeta", ImportRequest(), ["0 Count-in", "60000 Theme"],
         ["negative.ffmeta:3 (byte 35): the chapter begins before the recording and ends in it: it is taken from its start"]),
        ("strings.json", ImportRequest(), ["0 Hello", "12500+7500 Tuning"], []),
        ("audition.csv", ImportRequest(), ["18000 Verse", "64250+12000 Bridge (slower)"],
         ["not taken: 2 columns ('Time Format', 'Type')"]),
        // Written by the programs themselves; the labels of Audacity by hand.
        ("programs/audacity.txt", ImportRequest(), ["0 Intro", "12500+48750 Café ♫", "90000 [\"highlight\", \"take-2\"]"],
         ["not taken: 1 text ('100.000000 to 2000.000000 Hz')"]),
        ("programs/ffmpeg-m4a.ffmeta", ImportRequest(), ["0 Intro = slow", "12500 Café ♫ A\\B", "61250 End"], []),
        ("programs/mkvmerge.ffmeta", ImportRequest(), ["0 Intro", "12500 Verse & Chorus", "61250 End"], []),
        ("programs/webvtt-py.vtt", ImportRequest(), ["1000 Intro", "12500 Verse\nsecond line", "3600000 Late & loud"],
         ["not taken: 1 text ('verse-1')", "not taken: 1 voice ('Ann')"]),
        ("programs/ffmpeg.vtt", ImportRequest(), ["1000 Intro", "12500 Verse\nsecond line", "3600000 Late & loud"], []),
        ("programs/opentimelineio.otio", ImportRequest(), ["0 Intro", "12500+2000 Verse (softer here)", "1001000+33 On the track"],
         ["not taken: 1 marker on a clip\n  hint: move them to the timeline or to one of its tracks", "not taken: 3 colours of markers ('GREEN', 'RED')",
          "times count from the start of the timeline, which its time code calls 01:00:00:00\n  hint: if all are so much too late, give --start 01:00:00:00"]),
        ("programs/opentimelineio.edl", edl("25"), ["400 MARK ONE", "400 MARK TWO"],
         ["not taken: 2 texts ('* OTIO TRUNCATED REEL NAME FROM: one', '* OTIO TRUNCATED REEL NAME FROM: two')", origin("00:00:00:00")]),
        ("programs/opentimelineio-again.edl", edl("25"), ["10040 Warm-up", "20040 Verse"], [origin("01:00:00:00")]),
    ] as [(String, ImportRequest, [String], [String])])
    func `a file of another program comes as it was meant`(
        file: String, request: ImportRequest, markers: [String], notices: [String]
    ) throws {
        let found = try imported(file: file, request)
        #expect(found.markers == markers)
        #expect(found.notices == notices)
    }

    // swift-format-ignore
    @Test(arguments: [
        ("x.csv", "offset_ms,label\n1000,Hello, all\n2000,x,\n", ["not taken: 1 field behind the last column (' all')\n  hint: put a text that has a separator in it in double quotes"]),
        ("x.csv", "offset_ms,name,title\n1000,a,b\n2000,a,a\n3000,,c\n", ["not taken: 1 text ('title')"]),
        ("x.csv", "offset_ms,empty\n1000,\n2000,\n", []),
        ("x.csv", "#,Name,Start,End,Length,Color\nM1,a,0:01.000,,,FF0000\nM2,b,0:02.000,,,\n", ["not taken: 1 column ('Color')"]),
        ("x.csv", "time,label\n5000,a\n90000,b\n", ["the numbers of the column 'time' have no unit and are read as milliseconds\n  hint: --unit s reads them as seconds"]),
        ("x.jsonl", "{\"offset_ms\":1,\"mood\":2}\n{\"offset_ms\":2,\"mood\":2,\"key\":\"A\"}\n", ["not taken: 3 members ('mood', 'key')"]),
        ("x.json", "{\"chapters\":[{\"startTime\":1,\"title\":\"x\",\"img\":\"y\"},{\"startTime\":2,\"img\":\"y\",\"toc\":false}]}", ["not taken: 2 members ('img')"]),
        ("x.ffmeta", ";FFMETADATA1\ntitle=t\n[CHAPTER]\nSTART=1\nEND=2\ntitle=x\nartist=Ann\n", ["not taken: 1 member ('artist')"]),
        ("x.csv", "time,label\n0.5,a\n0.75,b\n", ["the numbers of the column 'time' have no unit and are read as seconds, since some have decimals\n  hint: --unit s says so"]),
        ("x.csv", "offset_ms,id,tags\n1,one,A!\n2,two,B!\n3,01J00000000000000000000050,C!\n", ["x.csv:2 (byte 18): 'A!' is not a tag, and 2 more like it; 3 values are left out\n  hint: write tags with the letters a to z, digits, - and _, separated by spaces", "x.csv:2 (byte 18): id 'one' is not a ULID, and 1 more like it; 2 values are left out\n  hint: leave it empty; the marker gets a new id"]),
        ("x.jsonl", "{\"offset_ms\":1,\"label\":5}\n{\"offset_ms\":2,\"note\":5}\n", ["x.jsonl:1:24 (byte 23): label is 5, but must be a string [type-mismatch]; the value is left out\n  hint: write a value of the required type; an integer is written without quotes, such as 90000", "x.jsonl:2:23 (byte 48): note is 5, but must be a string [type-mismatch]; the value is left out\n  hint: write a value of the required type; an integer is written without quotes, such as 90000"]),
        ("x.txt", "1\t2\tx\n\\\t100\t2000\n", ["not taken: 1 text ('100 to 2000 Hz')"]),
        ("x.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Hi</v> <v.loud Ben>ho\n\nwhat is this\n\nNOTE yes\n\nNOTEd\n", ["not taken: 2 voices ('Ann', 'Ben')", "not taken: 2 blocks that are not cues ('what is this', 'NOTEd')\n  hint: put a line of two times above the text: 00:00:12.500 --> 00:01:00.250"]),
        ("x.otio", #"{"OTIO_SCHEMA":"Timeline.1","tracks":{"markers":[{"name":"a","color":"RED","metadata":{"cmx":1},"marked_range":{"start_time":{"rate":24,"value":0}}},{"name":"b","color":"BLUE","marked_range":{"start_time":{"rate":24,"value":0}}}],"children":[{"children":[{"markers":[{}]},{"children":[{"markers":[{},{}]}]}]}]}}"#,
         ["not taken: 1 member ('metadata.cmx')", "not taken: 3 markers on clips\n  hint: move them to the timeline or to one of its tracks", "not taken: 2 colours of markers ('BLUE', 'RED')"]),
    ]) func `what has no place in a marker is counted and named`(
        name: String, text: String, notices: [String]
    ) throws {
        let found = try imported(Array(text.utf8), named: name, ImportRequest())
        #expect(found.notices == notices)
        #expect(!found.markers.isEmpty && !found.markers.contains { $0.hasPrefix("refused") })
    }

    /// Files with one odd element, the reason, and what the hint says to do: a file, or a request, without it.
    // swift-format-ignore
    private static let reasons: [(name: String, text: String, reason: String, cured: String, request: ImportRequest)] = [
        ("x.csv", "offset_ms,label\n5000,a\nsoon,b\n", "x.csv:3 (byte 23): 'soon' is not a time; the marker is left out", "offset_ms,label\n5000,a\n2:00.000,b\n90s,c\n120000ms,d\n", ImportRequest()),
        ("x.csv", "offset_ms,label\n5000,a\n,b\n,c\n", "x.csv:3 (byte 23): the row has no offset, and 1 more like it; 2 markers are left out", "offset_ms,label\n5000,a\n6,b\n7,c\n", ImportRequest()),
        ("x.csv", "offset_ms,id\n5000,1\n6000,2\n", "x.csv:2 (byte 13): id '1' is not a ULID, and 1 more like it; 2 values are left out", "offset_ms,id\n5000,\n6000,\n", ImportRequest()),
        ("x.csv", "offset_ms,created_at\n5000,yesterday\n", "x.csv:2 (byte 21): created_at 'yesterday' is not a time in UTC; the value is left out", "offset_ms,created_at\n5000,2026-02-04T20:00:00Z\n", ImportRequest()),
        ("x.csv", "offset_ms,source\n5000,me\n", "x.csv:2 (byte 17): source 'me' is neither user nor system; the value is left out", "offset_ms,source\n5000,system\n", ImportRequest()),
        ("x.csv", "offset_ms,tags\n5000,Solo loud!\n", "x.csv:2 (byte 15): 'loud!' is not a tag; the value is left out", "offset_ms,tags\n5000,Solo loud\n", ImportRequest()),
        ("x.csv", "offset_ms,duration\n5000,long\n", "x.csv:2 (byte 19): 'long' is not a time; the value is left out", "offset_ms,duration\n5000,90s\n", ImportRequest()),
        ("x.txt", "1\t1\tx\nhello\n", "x.txt:2 (byte 6): this is not a label: expected two times in seconds and a text, separated by tabs; the marker is left out", "1\t1\tx\n2\t2\thello\n", ImportRequest()),
        ("x.txt", "2\t1\tx\n", "x.txt:1 (byte 0): the label ends before it starts; the value is left out", "1\t2\tx\n", ImportRequest()),
        ("x.txt", "-1\t1\tx\n2\t2\ty\n", "x.txt:1 (byte 0): the marker is before the start of the session; the marker is left out", "1\t1\tx\n2\t2\ty\n", ImportRequest()),
        ("x.csv", "#,Name,Start,End,Length\nM1,a,5.1.00,,\nM2,b,0:02.000,,\n", "x.csv:2 (byte 24): '5.1.00' is bars and beats; the marker is left out", "#,Name,Start,End,Length\nM1,a,0:01.000,,\nM2,b,0:02.000,,\n", ImportRequest()),
        ("x.csv", "#,Name,Start,End,Length\nR1,a,0:03.000,0:02.000,\n", "x.csv:2 (byte 24): the region ends before it starts; the value is left out", "#,Name,Start,End,Length\nR1,a,0:02.000,0:03.000,\n", ImportRequest()),
        ("x.jsonl", "{\"offset_ms\":1}\n{\"label\":\"x\"}\n", "x.jsonl:2 (byte 16): offset_ms is missing [key-missing]; the marker is left out", "{\"offset_ms\":1}\n{\"offset_ms\":2,\"label\":\"x\"}\n", ImportRequest()),
        ("x.json", "{\"chapters\":[{\"startTime\":1},{\"startTime\":\"soon\"}]}", "x.json:1:30 (byte 29): startTime is missing, or not a number of seconds, 0 or more; the marker is left out", "{\"chapters\":[{\"startTime\":1},{\"startTime\": 12.5}]}", ImportRequest()),
        ("x.json", "{\"chapters\":[{\"startTime\":2,\"endTime\":1}]}", "x.json:1:14 (byte 13): the chapter ends before it starts; the value is left out", "{\"chapters\":[{\"startTime\":2}]}", ImportRequest()),
        ("x.ffmeta", ";FFMETADATA1\n[CHAPTER]\nSTART=1\n[CHAPTER]\nSTART=x\n", "x.ffmeta:5 (byte 41): START 'x' is not a whole number; the marker is left out", ";FFMETADATA1\n[CHAPTER]\nSTART=1\n[CHAPTER]\nSTART=2\n", ImportRequest()),
        ("x.ffmeta", ";FFMETADATA1\n[CHAPTER]\nSTART=1\n[CHAPTER]\nTIMEBASE=0.001\nSTART=1\n", "x.ffmeta:5 (byte 41): TIMEBASE '0.001' is not a fraction; the marker is left out", ";FFMETADATA1\n[CHAPTER]\nSTART=1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1\n", ImportRequest()),
        ("x.ffmeta", ";FFMETADATA1\n[CHAPTER]\nSTART=1\n[CHAPTER]\ntitle=x\n", "x.ffmeta:4 (byte 31): the chapter has no START; the marker is left out", ";FFMETADATA1\n[CHAPTER]\nSTART=1\n[CHAPTER]\nSTART=5\ntitle=x\n", ImportRequest()),
        ("x.ffmeta", ";FFMETADATA1\n[CHAPTER]\nSTART=1\n[CHAPTER]\nTIMEBASE=1000/1\nSTART=9223372036854775807\n", "x.ffmeta:4 (byte 31): the chapter starts too late; the marker is left out", ";FFMETADATA1\n[CHAPTER]\nSTART=1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=2\n", ImportRequest()),
        ("x.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nx\n\n1 --> 2\ny\n", "x.vtt:6 (byte 35): '1' is not a time; the marker is left out", "WEBVTT\n\n00:01.000 --> 00:02.000\nx\n\n00:00:12.500 --> 00:01:00.250\ny\n", ImportRequest()),
        ("x.vtt", "WEBVTT\n\n00:01.000 --> soon\nx\n", "x.vtt:3 (byte 8): the end 'soon' of the cue is not a time; the value is left out", "WEBVTT\n\n00:00:12.500 --> 00:01:00.250\nx\n", ImportRequest()),
        ("x.vtt", "WEBVTT\n\n00:01.000-->\nx\n", "x.vtt:3 (byte 8): the cue has no end; the value is left out", "WEBVTT\n\n00:00:12.500 --> 00:01:00.250\nx\n", ImportRequest()),
        ("x.edl", "001 001 V C 01:00:00:00 01:00:00:01 01:00:12:00 01:00:12:01\n |M:x |D:2s\n", "x.edl:2 (byte 60): the length '2s' is not a number of frames; the value is left out", "001 001 V C 01:00:00:00 01:00:00:01 01:00:12:00 01:00:12:01\n |M:x |D:25\n", edl("25")),
        ("x.csv", "offset_ms,label\n1.5,a\n2,b\n", "x.csv:2 (byte 16): '1.5' in the column 'offset_ms' is not a whole number of milliseconds; the marker is left out", "offset_ms,label\n15,a\n2,b\n", ImportRequest()),
        ("x.jsonl", "{\"offset_ms\":1,\"id\":\"one\"}\n", "x.jsonl:1:21 (byte 20): id 'one' is not a ULID [ulid-malformed]; the value is left out", "{\"offset_ms\":1}\n", ImportRequest()),
        ("x.edl", "001 001 V C 01:00:00:00 01:00:00:01 01:60:00:00 01:60:00:01\n |M:x\n002 001 V C 01:00:00:00 01:00:00:01 01:10:00:00 01:10:00:01\n |M:y\n", "x.edl:1 (byte 0): '01:60:00:00' is not a time code; the marker is left out", "001 001 V C 01:00:00:00 01:00:00:01 01:00:12:00 01:00:12:01\n |M:x\n002 001 V C 01:00:00:00 01:00:00:01 01:10:00:00 01:10:00:01\n |M:y\n", edl("25", start: "0")),
        ("x.otio", #"{"OTIO_SCHEMA":"Timeline.1","tracks":{"markers":[{"marked_range":{"start_time":{"rate":NaN,"value":1}}},{"marked_range":{"start_time":{"rate":24,"value":24}}}]}}"#, "x.otio:1:50 (byte 49): the marker has no marked_range that starts at 0 or later; the marker is left out", #"{"OTIO_SCHEMA":"Timeline.1","tracks":{"markers":[{"marked_range":{"start_time":{"rate":24,"value":1}}},{"marked_range":{"start_time":{"rate":24,"value":24}}}]}}"#, ImportRequest()),
        ("x.otio", #"{"OTIO_SCHEMA":"Timeline.1","tracks":{"markers":[{"marked_range":{"start_time":{"rate":24,"value":24},"duration":{"rate":24,"value":-1}}}]}}"#, "x.otio:1:50 (byte 49): the duration of the marker is not a time; the value is left out", #"{"OTIO_SCHEMA":"Timeline.1","tracks":{"markers":[{"marked_range":{"start_time":{"rate":24,"value":24},"duration":{"rate":24,"value":0}}}]}}"#, ImportRequest()),
    ]

    @Test(arguments: reasons.indices) func `one odd element is left out, with a reason whose cure works`(
        number: Int
    ) throws {
        let (name, text, reason, cured, request) = Self.reasons[number]
        func strict(_ request: ImportRequest) -> ImportRequest {
            var request = request
            request.isStrict = true
            return request
        }
        let found = try imported(Array(text.utf8), named: name, request)
        #expect(found.notices.first?.hasPrefix(reason + "\n  hint: ") == true, "\(found)")
        #expect(!found.markers.isEmpty && !found.markers.contains { $0.hasPrefix("refused") }, "\(found)")
        let refused = try imported(Array(text.utf8), named: name, strict(request))
        #expect(refused.markers.first?.hasPrefix("refused: ") == true, "\(refused)")
        let again = try imported(Array(cured.utf8), named: name, strict(request))
        #expect(!again.markers.isEmpty && !again.markers.contains { $0.hasPrefix("refused") }, "\(again)")
        #expect(!again.notices.contains { $0.contains("left out") }, "\(again)")
    }

    // swift-format-ignore
    @Test(arguments: [
        ("x.csv", "time,label\n5000,a\n12.5,b\n", ImportRequest(), true),
        ("x.csv", "time,label\n" + String(repeating: "5000,a\n", count: 1000) + "12.5,b\n", ImportRequest(), false),
        ("x.csv", "time,label\n0.5,a\n120000.0,b\n", ImportRequest(), false),
        ("x.csv", "time,label\n120000.0,b\n", ImportRequest(unit: .milliseconds), true),
        ("x.csv", "time,label\n120000.0,b\n", ImportRequest(unit: .seconds), true),
        ("x.csv", "time,label\n0,a\n", ImportRequest(), true),
        ("x.csv", "time,duration,label\n0:05,3,a\n", ImportRequest(), false),
        ("x.csv", "offset_ms,label\n5.0,a\n", ImportRequest(), true),
        ("x.edl", "001 001 V C 01:00:00:25 01:00:00:26 01:00:00:25 01:00:00:26\n |M:x\n", ImportRequest(frameRate: "25"), false),
        ("x.edl", "001 001 V C 01:00:00:25 01:00:00:26 01:00:00:25 01:00:00:26\n |M:x\n", ImportRequest(frameRate: "30"), true),
    ]) func `a unit that would be a guess among two is asked for`(
        name: String, text: String, request: ImportRequest, isTaken: Bool
    ) throws {
        let found = try imported(Array(text.utf8), named: name, request)
        #expect(found.markers.contains { $0.hasPrefix("refused") } != isTaken, "\(found)")
    }

    // swift-format-ignore
    @Test(arguments: [
        ("x.csv", "offset_ms,label\n", ImportRequest(), [], ["there are no markers in the file"]),
        ("x.csv", " \n", ImportRequest(), [], []),
        ("x.otio", #"{"OTIO_SCHEMA":"Timeline.1","tracks":{}}"#, ImportRequest(), [], ["there are no markers in the file"]),
        ("x.txt", "Our set!\nThanks\n", youtube, ["refused: x.txt:1 (byte 0): no marker was found: not taken: 2 lines without a time ('Our set!', 'Thanks')\n  hint: begin or end each line with its time: 0:00 Intro"], []),
        ("x.csv", "offset_ms,label\nsoon,a\n", ImportRequest(), ["refused: x.csv:2 (byte 16): 'soon' is not a time\n  hint: write 2:00.000, 90s or 120000ms"], []),
        ("x.vtt", "WEBVTT\n\n1\nwhat\n", ImportRequest(), ["refused: x.vtt:1 (byte 0): no marker was found: not taken: 1 block that is not a cue ('1')\n  hint: put a line of two times above the text: 00:00:12.500 --> 00:01:00.250"], []),
        ("x.edl", "001 001 V C 01:00:00:00 01:00:00:01 01:00:12:00 01:00:12:01\n |M:x\n", Self.edl("25", start: "02:00:00:00"), ["refused: x.edl:2 (byte 60): the marker at the time code '01:00:12:00' is before the start '02:00:00:00' that was given for the timeline\n  hint: give the time code at which the timeline begins with --start, which no marker is before"], ["times count from the time code 02:00:00:00"]),
    ] as [(String, String, ImportRequest, [String], [String])])
    func `nothing from a file that is not empty has its reason`(
        name: String, text: String, request: ImportRequest, markers: [String], notices: [String]
    ) throws {
        let found = try imported(Array(text.utf8), named: name, request)
        #expect(found.markers == markers && found.notices == notices, "\(found)")
    }

    @Test(arguments: [
        ("offset_ms,label\n5,\"a\n", "x.csv"), ("{\"offset_ms\":1}\n{\"offset_ms\":", "x.jsonl"),
        ("{\"chapters\":[{\"startTime\":1},", "x.json"), ("WEBVTX\n", "x.vtt"), ("[]", "x.otio"),
    ]) func `what can't be read as its format is refused as a whole`(text: String, name: String) throws {
        let request = ImportRequest(format: name == "x.json" ? .podcast : nil)
        let found = try imported(Array(text.utf8), named: name, request)
        #expect(found.markers.contains { $0.hasPrefix("refused: ") }, "\(found)")
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x30, 0, 0x3A, 0], "UTF-16"), ([0xFE, 0xFF, 0, 0x30, 0, 0x3A], "UTF-16"),
            ([0x30, 0, 0x3A, 0, 0x30, 0], "UTF-16"), ([0xFF, 0xFE, 0, 0, 0x30, 0, 0, 0], "UTF-32"),
        ] as [([UInt8], String)], ["x.txt", "x.csv"])
    func `text in another encoding is called so, whatever its name tells`(
        text: ([UInt8], String), name: String
    ) throws {
        do {
            let found = try imported(text.0, named: name, ImportRequest())
            #expect(
                found.markers == [
                    "refused: x.csv:1 (byte 0): the text is \(text.1)\n  hint: save it as UTF-8, then import it again"
                ])
        } catch {
            #expect(
                error.anyReport.text
                    == "x.txt: the text is \(text.1)\n  hint: save it as UTF-8, then import it again")
        }
    }

    @Test(arguments: [
        (ImportRequest(format: .youtube, start: "0"), ExchangeError.Code.optionUnused),
        (ImportRequest(format: .youtube, unit: .seconds), .optionUnused),
        (ImportRequest(format: .otio, start: "noon"), .startMalformed),
        (ImportRequest(format: .otio, start: "25:00:00:00"), .startMalformed),
    ]) func `an option that has no meaning is refused`(_ request: ImportRequest, _ code: ExchangeError.Code) {
        let error = #expect(throws: ExchangeError.self) { try imported([], named: "x", request) }
        #expect(error?.code == code)
    }

    /// Every text format, with its lines ended by each of the three ways.
    @Test(arguments: ExchangeFormat.allCases, ["\r", "\r\n"]) func `each of three line ends ends a line`(
        format: ExchangeFormat, end: String
    ) throws {
        let markers = [0, 60_000, 125_000].enumerated().map {
            ExchangeSample.marker($0.offset, at: Int64($0.element), "m \($0.offset)")
        }
        let text = String(decoding: try ExchangeSample.text(markers, format), as: UTF8.self)
        func read(_ text: String) throws -> ([ImportedMarker], [String]) {
            let read = try ExchangeSample.read(Array(text.utf8), format)
            var markers = read.markers
            for number in markers.indices {
                markers[number].place.byteOffset = 0
                markers[number].line = nil
            }
            return (markers, read.problems.map(\.description))
        }
        let plain = try read(text)
        let other = try read(text.replacing("\n", with: end))
        #expect(plain.0.count == 3 && plain.0 == other.0 && other.1 == [])
    }

    @Test func `a timeline's start is taken off where it is given, and else said`() throws {
        func text(_ value: Int) -> String {
            #"{"OTIO_SCHEMA":"Timeline.1","global_start_time":{"rate":24,"value":86400},"tracks":{"markers":[{"name":"a","marked_range":{"start_time":{"rate":24,"value":\#(value)}}}]}}"#
        }
        let plain = try imported(Array(text(240).utf8), named: "x.otio", ImportRequest())
        #expect(plain.markers == ["10000 a"])
        #expect(
            plain.notices == [
                "times count from the start of the timeline, which its time code calls 01:00:00:00\n  hint: if all are so much too late, give --start 01:00:00:00"
            ])
        let given = try imported(
            Array(text(86_640).utf8), named: "x.otio", ImportRequest(start: "01:00:00:00"))
        #expect(given.markers == ["10000 a"])
        #expect(given.notices == ["times count from the time code 01:00:00:00"])
    }

    @Test func `a film rate counts its first hour in its own frames`() throws {
        let text =
            "001 001 V C 01:00:10:00 01:00:10:01 01:00:10:00 01:00:10:01\n |M:x\n"
        #expect(
            try imported(Array(text.utf8), named: "x.edl", ImportRequest(frameRate: "23.976")).markers
                == ["10010 x"])
    }
}
