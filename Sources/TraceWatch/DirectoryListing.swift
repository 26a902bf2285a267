import SystemPackage
import TraceFiles

/// The directories in a directory.
enum DirectoryListing {
    /// Names of the subdirectories, in the order of the file system; symbolic links are not followed.
    ///
    /// - Parameter shouldStop: Asked now and then; once true, what was found so far is returned.
    /// - Throws: `Errno` of open(2) or readdir(3).
    static func subdirectories(
        of directory: FilePath, shouldStop: () -> Bool
    ) throws(Errno) -> [FilePath.Component] {
        var names: [FilePath.Component] = []
        var count = 0
        try OpenDirectory.forEachEntry(at: directory) { name, kind in
            // Some file systems don't tell the kind along with the name.
            let known = kind ?? (try? FileStatus(of: directory.appending(name), followingLinks: false))?.kind
            if known == .directory { names.append(name) }
            count += 1
            return !(count.isMultiple(of: 1024) && shouldStop())
        }
        return names
    }
}
