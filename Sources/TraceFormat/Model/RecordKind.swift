/// The kinds of object that a session's files hold; the raw value is the name in commands and in the index.
public enum RecordKind: String, Sendable, BitwiseCopyable, Hashable, CaseIterable {
    case session
    case timeline
    case marker
    case voiceNote = "voice_note"
    case transcript
    case action

    /// The file that holds records of this kind.
    public var fileName: String {
        switch self {
        case .session: "session.json"
        case .timeline: "timeline.jsonl"
        case .marker: "markers.jsonl"
        case .voiceNote: "voice_notes.jsonl"
        case .transcript: "transcript.jsonl"
        case .action: "actions.jsonl"
        }
    }

    /// The kinds that stand one a line, in the order in which files are read.
    public static let lines: [RecordKind] = [.timeline, .marker, .voiceNote, .transcript, .action]
}

/// The names of what lies in a session directory beside the records' files.
public enum SessionLayout {
    /// The digest.
    public static let digest = "digest.md"
    /// The directory of captured media and voice-note audio.
    public static let media = "media"
    /// Every file that the format names, in its order.
    public static let files = RecordKind.allCases.map(\.fileName) + [digest]
}
