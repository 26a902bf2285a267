/// A host and perhaps a port, as `Host` and an origin name them.
///
/// Source: RFC 9110, section 7.2; RFC 3986, section 3.2.
struct HostPort: Sendable, Hashable {
    /// An address or a name.
    enum Host: Sendable, Hashable {
        /// An address.
        case address(IPAddress)
        /// A name in lower case; a dot at its end is part of it.
        case name(String)
    }

    let host: Host
    /// nil if none is named.
    let port: UInt16?

    /// Parses `localhost`, `127.0.0.1:8722` or `[::1]:8722`. IPv6 addresses need brackets; names consist of letters,
    /// digits, `-`, `_` and dots; a port is a number up to 65535.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        var rest: ArraySlice<UInt8>
        if bytes.first == UInt8(ascii: "[") {
            let address = bytes.dropFirst().prefix { $0 != UInt8(ascii: "]") }
            let digits = String(decoding: address, as: UTF8.self)
            guard digits.contains(":"), let parsed = IPAddress(digits) else { return nil }
            rest = bytes.dropFirst(address.count + 1)
            guard rest.popFirst() == UInt8(ascii: "]") else { return nil }
            host = .address(parsed)
        } else {
            let name = bytes.prefix { $0 != UInt8(ascii: ":") }
            guard !name.isEmpty, name.allSatisfy({ $0.isASCIIAlphanumeric || "-_.".utf8.contains($0) }) else {
                return nil
            }
            rest = bytes.dropFirst(name.count)
            let lowercased = String(decoding: name.map(\.asciiLowercased), as: UTF8.self)
            host = IPAddress(lowercased).map { .address($0) } ?? .name(lowercased)
        }
        guard let colon = rest.popFirst() else {
            port = nil
            return
        }
        guard colon == UInt8(ascii: ":"), !rest.isEmpty, rest.count <= 5, rest.allSatisfy(\.isDigit),
            let number = UInt16(String(decoding: rest, as: UTF8.self))
        else { return nil }
        port = number
    }
}
