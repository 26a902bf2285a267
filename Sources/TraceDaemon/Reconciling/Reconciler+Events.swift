internal import Journals
internal import Logging
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceLibrary
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
            note(changed: roots.ownPath(of: directory.appending(name)), at: now)
        case .changed(let directory, let name, let change, isDirectory: false):
            note(change, of: name, in: roots.ownPath(of: directory), at: now)
        case .directoryAppeared(let directory): note(appeared: roots.ownPath(of: directory), at: now)
        case .directoryVanished(let directory): note(vanished: roots.ownPath(of: directory), at: now)
        case .rescan(let reason):
            log.notice("scanning everything again", metadata: ["reason": "\(reason)"])
            reconcileAll()
        case .unwatched(let directory, let error):
            let isNews = polling.add(directory, error)
            log.log(
                level: isNews ? .warning : .debug, "not watched but polled", error: error,
                metadata: ["path": "\(directory.escaped)"])
            if status.noteNews(at: now) { announce() }
        case .watchedAgain(let directory):
            polling.remove(atOrBelow: directory)
            if polling.unwatched.count == 0 { log.notice("everything is watched again") }
            if status.noteNews(at: now) { announce() }
        case .barrier(let number, let isWhole):
            guard barriers.isAwaited(number) else { break }
            let (known, lookCount, lasting) = isWhole ? catchUp() : (nil, 0, nil)
            barriers.finish(number, known, isFree: lookCount == 0, lasting: lasting)
        }
        return handleDue()
    }

    private func note(
        _ change: WatchEvent.Change, of name: FilePath.Component, in directory: FilePath,
        at now: ContinuousClock.Instant
    ) {
        if isSpool(directory) {
            events.noteQueue()
            if TemporaryName.isForeign(name) { requests.ask() }
        } else if Journals.all.isHeader(name) {
            if roots.isSearched(directory) { dirty.addEvent(of: directory, at: now) }
            // What was a journal on its own is a part of this one, or the other way round.
            for file in Journals.all.singleFiles(in: directory) where roots.isSession(file) {
                dirty.addEvent(of: file, at: now)
            }
        } else if roots.sessions.contains(directory) {
            if Journals.all.matters(name) {
                dirty.addEvent(of: directory, at: now)
            } else if change.isOfNames, !unsettled.contains(directory) {
                // Nothing to hurry about, but the directory is another than the one that was looked at.
                unsettled.add(directory, at: now)
            }
        } else if Journals.all.isSingleFile(name), roots.isSearched(directory) {
            dirty.addEvent(of: directory.appending(name), at: now)
        } else if let session = roots.session(enclosing: directory) {
            dirty.addEvent(of: session, at: now)
        }
    }

    /// The permissions of a directory may have changed, and with them what can be read and written below it.
    private func note(changed directory: FilePath, at now: ContinuousClock.Instant) {
        if let session = roots.session(enclosing: directory) { return dirty.addEvent(of: session, at: now) }
        for session in awaited.failing.union(failures.paths) where session.lies(in: directory) {
            if roots.sessions.contains(session) || roots.isSearched(session) {
                dirty.addEvent(of: session, at: now)
            }
        }
    }

    private func note(appeared directory: FilePath, at now: ContinuousClock.Instant) {
        if isSpool(directory) { requests.ask() }
        if roots.isRoot(directory) {
            reconcile(root: directory)
            requests.ask()
        } else if roots.isSearched(directory) {
            if roots.isSession(directory) { dirty.addEvent(of: directory, at: now) }
            // A file in it may have come before the directory was watched.
            for file in Journals.all.singleFiles(in: directory) where roots.isSession(file) {
                dirty.addEvent(of: file, at: now)
            }
        }
        noteAbove(directory, at: now)
    }

    private func note(vanished directory: FilePath, at now: ContinuousClock.Instant) {
        polling.remove(atOrBelow: directory)
        if roots.isRoot(directory) { return setOffline(directory) }
        for session in roots.sessions where session.lies(in: directory) { dirty.add(session, at: now) }
        noteAbove(directory, at: now)
    }

    /// What comes or goes in a session's directory changes that directory too.
    private func noteAbove(_ directory: FilePath, at now: ContinuousClock.Instant) {
        if let session = roots.session(enclosing: directory.removingLastComponent()) {
            dirty.addEvent(of: session, at: now)
        }
    }

    private func isSpool(_ directory: FilePath) -> Bool { settings.spools.contains(directory) }
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
