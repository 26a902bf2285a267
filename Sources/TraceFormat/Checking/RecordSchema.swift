/// What the format says about one kind of record: its members, and what each may hold.
///
/// The same declarations check records and give the members their places. Source: format.md, "session.json"
/// and "Records".
package struct RecordSchema: Sendable {
    package let kind: RecordKind
    package let fields: ImmortalList<Field>

    /// A member of a record.
    package struct Field: Sendable, BitwiseCopyable {
        package let name: StaticString
        package let type: FieldType
        package let isRequired: Bool
    }

    /// What a member may hold. Trivial on purpose: a million lines are checked without counting a reference.
    package enum FieldType: Sendable, BitwiseCopyable {
        case ulid
        case timestamp
        /// An integer ≥ 0.
        case milliseconds
        case string
        case object
        case tags
        /// A string that begins with `media/`.
        case mediaPath
        /// A number from 0 to 1.
        case confidence
        case word(Vocabulary)
        /// Exactly the name of that kind's file.
        case fileName(RecordKind)
        /// `null`, or exactly the name of that kind's file.
        case optionalFileName(RecordKind)
        /// `null`, or exactly `digest.md`.
        case optionalDigestName
        case mediaItems
    }

    /// The place of `id`, which every kind of record has and declares first.
    static let idSlot = 0

    /// The place of a member in ``fields``.
    package func slot(_ name: StaticString) -> Int {
        let bytes = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        guard let slot = fields.firstIndex(where: { bytes.equals($0.name) }) else {
            preconditionFailure("\(kind.rawValue) has no member \(name)")
        }
        return slot
    }

    private init(_ kind: RecordKind, _ fields: ImmortalList<Field>) {
        self.kind = kind
        self.fields = fields
    }

    /// The same members, of which no more is asked for than one.
    private func requiring(_ name: StaticString) -> RecordSchema {
        let needed = slot(name)
        let fields = self.fields.enumerated().map { slot, field in
            Field(name: field.name, type: field.type, isRequired: slot == needed)
        }
        return RecordSchema(kind, ImmortalList(fields))
    }

    private static func required(_ name: StaticString, _ type: FieldType) -> Field {
        Field(name: name, type: type, isRequired: true)
    }

    private static func optional(_ name: StaticString, _ type: FieldType) -> Field {
        Field(name: name, type: type, isRequired: false)
    }

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

    package static let session = RecordSchema(
        .session,
        [
            required("id", .ulid), optional("title", .string), required("created_at", .timestamp),
            required("updated_at", .timestamp), required("status", .word(.sessionStatus)),
            required("start_time", .timestamp), optional("end_time", .timestamp),
            optional("duration_ms", .milliseconds), required("timeline_path", .fileName(.timeline)),
            required("markers_path", .fileName(.marker)),
            required("transcript_path", .optionalFileName(.transcript)),
            required("voice_notes_path", .optionalFileName(.voiceNote)),
            required("digest_path", .optionalDigestName), optional("transcribed_at", .timestamp),
            optional("digest_updated_at", .timestamp), required("media", .mediaItems),
        ])

    /// An element of `session.json`'s `media`.
    package static let mediaItem = RecordSchema(
        .session,
        [
            required("id", .ulid), required("kind", .word(.mediaKind)), required("path", .mediaPath),
            required("mime", .string), required("created_at", .timestamp),
            required("start_offset_ms", .milliseconds), optional("duration_ms", .milliseconds),
        ])

    package static let timeline = RecordSchema(
        .timeline,
        [
            required("id", .ulid), required("kind", .word(.timelineKind)),
            required("offset_ms", .milliseconds),
            required("wall_time", .timestamp), required("created_at", .timestamp),
            required("source", .word(.source)),
        ])

    package static let marker = RecordSchema(
        .marker,
        [
            required("id", .ulid), required("offset_ms", .milliseconds), required("created_at", .timestamp),
            required("source", .word(.source)), optional("label", .string), optional("note", .string),
            optional("tags", .tags), optional("duration_ms", .milliseconds), optional("voice_note_id", .ulid),
        ])

    /// A marker that comes from somewhere else: all but its place can be made up.
    package static let importedMarker = marker.requiring("offset_ms")

    package static let voiceNote = RecordSchema(
        .voiceNote,
        [
            required("id", .ulid), required("created_at", .timestamp), required("media_path", .mediaPath),
            required("offset_ms", .milliseconds), required("duration_ms", .milliseconds),
            optional("transcript_text", .string), optional("marker_id", .ulid),
        ])

    package static let transcript = RecordSchema(
        .transcript,
        [
            required("id", .ulid), required("offset_ms", .milliseconds),
            required("duration_ms", .milliseconds),
            required("text", .string), optional("speaker", .string), optional("confidence", .confidence),
        ])

    package static let action = RecordSchema(
        .action,
        [
            required("id", .ulid), required("action", .string), required("created_at", .timestamp),
            required("status", .word(.actionStatus)), optional("inputs", .object),
            optional("outputs", .object),
            optional("error", .string),
        ])
}

/// The words that a member may hold, in the order of format.md.
package struct Vocabulary: Sendable, BitwiseCopyable {
    package let words: ImmortalList<StaticString>

    package static let source = Vocabulary(words: ["user", "system"])
    package static let sessionStatus = Vocabulary(words: ["active", "closed"])
    package static let timelineKind = Vocabulary(
        words: ["session_start", "session_end", "media_start", "media_end"])
    package static let actionStatus = Vocabulary(words: ["started", "succeeded", "failed"])
    package static let mediaKind = Vocabulary(words: ["audio", "video", "screen", "other"])

    /// Whether these bytes are one of the words.
    func contains(_ bytes: UnsafeRawBufferPointer) -> Bool { words.contains { bytes.equals($0) } }
}
