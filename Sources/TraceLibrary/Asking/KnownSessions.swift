internal import Journals
package import SystemPackage
internal import TraceFiles
package import TraceIndex

/// The sessions that a daemon watches, as the index has them: for questions that read the index and write nothing.
package struct KnownSessions {
    /// Their index, opened for asking.
    package let index: JournalIndex
    /// The roots below which they are; of the others nothing is known.
    package let roots: Set<FilePath>

    /// - Parameter watched: Asks the daemon of that index (``JournalLibrary/init``).
    /// - Returns: Nil if none are known.
    package init?(of roots: SessionRoots, in database: FilePath, watched: () -> WatchedRoots?) {
        guard let index = try? JournalIndex(readingAt: database, formats: Journals.all),
            let watched = try? WatchedRoots.known(of: index, asking: watched)
        else { return nil }
        self.index = index
        self.roots = watched.known(of: roots).filter { (try? index.look(atRoot: $0)) == .online }
        if self.roots.isEmpty { return nil }
    }
}
