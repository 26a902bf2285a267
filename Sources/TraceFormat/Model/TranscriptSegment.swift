public import RecordFormat

/// Something that was said, as speech-to-text wrote it down.
///
/// Source: docs/spec/format.md#records.
public struct TranscriptSegment: Sendable, Hashable {
    /// The segment's id.
    public var id: ULID
    /// Where it begins.
    public var offset: SessionOffset
    /// How long it is.
    public var duration: SessionOffset
    /// What is said.
    public var text: String
    /// Who says it.
    public var speaker: String?
    /// How sure the program was, from 0 to 1.
    public var confidence: Double?

    /// A segment.
    public init(
        id: ULID, offset: SessionOffset, duration: SessionOffset, text: String, speaker: String? = nil,
        confidence: Double? = nil
    ) {
        self.id = id
        self.offset = offset
        self.duration = duration
        self.text = text
        self.speaker = speaker
        self.confidence = confidence
    }

    /// The record as one JSON text.
    package var json: JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("offset_ms", JSONText(offset))
            object.member("duration_ms", JSONText(duration))
            object.member("text", JSONText(text))
            object.member("speaker", speaker.map { JSONText($0) })
            object.member("confidence", confidence.map { JSONText($0) })
        }
    }
}
