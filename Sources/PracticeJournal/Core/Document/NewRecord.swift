package import RecordFormat

/// A member of a record that is written: its name and the JSON of its value.
typealias RecordMember = (name: String, value: JSONText)

/// A record that is put into a document.
package struct NewRecord {
    package let array: PracticeArray
    package let id: String
    /// Milliseconds since 1970.
    package let time: Double
    /// In the order in which they are written; those without a value are left out.
    let members: [RecordMember]

    init(_ array: PracticeArray, id: String, time: Double, _ members: [(String, JSONText?)]) {
        self.array = array
        self.id = id
        self.time = time
        let id: RecordMember = ("id", JSONText(id))
        self.members = [id] + members.compactMap { name, value in value.map { (name, $0) } }
    }

    /// A record that was there before, with all of its members.
    ///
    /// - Parameter members: The id among them.
    init(_ array: PracticeArray, id: String, time: Double, copying members: [RecordMember]) {
        self.array = array
        self.id = id
        self.time = time
        self.members = members
    }

    /// The record alone, on one line.
    package var json: JSONText {
        JSONText.object { for (name, value) in members { $0.member(name, value) } }
    }
}

extension NewRecord {
    static func studyEvent(
        id: String, game: String, task: StudyTask, percent: Int, time: Double
    ) -> NewRecord {
        NewRecord(
            .studyEvents, id: id, time: time,
            [
                ("gameID", JSONText(game)), ("task", JSONText(task.rawValue)),
                ("progressPercent", DocumentNumber.json(percent)), ("timestamp", DocumentNumber.json(time)),
            ])
    }

    static func video(
        id: String, game: String, kind: VideoKind, value: String, time: Double
    ) -> NewRecord {
        NewRecord(
            .videoProgressEntries, id: id, time: time,
            [
                ("gameID", JSONText(game)), ("kind", JSONText(kind.rawValue)), ("value", JSONText(value)),
                ("timestamp", DocumentNumber.json(time)),
            ])
    }

    package static func score(
        id: String, game: String, score: Double, context: String, tournament: String?, time: Double,
        isLeagueImported: Bool = false
    ) -> NewRecord {
        NewRecord(
            .scoreEntries, id: id, time: time,
            [
                ("gameID", JSONText(game)), ("score", DocumentNumber.json(score)),
                ("context", JSONText(context)), ("tournamentName", tournament.map { JSONText($0) }),
                ("timestamp", DocumentNumber.json(time)), ("leagueImported", JSONText(isLeagueImported)),
            ])
    }

    static func note(
        id: String, game: String, category: String, detail: String?, note: String, time: Double
    ) -> NewRecord {
        NewRecord(
            .noteEntries, id: id, time: time,
            [
                ("gameID", JSONText(game)), ("category", JSONText(category)),
                ("detail", detail.map { JSONText($0) }), ("note", JSONText(note)),
                ("timestamp", DocumentNumber.json(time)),
            ])
    }

    /// A row of the journal with those of the members that it has.
    package static func row(
        id: String, game: String, action: RowAction, task: StudyTask? = nil, percent: Int? = nil,
        videoKind: VideoKind? = nil, videoValue: String? = nil, score: Double? = nil,
        scoreContext: String? = nil, tournament: String? = nil, noteCategory: String? = nil,
        noteDetail: String? = nil, note: String? = nil, time: Double
    ) -> NewRecord {
        func text(_ text: String?) -> JSONText? { text.map { JSONText($0) } }
        return NewRecord(
            .journalEntries, id: id, time: time,
            [
                ("gameID", JSONText(game)), ("action", JSONText(action.rawValue)),
                ("task", text(task?.rawValue)),
                ("progressPercent", percent.map { DocumentNumber.json($0) }),
                ("videoKind", text(videoKind?.rawValue)), ("videoValue", text(videoValue)),
                ("score", score.map { DocumentNumber.json($0) }), ("scoreContext", text(scoreContext)),
                ("tournamentName", text(tournament)), ("noteCategory", text(noteCategory)),
                ("noteDetail", text(noteDetail)), ("note", text(note)),
                ("timestamp", DocumentNumber.json(time)),
            ])
    }
}
