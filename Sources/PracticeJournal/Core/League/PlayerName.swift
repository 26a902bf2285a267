/// The name of a player in a league table.
///
/// What people see of it comes from a ``NameRedaction``, and from nothing else: the text stays in this module, and what the
/// language writes of a value by itself, in a log or in a failed test, does not have it.
package struct PlayerName: Sendable {
    /// As it is written; for files.
    let text: String
    /// By what two names are compared: in lower case with single spaces.
    private let key: String

    package init(_ text: String) {
        self.text = text
        key = text.withSingleSpaces.lowercased()
    }

    /// Whether nobody is named.
    package var isEmpty: Bool { key.isEmpty }
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
