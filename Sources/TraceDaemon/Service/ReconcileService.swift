internal import Dispatch
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText
internal import TraceWatch
internal import UnixSignals

/// The life of the daemon: arm the watch, scan, announce readiness, follow events, and end on request; and the same once
/// more whenever the configuration changes.
struct ReconcileService: Service {
    let settings: TraceSettings
    let log: Logger
    let notifier: ServiceNotifier
    let instance: InstanceLock
    let isStopping: StopFlag
    let health: HealthMonitor
    let metrics: Metrics
    let metricsSource: MetricsSource
    let reloader: ConfigurationReloader
    let barriers: Barriers
    let events: EventHub
    /// Where commands ask; nil if it could not be opened.
    let socket: BarrierSocket?
    /// Whether others ask how the parts of the daemon are, and not only the service manager.
    let isAsked: @Sendable () -> Bool
    /// Requests to read the configuration again.
    let hangups: UnixSignalsSequence

    /// Within this the parts of a daemon that is ready have answered.
    static let answerLimit = Duration.seconds(20)
    /// How long an index that can't be opened is left alone.
    private static let retryPause = Duration.seconds(5)

    func run() async throws {
        // Not earlier: from here on it is withdrawn at the end.
        instance.announce { $0.watch(settings.roots) }
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await reloader.follow(hangups) }
                group.addTask {
                    await WatchdogService(notifier: notifier, health: health, instance: instance, log: log)
                        .run()
                }
                try await runGenerations()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            isStopping.set()
            notifier.stopping()
            // Running work of the index is rolled back.
            health.work.stop()
            exitIfBlocked()
        }
        withdraw()
        log.notice("stopped")
    }

    /// Takes back what tells other processes that a daemon runs.
    private func withdraw() {
        socket?.close()
        instance.withdraw()
    }

    /// How long running work may take to end after a stop was requested.
    private static let stopTimeout = DispatchTimeInterval.seconds(2)

    /// Ends the process even if something is still running: a file of terabytes that is searched, a network file system that
    /// does not answer. Nothing is lost by that, as every write and the index survive a kill at any point.
    private func exitIfBlocked() {
        DispatchQueue.global(qos: .userInitiated).asyncAfter(deadline: .now() + Self.stopTimeout) {
            withdraw()
            log.notice("stopped, though a file is still being read or written")
            // Not `exit`, which would take away what the other threads work with.
            _exit(EXIT_SUCCESS)
        }
    }

    /// One generation for each configuration.
    private func runGenerations() async throws {
        guard let reconciler = try await openIndex() else { return }
        let drainer = QueueDrainer(
            settings: settings, index: reconciler.index, requests: reconciler.requests,
            ledger: reconciler.ledger, log: log,
            isStopping: isStopping, health: health, metrics: metrics)
        var settings = settings
        while !isStopping.isSet {
            for spool in settings.spools { try? OpenDirectory.make(spool) }
            // Events that come during the first scan wait in the watcher, so nothing falls between the two.
            if let watcher = try await watch(settings) {
                await withGracefulShutdownHandler {
                    if reloader.begin(with: watcher) { await serve(watcher, reconciler, drainer, settings) }
                } onGracefulShutdown: {
                    watcher.stop()
                }
                watcher.stop()
                health.suspend(.watch)
            }
            guard let next = reloader.take() else { return }
            settings = next
            await reconciler.adopt(next)
            await drainer.adopt(next)
            events.noteAll()
        }
    }

    /// Whether the generation has ended: a stop was requested, or new settings are pending.
    private var isGenerationOver: Bool { isStopping.isSet || reloader.hasPending }

    /// Sets the watches.
    ///
    /// - Returns: Nil if the generation ended before all of them were set.
    private func watch(_ settings: TraceSettings) async throws -> Watcher? {
        do throws(WatchError) {
            return try await Watcher(roots: settings.roots + settings.spools) {
                health.noteProgress(.watch)
                return isGenerationOver
            }
        } catch {
            guard error.code == .cancelled else { throw error }
            return nil
        }
    }

    /// Opens the index; waits while its disk is full or otherwise out of order, for a service that ends and is started
    /// again and again helps nobody.
    ///
    /// - Returns: Nil if it was stopped.
    private func openIndex() async throws -> Reconciler? {
        try await cancelWhenGracefulShutdown {
            var told: String?
            while !Task.isCancelled {
                health.heartbeat()
                do {
                    return try Reconciler(
                        settings: settings, log: log, isGenerationOver: { isGenerationOver },
                        instance: instance,
                        health: health, metrics: metrics, requests: DrainRequests(), barriers: barriers,
                        events: events)
                } catch let error as IndexError where error.code == .interrupted {
                    return nil
                } catch let error as IndexError where [.diskFull, .io, .busy].contains(error.code) {
                    if told != "\(error)" { log.error("waiting for the index", error: error) }
                    told = "\(error)"
                    notifier.status("waiting for the index: \(error.message)")
                }
                try? await Task.sleep(for: Self.retryPause)
            }
            return nil
        }
    }

    private func serve(
        _ watcher: Watcher, _ reconciler: Reconciler, _ drainer: QueueDrainer, _ settings: TraceSettings
    ) async {
        await reconciler.reconcileAll()
        // Before anybody reads that the daemon is ready; a barrier waits in the watcher like any event.
        barriers.begin(isStill: { number, index in
            // The watcher does not see what happens to the index; the reconciler looks at it at the next barrier.
            watcher.isStill(since: number) && reconciler.index.isStill(index)
        }) { watcher.passBarrier($0) }
        defer { barriers.end() }
        if !isGenerationOver {
            let count = await reconciler.announceReady()
            health.expect(.watch)
            health.expect(.database)
            health.isReady = true
            notifier.ready(status: "watching \(counted(count, "journal"))")
            log.notice(
                "ready",
                metadata: [
                    "journals": "\(count)", "directories": "\(watcher.directoryCount)",
                    "roots": "\(settings.roots.map(\.escaped).joined(separator: ", "))",
                ])
        }
        metricsSource.set { showsPlaces in
            await reconciler.metricsText(
                release: Release.version, watchedCount: watcher.directoryCount, showsPlaces: showsPlaces)
        }
        defer { metricsSource.set(nil) }
        await withTaskGroup { group in
            group.addTask { await follow(watcher, reconciler) }
            group.addTask { await empty(drainer, reconciler) }
            let timeout = notifier.watchdogTimeout
            if timeout != nil || isAsked() {
                let interval = min(timeout ?? Self.answerLimit, Self.answerLimit) / 4
                group.addTask { await probe(every: interval, watcher, reconciler) }
            }
            if settings.metricsFile != nil {
                group.addTask { await writeMetrics(every: settings.metricsInterval, watcher, reconciler) }
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Asks the parts of the daemon whether they live; the self-check looks when they last did.
    private func probe(every interval: Duration, _ watcher: Watcher, _ reconciler: Reconciler) async {
        while (try? await Task.sleep(for: interval)) != nil {
            let health = health
            watcher.runOnThread { health.answered(.watch) }
            await reconciler.probe()
        }
    }

    private func writeMetrics(every interval: Duration, _ watcher: Watcher, _ reconciler: Reconciler) async {
        repeat {
            await reconciler.writeMetrics(
                release: Release.version, watchedCount: watcher.directoryCount)
        } while (try? await Task.sleep(for: interval)) != nil
    }

    /// Drains the queue whenever there is a reason to, until it is cancelled; what has begun is ended first.
    private func empty(_ drainer: QueueDrainer, _ reconciler: Reconciler) async {
        let requests = drainer.requests
        await withDiscardingTaskGroup { group in
            for await _ in requests.calls() {
                if let report = await drainer.drain() {
                    events.noteQueue()
                    let moment = await reconciler.note(report)
                    group.addTask { await runTimer(from: moment, reconciler) }
                }
                if let due = await drainer.askForCall() {
                    group.addTask { if (try? await Task.sleep(until: due)) != nil { requests.call() } }
                }
                // What is asked for meanwhile is one call after it.
                let rest = await drainer.rest
                if rest > .zero { try? await Task.sleep(for: rest) }
            }
            group.cancelAll()
        }
    }

    /// Handles events, and what is due without one, until the watcher stops.
    private func follow(_ watcher: Watcher, _ reconciler: Reconciler) async {
        await withTaskGroup { group in
            group.addTask { await runTimer(from: reconciler.start { watcher.verify() }, reconciler) }
            for await event in watcher {
                guard let moment = await reconciler.handle(event) else { continue }
                group.addTask { await runTimer(from: moment, reconciler) }
            }
            group.cancelAll()
        }
    }

    /// Comes back when something is due, until somebody else has been asked to come earlier.
    private func runTimer(from moment: ContinuousClock.Instant?, _ reconciler: Reconciler) async {
        var moment = moment
        while let due = moment, (try? await Task.sleep(until: due)) != nil {
            moment = await reconciler.tick(due: due)
        }
    }
}

extension ReconcileService: CustomStringConvertible {
    /// Its name for the log, which would else show all that it holds.
    var description: String { "traced" }
}
