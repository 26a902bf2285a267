internal import Journals
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore
internal import TraceText

extension Session {
    /// What messages call a session: its title and its directory, or that alone.
    func shownName(at path: FilePath) -> String {
        displayTitle.map { "\($0.oneLine) (\(path.escaped))" } ?? path.escaped
    }
}

extension Workplace {
    /// Names the session that has been written into, so that nobody takes it for another one, and says where a daemon runs
    /// that does not watch it.
    func notice(writtenInto target: SessionTarget) {
        guard !isQuiet else { return }
        notice("in \(target.session.shownName(at: target.path))")
        // Of what lies in none of the roots nobody expects that it is watched.
        guard let root = root(of: target.path),
            let daemon = RunningDaemon.glance(state: settings.stateDirectory), daemon.ignores(target.path)
        else { return }
        notice("warning: the daemon does not watch \(root.escaped); 'trace doctor' tells the cure")
    }

    /// Whether a search of the roots comes to a session, whichever links lead there.
    func isFound(_ session: FilePath) -> Bool {
        let place = PathCheck.resolved(session) ?? session
        return settings.roots.contains { root in
            let root = PathCheck.resolved(root) ?? root
            return place.lies(in: root) && SessionFinder.searches(place, below: root)
        }
    }

    /// Makes the root in which a new session is to lie, if it has never been there.
    ///
    /// One that the index knows sessions of, or that lies below a mount point on which nothing is mounted, is on a disk that
    /// is not here now: what is made there would be hidden when the disk is back.
    ///
    /// - Throws: ``FileError``.
    func makeMissingRoot(for session: FilePath) throws {
        let root = session.removingLastComponent()
        guard settings.roots.contains(root), !PathCheck.isTaken(root), PathCheck.unmounted(above: root) == nil
        else { return }
        let known = (try? SessionIndex(readingAt: settings.indexDatabase, formats: Journals.all).roots()) ?? []
        if known.contains(where: { $0.path == root && $0.sessionCount > 0 }) { return }
        try OpenDirectory.make(root)
        notice("made the root \(root.escaped)")
    }
}
