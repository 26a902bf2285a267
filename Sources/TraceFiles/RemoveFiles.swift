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
}
