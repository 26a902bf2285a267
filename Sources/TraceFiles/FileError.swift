internal import Glibc
public import SystemPackage
public import TraceText

/// An operation on files that could not finish.
///
/// Callers match on ``code``; the wording of ``message`` and ``hint`` may change in any release.
/// ``description`` reads *where: what*, then the cure on a line of its own:
///
/// ```
/// live/markers.jsonl: cannot write: No space left on device [disk-full]
///   hint: free some space on this file system, then try again
/// ```
///
/// Source: style.md, "Errors"; design.md, law 6.
public struct FileError: StructuredError, Sendable, Equatable {
    /// The kind of failure. Open, so that new codes don't break callers.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable kebab-case name, as shown in brackets.
        public let rawValue: String

        /// A code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Another process holds the session's lock, and did not let go before the deadline.
        public static let sessionLocked = Code(rawValue: "session-locked")
        /// The file system, or the user's quota on it, is full.
        public static let diskFull = Code(rawValue: "disk-full")
        /// The file would grow beyond what the file system or the process limit allows.
        public static let fileTooLarge = Code(rawValue: "file-too-large")
        /// The file system is mounted read-only.
        public static let readOnly = Code(rawValue: "read-only")
        /// The user may not do this.
        public static let permissionDenied = Code(rawValue: "permission-denied")
        /// The file, or a directory on the way to it, does not exist.
        public static let notFound = Code(rawValue: "not-found")
        /// The name is taken, and its holder is not to be replaced.
        public static let alreadyExists = Code(rawValue: "already-exists")
        /// The file is no longer what it was when the operation began; start over from a fresh read.
        public static let changedMeanwhile = Code(rawValue: "changed-meanwhile")
        /// What was written could not be found again, or does not have the promised size or checksum.
        public static let verificationFailed = Code(rawValue: "verification-failed")
        /// The caller's bytes or names, or the file's size, are outside what the operation accepts.
        public static let invalidData = Code(rawValue: "invalid-data")
        /// A regular file was needed, and the name is that of a directory, pipe, socket or device.
        public static let notRegularFile = Code(rawValue: "not-regular-file")
        /// The path leads through a link, and a path without links was needed.
        public static let leavesSession = Code(rawValue: "leaves-session")
        /// The process or the system has no descriptor left.
        public static let tooManyOpenFiles = Code(rawValue: "too-many-open-files")
        /// Neither the file system nor the runtime directory can hold a lock.
        public static let lockUnsupported = Code(rawValue: "lock-unsupported")
        /// The device or the file system failed, or gave a cause that has no code of its own.
        public static let io = Code(rawValue: "io")
    }

    /// What kind of failure it was.
    public var code: Code
    /// What went wrong, without the place: one line, no trailing period.
    public var message: String
    /// The file or directory that it is about.
    public var path: FilePath?
    /// The line, from 1.
    public var line: Int?
    /// The byte in the file, from 0.
    public var byteOffset: Int64?
    /// What the user can do about it, as an instruction.
    public var hint: String?
    /// What the kernel answered, if it was the kernel that refused.
    public var underlying: Errno?

    /// An error from its parts.
    public init(
        _ code: Code, _ message: String, path: FilePath? = nil, line: Int? = nil, byteOffset: Int64? = nil,
        hint: String? = nil, underlying: Errno? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.line = line
        self.byteOffset = byteOffset
        self.hint = hint
        self.underlying = underlying
    }

    /// What the kernel's refusal of `operation` means, with the cure where there is one.
    ///
    /// - Parameter operation: What was tried, to be read after "cannot", e.g. `"write"` or `"open for
    ///   appending"`.
    public init(_ operation: String, _ path: FilePath?, _ underlying: Errno) {
        let (code, hint) = Self.meaning(of: underlying)
        let isAbsent = underlying == .noSuchFileOrDirectory && Self.lookups.contains(operation)
        self.init(
            code, isAbsent ? "does not exist" : "cannot \(operation): \(underlying)", path: path, hint: hint,
            underlying: underlying)
    }
}

extension FileError {
    /// The place is the path, with line and byte where they are known.
    public var report: ErrorReport {
        var place = path.map(\.escaped) ?? ""
        if let line { place += place.isEmpty ? "line \(line)" : ":\(line)" }
        if let byteOffset { place += place.isEmpty ? "byte \(byteOffset)" : " (byte \(byteOffset))" }
        return ErrorReport(
            code: code.rawValue, place: place.isEmpty ? nil : place, message: message, hint: hint)
    }
}

extension FileError {
    /// What is tried with a path whose file is taken to be there; if it is not, that says all.
    private static let lookups: Set<String> = [
        "open", "open the directory", "read the status", "list the directory", "read the link",
    ]

    /// The code of a kernel answer and its cure.
    ///
    /// Source: the ERRORS sections of open(2), write(2), fsync(2) and rename(2).
    private static func meaning(of errno: Errno) -> (Code, hint: String?) {
        switch errno.rawValue {
        case ENOSPC: (.diskFull, "free some space on this file system, then try again")
        case EDQUOT: (.diskFull, "free some space or have the quota raised, then try again")
        case EFBIG:
            (
                .fileTooLarge,
                "raise the process limit (ulimit -f) or use a file system that supports larger files"
            )
        case EROFS:
            (.readOnly, "mount the file system writable (mount -o remount,rw) or choose another place")
        case EACCES:
            (.permissionDenied, "give the user that runs this permission on the file and its directory")
        case EPERM:
            (.permissionDenied, "check the owner and the attributes (lsattr) of the file and its directory")
        case ENOENT: (.notFound, "check the path; if it is on a removable or network disk, mount the disk")
        case ENOTDIR: (.notFound, "part of this path is a file, not a directory; check the path")
        case EEXIST, ENOTEMPTY: (.alreadyExists, "move the existing file away or choose another name")
        case EISDIR, ENXIO, ENODEV: (.notRegularFile, "put a regular file in its place")
        case ELOOP: (.leavesSession, "replace the symbolic link with its target")
        case ENAMETOOLONG, EILSEQ: (.invalidData, "choose a shorter or simpler name")
        case EMFILE, ENFILE: (.tooManyOpenFiles, "raise the limit of open files (ulimit -n, LimitNOFILE=)")
        case EIO: (.io, "check the disk (dmesg, smartctl) before writing to it again")
        case ESTALE: (.io, "the network file system lost the file; mount it again")
        default: (.io, nil)
        }
    }
}

/// Runs system calls and turns their refusal into a ``FileError`` that says what was tried, and where.
package func explaining<Result: ~Copyable>(
    _ operation: String, _ path: @autoclosure () -> FilePath, _ calls: () throws(Errno) -> Result
) throws(FileError) -> Result {
    do { return try calls() } catch { throw FileError(operation, path(), error) }
}
