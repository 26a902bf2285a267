internal import TraceCrypto
internal import Glibc
package import SystemPackage
internal import TraceText

/// A file that is being written beside the place it is meant for, and gets its name only when it is whole.
///
/// Its own name is fixed by the target, so that a killed writer leaves at most one, which the next writer
/// removes. Since two living writers would collide on it, the file is locked (`flock`) from birth to rename:
/// a temporary file that is locked belongs to somebody alive, one that is not is a leftover. So there is one
/// writer per target at a time even where a link leads two locked sessions to one file, and what a writer
/// compared before its rename still holds at the rename.
///
/// If it is not placed, it is removed at the end of its life.
package struct TemporaryFile: ~Copyable {
    package let file: OpenFile
    let name: FilePath.Component
    let directory: OpenDirectory

    private var isPlaced = false

    /// Creates the file, removing a leftover of a killed writer and waiting for a living one.
    ///
    /// - Parameter permissions: The umask is taken off.
    /// - Throws: ``FileError`` with `.sessionLocked` if a living writer keeps it until the timeout, and the
    ///   codes of a file that can't be created.
    package init(
        _ name: FilePath.Component, in directory: OpenDirectory, permissions: UInt32,
        timeout: Duration = .seconds(10)
    ) throws {
        var retry = RetryDeadline(timeout: timeout)
        while true {
            let created = try explaining("create", directory.path(of: name)) {
                () throws(Errno) -> OpenFile? in
                try Self.create(name, in: directory, permissions)
            }
            if let created {
                self.init(file: created, name: name, directory: directory)
                return
            }
            guard retry.pause() else {
                throw FileError(
                    .sessionLocked, "is being written by another process, and still was after \(timeout)",
                    path: directory.path(of: name),
                    cure: "wait for that process to finish (fuser -v shows which one it is), then try again")
            }
        }
    }

    private init(file: consuming OpenFile, name: FilePath.Component, directory: OpenDirectory) {
        self.file = file
        self.name = name
        self.directory = directory
    }

    deinit {
        // The lock says that the name is still ours to remove.
        if !isPlaced { _ = try? directory.unlink(name) }
    }

    /// - Returns: The new file, locked; nil if a living writer has the name, or was faster.
    private static func create(
        _ name: FilePath.Component, in directory: OpenDirectory, _ permissions: UInt32
    ) throws(Errno) -> OpenFile? {
        // Once for a leftover in the way, and once more without it.
        for _ in 0..<2 {
            do throws(Errno) {
                let flags = O_RDWR | O_CREAT | O_EXCL
                let file = try directory.openFile(name, flags, permissions: permissions)
                // In the instant before the lock, another writer can take it for a leftover and remove it.
                if try file.lockIfPossible(), directory.isNamed(name, file) { return file }
            } catch {
                guard error == .fileExists else { throw error }
                guard try directory.removeLeftover(name) else { return nil }
            }
        }
        return nil
    }

    /// Gives the file its final name, replacing what has that name.
    mutating func place(as target: FilePath.Component) throws(Errno) {
        try directory.reach(.rename, target)
        _ = try directory.withDescriptor { descriptor throws(Errno) in
            try retrying {
                name.withPlatformString { old in
                    target.withPlatformString { renameat(descriptor, old, descriptor, $0) }
                }
            }
        }
        isPlaced = true
    }

    /// Gives the file its final name, unless there is something of that name.
    ///
    /// - Throws: EEXIST.
    package mutating func placeAsNew(_ target: FilePath.Component) throws(Errno) {
        try directory.reach(.rename, target)
        try directory.moveWithoutReplacing(name, to: target, in: directory)
        isPlaced = true
    }
}

extension OpenFile {
    /// Takes the lock; on a file system without locks, every file counts as locked.
    package func lockIfPossible() throws(Errno) -> Bool {
        do throws(Errno) { return try tryLock() } catch {
            if error.meansNoLocking { return true }
            throw error
        }
    }
}

extension OpenDirectory {
    /// Whether `name` names this open file.
    package func isNamed(_ name: FilePath.Component, _ file: borrowing OpenFile) -> Bool {
        guard let named = try? rawStatus(of: name, followingLinks: false),
            let opened = try? file.status()
        else { return false }
        return named.identity.isSameFile(as: opened.identity)
    }

    /// Removes a temporary file that no living writer holds.
    ///
    /// - Returns: False if one does.
    fileprivate func removeLeftover(_ name: FilePath.Component) throws(Errno) -> Bool {
        let file: OpenFile
        do throws(Errno) { file = try openFile(name, O_RDONLY | O_NONBLOCK) } catch {
            switch error {
            case .noSuchFileOrDirectory: return true
            // Something that can't be opened as a file is not a file that anybody of us is writing.
            case .tooManySymbolicLinkLevels, Errno(rawValue: ENXIO):
                try unlink(name)
                return true
            default: throw error
            }
        }
        guard try file.lockIfPossible() else { return false }
        if isNamed(name, file) { try unlink(name) }
        return true
    }

    /// Renames within or between directories, unless there is something of the new name.
    ///
    /// Where the file system can't do that in one step, a second name is linked and the first removed (a kill
    /// in between leaves the file whole under both); where it knows no links either, the name is looked up
    /// and then renamed to.
    ///
    /// - Throws: EEXIST.
    ///
    /// Source: rename(2), RENAME_NOREPLACE; link(2).
    package func moveWithoutReplacing(
        _ name: FilePath.Component, to newName: FilePath.Component, in destination: OpenDirectory,
        renameat2: GNUCall.RenameAt2? = GNUCall.renameat2
    ) throws(Errno) {
        if let renameat2 {
            do throws(Errno) {
                try move(name, to: newName, in: destination) {
                    renameat2($0, $1, $2, $3, GNUCall.renameNoReplace)
                }
                return
            } catch { guard [EINVAL, ENOSYS].contains(error.rawValue) else { throw error } }
        }
        let canLink: Bool
        do throws(Errno) {
            try move(name, to: newName, in: destination) { linkat($0, $1, $2, $3, 0) }
            canLink = true
        } catch {
            guard [EPERM, EOPNOTSUPP, EMLINK].contains(error.rawValue) else { throw error }
            canLink = false
        }
        if canLink { return try unlink(name) }
        if (try? destination.rawStatus(of: newName, followingLinks: false)) != nil { throw .fileExists }
        try move(name, to: newName, in: destination) { renameat($0, $1, $2, $3) }
    }

    /// Calls one of the kernel's two-name calls.
    func move(
        _ name: FilePath.Component, to newName: FilePath.Component, in destination: OpenDirectory,
        _ call: (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32
    ) throws(Errno) {
        // Sound: both strings and both descriptors are lent for the length of the call.
        _ = try withDescriptor { from throws(Errno) in
            try destination.withDescriptor { to throws(Errno) in
                try retrying {
                    name.withPlatformString { old in
                        newName.withPlatformString { call(from, old, to, $0) }
                    }
                }
            }
        }
    }
}

// MARK: - Names

extension TemporaryFile {
    /// Under which `placeMedia` writes.
    package static let mediaName: FilePath.Component = ".trace-media.tmp"

    private static let suffix = Array(".trace-tmp".utf8)

    /// The name of the temporary file of `target`: `.<target>.trace-tmp`, or the target's checksum in its
    /// place where that would be longer than the 255 bytes of a file name.
    package static func name(for target: FilePath.Component) -> FilePath.Component {
        let stem = target.bytes
        let whole = [UInt8(ascii: ".")] + stem + suffix
        if whole.count <= 255, let name = FilePath.Component(bytes: whole) { return name }
        return FilePath.Component(bytes: Array(".\(hexadecimal(SHA256.hash(data: stem)))".utf8) + suffix)
            ?? ".long-name.trace-tmp"
    }

    /// Whether a name has the form of a temporary file's.
    package static func isName(_ name: FilePath.Component) -> Bool {
        let bytes = name.bytes
        return bytes.first == UInt8(ascii: ".") && bytes.count > suffix.count + 1
            && bytes.suffix(suffix.count).elementsEqual(suffix)
    }
}

extension DirectoryLock {
    /// Removes what killed writers left in the directory and in its `media/`: our own temporary files, if
    /// they are regular files that no living writer holds.
    ///
    /// - Returns: The paths that were removed.
    /// - Throws: ``FileError`` with `.permissionDenied`, `.readOnly` or `.io`.
    @discardableResult
    package func removeLeftovers() throws -> [FilePath] {
        var removed = try directory.removeLeftovers { TemporaryFile.isName($0) }
        // `media/` can hold many files, so only the one fixed name is looked at there.
        if try directory.statusIfPresent(of: "media", followingLinks: false)?.kind == .directory {
            let media = try directory.openDirectory("media")
            removed += try media.removeLeftover(regularFile: TemporaryFile.mediaName)
        }
        return removed
    }
}

extension OpenDirectory {
    /// Removes what killed writers left in this directory itself: our own temporary files, if they are
    /// regular files that no living writer holds.
    ///
    /// - Throws: ``FileError`` with `.permissionDenied`, `.readOnly` or `.io`.
    package func removeLeftovers() throws {
        _ = try removeLeftovers { TemporaryFile.isName($0) || $0 == TemporaryFile.mediaName }
    }

    fileprivate func removeLeftovers(named isLeftover: (FilePath.Component) -> Bool) throws -> [FilePath] {
        var names: [FilePath.Component] = []
        try forEachName { if isLeftover($0) { names.append($0) } }
        return try names.flatMap(removeLeftover(regularFile:))
    }

    package func removeLeftover(regularFile name: FilePath.Component) throws -> [FilePath] {
        guard try statusIfPresent(of: name, followingLinks: false)?.kind == .regular else { return [] }
        let isRemoved = try explaining("remove the leftover", path(of: name)) { () throws(Errno) in
            try removeLeftover(name)
        }
        return isRemoved ? [path(of: name)] : []
    }
}
