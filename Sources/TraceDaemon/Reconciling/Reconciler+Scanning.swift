internal import Logging
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceStore

/// The scanning of everything: the truth, of which events are hints.
extension Reconciler {
    /// Looks at everything below the roots, then at the spools.
    func reconcileAll() {
        let start = ContinuousClock.now
        defer { lastScan = .now }
        indexIsNew = false
        for root in settings.roots where !isRoundOver() { reconcile(root: root) }
        pulse.scan = nil
        requests.askForAll()
        releaseMemory()
        // A scan that was left is none.
        guard !isRoundOver() else { return }
        metrics.noteScan(took: start.duration(to: .now))
        log.debug(
            "reconciled", metadata: ["sessions": "\(sessions.count)", "took": "\(start.milliseconds)ms"])
    }

    func reconcile(root: FilePath) {
        var state: IndexedRoot.State?
        attempt("look for the root", root) { state = try index.visit(root: root) }
        if state == .offline { return tellOffline(root) }
        if state != nil, offline.remove(root) != nil {
            log.notice("root is back", metadata: ["root": "\(root.escaped)"])
            requests.ask()
        }
        var unreadable: [FileError] = []
        let search = SessionFinder.sessions(in: root, shouldStop: endsSearch) { unreadable.append($0) }
        guard let found = search else { return }
        tell(unreadable, in: root)
        reconcile(sessions: found, in: root)
        // What lies below a directory that can't be read now is not gone.
        guard unreadable.isEmpty, !isRoundOver() else { return }
        let kept = Set(found)
        attempt("forget sessions that are gone", root) { _ = try index.retain(sessions: kept, in: root) }
        sessions = sessions.filter { kept.contains($0) || !$0.lies(in: root) }
    }

    private func tell(_ errors: [FileError], in root: FilePath) {
        let problems = errors.map { error in
            OngoingProblems.Problem(
                reason: error.code.rawValue, message: "\(error.message)",
                metadata: ["path": "\(error.path?.escaped ?? "")"], level: .warning)
        }
        unreadable[root, default: OngoingProblems(recovery: "can be read again")].update(
            Dictionary(grouping: problems) { $0.metadata["path"]?.description ?? "" }, log)
    }

    /// Looks at many sessions: those that are as the index knows them, and at rest, cost a few `stat` each.
    private func reconcile(sessions found: [FilePath], in root: FilePath) {
        var next = 0
        while next < found.count, !isRoundOver() {
            pulse.scan = Pulse.Scan(done: next, total: found.count)
            pulse.beat()
            let part = Array(found[next...].prefix(Self.partSize))
            next += part.count
            var changed = part
            attempt("compare with the files", root) { changed = try index.outdated(among: part, in: root) }
            sessions.formUnion(Set(part).subtracting(changed))
            // All of a large file that grew is compared, for one that never rests would never be otherwise.
            reconcileTogether(changed[...]) { rest in
                if !isReady { pulse.scan = Pulse.Scan(done: next - rest, total: found.count) }
            }
        }
    }

    /// How many sessions are compared before the end of the round is heeded.
    private static let partSize = 64

    /// Once, until the root is back.
    private func tellOffline(_ root: FilePath) {
        guard offline.insert(root).inserted else { return }
        log.warning("root is offline", metadata: ["root": "\(root.escaped)"])
    }

    func setOffline(_ root: FilePath) {
        tellOffline(root)
        attempt("mark the root offline", root) { try index.setRoot(root, state: .offline) }
    }

    /// Says that a search for sessions goes on; it ends with the round.
    func endsSearch() -> Bool {
        beat()
        return isRoundOver()
    }
}

extension ContinuousClock.Instant {
    /// Whole milliseconds from this moment until now, for the log.
    fileprivate var milliseconds: Int64 { Int64((duration(to: .now) / .milliseconds(1)).rounded()) }
}
