internal import RecordFormat

/// Carries the edit of a row into the records that it stands for.
///
/// Source: docs/spec/practice.md#an-edit.
struct LinkedEdit {
    let document: PracticeDocument
    let old: JournalRow
    let new: JournalRow
    let entry: ULID
    let known: [PracticeArray: String]
    var change = DocumentChange()
    var outcomes: [LinkOutcome] = []

    mutating func update(_ array: PracticeArray) {
        let link = RecordLinker(document).link(of: old, in: array, known: known[array])
        if case .found(let index) = link { return update(array, index) }
        if array == .studyEvents, link != .tooFar, addStudyEvent() { return }
        // A row that never had a value has no record that anybody would miss, unless it gets one now.
        if link == .noValue, array == .studyEvents || !changesValue(in: array) { return }
        outcomes.append(LinkOutcome(array, .kept(link.reason ?? "")))
    }

    private func changesValue(in array: PracticeArray) -> Bool {
        let names = Set(RowMembers.changes(from: old, to: new).map(\.name))
        return switch array {
        case .scoreEntries: !names.isDisjoint(with: ["score", "scoreContext", "tournamentName", "gameID"])
        case .videoProgressEntries: !names.isDisjoint(with: ["videoValue", "videoKind", "gameID"])
        case .noteEntries: !names.isDisjoint(with: ["note", "noteCategory", "noteDetail", "gameID"])
        case .studyEvents, .journalEntries, .customGroups: false
        }
    }

    /// Adds the study event of a percent that the row did not have before.
    private mutating func addStudyEvent() -> Bool {
        guard let percent = new.percent, percent != old.percent, let time = new.time,
            let task = new.studyTask.flatMap(StudyTask.init)
        else { return false }
        let id = DerivedID.id(of: entry, .study)
        change.added.append(
            .studyEvent(id: id, game: new.game, task: task, percent: percent, time: time))
        outcomes.append(LinkOutcome(.studyEvents, .added(id)))
        return true
    }

    private mutating func update(_ array: PracticeArray, _ index: Int) {
        let place = DocumentChange.Place(array, index)
        let id = document.ids(of: array)[index]
        guard let members = members(of: array, index) else {
            change.removed.append(place)
            outcomes.append(LinkOutcome(array, .removed(id)))
            return
        }
        guard !members.isEmpty else { return }
        change.replaced.append(DocumentChange.Replacement(place, members))
        outcomes.append(LinkOutcome(array, .changed(id)))
    }

    /// The members that differ between a record and the edited row; nil if the row has no value for it any more.
    private func members(of array: PracticeArray, _ index: Int) -> [RowMembers.Change]? {
        switch array {
        case .scoreEntries: score(document.scoreEntries[index])
        case .studyEvents: study(document.studyEvents[index])
        case .videoProgressEntries: video(document.videoEntries[index])
        case .noteEntries: note(document.noteEntries[index])
        case .journalEntries, .customGroups: []
        }
    }

    // Only what the edit changed is carried over: a record may differ from its row in what they are not compared by.

    private func changes(_ pairs: RowMembers.Change?...) -> [RowMembers.Change] { pairs.compactMap { $0 } }

    private func score(_ entry: ScoreEntry) -> [RowMembers.Change] {
        changes(
            RowMembers.text("gameID", old.game, new.game),
            RowMembers.change("score", old.score, new.score) { DocumentNumber.json($0) },
            RowMembers.text("context", old.scoreContext?.text, new.scoreContext?.text),
            old.tournament == new.tournament
                ? nil : RowMembers.text("tournamentName", entry.tournament, new.tournament))
    }

    private func study(_ event: StudyEvent) -> [RowMembers.Change]? {
        guard new.percent != nil else { return nil }
        return changes(
            RowMembers.text("gameID", old.game, new.game),
            RowMembers.change("progressPercent", old.percent, new.percent) { DocumentNumber.json($0) })
    }

    private func video(_ entry: VideoEntry) -> [RowMembers.Change]? {
        guard new.videoKind != nil, new.videoValue != nil else { return nil }
        return changes(
            RowMembers.text("gameID", old.game, new.game),
            RowMembers.text("kind", old.videoKind?.text, new.videoKind?.text),
            RowMembers.text("value", old.videoValue, new.videoValue))
    }

    private func note(_ entry: NoteEntry) -> [RowMembers.Change] {
        changes(
            RowMembers.text("gameID", old.game, new.game),
            RowMembers.text("category", old.noteCategory?.text, new.noteCategory?.text),
            RowMembers.text("detail", old.noteDetail, new.noteDetail),
            RowMembers.text("note", old.note, new.note))
    }
}
