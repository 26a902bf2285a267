extension PracticeDocument {
    /// The game of each record of an array; of groups, which have several, none.
    func games(of array: PracticeArray) -> [String] {
        switch array {
        case .studyEvents: studyEvents.map(\.game)
        case .videoProgressEntries: videoEntries.map(\.game)
        case .scoreEntries: scoreEntries.map(\.game)
        case .noteEntries: noteEntries.map(\.game)
        case .journalEntries: rows.map(\.game)
        case .customGroups: []
        }
    }

    /// The games that are the keys of an object.
    func games(of map: PracticeMap) -> [String] {
        switch map {
        case .rulesheetResumeOffsets: resumeOffsets.map(\.game)
        case .videoResumeHints: videoHints.map(\.game)
        case .gameSummaryNotes: gameNotes.map(\.game)
        }
    }
}
