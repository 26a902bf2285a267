/// What every record of a document has, as far as it has it: what is missing is a finding, and the record is shown without it.
protocol PracticeRecord: Sendable {
    /// As it is spelled; a UUID.
    var id: String? { get }
    /// Milliseconds since 1970, with fractions.
    var time: Double? { get }
}

/// How far a task of a game was done. Source: docs/spec/practice.md#records, as for the other records.
struct StudyEvent: PracticeRecord {
    package var id: String?
    var game: String
    var task: Word<StudyTask>?
    /// 0 to 100, if the writer kept to the format.
    var percent: Int?
    package var time: Double?

    init(_ reader: RecordReader) {
        id = reader.text("id")
        game = reader.text("gameID") ?? ""
        task = reader.word("task", StudyTask.self)
        percent = reader.integer("progressPercent")
        time = reader.time("timestamp")
    }
}

/// How far a video was watched.
struct VideoEntry: PracticeRecord {
    package var id: String?
    var game: String
    var kind: Word<VideoKind>?
    var value: String?
    package var time: Double?

    init(_ reader: RecordReader) {
        id = reader.text("id")
        game = reader.text("gameID") ?? ""
        kind = reader.word("kind", VideoKind.self)
        value = reader.text("value")
        time = reader.time("timestamp")
    }
}

/// A score.
package struct ScoreEntry: PracticeRecord {
    package var id: String?
    var game: String
    package var score: Double
    var context: Word<ScoreContext>
    var tournament: String?
    package var time: Double?
    package var isLeagueImported: Bool

    init(_ reader: RecordReader) {
        id = reader.text("id")
        game = reader.text("gameID") ?? ""
        score = reader.number("score") ?? 0
        context = reader.word("context", ScoreContext.self) ?? Word(.practice)
        tournament = reader.text("tournamentName")
        time = reader.time("timestamp")
        isLeagueImported = reader.boolean("leagueImported") ?? false
    }
}

/// A note.
package struct NoteEntry: PracticeRecord {
    package var id: String?
    var game: String
    var category: Word<NoteCategory>?
    package var detail: String?
    package var note: String?
    package var time: Double?

    init(_ reader: RecordReader) {
        id = reader.text("id")
        game = reader.text("gameID") ?? ""
        category = reader.word("category", NoteCategory.self)
        detail = reader.text("detail")
        note = reader.text("note")
        time = reader.time("timestamp")
    }
}

/// A row of the journal: what was done, with the value that was noted then.
package struct JournalRow: PracticeRecord {
    package var id: String?
    var game: String
    package var action: Word<RowAction>?
    package var task: Word<StudyTask>?
    package var percent: Int?
    var videoKind: Word<VideoKind>?
    package var videoValue: String?
    package var score: Double?
    package var scoreContext: Word<ScoreContext>?
    package var tournament: String?
    var noteCategory: Word<NoteCategory>?
    var noteDetail: String?
    package var note: String?
    package var time: Double?

    init(_ reader: RecordReader) {
        id = reader.text("id")
        game = reader.text("gameID") ?? ""
        action = reader.word("action", RowAction.self)
        task = reader.word("task", StudyTask.self)
        percent = reader.integer("progressPercent")
        videoKind = reader.word("videoKind", VideoKind.self)
        videoValue = reader.text("videoValue")
        score = reader.number("score")
        scoreContext = reader.word("scoreContext", ScoreContext.self)
        tournament = reader.text("tournamentName")
        noteCategory = reader.word("noteCategory", NoteCategory.self)
        noteDetail = reader.text("noteDetail")
        note = reader.text("note")
        time = reader.time("timestamp")
    }
}

/// A group of games.
package struct PracticeGroup: PracticeRecord {
    package var id: String?
    package var name: String
    package var games: [String]
    package var type: Word<GroupType>
    package var isActive: Bool
    package var isArchived: Bool
    package var isPriority: Bool
    /// Milliseconds since 1970, as the other times.
    package var start: Double?
    var end: Double?
    var createdAt: Double?

    package var time: Double? { createdAt }

    init(_ reader: RecordReader) {
        id = reader.text("id")
        name = reader.text("name") ?? "Group"
        games = reader.texts("gameIDs") ?? []
        type = reader.word("type", GroupType.self) ?? Word(.custom)
        isActive = reader.boolean("isActive") ?? true
        isArchived = reader.boolean("isArchived") ?? false
        isPriority = reader.boolean("isPriority") ?? false
        start = reader.time("startDate")
        end = reader.time("endDate")
        createdAt = reader.time("createdAt")
    }
}
