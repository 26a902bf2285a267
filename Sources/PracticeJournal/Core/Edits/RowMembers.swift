internal import RecordFormat

/// The members of records that differ between two versions of them.
enum RowMembers {
    typealias Change = (name: String, value: JSONText?)

    static func changes(from old: JournalRow, to new: JournalRow) -> [Change] {
        [
            text("gameID", old.game, new.game),
            change("progressPercent", old.percent, new.percent) { DocumentNumber.json($0) },
            text("videoKind", old.videoKind?.text, new.videoKind?.text),
            text("videoValue", old.videoValue, new.videoValue),
            change("score", old.score, new.score) { DocumentNumber.json($0) },
            text("scoreContext", old.scoreContext?.text, new.scoreContext?.text),
            text("tournamentName", old.tournament, new.tournament),
            text("noteCategory", old.noteCategory?.text, new.noteCategory?.text),
            text("noteDetail", old.noteDetail, new.noteDetail), text("note", old.note, new.note),
        ].compactMap { $0 }
    }

    /// A text with other bytes, or one that came or went.
    static func text(_ name: String, _ old: String?, _ new: String?) -> Change? {
        let isSame = old.map { Array($0.utf8) } == new.map { Array($0.utf8) }
        return isSame ? nil : (name, new.map { JSONText($0) })
    }

    static func change<Value: Equatable>(
        _ name: String, _ old: Value?, _ new: Value?, _ json: (Value) -> JSONText
    ) -> Change? {
        old == new ? nil : (name, new.map(json))
    }
}
