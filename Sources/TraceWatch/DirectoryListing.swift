import Glibc
import SystemPackage

/// The directories in a directory.
enum DirectoryListing {
    /// Names of the subdirectories, in the order of the file system; symbolic links are not followed.
    ///
    /// - Parameter shouldStop: Asked now and then; once true, what was found so far is returned.
    /// - Throws: `Errno` of opendir(3) or readdir(3).
    static func subdirectories(
        of directory: FilePath, shouldStop: () -> Bool
    ) throws(Errno) -> [FilePath.Component] {
        guard let stream = directory.withPlatformString({ opendir($0) }) else {
            throw Errno(rawValue: errno)
        }
        defer { closedir(stream) }
        var names: [FilePath.Component] = []
        var count = 0
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw Errno(rawValue: errno) }
                return names
            }
            if let name = subdirectory(entry, in: directory) {
                names.append(name)
            }
            count += 1
            if count.isMultiple(of: 1024), shouldStop() { return names }
        }
    }

    /// The entry's name if it is a directory other than `.` and `..`.
    private static func subdirectory(
        _ entry: UnsafeMutablePointer<dirent>, in directory: FilePath
    ) -> FilePath.Component? {
        let type = Int32(entry.pointee.d_type)
        guard type == DT_DIR || type == DT_UNKNOWN, let offset = MemoryLayout<dirent>.offset(of: \.d_name)
        else { return nil }
        // readdir(3) ends d_name with a NUL and keeps it until the next call on the stream; the name is copied here.
        let bytes = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
        guard let name = FilePath.Component(platformString: bytes), name.kind == .regular else { return nil }
        if type == DT_UNKNOWN,
            FileIdentity.ofDirectory(at: directory.appending(name), followingLink: false) == nil
        {
            return nil
        }
        return name
    }
}
