internal import RecordFormat
internal import TraceStore
internal import TraceText

/// Where reading and watching of a game stopped.
struct NotedPlace {
    let game: String
    let name: String
    let rulesheet: Double?
    let video: String?
}

extension Shape<NotedPlace> {
    static let notedPlace = Shape(
        "PracticePlace", "Where reading and watching of a game stopped",
        [
            .always("its id and its name", ["game": \.game, "name": \.name]),
            .sometimes("rulesheet", "how far down it was read", \.rulesheet?.asWritten),
            .sometimes("video", "where watching stopped", \.video),
        ])
}

extension Question {
    /// Requests have it in the answer about the game.
    static let resume = one(
        "resume", "Where reading and watching of a game stopped", of: .notedPlace,
        [DeclaredParameter](.lastGame)
    ) { (journal: OpenedPractice, asked) in
        let game = try journal.answers.game(journal.gameOrLast(asked[.lastGame]))
        return NotedPlace(
            game: game.game, name: game.name, rulesheet: game.rulesheetOffset, video: game.videoHint)
    } screen: { place, _ in
        let members: [(String, String?)] = [
            ("game", place.game), ("name", place.name),
            ("rulesheet", place.rulesheet.map(DocumentNumber.text)), ("video", place.video),
        ]
        return [.lines(members.compactMap { name, value in value.map { "\(name): \($0.oneLine)" } })]
    }
}
