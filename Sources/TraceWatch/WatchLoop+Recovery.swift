import SystemPackage
internal import TraceText

extension WatchLoop {
    /// Closes inotify if the set of watches was given up, and plans a new one.
    func tearDownIfDamaged() {
        guard let reason = damage else { return }
        inotify.close()
        forgetWatches()
        phase = .broken(reason)
        let now = ContinuousClock.now
        if let lastRecovery, now - lastRecovery >= options.quietPeriod {
            recovery.reset()
        }
        recovery.schedule(after: now)
    }

    /// Sets up what is due to be tried again.
    func handleDeadlines() {
        let now = ContinuousClock.now
        switch phase {
        case .broken(let reason):
            if recovery.isDue(now) { rebuild(after: reason) }
        case .reading:
            if rootRetry.isDue(now) { retryMissingRoots() }
            if obstacleRetry.isDue(now) { retryObstacles() }
        }
    }

    /// Finds roots that are neither watched nor known to be unwatched, and waits for them.
    func noteMissingRoots() {
        guard case .reading = phase, damage == nil, !control.isStopping else { return }
        for root in rootSet
        where table.descriptor(ofPath: root) == nil && obstacles[root] == nil && !missingRoots.contains(root)
        {
            missingRoots.insert(root)
            emit(.directoryVanished(root))
        }
        if missingRoots.isEmpty {
            rootRetry.reset()
        } else {
            rootRetry.scheduleIfIdle(after: .now)
        }
    }

    /// Notes, and tells once, why a directory is not watched.
    func noteObstacle(_ error: WatchError, at path: FilePath) {
        missingRoots.remove(path)
        obstacleRetry.scheduleIfIdle(after: .now)
        guard obstacles.updateValue(error.code, forKey: path) != error.code else { return }
        emit(.unwatched(path, error))
    }

    func removeObstacles(atOrBelow path: FilePath) {
        guard !obstacles.isEmpty else { return }
        obstacles = obstacles.filter { !$0.key.starts(with: path) }
        if obstacles.isEmpty {
            obstacleRetry.reset()
        }
    }

    /// Opens inotify again and watches everything again.
    private func rebuild(after reason: RescanReason) {
        recovery.clearDeadline()
        do throws(WatchError) {
            try inotify.open()
        } catch {
            noteUnavailable(error)
            return
        }
        phase = .reading
        missingRoots = []
        for root in roots {
            watchTree(at: root, announcing: false)
        }
        if !obstacles.isEmpty {
            obstacleRetry.scheduleIfIdle(after: .now)
        }
        lastRecovery = .now
        if damage == nil, !control.isStopping {
            emit(.rescan(reason))
        }
    }

    /// Notes that inotify can't be opened, and plans another try.
    func noteUnavailable(_ error: WatchError) {
        for root in rootSet {
            noteObstacle(error, at: root)
        }
        // The recovery tries these again; there is nothing to watch them with before.
        obstacleRetry.reset()
        recovery.schedule(after: .now)
    }

    /// Looks for missing roots, and watches those that are there now.
    func retryMissingRoots() {
        rootRetry.schedule(after: .now)
        for root in roots where missingRoots.contains(root) {
            if case .known = watchTree(at: root, announcing: true) {
                missingRoots.remove(root)
            }
        }
    }

    /// Tries the unwatched directories, those above others first.
    func retryObstacles() {
        obstacleRetry.schedule(after: .now)
        for path in obstacles.keys.sorted(by: { $0.length < $1.length }) where obstacles[path] != nil {
            switch watchTree(at: path, announcing: true) {
            case .refused(let error) where error.code == .watchLimit || error.code == .descriptorLimit:
                return  // so it is with all the others
            case .gone where damage == nil && !control.isStopping:
                removeObstacles(atOrBelow: path)
                emit(.directoryVanished(path))
            case .known:
                removeObstacles(atOrBelow: path)
                emit(.watchedAgain(path))
                emit(.directoryAppeared(path))
            case .watched, .gone, .refused:
                break
            }
        }
    }
}
