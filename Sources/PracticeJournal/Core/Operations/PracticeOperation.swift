package import RecordFormat

/// The writes by the names that entries of the queue have, behind `practice.`.
///
/// Source: practice.md, section 6.
package enum PracticeOperation: String, CaseIterable, Sendable {
    case task, video, score, note, mechanics, browse, resume, library, gamenote, edit, delete

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
        case .gamenote: try GameNoteWrite(payload)
        case .edit: try EditWrite(payload)
        case .delete: try DeleteWrite(payload)
        }
    }
}
