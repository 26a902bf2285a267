internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceStore

/// The state of the looks at what inotify can't watch.
struct Polling {
    fileprivate var tree = PolledTree()
    fileprivate var roundStart = ContinuousClock.now
    /// When the next piece of a round is due.
    fileprivate(set) var next = ContinuousClock.now
}

/// The looking at what inotify can't watch: every directory once in a poll interval, in small pieces.
extension Reconciler {
    /// Looks at the next piece of what inotify can't watch, if it is due.
    func poll() {
        guard unwatched.count > 0, polling.next <= .now, !isRoundOver() else { return }
        if polling.tree.isAtStart {
            polling.roundStart = .now
            if let tops = unwatched.takeNewTops() { polling.tree.setTops(tops.filter(isSearched)) }
            if settings.spools.contains(where: unwatched.contains) { requests.ask() }
        }
        pulse.beat()
        take(polling.tree.look(atMost: Self.pollPiece))
        let pieceCount = polling.tree.count / Self.pollPiece + 1
        // Somewhat faster than it must be: a tree may have grown, and a piece come late.
        let pause = settings.pollInterval * 3 / (4 * pieceCount)
        polling.next = polling.tree.isAtStart ? polling.roundStart + settings.pollInterval : .now + pause
    }

    /// So many directories that whoever waits meanwhile does not feel it.
    private static let pollPiece = 256

    /// Finds out which sessions have changed: few, if any, but all of them the first time.
    private func take(_ changes: [PolledTree.Change]) {
        guard !changes.isEmpty else { return }
        var gone: Set<FilePath> = []
        var suspects: Set<FilePath> = []
        for change in changes {
            switch change {
            case .gone(let directory): gone.insert(directory)
            case .directory(let directory):
                if settings.roots.contains(directory) { note(changedRoot: directory) }
                if sessions.contains(directory) || (try? SessionNames.isSession(directory)) == true {
                    suspects.insert(directory)
                } else if let session = enclosingSession(of: directory) {
                    suspects.insert(session)
                }
            }
        }
        if !gone.isEmpty {
            for session in sessions where session.lies(inOneOf: gone) { suspects.insert(session) }
        }
        for (root, sessions) in Dictionary(grouping: suspects, by: root(of:)) {
            guard let root else { continue }
            var changed = sessions
            attempt("compare with the files", root) {
                changed = try index.outdated(among: sessions, in: root, verification: .quick)
            }
            for session in changed { dirty.add(session, at: .now) }
            // Whose permissions alone have changed is not outdated, but can be written again, perhaps.
            for session in failing.intersection(sessions) { requests.noteChange(of: session) }
        }
    }

    /// Nobody but the polls tells of a root on a network file system that it went or came back.
    private func note(changedRoot root: FilePath) {
        let isThere = (try? OpenDirectory(root)) != nil
        if isThere == offline.contains(root) { reconcile(root: root) }
    }
}

extension FilePath {
    fileprivate func lies(inOneOf directories: Set<FilePath>) -> Bool {
        var path = self
        repeat { if directories.contains(path) { return true } } while path.removeLastComponent()
        return false
    }
}
