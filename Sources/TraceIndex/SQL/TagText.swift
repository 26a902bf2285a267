internal import TraceFormat

/// How the tags of a marker are in `record.tags`: each on a line of its own, with a line break before the first too, so that a
/// tag is found as a line. A line break in a tag is `\\n` and a backslash `\\\\`.
enum TagText {
    private static let lineBreak = UInt8(ascii: "\n")
    private static let backslash = UInt8(ascii: "\\")

    /// Adds a tag, in UTF-8, to those before it; `bytes` may hold something else before the first.
    static func append(_ tag: some Sequence<UInt8>, isFirst: Bool, to bytes: inout [UInt8]) {
        if isFirst { bytes.append(lineBreak) }
        for byte in tag {
            switch byte {
            case lineBreak: bytes += [backslash, UInt8(ascii: "n")]
            case backslash: bytes += [backslash, backslash]
            default: bytes.append(byte)
            }
        }
        bytes.append(lineBreak)
    }

    /// The tags.
    static func tags(in text: String) -> [String] {
        text.utf8.dropFirst().dropLast().split(separator: lineBreak, omittingEmptySubsequences: false).map {
            tag in
            var bytes: [UInt8] = []
            var isEscaped = false
            for byte in tag {
                if isEscaped {
                    bytes.append(byte == backslash ? backslash : lineBreak)
                    isEscaped = false
                } else if byte == backslash {
                    isEscaped = true
                } else {
                    bytes.append(byte)
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The condition that a record has a tag, ignoring case of ASCII letters.
    ///
    /// - Parameter places: The `?` for which ``arguments(_:)`` stand, one or more for the spellings of one tag.
    static func condition(_ places: [String]) -> String {
        "(\(places.map { "instr(lower(record.tags), \($0)) > 0" }.joined(separator: " OR ")))"
    }

    /// What stands for the `?` of ``condition(_:)``: each spelling of a tag.
    static func arguments(_ tag: String) -> [String] {
        (MarkerCategory(tag: tag.lowercased())?.spellings ?? [tag]).map(argument)
    }

    private static func argument(_ tag: String) -> String {
        var bytes: [UInt8] = []
        let lowered = tag.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        append(lowered, isFirst: true, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
