extension PracticeDocument {
    /// Takes what was imported from league tables out again: the scores, and the rows of their context or with the note of an
    /// import. A row that stands for a league score of one's own stays, as does the score.
    ///
    /// Source: docs/spec/practice.md#importing.
    package func purgingLeagueImports() -> DocumentChange {
        var change = DocumentChange()
        change.removed = scoreEntries.indices.filter { scoreEntries[$0].isLeagueImported }.map {
            DocumentChange.Place(.scoreEntries, $0)
        }
        let own = Set(
            scoreEntries.filter { !$0.isLeagueImported && $0.context.known == .league }.map(\.game))
        let linker = RecordLinker(self)
        for (index, row) in rows.enumerated() where row.action?.known == .scoreLogged {
            guard row.isOfLeagueImport || row.scoreContext?.known == .league else { continue }
            if !row.isOfLeagueImport, own.contains(row.game),
                case .found(let score) = linker.link(of: row, in: .scoreEntries),
                !scoreEntries[score].isLeagueImported
            {
                continue
            }
            change.removed.append(DocumentChange.Place(.journalEntries, index))
        }
        if !change.isEmpty { change.members = forgettingLeagueImport }
        return change
    }

    /// Takes away when something was imported last.
    var forgettingLeagueImport: [DocumentChange.MemberChange] {
        let object = PracticeSettingsObject.leagueSettings.rawValue
        return settings.leagueImport.map { .init(object, $0, nil) }
    }
}

extension JournalRow {
    /// Whether its note says that it came from a table.
    var isOfLeagueImport: Bool { note?.trimmed == LeagueImport.note }
}
