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
        let known = tags.compactMap(MarkerCategory.init)
        return known.count < 2 ? known : MarkerCategory.allCases.filter(known.contains)
    }
}
