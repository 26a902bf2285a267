internal import ArgumentParser
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// `trace status`
struct StatusCommand: SessionlessCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the state of the daemon, the roots, the queue and the index.")

    @OptionGroup var global: GlobalOptions

    func run() throws {
        try CommandFailure.explaining {
            let context = try CommandContext(global)
            let status = Status(context)
            guard !global.json else { return Output.json(status.json) }
            Output.lines(status.lines(in: try context.zone))
        }
    }
}

/// The current state of everything.
private struct Status {
    let daemon: DaemonStatus?
    let roots: [(path: FilePath, isOnline: Bool)]
    let queue: [(path: FilePath, waiting: Int, problem: String?)]
    let failed: Int
    /// How many records of the user's another program has overwritten.
    let lost: Int
    let index: FilePath
    let sessions: [IndexedSession]
    /// Those that nobody closed.
    let forgotten: [(session: IndexedSession, state: ForgottenSession)]
    let lagging: Int
    let indexProblem: String?

    init(_ context: CommandContext) {
        let settings = context.settings
        daemon = RunningDaemon.status(
            state: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory)
        roots = Self.lookAtRoots(settings)
        queue = context.queue.spools.map { spool in
            do { return (spool.path, try spool.files().count, nil) } catch {
                return (spool.path, 0, "\(error)")
            }
        }
        failed = (try? Spool(context.queue.failed).files().count) ?? 0
        lost =
            (try? context.libraryWriter.lostLines(settleTime: context.settings.settleTime).find().count)
            ?? 0
        index = settings.indexDatabase
        (sessions, lagging, indexProblem) = Self.askIndex(context)
        let now = Clock.now()
        forgotten = sessions.compactMap { session in
            session.forgotten(now: now, after: settings.staleAfter).map { (session, $0) }
        }
    }

    private static func lookAtRoots(_ settings: TraceSettings) -> [(path: FilePath, isOnline: Bool)] {
        let index = try? SessionIndex(readingAt: settings.indexDatabase, formats: Journals.all)
        return settings.roots.map { root in
            let state = try? index?.look(atRoot: root)
            return (root, state.map { $0 == .online } ?? ((try? OpenDirectory(root)) != nil))
        }
    }

    private static func askIndex(_ context: CommandContext) -> ([IndexedSession], Int, String?) {
        let found = context.settings.roots.flatMap { SessionFinder.sessions(in: $0) }
        do {
            let index = try SessionIndex(readingAt: context.settings.indexDatabase, formats: Journals.all)
            let known = try index.sessions().filter { $0.lies(in: context.settings.roots) }
            return (known, try index.outdated(among: found).count, nil)
        } catch {
            return ([], found.count, "\(error)")
        }
    }

    private var errors: Int { sessions.reduce(0) { $0 + ($1.findingCounts[.error] ?? 0) } }
    private var warnings: Int { sessions.reduce(0) { $0 + ($1.findingCounts[.warning] ?? 0) } }
    /// How many forgotten sessions are named.
    private static let forgottenLimit = 3
    private var paused: Int { sessions.count { $0.pausedAt != nil } }
    private var active: Int { sessions.count { $0.status == .active } }

    /// - Parameter zone: The zone in which to show since when the daemon runs.
    func lines(in zone: ZoneRules) -> [String] {
        let state =
            daemon.map { daemon in
                let since = daemon.since.map { ", since \(zone.secondText($0))" } ?? ""
                return
                    "running (process \(daemon.process)\(since))\(daemon.isReady ? "" : ", still scanning")"
            }
            ?? "not running"
        var lines = ["daemon:   \(state)"]
        if let unhealthyReason = daemon?.unhealthyReason {
            lines.append("health:   the self-check failed: \(unhealthyReason)")
        }
        if let daemon, daemon.polledCount > 0 {
            let what = daemon.polledCount == 1 ? "a directory is" : "\(daemon.polledCount) directories are"
            lines.append(
                "watching: \(what) not watched but polled\(daemon.problem.map { ": \($0.text)" } ?? "")")
        }
        for root in roots {
            let state = root.isOnline ? watching(root.path).map { " (\($0))" } ?? "" : " (offline)"
            lines.append("root:     \(root.path.escaped)\(state)")
        }
        if let daemon, let watched = daemon.roots, roots.contains(where: { daemon.ignores($0.path) }) {
            let others = watched.joined(separator: ", ")
            lines.append(
                "watching: the daemon has other roots: \(others) ('trace doctor' says how to fix that)")
        }
        if indexProblem == nil {
            let paused = paused > 0 ? ", \(paused) of them paused" : ""
            lines.append("sessions: \(sessions.count), of which \(active) active\(paused)")
            lines += forgotten.prefix(Self.forgottenLimit).map { session, state in
                "forgotten: \(session.shownName): nothing for \(state.ageText), and never closed ('\(session.closing)' ends it)"
            }
            if forgotten.count > Self.forgottenLimit {
                lines.append(
                    "forgotten: \(forgotten.count - Self.forgottenLimit) more ('trace sessions --status active')"
                )
            }
            let cure = errors + warnings > 0 ? " ('trace validate --all' shows them)" : ""
            lines.append("problems: \(counted(errors, "error")), \(counted(warnings, "warning"))\(cure)")
        } else {
            lines.append("sessions: \(lagging), none of them in the index")
        }
        lines += queue.map { "queue:    \($0.problem ?? "\($0.waiting) waiting in \($0.path.escaped)")" }
        if failed > 0 {
            lines.append("queue:    \(failed) refused, with the reason, in failed/ of the state directory")
        }
        if lost > 0 {
            lines.append(
                "lost:     another program has overwritten \(counted(lost, "record")) of yours ('trace restore' restores them)"
            )
        }
        let lag =
            lagging == 0
            ? "up to date" : "behind the files in \(lagging) of the sessions; the next query reads them"
        lines.append("index:    \(indexProblem ?? "\(index.escaped): \(lag)")")
        return lines
    }

    /// How a root is watched, as far as a daemon runs and tells.
    private func watching(_ root: FilePath) -> String? {
        guard let daemon else { return nil }
        if daemon.ignores(root) { return "not watched" }
        return daemon.root(watching: root).map { daemon.partial[$0] ?? "watched" }
    }

    var json: JSONText {
        .object { object in
            object.member(
                "daemon",
                daemon.map { daemon in
                    .object { object in
                        object.member("pid", JSONText(daemon.process))
                        object.member("ready", JSONText(daemon.isReady))
                        object.member("polled", JSONText(daemon.polledCount))
                        object.member("problem", daemon.problem.map { JSONText($0.text) })
                        object.member("since", daemon.since.map { JSONText($0) })
                        object.member("ailment", daemon.unhealthyReason.map { JSONText($0) })
                        object.member("roots", daemon.roots.map { .array($0.map { JSONText($0) }) })
                    }
                } ?? .null)
            object.member(
                "roots",
                .array(
                    roots.map { root in
                        .object { object in
                            object.member("path", JSONText(root.path.escaped))
                            object.member("online", JSONText(root.isOnline))
                            object.member("watching", watching(root.path).map { JSONText($0) })
                        }
                    }))
            object.member("sessions", JSONText(Int64(sessions.count)))
            object.member("active", JSONText(Int64(active)))
            object.member("paused", JSONText(Int64(paused)))
            object.member(
                "forgotten",
                .array(
                    forgotten.map { session, state in
                        .object { object in
                            object.session(at: session.path, session.id)
                            object.member("forgotten_since", JSONText(state.lastActivity))
                        }
                    }))
            object.member("errors", JSONText(Int64(errors)))
            object.member("warnings", JSONText(Int64(warnings)))
            object.member(
                "queue",
                .array(
                    queue.map { spool in
                        .object { object in
                            object.member("spool", JSONText(spool.path.escaped))
                            object.member("waiting", JSONText(Int64(spool.waiting)))
                            object.member("problem", spool.problem.map { JSONText($0) })
                        }
                    }))
            object.member("failed", JSONText(Int64(failed)))
            object.member("lost", JSONText(Int64(lost)))
            object.member(
                "index",
                .object { object in
                    object.member("path", JSONText(index.escaped))
                    object.member("lagging", JSONText(Int64(lagging)))
                    object.member("problem", indexProblem.map { JSONText($0) })
                })
        }
    }
}
