internal import GRDB
internal import SystemPackage
internal import TraceFiles

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

    /// The paths of what is below it.
    func sources(in database: Database) throws -> [FilePath] {
        try database.query("SELECT path FROM source WHERE root_id = ? ORDER BY path").with(id)
            .map { FilePath(bytes: $0.blob(0)) }
    }
}
