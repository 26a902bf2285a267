internal import Logging
internal import TraceStore

/// Reports to the service manager, and in the published status, that the daemon is healthy.
///
/// Source: sd_notify(3), "EXTEND_TIMEOUT_USEC=…" and "WATCHDOG=1".
struct WatchdogService {
    let notifier: ServiceNotifier
    let health: HealthMonitor
    let instance: InstanceLock
    let log: Logger

    /// How often the start timeout is extended, and by how much: many times what one step may take.
    private static let extensionInterval = Duration.seconds(5)
    private static let startExtension = Duration.seconds(60)

    /// Runs until it is cancelled.
    func run() async {
        await withTaskGroup { group in
            if notifier.isEnabled { group.addTask { await extendStartTimeout() } }
            if let timeout = notifier.watchdogTimeout { group.addTask { await watch(every: timeout / 2) } }
            await group.waitForAll()
        }
    }

    /// Extends the timeout as long as the first scan makes progress.
    private func extendStartTimeout() async {
        while !health.isReady, !Task.isCancelled {
            if health.isProgressing(within: Self.startExtension) {
                let scan = health.scan.map { "scanning: \($0.done) of \($0.total) sessions" }
                notifier.extendStart(by: Self.startExtension, status: scan ?? "starting")
            }
            try? await Task.sleep(for: Self.extensionInterval)
        }
    }

    /// Notifies the watchdog only after a successful self-check; a daemon that hangs is restarted.
    private func watch(every interval: Duration) async {
        var told: String?
        while (try? await Task.sleep(for: interval)) != nil {
            guard health.isReady else { continue }
            let unhealthyReason = health.unhealthyReason(within: interval)
            if unhealthyReason == nil { notifier.watchdog() }
            guard unhealthyReason != told else { continue }
            told = unhealthyReason
            if let unhealthyReason {
                log.error("self-check failed: \(unhealthyReason)")
                notifier.status("self-check failed: \(unhealthyReason)")
            } else {
                log.notice("self-check passed again")
                notifier.status("running again")
            }
            instance.announce { $0.unhealthyReason = unhealthyReason }
        }
    }
}
