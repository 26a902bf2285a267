internal import GRDB
internal import Glibc
package import SystemPackage
internal import TraceFiles
internal import TraceStore

extension SessionIndex {
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
        guard let directory = try? OpenDirectory(path) else { return .offline }
        guard let row = try database.read({ try RootRow($0, at: path) }), !row.isThere else { return .online }
        var isEmpty = true
        try directory.forEachName { _ in isEmpty = false }
        return isEmpty ? .offline : .online
    }

    /// Looks whether a root can be reached, and notes it.
    package func visit(root path: FilePath) throws -> IndexedRoot.State {
        let state = try look(atRoot: path)
        let row = try database.read { try RootRow($0, at: path) }
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
                    sessionCount: Int($0.int(2)))
            }
        }
    }

    /// Removes the rows of what lies below a root and is not among `sessions`, once all of the root has been
    /// searched. Where the root is gone or offline nothing is removed: a disk that is not mounted has not
    /// lost its sessions.
    ///
    /// - Returns: The sessions whose rows were removed.
    package func retain(sessions: Set<FilePath>, in root: FilePath) throws -> [FilePath] {
        try database.write { database in
            guard let row = try RootRow(database, at: root), row.state == .online else { return [] }
            guard row.isThere else {
                try row.set(.offline, in: database)
                return []
            }
            let gone = try row.sources(in: database).filter { !sessions.contains($0) }
            for path in gone { try KnownSource(database, at: path)?.delete(from: database) }
            return gone
        }
    }
}

/// The row of a root.
struct RootRow {
    let id: Int64
    let path: FilePath
    let state: IndexedRoot.State
    /// Which directory it was when it was last called online.
    private let identity: FileID?

    init?(_ database: Database, at path: FilePath?) throws {
        guard let path else { return nil }
        let row = try database.query("SELECT id, is_online, device, inode FROM root WHERE path = ?").with(
            path.bytes
        ).first { row in
            let identity = row.optionalInt(2).map {
                FileID(
                    device: UInt64(bitPattern: $0), inode: UInt64(bitPattern: row.int(3)))
            }
            return (row.int(0), row.bool(1), identity)
        }
        guard let (id, isOnline, identity) = row else { return nil }
        self.id = id
        self.path = path
        state = isOnline ? .online : .offline
        self.identity = identity
    }

    /// The row of the root at `path`, made where there is none.
    static func ensure(_ path: FilePath, in database: Database) throws -> RootRow {
        if let row = try RootRow(database, at: path) { return row }
        try database.query("INSERT INTO root (path, is_online) VALUES (?, 1)").with(path.bytes).run()
        guard let row = try RootRow(database, at: path) else {
            throw IndexDamage(description: "a root that is not there")
        }
        try row.set(.online, in: database)
        return row
    }

    /// All of them.
    static func all(in database: Database) throws -> [RootRow] {
        try database.query("SELECT path FROM root").map { FilePath(bytes: $0.blob(0)) }
            .compactMap { try RootRow(database, at: $0) }
    }

    /// Writes the row into another database.
    func insert(in database: Database) throws {
        try database.query("INSERT INTO root (path, is_online, device, inode) VALUES (?, ?, ?, ?)").with(
            path.bytes, state == .online, identity.map { Int64(bitPattern: $0.device) },
            identity.map { Int64(bitPattern: $0.inode) }
        ).run()
    }

    /// Whether the path leads to the directory that was online, and not to the mount point that it leaves
    /// bare.
    var isThere: Bool {
        guard let now = DatabaseFile(path: path).identity else { return false }
        return identity == nil || identity == now
    }

    /// Whether it is known which directory it is, and it is that one.
    var isKnown: Bool { identity != nil && isThere }

    func set(_ state: IndexedRoot.State, in database: Database) throws {
        let now = state == .online ? DatabaseFile(path: path).identity : identity
        try database.query("UPDATE root SET is_online = ?, device = ?, inode = ? WHERE id = ?").with(
            state == .online, now.map { Int64(bitPattern: $0.device) },
            now.map { Int64(bitPattern: $0.inode) }, id
        ).run()
    }

    /// The paths of what lies below it.
    func sources(in database: Database) throws -> [FilePath] {
        try database.query("SELECT path FROM source WHERE root_id = ? ORDER BY path").with(id)
            .map { FilePath(bytes: $0.blob(0)) }
    }
}

extension FilePath {
    /// The path of these bytes, which hold no NUL.
    init(bytes: [UInt8]) {
        self.init(platformString: bytes.map { CInterop.PlatformChar(truncatingIfNeeded: $0) } + [0])
    }
}
