internal import Logging
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
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
        var scan = Pulse.Scan()
        var kept: Set<FilePath> = []
        // Nothing that fails ends a scan: it is logged, and the rest goes on.
        try? scanner.scan(root, shouldStop: endsSearch) { event in
            switch event {
            case .looked(.offline): tellOffline(root)
            case .looked(.online):
                guard offline.remove(root) != nil else { break }
                log.notice("root is back", metadata: ["root": "\(root.escaped)"])
                requests.ask()
            case .found(let found, let unreadable):
                kept = Set(found)
                tell(unreadable, in: root)
            case .current(let current, let total):
                sessions.formUnion(current)
                scan.done += current.count
                scan.total = total
                pulse.scan = scan
            case .reading(let left):
                scan.done = scan.total - left
                pulse.scan = scan
            case .read(let session, let change): take(session) { try change.get() }
            case .forgot:
                // Reaching the end ends what failed before: the same failure is news when it comes again.
                attempt(RootScanner.Step.forget.rawValue, root) {
                    sessions = sessions.filter { kept.contains($0) || !$0.lies(in: root) }
                }
            case .failed(let step, let error): attempt(step.rawValue, root) { throw error }
            }
            takeNotes()
        }
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
