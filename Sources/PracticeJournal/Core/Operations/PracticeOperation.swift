package import RecordFormat

/// The writes by the names that entries of the queue have, behind `practice.`.
///
/// Source: practice.md, section 6.
package enum PracticeOperation: String, CaseIterable, Sendable {
    case task, video, score, note, mechanics, browse, resume, library, slots, gamenote, edit, delete,
        settings,
        canonicalise
    case createGroup = "group.create"
    case prioritizeGroup = "group.priority"
    case archiveGroups = "group.archive"
    case selectGroup = "group.select"
    case deleteGroup = "group.delete"
    case leagueImport = "league_import"
    case leaguePurge = "league_purge"

    /// Whether the write always leaves records, whose ids follow from its own.
    package var makesRecords: Bool {
        switch self {
        case .task, .video, .score, .note, .mechanics, .createGroup, .leagueImport: true
        case .browse, .resume, .library, .slots, .gamenote, .edit, .delete, .settings, .canonicalise,
            .prioritizeGroup, .archiveGroups, .selectGroup, .deleteGroup, .leaguePurge:
            false
        }
    }

    /// The write that a payload describes.
    ///
    /// - Throws: ``WriteRejection`` if something is missing or of another type.
    package func write(_ payload: JSONValue) throws(WriteRejection) -> any PracticeWrite {
        let payload = try WritePayload(payload)
        return switch self {
        case .task: try TaskWrite(payload)
        case .video: try VideoWrite(payload)
        case .score: try ScoreWrite(payload)
        case .note: try NoteWrite(payload)
        case .mechanics: try MechanicsWrite(payload)
        case .browse: try BrowseWrite(payload)
        case .resume: try ResumeWrite(payload)
        case .library: try LibraryWrite(payload)
        case .slots: try SlotsWrite(payload)
        case .gamenote: try GameNoteWrite(payload)
        case .edit: try EditWrite(payload)
        case .delete: try DeleteWrite(payload)
        case .settings: try SettingsWrite(payload)
        case .canonicalise: CanonicalisationWrite()
        case .createGroup: try GroupWrite(creating: payload)
        case .prioritizeGroup: try GroupWrite(payload) { .prioritize($0) }
        case .archiveGroups: try GroupWrite(archiving: payload)
        case .selectGroup: try GroupWrite(payload) { .select($0) }
        case .deleteGroup: try GroupWrite(payload) { .delete($0) }
        case .leagueImport: try LeagueImportWrite(payload)
        case .leaguePurge: LeaguePurgeWrite()
        }
    }
}

extension EntryOperation {
    /// What the entries of a write are called.
    package init(_ operation: PracticeOperation) { self.init(rawValue: "practice.\(operation.rawValue)") }
}
