package import RecordFormat
package import TraceFormat

/// A media file to add to a session.
package struct NewMedia: Sendable {
    package var kind: MediaItem.Kind
    package var mime: String
    /// Where in the session its first moment lies.
    package var startOffset: SessionOffset
    package var duration: SessionOffset?
    /// The extension of its name, with the dot; may be empty.
    var suffix: String
    /// Whether an end after the session's own is left out of the timeline, rather than refused.
    var mayOutlastSession: Bool
    /// Whether it is what plays when someone listens to the session, whatever else was recorded.
    var isReviewAudio: Bool

    package init(
        kind: MediaItem.Kind, mime: String, startOffset: SessionOffset, duration: SessionOffset?,
        suffix: String,
        mayOutlastSession: Bool = false, isReviewAudio: Bool = false
    ) {
        self.kind = kind
        self.mime = mime
        self.startOffset = startOffset
        self.duration = duration
        self.suffix = suffix
        self.mayOutlastSession = mayOutlastSession
        self.isReviewAudio = isReviewAudio
    }

    /// Where in the session its last moment lies.
    var endOffset: SessionOffset? {
        duration.map(startOffset.adding)
    }

    /// The item in `session.json`, its members in the order of existing writers.
    func members(id: ULID, path: String, createdAt: Timestamp) -> [(name: String, value: JSONText)] {
        var members: [(name: String, value: JSONText)] = [
            ("id", JSONText(id)), ("kind", JSONText(kind.rawValue)), ("path", JSONText(path)),
            ("mime", JSONText(mime)), ("created_at", JSONText(createdAt)),
            ("start_offset_ms", JSONText(startOffset)),
        ]
        if let duration { members.append(("duration_ms", JSONText(duration))) }
        return members
    }
}

/// A media file that was added to a session.
package struct AddedMedia: Sendable {
    package var id: ULID
    /// Relative to the session directory.
    package var path: String
    package var sessionID: ULID?
    /// What a person should know.
    package var notices: [String] = []
}
