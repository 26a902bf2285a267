package import SystemPackage
internal import TraceFiles
package import TraceText

/// A watch that could not be set up, or an obstacle that keeps one directory from being watched.
package struct WatchError: StructuredError, Hashable, Sendable {
    /// What went wrong, to be matched on; the list is open.
    package struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable kebab-case name, as shown in brackets.
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }

        /// A watcher lives in this process already; libinotifytools has room for one.
        package static let alreadyRunning = Code(rawValue: "already-running")
        /// A root is not an absolute path.
        package static let invalidRoot = Code(rawValue: "invalid-root")
        /// The task that was setting up the watcher was cancelled.
        package static let cancelled = Code(rawValue: "cancelled")
        /// The library or the operating system failed in a way that has no code of its own.
        package static let systemFailure = Code(rawValue: "system-failure")
        /// The user has too many inotify instances, or the process too many open files (EMFILE, ENFILE).
        package static let descriptorLimit = Code(rawValue: "descriptor-limit")
        /// The inotify descriptor is 1024 or above, where the library's `select` would abort the process.
        package static let descriptorTooHigh = Code(rawValue: "descriptor-too-high")
        /// The library reported success, yet no inotify descriptor was opened.
        package static let descriptorNotFound = Code(rawValue: "descriptor-not-found")
        /// The user has no inotify watches left (ENOSPC).
        package static let watchLimit = Code(rawValue: "watch-limit")
        /// The directory may not be read or entered (EACCES, EPERM).
        package static let permissionDenied = Code(rawValue: "permission-denied")
        /// The path is longer than the kernel takes (ENAMETOOLONG).
        package static let pathTooLong = Code(rawValue: "path-too-long")
        /// The file system reports only the changes made on this machine, or none.
        package static let remoteFileSystem = Code(rawValue: "remote-file-system")
        /// The directory is watched already under another path, e.g. the other end of a bind mount.
        package static let watchedElsewhere = Code(rawValue: "watched-elsewhere")
    }

    package let code: Code
    /// What happened, without the path and without a trailing period.
    package let message: String
    /// The directory concerned.
    package let path: FilePath?
    /// What the user can do about it, as an instruction.
    package let hint: String?
    /// The error of the operating system behind it.
    package let underlying: Errno?

    package init(
        _ code: Code, _ message: String, path: FilePath? = nil, hint: String? = nil, underlying: Errno? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.hint = hint
        self.underlying = underlying
    }

    /// The place is the path, and the message ends with what the operating system said.
    package var report: ErrorReport {
        let cause = underlying.map { ": \($0)" } ?? ""
        return ErrorReport(
            code: code.rawValue, place: path.map { "\($0)" }, message: message + cause, hint: hint)
    }
}

extension WatchError {
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
                hint: "give the user that runs this program read and search permission (chmod, setfacl)",
                underlying: errno)
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
            self = .descriptorLimit(errno, path: path)
        case .fileNameTooLong:
            self.init(
                .pathTooLong, "path is too long to be watched", path: path,
                hint: "move the directory closer to the root", underlying: errno)
        default:
            self.init(.systemFailure, "directory can't be watched", path: path, underlying: errno)
        }
    }

    /// All watches of the user are taken; the hint has the sysctl and the value in force.
    static func watchLimit(at path: FilePath) -> WatchError {
        let limit = SystemFile.number("/proc/sys/fs/inotify/max_user_watches")
        let wanted = max(524_288, (limit ?? 0) * 2)
        let now = limit.map { " (it is \($0) now)" } ?? ""
        return WatchError(
            .watchLimit, "no inotify watch is left for this directory", path: path,
            hint: "run 'sysctl fs.inotify.max_user_watches=\(wanted)'\(now) and put that setting into "
                + "/etc/sysctl.d/50-inotify.conf",
            underlying: .noSpace)
    }

    /// Why inotify could not be opened.
    static func notOpened(_ errno: Errno) -> WatchError {
        switch errno {
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem: .descriptorLimit(errno)
        default: WatchError(.systemFailure, "inotify can't be opened", underlying: errno)
        }
    }

    /// Too many inotify instances of the user, or open files of the process.
    static func descriptorLimit(_ errno: Errno, path: FilePath? = nil) -> WatchError {
        let limit = SystemFile.number("/proc/sys/fs/inotify/max_user_instances")
        let wanted = max(512, (limit ?? 0) * 2)
        let now = limit.map { " (it is \($0) now)" } ?? ""
        return WatchError(
            .descriptorLimit, "too many open files or inotify instances", path: path,
            hint:
                "run 'sysctl fs.inotify.max_user_instances=\(wanted)'\(now), or raise the limit of open files "
                + "(ulimit -n, LimitNOFILE=)",
            underlying: errno)
    }
}
