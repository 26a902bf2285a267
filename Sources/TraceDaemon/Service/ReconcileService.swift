internal import Logging
internal import ServiceLifecycle
internal import SystemPackage
internal import TraceConfiguration
internal import TraceStore
internal import TraceWatch

/// The life of the daemon: arm the watch, scan, announce readiness, follow events, and end on request.
struct ReconcileService: Service {
    let settings: TraceSettings
    let log: Logger
    let notifier: ServiceNotifier
    let instance: InstanceLock
    let isStopping: StopFlag
    let reconciler: Reconciler

    /// How often directories that inotify can't serve are looked at.
    private static let pollInterval = Duration.seconds(5)

    func run() async throws {
        // Events that come during the first scan wait in the watcher, so nothing falls between the two.
        let watcher = try await Watcher(roots: settings.roots + settings.spools)
        await withGracefulShutdownHandler {
            await serve(watcher)
        } onGracefulShutdown: {
            isStopping.set()
            notifier.stopping()
            watcher.stop()
        }
        watcher.stop()
        log.notice("stopped")
    }

    private func serve(_ watcher: Watcher) async {
        await reconciler.reconcileAll()
        let count = await reconciler.sessionCount
        if !isStopping.isSet {
            try? instance.announce(isReady: true)
            notifier.ready(status: "watching \(count) sessions")
            log.notice(
                "ready", metadata: ["sessions": "\(count)", "directories": "\(watcher.directoryCount)"])
        }
        await withTaskGroup { group in
            group.addTask { await follow(watcher) }
            group.addTask {
                await scan(every: settings.reconcileInterval) {
                    await reconciler.reconcileAll(); watcher.verify()
                }
            }
            group.addTask { await scan(every: Self.pollInterval) { await tick(after: reconciler.poll()) } }
            await group.next()
            group.cancelAll()
        }
    }

    /// Handles events until the watcher stops.
    private func follow(_ watcher: Watcher) async {
        await withTaskGroup { group in
            for await event in watcher {
                guard let delay = await reconciler.handle(event) else { continue }
                group.addTask { await tick(after: delay) }
            }
            group.cancelAll()
        }
    }

    /// Comes back when something is due, as long as something is.
    private func tick(after delay: Duration?) async {
        var delay = delay
        while let wait = delay, (try? await Task.sleep(for: wait)) != nil { delay = await reconciler.tick() }
    }

    private func scan(every interval: Duration, _ body: () async -> Void) async {
        while (try? await Task.sleep(for: interval)) != nil { await body() }
    }
}
