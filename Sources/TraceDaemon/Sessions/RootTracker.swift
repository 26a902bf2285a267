internal import Journals
internal import Logging
internal import SystemPackage
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// What is known of the roots: which of them can be reached, which sessions are below them, and what can't be read there.
struct RootTracker {
    private(set) var roots: SessionRoots
    /// The sessions that are known, of all roots.
    private(set) var sessions: Set<FilePath> = []
    /// Roots that have been reported as offline.
    private var offline: Set<FilePath> = []
    /// What can't be read below each root.
    private var unreadable: [FilePath: OngoingProblems] = [:]
    /// Roots whose last scan came to its end, and found everything.
    private var scanned: Set<FilePath> = []

    init(_ roots: [FilePath]) { self.roots = SessionRoots(roots) }

    /// Continues with other roots; a scan of all of them is to follow, which finds again what is wrong with them.
    mutating func adopt(_ roots: [FilePath]) {
        self = RootTracker(roots, keeping: sessions)
    }

    private init(_ roots: [FilePath], keeping sessions: Set<FilePath>) {
        self.init(roots)
        self.sessions = sessions.filter { root(of: $0) != nil }
    }

    /// Compares the roots again, before one is scanned.
    mutating func compareAgain() { roots = roots.comparedAgain }

    // MARK: - Where a path lies

    /// The path by which scans come to a directory that the watcher names. A directory has one watch, whichever roots lead there.
    func ownPath(of directory: FilePath) -> FilePath {
        isRoot(directory) ? directory : roots.ownPath(of: directory)
    }

    func isRoot(_ directory: FilePath) -> Bool { roots.paths.contains(directory) }

    /// The root below which a path lies.
    func root(of path: FilePath) -> FilePath? { roots.root(of: path) }

    /// Whether a search of the roots comes to a directory; the private ones of sync tools are left out.
    func isSearched(_ directory: FilePath) -> Bool {
        root(of: directory).map { JournalFinder.searches(directory, below: $0) } ?? false
    }

    /// Whether a directory is a known session, or holds one now.
    func isSession(_ directory: FilePath) -> Bool {
        sessions.contains(directory) || (try? Journals.all.isJournal(directory)) == true
    }

    /// The known session in which a directory lies, such as that of a `media/`.
    func session(enclosing directory: FilePath) -> FilePath? {
        guard let root = root(of: directory) else { return nil }
        var path = directory
        while !sessions.contains(path) {
            if path == root || !path.removeLastComponent() { return nil }
        }
        return path
    }

    /// The known sessions that are in one of some directories, or are one.
    func sessions(inOneOf directories: Set<FilePath>) -> [FilePath] {
        directories.isEmpty ? [] : sessions.filter { $0.lies(inOneOf: directories) }
    }

    // MARK: - What scans and looks find

    /// The index has these sessions as they are.
    mutating func insert(_ sessions: [FilePath]) { self.sessions.formUnion(sessions) }

    /// Takes over what a look at a session's files has found.
    ///
    /// - Returns: False if a session is gone that was not known.
    mutating func note(_ outcome: JournalReconciliation.Outcome, of session: FilePath) -> Bool {
        switch outcome {
        case .unreachable: return true
        case .removed: return sessions.remove(session) != nil
        case .unchanged, .added, .updated:
            sessions.insert(session)
            return true
        }
    }

    /// Forgets the sessions below a root that a whole scan of it has not found.
    mutating func keep(_ found: Set<FilePath>, in root: FilePath) {
        sessions = sessions.filter { found.contains($0) || !$0.lies(in: root) }
    }

    /// Reports what can't be read below a root, and what can be read again.
    mutating func note(unreadable errors: [any StructuredError], in root: FilePath, _ log: Logger) {
        let problems = errors.map { error in
            OngoingProblems.Problem(
                reason: error.report.code ?? "", message: "\(error.report.message)",
                metadata: ["path": "\(error.location?.escaped ?? "")"], level: .warning)
        }
        unreadable[root, default: OngoingProblems(recovery: "can be read again")].update(
            Dictionary(grouping: problems) { $0.metadata["path"]?.description ?? "" }, log)
    }

    // MARK: - Whether scans were whole

    /// A scan of a root has begun, or has failed in a part.
    mutating func noteIncomplete(_ root: FilePath) { scanned.remove(root) }

    /// A scan of a root has come to its end.
    mutating func noteScanned(_ root: FilePath) { scanned.insert(root) }

    /// Whether the root is there, and its last scan has found everything in it.
    func isKnown(_ root: FilePath) -> Bool { scanned.contains(root) && !offline.contains(root) }

    // MARK: - Whether roots are there

    func isOffline(_ root: FilePath) -> Bool { offline.contains(root) }

    /// Reports a root that can't be reached: once, until it is back.
    mutating func noteOffline(_ root: FilePath, _ log: Logger) {
        guard offline.insert(root).inserted else { return }
        log.warning("root is offline", metadata: ["root": "\(root.escaped)"])
    }

    /// Reports a root that can be reached again.
    ///
    /// - Returns: Whether it was offline.
    mutating func noteOnline(_ root: FilePath, _ log: Logger) -> Bool {
        guard offline.remove(root) != nil else { return false }
        log.notice("root is online again", metadata: ["root": "\(root.escaped)"])
        return true
    }
}

extension FilePath {
    fileprivate func lies(inOneOf directories: Set<FilePath>) -> Bool {
        var path = self
        repeat { if directories.contains(path) { return true } } while path.removeLastComponent()
        return false
    }
}
