extension GameLibrary {
    /// The key of the game that a person means: by its key, id or slug, or by the beginning of its name if no other game's name begins so.
    ///
    /// - Throws: ``WriteRejection`` if no game is meant, or several are. Without games, what was typed is the id.
    package func key(named typed: String) throws(WriteRejection) -> String {
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
        guard !keys.isEmpty else { throw WriteRejection("There is no game '\(typed)' in the library.") }
        let names = keys.prefix(6).map { name(of: $0) }.joined(separator: ", ")
        throw WriteRejection("'\(typed)' may be one of several games: \(names).")
    }
}
