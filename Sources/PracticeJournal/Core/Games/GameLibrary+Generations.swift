internal import RecordFormat

/// Both generations of the app's library by one reader; neither is required.
///
/// Source: docs/spec/practice.md#the-library.
extension GameLibrary {
    /// - Parameter files: What is in the files that are there; of one that is not JSON nothing is taken, as if it were missing.
    /// - Throws: ``FormatError`` with `.memory`.
    init(_ files: [LibraryDataFile: [UInt8]]) throws {
        let parser = try JSONParser()
        func read<Value>(_ file: LibraryDataFile, _ make: (JSONValue) -> Value) -> Value? {
            files[file].flatMap { try? parser.withParsed($0, make) }
        }
        let older = read(.library) { GameLibrary($0) }
        let identities = read(.curations) { GameIdentities($0) } ?? GameIdentities()
        let catalogue = read(.catalogue) { GameCatalogue($0, identities: identities) }
        guard let catalogue, !catalogue.isEmpty else {
            self = older ?? GameLibrary()
            return
        }
        var assets = GameAssets()
        for file in [LibraryDataFile.rulesheets, .videos, .playfields, .gameInfo] {
            _ = read(file) { assets.read(file, $0) }
        }
        let layout = read(.layout) { VenueLayout($0) } ?? VenueLayout()
        let imported = read(.importedSources) { $0.elements.compactMap { LibrarySourceList($0) } }
        self =
            NewestLibrary(
                catalogue: catalogue, assets: assets, layout: layout, imported: imported ?? [],
                older: older ?? GameLibrary()
            ).library
    }
}

extension GameLibrary.Game {
    /// Where it stands in its venue.
    fileprivate var place: VenueLayout.Place {
        get {
            VenueLayout.Place(
                area: area, areaOrder: areaOrder, group: group, position: position, bank: bank)
        }
        set {
            (area, areaOrder, group) = (newValue.area, newValue.areaOrder, newValue.group)
            (position, bank) = (newValue.position, newValue.bank)
        }
    }
}

/// The library of the newest app, with what an older one knows besides.
private struct NewestLibrary {
    let catalogue: GameCatalogue
    let assets: GameAssets
    let layout: VenueLayout
    let imported: [LibrarySourceList]
    private let older: [GameLibrary.Game]
    private let olderSources: [GameLibrary.Source]
    private let olderByKey: [String: GameLibrary.Game]

    init(
        catalogue: GameCatalogue, assets: GameAssets, layout: VenueLayout, imported: [LibrarySourceList],
        older: GameLibrary
    ) {
        self.catalogue = catalogue
        self.assets = assets
        self.layout = layout
        self.imported = imported
        self.older = older.games.compactMap { Self.known($0, catalogue) }
        olderSources = older.sources
        olderByKey = Dictionary(self.older.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A game of the older library by the key that it has now; nil where its group has become several games, and it does not say which it is.
    private static func known(_ game: GameLibrary.Game, _ catalogue: GameCatalogue) -> GameLibrary.Game? {
        guard !catalogue.has(game.key), catalogue.identities.splitGroups.contains(game.key) else {
            return game
        }
        guard let machine = game.machine, let key = catalogue.identities.identity(of: machine),
            catalogue.has(key)
        else { return nil }
        var game = game
        // The id of the group says of neither game that it is meant.
        if game.slug == game.key { game.slug = key }
        if game.id == game.key { game.id = machine }
        game.key = key
        return game
    }

    var library: GameLibrary {
        var sources: [GameLibrary.Source] = []
        var games: [GameLibrary.Game] = []
        for list in imported.isEmpty ? layout.sources : imported {
            guard !sources.contains(where: { $0.id == list.source.id }) else { continue }
            sources.append(list.source)
            games += entries(of: list)
        }
        // A venue that the newest library has, too, is known from there.
        let known = Set(sources.map(\.id))
        let kept = olderSources.filter { !known.contains(LibrarySourceList.canonical($0.id)) }
        let keptIDs = Set(kept.map(\.id))
        games += older.filter { keptIDs.contains($0.source) }.map(updated)
        let placed = Set(games.map(\.key))
        let left = catalogue.keys.filter { !placed.contains($0) }.compactMap { key in
            catalogue.machine(of: key).map { entry($0, key, in: Self.catalogueSource) }
        }
        // A game of a venue that is not kept is one still.
        var seen = placed.union(left.map(\.key))
        let lacking = older.filter { seen.insert($0.key).inserted }
        var names = GameLibrary.OtherNames(of: older)
        names.machines = catalogue.keysOfMachines
        return GameLibrary(
            games: games, sources: sources + kept, others: left + lacking, names: names,
            order: older.map(\.slug))
    }

    /// Of which the catalogue's games are that no other source has; its name in the ids that the app makes.
    private static let catalogueSource = "catalog--opdb-practice"

    /// The machines of a source, each once.
    private func entries(of list: LibrarySourceList) -> [GameLibrary.Game] {
        var listed = list.machines
        if listed.isEmpty, let manufacturer = list.manufacturer {
            listed = catalogue.keys(ofManufacturer: manufacturer)
        }
        var seen: Set<String> = []
        return listed.compactMap { id in
            guard let machine = catalogue.machine(listedAs: id), seen.insert(machine.id).inserted,
                let key = catalogue.key(ofMachine: machine.id)
            else { return nil }
            var game = entry(machine, key, in: list.source.id)
            game.place = layout.place(
                in: list.source.id, of: [id, machine.id, GameIdentities.group(of: machine.id), key])
            return game
        }
    }

    private func entry(_ machine: CatalogueMachine, _ key: String, in source: String) -> GameLibrary.Game {
        let older = olderByKey[key]
        var game = GameLibrary.Game(
            id: "\(source)--\(machine.id)", key: key, slug: older?.slug ?? key, name: machine.name,
            source: source)
        game.machine = machine.id
        game.manufacturer = machine.manufacturer
        game.year = machine.year
        game.variant = machine.variant
        game.type = machine.type
        game.display = machine.display
        game.media = assets.media(of: key, listed: machine, older: older?.media)
        return game
    }

    /// A game of the older library's venue, by what is known of it now.
    private func updated(_ game: GameLibrary.Game) -> GameLibrary.Game {
        guard let machine = catalogue.machine(of: game.key) else { return game }
        var updated = entry(machine, game.key, in: game.source)
        updated.id = game.id
        updated.slug = game.slug
        updated.place = game.place
        return updated
    }
}
