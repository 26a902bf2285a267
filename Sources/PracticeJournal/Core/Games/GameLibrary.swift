/// The games that a person's venues have, in the order of the library.
///
/// Source: docs/spec/practice.md#the-library.
package struct GameLibrary: Sendable {
    /// A game at a place: one game may be there several times, at several places.
    package struct Game: Sendable, Equatable {
        /// The id of the entry.
        package var id: String
        /// The game's own id: the canonical form of all ids of the game.
        package var key: String
        package var slug: String
        package var name: String
        /// The id of its ``Source``.
        package var source: String
        package var bank: Int?
        package var group: Int?
        package var position: Int?
        package var area: String?
        package var areaOrder: Int?
        package var media = GameMedia()

        package var tutorialCount: Int { media.count(of: "tutorial") }
        package var gameplayCount: Int { media.count(of: "gameplay") }
    }

    /// A venue, or a category such as a manufacturer.
    package struct Source: Sendable, Equatable {
        package var id: String
        package var name: String
        package var isCategory: Bool
    }

    package let games: [Game]
    package let sources: [Source]
    /// What is asked of every record: the first game by its key, its id and its slug, and its key in other spellings.
    private let byKey: [String: Int]
    private let byID: [String: Int]
    private let bySlug: [String: Int]
    private let byLowerCaseKey: [String: Int]
    private let byNormalizedSlug: [String: Int]
    private let byNormalizedKey: [String: Int]

    package init(games: [Game] = [], sources: [Source] = []) {
        self.games = games
        self.sources = sources
        func first(_ text: (Game) -> String) -> [String: Int] {
            Dictionary(games.indices.map { (text(games[$0]), $0) }, uniquingKeysWith: { one, _ in one })
        }
        byKey = first(\.key)
        byID = first(\.id)
        bySlug = first(\.slug)
        byLowerCaseKey = first { $0.key.lowercased() }
        byNormalizedSlug = first { GameID.normalized($0.slug) }
        byNormalizedKey = first { GameID.normalized($0.key) }
    }

    /// Whether there is no game, and so nothing by which ids could be made canonical.
    package var isEmpty: Bool { games.isEmpty }

    /// The first game of that key.
    func game(_ key: String) -> Game? { byKey[key].map { games[$0] } }

    /// For people: the name of the first game with that key, `None` without an id, and else the id itself.
    package func name(of id: String) -> String { id.isEmpty ? "None" : game(id)?.name ?? id }

    /// The keys of the games, each once, in the order of the library.
    package var keys: [String] {
        games.indices.filter { byKey[games[$0].key] == $0 }.map { games[$0].key }
    }

    // MARK: - Canonical ids

    /// The canonical form of an id, however it was spelled.
    ///
    /// Source: docs/spec/practice.md#game-ids.
    package func canonical(_ raw: String) -> GameID {
        let id = raw.trimmed
        if id.isEmpty { return GameID(id: "", match: .blank) }
        func found(_ index: Int, _ match: GameID.Match) -> GameID {
            GameID(id: games[index].key, match: match)
        }
        if let index = byKey[id] { return found(index, .key) }
        if let index = byID[id] { return found(index, .libraryID) }
        if let index = bySlug[id] { return found(index, .slug) }
        if let token = GameID.groupToken(in: id), let index = byLowerCaseKey[token.lowercased()] {
            return found(index, .groupToken)
        }
        let normalized = GameID.normalized(id)
        if !normalized.isEmpty {
            if let index = byNormalizedSlug[normalized] { return found(index, .normalizedSlug) }
            if let index = byNormalizedKey[normalized] { return found(index, .normalizedKey) }
        }
        return GameID(id: id, match: .none)
    }

    /// The canonical forms of these ids, without blank ones and repetitions, in their order.
    package func canonical(_ raws: some Sequence<String>) -> [String] {
        var seen: Set<String> = []
        return raws.map { canonical($0).id }.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
