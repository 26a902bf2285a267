internal import TraceText

/// Names that were nearly typed right.
enum NearName {
    /// The name that was most likely meant: it has a slip in it, or its beginning has, as far as it was typed; two slips where it is longer
    /// than five letters. Case, diacritics and the number of spaces do not count.
    ///
    /// - Returns: The first of those with the fewest slips, whole names before beginnings; nil if none is near.
    /// - Complexity: O(names · length²)
    static func nearest(to typed: String, among names: some Sequence<String>) -> String? {
        let letters = letters(of: typed)
        guard letters.count > 2 else { return nil }
        let most = letters.count > 5 ? 2 : 1
        var best: (name: String, edits: Int, isWhole: Bool)?
        for name in names {
            let known = self.letters(of: name)
            guard known.count + most >= letters.count else { continue }
            let isWhole = known.count <= letters.count + most
            let lengths = isWhole ? known.count...known.count : letters.count - most...letters.count + most
            let edits = lengths.map { editDistance(letters, Array(known.prefix($0))) }.min() ?? .max
            guard edits <= most else { continue }
            if let best, (best.edits, best.isWhole ? 0 : 1) <= (edits, isWhole ? 0 : 1) { continue }
            best = (name, edits, isWhole)
        }
        return best?.name
    }

    private static func letters(of name: String) -> [Character] {
        Array(name.withoutDiacritics.lowercased().withSingleSpaces)
    }
}
