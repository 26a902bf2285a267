internal import Glibc
internal import SystemPackage
internal import TraceStore

/// The database as files: itself and what SQLite keeps beside it.
struct DatabaseFile {
    let path: FilePath

    /// Which file a name leads to.
    struct Identity: Equatable, Sendable {
        var device: UInt64
        var inode: UInt64
    }

    /// Which file it is now, or nil when there is none.
    var identity: Identity? {
        var raw = stat()
        guard path.withPlatformString({ stat($0, &raw) }) == 0 else { return nil }
        return Identity(device: UInt64(raw.st_dev), inode: UInt64(raw.st_ino))
    }

    private func sibling(_ suffix: String) -> FilePath {
        var sibling = path
        sibling.removeLastComponent()
        return sibling.appending((path.lastComponent?.string ?? "index") + suffix)
    }

    private static let companions = ["", "-wal", "-shm"]

    /// Why the first bytes can't be those of a database in use by us, or nil.
    ///
    /// SQLite would open a file with some of these quietly: read-only, or as an empty one.
    func headerDamage() -> String? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec]) else {
            return nil
        }
        var header = [UInt8](repeating: 0, count: 100)
        let count =
            (try? file.closeAfter {
                try header.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: 0, into: $0) }
            }) ?? 100
        if count == 0 { return nil }
        guard count == 100, header.starts(with: Array("SQLite format 3\0".utf8)) else {
            return "it is damaged: it does not begin as a SQLite database does"
        }
        // Source: sqlite.org/fileformat2.html, section 1.3: read and write version, 1 or 2.
        guard (1...2).contains(header[18]), (1...2).contains(header[19]) else {
            return "it is damaged: its header names a format that SQLite does not write"
        }
        return nil
    }

    // MARK: - Moving aside

    /// Runs `body` while no other process moves the database.
    func lock(_ body: () throws -> Void) throws {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                sibling(".lock"), .readWrite, options: [.create, .closeOnExec],
                permissions: [.ownerReadWrite, .groupReadWrite, .otherRead])
        } catch let error as Errno {
            throw IndexError(error, "open the lock of the index", sibling(".lock"))
        }
        try file.closeAfter {
            while flock(file.rawValue, LOCK_EX) != 0 {
                let cause = Errno(rawValue: errno)
                if cause != .interrupted { throw IndexError(cause, "lock", sibling(".lock")) }
            }
            try body()
        }
    }

    /// Removes a log and its index that lie there without their database.
    func removeOrphans() throws {
        for suffix in Self.companions.dropFirst() { try remove(sibling(suffix)) }
    }

    /// Renames the database and its companions, and keeps only the latest few of such.
    ///
    /// - Returns: Where the database is now, or nil when it was gone.
    func moveAside() throws -> FilePath? {
        let mark = freeMark()
        // The log first: a database that is still there without it is older, but whole or found damaged again.
        for suffix in Self.companions.dropFirst() { try rename(sibling(suffix), to: sibling(mark + suffix)) }
        let isMoved = try rename(path, to: sibling(mark))
        removeOldest()
        return isMoved ? sibling(mark) : nil
    }

    private static let mark = ".damaged-"
    /// How many databases are kept.
    private static let keptCount = 3

    private func freeMark() -> String {
        var time = Clock.nanoseconds() / 1_000_000_000
        while sibling("\(Self.mark)\(time)").withPlatformString({ access($0, F_OK) }) == 0 { time += 1 }
        return "\(Self.mark)\(time)"
    }

    private func removeOldest() {
        let prefix = (path.lastComponent?.string ?? "index") + Self.mark
        var times: Set<Int> = []
        guard let directory = try? OpenDirectory(path.removingLastComponent().orWorkingDirectory) else {
            return
        }
        try? directory.forEachName { name in
            guard let name = name.bytes.isEmpty ? nil : name.string, name.hasPrefix(prefix) else { return }
            if let time = Int(name.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }) {
                times.insert(time)
            }
        }
        for time in times.sorted().dropLast(Self.keptCount) {
            for suffix in Self.companions { try? remove(sibling("\(Self.mark)\(time)\(suffix)")) }
        }
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

extension FilePath {
    fileprivate var orWorkingDirectory: FilePath { isEmpty ? "." : self }
}

extension IndexError {
    /// What the kernel's refusal of `operation` means.
    init(_ errno: Errno, _ operation: String, _ path: FilePath) {
        let cause = StoreError(operation, path, errno)
        let code: Code =
            switch cause.code {
            case .notFound: .notFound
            case .permissionDenied, .readOnly: .permissionDenied
            case .diskFull: .diskFull
            default: .io
            }
        self.init(code, cause.message, path: path, hint: cause.hint, underlying: cause)
    }
}
