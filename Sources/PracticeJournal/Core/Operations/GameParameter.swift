internal import RecordFormat

extension Parameter<String> {
    /// The game that a write or a question is about.
    static let game = Self("game", "The game: its id, or the beginning of its name")
    /// As an entry has it: who sends one may not know the library by which a name would be understood.
    static let gameByID = game.with("The id of the game")
}

extension Parameter<String?> {
    /// The game of a write that may be about none, or about all.
    static let gameIfAny = Self(
        "game", "The id of the game, if it is about one", as: .argument)
}
