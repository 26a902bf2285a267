internal import Glibc
package import SystemPackage
internal import TraceText

/// The exclusive right to write in one directory, against every other process and thread that asks for it
/// here.
///
/// The lock is `flock` on the directory itself, so that nothing of ours is in it (docs/durability.md#locks). If the file system has no
/// `flock` for directories, it is `flock` on a file in the runtime directory, named by device and inode. Editors and sync tools
/// know nothing of either: the writes of this module hold without a lock against those.
///
/// Crash: the kernel drops the lock with the process, however it ends. A file in the runtime directory stays,
/// empty and unlocked; it is never removed, because another process may be about to lock that very file.
///
/// Source: flock(2); docs/durability.md#locks.
package final class DirectoryLock: Sendable {
    /// The locked directory.
    package let directory: OpenDirectory

    private let lockedFile: LockedFile

    /// How long to wait for a lock where nothing else is said: longer than any write of ours holds one.
    package static let defaultTimeout = Duration.seconds(10)

    /// What holds the lock.
    private enum LockedFile: ~Copyable {
        case itself
        /// A file in place of the directory.
        case substitute(OpenFile)
    }

    /// Waits for the lock of the directory at `path`.
    ///
    /// - Parameters:
    ///   - runtimeDirectory: Where substitute lock files go; created (mode 0700) if only its last part is
    ///     missing.
    ///   - timeout: How long to wait; zero tries once.
    ///   - tryLock: Tries to lock a directory; replaced in tests to be a file system without `flock`.
    /// - Throws: ``FileError`` with `.sessionLocked` after the timeout, `.lockUnsupported` if neither lock can be had,
    ///   `.notFound` or `.permissionDenied` for the directory.
    package init(
        _ path: FilePath, runtimeDirectory: FilePath? = nil, timeout: Duration = defaultTimeout,
        failPoint: FailPoint? = nil, tryLock: (Int32) throws(Errno) -> Bool = tryFlock
    ) throws {
        var retry = RetryDeadline(timeout: timeout)
        while true {
            let directory = try OpenDirectory(path, failPoint: failPoint)
            let identity = try directory.status().identity
            let lockedFile: LockedFile?
            switch try directory.lockItself(tryLock) {
            case true: lockedFile = .itself
            case false: lockedFile = nil
            case nil: lockedFile = try Self.lockSubstitute(for: identity, in: runtimeDirectory, of: path)
            }
            // Between `open` and the lock, a sync tool may have put another directory in the place of this
            // one.
            if let lockedFile, try OpenDirectory(path).status().identity.isSameFile(as: identity) {
                self.directory = directory
                self.lockedFile = lockedFile
                return
            }
            guard retry.pause() else { throw Self.locked(path, after: timeout) }
        }
    }

    deinit {
        // Unlocked by hand, because a child process between `fork` and `exec` shares the descriptors: with
        // `close` alone the lock would last until the child closes its own.
        switch lockedFile {
        case .itself: directory.withDescriptor { _ = flock($0, LOCK_UN) }
        case .substitute(let file): _ = flock(file.descriptor, LOCK_UN)
        }
    }

    /// Runs `body` with the lock held from its first to its last instruction.
    package static func holding<Result>(
        _ path: FilePath, runtimeDirectory: FilePath? = nil, timeout: Duration = defaultTimeout,
        failPoint: FailPoint? = nil, _ body: (DirectoryLock) throws -> Result
    ) throws -> Result {
        let lock = try DirectoryLock(
            path, runtimeDirectory: runtimeDirectory, timeout: timeout, failPoint: failPoint)
        defer { withExtendedLifetime(lock) {} }
        return try body(lock)
    }

    private static func locked(_ path: FilePath, after timeout: Duration) -> FileError {
        FileError(
            .sessionLocked,
            "is being written by another process"
                + (timeout > .zero ? ", and still was after \(timeout)" : ""),
            path: path,
            cure: "wait for that process to finish (fuser -v shows which one it is), then try again")
    }
}

extension DirectoryLock {
    /// - Returns: Nil if another process holds the lock.
    private static func lockSubstitute(
        for identity: FileIdentity, in runtimeDirectory: FilePath?, of path: FilePath
    ) throws -> LockedFile? {
        guard let runtimeDirectory else {
            throw FileError(
                .lockUnsupported,
                "the file system does not support locking directories, and there is no runtime directory",
                path: path, cure: "set XDG_RUNTIME_DIR, or the runtime directory in the configuration")
        }
        let file = FilePath(
            "directory-\(String(identity.device, radix: 16))-\(identity.inode).lock")
        return try explaining("lock", runtimeDirectory.pushing(file)) {
            () throws(Errno) -> LockedFile? in
            do throws(Errno) {
                _ = try retrying { runtimeDirectory.withPlatformString { mkdir($0, 0o700) } }
            } catch { if error != .fileExists { throw error } }
            let substitute = try substituteFile(runtimeDirectory.pushing(file))
            guard try substitute.tryLock() else { return nil }
            return .substitute(substitute)
        }
    }
}

extension DirectoryLock {
    /// Opens a lock file, making it where it is missing: readable for the group, which is enough to lock it (flock(2)).
    private static func substituteFile(_ path: FilePath) throws(Errno) -> OpenFile {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        while true {
            do throws(Errno) { return try OpenFile(path, flags) } catch {
                if error != .noSuchFileOrDirectory { throw error }
            }
            do throws(Errno) {
                let made = try retrying {
                    path.withPlatformString { open($0, flags | O_CREAT | O_EXCL, 0o640) }
                }
                return OpenFile(adopting: made)
            } catch { if error != .fileExists { throw error } }
        }
    }
}

extension OpenDirectory {
    /// - Returns: Whether the lock was free; nil if the file system can't lock directories.
    fileprivate func lockItself(_ tryLock: (Int32) throws(Errno) -> Bool) throws -> Bool? {
        try explaining("lock", path) { () throws(Errno) -> Bool? in
            do throws(Errno) { return try withDescriptor(tryLock) } catch {
                if error.meansNoLocking { return nil }
                throw error
            }
        }
    }
}

/// Retries with exponential backoff until a deadline.
package struct RetryDeadline {
    private let deadline: ContinuousClock.Instant
    private var nextMicroseconds: UInt32 = 50

    package init(timeout: Duration) { deadline = .now + timeout }

    /// Sleeps 50 µs, then 100, then 200 … up to 5 ms; cut short by a signal.
    ///
    /// - Returns: False, without sleeping, once the deadline has passed.
    package mutating func pause() -> Bool {
        guard ContinuousClock.now < deadline else { return false }
        usleep(nextMicroseconds)
        nextMicroseconds = min(nextMicroseconds * 2, 5_000)
        return true
    }
}
