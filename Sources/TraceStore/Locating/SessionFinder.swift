public import SystemPackage
public import TraceFiles

/// Finds session directories below a root: every directory that holds a `session.json`.
public enum SessionFinder {
    /// The sessions below `root`, itself included, in the order of their paths.
    ///
    /// - Parameter report: Called with each directory that can't be read; the others are searched anyway.
    public static func sessions(in root: FilePath, report: (FileError) -> Void = { _ in }) -> [FilePath] {
        JournalFinder.journals(in: root, of: sessions, report: report) ?? []
    }

    private static let sessions = JournalRegistry([SessionFormat()])
}
