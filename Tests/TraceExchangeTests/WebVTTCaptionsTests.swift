import RecordFormat
import Testing

@testable import TraceExchange

/// Lines of a transcript as WebVTT cues.
struct WebVTTCaptionsTests {
    private static let id = "01KGPFAPAZNHY8E60A2RRNTTNZ"

    private static func cue(_ members: String) -> String {
        String(decoding: WebVTTCaptions.cue(of: Array("{\"id\":\"\(id)\",\(members)}".utf8)), as: UTF8.self)
    }

    @Test(arguments: [
        (
            #""offset_ms":4200,"duration_ms":4155,"text":"Good evening.","speaker":"Mara""#,
            "00:00:04.200 --> 00:00:08.355\n<v Mara>Good evening."
        ),
        (#""offset_ms":3661001,"duration_ms":1,"text":"x""#, "01:01:01.001 --> 01:01:01.002\nx"),
        // A cue lasts, and ends where its line does.
        (#""offset_ms":0,"duration_ms":0,"text":"x""#, "00:00:00.000 --> 00:00:00.001\nx"),
        (#""offset_ms":0,"text":"x""#, "00:00:00.000 --> 00:00:00.001\nx"),
        (
            #""offset_ms":0,"duration_ms":5,"text":"a\n\nb --> c\r<script>&amp;""#,
            "00:00:00.000 --> 00:00:00.005\na  b --&gt; c &lt;script&gt;&amp;amp;"
        ),
        (
            #""offset_ms":0,"duration_ms":5,"text":"x","speaker":"A>\n<b>""#,
            "00:00:00.000 --> 00:00:00.005\n<v A&gt; &lt;b&gt;>x"
        ),
    ]) func `a segment is a cue of one line, in which nothing is markup`(members: String, cue: String) {
        #expect(Self.cue(members) == "\n\(Self.id)\n\(cue)\n")
    }

    @Test(
        arguments: [
            (1500, "00:00:02.700 --> 00:00:04.700"), (5000, "00:00:00.000 --> 00:00:01.200"), (6200, nil),
            (-1, nil),
        ] as [(Int64, String?)])
    func `by the clock of a recording a cue begins with it, or not at all`(start: Int64, times: String?) {
        let line = #"{"id":"\#(Self.id)","offset_ms":4200,"duration_ms":2000,"text":"x"}"#
        let cue = WebVTTCaptions.cue(of: Array(line.utf8), from: SessionOffset(milliseconds: start))
        #expect(String(decoding: cue, as: UTF8.self) == (times.map { "\n\(Self.id)\n\($0)\nx\n" } ?? ""))
    }

    @Test(arguments: [
        #""offset_ms":0,"duration_ms":5"#, #""offset_ms":0,"duration_ms":5,"text":" \n\t""#,
        #""offset_ms":-1,"duration_ms":5,"text":"x""#, #""duration_ms":5,"text":"x""#,
        #""offset_ms":"soon","text":"x""#, #""offset_ms":9223372036854775807,"duration_ms":5,"text":"x""#,
        #""offset_ms":0,"text":"x",broken"#,
    ]) func `what can't be shown is left out`(members: String) {
        #expect(Self.cue(members).isEmpty)
    }
}
