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
                    .gameAmbiguous, "'\(typed)' may be one of several games: \(names)", cure: Self.list)
            }
        }
        throw PracticeRefusal(
            .noSuchGame, "there is no game '\(typed)' in the library",
            cure: suggestion(for: typed).map { Cure("did you mean '\($0)'?") } ?? Self.list)
    }

    /// For a choice among games of which two may have one name.
    private func label(_ key: String) -> String {
        guard let game = game(key), hasCatalogue else { return name(of: key) }
        let details = [game.manufacturer, game.year.map(String.init)].compactMap(\.self)
        return details.isEmpty ? game.name : "\(game.name) (\(details.joined(separator: ", ")))"
    }

    // MARK: - Nearly right

    /// The name of the game that was most likely meant by a name that no game has: one with a slip in it, or in a beginning of it that is as
    /// long. Those of the sources come first.
    ///
    /// - Returns: Nil if none is near.
    func suggestion(for typed: String) -> String? {
        for games in [games, others] {
            if let name = NearName.nearest(to: typed, among: games.lazy.map(\.name)) { return name }
        }
        return nil
    }

    private static let list: Cure = [
        "\(verb: "practice library list") lists the games",
        "\(route: "GET /api/v1/journals/{j}/practice/library") lists the games",
    ]
}
