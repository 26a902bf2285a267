internal import Glibc
package import SystemPackage

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

    /// Removes a directory in this one, if there is nothing in it; not durable, for it may as well stay.
    package func removeDirectoryIfEmpty(_ name: FilePath.Component) {
        _ = withDescriptor { descriptor in
            name.withPlatformString { unlinkat(descriptor, $0, AT_REMOVEDIR) }
        }
    }
}
