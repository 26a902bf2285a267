internal import Logging
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// The emptying of the spools.
extension Reconciler {
    /// Writes what waits into the sessions.
    func drain() {
        spoolsAreDirty = false
        guard !isRoundOver() else { return }
        let drain = drain(locate: locating)
        do {
            // One that has begun goes on when other settings come: what it has written is told as written.
            let outcomes = try drain.run {
                beat()
                return isStopping.isSet
            }
            for outcome in outcomes {
                report(outcome.id, outcome.result, outcome.session)
                if case .applied = outcome.result, let session = outcome.session { applied.insert(session) }
            }
            for session in Set(outcomes.compactMap(\.session)) { reconcile(session: session) }
        } catch {
            log.error("could not drain the queue: \(error)")
        }
    }

    /// Updates each `session.json` that commands could not update when they wrote: it may be whole by now.
    func bringHeadersUpToDate() { drain(locate: locating).bringHeadersUpToDate() }

    /// The directories of the sessions that bear an id, as the index knows them.
    private var locating: (ULID) -> [FilePath] {
        let (index, roots) = (index, settings.roots)
        return { id in
            let known = (try? index.sessions(withIDPrefix: id.description)) ?? []
            return known.filter(\.isOnline).map(\.path).filter { path in
                roots.contains { path.lies(in: $0) } && (try? SessionNames.isSession(path)) == true
            }
        }
    }

    /// Removes what the queue has kept long enough.
    func removeOutdatedEntries() {
        guard !isRoundOver() else { return }
        attempt("remove what the queue has kept long enough", settings.stateDirectory) {
            let removed = try drain { _ in [] }.removeOutdated(retention: settings.queueRetention)
            guard !removed.isEmpty else { return }
            log.info("removed what the queue has kept long enough", metadata: ["files": "\(removed.count)"])
        }
    }

    /// Tells of records that the queue wrote and that another copy of their file has taken away. It does not guess
    /// whether they are to come back.
    func reportVanished(from session: FilePath) throws {
        guard let id = try index.session(at: session)?.id else { return }
        let gone = Set(try drain { _ in [session] }.vanished(from: id, at: session))
        for entry in gone.subtracting(vanished[session] ?? []).sorted() {
            report(entry, .recordVanished, session)
        }
        vanished[session] = gone.isEmpty ? nil : gone
    }

    private func drain(locate: @escaping (ULID) -> [FilePath]) -> Drain {
        Drain(QueueDirectories(settings), runtimeDirectory: settings.runtimeDirectory, locate: locate)
    }

    private func report(_ entry: ULID, _ result: DrainOutcome.Result, _ session: FilePath?) {
        let level: Logger.Level =
            switch result {
            case .applied: .info
            case .alreadyApplied, .removed, .dropped, .waiting: .debug
            case .recordVanished, .conflict, .rejected: .warning
            case .failed: .error
            }
        var metadata: Logger.Metadata = ["entry": "\(entry)", "result": "\(result.name)"]
        if let session { metadata["session"] = "\(session.escaped)" }
        if let reason = result.reason { metadata["reason"] = "\(reason)" }
        metrics.note(result)
        log.log(level: level, "queue entry", metadata: metadata)
    }
}

extension QueueDirectories {
    /// The queue that the settings name.
    init(_ settings: TraceSettings) {
        self.init(state: settings.stateDirectory, spools: Array(settings.spools.dropFirst()))
    }
}
