public import RecordFormat

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

    /// Its number among all kinds of entry.
    public var entryKind: EntryKind {
        switch self {
        case .session: .session
        case .timeline: .timeline
        case .marker: .marker
        case .voiceNote: .voiceNote
        case .transcript: .transcript
        case .action: .action
        }
    }

    /// The kind of that number; nil if it is none of a session.
    public init?(_ kind: EntryKind) {
        guard let kind = Self.allCases.first(where: { $0.entryKind == kind }) else { return nil }
        self = kind
    }

    /// The kinds that stand one a line, in the order in which files are read.
    public static let lines: [RecordKind] = [.timeline, .marker, .voiceNote, .transcript, .action]
}

extension RecordKind {
    /// What a person calls a record of this kind.
    package var noun: String {
        switch self {
        case .session: "session"
        case .timeline: "timeline entry"
        case .marker: "marker"
        case .voiceNote: "voice note"
        case .transcript: "transcript segment"
        case .action: "action run"
        }
    }
}

/// The numbers of the kinds of record of a session: 0 to 5 of the 16 that sessions have.
extension EntryKind {
    /// The object in `session.json`, whose title is found by a search.
    public static var session: EntryKind { EntryKind(code: 0) }
    /// A line of `timeline.jsonl`.
    public static var timeline: EntryKind { EntryKind(code: 1) }
    /// A line of `markers.jsonl`.
    public static var marker: EntryKind { EntryKind(code: 2) }
    /// A line of `voice_notes.jsonl`.
    public static var voiceNote: EntryKind { EntryKind(code: 3) }
    /// A line of `transcript.jsonl`.
    public static var transcript: EntryKind { EntryKind(code: 4) }
    /// A line of `actions.jsonl`.
    public static var action: EntryKind { EntryKind(code: 5) }
}

/// The names of what is in a session directory beside the records' files.
public enum SessionLayout {
    /// The digest.
    public static let digest = "digest.md"
    /// The directory of captured media and voice-note audio.
    public static let media = "media"
    /// Every file that the format names, in its order.
    public static let files = RecordKind.allCases.map(\.fileName) + [digest]
}
