package import HTTPTypes
internal import TraceText

/// The target of a request: a path, split into segments that are decoded exactly once, and a query.
///
/// It must be given the target as received: a codec that turns an absolute target into a path, or decodes it, hides what this type
/// must refuse.
///
/// Source: RFC 9112, section 3.2; RFC 3986, section 3.3.
package struct RequestTarget: Sendable, Hashable {
    /// One part of a path, between two slashes.
    package struct Segment: Sendable, Hashable {
        /// Its bytes, decoded: any but NUL, `/` and `\`, and never `.` or `..`. Names of files need not be UTF-8.
        package let bytes: [UInt8]
        /// The bytes as text; nil if they are not UTF-8.
        package var text: String? { String(validating: bytes, as: UTF8.self) }
    }

    /// The path as it was received, without the query.
    package let path: String
    /// Its segments; `/` and `*` have none.
    package let segments: [Segment]
    /// Whether the path, unless it is `/`, ends with a slash, which makes it a different address.
    package let endsWithSlash: Bool
    /// Whether it is `*`, which stands for the server as a whole.
    let isServer: Bool
    /// The query; empty if there is none.
    package let query: TargetQuery

    /// The greatest length of a target, in bytes.
    package static let lengthLimit = 8192

    /// Parses a target.
    ///
    /// - Parameter method: Only `OPTIONS` may be for `*`.
    /// - Throws: A ``ProtocolError`` of status 400 or 414.
    /// - Complexity: O(length), which is at most ``lengthLimit``.
    package init(_ target: String, method: HTTPRequest.Method) throws(ProtocolError) {
        let bytes = target.utf8
        guard bytes.count <= Self.lengthLimit else {
            throw ProtocolError(
                .targetTooLong, "the address is longer than \(Self.lengthLimit) bytes",
                cure: "send long values in a body")
        }
        isServer = target == "*" && method == .options
        guard bytes.first == UInt8(ascii: "/") || isServer else {
            throw ProtocolError(
                .targetNotPath, "the target of the request is not a path",
                cure: "send the path alone, beginning with '/'; this server is not a proxy")
        }
        // All bytes that are allowed in an address, and some others that browsers send unescaped.
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }) else {
            throw ProtocolError(
                .targetByteForbidden, "the address contains a byte that must be escaped",
                cure: "percent-encode spaces, control characters, '#' and non-ASCII characters")
        }
        let pathBytes = bytes.prefix { $0 != UInt8(ascii: "?") }
        path = String(decoding: pathBytes, as: UTF8.self)
        query = try TargetQuery(bytes.dropFirst(pathBytes.count + 1))

        var parts =
            isServer
            ? []
            : pathBytes.dropFirst().split(
                separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        endsWithSlash = parts.count > 1 && parts.last?.isEmpty == true
        if parts.last?.isEmpty == true { parts.removeLast() }
        var segments: [Segment] = []
        segments.reserveCapacity(parts.count)
        for part in parts { segments.append(try Segment(part)) }
        self.segments = segments
    }
}

extension RequestTarget.Segment {
    /// Decodes what is between two slashes.
    fileprivate init(_ encoded: some Collection<UInt8>) throws(ProtocolError) {
        guard !encoded.isEmpty else {
            throw ProtocolError(
                .segmentEmpty, "the path has an empty segment", cure: "write one '/' between two names")
        }
        guard let bytes = PercentEncoding.decoded(encoded) else { throw .escape }
        guard !bytes.contains(where: { [0, UInt8(ascii: "/"), UInt8(ascii: "\\")].contains($0) }) else {
            throw ProtocolError(
                .targetByteForbidden, "a name in the path contains a slash, a backslash or NUL",
                cure: "write one '/' between two names, and none in a name")
        }
        guard bytes != [UInt8(ascii: ".")], bytes != Array("..".utf8) else {
            throw ProtocolError(
                .segmentDots, "the path has the segment '.' or '..'", cure: "write the path without it")
        }
        self.bytes = bytes
    }
}

extension ProtocolError {
    /// A `%` without its digits.
    static let escape = ProtocolError(
        .escapeMalformed, "a '%' in the address is not followed by two hexadecimal digits",
        cure: "write a percent sign itself as %25")
}
