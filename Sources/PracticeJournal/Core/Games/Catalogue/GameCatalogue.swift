internal import RecordFormat

/// The machines that there are, by the games that they are.
///
/// Source: docs/spec/practice.md#the-catalogue.
struct GameCatalogue: Sendable {
    let identities: GameIdentities
    /// Of each game, that which stands for it first.
    private let machinesByKey: [String: [CatalogueMachine]]
    private let machinesByID: [String: CatalogueMachine]
    /// By name.
    let keys: [String]

    /// - Parameter machines: Of those with the same id the first counts.
    init(_ machines: [CatalogueMachine] = [], identities: GameIdentities = GameIdentities()) {
        self.identities = identities
        var byID: [String: CatalogueMachine] = [:]
        var byKey: [String: [CatalogueMachine]] = [:]
        for machine in machines where byID[machine.id] == nil {
            byID[machine.id] = machine
            byKey[identities.identity(of: machine.id) ?? machine.id, default: []].append(machine)
        }
        machinesByID = byID
        machinesByKey = byKey.mapValues { $0.sorted { $0.precedes($1) } }
        keys = machinesByKey.compactMap { key, machines in
            machines.first.map { (name: $0.name.lowercased(), key: key) }
        }.sorted { ($0.name, $0.key) < ($1.name, $1.key) }.map(\.key)
    }

    /// - Parameter root: What `opdb_export.json` has.
    init(_ root: JSONValue, identities: GameIdentities) {
        self.init(root.records.compactMap(CatalogueMachine.init), identities: identities)
    }

    var isEmpty: Bool { keys.isEmpty }

    func has(_ key: String) -> Bool { machinesByKey[key] != nil }

    /// That which stands for its game.
    func machine(of key: String) -> CatalogueMachine? { machinesByKey[key]?.first }

    /// How many there are of a game.
    func machineCount(of key: String) -> Int { machinesByKey[key]?.count ?? 0 }

    /// The game of a machine that is in the catalogue.
    func key(ofMachine id: String) -> String? {
        machinesByID[id].flatMap { identities.identity(of: $0.id) }
    }

    /// The key of each machine, by its id.
    var keysOfMachines: [String: String] {
        machinesByID.mapValues { identities.identity(of: $0.id) ?? $0.id }
    }

    /// The machine that is shown where a list has an id: that one if there is a picture of its backglass, else the first of its game with one,
    /// else the first.
    func machine(listedAs id: String) -> CatalogueMachine? {
        if let machine = machinesByID[id], machine.hasBackglass { return machine }
        let machines = identities.identity(of: id).flatMap { machinesByKey[$0] } ?? []
        return machines.first(where: \.hasBackglass) ?? machines.first
    }

    /// The keys of a maker's games, in the order in which machines stand for games.
    func keys(ofManufacturer id: Int) -> [String] {
        machinesByKey.compactMap { key, machines in
            machines.first { $0.manufacturerID == id }.map { (key: key, machine: $0) }
        }.sorted { $0.machine.precedes($1.machine) }.map(\.key)
    }
}
