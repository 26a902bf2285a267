internal import SystemPackage

/// The default directory name of a session: its date and its title, `2026-02-04-late-set`.
struct NewSessionName: Sendable {
    private let name: String

    /// - Parameter date: The day that it begins on, as people write it: `2026-02-04`.
    init(title: String, date: String) {
        let words = Self.words(of: title)
        name = "\(date)-\(words.isEmpty ? "session" : words)"
    }

    /// The name, or with a number behind it where that is taken: `2026-02-04-late-set-2`.
    subscript(number: Int) -> FilePath.Component? {
        FilePath.Component(number > 1 ? "\(name)-\(number)" : name)
    }

    /// No longer than this in bytes, so that there is room for what sync tools add.
    private static let limit = 120

    /// The letters and digits of a title in lower case, with hyphens between its words.
    private static func words(of title: String) -> String {
        var words = ""
        for character in title.lowercased() where character != "'" && character != "’" {
            if character.isLetter || character.isNumber {
                words.append(character)
            } else if words.last != "-" {
                words.append("-")
            }
            if words.utf8.count > limit {
                words.removeLast()
                break
            }
        }
        return words.split(separator: "-").joined(separator: "-")
    }
}
