internal import ServiceLifecycle
internal import TraceServer

/// The HTTP API as one service of the daemon's group: a fault of it does not end the others.
struct HTTPService: Service, CustomStringConvertible {
    let server: HTTPServer

    func run() async {
        await withGracefulShutdownHandler {
            await server.run()
        } onGracefulShutdown: {
            server.stop()
        }
    }

    /// Its name for the log.
    var description: String { "traced's HTTP API" }
}
