internal import Glibc
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import TraceConfiguration

/// The threads of the API, and what all its connections share.
final class ServerEngine: Sendable {
    private let loops: MultiThreadedEventLoopGroup
    private let threads: ServerThreads
    private let setup: Listener.Setup
    private let responder: Responder
    private let table: ConnectionTable
    private let certificates = Certificates()

    /// Starts the threads.
    init(_ host: ServerHost, _ table: ConnectionTable, log: Logger) {
        loops = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        threads = ServerThreads()
        self.table = table
        let responder = Responder(host, loops, threads, table, log)
        self.responder = responder
        var quiet = log
        // A client that goes is not worth a line.
        quiet.logLevel = .error
        setup = Listener.Setup(
            http: HTTP1Channel(
                responder: { request, writer, channel in
                    try await responder.respond(to: request, writer, channel)
                },
                configuration: .init(
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: ConnectionLimits.headerSize,
                        maxHeaderListSize: ConnectionLimits.headerSize,
                        maxHeaderFieldCount: ConnectionLimits.headerCount))),
            certificates: certificates, table: table, limits: ConnectionLimits(), log: quiet)
    }

    /// What counts from now on.
    func adopt(_ settings: TraceSettings) async {
        responder.adopt(settings)
        certificates.adopt(settings.httpTLS)
        _ = await refreshCertificates()
    }

    /// Looks whether certificate and key have changed.
    ///
    /// - Returns: Whether others are used now, or another problem is known.
    func refreshCertificates() async -> Bool {
        let certificates = certificates
        guard certificates.areWanted else { return false }
        return (try? await threads.run(.asking) { certificates.refresh(at: time(nil)) }) ?? false
    }

    /// Whether the caller is to look whether certificate and key change; nobody does so far.
    func beginCertificateWatch() -> Bool { certificates.beginWatch() }

    /// Whether there is still something to look at.
    var mustWatchCertificates: Bool { certificates.mustBeWatched() }

    /// What is wrong with certificate and key.
    var certificateProblem: Certificates.Unusable? { certificates.problem }

    /// The addresses by which it may be called.
    func noteListening(at names: [String]) { responder.noteListening(at: names) }

    /// - Throws: ``ListenError``.
    func listen(at place: Listener.Place) async throws(ListenError) -> Listener {
        try await Listener(place, on: loops, setup)
    }

    /// Serves the connections of a listener until it is closed.
    func serve(_ listener: Listener) async {
        let setup = setup
        await listener.serve { connection in await setup.http.handle(value: connection, logger: setup.log) }
    }

    /// Ends the connections, those that answer after some time, and the threads that may block.
    func end(within grace: Duration) async {
        table.beginClosing()
        let deadline = ContinuousClock.now + grace
        while !table.isEmpty, .now < deadline { try? await Task.sleep(for: .milliseconds(10)) }
        table.closeAll()
        responder.stop()
        threads.end()
    }

    /// Ends the threads of the connections. To be called after ``end(within:)``, once each ``serve(_:)`` has returned: a request that
    /// comes to its end after its connection was closed still uses them.
    func endLoops() { loops.shutdownGracefully { _ in } }
}
