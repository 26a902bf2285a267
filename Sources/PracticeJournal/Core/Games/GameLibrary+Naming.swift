internal import TraceText

extension GameLibrary {
    /// The key of the game that a person means: by its key, id or slug, or by the beginning of its name if no other game's name begins so.
    /// The games of the sources come first; those that only the catalogue has are meant if none of them is.
    ///
    /// - Throws: ``PracticeRefusal`` with `.noSuchGame`, or `.gameAmbiguous`, which names those that may be meant. Without games, what was typed is the id.
    func key(named typed: String) throws(PracticeRefusal) -> String {
        let found = canonical(typed)
        guard !isEmpty, found.match == .none else { return found.id }
        let wanted = typed.trimmed.lowercased()
        for games in [games, others] {
            var keys: [String] = []
            for game in games where game.name.lowercased().hasPrefix(wanted) && !keys.contains(game.key) {
                keys.append(game.key)
            }
            // A whole name is meant, even where another one begins with it.
            let whole = keys.filter { name(of: $0).lowercased() == wanted }
            if whole.count == 1 { return whole[0] }
            if let key = keys.first, keys.count == 1 { return key }
            guard keys.isEmpty else {
                let names = keys.prefix(6).map(label).joined(separator: ", ")
                throw PracticeRefusal(
                    .noSuchGame, "'\(typed)' may be one of several games: \(names)", cure: Self.list)
            }
        }
        throw PracticeRefusal(
            .gameAmbiguous, "'\(typed)' may be one of several games: \(names)", cure: Self.list)
    }

    private static let list: Cure = [
        "\(verb: "practice library list") lists the games",
        "\(route: "GET /api/v1/journals/{j}/practice/library") lists the games",
    ]
}
