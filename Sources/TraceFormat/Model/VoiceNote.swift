public import RecordFormat

/// A spoken annotation.
///
/// Source: docs/spec/format.md#records.
public struct VoiceNote: Sendable, Hashable {
    /// The voice note's id.
    public var id: ULID
    /// When it was made.
    public var createdAt: Timestamp?
    /// Where its audio lies, relative to the session directory.
    public var mediaPath: String
    /// Where in the session it was spoken.
    public var offset: SessionOffset
    /// How long it is.
    public var duration: SessionOffset
    /// What is said in it.
    public var transcript: String?
    /// The marker that it belongs to.
    public var markerID: ULID?

    /// A voice note.
    public init(
        id: ULID, createdAt: Timestamp?, mediaPath: String, offset: SessionOffset, duration: SessionOffset,
        transcript: String? = nil, markerID: ULID? = nil
    ) {
        self.id = id
        self.createdAt = createdAt
        self.mediaPath = mediaPath
        self.offset = offset
        self.duration = duration
        self.transcript = transcript
        self.markerID = markerID
    }

    /// The voice note that a line holds, or nil if id, place or length are missing or broken.
    package init?(_ record: RecordChecker.Record) {
        let root = record.root
        guard let id = root[name: "id"]?.utf8.flatMap(ULID.init(bytes:)),
            let offset = root[name: "offset_ms"]?.integer, offset >= 0,
            let duration = root[name: "duration_ms"]?.integer, duration >= 0,
            let path = root[name: "media_path"]?.string
        else { return nil }
        self.init(
            id: id, createdAt: root[name: "created_at"]?.timestamp, mediaPath: path,
            offset: SessionOffset(milliseconds: offset), duration: SessionOffset(milliseconds: duration),
            transcript: root[name: "transcript_text"]?.string,
            markerID: root[name: "marker_id"]?.utf8.flatMap(ULID.init(bytes:)))
    }

    /// The record as one JSON text.
    package var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("created_at", createdAt.map { JSONText($0) })
            object.member("media_path", JSONText(mediaPath))
            object.member("offset_ms", JSONText(offset))
            object.member("duration_ms", JSONText(duration))
            object.member("transcript_text", transcript.map { JSONText($0) })
            object.member("marker_id", markerID.map { JSONText($0) })
        }
    }
}
