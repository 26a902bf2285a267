internal import TraceText

/// Whether a file is shown or saved, and under which name.
///
/// The value is one line of printable ASCII for any bytes in a name.
///
/// Source: RFC 6266, section 4; RFC 8187, section 3.2.
struct ContentDisposition: Sendable, Hashable {
    /// What the browser does with it.
    enum Kind: String, Sendable {
        /// To save it.
        case attachment
        /// To show or play it, if it can.
        case inline
    }

    /// The value of the field.
    let value: String

    /// - Parameters:
    ///   - name: The name of a file, of any bytes: invalid UTF-8 becomes U+FFFD, a slash or a NUL `_`. Of a name longer than 255
    ///     bytes, the end of the stem is cut off.
    init(_ kind: Kind, fileName name: [UInt8]) {
        let text = Self.shortened(
            String(
                decoding: name.map { $0 == UInt8(ascii: "/") || $0 == 0 ? UInt8(ascii: "_") : $0 },
                as: UTF8.self))
        let plain = Self.plain(text)
        // Programs that support `filename*` prefer it.
        let exact = plain == text ? "" : "; filename*=UTF-8''\(PercentEncoding.encoded(text.utf8))"
        value = "\(kind.rawValue); filename=\"\(plain)\"\(exact)"
    }

    /// The name in characters that need no escape in a quoted string. `%` is replaced too: some programs decode `%41` there.
    ///
    /// Source: RFC 6266, appendix D.
    private static func plain(_ name: String) -> String {
        let bytes = name.unicodeScalars.map { scalar -> UInt8 in
            switch scalar {
            case "\"", "\\", "%": UInt8(ascii: "_")
            case " "..."~": UInt8(truncatingIfNeeded: scalar.value)
            default: UInt8(ascii: "_")
            }
        }
        return bytes.isEmpty ? "download" : String(decoding: bytes, as: UTF8.self)
    }

    private static let lengthLimit = 255

    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > lengthLimit else { return name }
        // An extension is kept if it looks like one.
        let dot = name.utf8.suffix(17).lastIndex(of: UInt8(ascii: "."))
        let tail = dot.map { String(name.unicodeScalars[$0...]) } ?? ""
        var kept = String.UnicodeScalarView()
        var room = lengthLimit - tail.utf8.count
        for scalar in name.unicodeScalars {
            room -= String(scalar).utf8.count
            guard room >= 0 else { break }
            kept.append(scalar)
        }
        return String(kept) + tail
    }
}
