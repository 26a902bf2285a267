internal import RecordFormat

/// A path in the library's cache, in the form that it has below `library/`.
///
/// A manifest and a library come from elsewhere, so a path that leads out of the cache, or to a file that we read or write ourselves, is none.
///
/// Source: docs/spec/practice.md#the-cache.
package struct CachePath: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Names with a slash between them.
    package let text: String

    package var description: String { text }
    var names: [String] { text.split(separator: "/").map(String.init) }

    /// The longest name and the deepest path that are taken.
    private static let longestName = 200
    private static let deepest = 12

    /// - Parameter raw: As a library or a manifest has it, with or without a slash before it.
    package init?(_ raw: String) {
        let names = raw.trimmed.split(separator: "/").map(String.init)
        let isSafe = names.allSatisfy { name in
            !name.hasPrefix(".") && name.utf8.count <= Self.longestName
                && name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\\" }
        }
        text = names.joined(separator: "/")
        // One that begins or ends with white space would be another when it is read once more.
        guard !names.isEmpty, names.count <= Self.deepest, isSafe, text == text.trimmed else { return nil }
    }

    package static func < (one: CachePath, other: CachePath) -> Bool { one.text < other.text }
}
