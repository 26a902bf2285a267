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
        var slug: String
        var name: String
        /// The id of its ``Source``.
        var source: String
        var bank: Int?
        var group: Int?
        var position: Int?
        var area: String?
        var areaOrder: Int?
        /// Which of the machines that were built of the game is meant; nil where only the older library knows it.
        var machine: String?
        var manufacturer: String?
        var year: Int?
        /// `LE`, `Premium` and such.
        var variant: String?
        /// `em`, `ss` or `me`.
        var type: String?
        /// `lcd`, `dmd`, `reels` and such.
        var display: String?
        package var media = GameMedia()

        var tutorialCount: Int { media.count(of: "tutorial") }
        var gameplayCount: Int { media.count(of: "gameplay") }
    }

    /// A venue, or something else that has games: a maker, a tournament.
    package struct Source: Sendable, Equatable {
        var id: String
        var name: String
        var kind: Kind

        /// What it is.
        enum Kind: String, Sendable {
            case venue, category, manufacturer, tournament

            /// What a library says; anything else is a venue.
            init(_ said: String?) { self = said.flatMap { Kind(rawValue: $0.lowercased()) } ?? .venue }
        }
    }

    /// Those of the sources.
    package let games: [Game]
    let sources: [Source]
    /// Those of the catalogue that no source has, by name; none of an older library alone.
    let others: [Game]
    /// Whether the machines that there are come from the newest app's catalogue.
    let hasCatalogue: Bool
    /// What is asked of every record: the first game by its key; keys by other names, and by other spellings.
    private let byKey: [String: Game]
    private let names: OtherNames
    private let byLowerCaseKey: [String: String]
    private let byNormalizedSlug: [String: String]
    private let byNormalizedKey: [String: String]

    /// By what a game is known besides its key: to each name the key.
    struct OtherNames: Sendable {
        var ids: [String: String] = [:]
        var slugs: [String: String] = [:]
        /// The machines of the catalogue.
        var machines: [String: String] = [:]

        /// The first game counts.
        init(of games: [Game]) {
            for game in games {
                if ids[game.id] == nil { ids[game.id] = game.key }
                if slugs[game.slug] == nil { slugs[game.slug] = game.key }
            }
        }
    }

    package init(games: [Game] = [], sources: [Source] = []) {
        self.init(games: games, sources: sources, names: OtherNames(of: games), order: games.map(\.slug))
    }

    /// - Parameters:
    ///   - others: Games of the catalogue that no source has; nil without a catalogue.
    ///   - order: The slugs, in the order in which they are compared in other spellings.
    init(
        games: [Game], sources: [Source], others: [Game]? = nil, names: OtherNames, order: [String]
    ) {
        self.games = games
        self.sources = sources
        self.others = others ?? []
        hasCatalogue = others != nil
        self.names = names
        var byKey: [String: Game] = [:]
        var (byLowerCaseKey, byNormalizedKey) = ([String: String](), [String: String]())
        for game in games + (others ?? []) where byKey[game.key] == nil {
            byKey[game.key] = game
            let (lower, normalized) = (game.key.lowercased(), GameID.normalized(game.key))
            if byLowerCaseKey[lower] == nil { byLowerCaseKey[lower] = game.key }
            if byNormalizedKey[normalized] == nil { byNormalizedKey[normalized] = game.key }
        }
        var byNormalizedSlug: [String: String] = [:]
        for slug in order {
            let normalized = GameID.normalized(slug)
            if byNormalizedSlug[normalized] == nil { byNormalizedSlug[normalized] = names.slugs[slug] }
        }
        self.byKey = byKey
        self.byLowerCaseKey = byLowerCaseKey
        self.byNormalizedSlug = byNormalizedSlug
        self.byNormalizedKey = byNormalizedKey
    }

    /// Whether there is no game, and so nothing by which ids could be made canonical.
    package var isEmpty: Bool { byKey.isEmpty }

    /// The first game of that key.
    func game(_ key: String) -> Game? { byKey[key] }

    /// For people: the name of the first game with that key, `None` without an id, and else the id itself.
    func name(of id: String) -> String { id.isEmpty ? "None" : game(id)?.name ?? id }

    /// The keys of the sources' games, each once, in the order of the library.
    package var keys: [String] {
        var seen: Set<String> = []
        return games.map(\.key).filter { seen.insert($0).inserted }
    }

    /// As ``keys``, and behind them those of the catalogue's other games that are wanted.
    func keys(withOthers isWanted: (String) -> Bool) -> [String] {
        keys + others.map(\.key).filter(isWanted)
    }

    // MARK: - Canonical ids

    /// The canonical form of an id, however it was spelled.
    ///
    /// Source: docs/spec/practice.md#game-ids.
    package func canonical(_ raw: String) -> GameID {
        let id = GameID.withoutScope(raw.trimmed).trimmed
        if id.isEmpty { return GameID(id: "", match: .blank) }
        if byKey[id] != nil { return GameID(id: id, match: .key) }
        if let key = names.ids[id] { return GameID(id: key, match: .libraryID) }
        if let key = names.slugs[id] { return GameID(id: key, match: .slug) }
        if let key = names.machines[id] { return GameID(id: key, match: .machine) }
        if let end = GameID.end(of: id), let key = byKey[end]?.key ?? names.machines[end] {
            return GameID(id: key, match: .libraryID)
        }
        if let token = GameID.groupToken(in: id), let key = byLowerCaseKey[token.lowercased()] {
            return GameID(id: key, match: .groupToken)
        }
        let normalized = GameID.normalized(id)
        if !normalized.isEmpty {
            if let key = byNormalizedSlug[normalized] { return GameID(id: key, match: .normalizedSlug) }
            if let key = byNormalizedKey[normalized] { return GameID(id: key, match: .normalizedKey) }
        }
        return GameID(id: id, match: .none)
    }

    /// The game of which something elsewhere names the key or the machine: unlike an id of a person's, it is not looked for in other
    /// spellings.
    ///
    /// - Returns: Nil if neither is known.
    func key(identity: String?, machine: String?) -> String? {
        if let identity = identity?.trimmedOrNil, byKey[identity] != nil { return identity }
        guard let machine = machine?.trimmedOrNil else { return nil }
        return names.machines[machine]
            ?? (byKey[machine] ?? GameIdentities.group(of: machine).flatMap { byKey[$0] })?.key
    }

    /// The canonical forms of these ids, without blank ones and repetitions, in their order.
    func canonical(_ raws: some Sequence<String>) -> [String] {
        var seen: Set<String> = []
        return raws.map { canonical($0).id }.filter { !$0.isEmpty && seen.insert($0).inserted }
    }
}
