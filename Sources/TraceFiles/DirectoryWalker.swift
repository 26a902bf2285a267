internal import Glibc
package import SystemPackage

extension OpenDirectory {
    /// Calls `visit` for each entry but `.` and `..`, in the directory's own order, until it returns false.
    ///
    /// The kind is nil if the file system does not tell it along with the name.
    package func forEachEntry(_ visit: (FilePath.Component, FileKind?) -> Bool) throws(Errno) {
        // A descriptor of its own: `readdir` moves the position, and `fdopendir` takes the descriptor over.
        let descriptor = try withDescriptor { own throws(Errno) in
            try retrying { openat(own, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        }
        try Self.forEachEntry(inTakenOver: descriptor, visit)
    }

    /// Calls `visit` for each name but `.` and `..`, in the directory's own order.
    ///
    /// - Throws: ``FileError`` with `.io`.
    package func forEachName(_ visit: (FilePath.Component) -> Void) throws {
        try explaining("list the directory", path) { () throws(Errno) in
            try forEachEntry { name, _ in
                visit(name)
                return true
            }
        }
    }

    /// As ``forEachEntry(_:)``, for the directory that a path leads to.
    package static func forEachEntry(
        at path: FilePath, _ visit: (FilePath.Component, FileKind?) -> Bool
    ) throws(Errno) {
        let descriptor = try retrying {
            path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        }
        try forEachEntry(inTakenOver: descriptor, visit)
    }

    /// As ``forEachEntry(_:)``, for a descriptor that is at the start of its directory and is closed here.
    fileprivate static func forEachEntry(
        inTakenOver descriptor: Int32, _ visit: (FilePath.Component, FileKind?) -> Bool
    ) throws(Errno) {
        guard let stream = fdopendir(descriptor) else {
            let cause = errno
            _ = close(descriptor)
            throw Errno(rawValue: cause)
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                // Null is both the end and a failure; only a failure sets errno (readdir(3)).
                let cause = errno
                if cause == 0 { return }
                throw Errno(rawValue: cause)
            }
            // Sound: the name is NUL-terminated and lives in the stream's buffer until the next `readdir`. It
            // is reached by its offset, since the entry may be shorter than the struct, and a copy of the
            // whole struct would read past the end.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { continue }
            let bytes = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            // No name that a kernel gives is empty or holds a slash; a broken file system's are skipped.
            guard let name = FilePath.Component(platformString: bytes), name.kind == .regular else {
                continue
            }
            if !visit(name, FileKind(entryType: Int32(entry.pointee.d_type))) { return }
        }
    }
}

extension FileKind {
    fileprivate init?(entryType: Int32) {
        switch entryType {
        case Int32(DT_REG): self = .regular
        case Int32(DT_DIR): self = .directory
        case Int32(DT_LNK): self = .symbolicLink
        case Int32(DT_UNKNOWN): return nil
        default: self = .special
        }
    }
}

/// Walks a directory tree, parents before children.
///
/// Links are reported and not followed, so no tree is endless. Nothing is skipped: what to leave out is the visitor's decision.
/// However deep the tree, there is no recursion, and one directory is open at a time. A directory that can't be read is
/// reported and skipped; its siblings are walked anyway. Entries that come or go during the walk may be seen or not
/// (readdir(3)); a directory that is gone by the time it is walked holds nothing, which is not an error.
package struct DirectoryWalker: Sendable {
    /// An entry found by a walk.
    package struct Entry: Sendable {
        /// The directory that it is in: the root as it was given, and below.
        package var directory: FilePath
        /// Its name.
        package var name: FilePath.Component
        /// What it is.
        package var kind: FileKind
        /// How many directories are between it and the root: 0 for the root's own entries.
        var depth: Int

        /// Directory and name in one.
        package var path: FilePath { directory.appending(name) }
    }

    /// How to continue after an entry.
    package enum Decision: Sendable {
        /// Continue, and if it is a directory walk it later.
        case descend
        /// Continue; don't walk it.
        case pass
        /// End the walk.
        case stop
    }

    /// Where to begin; if it is a link, at the directory that it leads to.
    var root: FilePath

    /// A walk that begins at `root`.
    package init(root: FilePath) { self.root = root }

    /// Walks the tree.
    ///
    /// - Parameters:
    ///   - shouldStop: Asked before each directory, and every thousand entries of a large one; once true, the walk ends. A call
    ///     also shows that the walk continues, however slow the disk.
    ///   - visit: Called for each entry.
    ///   - report: Called with a ``FileError`` for each directory or entry that can't be read, the root
    ///     included.
    /// - Returns: Whether it came to its end.
    @discardableResult
    package func walk(
        shouldStop: () -> Bool = { false }, visit: (Entry) -> Decision, report: (FileError) -> Void
    ) -> Bool {
        var pending = [(path: root, depth: 0)]
        while let (path, depth) = pending.popLast() {
            if shouldStop() { return false }
            var isStopped = false
            var count = 0
            do throws(Errno) {
                // Below the root, a directory that was replaced by a link since it was listed is not
                // followed.
                let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (depth > 0 ? O_NOFOLLOW : 0)
                let descriptor = try retrying { path.withPlatformString { open($0, flags) } }
                try OpenDirectory.forEachEntry(inTakenOver: descriptor) { name, knownKind in
                    var entry = Entry(directory: path, name: name, kind: .special, depth: depth)
                    do throws(Errno) {
                        if let knownKind {
                            entry.kind = knownKind
                        } else {
                            entry.kind = try FileStatus(
                                of: name, inside: descriptor, followingLinks: false
                            ).kind
                        }
                    } catch {
                        if !isGone(error) { report(FileError("read the status", entry.path, error)) }
                        return true
                    }
                    switch visit(entry) {
                    case .descend where entry.kind == .directory:
                        pending.append((entry.path, depth + 1))
                    case .descend, .pass: break
                    case .stop: isStopped = true
                    }
                    count += 1
                    if count.isMultiple(of: 1024), shouldStop() { isStopped = true }
                    return !isStopped
                }
            } catch {
                if depth == 0 || !isGone(error) { report(FileError("list the directory", path, error)) }
            }
            if isStopped { return false }
        }
        return true
    }

    /// Whether an error says that what was listed as a directory is none any more: it was removed, renamed, or
    /// replaced by a file or a link (open(2), "O_NOFOLLOW").
    private func isGone(_ error: Errno) -> Bool {
        [.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(error)
    }
}
