internal import Glibc
package import SystemPackage
internal import TraceText

extension OpenDirectory {
    /// Removes files, and makes that durable; names that are missing are well.
    ///
    /// - Throws: ``FileError`` with `.permissionDenied`, `.readOnly` or `.io`.
    @discardableResult
    package func remove(_ names: [FilePath.Component]) throws -> [FilePath] {
        guard !names.isEmpty else { return [] }
        return try explaining("remove", path) { () throws(Errno) in
            for name in names {
                try reach(.remove, name)
                try unlink(name)
            }
            try sync()
            return names.map { self.path(of: $0) }
        }
    }

    /// Removes a file, and says whether it was this call that did: of any number at once, in whatever processes, exactly one
    /// returns true.
    ///
    /// - Returns: False if there was no such file.
    /// - Throws: ``FileError`` with `.permissionDenied`, `.readOnly` or `.io`; after a failed sync the file is gone, but a power
    ///   cut may bring it back.
    /// - Note: Durable on return, also where another call removed it.
    ///
    /// Source: unlink(2).
    package func take(_ name: FilePath.Component) throws -> Bool {
        try explaining("remove", path(of: name)) { () throws(Errno) in
            try reach(.remove, name)
            let isOurs: Bool
            do throws(Errno) {
                _ = try withDescriptor { descriptor throws(Errno) in
                    try retrying { name.withPlatformString { unlinkat(descriptor, $0, 0) } }
                }
                isOurs = true
            } catch {
                guard error == .noSuchFileOrDirectory else { throw error }
                isOurs = false
            }
            try sync()
            return isOurs
        }
    }

    /// Removes a directory in this one with all that is in it. Of links, the link goes, and what it leads to stays; another file system that is
    /// mounted below stays, too.
    ///
    /// - Throws: ``FileError`` with `.leavesSession` if the name is a link's, `.permissionDenied`, `.readOnly` or `.io`; then some of it is gone.
    /// - Note: May be repeated after a kill.
    package func removeTree(_ name: FilePath.Component) throws {
        let directory = try openDirectory(name)
        guard try directory.status().identity.device == status().identity.device else {
            throw FileError(
                .io, "another file system is mounted here", path: path(of: name), cure: "unmount it")
        }
        var names: [FilePath.Component] = []
        try directory.forEachName { names.append($0) }
        for child in names {
            if try directory.statusIfPresent(of: child, followingLinks: false)?.kind == .directory {
                try directory.removeTree(child)
            } else {
                _ = try explaining("remove", directory.path(of: child)) { () throws(Errno) in
                    try directory.reach(.remove, child)
                    try directory.unlink(child)
                }
            }
        }
        try explaining("remove", path(of: name)) { () throws(Errno) in
            try reach(.remove, name)
            _ = try withDescriptor { descriptor throws(Errno) in
                try retrying { name.withPlatformString { unlinkat(descriptor, $0, AT_REMOVEDIR) } }
            }
        }
    }

    /// Removes a directory in this one, if there is nothing in it; not durable, for it may as well stay.
    package func removeDirectoryIfEmpty(_ name: FilePath.Component) {
        _ = withDescriptor { descriptor in
            name.withPlatformString { unlinkat(descriptor, $0, AT_REMOVEDIR) }
        }
    }
}
