public import RecordFormat

/// What entries ask of a session.
extension EntryOperation {
    /// To write a marker.
    public static let marker = EntryOperation(rawValue: "marker")
    /// To write a voice note, with its audio as attachment.
    public static let voiceNote = EntryOperation(rawValue: "voice_note")
    /// To write an action that a computer should run: an action record with status `started`.
    public static let actionRequest = EntryOperation(rawValue: "action_request")

    /// To give members of a marker other values.
    public static let editMarker = EntryOperation(rawValue: "marker.edit")
    /// To take a marker out.
    public static let removeMarker = EntryOperation(rawValue: "marker.remove")
    /// To give members of a voice note other values.
    public static let editVoiceNote = EntryOperation(rawValue: "voice_note.edit")
    /// To take a voice note out, with its audio.
    public static let removeVoiceNote = EntryOperation(rawValue: "voice_note.remove")
    /// To begin a session.
    public static let startSession = EntryOperation(rawValue: "session.start")
    /// To stop the clock of a session.
    public static let pauseSession = EntryOperation(rawValue: "session.pause")
    /// To let the clock of a session continue.
    public static let resumeSession = EntryOperation(rawValue: "session.resume")
    /// To end a session.
    public static let closeSession = EntryOperation(rawValue: "session.close")
    /// To give a session another title.
    public static let editSession = EntryOperation(rawValue: "session.edit")

    /// Those that bring a record.
    private static let bringing: [EntryOperation] = [.marker, .voiceNote, .actionRequest]
    /// Those that change what is there (``SessionChange``).
    static let changing: [EntryOperation] = [
        .editMarker, .removeMarker, .editVoiceNote, .removeVoiceNote, .startSession, .pauseSession,
        .resumeSession, .closeSession, .editSession,
    ]
    /// All of them.
    public static let ofSessions: [EntryOperation] = bringing + changing

    /// Whether it changes what is in a session, and brings no record.
    package var isChange: Bool { Self.changing.contains(self) }

    /// Whether it is about a session, and not about another kind of journal.
    package var isOfSession: Bool { recordKind != nil || isChange }

    /// The kind of record that the payload is; nil for a change, and for an operation of another kind of journal.
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
    package var journalKey: String { isOfSession ? "session_id" : "journal_id" }

    /// What the journal is called in messages.
    package var journalNoun: String { isOfSession ? "session" : "journal" }
}
