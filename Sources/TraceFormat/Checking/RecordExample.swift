extension RecordKind {
    /// A record of this kind with every key that it can have, as one line without its break; it breaks no rule of a record.
    ///
    /// Source: docs/spec/format.md#sessionjson and docs/spec/format.md#records.
    package var example: String {
        switch self {
        case .session:
            """
            {"id":"01KGNQZP00000000000000000A","title":"Late set","created_at":"2026-02-04T20:00:00.000Z",\
            "updated_at":"2026-02-04T21:00:00Z","status":"closed","start_time":"2026-02-04T20:00:00.000Z",\
            "end_time":"2026-02-04T20:30:00.000Z","duration_ms":1800000,"timeline_path":"timeline.jsonl",\
            "markers_path":"markers.jsonl","transcript_path":"transcript.jsonl",\
            "voice_notes_path":"voice_notes.jsonl","digest_path":"digest.md",\
            "transcribed_at":"2026-02-04T21:00:00Z","digest_updated_at":"2026-02-04T21:00:00Z",\
            "media":[{"id":"01KGNQZP00000000000000000B","kind":"audio","path":"media/review.m4a",\
            "mime":"audio/mp4","created_at":"2026-02-04T20:31:00Z","start_offset_ms":0,"duration_ms":1800000}]}
            """
        case .timeline:
            """
            {"id":"01KGNQZP00000000000000000C","kind":"session_start","offset_ms":0,\
            "wall_time":"2026-02-04T20:00:00.000Z","created_at":"2026-02-04T20:00:00.000Z","source":"system"}
            """
        case .marker:
            """
            {"id":"01KGNQZP00000000000000000D","offset_ms":120000,"created_at":"2026-02-04T20:02:00.000Z",\
            "source":"user","duration_ms":15000,"label":"That groove","note":"Twice as slow next time",\
            "tags":["highlight","fix-review"],"voice_note_id":"01KGNQZP00000000000000000E"}
            """
        case .voiceNote:
            """
            {"id":"01KGNQZP00000000000000000E","created_at":"2026-02-04T20:02:10.000Z",\
            "media_path":"media/note.m4a","offset_ms":130000,"duration_ms":4000,\
            "transcript_text":"Try it without the pedal","marker_id":"01KGNQZP00000000000000000D"}
            """
        case .transcript:
            """
            {"id":"01KGNQZP00000000000000000F","offset_ms":135000,"duration_ms":2500,"text":"one two three",\
            "speaker":"ann","confidence":0.93}
            """
        case .action:
            """
            {"id":"01KGNQZP00000000000000000G","action":"mixdown","created_at":"2026-02-04T21:05:00Z",\
            "status":"failed","inputs":{"gain":"-3"},"outputs":{"draft":"media/mix.m4a"},"error":"no space left"}
            """
        }
    }
}
