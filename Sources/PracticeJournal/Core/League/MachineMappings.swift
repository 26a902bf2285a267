internal import RecordFormat

/// Which games the machines of a league are, as the league says it.
///
/// Source: docs/spec/practice.md#the-game-of-a-row.
package struct MachineMappings: Sendable {
    private let games: [MachineKey: Game]

    struct Game: Sendable {
        let identity: String?
        let machine: String?
    }

    init() { games = [:] }

    /// - Parameter bytes: `lpl_machine_mappings_v1.json`; of what is not such a file nothing is taken.
    init(_ bytes: [UInt8]) {
        self = (try? JSONParser().withParsed(bytes) { MachineMappings($0) }) ?? MachineMappings()
    }

    /// - Parameter root: What the file has. Of two rows for a machine the later counts.
    init(_ root: JSONValue) {
        var games: [MachineKey: Game] = [:]
        if root[name: "version"]?.integer ?? 0 >= 1 {
            for item in root.list("items") {
                guard let machine = item.text("machine") else { continue }
                games[MachineKey(machine)] = Game(
                    identity: item.said("practice_identity"), machine: item.said("opdb_id"))
            }
        }
        self.games = games
    }

    /// Nil if the league does not say it.
    subscript(machine: MachineKey) -> Game? { games[machine] }
}
