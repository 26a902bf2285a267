internal import HTTPTypes

/// Who is at the other end of a request that came through proxies.
///
/// Any client can send `X-Forwarded-For`. Each proxy appends the address it saw, so the list is read from the right, for as long as
/// the addresses are those of trusted proxies.
struct Forwarded: Sendable, Hashable {
    /// The last address that is not one of a trusted proxy; nil if the peer has none, as on a unix socket.
    let client: IPAddress?
    /// Whether the client's connection is encrypted.
    let isSecure: Bool

    /// - Parameters:
    ///   - peer: The address at the other end of the connection; nil on a unix socket, which is never a trusted proxy.
    ///   - isSecure: Whether that connection is encrypted.
    ///   - proxies: `http_trusted_proxies`. The fields of any other peer are ignored.
    init(peer: IPAddress?, isSecure: Bool, _ fields: HTTPFields, trusting proxies: Set<IPAddress>) {
        guard let peer, proxies.contains(peer) else {
            client = peer
            self.isSecure = isSecure
            return
        }
        var client = peer
        let chain = fields.values(named: "x-forwarded-for").flatMap { $0.split(separator: ",") }
        for element in chain.reversed() {
            // No trusted proxy writes what can't be parsed.
            guard let address = Self.address(element) else { break }
            client = address
            guard proxies.contains(address) else { break }
        }
        self.client = client
        // The last one is from the nearest proxy.
        let last = fields.values(named: "x-forwarded-proto").last?.split(separator: ",").last
        self.isSecure = last.map { Self.trimmed($0).asciiLowercased == "https" } ?? isSecure
    }

    /// Whose request it is, for limits of what comes at the same time.
    ///
    /// This machine's own programs have none, but what they send for others counts for each of these: a proxy on this machine that was not
    /// named as trusted appends the address that it saw, too.
    ///
    /// - Parameters:
    ///   - client: As the access log has it.
    ///   - peer: The address at the other end of the connection; nil on a unix socket.
    /// - Returns: Nil for a program of this machine.
    static func sender(_ client: String, _ peer: IPAddress?, _ fields: HTTPFields) -> String? {
        guard peer?.isLoopback ?? true, peer.map({ client == "\($0)" }) ?? true else { return client }
        let last = fields.values(named: "x-forwarded-for").last?.split(separator: ",").last
        return last.flatMap { address($0) }.map { "\($0)" }
    }

    /// `10.0.0.7`, `10.0.0.7:4711`, `2001:db8::1` or `[2001:db8::1]:4711`.
    private static func address(_ element: Substring) -> IPAddress? {
        let text = trimmed(element)
        if let address = IPAddress(text) { return address }
        guard case .address(let address)? = HostPort(String(text))?.host else { return nil }
        return address
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
