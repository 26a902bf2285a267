internal import Glibc
public import SystemPackage
public import TraceText

/// The kinds of failure of operations on files.
public enum FileErrorCode: String, ErrorCode {
    /// A file or directory, with the line and byte in it.
    public typealias Place = FileLocation

    /// Another process holds the session's lock, and did not let go before the deadline.
    case sessionLocked = "session-locked"
    /// The file system, or the user's quota on it, is full.
    case diskFull = "disk-full"
    /// The file would grow beyond what the file system or the process limit allows.
    case fileTooLarge = "file-too-large"
    /// The file system is mounted read-only.
    case readOnly = "read-only"
    /// The user may not do this.
    case permissionDenied = "permission-denied"
    /// The file, or a directory on the way to it, does not exist.
    case notFound = "not-found"
    /// The name is taken, and its holder is not to be replaced.
    case alreadyExists = "already-exists"
    /// The file is no longer what it was when the operation began; start over from a fresh read.
    case changedMeanwhile = "changed-meanwhile"
    /// What was written could not be found again, or does not have the promised size or checksum.
    case verificationFailed = "verification-failed"
    /// The caller's bytes or names, or the file's size, are outside what the operation accepts.
    case invalidData = "invalid-data"
    /// A regular file was needed, and the name is that of a directory, pipe, socket or device.
    case notRegularFile = "not-regular-file"
    /// The path leads through a link, and a path without links was needed.
    case leavesSession = "leaves-session"
    /// The process or the system has no descriptor left.
    case tooManyOpenFiles = "too-many-open-files"
    /// Neither the file system nor the runtime directory can hold a lock.
    case lockUnsupported = "lock-unsupported"
    /// The device or the file system failed, or gave a cause that has no code of its own.
    case io = "io"

    /// See docs/errors.md.
    public var meaning: ErrorMeaning {
        switch self {
        case .sessionLocked:
            ErrorMeaning(http: 503, exit: .tryAgain, .again)
        case .diskFull:
            ErrorMeaning(http: 507, exit: .inputOutput, .waits)
        case .fileTooLarge:
            ErrorMeaning(http: 413, exit: .inputOutput, .waits)
        case .readOnly, .tooManyOpenFiles, .io:
            ErrorMeaning(http: 503, exit: .inputOutput, .waits)
        case .permissionDenied:
            ErrorMeaning(http: 403, exit: .permission, .waits)
        case .notFound:
            ErrorMeaning(http: 404, exit: .noSession, .waits)
        case .alreadyExists:
            ErrorMeaning(http: 409, exit: .cannotCreate, .refused)
        case .changedMeanwhile:
            ErrorMeaning(http: 412, ofQuestion: 503, exit: .tryAgain, .again)
        case .verificationFailed, .lockUnsupported:
            ErrorMeaning(http: 500, exit: .inputOutput, .waits)
        case .invalidData:
            ErrorMeaning(http: 422, exit: .badData, .refused)
        case .notRegularFile:
            ErrorMeaning(http: 404, exit: .inputOutput, .waits)
        case .leavesSession:
            ErrorMeaning(http: 404, exit: .badData, .refused)
        }
    }
}

/// A place in a file system.
public struct FileLocation: ErrorPlace {
    /// The file or directory.
    public var path: FilePath?
    /// The line, from 1.
    public var line: Int?
    /// The byte in the file, from 0.
    public var byteOffset: Int64?

    /// A place of its parts.
    public init(_ path: FilePath?, line: Int? = nil, byteOffset: Int64? = nil) {
        self.path = path
        self.line = line
        self.byteOffset = byteOffset
    }

    /// The path, with line and byte where they are known.
    public var text: String? {
        var text = path.map(\.escaped) ?? ""
        if let line { text += text.isEmpty ? "line \(line)" : ":\(line)" }
        if let byteOffset { text += text.isEmpty ? "byte \(byteOffset)" : " (byte \(byteOffset))" }
        return text.isEmpty ? nil : text
    }
}

extension CodedError where Codes.Place == FileLocation {
    /// An error from its parts.
    public init(
        _ code: Codes, _ message: String, path: FilePath? = nil, line: Int? = nil, byteOffset: Int64? = nil,
        cure: Cure? = nil, underlying: (any Error)? = nil
    ) {
        self.init(
            code, message, at: FileLocation(path, line: line, byteOffset: byteOffset), cure: cure,
            underlying: underlying)
    }

    /// The file or directory that it is about.
    public var path: FilePath? {
        get { place?.path }
        set { place = FileLocation(newValue, line: place?.line, byteOffset: place?.byteOffset) }
    }

    /// What the kernel answered, if it was the kernel that refused.
    public var errno: Errno? { underlying as? Errno }
}

/// An error that is about a file or directory.
package protocol LocatedError: StructuredError {
    /// The file or directory.
    var path: FilePath? { get }
}

extension CodedError: LocatedError where Codes.Place == FileLocation {}

extension StructuredError {
    /// The file or directory that it is about, if it is about one.
    package var location: FilePath? { (self as? any LocatedError)?.path }
}

extension Error {
    /// The error itself, or in its words what has no parts.
    package var structured: any StructuredError { self as? any StructuredError ?? FileError(.io, "\(self)") }
}

/// An operation on files that could not finish.
public typealias FileError = CodedError<FileErrorCode>

extension FileError {
    /// What the kernel's refusal of `operation` means, with the cure where there is one.
    ///
    /// - Parameter operation: What was tried, to be read after "cannot", e.g. `"write"` or `"open for
    ///   appending"`.
    public init(_ operation: String, _ path: FilePath?, _ underlying: Errno) {
        let (code, cure) = Self.meaning(of: underlying)
        let isAbsent = underlying == .noSuchFileOrDirectory && Self.lookups.contains(operation)
        self.init(
            code, isAbsent ? "does not exist" : "cannot \(operation): \(underlying)", path: path, cure: cure,
            underlying: underlying)
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
    private static func meaning(of errno: Errno) -> (Code, cure: Cure?) {
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
