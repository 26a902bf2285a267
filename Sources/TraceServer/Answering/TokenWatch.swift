internal import NIOCore
internal import RecordFormat
internal import Synchronization

/// Ends what is sent and received for long once its token no longer lets its holder in: each such token is looked at twice a second.
///
/// The connection is cut, and not the work on it: a client that takes or sends nothing would hold up any other end.
///
/// Source: docs/access.md#revoking.
final class TokenWatch: Sendable {
    private let timer: LoopTimer
    private let threads: ServerThreads
    private let connections: ConnectionTable
    private let isAlive: @Sendable (ULID) -> Bool
    private let state = Mutex(State())

    private struct State {
        var tokens: [ObjectIdentifier: (token: ULID, channel: any Channel)] = [:]
        var isScheduled = false
    }

    private static let interval = TimeAmount.milliseconds(500)

    /// - Parameter isAlive: Whether a token still lets its holder in; called on a thread that may block.
    init(
        _ loops: any EventLoopGroup, _ threads: ServerThreads, _ connections: ConnectionTable,
        _ isAlive: @escaping @Sendable (ULID) -> Bool
    ) {
        timer = LoopTimer(loops)
        self.threads = threads
        self.connections = connections
        self.isAlive = isAlive
    }

    /// Cuts the connection when the token ends.
    func bind(_ channel: any Channel, to token: ULID) {
        let isFirst = state.withLock { state in
            state.tokens[ObjectIdentifier(channel)] = (token, channel)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { schedule() }
    }

    /// Leaves the connection alone from now on.
    func release(_ channel: any Channel) {
        _ = state.withLock { $0.tokens.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Looks no more. To be called before the loops end; connections may still be bound and released.
    func stop() { timer.stop() }

    private func schedule() {
        timer.schedule(in: Self.interval) {
            self.threads.watch {
                self.look()
                let isNeeded = self.state.withLock { state in
                    state.isScheduled = !state.tokens.isEmpty
                    return state.isScheduled
                }
                if isNeeded { self.schedule() }
            }
        }
    }

    private func look() {
        let bound = state.withLock { Array($0.tokens.values) }
        let dead = Set(bound.map(\.token)).filter { !isAlive($0) }
        for (token, channel) in bound where dead.contains(token) { connections.cut(channel) }
    }
}
