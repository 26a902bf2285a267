/// Identifies a version of a resource: `"5f3a"`, or `W/"5f3a"` for a weak one, which promises the same meaning but not the same
/// bytes.
///
/// Source: RFC 9110, section 8.8.3.
package struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// The bytes between the quotes: printable, no quote, no space; bytes above 0x7F may be among them.
    package let opaque: [UInt8]
    /// Whether it is a weak one.
    let isWeak: Bool

    private init(opaque: [UInt8], isWeak: Bool) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// The tag that consists of a hash in hexadecimal digits.
    package init(hash: some Sequence<UInt8>, isWeak: Bool = false) {
        let digits = Array("0123456789abcdef".utf8)
        self.init(opaque: hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0F)]] }, isWeak: isWeak)
    }

    /// Parses a text that is one tag, with optional white space around it.
    package init?(_ text: String) {
        var scanner = FieldScanner(text)
        scanner.skipSpace()
        guard let tag = EntityTag(&scanner) else { return nil }
        scanner.skipSpace()
        guard scanner.isAtEnd else { return nil }
        self = tag
    }

    /// Takes a tag; `W/` is case-sensitive.
    init?(_ scanner: inout FieldScanner) {
        isWeak = scanner.skip("W/")
        guard scanner.skip(UInt8(ascii: "\"")) else { return nil }
        opaque = Array(scanner.bytes { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 })
        guard scanner.skip(UInt8(ascii: "\"")) else { return nil }
    }

    /// The value of `ETag`. Bytes above 0x7F, which tags of this server don't have, may be replaced.
    package var description: String { "\(isWeak ? "W/" : "")\"\(String(decoding: opaque, as: UTF8.self))\"" }

    // MARK: - Content codings

    private static let gzipSuffix = Array("-gz".utf8)

    /// The tag of the same version compressed by gzip: different bytes need a different tag.
    ///
    /// Source: RFC 9110, section 8.8.3.3.
    var gzipped: EntityTag {
        opaque.hasSuffix(Self.gzipSuffix)
            ? self : EntityTag(opaque: opaque + Self.gzipSuffix, isWeak: isWeak)
    }

    /// The weak tag of the same version.
    var weak: EntityTag { EntityTag(opaque: opaque, isWeak: true) }

    /// The tag of the same version without a content coding. A hexadecimal hash never ends like ``gzipped``.
    var identity: EntityTag {
        opaque.hasSuffix(Self.gzipSuffix)
            ? EntityTag(opaque: opaque.dropLast(Self.gzipSuffix.count), isWeak: isWeak) : self
    }

    // MARK: - Comparison

    /// Whether both identify the same bytes: neither is weak, and they are equal.
    ///
    /// Source: RFC 9110, section 8.8.3.2.
    func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Whether both identify the same version, weak or not.
    ///
    /// Source: RFC 9110, section 8.8.3.2.
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ suffix: [UInt8]) -> Bool { self.suffix(suffix.count).elementsEqual(suffix) }
}
