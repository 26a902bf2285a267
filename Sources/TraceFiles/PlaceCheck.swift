internal import Glibc
package import SystemPackage

/// The permissions of this user in a directory, and its free space.
package struct PlaceCheck: Sendable, Equatable {
    package var isReadable: Bool
    package var isWritable: Bool
    /// Whether nobody can write there because the file system is mounted so.
    package var isMountedReadOnly = false
    /// Bytes that are free for this user; nil if the file system does not tell.
    package var freeBytes: Int64?

    /// - Returns: Nil if there is no such directory.
    package init?(of path: FilePath) {
        var raw = stat()
        guard path.withPlatformString({ stat($0, &raw) }) == 0, raw.st_mode & S_IFMT == S_IFDIR else {
            return nil
        }
        isReadable = path.withPlatformString { access($0, R_OK | X_OK) } == 0
        isWritable = path.withPlatformString { access($0, W_OK | X_OK) } == 0
        var space = statvfs()
        guard path.withPlatformString({ statvfs($0, &space) }) == 0 else { return }
        isMountedReadOnly = space.f_flag & UInt(ST_RDONLY) != 0
        let (free, overflow) = Int64(clamping: space.f_bavail).multipliedReportingOverflow(
            by: Int64(clamping: space.f_frsize))
        freeBytes = overflow ? .max : free
    }

    /// The nearest thing above that exists, be it a directory, in which one of this path can be made, or not.
    package static func nearest(above path: FilePath) -> FilePath {
        var path = path
        while !PathCheck.isTaken(path), path.removeLastComponent() {}
        return path.isEmpty ? "/" : path
    }
}

/// Whether something is at a path.
package enum PathCheck {
    /// Also true of what this user may not open.
    package static func exists(_ path: FilePath) -> Bool {
        path.withPlatformString { access($0, F_OK) } == 0
    }

    /// Also true of a symbolic link that leads nowhere.
    package static func isTaken(_ path: FilePath) -> Bool {
        var raw = stat()
        return path.withPlatformString { lstat($0, &raw) } == 0
    }

    /// The mount point at or above a path that the table of file systems names and on which nothing is mounted now; nil for
    /// none.
    ///
    /// Source: fstab(5), "The second field".
    package static func unmounted(above path: FilePath, table: FilePath = "/etc/fstab") -> FilePath? {
        guard let name = table.lastComponent,
            let file = try? OpenDirectory(table.removingLastComponent()).readFile(name, limit: 1 << 20)
        else { return nil }
        return String(decoding: file.contents, as: UTF8.self).split(separator: "\n").lazy.compactMap {
            line -> FilePath? in
            let fields = line.split { $0 == " " || $0 == "\t" }
            guard fields.count > 1, fields[0].first != "#" else { return nil }
            let point = FilePath(String(fields[1].replacing("\\040", with: " ")))
            return path.lies(in: point) && !isMounted(point) ? point : nil
        }.first
    }

    /// Whether a directory is on another device than the one above it; false if it does not exist.
    private static func isMounted(_ path: FilePath) -> Bool {
        var own = stat()
        var above = stat()
        guard path.withPlatformString({ stat($0, &own) }) == 0,
            path.appending("..").withPlatformString({ stat($0, &above) }) == 0
        else { return false }
        return own.st_dev != above.st_dev || own.st_ino == above.st_ino
    }

    /// The path without links that leads to the same place; nil if nothing is there that this user can reach.
    package static func resolved(_ path: FilePath) -> FilePath? {
        guard let text = path.withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(text) }
        return FilePath(platformString: text)
    }
}

/// Looks for programs.
package enum ProgramSearch {
    /// Where a program lies that is named as a command line names it, or nil.
    package static func find(_ name: String) -> FilePath? {
        let candidates: [FilePath]
        if name.contains("/") {
            candidates = [FilePath(name)]
        } else {
            let places = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
            candidates = places.split(separator: ":").map { FilePath(String($0)).appending(name) }
        }
        return candidates.first { path in
            var raw = stat()
            return path.withPlatformString { stat($0, &raw) == 0 && access($0, X_OK) == 0 }
                && raw.st_mode & S_IFMT == S_IFREG
        }
    }

    /// Whether a shared library of that name can be loaded.
    package static func hasLibrary(_ name: String) -> Bool {
        guard let library = dlopen(name, RTLD_LAZY) else { return false }
        dlclose(library)
        return true
    }
}
