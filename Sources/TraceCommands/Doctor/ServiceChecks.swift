internal import Glibc
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

/// Checks the index, the queue and the daemon.
enum ServiceChecks {
    static func all(_ context: CommandContext) -> [HealthCheck] {
        let home = getenv("HOME").map { FilePath(platformString: $0) }
        let units = UnitChecks.installed(home: home)
        return [
            index(context.settings), forgotten(context.settings), unread(context.settings),
            queue(context.queue), unplaced(context.libraryWriter),
            written(context), undos(context), bin(context),
            daemon(context.settings, units.first), confinement(context.settings),
            UnitChecks.check(units),
        ].compactMap(\.self)
    }

    private static func index(_ settings: TraceSettings) -> HealthCheck {
        let path = settings.indexDatabase
        do {
            let index = try JournalIndex(readingAt: path, formats: Journals.all)
            let count = try index.sessionCount()
            return HealthCheck(.ok, "index", "\(path.escaped): \(counted(count, "session"))")
        } catch let error as IndexError where error.code == .notFound {
            return HealthCheck(.ok, "index", "none yet; the first query creates it")
        } catch {
            return HealthCheck(.problem, "index", failure: error)
        }
    }

    /// What was deleted, and when the first of it is erased.
    private static func bin(_ context: CommandContext) -> HealthCheck? {
        let bin = context.libraryWriter.bin
        let items = bin.items()
        guard let first = items.last else { return nil }
        let bytes = items.reduce(0) { $0 + Bin.size(of: $1) }
        let size = bytes >= 10 << 30 ? "\(bytes >> 30) GiB" : "\(bytes >> 20) MiB"
        let what =
            "\(counted(items.count, "deleted session")), \(size), in \(first.path.containingDirectory.escaped)"
        let moment = first.deletedAt.adding(
            SessionOffset(milliseconds: context.settings.binAge.components.seconds * 1000))
        if moment < Clock.now(), bin.isKeptByClock() {
            return HealthCheck(
                .warning, "bin", "\(what); nothing is erased while the clock may be wrong",
                cure: "have the clock synchronized (timedatectl set-ntp true)")
        }
        return HealthCheck(.ok, "bin", "\(what); 'traced' erases the first one after \(moment)")
    }

    /// The sessions that nobody closed.
    private static func forgotten(_ settings: TraceSettings) -> HealthCheck? {
        var filter = SessionFilter()
        filter.roots = settings.roots
        filter.status = .active
        guard
            let sessions = try? JournalIndex(readingAt: settings.indexDatabase, formats: Journals.all)
                .sessions(filter, isCounted: false)
        else { return nil }
        let now = Clock.now()
        let forgotten = sessions.filter { $0.forgotten(now: now, after: settings.staleAfter) != nil }
        guard let first = forgotten.first, let age = first.forgotten(now: now, after: settings.staleAfter)
        else { return nil }
        let others = forgotten.count > 1 ? ", and \(forgotten.count - 1) more" : ""
        return HealthCheck(
            .warning, "session",
            "nothing has happened in \(first.shownName) for \(age.ageText), and it was never closed\(others)",
            cure: "'\(first.closing)' ends it at its last record")
    }

    /// Files that hold records under a name by which they are not read: what sync tools leave, and other case.
    private static func unread(_ settings: TraceSettings) -> HealthCheck? {
        let findings = try? JournalIndex(readingAt: settings.indexDatabase, formats: Journals.all)
            .findings(severity: .warning)
        let found = (findings ?? []).filter { [.recordFileName, .conflictCopy].contains($0.finding.rule) }
        guard let first = found.first else { return nil }
        let others = found.count > 1 ? ", and \(found.count - 1) more" : ""
        return HealthCheck(
            .warning, "session",
            "what is in \(first.session.escaped)/\(first.finding.place.file) is not read, for its name\(others)",
            cure: "'trace validate \(first.session.escaped.asShellWord)' says what to do about it")
    }

    /// The moments whose session is not known.
    private static func unplaced(_ library: LibraryWriter) -> HealthCheck? {
        let count = library.keptCount
        guard count > 0 else { return nil }
        return HealthCheck(
            .warning, "unplaced", "\(counted(count, "moment")) whose session is not known",
            cure:
                "'trace unplaced list' shows what is kept, and 'trace unplaced place' puts it into a session")
    }

    private static func queue(_ queue: QueueDirectories) -> HealthCheck {
        do {
            let depths = try queue.spools.map { try $0.depth() }
            let waiting = depths.reduce(0) { $0 + $1.count }
            let failed = try Spool(queue.failed).files().count
            let days =
                depths.compactMap(\.oldest).min().map { Clock.now().milliseconds(since: $0) / 86_400_000 }
                ?? 0
            let age = days > 0 ? ", the oldest for \(counted(Int(days), "day"))" : ""
            guard failed > 0 || days > 0 else { return HealthCheck(.ok, "queue", "\(waiting) waiting") }
            return HealthCheck(
                .warning, "queue", "\(waiting) waiting\(age)" + (failed > 0 ? ", \(failed) refused" : ""),
                cure: "see 'trace queue list --all', then 'trace queue retry ID' or 'trace queue drop ID'"
            )
        } catch {
            return HealthCheck(.problem, "queue", failure: error)
        }
    }

    /// What the user wrote and another program has overwritten.
    private static func written(_ context: CommandContext) -> HealthCheck? {
        do {
            let lost = try context.libraryWriter.missingLines(settleTime: context.settings.settleTime)
            let journals = context.libraryWriter.overwrittenJournals(settleTime: context.settings.settleTime)
            let places = Set(lost.map(\.session)).union(journals.map(\.path))
            guard let first = places.first else { return nil }
            let noun = journals.isEmpty ? "session" : "journal"
            let place = places.count == 1 ? first.escaped : counted(places.count, noun)
            let count = journals.reduce(lost.count) { $0 + $1.records.count }
            return HealthCheck(
                .warning, "written",
                "another program has overwritten \(counted(count, "record")) of yours in \(place)",
                cure: "see 'trace restore --dry-run'; 'trace restore' restores them")
        } catch {
            return HealthCheck(.warning, "written", failure: error)
        }
    }

    /// Undos that were cut short: a loss of what they are about is not told as long as they may have taken it back.
    private static func undos(_ context: CommandContext) -> HealthCheck? {
        guard let count = try? context.libraryWriter.undo.unfinishedCount(user: UInt32(geteuid())), count > 0
        else { return nil }
        return HealthCheck(
            .warning, "undo", "\(counted(count, "undo")) cut short before the end",
            cure:
                "'trace undo' takes back the rest of the last write; an undo that has taken back nothing then counts as not begun"
        )
    }

    // MARK: - Daemon

    private static func running(_ settings: TraceSettings) -> DaemonStatus? {
        RunningDaemon.status(state: settings.stateDirectory, runtimeDirectory: settings.runtimeDirectory)
    }

    /// Whether the daemon can confine ffmpeg, where it is not as it is with this process.
    private static func confinement(_ settings: TraceSettings) -> HealthCheck? {
        guard let state = running(settings)?.landlock, state != Landlock.state else { return nil }
        return ToolChecks.confinement(state, ofDaemon: true)
    }

    private static func daemon(_ settings: TraceSettings, _ unit: UnitChecks.Unit?) -> HealthCheck {
        if let daemon = running(settings) {
            if let unhealthyReason = daemon.unhealthyReason {
                return HealthCheck(
                    .problem, "daemon",
                    "running (process \(daemon.process)), but its self-check failed: \(unhealthyReason)",
                    cure: "systemctl restart traced; 'journalctl -u traced' shows more")
            }
            let state = daemon.isReady ? "running" : "still scanning"
            let ignored = settings.roots.filter(daemon.ignores).map(\.escaped)
            if !ignored.isEmpty {
                let watched = daemon.roots?.joined(separator: ", ") ?? ""
                return HealthCheck(
                    .warning, "daemon",
                    "\(state) (process \(daemon.process)), but it watches \(watched), not \(ignored.joined(separator: ", "))",
                    cure:
                        "give the daemon the same roots ('traced' reads /etc/trace/config.yaml and the configuration of its "
                        + "own user) and reload it, or remove the root from this user's configuration")
            }
            guard daemon.polledCount > 0 else {
                return HealthCheck(.ok, "daemon", "\(state) (process \(daemon.process))")
            }
            return HealthCheck(
                .warning, "daemon",
                "\(state), but \(daemon.polledCount) directories are polled: \(daemon.problem?.headline ?? "")",
                cure: daemon.problem?.hint)
        }
        guard let unit else {
            return HealthCheck(
                .warning, "daemon", "not running, and no systemd unit is installed",
                cure: "install the units (make install), or run 'traced' manually")
        }
        return HealthCheck(
            .warning, "daemon", "not running on this state directory; unit \(unit.file.escaped)",
            cure: "\(unit.control) enable --now traced; '\(unit.control) status traced' shows why it ended")
    }
}
