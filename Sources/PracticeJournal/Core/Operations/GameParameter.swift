internal import RecordFormat

extension Parameter<String> {
    /// The game that a write or a question is about.
    static let game = Self("game", "The game: its id, or the beginning of its name")
}

extension Parameter<String?> {
    /// The game of a write that may be about none, or about all.
    static let gameIfAny = Self(
        "game", "The game, if it was one: its id, or the beginning of its name", as: .argument)
}
