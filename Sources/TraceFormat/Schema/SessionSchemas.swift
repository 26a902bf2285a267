package import RecordFormat

/// What the format says about each kind of record of a session.
///
/// Source: docs/spec/format.md#sessionjson and docs/spec/format.md#records.
extension RecordSchema {
    /// The declaration of a kind.
    package static func of(_ kind: RecordKind) -> RecordSchema {
        switch kind {
        case .session: session
        case .timeline: timeline
        case .marker: marker
        case .voiceNote: voiceNote
        case .transcript: transcript
        case .action: action
        }
    }

    static let session = RecordSchema(
        .session, in: RecordKind.session.fileName, isDocument: true,
        [
            .required("id", .ulid), .optional("title", .string), .required("created_at", .timestamp),
            .required("updated_at", .timestamp), .required("status", .word(.sessionStatus)),
            .required("start_time", .timestamp), .optional("end_time", .timestamp),
            .optional("duration_ms", .milliseconds), .required("timeline_path", .constant("timeline.jsonl")),
            .required("markers_path", .constant("markers.jsonl")),
            .required("transcript_path", .optionalConstant("transcript.jsonl")),
            .required("voice_notes_path", .optionalConstant("voice_notes.jsonl")),
            .required("digest_path", .optionalConstant("digest.md")), .optional("transcribed_at", .timestamp),
            .optional("digest_updated_at", .timestamp), .required("media", .items(.media)),
        ], columns: RecordColumns(duration: "duration_ms", createdAt: "created_at", detail: "status"))

    package static let timeline = RecordSchema(
        .timeline, in: RecordKind.timeline.fileName,
        [
            .required("id", .ulid), .required("kind", .word(.timelineKind)),
            .required("offset_ms", .milliseconds),
            .required("wall_time", .timestamp), .required("created_at", .timestamp),
            .required("source", .word(.source)),
        ],
        columns: RecordColumns(
            offset: "offset_ms", createdAt: "created_at", wallTime: "wall_time", detail: "kind"),
        order: .timelineOrder)

    package static let marker = RecordSchema(
        .marker, in: RecordKind.marker.fileName,
        [
            .required("id", .ulid), .required("offset_ms", .milliseconds),
            .required("created_at", .timestamp),
            .required("source", .word(.source)), .optional("label", .string), .optional("note", .string),
            .optional("tags", .tags), .optional("duration_ms", .milliseconds),
            .optional("voice_note_id", .ulid),
        ],
        columns: RecordColumns(
            offset: "offset_ms", duration: "duration_ms", createdAt: "created_at", reference: "voice_note_id",
            text: "label", note: "note", tags: "tags"))

    /// A marker that comes from somewhere else: all but its place can be made up.
    package static let importedMarker = marker.requiring("offset_ms")

    static let voiceNote = RecordSchema(
        .voiceNote, in: RecordKind.voiceNote.fileName,
        [
            .required("id", .ulid), .required("created_at", .timestamp), .required("media_path", .mediaPath),
            .required("offset_ms", .milliseconds), .required("duration_ms", .milliseconds),
            .optional("transcript_text", .string), .optional("marker_id", .ulid),
        ],
        columns: RecordColumns(
            offset: "offset_ms", duration: "duration_ms", createdAt: "created_at", reference: "marker_id",
            text: "transcript_text", mediaPath: "media_path"))

    package static let transcript = RecordSchema(
        .transcript, in: RecordKind.transcript.fileName,
        [
            .required("id", .ulid), .required("offset_ms", .milliseconds),
            .required("duration_ms", .milliseconds),
            .required("text", .string), .optional("speaker", .string), .optional("confidence", .confidence),
        ], columns: RecordColumns(offset: "offset_ms", duration: "duration_ms", text: "text"),
        order: .transcriptOrder)

    static let action = RecordSchema(
        .action, in: RecordKind.action.fileName,
        [
            .required("id", .ulid), .required("action", .string), .required("created_at", .timestamp),
            .required("status", .word(.actionStatus)), .optional("inputs", .object),
            .optional("outputs", .object),
            .optional("error", .string),
        ],
        columns: RecordColumns(createdAt: "created_at", detail: "status", text: "action", note: "error"))
}

extension RecordItems {
    /// The elements of `session.json`'s `media`.
    package static let media = RecordItems(
        "media item",
        [
            .required("id", .ulid), .required("kind", .word(.mediaKind)), .required("path", .mediaPath),
            .required("mime", .string), .required("created_at", .timestamp),
            .required("start_offset_ms", .milliseconds), .optional("duration_ms", .milliseconds),
        ])
}

extension Vocabulary {
    static let source = Vocabulary(words: ["user", "system"])
    static let sessionStatus = Vocabulary(words: ["active", "closed"])
    static let timelineKind = Vocabulary(
        words: ["session_start", "session_end", "media_start", "media_end"])
    static let actionStatus = Vocabulary(words: ["started", "succeeded", "failed"])
    static let mediaKind = Vocabulary(words: ["audio", "video", "screen", "other"])
}
