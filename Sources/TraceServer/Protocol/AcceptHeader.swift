/// The media types that a client accepts (`Accept`).
///
/// Parameters of a type, such as `charset`, are not compared: nothing is offered in two forms that differ in one.
///
/// Source: RFC 9110, sections 12.4.2 and 12.5.1.
struct AcceptHeader: Sendable {
    private struct Range {
        /// In lower case; `*` for any.
        let type: String
        /// In lower case; `*` for any.
        let subtype: String
        /// 0 to 1000.
        let quality: Int

        /// How specifically it matches a type; nil if it does not.
        func precision(for type: some StringProtocol, _ subtype: some StringProtocol) -> Int? {
            if self.type == "*" { return 0 }
            guard self.type == type else { return nil }
            if self.subtype == "*" { return 1 }
            return self.subtype == subtype ? 2 : nil
        }
    }

    private let ranges: [Range]

    /// Reads all lines of the field. An element that breaks the grammar is skipped; if that leaves none, anything is acceptable,
    /// as if there were no field.
    init(_ values: [String]) {
        var ranges: [Range] = []
        for value in values {
            var scanner = FieldScanner(value)
            while scanner.moveToElement() {
                if let range = Self.range(&scanner) { ranges.append(range) }
                scanner.skipElement()
            }
        }
        self.ranges = ranges
    }

    /// `text/*;q=0.3`
    private static func range(_ scanner: inout FieldScanner) -> Range? {
        guard let type = scanner.token()?.asciiLowercased, scanner.skip(UInt8(ascii: "/")),
            let subtype = scanner.token()?.asciiLowercased, type != "*" || subtype == "*",
            let quality = FieldQuality.value(&scanner)
        else { return nil }
        return Range(type: type, subtype: subtype, quality: quality)
    }

    /// The offered type that the client prefers; of several that it prefers equally, the first.
    ///
    /// - Parameter offered: Types in lower case, without parameters, the default first.
    /// - Returns: nil if none is acceptable, which is 406.
    func best(of offered: [String]) -> String? {
        guard !ranges.isEmpty else { return offered.first }
        var best: (type: String, quality: Int)?
        for type in offered {
            let quality = quality(of: type)
            if quality > best?.quality ?? 0 { best = (type, quality) }
        }
        return best?.type
    }

    /// The weight of the most specific range that matches; of several such, the greatest. 0 for a type that is not acceptable.
    private func quality(of type: String) -> Int {
        let parts = type.split(separator: "/", maxSplits: 1)
        guard let first = parts.first, let last = parts.last else { return 0 }
        var closest = (precision: -1, quality: 0)
        for range in ranges {
            guard let precision = range.precision(for: first, last) else { continue }
            let found = (precision, range.quality)
            if found > closest { closest = found }
        }
        return closest.quality
    }
}
