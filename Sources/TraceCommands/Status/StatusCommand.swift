internal import ArgumentParser
internal import RecordFormat
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
            let settings = context.settings
            let status = StatusQuestion(
                database: settings.indexDatabase, staleAfter: settings.staleAfter,
                settleTime: settings.settleTime, isStateShared: settings.stateShared,
                temporaryDirectory: context.temporaryDirectory
            ).answer(of: context.libraryWriter, watched: context.watched)
            guard !global.json else { return Output.json(status.json(.commandLine)) }
            Output.lines(status.lines(in: try context.zone, now: Clock.now()))
        }
    }
}

extension StatusAnswer {
    /// How many forgotten sessions are named.
    fileprivate static let forgottenLimit = 3

    /// How many sessions are named whose clocks run or stand.
    fileprivate static let activeLimit = 3

    /// The sessions that are being recorded, each with its clock and its last marker.
    private func activeLines(now: Timestamp) -> [String] {
        let forgotten = Set(forgotten.map(\.session.path))
        return active.lazy.filter { !forgotten.contains($0.path) }.prefix(Self.activeLimit).map { session in
            let state = ActiveSessionState(session, now: now)
            let clock = state.offset.map { " at \($0.tenths)" } ?? ""
            let marker = state.lastMarker.map { marker in
                let label = marker.label.flatMap { $0.isEmpty ? nil : " \"\($0.oneLine)\"" } ?? ""
                return "last mark \(marker.offset.tenths)\(label)"
            }
            return (state.isPaused ? "paused:   " : "active:   ")
                + "\(session.shownName)\(clock), \(marker ?? "no mark yet")"
        }
    }

    /// - Parameter zone: The zone in which to show since when the daemon runs.
    fileprivate func lines(in zone: ZoneRules, now: Timestamp) -> [String] {
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
        if let daemon, !daemon.listening.isEmpty {
            lines.append("http:     listening on \(daemon.listening.joined(separator: ", "))")
        }
        lines += (daemon?.listenProblems ?? []).map { "http:     \($0.oneLine)" }
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
            let paused = pausedCount > 0 ? ", \(pausedCount) of them paused" : ""
            let past = isOutdated ? " (as the index last read them)" : ""
            lines.append("sessions: \(sessions.count), of which \(activeCount) active\(paused)\(past)")
            if !journals.isEmpty {
                let counts = journalCounts.map { "\($0.count) \($0.kind)" }
                lines.append("journals: \(counts.joined(separator: ", "))\(past)")
            }
            lines += activeLines(now: now)
            lines += forgotten.prefix(Self.forgottenLimit).map { session, state in
                "forgotten: \(session.shownName): nothing for \(state.ageText), and never closed ('\(session.closing)' ends it)"
            }
            if forgotten.count > Self.forgottenLimit {
                lines.append(
                    "forgotten: \(forgotten.count - Self.forgottenLimit) more ('trace sessions --status active')"
                )
            }
            let (errors, warnings) = (count(.error), count(.warning))
            let cure = errors + warnings > 0 ? " ('trace validate --all' shows them)" : ""
            lines.append(
                "problems: \(counted(errors, "error")), \(counted(warnings, "warning"))\(past)\(cure)")
        } else {
            let others = laggingJournalCounts
            let sessions = others.reduce(lagging) { $0 - $1.count }
            lines.append("sessions: \(sessions), none of them in the index")
            if !others.isEmpty {
                let counts = others.map { "\($0.count) \($0.kind)" }
                lines.append("journals: \(counts.joined(separator: ", ")), none of them in the index")
            }
        }
        lines += spools.map { "queue:    \($0.problem.map { "\($0)" } ?? $0.depth)" }
        if refused > 0 {
            lines.append("queue:    \(refused) refused, with the reason, in failed/ of the state directory")
        }
        if unplaced > 0 {
            lines.append(
                "unplaced: \(counted(unplaced, "moment")) whose session is not known ('trace unplaced list')")
        }
        if lost > 0 {
            lines.append(
                "lost:     another program has overwritten \(counted(lost, "record")) of yours ('trace restore' restores them)"
            )
        }
        if deleted > 0 {
            lines.append(
                "bin:      \(counted(deleted, "deleted session")) ('trace session restore' lists them)")
        }
        if let exposure { lines.append("state:    \(exposure)") }
        let noun = journals.isEmpty && laggingJournals.isEmpty ? "sessions" : "journals"
        let lag =
            lagging == 0
            ? "up to date" : "behind the files in \(lagging) of the \(noun); the next query reads them"
        lines.append("index:    \(indexProblem.map { "\($0)" } ?? "\(index.escaped): \(lag)")")
        return lines
    }
}

extension StatusAnswer.Queue {
    /// How much waits: `3 waiting in DIRECTORY, 1 of them for its audio`.
    fileprivate var depth: String {
        let audio = awaitingAudio
        let part = audio == 0 ? "" : ", \(audio) of them for \(audio == 1 ? "its" : "their") audio"
        return "\(waiting) waiting in \(path.escaped)\(part)"
    }
}
