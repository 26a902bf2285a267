/// The cookie that holds the token of a browser.
///
/// Source: docs/access.md#pairing; RFC 6265bis, section 4.1.3.2.
package struct AccessCookie: Sendable, Hashable {
    /// Whether the connection is encrypted. Then the browser accepts a cookie with this name only from this host over an
    /// encrypted connection.
    let isSecure: Bool

    /// The cookie of a connection; behind a proxy, of the one that the browser has.
    package init(isSecure: Bool) { self.isSecure = isSecure }

    /// 400 days, the longest time that browsers keep a cookie.
    static let lifetimeSeconds: Int64 = 400 * 86400

    /// The name, which differs so that a cookie set over a plain connection is never used on an encrypted one.
    package var name: String { isSecure ? "__Host-trace" : "trace" }

    /// The value of `Set-Cookie` that stores a token in the browser, or renews it.
    ///
    /// - Returns: nil if the token is empty or has a byte that is not allowed in a cookie.
    package func setting(_ token: String) -> String? {
        guard !token.isEmpty, token.utf8.allSatisfy(Cookies.isValueByte) else { return nil }
        return text(token, maximumAge: Self.lifetimeSeconds)
    }

    /// The value of `Set-Cookie` that removes it from the browser.
    var forgetting: String { text("", maximumAge: 0) }

    private func text(_ token: String, maximumAge: Int64) -> String {
        "\(name)=\(token); Path=/; Max-Age=\(maximumAge); HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }
}
