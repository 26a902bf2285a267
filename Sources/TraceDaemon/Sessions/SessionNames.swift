internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// Which names matter in a session directory. Exact names are let in, instead of keeping temporary ones out, since every
/// editor and sync tool has its own.
enum SessionNames {
    /// Whether a change of this name can change what is known of a session.
    static func matter(_ name: FilePath.Component) -> Bool {
        let text = name.escaped
        return SessionLayout.files.contains(text) || JournalLayout.session.original(of: text) != nil
    }

    /// Whether a directory is a session.
    static func isSession(_ path: FilePath) throws -> Bool {
        try OpenDirectory(path).statusIfPresent(of: RecordKind.session.component, followingLinks: true) != nil
    }
}
