internal import RecordFormat

/// Where the machines of the venues stand.
///
/// Source: docs/spec/practice.md#sources-and-places.
struct VenueLayout: Sendable {
    /// The place of a machine in its venue.
    struct Place: Sendable {
        var area: String?
        var areaOrder: Int?
        var group: Int?
        var position: Int?
        var bank: Int?
    }

    /// The venues that it names, in its order, with the ids of their machines.
    private(set) var sources: [LibrarySourceList] = []
    private var places: [String: [String: Place]] = [:]
    private var areaOrders: [String: [String: Int]] = [:]

    init() {}

    /// - Parameter root: What `venue_layout_assets.json` has.
    init(_ root: JSONValue) {
        var indices: [String: Int] = [:]
        for record in root.records {
            guard let named = record.text("sourceId"), let machine = record.text("opdbId") else { continue }
            let source = LibrarySourceList.canonical(named)
            if indices[source] == nil {
                indices[source] = sources.count
                sources.append(
                    LibrarySourceList(
                        GameLibrary.Source(
                            id: source, name: record.said("sourceName") ?? source,
                            kind: .init(record.said("sourceType")))))
            }
            if let index = indices[source] { sources[index].machines.append(machine) }
            let area = record.said("area")
            if places[source]?[machine] == nil {
                places[source, default: [:]][machine] = Place(
                    area: area, group: record.integer("groupNumber"), position: record.integer("position"),
                    bank: record.integer("bank"))
            }
            if let area, let order = record.integer("areaOrder") {
                areaOrders[source, default: [:]][area] = order
            }
        }
    }

    /// - Parameter ids: Those by which the machine may be named there, the first that is counts.
    func place(in source: String, of ids: [String?]) -> Place {
        guard let known = places[source] else { return Place() }
        for id in ids.compactMap(\.self).flatMap(Self.shortened) {
            guard var place = known[id] else { continue }
            place.areaOrder = place.area.flatMap { areaOrders[source]?[$0] }
            return place
        }
        return Place()
    }

    /// The id, and what is left of it before its last `-`, again and again.
    private static func shortened(_ id: String) -> [String] {
        var ids = [id]
        while let end = ids.last?.lastIndex(of: "-"), let last = ids.last, end != last.startIndex {
            ids.append(String(last[..<end]))
        }
        return ids
    }
}

/// A venue, a maker or a tournament with the ids of its machines.
struct LibrarySourceList: Sendable {
    var source: GameLibrary.Source
    var machines: [String] = []
    /// The number of the maker of which it has all games.
    var manufacturer: Int?

    init(_ source: GameLibrary.Source) { self.source = source }

    /// - Parameter value: One of `pinball-imported-sources-v1`, of either app. Nil if it has no id.
    init?(_ value: JSONValue) {
        guard let named = value.text("id") else { return nil }
        let id = Self.canonical(named)
        source = GameLibrary.Source(
            id: id, name: value.said("name") ?? id, kind: .init(value.said("type")))
        machines = value.texts("machineIDs", "machineIds")
        if source.kind == .manufacturer {
            let provider = value.text("providerSourceID", "providerSourceId") ?? named
            manufacturer = Int(
                provider.hasPrefix(Self.maker) ? provider.dropFirst(Self.maker.count) : provider[...])
        }
    }

    private static let maker = "manufacturer-"

    /// The id by which a source is known now.
    static func canonical(_ id: String) -> String { aliases[id] ?? id }

    /// Earlier ids of two venues, as the app knows them.
    private static let aliases = [
        "the-avenue": "venue--pm-8760", "the-avenue-cafe": "venue--pm-8760",
        "venue--the-avenue-cafe": "venue--pm-8760", "rlm-amusements": "venue--pm-16470",
        "venue--rlm-amusements": "venue--pm-16470",
    ]
}
