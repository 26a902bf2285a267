internal import Glibc
package import SystemPackage
internal import TraceText

/// An open directory: the same directory for as long as it lives, whatever happens to its name.
///
/// Everything in this module names files relative to one, so that a directory that is renamed, or replaced by
/// a sync tool, between two steps can't turn half of an operation towards another place.
package final class OpenDirectory: Sendable {
    /// The path by which it was opened: for messages, and for checking that it still leads here.
    package let path: FilePath
    /// What tests make happen between the steps of a write; passed on to the directories opened from this one.
    package let failPoint: FailPoint?

    private let file: OpenFile

    /// Opens the directory at `path`, following links.
    ///
    /// - Throws: ``FileError`` with `.notFound`, `.permissionDenied` or `.tooManyOpenFiles`.
    package init(_ path: FilePath, failPoint: FailPoint? = nil) throws {
        self.path = path
        self.failPoint = failPoint
        file = try explaining("open the directory", path) { () throws(Errno) in
            try OpenFile(path, O_RDONLY | O_DIRECTORY)
        }
    }

    /// Opens the directory at `path`, following links; nil if there is none.
    ///
    /// - Throws: ``FileError`` for every other reason: what can't be looked at is not empty.
    package static func ifPresent(_ path: FilePath, failPoint: FailPoint? = nil) throws -> OpenDirectory? {
        do { return try OpenDirectory(path, failPoint: failPoint) } catch let error as FileError
            where error.code == .notFound
        {
            return nil
        }
    }

    private init(path: FilePath, file: consuming OpenFile, failPoint: FailPoint?) {
        self.path = path
        self.failPoint = failPoint
        self.file = file
    }

    /// Lends the descriptor. It stays open until `body` returns, even if this is the object's last use.
    package func withDescriptor<Result: ~Copyable, Failure: Error>(
        _ body: (Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(file.descriptor)
    }

    /// Announces a step to the tests.
    package func reach(_ step: WriteStep, _ name: FilePath.Component? = nil) throws(Errno) {
        guard let failPoint else { return }
        try failPoint(step, name.map { path.appending($0) } ?? path)
    }

    /// The path of an entry, for messages.
    package func path(of name: FilePath.Component) -> FilePath { path.appending(name) }
}

extension OpenDirectory {
    /// What the kernel knows of the directory itself.
    package func status() throws -> FileStatus {
        try explaining("read the status", path) { () throws(Errno) in try file.status() }
    }

    /// What the kernel knows of an entry.
    ///
    /// - Parameter followingLinks: Whether a symbolic link stands for what it leads to.
    /// - Throws: ``FileError`` with `.notFound`, `.permissionDenied` or `.io`.
    package func status(of name: FilePath.Component, followingLinks: Bool) throws -> FileStatus {
        try explaining("read the status", path(of: name)) { () throws(Errno) in
            try rawStatus(of: name, followingLinks: followingLinks)
        }
    }

    /// As ``status(of:followingLinks:)``, nil if there is no such entry.
    package func statusIfPresent(
        of name: FilePath.Component, followingLinks: Bool
    ) throws -> FileStatus? {
        try explaining("read the status", path(of: name)) { () throws(Errno) in
            do throws(Errno) { return try rawStatus(of: name, followingLinks: followingLinks) } catch {
                if error == .noSuchFileOrDirectory { return nil }
                throw error
            }
        }
    }

    func rawStatus(of name: FilePath.Component, followingLinks: Bool) throws(Errno) -> FileStatus {
        try withDescriptor { descriptor throws(Errno) in
            try FileStatus(of: name, inside: descriptor, followingLinks: followingLinks)
        }
    }

    /// Opens an entry, never through a symbolic link.
    package func openFile(
        _ name: FilePath.Component, _ flags: Int32, permissions: UInt32 = 0
    ) throws(Errno) -> OpenFile {
        let file = try withDescriptor { descriptor throws(Errno) in
            try OpenFile(name, inside: descriptor, flags | O_NOFOLLOW, permissions: permissions)
        }
        // What is private to begin with gets the rights of what it replaces.
        if flags & O_EXCL != 0, permissions & 0o060 != 0 { share(file) }
        return file
    }

    /// Opens the directory called `name` in this one, never through a symbolic link.
    ///
    /// - Throws: ``FileError`` with `.leavesSession` if it is a link, else as ``init(_:failPoint:)``.
    package func openDirectory(_ name: FilePath.Component) throws -> OpenDirectory {
        let path = path(of: name)
        let file = try explaining("open the directory", path) { () throws(Errno) in
            do throws(Errno) { return try openFile(name, O_RDONLY | O_DIRECTORY) } catch {
                // O_DIRECTORY with O_NOFOLLOW answers ENOTDIR for a link as well as for a file (open(2)).
                let isLink = (try? rawStatus(of: name, followingLinks: false))?.kind == .symbolicLink
                throw error == .notDirectory && isLink ? Errno(rawValue: ELOOP) : error
            }
        }
        return OpenDirectory(path: path, file: file, failPoint: failPoint)
    }

    /// Opens the directory at `path` as seen from this one, following links.
    package func followDirectory(_ path: FilePath) throws -> OpenDirectory {
        let full = self.path.pushing(path)
        let file = try explaining("open the directory", full) { () throws(Errno) in
            try withDescriptor { descriptor throws(Errno) in
                let opened = try retrying {
                    path.withPlatformString { openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
                }
                return OpenFile(adopting: opened)
            }
        }
        return OpenDirectory(path: full, file: file, failPoint: failPoint)
    }

    /// Removes the name of a file, which need not exist.
    package func unlink(_ name: FilePath.Component) throws(Errno) {
        do throws(Errno) {
            _ = try withDescriptor { descriptor throws(Errno) in
                try retrying { name.withPlatformString { unlinkat(descriptor, $0, 0) } }
            }
        } catch { if error != .noSuchFileOrDirectory { throw error } }
    }

    /// Makes the names in the directory durable: files that were created, renamed or removed stay so after a
    /// power cut.
    ///
    /// Source: fsync(2), "DESCRIPTION": syncing a file does not sync the entry that names it.
    package func sync() throws(Errno) {
        try reach(.syncDirectory)
        try file.sync()
    }

    /// Makes a file that is already there durable, name and contents: for a step that finds its work done by
    /// an earlier run, which may have been killed before it synced. Links are followed.
    ///
    /// - Throws: ``FileError`` with `.notFound`, `.notRegularFile` or `.io`.
    package func makeDurable(_ name: FilePath.Component) throws {
        let place = try finalPlace(of: name)
        let file = try explaining("make durable", place.path) { () throws(Errno) in
            try place.directory.openFile(place.name, O_RDONLY | O_NONBLOCK)
        }
        _ = try file.regularStatus(at: place.path)
        try explaining("make durable", place.path) { () throws(Errno) in
            try reach(.sync, name)
            try file.sync()
            try place.directory.sync()
        }
    }
}
