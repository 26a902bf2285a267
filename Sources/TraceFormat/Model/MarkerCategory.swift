package import RecordFormat

/// The four tags that the format knows as categories, with what a digest calls them.
///
/// Source: docs/spec/format.md#categories.
package enum MarkerCategory: String, Sendable, Hashable, CaseIterable {
    case highlight
    case structure
    case texture = "texture-sample"
    case fix = "fix-review"

    /// The category of a tag, in either spelling.
    package init?(tag: String) {
        guard let category = Self.allCases.first(where: { $0.spellings.contains(tag) }) else { return nil }
        self = category
    }

    /// The tags that mean it: the format's, and the one that a phone's widget writes in its place.
    package var spellings: [String] {
        switch self {
        case .highlight, .structure: [rawValue]
        case .texture: [rawValue, "texture_sample"]
        case .fix: [rawValue, "fix_review"]
        }
    }

    /// A tag that somebody names, and the other spelling of it where it is a category.
    package static func spellings(of tag: String) -> [String] {
        MarkerCategory(tag: tag)?.spellings ?? [tag]
    }

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
package struct MarkerCategories {
    /// A bit each, in the format's order.
    private var bits: UInt8 = 0

    package init(_ tags: [String]) {
        for tag in tags {
            if let category = MarkerCategory(tag: tag) { insert(category) }
        }
    }

    /// Those among the tags of a line, without a copy of them.
    package init(_ tags: JSONValue.Elements?) {
        guard var tags else { return }
        // No generic view of them: another module's would run unspecialized, for each marker.
        while let value = tags.next() {
            guard let tag = value.utf8 else { continue }
            if tag.equals("highlight") { insert(.highlight) }
            if tag.equals("structure") { insert(.structure) }
            if tag.equals("texture-sample") || tag.equals("texture_sample") { insert(.texture) }
            if tag.equals("fix-review") || tag.equals("fix_review") { insert(.fix) }
        }
    }

    private mutating func insert(_ category: MarkerCategory) { bits |= category.bit }

    package func contains(_ category: MarkerCategory) -> Bool { bits & category.bit != 0 }

    /// The first in the format's order.
    package var first: MarkerCategory? { bits == 0 ? nil : MarkerCategory.allCases.first(where: contains) }
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
