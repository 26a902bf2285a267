internal import GRDB
package import SystemPackage
internal import TraceFiles
internal import TraceStore

extension JournalIndex {
    /// Says whether a root can be reached. An online one is from now on the directory that its path leads to
    /// now.
    package func setRoot(_ path: FilePath, state: IndexedRoot.State) throws {
        try database.write { try RootRow.ensure(path, in: $0).set(state, in: $0) }
    }

    /// Looks whether a root can be reached.
    ///
    /// An empty directory that has taken the place of another one is the mount point that an unmounted disk leaves bare,
    /// as far as anybody can tell, and not a root that has lost all its sessions.
    package func look(atRoot path: FilePath) throws -> IndexedRoot.State {
        try Self.look(atRoot: path, database.read { try RootRow($0, at: path) })
    }

    private static func look(atRoot path: FilePath, _ row: RootRow?) throws -> IndexedRoot.State {
        guard let directory = try? OpenDirectory(path) else { return .offline }
        guard let row, !row.isThere else { return .online }
        var isEmpty = true
        try directory.forEachName { _ in isEmpty = false }
        return isEmpty ? .offline : .online
    }

    /// Looks whether a root can be reached, and notes it.
    package func visit(root path: FilePath) throws -> IndexedRoot.State {
        let row = try database.read { try RootRow($0, at: path) }
        let state = try Self.look(atRoot: path, row)
        if let row, row.state == state, state == .offline || row.isKnown { return state }
        try setRoot(path, state: state)
        return state
    }

    /// Removes a root and the rows of everything below it.
    package func removeRoot(_ path: FilePath) throws {
        try database.write { database in
            guard let root = try RootRow(database, at: path) else { return }
            for path in try root.sources(in: database) {
                try KnownSource(database, at: path)?.delete(from: database)
            }
            try database.query("DELETE FROM root WHERE id = ?").with(root.id).run()
        }
    }

    /// The roots, in the order of their paths.
    package func roots() throws -> [IndexedRoot] {
        try database.read { database in
            try database.query(
                """
                SELECT path, is_online, (SELECT count(*) FROM source WHERE root_id = root.id) FROM root ORDER BY path
                """
            ).map {
                IndexedRoot(
                    path: FilePath(bytes: $0.blob(0)), state: $0.bool(1) ? .online : .offline,
                    journalCount: Int($0.int(2)))
            }
        }
    }

    /// The journals of a root, sessions among them.
    package func journals(in root: FilePath) throws -> [FilePath] {
        try database.read { try RootRow($0, at: root)?.sources(in: $0) ?? [] }
    }

    /// Removes the rows of what is below a root and is not among `sessions`, once all of the root has been searched. Where the
    /// root is gone or offline nothing is removed: a disk that is not mounted has not lost its sessions. Nor is what a search would
    /// find now: it came after the search, and another process has read it.
    ///
    /// - Parameter isElsewhere: Whether what is at a path is another root's, and has rows by the path there.
    /// - Returns: The sessions whose rows were removed.
    package func retain(
        sessions: Set<FilePath>, in root: FilePath, unless isElsewhere: (FilePath) -> Bool = { _ in false }
    ) throws -> [FilePath] {
        try database.write { database in
            guard let row = try RootRow(database, at: root), row.state == .online else { return [] }
            guard row.isThere else {
                try row.set(.offline, in: database)
                return []
            }
            let gone = try row.sources(in: database).filter { path in
                !sessions.contains(path)
                    && (isElsewhere(path) || !JournalFinder.finds(path, below: root, of: formats))
            }
            for path in gone { try KnownSource(database, at: path)?.delete(from: database) }
            return gone
        }
    }
}
