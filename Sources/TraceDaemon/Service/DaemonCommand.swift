package import ArgumentParser
internal import Dispatch
internal import Glibc
internal import Logging
internal import ServiceLifecycle
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary
internal import TraceServer
internal import TraceStore
internal import TraceText
internal import UnixSignals

/// `traced`: keeps the index and the queue of a home server's sessions, in the foreground.
package struct DaemonCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "traced",
        abstract:
            "Watch session directories, keep their index up to date, and drain the offline queue into them.",
        discussion: """
            Runs in the foreground and logs to standard error. SIGTERM and SIGINT stop it within a second; SIGHUP makes it \
            read the configuration again; if that is invalid, the previous one is kept.

            Exit statuses: 0 stopped on request; 64 usage; 74 input or output; 75 another traced is running; 78 configuration.
            """,
        version: Release.version)

    @Option(help: "The only configuration file to use.")
    var config: String?
    @Option(name: .customLong("root"), help: "A directory that contains sessions; may be repeated.")
    var roots: [String] = []
    @Option(help: "The directory of the index, the queue and its ledger.")
    var stateDirectory: String?
    @Option(
        help:
            "The least severe messages that are logged: trace, debug, info, notice, warning, error, critical."
    )
    var logLevel: String?
    @Option(help: "How the log is written: auto, text, json, journald.")
    var logFormat: String?

    package init() {}

    /// Parses the arguments, serves until it is stopped, and exits.
    package static func start() -> Never {
        // Until somebody takes it, a request to read the configuration again ends nothing: it has not been read yet.
        signal(SIGHUP, SIG_IGN)
        ProcessMemory.shareHeaps()
        ProgramStart.prepare(.daemon)
        Task { await runToEnd() }
        dispatchMain()
    }

    /// Does what the arguments ask for. What there is to say of them is written here, since the parser repeats them as they
    /// are.
    private static func runToEnd() async -> Never {
        do {
            var command = try parseAsRoot()
            if let daemon = command as? DaemonCommand {
                try await daemon.run()
            } else {
                try command.run()
            }
            Glibc.exit(EXIT_SUCCESS)
        } catch {
            let status = exitCode(for: error)
            let message = fullMessage(for: error)
            if !message.isEmpty {
                Console.write(message, to: status.isSuccess ? STDOUT_FILENO : STDERR_FILENO)
            }
            Glibc.exit(status.rawValue)
        }
    }

    package func run() async throws {
        do {
            // Before the configuration is read: no change of it is missed.
            let hangups = await UnixSignalsSequence(trapping: .sighup)
            try await serve(TraceSettings.load(flags: flags), hangups)
        } catch let error as ConfigurationError {
            throw Self.failure(error, 78)
        } catch let error as StoreError where error.code == .alreadyRunning {
            throw Self.failure(error, 75)
        } catch let error as ExitCode {
            throw error
        } catch {
            throw Self.failure(error, 74)
        }
    }

    private var flags: SettingsFlags {
        var flags = SettingsFlags(configFile: config.map { FilePath($0) })
        flags.set(TraceKeys.roots, by: "--root", to: roots)
        flags.set(TraceKeys.stateDirectory, by: "--state-directory", to: stateDirectory.map { [$0] } ?? [])
        flags.set(TraceKeys.logLevel, by: "--log-level", to: logLevel.map { [$0] } ?? [])
        flags.set(TraceKeys.logFormat, by: "--log-format", to: logFormat.map { [$0] } ?? [])
        return flags
    }

    private func serve(_ settings: TraceSettings, _ hangups: UnixSignalsSequence) async throws {
        let style = LogStyle(settings)
        let log = Logger(style)
        let instance = try InstanceLock(
            state: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory)
        let isStopping = StopFlag()
        Self.failInterruptedActions(settings, log)
        if Landlock.state != .available {
            log.warning(
                "ffmpeg can reach more than the recording that it reads; see 'trace doctor'",
                metadata: ["landlock": "\(Landlock.state.rawValue)"])
        }
        let notifier = ServiceNotifier()
        let metrics = Metrics()
        let health = HealthMonitor()
        let metricsSource = MetricsSource()
        let barriers = Barriers()
        let events = EventHub()
        let socket = Self.socket(settings, barriers, log)
        var host = ServerHost(
            isReady: {
                health.isReady && health.unhealthyReason(within: ReconcileService.answerLimit) == nil
            },
            metrics: { metricsSource.awaitText(showsPlaces: $0) }, watched: { barriers.wait() },
            events: events,
            noteListening: { names, problems in
                instance.announce { status in
                    status.listening = names
                    status.listenProblems = problems
                }
            })
        host.onPutBack = log.putBackReport
        let server = HTTPServer(settings, in: host, log: log)
        let reloader = ConfigurationReloader(
            settings, flags: flags, style: style, log: log, notifier: notifier, health: health,
            metrics: metrics, server: server)
        let service = ReconcileService(
            settings: settings, log: log, notifier: notifier, instance: instance, isStopping: isStopping,
            health: health, metrics: metrics, metricsSource: metricsSource, reloader: reloader,
            barriers: barriers, events: events, socket: socket, isAsked: { server.isListening },
            hangups: hangups)
        let group = ServiceGroup(
            configuration: .init(
                // The last one is stopped first: what writes for a client ends before the index does.
                services: [
                    .init(service: service, successTerminationBehavior: .gracefullyShutdownGroup),
                    .init(service: HTTPService(server: server), successTerminationBehavior: .ignore),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: log))
        try await group.run()
    }

    /// Where commands ask what they need not compare. Without it they compare everything.
    private static func socket(_ settings: TraceSettings, _ barriers: Barriers, _ log: Logger)
        -> BarrierSocket?
    {
        do throws(Errno) {
            try? OpenDirectory.make(settings.runtimeDirectory)
            guard
                let socket = DaemonSocket(
                    state: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory)
            else { throw .noSuchFileOrDirectory }
            return try BarrierSocket(socket, barriers)
        } catch {
            log.warning(
                "commands can't ask this daemon, and compare all sessions themselves: no socket in runtime_directory",
                metadata: ["path": "\(settings.runtimeDirectory.escaped)", "reason": "\(error)"])
            return nil
        }
    }

    /// Marks the runs of actions as failed that a crash has cut short.
    private static func failInterruptedActions(_ settings: TraceSettings, _ log: Logger) {
        for run in RunningAction.failInterrupted(
            in: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory)
        {
            if let problem = run.problem {
                log.warning(
                    "the interrupted run \(run.id) of an action could not be marked as failed", error: problem
                )
            } else {
                log.notice("the run \(run.id) of an action was interrupted and is marked as failed")
            }
        }
    }

    private static func failure(_ error: any Error, _ status: Int32) -> ExitCode {
        Console.write("error: \(error)")
        return ExitCode(status)
    }
}
