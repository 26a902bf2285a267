public import RecordFormat

/// An anchor or event of a session.
///
/// Source: docs/spec/format.md#records.
public struct TimelineEntry: Sendable, Hashable {
    /// The entry's id.
    public var id: ULID
    /// What happens there.
    public var kind: Kind
    /// Where it is.
    public var offset: SessionOffset
    /// When that was.
    public var wallTime: Timestamp
    /// When the entry was made.
    public var createdAt: Timestamp

    /// The kind of an entry of the timeline.
    public enum Kind: String, Sendable, Hashable {
        /// The session begins.
        case sessionStart = "session_start"
        /// The session ends.
        case sessionEnd = "session_end"
        /// A recording begins.
        case mediaStart = "media_start"
        /// A recording ends.
        case mediaEnd = "media_end"
    }

    /// An entry made by the system.
    public init(id: ULID, kind: Kind, offset: SessionOffset, wallTime: Timestamp, createdAt: Timestamp) {
        self.id = id
        self.kind = kind
        self.offset = offset
        self.wallTime = wallTime
        self.createdAt = createdAt
    }

    /// The record as one JSON text.
    package var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("kind", JSONText(kind.rawValue))
            object.member("offset_ms", JSONText(offset))
            object.member("wall_time", JSONText(wallTime))
            object.member("created_at", JSONText(createdAt))
            object.member("source", JSONText(RecordSource.system.rawValue))
        }
    }
}
