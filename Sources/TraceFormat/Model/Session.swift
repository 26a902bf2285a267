public import RecordFormat

/// What `session.json` says. What is missing or broken there is nil here, and a finding says so.
///
/// Source: docs/spec/format.md#sessionjson.
public struct Session: Sendable, Hashable {
    /// The session's id.
    public var id: ULID?
    /// What a person called it.
    public var title: String?
    /// Whether it still runs.
    public var status: Status?
    /// When the object was made.
    public var createdAt: Timestamp?
    /// When it was last changed.
    public var updatedAt: Timestamp?
    /// Offset 0.
    public var startTime: Timestamp?
    /// When a closed session ended.
    public var endTime: Timestamp?
    /// How long a closed session was.
    public var duration: SessionOffset?
    /// Whether `voice_notes_path`, `transcript_path` and `digest_path` name their files.
    public var namesVoiceNotes = false
    /// Whether `transcript_path` names its file.
    public var namesTranscript = false
    /// Whether `digest_path` names its file.
    public var namesDigest = false
    /// When `digest.md` was written last.
    package var digestUpdatedAt: Timestamp?
    /// Which of the three are null: said to name none, which is not the same as not being there.
    var nullPaths: Set<String> = []
    /// The captured media.
    public var media: [MediaItem] = []

    /// Whether a session is still running.
    public enum Status: String, Sendable, Hashable, CaseIterable {
        /// It runs.
        case active
        /// It has ended.
        case closed
    }

    /// A session of which nothing is known.
    public init() {}

    /// What a person calls it: the title, or nil when there is none or it is empty.
    public var displayTitle: String? { title.flatMap { $0.isEmpty ? nil : $0 } }

    /// The item that plays when someone listens to the session.
    ///
    /// Source: docs/spec/format.md#review-audio.
    public var reviewAudio: MediaItem? {
        let playable = media.filter(\.isPlayable)
        return playable.first(where: \.isNamedReview) ?? playable.first
    }

    package init(_ record: RecordChecker.Record) {
        let root = record.root
        func text(_ name: StaticString) -> String? { root[name: name]?.string }
        id = root[name: "id"]?.utf8.flatMap(ULID.init(bytes:))
        title = text("title")
        status = text("status").flatMap(Status.init(rawValue:))
        createdAt = root[name: "created_at"]?.timestamp
        updatedAt = root[name: "updated_at"]?.timestamp
        startTime = root[name: "start_time"]?.timestamp
        endTime = root[name: "end_time"]?.timestamp
        duration = root[name: "duration_ms"]?.integer.flatMap {
            $0 < 0 ? nil : SessionOffset(milliseconds: $0)
        }
        namesVoiceNotes = text("voice_notes_path") != nil
        namesTranscript = text("transcript_path") != nil
        namesDigest = text("digest_path") != nil
        digestUpdatedAt = root[name: "digest_updated_at"]?.timestamp
        let paths: [StaticString] = ["voice_notes_path", "transcript_path", "digest_path"]
        nullPaths = Set(paths.filter { root[name: $0]?.isNull == true }.map { "\($0)" })
        media = record.placedElements(of: "media", in: RecordKind.session.fileName).compactMap { element in
            MediaItem(element.value).map { item in
                var item = item
                item.place = element.place
                return item
            }
        }
    }
}

/// A captured file of a session.
public struct MediaItem: Sendable, Hashable {
    /// The item's id.
    public var id: ULID?
    /// The kind of recording.
    public var kind: Kind?
    /// Where it is, relative to the session directory.
    public var path: String
    /// Its media type.
    public var mime: String?
    /// Where in the session its first moment lies.
    public var startOffset: SessionOffset?
    /// How long it is.
    public var duration: SessionOffset?
    /// Where it is in `session.json`.
    var place = Finding.Place(file: RecordKind.session.fileName)

    /// The kind of recording.
    public enum Kind: String, Sendable, Hashable {
        /// Sound.
        case audio
        /// Moving pictures.
        case video
        /// A screen recording.
        case screen
        /// Something else.
        case other
    }

    /// Whether it can be the review audio.
    var isPlayable: Bool { kind == .audio || kind == .video }

    /// Whether its name says that it is the review audio, wherever it is in the list.
    package var isNamedReview: Bool { path.contains("review") }

    /// An item of which no more is known.
    package init(path: String, kind: Kind? = nil) {
        self.path = path
        self.kind = kind
    }

    init?(_ value: JSONValue) {
        guard let path = value[name: "path"]?.string else { return nil }
        self.path = path
        id = value[name: "id"]?.utf8.flatMap(ULID.init(bytes:))
        kind = value[name: "kind"]?.string.flatMap(Kind.init(rawValue:))
        mime = value[name: "mime"]?.string
        startOffset = value[name: "start_offset_ms"]?.integer.map(SessionOffset.init(milliseconds:))
        duration = value[name: "duration_ms"]?.integer.map(SessionOffset.init(milliseconds:))
    }
}
