public import SystemPackage
internal import TraceFiles
internal import TraceStore
public import TraceText

/// An operation on the index that could not finish.
///
/// Callers match on ``code``; the wording of ``message`` and ``hint`` may change in any release.
///
/// Source: style.md, "Errors".
public struct IndexError: StructuredError, Sendable {
    /// The kind of failure. Open, so that new codes don't break callers.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable kebab-case name, as shown in brackets.
        public let rawValue: String

        /// A code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Another process writes, and did not finish before the deadline.
        public static let busy = Code(rawValue: "index-busy")
        /// The database is damaged. One that may be written has been moved aside by then, and rebuilt without rows.
        public static let corrupt = Code(rawValue: "index-corrupt")
        /// The file is a database of another program, or of another version of this one. Only for readers: a writer makes such
        /// a database again.
        public static let otherSchema = Code(rawValue: "index-other-schema")
        /// There is no index at that path, or its directory does not exist.
        public static let notFound = Code(rawValue: "index-not-found")
        /// The index holds no such session.
        public static let noSuchSession = Code(rawValue: "index-no-such-session")
        /// The user may not do this.
        public static let permissionDenied = Code(rawValue: "index-permission-denied")
        /// The file system is full.
        public static let diskFull = Code(rawValue: "index-disk-full")
        /// The file is no longer what the index read.
        public static let stale = Code(rawValue: "index-stale")
        /// The path of the index is not UTF-8, which SQLite asks for.
        public static let invalidPath = Code(rawValue: "index-invalid-path")
        /// It was stopped (``IndexWork/stop()``).
        public static let interrupted = Code(rawValue: "index-interrupted")
        /// The device or the file system failed, or gave a cause that has no code of its own.
        public static let io = Code(rawValue: "index-io")
    }

    /// What kind of failure it was.
    public var code: Code
    /// What went wrong, without the place: one line, no trailing period.
    public var message: String
    /// The file or directory that it is about.
    public var path: FilePath?
    /// What the user can do about it, as an instruction.
    public var hint: String?
    /// What caused it.
    public var underlying: (any Error)?

    /// An error from its parts.
    public init(
        _ code: Code, _ message: String, path: FilePath? = nil, hint: String? = nil,
        underlying: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.path = path
        self.hint = hint
        self.underlying = underlying
    }
}

extension IndexError {
    /// The place is the path.
    public var report: ErrorReport {
        ErrorReport(code: code.rawValue, place: path?.escaped, message: message, hint: hint)
    }
}
