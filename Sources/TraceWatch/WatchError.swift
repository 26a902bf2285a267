internal import SystemPackage
package import TraceFiles
package import TraceText

/// The kinds of failure of watching directories.
package enum WatchErrorCode: String, ErrorCode {
    /// The directory that is not watched.
    package typealias Place = FileLocation

    /// A watcher lives in this process already; libinotifytools has room for one.
    case alreadyRunning = "already-running"
    /// A root is not an absolute path.
    case invalidRoot = "invalid-root"
    /// The task that was setting up the watcher was cancelled.
    case cancelled = "cancelled"
    /// The library or the operating system failed in a way that has no code of its own.
    case systemFailure = "system-failure"
    /// The user has too many inotify instances, or the process too many open files (EMFILE, ENFILE).
    case descriptorLimit = "descriptor-limit"
    /// The inotify descriptor is 1024 or above, where the library's `select` would abort the process.
    case descriptorTooHigh = "descriptor-too-high"
    /// The library reported success, yet no inotify descriptor was opened.
    case descriptorNotFound = "descriptor-not-found"
    /// The user has no inotify watches left (ENOSPC).
    case watchLimit = "watch-limit"
    /// The directory may not be read or entered (EACCES, EPERM).
    case permissionDenied = "permission-denied"
    /// The path is longer than the kernel takes (ENAMETOOLONG).
    case pathTooLong = "path-too-long"
    /// The file system reports only the changes made on this machine, or none.
    case remoteFileSystem = "remote-file-system"
    /// The directory is watched already under another path, e.g. the other end of a bind mount.
    case watchedElsewhere = "watched-elsewhere"

    /// See docs/errors.md.
    package var meaning: ErrorMeaning {
        switch self {
        case .alreadyRunning:
            ErrorMeaning(http: 503, exit: .inputOutput, .refused)
        case .invalidRoot, .cancelled, .systemFailure, .descriptorLimit, .descriptorTooHigh,
            .descriptorNotFound, .watchLimit, .pathTooLong, .remoteFileSystem, .watchedElsewhere:
            ErrorMeaning(http: 500, exit: .inputOutput, .refused)
        case .permissionDenied:
            ErrorMeaning(http: 403, exit: .inputOutput, .refused)
        }
    }
}

/// A watch that could not be set up, or an obstacle that keeps one directory from being watched.
package typealias WatchError = CodedError<WatchErrorCode>

extension WatchError {
    /// An error whose message ends with what the operating system said.
    init(_ code: Code, _ message: String, path: FilePath? = nil, cure: Cure? = nil, refusedWith errno: Errno)
    {
        self.init(code, "\(message): \(errno)", path: path, cure: cure, underlying: errno)
    }

    /// Why the kernel refused to watch a directory.
    ///
    /// Source: inotify_add_watch(2), "ERRORS".
    init(watching path: FilePath, refusedWith errno: Errno) {
        switch errno {
        case .noSpace:
            self = .watchLimit(at: path)
        case .permissionDenied, .notPermitted:
            self.init(
                .permissionDenied, "directory can't be watched", path: path,
                cure: "give the user that runs this program read and search permission (chmod, setfacl)",
                refusedWith: errno)
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
            self = .descriptorLimit(errno, path: path)
        case .fileNameTooLong:
            self.init(
                .pathTooLong, "path is too long to be watched", path: path,
                cure: "move the directory closer to the root", refusedWith: errno)
        default:
            self.init(.systemFailure, "directory can't be watched", path: path, refusedWith: errno)
        }
    }

    /// All watches of the user are taken; the hint has the sysctl and the value in force.
    static func watchLimit(at path: FilePath) -> WatchError {
        let limit = SystemFile.number("/proc/sys/fs/inotify/max_user_watches")
        let wanted = max(524_288, (limit ?? 0) * 2)
        let now = limit.map { " (it is \($0) now)" } ?? ""
        return WatchError(
            .watchLimit, "no inotify watch is left for this directory", path: path,
            cure: "run 'sysctl fs.inotify.max_user_watches=\(wanted)'\(now) and put that setting into "
                + "/etc/sysctl.d/50-inotify.conf",
            refusedWith: .noSpace)
    }

    /// Why inotify could not be opened.
    static func notOpened(_ errno: Errno) -> WatchError {
        switch errno {
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem: .descriptorLimit(errno)
        default: WatchError(.systemFailure, "inotify can't be opened", refusedWith: errno)
        }
    }

    /// Too many inotify instances of the user, or open files of the process.
    static func descriptorLimit(_ errno: Errno, path: FilePath? = nil) -> WatchError {
        let limit = SystemFile.number("/proc/sys/fs/inotify/max_user_instances")
        let wanted = max(512, (limit ?? 0) * 2)
        let now = limit.map { " (it is \($0) now)" } ?? ""
        return WatchError(
            .descriptorLimit, "too many open files or inotify instances", path: path,
            cure:
                "run 'sysctl fs.inotify.max_user_instances=\(wanted)'\(now), or raise the limit of open files "
                + "(ulimit -n, LimitNOFILE=)",
            refusedWith: errno)
    }
}
