public import RecordFormat

/// A place in a session that someone wants to find again.
///
/// Source: docs/spec/format.md#records; the key order is that of existing writers.
public struct Marker: Sendable, Hashable {
    /// The marker's id.
    public var id: ULID
    /// Where it is.
    public var offset: SessionOffset
    /// When it was made.
    public var createdAt: Timestamp?
    /// Who made it.
    public var source: RecordSource
    /// What it is called.
    public var label: String?
    /// More words.
    public var note: String?
    /// Its tags.
    public var tags: [String]
    /// How long what it marks lasts.
    public var duration: SessionOffset?
    /// The voice note that belongs to it.
    public var voiceNoteID: ULID?

    /// A marker made by a person.
    public init(
        id: ULID, offset: SessionOffset, createdAt: Timestamp?, source: RecordSource = .user,
        label: String? = nil,
        note: String? = nil, tags: [String] = [], duration: SessionOffset? = nil, voiceNoteID: ULID? = nil
    ) {
        self.id = id
        self.offset = offset
        self.createdAt = createdAt
        self.source = source
        self.label = label
        self.note = note
        self.tags = tags
        self.duration = duration
        self.voiceNoteID = voiceNoteID
    }

    /// The categories that the format knows, in its order.
    public static let categories = ["highlight", "structure", "texture-sample", "fix-review"]

    /// What a person calls it: the label, else the tags, else nil.
    public var title: String? {
        if let label, !label.isEmpty { return label }
        return tags.isEmpty ? nil : tags.joined(separator: ", ")
    }

    /// The marker that a line holds, or nil if id or offset are missing or broken.
    package init?(_ record: RecordChecker.Record) {
        guard let id = record.id(Self.slots.id), let offset = record.offset(Self.slots.offset) else {
            return nil
        }
        self.init(
            id: id, offset: offset, createdAt: record[Self.slots.createdAt]?.timestamp,
            source: record[Self.slots.source]?.string.flatMap(RecordSource.init) ?? .user,
            label: record[Self.slots.label]?.string, note: record[Self.slots.note]?.string,
            tags: record[Self.slots.tags]?.elements.compactMap(\.string) ?? [],
            duration: record.offset(Self.slots.duration), voiceNoteID: record.id(Self.slots.voiceNoteID))
    }

    private static let slots = (
        id: slot("id"), offset: slot("offset_ms"), createdAt: slot("created_at"), source: slot("source"),
        label: slot("label"), note: slot("note"), tags: slot("tags"), duration: slot("duration_ms"),
        voiceNoteID: slot("voice_note_id")
    )

    private static func slot(_ name: StaticString) -> Int { RecordSchema.marker.slot(name) }

    /// The record as one JSON text.
    package var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("offset_ms", offset)
            if let createdAt { object.member("created_at", createdAt) }
            object.member("source", source.rawValue)
            if let label { object.member("label", label) }
            if let note { object.member("note", note) }
            object.member("tags", tags)
            if let duration { object.member("duration_ms", duration) }
            object.member("voice_note_id", voiceNoteID.map { JSONText($0) })
        }
    }
}

/// The origin of a record.
public enum RecordSource: String, Sendable, Hashable {
    /// A person.
    case user
    /// A program.
    case system
}

extension RecordChecker.Record {
    /// The ULID in a field's place, or nil.
    func id(_ slot: Int) -> ULID? { self[slot]?.utf8.flatMap(ULID.init(bytes:)) }

    /// The milliseconds in a field's place, or nil if there are none or they are negative.
    func offset(_ slot: Int) -> SessionOffset? {
        guard let count = self[slot]?.integer, count >= 0 else { return nil }
        return SessionOffset(milliseconds: count)
    }
}

extension Marker {
    /// Where what it marks is over; its own offset if it has no length.
    package var end: SessionOffset { offset.end(lasting: duration) }
}

extension Marker {
    /// Whether a text may be a tag.
    ///
    /// Source: docs/spec/format.md#scalars.
    package static func isTag(_ text: String) -> Bool { TagCheck.isTag(text) }
}
