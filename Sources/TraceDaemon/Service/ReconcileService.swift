internal import Logging
internal import ServiceLifecycle
internal import SystemPackage
internal import TraceConfiguration
internal import TraceIndex
internal import TraceStore
internal import TraceWatch

/// The life of the daemon: arm the watch, scan, announce readiness, follow events, and end on request.
struct ReconcileService: Service {
    let settings: TraceSettings
    let log: Logger
    let notifier: ServiceNotifier
    let instance: InstanceLock
    let isStopping: StopFlag

    /// How long an index that can't be opened is left alone.
    private static let retryPause = Duration.seconds(5)

    func run() async throws {
        guard let reconciler = try await openIndex() else { return }
        // Events that come during the first scan wait in the watcher, so nothing falls between the two.
        let watcher = try await Watcher(roots: settings.roots + settings.spools)
        await withGracefulShutdownHandler {
            await serve(watcher, reconciler)
        } onGracefulShutdown: {
            isStopping.set()
            notifier.stopping()
            watcher.stop()
        }
        watcher.stop()
        log.notice("stopped")
    }

    /// Opens the index; waits while its disk is full or otherwise out of order, for a service that ends and is started
    /// again and again helps nobody.
    ///
    /// - Returns: Nil when it was told to stop.
    private func openIndex() async throws -> Reconciler? {
        try await cancelWhenGracefulShutdown {
            var told: String?
            while !Task.isCancelled {
                do {
                    return try Reconciler(
                        settings: settings, log: log, isStopping: isStopping, instance: instance)
                } catch let error as IndexError where [.diskFull, .io, .busy].contains(error.code) {
                    if told != "\(error)" { log.error("waiting for the index: \(error)") }
                    told = "\(error)"
                    notifier.status("waiting for the index: \(error.message)")
                }
                try? await Task.sleep(for: Self.retryPause)
            }
            return nil
        }
    }

    private func serve(_ watcher: Watcher, _ reconciler: Reconciler) async {
        await reconciler.reconcileAll()
        if !isStopping.isSet {
            let count = await reconciler.announceReady()
            notifier.ready(status: "watching \(count) sessions")
            log.notice(
                "ready", metadata: ["sessions": "\(count)", "directories": "\(watcher.directoryCount)"])
        }
        await follow(watcher, reconciler)
    }

    /// Handles events, and what is due without one, until the watcher stops.
    private func follow(_ watcher: Watcher, _ reconciler: Reconciler) async {
        await withTaskGroup { group in
            group.addTask { await keepTime(from: reconciler.start { watcher.verify() }, reconciler) }
            for await event in watcher {
                guard let moment = await reconciler.handle(event) else { continue }
                group.addTask { await keepTime(from: moment, reconciler) }
            }
            group.cancelAll()
        }
    }

    /// Comes back when something is due, until somebody else has been asked to come earlier.
    private func keepTime(from moment: ContinuousClock.Instant?, _ reconciler: Reconciler) async {
        var moment = moment
        while let due = moment, (try? await Task.sleep(until: due)) != nil {
            moment = await reconciler.tick(due: due)
        }
    }
}
