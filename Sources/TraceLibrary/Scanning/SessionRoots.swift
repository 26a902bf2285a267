package import SystemPackage
internal import TraceFiles
internal import TraceStore

/// The directories below which sessions are looked for: the one place that decides to which of them a path belongs.
package struct SessionRoots: Sendable, Hashable {
    /// In the order of the configuration; one may be in another.
    package let paths: [FilePath]

    package init(_ paths: [FilePath]) { self.paths = paths }

    /// The root in which a path lies, or which it is: the innermost of several; nil if it is in none.
    package func root(of path: FilePath) -> FilePath? {
        paths.filter { path.lies(in: $0) }.max { $0.length < $1.length }
    }

    /// Whether a search of the roots comes to a session, whichever links lead there.
    package func find(_ session: FilePath) -> Bool {
        let place = PathCheck.resolved(session) ?? session
        return paths.contains { root in
            let root = PathCheck.resolved(root) ?? root
            return place.lies(in: root) && JournalFinder.searches(place, below: root)
        }
    }
}
