internal import Journals
package import SystemPackage
package import TraceFiles
internal import TraceStore

/// The directories below which sessions are looked for: the one place that decides to which of them a path belongs.
///
/// Roots are compared by identity: where a search of one comes to another, through a link or a mount, what is there is the other
/// one's, and has that one's path alone.
package struct SessionRoots: Sendable, Hashable {
    /// In the order of the configuration; one may be in another.
    package let paths: [FilePath]
    /// Directories in which a search of a root comes to another root, by another path than that one's.
    private let others: [FilePath: FilePath]

    /// - Complexity: A stat(2) for each directory above a root. What can't be reached now is compared by its path.
    package init(_ paths: [FilePath]) {
        self.paths = paths
        others = paths.count > 1 ? Self.others(paths) : [:]
    }

    /// The same roots, compared as they are now: one that was not mounted may be in another one now.
    package var comparedAgain: SessionRoots { SessionRoots(paths) }

    private static func others(_ paths: [FilePath]) -> [FilePath: FilePath] {
        let identities = paths.map(identity)
        var others: [FilePath: FilePath] = [:]
        for (index, root) in paths.enumerated() {
            guard var above = PathCheck.resolved(root) else { continue }
            var names: [FilePath.Component] = []
            while true {
                let found = identity(above)
                for (outer, path) in paths.enumerated() where found != nil && identities[outer] == found {
                    if names.isEmpty {
                        // Of two paths of one directory the first counts.
                        if outer < index, others[root] == nil, path != root { others[root] = path }
                    } else {
                        let directory = names.reversed().reduce(path) { $0.appending($1) }
                        // Where it is another path of a root, it is that root which is found there.
                        let own = others[root] ?? root
                        if directory != own, others[directory] == nil { others[directory] = own }
                    }
                }
                guard let name = above.lastComponent, above.removeLastComponent() else { break }
                names.append(name)
            }
        }
        return others
    }

    private static func identity(_ path: FilePath) -> FileID? {
        (try? FileStatus(of: path, followingLinks: true))?.identity.file
    }

    /// The root in which a path lies, or which it is: the innermost of several; nil if it is in none, or in one to which another
    /// path leads (``ownPath(of:)``).
    package func root(of path: FilePath) -> FilePath? { other(for: path) == nil ? innermost(path) : nil }

    /// The path by which a search of the roots comes to a place, whichever of them leads there.
    package func ownPath(of path: FilePath) -> FilePath {
        guard let (directory, root) = other(for: path) else { return path }
        var rest = path
        return rest.removePrefix(directory) ? root.pushing(rest) : path
    }

    private func innermost(_ path: FilePath) -> FilePath? {
        paths.filter { path.lies(in: $0) }.max { $0.length < $1.length }
    }

    /// The root that is at a directory in which a path lies, if that is the innermost one.
    private func other(for path: FilePath) -> (directory: FilePath, root: FilePath)? {
        guard !others.isEmpty,
            let found = others.filter({ path.lies(in: $0.key) }).max(by: { $0.key.length < $1.key.length }),
            found.key.length >= innermost(path)?.length ?? 0
        else { return nil }
        return (found.key, found.value)
    }

    /// The journals of a root that a search of it finds, without those of roots within it, in the order of their paths.
    ///
    /// - Parameter report: Called with each directory that can't be read.
    package func journals(of root: FilePath, report: (FileError) -> Void = { _ in }) -> [FilePath] {
        found(of: root) { JournalFinder.journals(in: root, of: Journals.all, report: report) ?? [] }
    }

    /// As ``journals(of:report:)``, of sessions alone.
    package func sessions(of root: FilePath, report: (FileError) -> Void = { _ in }) -> [FilePath] {
        found(of: root) { SessionFinder.sessions(in: root, report: report) }
    }

    /// A root that is another one by another path is not searched: what is there has that one's path.
    private func found(of root: FilePath, _ search: () -> [FilePath]) -> [FilePath] {
        ownPath(of: root) == root ? search().filter { self.root(of: $0) == root } : []
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
