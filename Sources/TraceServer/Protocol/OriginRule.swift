internal import HTTPTypes
internal import TraceText

/// Whether an unsafe request that is authorized by a cookie was sent by our own page (CSRF).
///
/// Source: docs/http.md#browsers; the Fetch metadata specification, section 2.3; RFC 6454, section 7.
struct OriginRule: Sendable {
    /// An origin: scheme, host, port.
    private struct Origin: Hashable {
        let scheme: String
        let host: HostPort.Host
        let port: UInt16

        /// `https://studio.local:8722`; neither `null` nor anything behind the port.
        init?(_ text: String) {
            let parts = text.split(separator: ":", maxSplits: 1)
            guard let scheme = parts.first, parts.count == 2, parts[1].hasPrefix("//") else { return nil }
            self.init(scheme: String(scheme), authority: String(parts[1].dropFirst(2)))
        }

        init?(scheme: String, authority: String) {
            self.scheme = scheme.asciiLowercased
            guard let named = HostPort(authority), self.scheme == "http" || self.scheme == "https" else {
                return nil
            }
            host = named.host
            port = named.port ?? (self.scheme == "http" ? 80 : 443)
        }
    }

    private let configured: Origin?

    /// - Parameter publicAddress: `http_public_url`, whose origin is always ours, since a proxy may change `Host`; nil if there is
    ///   none.
    init(publicAddress: String? = nil) {
        // Of an address, the origin is what is before the third slash.
        let parts = publicAddress?.split(separator: "/", omittingEmptySubsequences: false).prefix(3)
        configured = parts.flatMap { Origin($0.joined(separator: "/")) }
    }

    /// Methods that only read.
    ///
    /// Source: RFC 9110, section 9.2.1.
    private static func isSafe(_ method: HTTPRequest.Method) -> Bool {
        [.get, .head, .options, .trace].contains(method)
    }

    /// Checks the origin of a request.
    ///
    /// - Parameters:
    ///   - authorization: Only one from a cookie is checked: no other page can make a browser send `Authorization`.
    ///   - host: `Host`, accepted by ``HostRule``.
    ///   - isSecure: Whether the browser's connection is encrypted.
    /// - Throws: A ``ProtocolError`` with `.originForeign` (403).
    func check(
        _ method: HTTPRequest.Method, _ fields: HTTPFields, authorization: Authorization?, host: String,
        isSecure: Bool
    ) throws(ProtocolError) {
        guard !Self.isSafe(method), authorization?.isFromCookie == true,
            !isFromOurPage(fields, host, isSecure)
        else { return }
        throw ProtocolError(
            .originForeign, "the request was not sent by a page of this server",
            cure: "send it from the page, or with 'Authorization: Bearer TOKEN' instead of the cookie")
    }

    /// Checks that a browser which is about to get a cookie could write with it. A program that is no browser need not say where it is.
    ///
    /// - Throws: A ``ProtocolError`` with `.originForeign` (403).
    func checkPairing(_ fields: HTTPFields, host: String, isSecure: Bool) throws(ProtocolError) {
        let isBrowser =
            !fields.values(named: "sec-fetch-site").isEmpty
            || fields[values: .origin].contains { Origin($0) != nil }
        guard isBrowser, !isFromOurPage(fields, host, isSecure) else { return }
        throw ProtocolError(
            .originForeign, "the page was not loaded by a name of this server",
            cure: [
                "have the proxy pass on 'Host' and 'X-Forwarded-Proto'",
                "set \(setting: "http_public_url") to the address in the browser",
            ])
    }

    private func isFromOurPage(_ fields: HTTPFields, _ host: String, _ isSecure: Bool) -> Bool {
        let sites = fields.values(named: "sec-fetch-site")
        return sites.isEmpty ? isOurs(fields[values: .origin], host, isSecure) : sites == ["same-origin"]
    }

    /// Whether there is one origin, and it is that of the request or of the public address.
    private func isOurs(_ values: [String], _ host: String, _ isSecure: Bool) -> Bool {
        guard values.count == 1, let origin = values.first.flatMap({ Origin($0) }) else { return false }
        return origin == Origin(scheme: isSecure ? "https" : "http", authority: host) || origin == configured
    }
}
