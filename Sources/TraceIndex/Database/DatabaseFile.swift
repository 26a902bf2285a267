internal import GRDB
internal import GRDBSQLite
internal import Glibc
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

/// The database as files: itself and what SQLite keeps beside it.
struct DatabaseFile {
    let path: FilePath

    /// What is there now, or nil when there is nothing.
    var status: FileStatus? { try? FileStatus(of: path) }

    /// What is there of SQLite's log, or nil when there is none.
    var logStatus: FileStatus? { try? FileStatus(of: sibling("-wal")) }

    /// Which file it is now, or nil when there is none.
    var identity: FileID? { status?.identity.file }

    private func sibling(_ suffix: String) -> FilePath {
        var sibling = path
        sibling.removeLastComponent()
        return sibling.appending((path.lastComponent?.string ?? "index") + suffix)
    }

    private static let companions = ["", "-wal", "-shm"]

    /// Why what is not a database is refused.
    static let noDatabase = "it is not a SQLite database"

    /// Why the first bytes can't be those of a database in use by us, or nil.
    ///
    /// SQLite would open a file with some of these quietly: read-only, or as an empty one. So a new connection is asked before
    /// its first statement.
    ///
    /// The bytes are read through SQLite's own descriptor. To close another one of the file would give up all locks that this
    /// process has on it (fcntl(2)), those of its other connections among them, and another process would remove the log.
    func headerDamage(asReadBy database: Database) -> String? {
        var pointer: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &pointer)
        guard let file = pointer, let methods = file.pointee.pMethods, size(of: path) != 0 else { return nil }
        var header = [UInt8](repeating: 0, count: 100)
        let code = header.withUnsafeMutableBytes { bytes in
            // Sound: SQLite writes at most the given number of bytes, and its file stays open as long as the connection.
            methods.pointee.xRead(file, bytes.baseAddress, Int32(bytes.count), 0)
        }
        guard code == SQLITE_OK, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            return Self.noDatabase
        }
        // Source: sqlite.org/fileformat2.html, section 1.3: read and write version, 1 or 2.
        guard (1...2).contains(header[18]), (1...2).contains(header[19]) else {
            return "its header names a format that SQLite does not write"
        }
        return isCutShort(header) ? "it has fewer pages than its header says" : nil
    }

    /// Whether it has no bytes, although it has been written to.
    var isEmptied: Bool { size(of: path) == 0 }

    /// Whether the file is shorter than its header says, where there is no journal that may hold the rest:
    /// SQLite takes zeros for bytes that are missing in the last page.
    private func isCutShort(_ header: [UInt8]) -> Bool {
        func number(_ bytes: Range<Int>) -> Int { header[bytes].reduce(0) { $0 << 8 | Int($1) } }
        guard number(24..<28) == number(92..<96),
            ["-wal", "-journal"].allSatisfy({ size(of: sibling($0)) ?? 0 == 0 })
        else { return false }
        let pageSize = number(16..<18) == 1 ? 65536 : number(16..<18)
        return (size(of: path) ?? .max) < pageSize * number(28..<32)
    }

    private func size(of path: FilePath) -> Int? {
        (try? FileStatus(of: path)).map { Int($0.identity.size) }
    }

    /// Makes an empty database, which its group shares if the directory is shared.
    func make() throws { try makeShared(path) }

    private func makeShared(_ path: FilePath) throws {
        do { try SharedPermissions.makeFile(path) } catch let error as FileError {
            throw IndexError(error.errno ?? .ioError, "create", path)
        }
    }

    // MARK: - Replacing

    /// Puts another database, which has no companions, in the place of this one.
    ///
    /// The log first, as when it is moved aside: replayed into the other one it would damage it. The other one gets the owner
    /// and the mode of this one as far as this process may give them, so that a daemon of another user can continue.
    func replace(with other: FilePath) throws {
        // If there is none, the rights are those that a new one would have.
        try makeShared(path)
        if let status = try? FileStatus(of: path) {
            other.withPlatformString { name in
                _ = chown(name, status.owner, status.group)
                _ = chmod(name, status.permissions & 0o777)
            }
        }
        try removeOrphans()
        try rename(other, to: path)
    }

    // MARK: - Moving aside

    /// Runs `body`, which makes or moves the database, while no other process does, or opens it (``hold(_:)``).
    func lock<Result>(_ body: () throws -> Result) throws -> Result {
        let file: FileDescriptor
        try makeShared(lockPath)
        do {
            file = try FileDescriptor.open(
                lockPath, .readWrite, options: [.create, .closeOnExec],
                permissions: [.ownerReadWrite, .groupReadWrite, .otherRead])
        } catch let error as Errno {
            throw IndexError(error, "open the lock of the index", lockPath)
        }
        return try whileLocked(file, LOCK_EX, body)
    }

    /// Runs `body`, which opens the database, while no other process makes or moves it; others may open it, too.
    ///
    /// SQLite opens the database and its log one after the other, by name: if they were exchanged in between, it would have one file
    /// of the old database and one of the new. Where the lock is not there, or not for this user to read, it is opened without.
    func hold<Result>(_ body: () throws -> Result) throws -> Result {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(lockPath, .readOnly, options: [.closeOnExec])
        } catch Errno.noSuchFileOrDirectory, Errno.permissionDenied {
            return try body()
        } catch let error as Errno {
            throw IndexError(error, "open the lock of the index", lockPath)
        }
        return try whileLocked(file, LOCK_SH, body)
    }

    private var lockPath: FilePath { sibling(".lock") }

    private func whileLocked<Result>(
        _ file: FileDescriptor, _ mode: Int32, _ body: () throws -> Result
    ) throws -> Result {
        try file.closeAfter {
            while flock(file.rawValue, mode) != 0 {
                let cause = Errno(rawValue: errno)
                if cause != .interrupted { throw IndexError(cause, "lock", lockPath) }
            }
            return try body()
        }
    }

    /// Removes a log and its index that are there without their database.
    func removeOrphans() throws {
        for suffix in Self.companions.dropFirst() { try remove(sibling(suffix)) }
    }

    /// Renames the database and its companions, and keeps only the latest few of such.
    ///
    /// - Returns: Where the database is now, or nil when it was gone.
    func moveAside() throws -> FilePath? {
        let mark = freeMark()
        // The log first: a database that is still there without it is older, but whole or found damaged
        // again.
        for suffix in Self.companions.dropFirst() { try rename(sibling(suffix), to: sibling(mark + suffix)) }
        let isMoved = try rename(path, to: sibling(mark))
        removeOldest()
        return isMoved ? sibling(mark) : nil
    }

    private static let mark = ".damaged-"
    /// How many databases are kept.
    private static let keptCount = 3

    /// A mark that sorts behind those of all that were moved aside before.
    private func freeMark() -> String {
        let now = Int(SystemTime.now().seconds)
        return "\(Self.mark)\(max(now, (times().max() ?? 0) + 1))"
    }

    private func removeOldest() {
        for time in times().sorted().dropLast(Self.keptCount) {
            for suffix in Self.companions { try? remove(sibling("\(Self.mark)\(time)\(suffix)")) }
        }
    }

    /// When the databases that are kept were moved aside, in seconds since 1970.
    private func times() -> Set<Int> {
        let prefix = Array(((path.lastComponent?.string ?? "index") + Self.mark).utf8)
        var times: Set<Int> = []
        let directory = try? OpenDirectory(path.containingDirectory)
        try? directory?.forEachName { name in
            guard name.bytes.starts(with: prefix) else { return }
            let digits = name.bytes.dropFirst(prefix.count).prefix { (0x30...0x39).contains($0) }
            // No clock shows more seconds than that, and one more must be possible.
            guard digits.count <= 16 else { return }
            if let time = Int(String(decoding: digits, as: UTF8.self)) { times.insert(time) }
        }
        return times
    }

    private func remove(_ path: FilePath) throws {
        guard path.withPlatformString({ unlink($0) }) != 0, errno != ENOENT else { return }
        throw IndexError(Errno(rawValue: errno), "remove", path)
    }

    @discardableResult
    private func rename(_ old: FilePath, to new: FilePath) throws -> Bool {
        let result = old.withPlatformString { old in new.withPlatformString { Glibc.rename(old, $0) } }
        if result == 0 { return true }
        if errno == ENOENT { return false }
        throw IndexError(Errno(rawValue: errno), "move aside", old)
    }
}

extension IndexError {
    /// What the kernel's refusal of `operation` means.
    init(_ errno: Errno, _ operation: String, _ path: FilePath) {
        let cause = FileError(operation, path, errno)
        let code: Code =
            switch cause.code {
            case .notFound: .notFound
            case .permissionDenied, .readOnly: .permissionDenied
            case .diskFull: .diskFull
            default: .io
            }
        self.init(code, cause.message, path: path, cure: cause.cure, underlying: cause)
    }
}
