/// The cookies of a request.
///
/// Source: RFC 6265, sections 4.2 and 5.4.
package struct Cookies: Sendable {
    /// The result of a lookup.
    package enum Lookup: Hashable, Sendable {
        /// No cookie of this name.
        case absent
        /// One, with this value; quotes around it are removed.
        case value(String)
        /// Several, even if they are equal: another server of the domain may have set one, and which of them is ours is
        /// unknown.
        case ambiguous
        /// One with a value that the grammar does not allow.
        case malformed
    }

    /// The name, and the value unless it is malformed.
    private let pairs: [(name: String, value: String?)]

    /// Parses all lines of the field. Anything that is not a pair is skipped.
    ///
    /// - Complexity: O(length of the values).
    package init(_ values: [String]) {
        var pairs: [(name: String, value: String?)] = []
        for part in values.lazy.flatMap({ $0.utf8.split(separator: UInt8(ascii: ";")) }) {
            var scanner = FieldScanner(Substring(part))
            scanner.skipSpace()
            guard let name = scanner.token() else { continue }
            scanner.skipSpace()
            guard scanner.skip(UInt8(ascii: "=")) else { continue }
            scanner.skipSpace()
            pairs.append((name, Self.value(&scanner)))
        }
        self.pairs = pairs
    }

    private static func value(_ scanner: inout FieldScanner) -> String? {
        let quote = UInt8(ascii: "\"")
        let isQuoted = scanner.skip(quote)
        let value = scanner.bytes(while: isValueByte)
        guard !isQuoted || scanner.skip(quote) else { return nil }
        scanner.skipSpace()
        return scanner.isAtEnd ? String(decoding: value, as: UTF8.self) : nil
    }

    /// Printable, and neither quote, comma, semicolon nor backslash.
    static func isValueByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }

    /// The cookie of this name, which is case-sensitive.
    package func lookup(_ name: String) -> Lookup {
        let found = pairs.filter { $0.name == name }
        guard let first = found.first else { return .absent }
        guard found.count == 1 else { return .ambiguous }
        return first.value.map { .value($0) } ?? .malformed
    }
}
