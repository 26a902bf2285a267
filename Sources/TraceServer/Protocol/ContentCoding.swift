/// How the bytes of a representation are encoded for transfer.
///
/// Source: RFC 9110, section 8.4.1.
enum ContentCoding: String, Sendable {
    /// As they are.
    case identity
    /// Compressed by gzip.
    case gzip

    /// The coding for a representation that may be compressed: gzip if the client accepts it, by name or by `*`, and does not
    /// prefer identity. Without the field nothing is compressed.
    ///
    /// If neither is acceptable, it is identity, which is of more use than a 406.
    ///
    /// - Parameter values: The lines of `Accept-Encoding`; what breaks the grammar is skipped.
    /// - Source: RFC 9110, section 12.5.3.
    static func preferred(by values: [String]) -> ContentCoding {
        let qualities = qualities(in: values)
        let gzip = qualities["gzip"] ?? qualities["*"] ?? 0
        // If it is not named it is acceptable, but anything that is named is preferred.
        let identity = qualities["identity"] ?? 0
        return gzip > 0 && gzip >= identity ? .gzip : .identity
    }

    /// Whether a client may have been given what is compressed by gzip: unless it says what it takes, it takes anything.
    ///
    /// - Parameter values: The lines of `Accept-Encoding`.
    /// - Source: RFC 9110, section 12.5.3.
    static func acceptsGzip(_ values: [String]) -> Bool {
        let qualities = qualities(in: values)
        return values.isEmpty || qualities["gzip"] ?? qualities["*"] ?? 0 > 0
    }

    /// The weights by the names of codings, in thousandths.
    private static func qualities(in values: [String]) -> [String: Int] {
        var qualities: [String: Int] = [:]
        for value in values {
            var scanner = FieldScanner(value)
            while scanner.moveToElement() {
                if let name = scanner.token()?.asciiLowercased, let quality = FieldQuality.value(&scanner) {
                    qualities[name == "x-gzip" ? "gzip" : name] = quality
                }
                scanner.skipElement()
            }
        }
        return qualities
    }

    /// Whether a type is worth compressing: text in the widest sense. Recordings and pictures are compressed already, and a stream of
    /// events is to arrive at once.
    ///
    /// - Parameter type: The value of `Content-Type`, in any case and with parameters.
    static func compresses(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" && $0 != " " }.asciiLowercased
        if name.hasPrefix("text/") { return name != "text/event-stream" }
        guard name.hasPrefix("application/") || name == "image/svg+xml" else { return false }
        return name.hasSuffix("+json") || name.hasSuffix("+xml")
            || ["json", "jsonl", "xml", "javascript"].contains { name == "application/\($0)" }
    }
}
