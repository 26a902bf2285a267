/// How often each word is in a list, in the order of their first appearance: `2 applied, 1 waiting`.
func tally(_ words: [String]) -> String {
    var counts: [(word: String, count: Int)] = []
    for word in words {
        if let index = counts.firstIndex(where: { $0.word == word }) {
            counts[index].count += 1
        } else {
            counts.append((word, 1))
        }
    }
    return counts.map { "\($0.count) \($0.word)" }.joined(separator: ", ")
}
