public import RecordFormat

/// What entries ask of a session.
extension EntryOperation {
    /// To write a marker.
    public static let marker = EntryOperation(rawValue: "marker")
    /// To write a voice note, with its audio as attachment.
    public static let voiceNote = EntryOperation(rawValue: "voice_note")
    /// To write an action that a computer should run: an action record with status `started`.
    public static let actionRequest = EntryOperation(rawValue: "action_request")

    /// All of them.
    public static let ofSessions: [EntryOperation] = [.marker, .voiceNote, .actionRequest]

    /// The kind of record that the payload is; nil for an operation of another kind of journal.
    public var recordKind: RecordKind? {
        switch self {
        case .marker: .marker
        case .voiceNote: .voiceNote
        case .actionRequest: .action
        default: nil
        }
    }

    /// As an entry names it; nil if no entry can. Whether there is such a journal, and such an operation of it, is known to its format.
    init?(ofEntry text: String) {
        self.init(rawValue: text)
        guard recordKind != nil || Self.isJournalOperation(text) else { return nil }
    }

    /// For people: `voice note`, and of another kind of journal the kind and the operation.
    package var noun: String {
        recordKind?.noun ?? rawValue.replacing(".", with: " ").replacing("_", with: " ")
    }

    /// The member by which entries, the ledger and answers name the journal.
    package var journalKey: String { recordKind == nil ? "journal_id" : "session_id" }

    /// What the journal is called in messages.
    package var journalNoun: String { recordKind == nil ? "journal" : "session" }
}
