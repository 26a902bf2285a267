/// Finds the games of the library that the machines of a league table are.
struct MachineMatcher {
    private let library: GameLibrary
    private let mappings: MachineMappings
    private let games: [(key: MachineKey, game: GameLibrary.Game)]
    /// The first game of a name.
    private let byKey: [MachineKey: Int]
    /// All games of a name, where the newest app's catalogue is there.
    private let keysByName: [MachineKey: Set<String>]

    init(_ library: GameLibrary, _ mappings: MachineMappings = MachineMappings()) {
        self.library = library
        self.mappings = mappings
        let games = library.games.map { (key: MachineKey($0.name), game: $0) }
        self.games = games
        byKey = Dictionary(
            games.indices.map { (games[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
        var keys: [MachineKey: Set<String>] = [:]
        if library.hasCatalogue {
            for (name, game) in games { keys[name, default: []].insert(game.key) }
            for game in library.others { keys[MachineKey(game.name), default: []].insert(game.key) }
        }
        keysByName = keys
    }

    /// By what the game of a row was found.
    enum Match: String { case columns, mapping, name, similar }

    /// The key of the game of a row, and by what it was found; nil if it is unknown.
    ///
    /// Source: docs/spec/practice.md#the-game-of-a-row.
    func game(identity: String?, machine: String?, named name: MachineKey) -> (key: String, match: Match)? {
        if let key = library.key(identity: identity, machine: machine) { return (key, .columns) }
        return game(named: name)
    }

    func game(_ name: MachineKey) -> String? { game(named: name)?.key }

    private func game(named name: MachineKey) -> (key: String, match: Match)? {
        if name.isEmpty { return nil }
        if let mapped = mapped(name) { return (mapped, .mapping) }
        guard !library.hasCatalogue else { return onlyGame(named: name).map { ($0, .name) } }
        if let index = byKey[name] { return (games[index].game.key, .name) }
        let similar = Set(games.filter { $0.key.contains(orIsIn: name) }.map(\.game.key))
        return similar.count == 1 ? similar.first.map { ($0, .similar) } : nil
    }

    private func mapped(_ name: MachineKey) -> String? {
        mappings[name].flatMap { library.key(identity: $0.identity, machine: $0.machine) }
    }

    /// Of the whole catalogue: a part of a name would be that of many games, and so may be a name.
    private func onlyGame(named name: MachineKey) -> String? {
        let found = ([name] + name.otherNames).reduce(into: Set<String>()) {
            $0.formUnion(keysByName[$1] ?? [])
        }
        return found.count == 1 ? found.first : nil
    }

    /// The first game with that name or another one of it, else the first whose name has it within it or the other way round.
    ///
    /// - Returns: The game, and its place among those of the sources if it has one.
    /// Source: docs/spec/practice.md#targets.
    func target(_ machine: MachineKey) -> (game: GameLibrary.Game, index: Int?, match: LeagueTarget.Match)? {
        if machine.isEmpty { return nil }
        let mapped = mapped(machine)
        let first =
            mapped.map { key in games.firstIndex { $0.game.key == key } }
            ?? byKey[machine] ?? games.firstIndex { $0.key.isSameMachine(as: machine) }
        if let first { return (games[first].game, first, .exact) }
        guard !library.hasCatalogue else {
            return (mapped ?? onlyGame(named: machine)).flatMap { library.game($0) }.map { ($0, nil, .exact) }
        }
        return games.firstIndex { $0.key.contains(orIsIn: machine) }.map { (games[$0].game, $0, .loose) }
    }
}

/// The games of a table's rows, each looked for once.
struct MachineGames {
    private let matcher: MachineMatcher
    private var found: [String: String?] = [:]

    init(_ matcher: MachineMatcher) { self.matcher = matcher }

    mutating func game(of row: LeagueScore) -> String? {
        if row.identity != nil || row.machineID != nil {
            return matcher.game(
                identity: row.identity, machine: row.machineID, named: MachineKey(row.machine))?.key
        }
        if let known = found[row.machine] { return known }
        let game = matcher.game(MachineKey(row.machine))
        found[row.machine] = .some(game)
        return game
    }
}
