internal import RecordFormat

/// An example of a violation, before and after its correction.
package struct RuleCorrection: Sendable {
    /// The file: whole lines of a file of records, or some members of `session.json`.
    package let file: RecordKind
    package let before: [String]
    package let after: [String]

    private init(_ file: RecordKind, before: [String], after: [String]) {
        self.file = file
        self.before = before
        self.after = after
    }

    fileprivate static func marker(_ before: String, _ after: String) -> RuleCorrection {
        RuleCorrection(.marker, before: [before], after: [after])
    }

    fileprivate static func voiceNote(_ before: String, _ after: String) -> RuleCorrection {
        RuleCorrection(.voiceNote, before: [before], after: [after])
    }

    fileprivate static func transcript(_ before: [String], _ after: [String]) -> RuleCorrection {
        RuleCorrection(.transcript, before: before, after: after)
    }

    fileprivate static func timeline(_ before: [String], _ after: [String]) -> RuleCorrection {
        RuleCorrection(.timeline, before: before, after: after)
    }

    fileprivate static func session(_ before: String, _ after: String) -> RuleCorrection {
        RuleCorrection(.session, before: [before], after: [after])
    }
}

extension Rule {
    /// A line that breaks the rule and the line as it should be; nil if what is wrong is not a line that could be shown: a file
    /// that is missing, bytes that are no text.
    package var correction: RuleCorrection? { Self.corrections[id] }

    private static let corrections: [String: RuleCorrection] = [
        "json-syntax": .marker(marker(#"offset_ms":1500,"#, end: ",}"), marker()),
        "number-too-large": .marker(marker(#"offset_ms":15000000000000000000000,"#), marker()),
        "line-torn": .marker(String(marker().prefix(61)), marker()),
        "not-an-object": .marker(#"["01KGNQZP00000000000000000D",1500]"#, marker()),
        "key-missing": .marker(marker().replacing(#","source":"user""#, with: ""), marker()),
        "key-unknown": .marker(marker(more: #","colour":"red""#), marker()),
        "key-duplicate": .marker(marker(#"offset_ms":1500,"offset_ms":15000,"#), marker()),
        "type-mismatch": .marker(marker(#"offset_ms":"0:01.500","#), marker()),
        "ulid-malformed": .marker(
            marker().replacing("01KGNQZP00000000000000000D", with: "01kgnqzp00000000000000000d"), marker()),
        "timestamp-malformed": .marker(
            marker().replacing("T20:00:01.500Z", with: "T21:00:01.500+01:00"), marker()),
        "timestamp-impossible": .marker(marker().replacing("-02-04T", with: "-02-30T"), marker()),
        "number-negative": .marker(marker(#"offset_ms":-1500,"#), marker()),
        "value-not-allowed": .marker(marker().replacing(#""user""#, with: #""me""#), marker()),
        "tag-malformed": .marker(
            marker(more: #","tags":["Fix Review"]"#), marker(more: #","tags":["fix-review"]"#)),
        "media-path-prefix": .voiceNote(voiceNote("note.m4a"), voiceNote("media/note.m4a")),
        "confidence-range": .transcript(
            [segment(2000, "one two", more: #","confidence":93"#)],
            [segment(2000, "one two", more: #","confidence":0.93"#)]),

        "id-duplicate": .marker(
            marker(more: #","voice_note_id":"01KGNQZP00000000000000000E""#)
                .replacing(
                    #""id":"01KGNQZP00000000000000000D""#, with: #""id":"01KGNQZP00000000000000000E""#),
            marker(more: #","voice_note_id":"01KGNQZP00000000000000000E""#)),
        "timeline-order": .timeline(
            [entry("C", "session_start", 0), entry("H", "media_end", 9000), entry("G", "media_start", 1000)],
            [entry("C", "session_start", 0), entry("G", "media_start", 1000), entry("H", "media_end", 9000)]),
        "transcript-order": .transcript(
            [segment(2000, "three four", id: "K"), segment(1000, "one two", id: "J")],
            [segment(1000, "one two", id: "J"), segment(2000, "three four", id: "K")]),
        "marker-voice-note-missing": .marker(
            marker(more: #","voice_note_id":"01KGNQZP00000000000000000X""#), marker()),
        "voice-note-marker-missing": .voiceNote(
            voiceNote("media/note.m4a", more: #","marker_id":"01KGNQZP00000000000000000X""#),
            voiceNote("media/note.m4a")),
        "media-outside-session": .voiceNote(
            voiceNote("media/../../note.m4a"), voiceNote("media/note.m4a")),
        "session-start-missing": .timeline(
            [entry("G", "media_start", 1000)],
            [entry("C", "session_start", 0), entry("G", "media_start", 1000)]),
        "session-start-duplicate": .timeline(
            [entry("C", "session_start", 0), entry("G", "session_start", 0)],
            [entry("C", "session_start", 0)]),
        "session-start-offset": .timeline(
            [entry("C", "session_start", 5)], [entry("C", "session_start", 0)]),
        "session-start-time": .session(
            #""start_time":"2026-02-04T21:00:00.000Z""#, #""start_time":"2026-02-04T20:00:00.000Z""#),
        "session-end-missing": .timeline(
            [entry("C", "session_start", 0)],
            [entry("C", "session_start", 0), entry("H", "session_end", 600_000)]),
        "session-end-offset": .timeline(
            [entry("C", "session_start", 0), entry("H", "session_end", 599_000)],
            [entry("C", "session_start", 0), entry("H", "session_end", 600_000)]),
        "closed-end-time-missing": .session(
            #""status":"closed","duration_ms":600000"#,
            #""status":"closed","end_time":"2026-02-04T20:10:00.000Z","duration_ms":600000"#),
        "closed-duration-missing": .session(
            #""status":"closed","end_time":"2026-02-04T20:10:00.000Z""#,
            #""status":"closed","end_time":"2026-02-04T20:10:00.000Z","duration_ms":600000"#),
        "closed-duration-mismatch": .session(
            end("20:10:00.250Z", 600_000), end("20:10:00.000Z", 600_000)),
        "active-has-end": .session(
            end("20:10:00.000Z", 600_000).replacing("closed", with: "active"),
            end("20:10:00.000Z", 600_000)),
        "offset-beyond-end": .marker(marker(#"offset_ms":600001,"#), marker()),
        "path-null": .session(#""digest_path":null"#, #""digest_path":"digest.md""#),
    ]

    // MARK: - Lines

    private static func marker(
        _ offset: String = #"offset_ms":1500,"#, more: String = "", end: String = "}"
    ) -> String {
        #"{"id":"01KGNQZP00000000000000000D","\#(offset)"created_at":"2026-02-04T20:00:01.500Z","source":"user"\#(more)\#(end)"#
    }

    private static func voiceNote(_ path: String, more: String = "") -> String {
        #"{"id":"01KGNQZP00000000000000000E","created_at":"2026-02-04T20:00:02.000Z","media_path":"\#(path)","#
            + #""offset_ms":2000,"duration_ms":900\#(more)}"#
    }

    private static func segment(
        _ offset: Int, _ text: String, id: Character = "F", more: String = ""
    ) -> String {
        #"{"id":"01KGNQZP00000000000000000\#(id)","offset_ms":\#(offset),"duration_ms":800,"text":"\#(text)"\#(more)}"#
    }

    private static func entry(_ id: Character, _ kind: String, _ offset: Int) -> String {
        let moment = Timestamp(milliseconds: 1_770_235_200_000 + Int64(offset))
        return #"{"id":"01KGNQZP00000000000000000\#(id)","kind":"\#(kind)","offset_ms":\#(offset),"#
            + #""wall_time":"\#(moment)","created_at":"\#(moment)","source":"system"}"#
    }

    private static func end(_ time: String, _ duration: Int) -> String {
        #""status":"closed","start_time":"2026-02-04T20:00:00.000Z","end_time":"2026-02-04T\#(time)","duration_ms":\#(duration)"#
    }
}
