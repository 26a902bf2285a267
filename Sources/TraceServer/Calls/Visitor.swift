internal import TraceAccess
internal import NIOCore
internal import SystemPackage
internal import TraceFiles
internal import TraceLibrary

/// The other end of a connection.
struct Peer: Sendable {
    /// Its address; nil on a Unix socket, and where the system does not tell.
    let address: IPAddress?
    /// Whether it came by a Unix socket: the system has looked whether it may, so it needs no token.
    let isLocal: Bool

    /// Whether its connection to this server is encrypted.
    let isSecure: Bool

    init(_ channel: any Channel, isSecure: Bool) {
        self.isSecure = isSecure
        if case .unixDomainSocket? = channel.localAddress { isLocal = true } else { isLocal = false }
        address = isLocal ? nil : channel.clientAddress
    }
}

extension Channel {
    /// The address of the other end; nil on a Unix socket. Addresses are compared as such and not as texts: a socket for both families
    /// has those of IPv4 in another form.
    var clientAddress: IPAddress? { remoteAddress.flatMap(\.ipAddress).flatMap { IPAddress($0) } }

    /// The address of this machine that the client has called; nil on a Unix socket.
    var calledAddress: IPAddress? { localAddress.flatMap(\.ipAddress).flatMap { IPAddress($0) } }
}

/// Who a request comes from, as far as the answer depends on it.
struct Visitor: Sendable {
    /// The token that let it in; nil where none was needed.
    let token: AccessToken?
    /// What it may do.
    let scope: AccessScope
    /// The client's address for logs and limits; `unix` by a Unix socket.
    let client: String
    /// Whether the client's own connection is encrypted.
    let isSecure: Bool

    /// Somebody of whom nothing was asked.
    static let anyone = Visitor(token: nil, scope: .read, client: "unknown", isSecure: false)

    /// Whose device it is.
    var person: String { token?.person ?? "local" }

    /// Whether it sees all sessions and may know places of this machine.
    var seesPlaces: Bool { scope == .admin && token?.filter == nil }

    /// The sessions that it may know of.
    func sessions(of roots: SessionRoots) -> SessionScope {
        SessionScope(roots: roots.paths, filter: token?.filter)
    }
}
