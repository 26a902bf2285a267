/// The value of `If-Match` or `If-None-Match`.
///
/// Source: RFC 9110, sections 13.1.1 and 13.1.2.
enum EntityTagList: Hashable, Sendable {
    /// `*`: any version, if there is one.
    case any
    /// These, in the order in which they were sent.
    case tags([EntityTag])

    /// Reads all lines of the field, which together are one list.
    ///
    /// - Returns: nil if there is no tag, if anything is not a tag, or if `*` is not alone.
    /// - Complexity: O(length of the values).
    init?(_ values: [String]) {
        var tags: [EntityTag] = []
        var starCount = 0
        for value in values {
            var scanner = FieldScanner(value)
            while scanner.moveToElement() {
                if scanner.skip(UInt8(ascii: "*")) {
                    starCount += 1
                } else if let tag = EntityTag(&scanner) {
                    tags.append(tag)
                } else {
                    return nil
                }
                guard scanner.isAtEndOfElement() else { return nil }
            }
        }
        switch (starCount, tags.isEmpty) {
        case (1, true): self = .any
        case (0, false): self = .tags(tags)
        default: return nil
        }
    }
}
