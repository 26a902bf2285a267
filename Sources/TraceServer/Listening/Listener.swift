internal import Glibc
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypesHTTP1
internal import NIOPosix
internal import NIOSSL
internal import Synchronization
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles

/// One socket on which connections are accepted.
struct Listener: Sendable {
    typealias Connection = HTTP1Channel.Value

    /// Where it listens.
    enum Place: Hashable, Sendable {
        /// As the configuration says.
        case address(ListenAddress)
        /// As the service manager says.
        case inherited(InheritedSockets.Socket)
    }

    let place: Place
    /// What it is bound to, with the port that the system chose.
    let name: String
    private let channel: NIOAsyncChannel<Connection, Never>
    private let loops: any EventLoopGroup
    private let arrivals: Arrivals

    /// How a new connection is set up; shared by all listeners.
    struct Setup: Sendable {
        let http: HTTP1Channel
        let certificates: Certificates
        let table: ConnectionTable
        let limits: ConnectionLimits
        let log: Logger

        fileprivate func prepare(
            _ channel: any Channel, counting arrivals: Arrivals
        ) -> EventLoopFuture<Connection> {
            let encryption: NIOSSLContext?
            switch treatment(of: channel) {
            case .plain: encryption = nil
            case .encrypted(let context): encryption = context
            case .refused: return refuse(channel)
            }
            guard table.add(channel, isEncrypted: encryption != nil) else { return refuse(channel) }
            channel.closeFuture.whenComplete { _ in table.remove(channel) }
            do {
                let pulse = ConnectionPulse(limits, now: channel.eventLoop.now)
                try channel.pipeline.syncOperations.addHandler(SlowClientHandler(pulse))
                if let encryption {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: encryption))
                }
                let bound = NIOLoopBound(pulse, eventLoop: channel.eventLoop)
                return http.setup(channel: channel, logger: log).map { value in
                    // A value that nobody takes over would end the process: from here on nothing may fail.
                    arrivals.add()
                    // In front of what hands the messages over, behind what makes them.
                    let pipeline = channel.pipeline.syncOperations
                    do {
                        let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
                        try pipeline.addHandler(RequestFramingHandler(), position: .before(codec))
                        let decoder = try pipeline.handler(
                            type: ByteToMessageHandler<HTTPRequestDecoder>.self)
                        try pipeline.addHandler(HeadResponseHandler(), position: .after(decoder))
                        let last = try pipeline.handler(type: HTTPConnectionStateHandler.self)
                        try pipeline.addHandler(
                            ConnectionEndHandler(bound.value, table), position: .before(last))
                    } catch {
                        channel.close(promise: nil)
                    }
                    return value
                }
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }

        /// A socket in the file system is open to those alone whom the system has let in; nobody listens on its way.
        private func treatment(of channel: any Channel) -> Certificates.Treatment {
            if case .unixDomainSocket? = channel.localAddress { return .plain }
            return certificates.treatment
        }

        private func refuse(_ channel: any Channel) -> EventLoopFuture<Connection> {
            channel.close().flatMapThrowing { throw ChannelError.ioOnClosedChannel }
        }
    }

    /// Opens the socket.
    ///
    /// - Throws: ``ListenError``.
    init(_ place: Place, on loops: any EventLoopGroup, _ setup: Setup) async throws(ListenError) {
        self.place = place
        self.loops = loops
        let arrivals = Arrivals()
        self.arrivals = arrivals
        let bootstrap = ServerBootstrap(group: loops)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // What is read before somebody asks for it counts in no room of bodies: with all connections at once it must stay little.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 32 * 1024)
            )
            // A writer waits while the socket takes nothing, instead of queueing more.
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 1, high: 8 * 1024))
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        do {
            switch place {
            case .address(.network(let address, let port)):
                channel = try await bootstrap.bind(to: SocketAddress(ipAddress: address, port: Int(port))) {
                    setup.prepare($0, counting: arrivals)
                }
            case .address(.unix(let path)):
                channel = try await Self.bind(bootstrap, path, setup, arrivals)
            case .inherited(let socket):
                // The listener's end closes its descriptor; the one that was handed over stays for the next generation.
                let copy = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 64)
                guard copy >= 0 else { throw IOError(errnoCode: errno, reason: "fcntl") }
                channel = try await bootstrap.bind(copy) { setup.prepare($0, counting: arrivals) }
            }
        } catch {
            throw ListenError(place, error)
        }
        switch place {
        case .address(.unix), .inherited: name = place.text
        case .address:
            let bound = channel.channel.localAddress
            name =
                bound?.port.map {
                    ListenAddress.network(address: bound?.ipAddress ?? "", port: UInt16(clamping: $0)).text
                } ?? place.text
        }
    }

    /// Which mode the socket in the file system has: the owner and the group may write, as they may write sessions.
    private static let mode: mode_t = 0o660

    private static func bind(
        _ bootstrap: ServerBootstrap, _ path: FilePath, _ setup: Setup, _ arrivals: Arrivals
    ) async throws -> NIOAsyncChannel<Connection, Never> {
        try SocketFile.removeStale(path)
        let text = path.string
        let channel = try await bootstrap.bind(unixDomainSocketPath: text) {
            setup.prepare($0, counting: arrivals)
        }
        guard chmod(text, mode) == 0 else {
            let failure = IOError(errnoCode: errno, reason: "chmod")
            try? await channel.channel.close()
            throw failure
        }
        return channel
    }

    /// Accepts connections until ``close()``, and handles each.
    func serve(_ handle: @escaping @Sendable (Connection) async -> Void) async {
        await withDiscardingTaskGroup { group in
            // A connection that ends while it is set up ends nothing else.
            try? await channel.executeThenClose { connections in
                for try await connection in connections {
                    arrivals.remove()
                    group.addTask { await handle(connection) }
                }
            }
        }
    }

    /// How long connections may take that were accepted at the very end.
    private static let takeOverLimit = Duration.milliseconds(200)

    /// Accepts no further connection; those that are open stay.
    func close() async {
        // None of those that were accepted may be lost on its way to ``serve(_:)``: nothing more is accepted, what was
        // accepted is set up, and taken over.
        try? await channel.channel.setOption(.autoRead, value: false).get()
        for loop in loops.makeIterator() { try? await loop.submit {}.get() }
        let deadline = ContinuousClock.now + Self.takeOverLimit
        while !arrivals.areTaken, .now < deadline { try? await Task.sleep(for: .milliseconds(1)) }
        try? await channel.channel.close()
        if case .address(.unix(let path)) = place { try? SocketFile.remove(path) }
    }
}

extension Listener.Place {
    /// As the configuration or the service manager has it.
    var text: String {
        switch self {
        case .address(let address): address.text
        case .inherited(let socket): socket.name
        }
    }
}

/// How many connections were set up and have not been taken over yet.
final class Arrivals: Sendable {
    private let count = Atomic(0)

    var areTaken: Bool { count.load(ordering: .sequentiallyConsistent) == 0 }

    func add() { count.add(1, ordering: .sequentiallyConsistent) }

    func remove() { count.subtract(1, ordering: .sequentiallyConsistent) }
}
