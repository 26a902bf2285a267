/// How often each word stands in a list, in the order of their first appearance: `2 applied, 1 waiting`.
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

extension String {
    /// The text in one line, in which nothing can be taken for a separator or for a terminal's command.
    var oneLine: String {
        // What most texts hold needs no look at the properties of its characters.
        if utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return self }
        return String(UnicodeScalarView(unicodeScalars.map { $0.breaksLine ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var breaksLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
