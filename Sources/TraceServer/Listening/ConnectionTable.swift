internal import Glibc
internal import NIOCore
internal import Synchronization

/// The open connections: how many there are of each client, and which of them are idle.
///
/// Source: docs/http.md#limits.
final class ConnectionTable: Sendable {
    /// How many one client may have; not asked of this machine's own and of trusted proxies, which speak for many.
    static let limitPerClient = 64

    private let state = Mutex(State())

    private struct State {
        var limit = 1024
        var trusted: Set<IPAddress> = []
        var open: [ObjectIdentifier: Connection] = [:]
        var clients = ClientCounts()
        var isClosing = false
        var refusedCount = 0
    }

    private struct Connection {
        let channel: any Channel
        let client: String
        let isEncrypted: Bool
        var isAnswering = false
        /// How many requests have begun to be answered, and how many have come to their end.
        var begunCount = 0
        var wholeCount = 0
    }

    /// Sets what counts from now on; connections that are open stay.
    func adopt(limit: Int, trustedProxies: [String]) {
        state.withLock { state in
            state.limit = limit
            state.trusted = Set(trustedProxies.compactMap { IPAddress($0) })
        }
    }

    /// How many connections are open, and how many were refused so far.
    var counts: (open: Int, refused: Int) {
        state.withLock { ($0.open.count, $0.refusedCount) }
    }

    /// Counts a new connection.
    ///
    /// - Parameter isEncrypted: Whether this server encrypts it.
    /// - Returns: False if there are too many; it is to be closed then.
    func add(_ channel: any Channel, isEncrypted: Bool) -> Bool {
        let address = channel.clientAddress
        // No address has no key; one on a Unix socket is of this machine.
        let client = address?.limitKey ?? ""
        return state.withLock { state in
            let mayHaveMany =
                address.map { $0.isLoopback || state.trusted.contains($0) } ?? true
            guard !state.isClosing, state.open.count < state.limit,
                state.clients.add(client, upTo: mayHaveMany ? .max : Self.limitPerClient)
            else {
                state.refusedCount += 1
                return false
            }
            state.open[ObjectIdentifier(channel)] = Connection(
                channel: channel, client: client, isEncrypted: isEncrypted)
            return true
        }
    }

    /// Forgets a connection that has ended.
    func remove(_ channel: any Channel) {
        state.withLock { state in
            guard let gone = state.open.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            state.clients.remove(gone.client)
        }
    }

    /// Whether this server encrypts a connection.
    func isEncrypted(_ channel: any Channel) -> Bool {
        state.withLock { $0.open[ObjectIdentifier(channel)]?.isEncrypted ?? false }
    }

    /// Notes whether a request of the connection is being answered.
    ///
    /// - Returns: False if the connection is to end with this answer.
    func note(_ channel: any Channel, isAnswering: Bool) -> Bool {
        state.withLock { state in
            state.open[ObjectIdentifier(channel)]?.isAnswering = isAnswering
            return !state.isClosing
        }
    }

    /// Notes that another request begins to be answered.
    ///
    /// - Returns: Which one of the connection it is, from 1.
    func beginRequest(_ channel: any Channel) -> Int {
        state.withLock { state in
            state.open[ObjectIdentifier(channel)]?.begunCount += 1
            return state.open[ObjectIdentifier(channel)]?.begunCount ?? 0
        }
    }

    /// Notes that a request has come to its end.
    func noteWhole(_ channel: any Channel) {
        state.withLock { $0.open[ObjectIdentifier(channel)]?.wholeCount += 1 }
    }

    /// Whether a request has come to its end: a body that is cut off by the end of the connection looks like one that is whole.
    func isWhole(_ channel: any Channel, request number: Int) -> Bool {
        state.withLock { state in
            guard number > 0, let connection = state.open[ObjectIdentifier(channel)] else { return false }
            return connection.wholeCount >= number
        }
    }

    /// Whether the server is about to stop.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Closes the connections on which nothing is being answered; the others end with their answer.
    func beginClosing() {
        let idle = state.withLock { state in
            state.isClosing = true
            return state.open.values.filter { !$0.isAnswering }.map(\.channel)
        }
        for channel in idle { channel.close(promise: nil) }
    }

    /// Closes what is left.
    func closeAll() {
        let channels = state.withLock { state in state.open.values.map(\.channel) }
        for channel in channels { channel.close(promise: nil) }
    }

    /// Ends a connection with all that was not sent: the kernel would go on offering it.
    func cut(_ channel: any Channel) {
        if let socket = channel as? any SocketOptionProvider {
            _ = socket.setSoLinger(linger(l_onoff: 1, l_linger: 0))
        }
        channel.close(promise: nil)
    }

    /// Whether none is open.
    var isEmpty: Bool { state.withLock { $0.open.isEmpty } }
}
