internal import RecordFormat

extension Parameter<String?> {
    static let onlyGame = Self(
        "game", "Only what is about this game: its id, or the beginning of its name", .text(maxBytes: 200))
    static let lastGame = Self(
        "game", "The game: its id, or the beginning of its name; that which was looked at last unless given",
        .text(maxBytes: 200), as: .argument)
}
