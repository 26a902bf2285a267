/// How well a player says that they can do something: 1 to 5.
package enum Competency {
    static let range = 1...5

    /// The first one that a note names, as `competency 3/5` or `comfort 3`, ignoring case.
    ///
    /// Source: docs/spec/practice.md#mechanics: `(comfort|competency)\s+([1-5])(\s*/\s*5)?`.
    package static func found(in note: String) -> Int? {
        let text = Array(note.lowercased().unicodeScalars)
        for start in text.indices where text[start] == "c" {
            for word in words where text[start...].starts(with: word) {
                let rest = text[(start + word.count)...]
                let digits = rest.drop(while: \.properties.isWhitespace)
                guard digits.count < rest.count, let digit = digits.first.flatMap({ Int(String($0)) }),
                    range.contains(digit)
                else { continue }
                return digit
            }
        }
        return nil
    }

    /// What a note says behind `#Skill competency 3/5.`; all of it if it does not begin so.
    static func rest(of note: String) -> String {
        let parts = note.trimmed.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count > 2, parts[0].hasPrefix("#"), parts[1] == "competency",
            range.contains(where: { parts[2] == "\($0)/\(range.upperBound)." })
        else { return note }
        return parts.count > 3 ? String(parts[3]).trimmed : ""
    }

    private static let words = ["comfort", "competency"].map { Array($0.unicodeScalars) }
}
