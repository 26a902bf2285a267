package import RecordFormat

/// The edit of a row of the journal, and of the records that it stands for.
///
/// Source: docs/spec/practice.md#an-edit.
package struct RowEdit {
    private let id: String
    private let patch: RowPatch
    private let entry: ULID
    /// The ids of the records that were written with the row, where they are known.
    private let known: [PracticeArray: String]

    /// - Parameter entry: The id of the write, from which that of a study event follows that comes with it.
    package init(of id: String, _ patch: RowPatch, entry: ULID, known: [PracticeArray: String] = [:]) {
        self.id = id
        self.patch = patch
        self.entry = entry
        self.known = known
    }

    /// - Throws: ``WriteRejection`` if the row would not be complete, or if several rows have the id.
    package func outcome(
        in document: PracticeDocument, library: GameLibrary = GameLibrary()
    ) throws(WriteRejection) -> RowOutcome {
        guard let index = try document.row(id) else { return .noSuchRow }
        let old = document.rows[index]
        guard let action = old.action?.known, let allowed = old.editable else { return .notEditable }
        let new = try edited(old, action, allowed, library)
        var edit = LinkedEdit(document: document, old: old, new: new, entry: entry, known: known)
        for array in RecordLinker.arrays(of: action) { edit.update(array) }
        let members = RowMembers.changes(from: old, to: new)
        if !members.isEmpty {
            edit.change.replaced.append(
                DocumentChange.Replacement(DocumentChange.Place(.journalEntries, index), members))
        }
        return .changed(edit.change, edit.outcomes)
    }

    // MARK: - The row

    private func edited(
        _ old: JournalRow, _ action: RowAction, _ allowed: Set<String>, _ library: GameLibrary
    ) throws(WriteRejection) -> JournalRow {
        if let stranger = patch.names.subtracting(allowed).min() {
            throw WriteRejection("A row of \(action.rawValue) has no \(stranger).")
        }
        var row = old
        if case .keep = patch.game {
        } else {
            row.game = library.canonical(patch.game.applied(to: old.game) ?? "").id
        }
        row.note = patch.note.applied(to: old.note)
        row.percent = patch.percent.applied(to: old.percent)
        switch action {
        case .scoreLogged: try editScore(&row)
        case .noteAdded: try editNote(&row)
        case .tutorialWatch, .gameplayWatch: try editVideo(&row)
        case .rulesheetRead, .playfieldViewed, .practiceSession, .gameBrowse: break
        }
        return row
    }

    private func editScore(_ row: inout JournalRow) throws(WriteRejection) {
        row.score = patch.score.applied(to: row.score)
        row.scoreContext = patch.scoreContext.applied(to: row.scoreContext?.text).map { Word($0) }
        row.tournament = patch.tournament.applied(to: row.tournament)
        guard row.score ?? 0 > 0 else { throw .score }
        guard let context = row.scoreContext else {
            throw WriteRejection("Choose where the score was played.")
        }
        guard context.known == .tournament else {
            // Of a word that is not known nobody can tell whether a name belongs to it.
            if context.known != nil { row.tournament = nil }
            return
        }
        guard let name = row.tournament?.trimmedOrNil else { throw .tournament }
        row.tournament = name
    }

    private func editNote(_ row: inout JournalRow) throws(WriteRejection) {
        row.noteCategory = patch.noteCategory.applied(to: row.noteCategory?.text).map { Word($0) }
        row.noteDetail = patch.noteDetail.applied(to: row.noteDetail)
        if case .set(let detail) = patch.noteDetail { row.noteDetail = detail.trimmedOrNil }
        if case .set(let note) = patch.note { row.note = note.trimmed }
        guard row.noteCategory != nil else { throw WriteRejection("Choose a category.") }
        guard !(row.note ?? "").isBlank else { throw .note }
    }

    private func editVideo(_ row: inout JournalRow) throws(WriteRejection) {
        row.videoKind = patch.videoKind.applied(to: row.videoKind?.text).map { Word($0) }
        row.videoValue = patch.videoValue.applied(to: row.videoValue)
        if case .set(let value) = patch.videoValue { row.videoValue = value.trimmed }
        if case .set(let note) = patch.note { row.note = note.trimmedOrNil }
        guard !(row.videoValue ?? "").isBlank else { throw .videoValue }
    }

    /// What can be changed, for people.
    static let told: String = {
        let common = members(of: .rulesheetRead).intersection(members(of: .noteAdded))
        let kinds: [(String, RowAction)] = [
            ("a score", .scoreLogged), ("a note", .noteAdded), ("a video", .tutorialWatch),
            ("another row", .rulesheetRead),
        ]
        let others = kinds.map { noun, action in
            "of \(noun) \(members(of: action).subtracting(common).sorted().joined(separator: ", "))"
        }
        return "\(common.sorted().joined(separator: " and ")) of each row; \(others.joined(separator: "; "))"
    }()

    fileprivate static func members(of action: RowAction) -> Set<String> {
        let common: Set = ["gameID", "note"]
        return switch action {
        case .scoreLogged: common.union(["score", "scoreContext", "tournamentName"])
        case .noteAdded: common.union(["noteCategory", "noteDetail"])
        case .tutorialWatch, .gameplayWatch: common.union(["progressPercent", "videoKind", "videoValue"])
        case .rulesheetRead, .playfieldViewed, .practiceSession: common.union(["progressPercent"])
        case .gameBrowse: []
        }
    }
}

extension JournalRow {
    /// The members that people may change; nil where there is nothing to change: that a game was looked at stays as it was, and so does what
    /// a newer app has written.
    var editable: Set<String>? {
        guard let action = action?.known, action != .gameBrowse else { return nil }
        return RowEdit.members(of: action)
    }
}
