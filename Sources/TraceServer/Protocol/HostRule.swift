internal import HTTPTypes
internal import TraceText

/// The names by which the server may be called (`Host`).
///
/// Against DNS rebinding: another site can point a name that it owns to 127.0.0.1, and the browser then treats this server's
/// answers as that site's own. The name in `Host` reveals it.
///
/// Any port is accepted: it says nothing about who asks, and a proxy has a different one. A name with a dot at its end
/// (`localhost.`) is not one of ours: to a browser it is a different site, and it has no use.
///
/// Source: docs/http.md#browsers; RFC 9110, section 7.2; RFC 9112, section 3.2.
struct HostRule: Sendable {
    private let hosts: Set<HostPort.Host>

    /// A rule that knows `localhost`, 127.0.0.1 and `::1`, and besides:
    /// - Parameters:
    ///   - addresses: Addresses at which it listens. `0.0.0.0` and `::` are ignored: nobody calls a server by them.
    ///   - hostName: The name of the machine, which on the local network is also its first part with `.local` (RFC 6762).
    ///   - configured: `http_hosts`: names or addresses; a port is ignored, and so is what ``isHost(_:)`` refuses.
    init(addresses: [IPAddress], hostName: String?, configured: [String]) {
        var hosts: Set<HostPort.Host> = [.name("localhost")]
        let loopback = ["127.0.0.1", "::1"].compactMap { IPAddress($0) }
        for address in loopback + addresses where !address.isUnspecified { hosts.insert(.address(address)) }
        if case .name(let name)? = hostName.flatMap({ HostPort($0) })?.host {
            hosts.insert(.name(name))
            if name != "localhost", let label = name.split(separator: ".").first {
                hosts.insert(.name("\(label).local"))
            }
        }
        for host in configured.compactMap({ HostPort($0)?.host }) { hosts.insert(host) }
        self.hosts = hosts
    }

    /// Whether a value of `http_hosts` is a name or an address (of IPv6, in brackets).
    package static func isHost(_ text: String) -> Bool { HostPort(text) != nil }

    /// Checks the name by which a request calls the server.
    ///
    /// - Parameters:
    ///   - values: All lines of `Host`, as they were received.
    ///   - address: The address at which the connection arrived: it is one of the server's, however the server listens. Another site can
    ///     have its name lead there, but not have a browser call that name by the address.
    /// - Throws: A ``ProtocolError``: `.hostMalformed` (400) without a name or with several, `.hostUnknown` (421).
    func check(
        _ values: [String], calledAt address: IPAddress? = nil
    ) throws(ProtocolError) {
        guard values.count == 1, let value = values.first else {
            throw ProtocolError(
                .hostMalformed,
                values.isEmpty ? "'Host' is missing" : "'Host' is given \(values.count) times",
                cure: "send one 'Host'")
        }
        guard let host = HostPort(value)?.host else {
            throw ProtocolError(
                .hostMalformed, "'Host' is not a name or an address",
                cure: "send the name and the port of the address, such as localhost:8722")
        }
        if case .address(let called) = host, called == address { return }
        guard hosts.contains(host) else {
            throw ProtocolError(
                .hostUnknown, "this server is not known by that name",
                cure: "use the name or address of its machine, or add the name to http_hosts")
        }
    }

    /// All lines of `Host` of a request whose first one was taken out as its authority.
    static func values(of request: HTTPRequest) -> [String] {
        (request.authority.map { [$0] } ?? []) + request.headerFields.values(named: "host")
    }
}
