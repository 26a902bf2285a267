internal import Glibc
package import SystemPackage
internal import TraceText

extension OpenDirectory {
    /// Moves a file to another directory, or to another name in this one, without ever replacing a file.
    ///
    /// Between file systems it is copied, with permissions and modification time, and the original removed
    /// once the copy is durable. May be repeated: where a killed run left the file under both names, the same
    /// contents under the new name finish the move. A symbolic link is not followed and, between file
    /// systems, refused.
    ///
    /// - Parameter onProgress: Gets how many bytes have been copied or compared, where they must be; what it throws ends
    ///   the move.
    /// - Returns: The identity of the file under its new name.
    /// - Throws: ``FileError``. `.notFound`: there is no such file here, whether or not it was moved before.
    ///   `.alreadyExists`: other contents have the new name. `.changedMeanwhile`: the file changed while it
    ///   was copied. `.notRegularFile`, `.diskFull`, `.readOnly`, `.permissionDenied`, `.io`. In each case
    ///   the file is whole under its old name, or, if only the last sync of a directory failed, under its new
    ///   one.
    /// - Note: Durable on return. Killed in between or after a power cut, the file is whole under its old
    ///   name, its new one or both; never under none.
    ///
    /// Source: docs/queue.md#a-drain; rename(2).
    @discardableResult
    package func moveFile(
        _ name: FilePath.Component, to newName: FilePath.Component, in destination: OpenDirectory,
        onProgress: ((Int64) throws(Errno) -> Void)? = nil
    ) throws -> FileIdentity {
        let old = try status(of: name, followingLinks: false)
        do throws(Errno) {
            try reach(.rename, name)
            try moveWithoutReplacing(name, to: newName, in: destination)
        } catch {
            switch error {
            case .fileExists: break
            case Errno(rawValue: EXDEV):
                try old.requireRegularFile(at: path(of: name))
                try copyFile(name, old, to: newName, in: destination, onProgress)
            default:
                throw FileError("move to \(destination.path(of: newName).escaped)", path(of: name), error)
            }
            // Both names now hold a file: an earlier run's, somebody else's, or the copy made above.
            try removeMoved(name, old, to: newName, in: destination, onProgress)
        }
        return try explaining("make durable", destination.path(of: newName)) { () throws(Errno) in
            try destination.sync()
            try sync()
            return try destination.rawStatus(of: newName, followingLinks: false).identity
        }
    }

    private func copyFile(
        _ name: FilePath.Component, _ old: FileStatus, to newName: FilePath.Component,
        in destination: OpenDirectory, _ onProgress: ((Int64) throws(Errno) -> Void)?
    ) throws {
        let source = try explaining("open", path(of: name)) { () throws(Errno) in
            try openFile(name, O_RDONLY | O_NONBLOCK)
        }
        _ = try source.regularStatus(at: path(of: name))
        var copy = try TemporaryFile(
            TemporaryFile.name(for: newName), in: destination, permissions: 0o600)
        do throws(Errno) {
            try destination.reach(.write, newName)
            _ = try copy.file.copyAll(from: source, onProgress: onProgress)
            try copy.file.takeAttributes(of: old)
            try copy.file.takeModificationTime(of: old)
            try destination.reach(.sync, newName)
            try copy.file.sync()
        } catch {
            throw FileError("copy to \(destination.path(of: newName).escaped)", path(of: name), error)
        }
        do throws(Errno) { try copy.placeAsNew(newName) } catch {
            // Whose file it is that came first is for the comparison of contents to tell.
            if error != .fileExists {
                throw FileError("rename the copy to", destination.path(of: newName), error)
            }
        }
    }

    /// Removes the old name of a file whose contents are under the new one as well.
    private func removeMoved(
        _ name: FilePath.Component, _ old: FileStatus, to newName: FilePath.Component,
        in destination: OpenDirectory, _ onProgress: ((Int64) throws(Errno) -> Void)?
    ) throws {
        let new = try destination.status(of: newName, followingLinks: false)
        if new.identity.isSameFile(as: old.identity) {
            // Two names in one directory may be one and the same; then there is nothing to do.
            if try name == newName && status().identity.isSameFile(as: destination.status().identity) {
                return
            }
        } else {
            try old.requireRegularFile(at: path(of: name))
            guard new.kind == .regular, new.identity.size == old.identity.size,
                try destination.sha256(ofUnlinked: newName, onProgress: onProgress)
                    == sha256(ofUnlinked: name, onProgress: onProgress)
            else {
                throw FileError(
                    .alreadyExists, "already exists, with different contents",
                    path: destination.path(of: newName),
                    cure: "move the existing file away, then try again")
            }
            try destination.makeDurable(newName)
        }
        guard try status(of: name, followingLinks: false).identity.hasSameContents(as: old.identity) else {
            throw FileError(
                .changedMeanwhile, "changed while it was moved", path: path(of: name),
                cure: "wait until the program that writes it has finished, then try again")
        }
        try explaining("remove", path(of: name)) { () throws(Errno) in
            try reach(.remove, name)
            try destination.sync()
            try unlink(name)
        }
    }
}

extension OpenFile {
    /// Sets the modification time to that of `old`, which a file system may round.
    fileprivate func takeModificationTime(of old: FileStatus) throws(Errno) {
        let modified = old.identity.modified
        let time = timespec(tv_sec: Int(modified.seconds), tv_nsec: Int(modified.nanoseconds))
        _ = try retrying { futimens(descriptor, [time, time]) }
    }
}
