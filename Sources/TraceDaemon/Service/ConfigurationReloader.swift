internal import Logging
internal import Synchronization
internal import TraceConfiguration
internal import TraceServer
internal import TraceText
internal import TraceWatch
internal import UnixSignals

/// Reloads the configuration on request (SIGHUP), and passes it on if it is valid.
final class ConfigurationReloader: Sendable {
    private let flags: SettingsFlags
    private let style: LogStyle
    private let log: Logger
    private let notifier: ServiceNotifier
    private let health: HealthMonitor
    private let metrics: Metrics
    private let server: HTTPServer
    private let state: Mutex<State>

    private struct State {
        var current: TraceSettings
        var next: TraceSettings?
        /// The watcher to stop so that the next settings take effect.
        var watcher: Watcher?
    }

    init(
        _ settings: TraceSettings, flags: SettingsFlags, style: LogStyle, log: Logger,
        notifier: ServiceNotifier, health: HealthMonitor, metrics: Metrics, server: HTTPServer
    ) {
        self.flags = flags
        self.style = style
        self.log = log
        self.notifier = notifier
        self.health = health
        self.metrics = metrics
        self.server = server
        state = Mutex(State(current: settings))
    }

    /// Serves requests until it is cancelled.
    func follow(_ requests: UnixSignalsSequence) async {
        for await _ in requests {
            notifier.reloading()
            let old = state.withLock { $0.current }
            do {
                let new = try TraceSettings.load(flags: flags).keepingDirectories(of: old, log)
                style.adopt(new)
                server.adopt(new)
                metrics.noteReload(isGood: true)
                log.notice("reloading the configuration")
                let watcher = state.withLock { state in
                    state.current = new
                    state.next = new
                    return state.watcher
                }
                watcher?.stop()
            } catch {
                metrics.noteReload(isGood: false)
                log.error("keeping the previous configuration", error: error)
                let status =
                    "keeping the previous configuration: \(ErrorReport(place: error.report.place, message: error.message).headline)"
                // Before the first scan is done, this must not be what says that it is.
                if health.isReady { notifier.ready(status: status) } else { notifier.status(status) }
            }
        }
    }

    /// Sets the watcher to stop for the next settings.
    ///
    /// - Returns: False if they are there already.
    func begin(with watcher: Watcher) -> Bool {
        state.withLock { state in
            guard state.next == nil else { return false }
            state.watcher = watcher
            return true
        }
    }

    /// Whether new settings are pending.
    var hasPending: Bool { state.withLock { $0.next != nil } }

    /// Takes the pending settings.
    func take() -> TraceSettings? {
        state.withLock { state in
            defer { state.next = nil }
            state.watcher = nil
            return state.next
        }
    }
}

extension TraceSettings {
    /// These settings, but with the directories that a running daemon can't leave.
    fileprivate func keepingDirectories(of old: TraceSettings, _ log: Logger) -> TraceSettings {
        guard stateDirectory != old.stateDirectory || runtimeDirectory != old.runtimeDirectory else {
            return self
        }
        log.warning("state_directory and runtime_directory take effect only when traced is restarted")
        return withDirectories(of: old)
    }
}
