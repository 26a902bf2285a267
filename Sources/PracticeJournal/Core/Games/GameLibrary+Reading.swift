package import RecordFormat

/// Reading of the app's library, in its third version and in older forms.
///
/// Source: docs/spec/practice.md#the-library.
extension GameLibrary {
    /// - Parameter root: An object with `items` or `games`, or an array of games.
    package init(_ root: JSONValue) {
        let list = root.kind == .array ? root : root[name: "items"] ?? root[name: "games"]
        let items = list?.elements.filter { $0.kind == .object }.compactMap(LibraryItem.init) ?? []
        let declared = (root[name: "libraries"] ?? root[name: "sources"])?.elements.compactMap(Self.source)
        var sources = declared ?? []
        if sources.isEmpty {
            for item in items where !sources.contains(where: { $0.id == item.source.id }) {
                sources.append(item.source)
            }
        }
        self.init(games: items.map(\.game), sources: sources)
    }

    private static func source(_ value: JSONValue) -> Source? {
        guard let id = value.text("library_id", "id") else { return nil }
        return Source(
            id: id, name: value.text("library_name", "name") ?? id,
            kind: .init(value.text("library_type", "type")))
    }
}

/// A game of the library as a file has it.
private struct LibraryItem {
    let game: GameLibrary.Game
    let source: GameLibrary.Source

    /// Nil if it has nothing that could be an id.
    init?(_ value: JSONValue) {
        let identity = value.text("practice_identity", "practiceIdentity")
        let machine = value.text("opdb_id", "opdbId")
        guard let slug = value.text("slug") ?? identity ?? machine else { return nil }
        let name = value.text("library_name", "libraryName", "sourceName", "venue")
        let source = GameLibrary.Source(
            id: value.text("library_id", "libraryId", "sourceId") ?? name.map(GameID.normalized)
                ?? "library",
            name: name ?? "Library",
            kind: .init(value.text("library_type", "libraryType", "sourceType")))
        self.source = source
        var game = GameLibrary.Game(
            id: value.text("library_entry_id", "libraryEntryId") ?? machine ?? identity ?? slug,
            key: identity ?? slug, slug: slug, name: value.text("name", "game") ?? slug, source: source.id)
        game.machine = machine
        game.bank = value.integer("bank")
        game.group = value.integer("group")
        game.position = value.integer("position")
        game.area = value.text("area", "location")
        game.areaOrder = value.integer("area_order", "areaOrder")
        game.media = GameMedia(value)
        self.game = game
    }
}
