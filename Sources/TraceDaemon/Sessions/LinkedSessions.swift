internal import SystemPackage
internal import TraceFiles
internal import TraceStore

/// Sessions whose files may change without an event for the session's directory: a file is a symbolic link, or has a second name.
/// They are compared whenever somebody asks.
struct LinkedSessions {
    private var names: [FilePath: OtherNames] = [:]

    /// More than these are not compared: to compare everything costs about the same, and finds more.
    static let limit = 1000

    var paths: some Collection<FilePath> { names.keys }

    /// Whether there are so few that they are compared.
    var areComparable: Bool { names.count <= Self.limit }

    /// Notes what a look at a session's files has found.
    ///
    /// - Returns: Whether it is news that a file has a second name: it may be that of another session's file, in whose directory
    ///   nothing has happened.
    mutating func note(_ session: FilePath, _ found: OtherNames) -> Bool {
        let known = names[session] ?? []
        names[session] = found.isEmpty ? nil : found
        return found.contains(.hardLink) && !known.contains(.hardLink)
    }

    /// Forgets those below a root that is scanned.
    mutating func forget(below root: FilePath) {
        if !names.isEmpty { names = names.filter { !$0.key.lies(in: root) } }
    }
}
