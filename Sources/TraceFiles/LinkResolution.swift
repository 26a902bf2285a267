internal import Glibc
package import SystemPackage
internal import TraceText

/// A directory and a name in it that is not a symbolic link: where a write really lands.
package struct FilePlace: Sendable {
    package let directory: OpenDirectory
    package let name: FilePath.Component

    package var path: FilePath { directory.path(of: name) }

    /// - Throws: ``FileError`` with `.leavesSession` for another user's link in a directory that everybody may write to.
    ///
    /// Source: proc_sys_fs(5), "protected_symlinks".
    fileprivate func requireTrusted() throws {
        let holder = try directory.status()
        guard holder.permissions & UInt32(S_IWOTH) != 0 else { return }
        let link = try directory.status(of: name, followingLinks: false)
        guard link.kind == .symbolicLink, ![0, geteuid(), holder.owner].contains(link.owner) else { return }
        throw FileError(
            .leavesSession,
            "is a link that another user created in a world-writable directory",
            path: path, cure: "remove the link, and revoke write permission from others (chmod o-w)",
            underlying: Errno(rawValue: EACCES))
    }
}

extension OpenDirectory {
    /// Where `name` leads: itself, or the end of its chain of symbolic links, which need not exist yet.
    ///
    /// A user may keep `markers.jsonl` or `digest.md` as a link into another directory. A write must then go
    /// to the link's target and make durable the directory of the *target*, and the link must stay a link.
    ///
    /// In a directory that everybody may write to, only links of this user, of root and of the directory's owner are followed:
    /// by another's, what this user writes would go wherever that one wants it.
    ///
    /// - Throws: ``FileError`` with `.leavesSession` if the links go round in circles or are another user's, `.notFound` if the
    ///   directory of the target is missing, `.notRegularFile` if the link can only mean a directory.
    package func finalPlace(of name: FilePath.Component) throws -> FilePlace {
        var place = FilePlace(directory: self, name: name)
        // The kernel's own limit (path_resolution(7)).
        for _ in 0...40 {
            guard let target = try place.directory.linkTarget(of: place.name) else { return place }
            try place.requireTrusted()
            guard let last = target.lastComponent, last.kind == .regular else {
                throw FileError(
                    .notRegularFile, "is a link to a directory, not a regular file", path: place.path,
                    cure: "put a regular file in its place")
            }
            let parent = target.removingLastComponent()
            let directory =
                parent.isEmpty ? place.directory : try place.directory.followDirectory(parent)
            place = FilePlace(directory: directory, name: last)
        }
        throw FileError("follow the link", path(of: name), Errno(rawValue: ELOOP))
    }

    /// What the symbolic link `name` holds; nil if it is not a link or does not exist.
    package func linkTarget(of name: FilePath.Component) throws -> FilePath? {
        try explaining("read the link", path(of: name)) { () throws(Errno) in
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
            do throws(Errno) {
                // Sound: the kernel writes at most `count` bytes, one less than the buffer has, so a NUL
                // remains.
                _ = try withDescriptor { descriptor throws(Errno) in
                    try retrying {
                        name.withPlatformString {
                            readlinkat(descriptor, $0, &buffer, Int(PATH_MAX))
                        }
                    }
                }
            } catch {
                if error == .invalidArgument || error == .noSuchFileOrDirectory { return nil }
                throw error
            }
            return FilePath(platformString: buffer)
        }
    }
}
