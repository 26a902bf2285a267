/// The four tags that the format knows as categories, with what a digest calls them.
///
/// Source: format.md, "Records".
package enum MarkerCategory: String, Sendable, Hashable, CaseIterable {
    case highlight
    case structure
    case texture = "texture-sample"
    case fix = "fix-review"

    /// What people call it.
    package var name: String {
        switch self {
        case .highlight: "Highlight"
        case .structure: "Structure"
        case .texture: "Texture"
        case .fix: "Fix"
        }
    }

    /// Its sign in a timeline strip.
    package var letter: Character {
        switch self {
        case .highlight: "H"
        case .structure: "S"
        case .texture: "T"
        case .fix: "F"
        }
    }
}

extension Marker {
    /// The categories among the tags, in the format's order.
    package var categories: [MarkerCategory] {
        let known = MarkerCategories(tags)
        return MarkerCategory.allCases.filter(known.contains)
    }
}

/// The categories of a marker.
struct MarkerCategories {
    /// A bit each, in the format's order.
    private var bits: UInt8 = 0

    init(_ tags: [String]) {
        for tag in tags {
            if let category = MarkerCategory(rawValue: tag) { insert(category) }
        }
    }

    /// Those among the tags of a line, without a copy of them.
    init(_ tags: JSONValue.Elements?) {
        guard let tags else { return }
        for case let tag? in tags.lazy.map(\.utf8) {
            if tag.equals("highlight") { insert(.highlight) }
            if tag.equals("structure") { insert(.structure) }
            if tag.equals("texture-sample") { insert(.texture) }
            if tag.equals("fix-review") { insert(.fix) }
        }
    }

    private mutating func insert(_ category: MarkerCategory) { bits |= category.bit }

    func contains(_ category: MarkerCategory) -> Bool { bits & category.bit != 0 }

    /// The first in the format's order.
    var first: MarkerCategory? { bits == 0 ? nil : MarkerCategory.allCases.first(where: contains) }
}

extension MarkerCategory {
    fileprivate var bit: UInt8 {
        switch self {
        case .highlight: 1
        case .structure: 2
        case .texture: 4
        case .fix: 8
        }
    }
}
