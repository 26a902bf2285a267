internal import Glibc
package import SystemPackage

/// What is made in a directory that a group shares belongs to the group as the directory does.
///
/// Shared is a directory that is writable for its group and hands its group on (setgid). Whichever member of the group creates
/// something in it, with any umask, the others must be able to continue with: the daemon with an entry that a person queued, a
/// person with a ledger that the daemon began.
///
/// Source: inode(7), "S_ISGID".
extension OpenDirectory {
    /// Whether its group shares it.
    package var isShared: Bool {
        guard let permissions = try? status().permissions else { return false }
        return Self.isShared(permissions)
    }

    fileprivate static func isShared(_ permissions: UInt32) -> Bool {
        permissions & UInt32(S_ISGID | S_IWGRP) == UInt32(S_ISGID | S_IWGRP)
    }

    /// Gives the group of a file that was just made in this directory the rights of its owner, if it is shared.
    func share(_ file: borrowing OpenFile) {
        guard isShared, let permissions = try? file.status().permissions,
            let wanted = SharedPermissions.of(permissions)
        else { return }
        // Without these rights the file is still whole, and its owner can use it.
        _ = fchmod(file.descriptor, mode_t(wanted))
    }

    /// As ``share(_:)``, for a directory that was just made in this one.
    package func share(directory name: FilePath.Component) {
        guard isShared, let permissions = try? rawStatus(of: name, followingLinks: false).permissions,
            let wanted = SharedPermissions.of(permissions)
        else { return }
        withDescriptor { descriptor in
            _ = name.withPlatformString { fchmodat(descriptor, $0, mode_t(wanted), 0) }
        }
    }
}

extension OpenDirectory {
    /// Takes away what users have in this directory who are neither its owner nor of its group, if that may be done.
    ///
    /// - Returns: The permissions that it has now.
    /// - Throws: ``FileError`` with `.io`.
    package func closeToStrangers() throws -> UInt32 {
        let permissions = try status().permissions
        guard permissions & 0o007 != 0 else { return permissions }
        // Only the owner may do it (fchmod(2)); for anybody else it stays as it is.
        withDescriptor { _ = fchmod($0, mode_t(permissions & ~0o007)) }
        return try status().permissions
    }
}

/// The permission bits of what a group shares.
package enum SharedPermissions {
    /// The bits that give the group what the owner has; nil if it has that already.
    static func of(_ permissions: UInt32) -> UInt32? {
        let wanted = permissions | (permissions & 0o700) >> 3
        return wanted == permissions ? nil : wanted
    }

    /// Makes an empty file that its group shares if its directory does; one that is there is left alone.
    ///
    /// - Throws: ``FileError``.
    package static func makeFile(_ path: FilePath) throws {
        guard let name = path.lastComponent else { return }
        let directory = try OpenDirectory(path.containingDirectory)
        try explaining("create", path) { () throws(Errno) in
            do throws(Errno) {
                _ = try directory.openFile(name, O_RDWR | O_CREAT | O_EXCL, permissions: 0o666)
            } catch { if error != .fileExists { throw error } }
        }
    }
}
