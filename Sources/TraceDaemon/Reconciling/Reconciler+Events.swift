internal import Logging
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceStore
internal import TraceWatch

/// What the watcher's events make of it: hints where to look, of which scanning is the truth.
extension Reconciler {
    /// Takes an event, and handles what is due.
    ///
    /// - Returns: When ``tick(due:)`` is to be called, if a call is not on its way already.
    func handle(_ event: WatchEvent) -> ContinuousClock.Instant? {
        let now = ContinuousClock.now
        metrics.note(event)
        switch event {
        case .changed(let directory, let name, _, isDirectory: true):
            note(changed: directory.appending(name), at: now)
        case .changed(let directory, let name, let change, isDirectory: false):
            note(change, of: name, in: directory, at: now)
        case .directoryAppeared(let directory): note(appeared: directory, at: now)
        case .directoryVanished(let directory): note(vanished: directory, at: now)
        case .rescan(let reason):
            log.notice("scanning everything again", metadata: ["reason": "\(reason)"])
            reconcileAll()
        case .unwatched(let directory, let error):
            let isNews = unwatched.insert(directory, error)
            log.log(
                level: isNews ? .warning : .debug, "not watched, but polled", error: error,
                metadata: ["path": "\(directory.escaped)"])
            announceSoon()
        case .watchedAgain(let directory):
            unwatched.remove(atOrBelow: directory)
            if unwatched.count == 0 { log.notice("everything is watched again") }
            announceSoon()
        }
        return handleDue()
    }

    private func note(
        _ change: WatchEvent.Change, of name: FilePath.Component, in directory: FilePath,
        at now: ContinuousClock.Instant
    ) {
        if isSpool(directory) {
            if TemporaryName.isForeign(name) { requests.ask() }
        } else if SessionFinder.isHeader(name) {
            if isSearched(directory) { add(directory, at: now) }
        } else if sessions.contains(directory) {
            if SessionNames.matter(name) {
                add(directory, at: now)
            } else if change.isOfNames, unsettled[directory] == nil {
                // Nothing to hurry about, but the directory is another than the one that was looked at.
                unsettled[directory] = now + settings.settleTime + Self.settleMargin
            }
        } else if let session = enclosingSession(of: directory) {
            add(session, at: now)
        }
    }

    private func add(_ session: FilePath, at now: ContinuousClock.Instant) {
        dirty.add(session, at: now)
        if firstEvents[session] == nil { firstEvents[session] = now }
    }

    /// The permissions of a directory may have changed, and with them what can be read and written below it.
    private func note(changed directory: FilePath, at now: ContinuousClock.Instant) {
        if let session = enclosingSession(of: directory) { return add(session, at: now) }
        for session in failing.union(failures.keys) where session.lies(in: directory) {
            if sessions.contains(session) || isSearched(session) { add(session, at: now) }
        }
    }

    private func note(appeared directory: FilePath, at now: ContinuousClock.Instant) {
        if isSpool(directory) { requests.ask() }
        if settings.roots.contains(directory) {
            reconcile(root: directory)
            requests.ask()
        } else if isSearched(directory),
            sessions.contains(directory) || (try? SessionNames.isSession(directory)) == true
        {
            add(directory, at: now)
        }
        noteAbove(directory, at: now)
    }

    private func note(vanished directory: FilePath, at now: ContinuousClock.Instant) {
        unwatched.remove(atOrBelow: directory)
        if settings.roots.contains(directory) { return setOffline(directory) }
        for session in sessions where session.lies(in: directory) { dirty.add(session, at: now) }
        noteAbove(directory, at: now)
    }

    /// What comes or goes in a session's directory changes that directory too.
    private func noteAbove(_ directory: FilePath, at now: ContinuousClock.Instant) {
        if let session = enclosingSession(of: directory.removingLastComponent()) { add(session, at: now) }
    }

    /// Whether a search of the roots comes to a directory; the private ones of sync tools are left out.
    func isSearched(_ directory: FilePath) -> Bool {
        root(of: directory).map { SessionFinder.searches(directory, below: $0) } ?? false
    }

    func isSpool(_ directory: FilePath) -> Bool { settings.spools.contains(directory) }

    /// The known session in which a directory lies, such as that of a `media/`.
    func enclosingSession(of directory: FilePath) -> FilePath? {
        guard let root = root(of: directory) else { return nil }
        var path = directory
        while !sessions.contains(path) {
            if path == root || !path.removeLastComponent() { return nil }
        }
        return path
    }
}

extension WatchEvent.Change {
    /// Whether it changes which names a directory holds.
    fileprivate var isOfNames: Bool {
        switch self {
        case .created, .movedIn, .movedOut, .deleted: true
        case .contents, .written, .attributes: false
        }
    }
}
