/// What a document has, by the game that it is about.
///
/// Made once for a question about many games: each record is looked at once, and not once for each game.
package struct GameRecords {
    /// By which the ids of games are canonical.
    let library: GameLibrary
    private let studyEvents: [String: [StudyEvent]]
    private let rows: [String: [JournalRow]]
    private let scores: [String: [ScoreEntry]]

    package init(_ document: PracticeDocument, _ library: GameLibrary = GameLibrary()) {
        self.library = library
        var keys: [String: String] = [:]
        func key(_ raw: String) -> String {
            if let known = keys[raw] { return known }
            let key = library.canonical(raw).id
            keys[raw] = key
            return key
        }
        studyEvents = Dictionary(grouping: document.studyEvents) { key($0.game) }
        rows = Dictionary(grouping: document.rows) { key($0.game) }
        scores = Dictionary(grouping: document.scoreEntries) { key($0.game) }
    }

    // MARK: - Of the game with a key, in the order of the document

    func studyEvents(of game: String) -> [StudyEvent] { studyEvents[game] ?? [] }
    func rows(of game: String) -> [JournalRow] { rows[game] ?? [] }
    func scores(of game: String) -> [ScoreEntry] { scores[game] ?? [] }
}
