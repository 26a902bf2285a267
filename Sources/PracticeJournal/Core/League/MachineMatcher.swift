/// Finds the games of the library that the machines of a league table are.
struct MachineMatcher {
    private let games: [(key: MachineKey, game: GameLibrary.Game)]
    private let byKey: [MachineKey: Int]

    init(_ library: GameLibrary) {
        let games = library.games.map { (key: MachineKey($0.name), game: $0) }
        self.games = games
        byKey = Dictionary(
            games.indices.map { (games[$0].key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The key of the game with that name, else of the one game whose name has it within it or the other way round; nil if there
    /// are several.
    ///
    /// Source: docs/spec/practice.md#importing.
    func game(_ machine: MachineKey) -> String? {
        if machine.isEmpty { return nil }
        if let index = byKey[machine] { return games[index].game.key }
        let similar = Set(games.filter { $0.key.contains(orIsIn: machine) }.map(\.game.key))
        return similar.count == 1 ? similar.first : nil
    }

    /// The first game with that name or another one of it, else the first whose name has it within it or the other way round.
    ///
    /// Source: docs/spec/practice.md#targets.
    func target(_ machine: MachineKey) -> (index: Int, match: LeagueTarget.Match)? {
        if machine.isEmpty { return nil }
        if let index = byKey[machine] ?? games.firstIndex(where: { $0.key.isSameMachine(as: machine) }) {
            return (index, .exact)
        }
        return games.firstIndex { $0.key.contains(orIsIn: machine) }.map { ($0, .loose) }
    }
}
