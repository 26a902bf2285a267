internal import SystemPackage
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// What the index has of everything that the watcher has reported.
extension Reconciler {
    /// Looks at all sessions to which something has happened, as if each were due.
    ///
    /// - Returns: Which roots are in the index as their files are, nil if that is not known of any; how many sessions were
    ///   looked at; and the index of which that is so for as long as the watcher reports nothing.
    func catchUp() -> (known: WatchedRoots?, lookCount: Int, lasting: OpenedIndex?) {
        // Another process may have deleted or replaced the index.
        let canBeAsked = attempt("look at the index", settings.indexDatabase) { try index.checkFile() }
        guard canBeAsked, !schedule.lacksScan(at: .now), let linked = outdatedLinked() else {
            return (nil, 0, nil)
        }
        let sessions = Set(dirty.takeAll()).union(unsettled.all).union(linked)
        look(at: sessions)
        guard let (opened, roots) = known else { return (nil, sessions.count, nil) }
        return (roots, sessions.count, sessions.isEmpty && self.linked.paths.isEmpty ? opened : nil)
    }

    /// What is known once nothing is dirty, and of which file.
    private var known: (opened: OpenedIndex, roots: WatchedRoots)? {
        guard !isGenerationOver(), let opened = try? index.opened() else { return nil }
        // An index that was rebuilt since says so only now.
        drainNotices()
        guard !schedule.lacksScan(at: .now) else { return nil }
        let roots = settings.roots.map { ($0, isKnown($0)) }
        return (opened, WatchedRoots(database: opened.file, roots: Dictionary(roots) { first, _ in first }))
    }

    private func isKnown(_ root: FilePath) -> Bool {
        roots.isKnown(root) && polling.unwatched.watching(of: root) == nil
            && !unsettled.failed.contains { $0.lies(in: root) }
    }

    /// Of the sessions whose files have other names, those that have changed; nil if there are too many to compare.
    private func outdatedLinked() -> [FilePath]? {
        guard linked.areComparable else { return nil }
        var outdated: [FilePath]?
        attempt("compare with the files", settings.indexDatabase) {
            outdated = try index.outdated(among: Array(linked.paths))
        }
        return outdated
    }

    /// Looks at sessions, all of each large file that grew.
    private func look(at sessions: Set<FilePath>) {
        var found: [FilePath] = []
        for session in sessions where !isGenerationOver() {
            if !forgetIfMissing(session) { found.append(session) }
        }
        reconcileTogether(found)
    }
}
