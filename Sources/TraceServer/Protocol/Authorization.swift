package import HTTPTypes
internal import TraceText

/// The token that a request presents.
package struct Authorization: Sendable, Hashable {
    /// The token as it was sent; whether it is one of ours is not known yet.
    package let token: String
    /// Whether a browser added it by itself, so that ``OriginRule`` must be asked.
    package let isFromCookie: Bool

    /// The greatest length of a token, in bytes.
    private static let lengthLimit = 1024

    /// The schemes by which a browser answers a proxy that asks for a password, with every request from then on.
    ///
    /// Source: RFC 7617, section 2.2; RFC 7616, section 3.6; RFC 4559, section 4.2.
    private static let schemesOfProxies: Set<String> = ["basic", "digest", "negotiate", "ntlm"]

    /// Finds it in `Authorization` or, without that field, in the cookie. The field wins even if it is malformed: a client that
    /// sends it does not mean the cookie. A password for a proxy is not meant for this server, and counts as no field.
    ///
    /// - Returns: nil if there is neither.
    /// - Throws: A ``ProtocolError`` with `.credentialMalformed`: several fields or cookies, or one that holds no token.
    package static func presented(
        in fields: HTTPFields, cookie: AccessCookie
    ) throws(ProtocolError) -> Authorization? {
        if let token = try fieldToken(in: fields) { return Authorization(token: token, isFromCookie: false) }
        switch Cookies(fields[values: .cookie]).lookup(cookie.name) {
        case .absent: return nil
        case .value(let token) where !token.isEmpty && token.utf8.count <= lengthLimit:
            return Authorization(token: token, isFromCookie: true)
        case .value, .malformed:
            throw ProtocolError(
                .credentialMalformed, "the cookie '\(cookie.name)' does not contain a token",
                cure: "pair this browser again")
        case .ambiguous:
            throw ProtocolError(
                .credentialMalformed, "there are several cookies named '\(cookie.name)'",
                cure: "delete the cookies of this site in the browser, and pair it again")
        }
    }

    /// The token in `Authorization`.
    ///
    /// - Returns: nil without the field, and for a password that a browser sends for a proxy.
    /// - Throws: A ``ProtocolError`` with `.credentialMalformed`: a cookie beside that field would not count.
    static func fieldToken(in fields: HTTPFields) throws(ProtocolError) -> String? {
        let values = fields[values: .authorization]
        guard let value = values.first else { return nil }
        if values.count == 1 {
            if let token = bearerToken(value) { return token }
            if isForProxy(value) { return nil }
        }
        throw ProtocolError(
            .credentialMalformed, "'Authorization' does not contain exactly one token",
            cure: "send 'Authorization: Bearer TOKEN', once")
    }

    private static func isForProxy(_ value: String) -> Bool {
        var scanner = FieldScanner(value)
        scanner.skipSpace()
        return scanner.token().map { schemesOfProxies.contains($0.asciiLowercased) } ?? false
    }

    /// The token of `Bearer TOKEN`, of which the scheme ignores case.
    ///
    /// - Returns: nil for another scheme, and for anything but one token behind it.
    /// - Source: RFC 6750, section 2.1; RFC 9110, sections 11.1 and 11.4.
    static func bearerToken(_ value: String) -> String? {
        guard value.utf8.count <= lengthLimit else { return nil }
        var scanner = FieldScanner(value)
        scanner.skipSpace()
        guard scanner.token()?.asciiLowercased == "bearer", scanner.peek == UInt8(ascii: " ") else {
            return nil
        }
        _ = scanner.bytes { $0 == UInt8(ascii: " ") }
        let token = scanner.bytes { $0.isASCIIAlphanumeric || "-._~+/".utf8.contains($0) }
        let padding = scanner.bytes { $0 == UInt8(ascii: "=") }
        scanner.skipSpace()
        guard !token.isEmpty, scanner.isAtEnd else { return nil }
        return String(decoding: token + padding, as: UTF8.self)
    }
}
