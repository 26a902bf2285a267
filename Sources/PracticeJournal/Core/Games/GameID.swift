/// The canonical form of a game's id, and by what it was found.
///
/// Source: docs/spec/practice.md#game-ids.
package struct GameID: Sendable, Equatable {
    package let id: String
    let match: Match

    /// What of a game was equal to the id.
    enum Match: String, Sendable {
        case key
        case libraryID = "library-id"
        case slug
        /// The id of a machine in the catalogue.
        case machine
        case groupToken = "group-token"
        case normalizedSlug = "normalised-slug"
        case normalizedKey = "normalised-key"
        /// No game has it; it stays as it is.
        case none
        /// There is no id: a note for all games.
        case blank
    }

    /// The id without the source in which the newest app has looked at the game: `source::<source>::<id>`.
    static func withoutScope(_ id: String) -> String {
        guard id.hasPrefix(scope), let end = id.dropFirst(scope.count).firstRange(of: "::") else { return id }
        return String(id[end.upperBound...])
    }

    private static let scope = "source::"

    /// What is behind the last `--` or `:` of an entry's id; nil without one.
    static func end(of id: String) -> String? {
        let ends = [id.ranges(of: "--").last, id.ranges(of: ":").last].compactMap { $0?.upperBound }
        return ends.max().flatMap { String(id[$0...]).trimmedOrNil }
    }

    /// In lower case, with `and` for `&`, and one `-` for what is not a letter or digit of ASCII, without any at the ends.
    static func normalized(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.trimmed.lowercased().utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                bytes.append(byte)
            case UInt8(ascii: "&"): bytes += "and".utf8
            default: if bytes.last != dash { bytes.append(dash) }
            }
        }
        if bytes.first == dash { bytes.removeFirst() }
        if bytes.last == dash { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let dash = UInt8(ascii: "-")

    /// The first word that looks like the id of a group of machines: `G` and four or more letters and digits of ASCII.
    static func groupToken(in text: String) -> String? {
        text.unicodeScalars.split { !isWordScalar($0) }.first { word in
            let letters = word.dropFirst()
            return (word.first == "G" || word.first == "g") && letters.count >= 4
                && letters.allSatisfy { $0.isASCII && $0 != "_" }
        }.map { String(String.UnicodeScalarView($0)) }
    }

    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
