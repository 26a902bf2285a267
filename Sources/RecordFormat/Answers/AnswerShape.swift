/// The members of an answer, declared once: the schemas of the HTTP API are made from the shapes, and docs/cli-json.md is
/// compared with them.
package struct AnswerShape: Sendable, Hashable {
    /// The name of its schema among the components of the OpenAPI document, in upper camel case.
    package let name: String
    /// What it is, without a full stop.
    package let summary: String
    /// In the order of docs/cli-json.md.
    package let members: [Member]

    /// A member of an answer, by `--json` and over HTTP.
    package struct Member: Sendable, Hashable {
        package let name: String
        package let type: ShapeType
        /// What it says, without a full stop.
        package let summary: String
        /// Whether `--json` prints it.
        package let printed: Presence
        /// Whether it is sent over HTTP, where places of the server are left out unless a token may see them.
        let sent: Presence

        package init(
            name: String, type: ShapeType, summary: String, printed: Presence, sent: Presence
        ) {
            self.name = name
            self.type = type
            self.summary = summary
            self.printed = printed
            self.sent = sent
        }

        /// Whether the member is in the answer.
        func presence(forHTTP: Bool) -> Presence { forHTTP ? sent : printed }
    }

    /// Whether a member is in an answer.
    package enum Presence: Sendable {
        case always
        /// Only if there is something to say.
        case sometimes
        case never
    }

    /// - Parameter rows: Members that are alike together.
    package init(_ name: String, _ summary: String, _ rows: [[Member]]) {
        self.name = name
        self.summary = summary
        members = rows.flatMap(\.self)
    }
}

/// What a member of an answer can be.
package indirect enum ShapeType: Sendable, Hashable {
    case string, integer, number, boolean
    /// A ULID, as a string.
    case id
    /// A moment in UTC (RFC 3339), to the millisecond, as a string.
    case time
    case array(ShapeType)
    case object(AnswerShape)
    /// An object of the shape of that name, as a part of which it is: a shape can't hold itself.
    case named(String)
    /// An object whose names are data.
    case map(ShapeType)
    /// A record of one of these kinds, as it is in its file.
    case records([RecordComponent])
    /// `null`, or that.
    case nullable(ShapeType)
    /// Any JSON value.
    case any

    /// A record of one of these kinds, as it is in its file.
    package static func record(_ kinds: RecordComponent...) -> ShapeType { .records(kinds) }

    /// The shape of the object that it is, or of the objects in it; nil if there are none.
    package var shape: AnswerShape? {
        switch self {
        case .object(let shape): shape
        case .array(let type), .map(let type), .nullable(let type): type.shape
        case .string, .integer, .number, .boolean, .id, .time, .records, .named, .any: nil
        }
    }
}

/// A kind of record that has a schema of its own; the raw value is the kind as `trace schema` names it.
package enum RecordComponent: String, Sendable, CaseIterable {
    case session, timeline, marker
    case voiceNote = "voice_note"
    case transcript, action
    case queueEntry = "queue-entry"
    /// Of a journal other than a session: that has no schema of ours.
    case entry

    /// The name of its schema among the components of the OpenAPI document.
    package var name: String {
        switch self {
        case .session: "SessionRecord"
        case .timeline: "TimelineRecord"
        case .marker: "MarkerRecord"
        case .voiceNote: "VoiceNoteRecord"
        case .transcript: "TranscriptRecord"
        case .action: "ActionRecord"
        case .queueEntry: "QueueEntry"
        case .entry: "JournalEntry"
        }
    }
}
