/// What an entry of the timeline says, as values: its text is for people, and may change.
///
/// Source: docs/spec/practice.md#the-timeline.
package struct TimelineValues: Sendable, Equatable {
    /// What was done, as the document says it; of an entry of the log, what was looked at.
    package var action: String?
    /// That of the action, unless the row names one.
    package var task: String?
    package var score: Double?
    /// Where it was played.
    package var context: String?
    package var tournament: String?
    /// Of a score, as the other.
    package var isLeagueImported: Bool?
    package var isBest: Bool?
    /// In percent.
    package var progress: Int?
    package var video: WatchedVideo?
    package var minutes: Int?
    package var focus: NoteCategory?
    package var category: String?
    var detail: String?
    /// A skill with the flippers that a note is about.
    package var skill: String?
    /// 1 to 5.
    package var competency: Int?
    /// What was noted, without what the other values say.
    package var note: String?
    /// The members of the row that can be changed; nil of what stays as it is.
    package var editable: [String]?

    /// - Parameter best: The highest score of the row's game; nil if it is unknown.
    package init(_ row: JournalRow, best: Double? = nil) {
        action = row.action?.text
        if let names = row.editable { editable = names.sorted() }
        task = row.studyTask
        score = row.score
        context = row.scoreContext?.text
        tournament = row.tournament?.trimmedOrNil
        if let score {
            isLeagueImported = row.isOfLeagueImport
            isBest = best.map { score >= $0 }
        }
        progress = row.percent
        video = row.videoValue.map { WatchedVideo($0, kind: row.videoKind?.text) }
        category = row.noteCategory?.text
        detail = row.noteDetail?.trimmedOrNil
        note = row.note?.trimmedOrNil
        switch row.action?.known {
        case .practiceSession:
            let values = PracticeNote(row.note).values
            (minutes, focus, note) = (values.minutes, values.focus, values.note)
        case .noteAdded:
            skill = MechanicsLog.skill(in: row.note, detail: row.noteDetail)
            guard skill != nil, let whole = note else { break }
            competency = Competency.found(in: whole)
            note = Competency.rest(of: whole).trimmedOrNil
        default: break
        }
    }

    init(_ entry: LogEntry) {
        action = entry.kind.text
        detail = entry.detail
    }
}
