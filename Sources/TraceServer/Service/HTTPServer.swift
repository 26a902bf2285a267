internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import NIOPosix
internal import Synchronization
package import TraceConfiguration
internal import TraceLibrary

/// The HTTP API: opens and closes its listeners as the settings say, and ends within a second.
///
/// While it listens nowhere it has no thread and no connection. What it can't open is reported, and tried again.
package final class HTTPServer: Sendable {
    private let host: ServerHost
    private let log: Logger
    private let orders: AsyncStream<Order>
    private let give: AsyncStream<Order>.Continuation
    private let table = ConnectionTable()
    private let isWanted: Atomic<Bool>
    private let hasEnded: AsyncStream<Never>
    private let end: AsyncStream<Never>.Continuation

    private enum Order: Sendable {
        case adopt(TraceSettings)
        case tryAgain
        /// The certificate is another one, or something is wrong with it that was not before.
        case noteCertificate
        case stop
    }

    /// - Parameter host: What the daemon does for it.
    package init(_ settings: TraceSettings, in host: ServerHost, log: Logger) {
        self.host = host
        self.log = log
        (orders, give) = AsyncStream.makeStream(of: Order.self, bufferingPolicy: .unbounded)
        (hasEnded, end) = AsyncStream.makeStream(of: Never.self)
        isWanted = Atomic(Self.isWanted(settings))
        give.yield(.adopt(settings))
    }

    /// Continues with other settings: opens what is new, closes what is gone, and leaves the rest with its connections.
    package func adopt(_ settings: TraceSettings) {
        isWanted.store(Self.isWanted(settings), ordering: .relaxed)
        give.yield(.adopt(settings))
    }

    /// Whether it listens anywhere, or is to.
    package var isListening: Bool { isWanted.load(ordering: .relaxed) }

    /// Begins to end; ``run()`` returns within a second, whatever is still under way: a write survives the end of the process, and
    /// a question is nobody's any more.
    package func stop() {
        give.yield(.stop)
        Task { [end] in
            try? await Task.sleep(for: Self.longestEnd)
            end.finish()
        }
    }

    /// How long answers may take that are under way when it ends.
    ///
    /// Source: docs/http.md#events.
    private static let grace = Duration.milliseconds(500)
    /// After this it has ended.
    private static let longestEnd = Duration.milliseconds(900)
    /// How long what can't be opened is left alone.
    private static let retryPause = Duration.seconds(5)

    /// Serves until ``stop()``.
    package func run() async {
        let serving = Task {
            await serve()
            end.finish()
        }
        for await _ in hasEnded {}
        serving.cancel()
    }

    private func serve() async {
        let ended = await withDiscardingTaskGroup { group -> ServerEngine? in
            var settings: TraceSettings?
            var engine: ServerEngine?
            var listeners: [Listener.Place: Listener] = [:]
            var told: [String: String] = [:]
            orders: for await order in orders {
                switch order {
                case .stop: break orders
                case .adopt(let new): settings = new
                case .tryAgain, .noteCertificate: break
                }
                guard let settings else { continue }
                let (wanted, refused) = Self.places(settings)
                // By place, so that the same is not said again at each attempt.
                var problems: [String: String] = [:]
                func report(_ error: ListenError, _ words: Logger.Message) {
                    problems[error.place] = "\(error)"
                    if told[error.place] != "\(error)" { log.error(words, error: error) }
                }
                for error in refused { report(error, "can't serve a socket that was handed over") }
                for (place, listener) in listeners where !wanted.contains(place) {
                    await listener.close()
                    listeners[place] = nil
                    log.notice("stopped listening", metadata: ["address": "\(listener.name)"])
                }
                guard !wanted.isEmpty || engine != nil else {
                    if problems != told { host.noteListening([], problems.values.sorted()) }
                    told = problems
                    continue
                }
                table.adopt(limit: settings.httpConnections, trustedProxies: settings.httpTrustedProxies)
                let running: ServerEngine
                if let engine {
                    running = engine
                } else {
                    running = ServerEngine(host, table, log: log)
                    engine = running
                }
                await running.adopt(settings)
                if let problem = running.certificateProblem {
                    report(ListenError(problem), "can't use the certificate as it is")
                } else if case .noteCertificate = order {
                    log.notice("using another certificate")
                }
                if !host.page.isInstalled { report(.pageMissing, "there is no web page") }
                if running.beginCertificateWatch() {
                    group.addTask { [give] in await Self.watchCertificate(of: running, give) }
                }
                var isLacking = false
                for place in wanted where listeners[place] == nil {
                    do throws(ListenError) {
                        let listener = try await running.listen(at: place)
                        listeners[place] = listener
                        log.notice("listening", metadata: ["address": "\(listener.name)"])
                        group.addTask { await running.serve(listener) }
                    } catch {
                        isLacking = true
                        report(error, "can't listen; trying again")
                    }
                }
                told = problems
                running.noteListening(at: listeners.values.map(\.name))
                host.noteListening(listeners.values.map(\.name).sorted(), told.values.sorted())
                if isLacking {
                    group.addTask { [give] in
                        if (try? await Task.sleep(for: Self.retryPause)) != nil { give.yield(.tryAgain) }
                    }
                }
            }
            for listener in listeners.values { await listener.close() }
            host.events.end()
            await engine?.end(within: Self.grace)
            group.cancelAll()
            return engine
        }
        // Where a connection does not come to its end, the loops stay until the process ends.
        ended?.endLoops()
    }

    /// How often it is looked whether the certificate has changed: two stat(2), which also see what a link leads to.
    private static let certificateInterval = Duration.seconds(1)

    /// Looks until nothing is to be encrypted any more.
    private static func watchCertificate(
        of engine: ServerEngine, _ give: AsyncStream<Order>.Continuation
    ) async {
        while (try? await Task.sleep(for: certificateInterval)) != nil, engine.mustWatchCertificates {
            if await engine.refreshCertificates() { give.yield(.noteCertificate) }
        }
    }

    private static func isWanted(_ settings: TraceSettings) -> Bool {
        !settings.httpListen.isEmpty || (try? InheritedSockets.take().isEmpty) == false
    }

    /// Where it is to listen, and what was handed over that it may not serve.
    private static func places(_ settings: TraceSettings) -> ([Listener.Place], [ListenError]) {
        let configured = settings.httpListen.map(Listener.Place.address)
        let sockets: [InheritedSockets.Socket]
        do throws(InheritedSockets.Unusable) { sockets = try InheritedSockets.take() } catch {
            return (configured, [ListenError(error)])
        }
        let allowed = sockets.filter { $0.isLocal || settings.httpTLS != nil || settings.httpPlainNetwork }
        let exposed = sockets.filter { !allowed.contains($0) }
        return (
            configured + allowed.map(Listener.Place.inherited), exposed.map(ListenError.init(exposed:))
        )
    }
}
