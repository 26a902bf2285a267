/// The name of a player in a league table.
///
/// What people see of it comes from a ``NameRedaction``, and from nothing else: the text stays in this module, and what the
/// language writes of a value by itself, in a log or in a failed test, does not have it.
package struct PlayerName: Sendable {
    /// As it is written; for files.
    let text: String
    private let key: String

    package init(_ text: String) {
        self.text = text
        key = Self.key(of: text)
    }

    /// By what names are the same person's, however they are written: in a table, in the list of those who are redacted, by somebody who
    /// asks, or in what an import has noted. There is one, so that nobody who is redacted in one way of writing is named in another.
    ///
    /// - Source: docs/spec/practice.md#names-of-players.
    static func key(of name: String) -> String {
        var plain = name.withoutDiacritics.lowercased()
        if plain.utf8.contains(where: { $0 >= 0x80 }) {
            plain.unicodeScalars.removeAll { $0.properties.isDefaultIgnorableCodePoint }
        }
        guard plain.utf8.contains(UInt8(ascii: ",")) else { return plain.withSingleSpaces }
        let sides = plain.split(separator: ",", omittingEmptySubsequences: false)
            .map { String($0).withSingleSpaces }
        guard sides.count == 2, !sides[0].isEmpty, !sides[1].isEmpty else { return plain.withSingleSpaces }
        return "\(sides[1]) \(sides[0])"
    }

    /// Whether nobody is named.
    package var isEmpty: Bool { key.isEmpty }

    /// The words of its key, without points behind them.
    var words: [Substring] {
        key.split(whereSeparator: \.isWhitespace).compactMap { word in
            let end = word.lastIndex { !$0.isPunctuation }
            return end.map { word[...$0] }
        }
    }
}

extension PlayerName: Hashable {
    package static func == (one: PlayerName, other: PlayerName) -> Bool { one.key == other.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension PlayerName: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "a player" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
    /// The words of the text, with one space between them.
    var withSingleSpaces: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
