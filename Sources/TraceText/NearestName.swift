/// The known name that a mistyped one was most likely meant to be.
///
/// Case, hyphens and dots do not count as mistakes (`Log-Level` and `log.level` are `log_level`).
/// - Returns: The name with the fewest edits, or nil if even that one shares too little to be worth a guess.
package func nearestName(to name: String, among known: [String]) -> String? {
    let wanted = name.lowercased().map { "-. ".contains($0) ? "_" : $0 }
    let ranked = known.map { (name: $0, edits: editDistance(wanted, Array($0))) }
    guard let best = ranked.min(by: { $0.edits < $1.edits }) else { return nil }
    return best.edits <= max(2, wanted.count / 2) ? best.name : nil
}

/// The known name that a word is most likely a slip of: one edit away, or two where it is longer than five characters.
package func likelyName(for word: String, among known: some Sequence<String>) -> String? {
    let letters = Array(word)
    return known.map { (name: $0, edits: editDistance(letters, Array($0))) }.filter {
        $0.edits > 0 && $0.edits <= (letters.count > 5 ? 2 : 1)
    }.min { ($0.edits, $0.name) < ($1.edits, $1.name) }?.name
}

/// How many insertions, deletions, substitutions and swaps of neighbours turn one text into the other.
package func editDistance(_ source: [Character], _ target: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...target.count)
    for (row, character) in source.enumerated() {
        var current = [row + 1]
        for (column, other) in target.enumerated() {
            var edits = min(
                last[column] + (character == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
            if row > 0, column > 0, character == target[column - 1], source[row - 1] == other {
                edits = min(edits, beforeLast[column - 1] + 1)
            }
            current.append(edits)
        }
        beforeLast = last
        last = current
    }
    return last[target.count]
}
