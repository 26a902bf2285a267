internal import RecordFormat

extension Rule {
    /// A finding of this rule as a report shows it. Each is one of the rule's fixture
    /// (`Tests/Fixtures/rules/<id>/expected.txt`), without the rule's name at the end.
    package var example: String? { Self.examples[id] }

    private static let examples = [
        "file-missing":
            "session.json: digest_path names digest.md, which does not exist",
        "file-unreadable":
            "transcript.jsonl: it is a directory, not a regular file",
        "file-empty":
            "session.json:2:1 (byte 2): expected a value, but the text ends",
        "byte-order-mark":
            "session.json:1:1 (byte 0): the file begins with a byte order mark",
        "json-syntax":
            "markers.jsonl:2:53 (byte 161): expected a member name in quotes",
        "json-too-deep":
            "actions.jsonl:2:171 (byte 278): objects and arrays nest deeper than 128",
        "number-too-large":
            "markers.jsonl:2:48 (byte 156): a number is too large",
        "not-utf8":
            "markers.jsonl:2:120 (byte 228): the bytes of a string are not UTF-8",
        "nul-bytes":
            "markers.jsonl:2:1 (byte 109): the line contains 64 NUL bytes",
        "line-torn":
            "markers.jsonl:2:61 (byte 169): the text ends in the middle of a string",
        "line-in-transit":
            "markers.jsonl:2:61 (byte 169): the text ends in the middle of a string",
        "newline-missing":
            "markers.jsonl:2 (byte 109): the last line has no newline, so it does not count yet",
        "line-too-long":
            "markers.jsonl:2 (byte 109): the line is longer than any record",
        "not-an-object":
            "markers.jsonl:2 (byte 109): this is an array, not an object",
        "key-missing":
            "session.json:1 (byte 0): status is missing",
        "key-unknown":
            "session.json:13:3 (byte 361): unknown key 'colour'",
        "key-duplicate":
            "markers.jsonl:2:109 (byte 217): offset_ms appears twice",
        "type-mismatch":
            "markers.jsonl:2:48 (byte 156): offset_ms is the string '1500', but must be an integer (milliseconds)",
        "ulid-malformed":
            "markers.jsonl:2:7 (byte 115): id '01kgn6z5bm0000000000000011' is not a ULID",
        "timestamp-malformed":
            "markers.jsonl:2:66 (byte 174): created_at '2026-02-04 20:00:00' is not written as YYYY-MM-DDTHH:MM:SS.mmmZ",
        "timestamp-impossible":
            "session.json:4:17 (byte 100): updated_at '2026-13-40T00:00:00Z' is not a real date and time",
        "number-negative":
            "markers.jsonl:2:48 (byte 156): offset_ms is -1, but must not be negative",
        "value-not-allowed":
            "session.json:5:13 (byte 140): status is 'paused', but must be one of 'active', 'closed'",
        "tag-malformed":
            "markers.jsonl:2:122 (byte 230): the key 'tags' contains 'Fix Review', which is not a valid tag",
        "media-path-prefix":
            "voice_notes.jsonl:1:89 (byte 88): media_path 'note.m4a' does not begin with 'media/'",
        "confidence-range":
            "transcript.jsonl:3:100 (byte 303): confidence is 93, not from 0 to 1",
        "id-duplicate":
            "markers.jsonl:2 (byte 109): id '01KGN6Z5BM0000000000000005' is also that of a media item",
        "timeline-order":
            "timeline.jsonl:3 (byte 340): offset_ms 400 is less than 500 in the record before it",
        "transcript-order":
            "transcript.jsonl:3 (byte 176): offset_ms 9 is less than 10 in the record before it",
        "marker-voice-note-missing":
            "markers.jsonl:2 (byte 109): voice_note_id '01KGN6Z5BM0000000000000020' has no entry in voice_notes.jsonl",
        "voice-note-marker-missing":
            "voice_notes.jsonl:2 (byte 204): marker_id '01KGN6Z5BM0000000000000011' has no entry in markers.jsonl",
        "media-missing":
            "voice_notes.jsonl:1 (byte 0): 'media/01KGN6Z5BM0000000000000020.m4a' does not exist",
        "media-outside-session":
            "voice_notes.jsonl:1 (byte 0): 'media/../../../etc/passwd' points outside the session directory",
        "session-start-missing":
            "timeline.jsonl: there is no session_start",
        "session-start-duplicate":
            "timeline.jsonl:2 (byte 170): there is already a session_start, on line 1",
        "session-start-offset":
            "timeline.jsonl:1 (byte 0): session_start is at 5, not at 0",
        "session-start-time":
            "timeline.jsonl:1 (byte 0): session_start happened at 2026-02-04T19:00:00.000Z, but start_time is 2026-02-04T20:00:00.000Z",
        "session-end-missing":
            "timeline.jsonl: the session is closed, but has no session_end",
        "session-end-offset":
            "timeline.jsonl:2 (byte 170): session_end is at 599000, but duration_ms is 600000",
        "closed-end-time-missing":
            "session.json: the session is closed, but end_time is missing",
        "closed-duration-missing":
            "session.json: the session is closed, but duration_ms is missing",
        "closed-duration-mismatch":
            "session.json: end_time is 600250 ms after start_time, but duration_ms is 600000",
        "active-has-end":
            "session.json: status is active, but end_time or duration_ms is set",
        "offset-beyond-end":
            "markers.jsonl:3 (byte 220): offset_ms 600001 is after the session's end at 600000",
        "path-null":
            "session.json: digest_path is null, but digest.md exists",
        "conflict-copy":
            "digest (conflicted copy 2026-02-04 120000).md: a sync tool could not merge two versions of a file and kept this one as a copy",
        "record-file-name":
            "markers-HOMESERVER.jsonl: it holds records that are not read: no file of a session has this name",
    ]
}
