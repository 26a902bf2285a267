internal import TraceText

extension GameLibrary {
    /// The key of the game that a person means: by its key, id or slug, or by the beginning of its name if no other game's name begins so.
    ///
    /// - Throws: ``PracticeRefusal`` if no game is meant, or several are. Without games, what was typed is the id.
    func key(named typed: String) throws(PracticeRefusal) -> String {
        let found = canonical(typed)
        guard !isEmpty, found.match == .none else { return found.id }
        let wanted = typed.trimmed.lowercased()
        var keys: [String] = []
        for game in games where game.name.lowercased().hasPrefix(wanted) && !keys.contains(game.key) {
            keys.append(game.key)
        }
        // A whole name is meant, even where another one begins with it.
        let whole = keys.filter { name(of: $0).lowercased() == wanted }
        if whole.count == 1 { return whole[0] }
        if let key = keys.first, keys.count == 1 { return key }
        guard !keys.isEmpty else {
            throw PracticeRefusal(.noSuchGame, "there is no game '\(typed)' in the library", cure: Self.list)
        }
        let names = keys.prefix(6).map { name(of: $0) }.joined(separator: ", ")
        throw PracticeRefusal(
            .noSuchGame, "'\(typed)' may be one of several games: \(names)", cure: Self.list)
    }

    private static let list: Cure = [
        "\(verb: "practice library list") lists the games",
        "\(route: "GET /api/v1/journals/{j}/practice/library") lists the games",
    ]
}
