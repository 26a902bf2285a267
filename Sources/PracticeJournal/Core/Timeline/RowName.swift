internal import RecordFormat
internal import TraceText

/// How a person names a row of the journal: by its id, as a list of rows has it or without what that begins with; by the beginning of
/// the id; or as `last`.
///
/// Source: docs/practice.md#writing.
enum RowName {
    /// Of fewer characters many ids have the same.
    static let shortestPart = 4
    /// How much of an id people are shown.
    static let shownPart = 8
    /// The newest row that can be changed.
    static let last = "last"

    /// The id without what it begins with in a list.
    static func plain(_ typed: String) -> String {
        let typed = typed.trimmed
        return typed.lowercased().hasPrefix(PracticeTimeline.rowStart)
            ? String(typed.dropFirst(PracticeTimeline.rowStart.count)) : typed
    }

    /// As much of the id of a record as people are shown.
    static func part(of id: String) -> String { String(id.prefix(shownPart)) }

    /// Whether an id begins so.
    static func isPart(_ typed: String, of id: String) -> Bool {
        typed.utf8.count >= shortestPart && id.lowercased().hasPrefix(typed.lowercased())
    }
}

extension PracticeDocument {
    /// The id of the row that a person means. A whole id is taken wherever its row is.
    ///
    /// - Throws: ``PracticeRefusal`` with `.noSuchRow` if no row has an id that begins so, `.rowAmbiguous` if several have.
    func row(named typed: String, library: GameLibrary, redaction: NameRedaction) throws(PracticeRefusal)
        -> String
    {
        if typed.trimmed.lowercased().hasPrefix(PracticeTimeline.logStart) {
            throw PracticeRefusal(
                .noSuchRow, "'\(typed)' is of the library's log, which is not changed", cure: Self.list)
        }
        let name = RowName.plain(typed)
        if name == RowName.last {
            let newest = rows.enumerated().filter { $0.element.id != nil && $0.element.editable != nil }
                .max { ($0.element.time ?? 0, $0.offset) < ($1.element.time ?? 0, $1.offset) }
            guard let id = newest?.element.id else {
                throw PracticeRefusal(.noSuchRow, "there is no row that can be changed", cure: Self.list)
            }
            return id
        }
        guard !UUIDText.isUUID(name) else { return name }
        let found = rows.filter { $0.id.map { RowName.isPart(name, of: $0) } ?? false }
        if let id = found.first?.id, found.count == 1 { return id }
        guard !found.isEmpty else {
            throw PracticeRefusal(
                .noSuchRow, "there is no row '\(typed)'",
                cure: [
                    "write its id, \(RowName.shortestPart) or more characters from its beginning, or 'last'",
                    "\(verb: "practice journal") lists the rows",
                ])
        }
        let shown = found.prefix(5).map { row in
            let row = row.shown(by: redaction)
            return
                "\(row.id ?? "") \(library.name(of: library.canonical(row.game).id)): \(RowText.brief(row))"
                .oneLine
        }
        throw PracticeRefusal(
            .rowAmbiguous,
            "'\(typed)' names \(counted(found.count, "row")): \(shown.joined(separator: ", "))\(found.count > shown.count ? ", …" : "")",
            cure: "write more of the id")
    }

    private static let list: Cure = "\(verb: "practice journal") lists the rows"
}
