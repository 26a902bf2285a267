internal import Journals
package import SystemPackage
internal import TraceFiles
package import TraceIndex
internal import TraceStore
package import TraceText

/// All sessions below the roots as one thing, and the index of them.
///
/// It prints nothing: events on the way are reported as a ``Notice``.
package struct JournalLibrary {
    let roots: SessionRoots
    /// Made where it is missing; the index is in it.
    let stateDirectory: FilePath
    /// Where an index is made for one question, when the one that stands can't be used.
    package let temporaryDirectory: FilePath
    /// How long a file must have rested before its unfinished last line counts as torn.
    package let settleTime: Duration
    let database: FilePath
    /// An index that the process keeps open; nil to open one for each question.
    private let index: JournalIndex?
    /// Asks the daemon what need not be compared; nil to compare everything.
    let watched: (@Sendable () -> WatchedRoots?)?
    /// By which threads share the work of comparing everything; nil for a process that asks one question at a time.
    let sweeps: SharedSweeps?
    let tell: (Notice) -> Void

    /// An event while an answer is computed.
    package enum Notice {
        /// Where the answer comes from.
        case answered(Source)
        /// A root is there, and empty, as a disk that is not mounted leaves it: its sessions are those last known.
        case rootIsEmpty(FilePath)
        /// A root is not there, and nothing below it was ever known, as where nothing is set up yet; with what can't be searched.
        case rootIsNew(any StructuredError)
        /// A directory can't be searched, which is not reported elsewhere.
        case unreadable(any StructuredError)
        /// The index was rebuilt, and why.
        case indexIsNew(String)
        /// So many sessions of a root are still to be read; at the end none.
        case reading(left: Int)
    }

    /// The origin of an answer.
    package enum Source {
        /// The index, after so many sessions that lagged were read.
        case index(lagging: Int)
        /// The index, which a daemon has brought up to date.
        case watchedIndex
        /// The index, after the one session was read if it lagged.
        case indexOfSession(lagged: Bool)
        /// The files, and why.
        case files(String)
    }

    /// - Parameters:
    ///   - database: Where the index lies.
    ///   - index: The same, if the process keeps it open.
    ///   - watched: Asks the daemon of that index what it knows of everything that was written before the call; nil if it does not
    ///     know. It may block for a moment.
    ///   - sweeps: By which threads share the work of comparing everything.
    package init(
        roots: SessionRoots, stateDirectory: FilePath, database: FilePath, index: JournalIndex? = nil,
        temporaryDirectory: FilePath, settleTime: Duration,
        watched: (@Sendable () -> WatchedRoots?)? = nil, sweeps: SharedSweeps? = nil,
        tell: @escaping (Notice) -> Void
    ) {
        self.roots = roots
        self.stateDirectory = stateDirectory
        self.database = database
        self.index = index
        self.temporaryDirectory = temporaryDirectory
        self.settleTime = settleTime
        self.watched = watched
        self.sweeps = sweeps
        self.tell = tell
    }

    /// Opens the index, making it where it is missing.
    ///
    /// - Throws: ``IndexError``, ``FileError``.
    package func openIndex() throws -> JournalIndex {
        try index?.checkFile()
        let index = try index ?? openDatabase()
        for note in index.drainNotices() { tell(.indexIsNew(note)) }
        return index
    }

    /// Tells what has happened to an index while it was asked. One that the process keeps is asked for that by who keeps it.
    func tellNotices(of index: JournalIndex) {
        guard self.index == nil else { return }
        for note in index.drainNotices() { tell(.indexIsNew(note)) }
    }

    private func openDatabase() throws -> JournalIndex {
        try OpenDirectory.make(stateDirectory)
        return try JournalIndex(at: database, formats: Journals.all)
    }

    /// The index, brought up to date for a session, or nil if it can't be used; the files answer then.
    package func index(upToDateFor session: FilePath) -> JournalIndex? {
        if let reason = reasonNotIndexed(session) {
            tell(.answered(.files(reason)))
            return nil
        }
        do {
            let index = try openIndex()
            let change = try index.reconcile(
                journal: session, in: roots.root(of: session), settleTime: settleTime,
                verification: .thorough)
            tell(.answered(.indexOfSession(lagged: change.outcome != .unchanged)))
            return index
        } catch {
            tell(.answered(.files("\(error)")))
            return nil
        }
    }

    /// Why a session is not in the index; nil if it is to be. Only what a search of the roots finds is: of other sessions nobody
    /// would see that they are gone.
    func reasonNotIndexed(_ session: FilePath) -> String? {
        let own = roots.ownPath(of: session)
        if own != session { return "a search of the roots finds the session as \(own.escaped)" }
        guard let root = roots.root(of: session) else {
            return "the session is not below any configured root"
        }
        guard !JournalFinder.finds(session, below: root, of: Journals.all) else { return nil }
        return "a search of the roots does not find the session by this path"
    }

    /// What the index knows of the sessions below the roots, the latest first.
    ///
    /// - Parameter filter: Its roots are the library's, or those of them that it names.
    /// - Throws: ``IndexError``.
    package func list(
        _ index: JournalIndex, _ filter: SessionFilter = SessionFilter()
    ) throws -> [IndexedSession] {
        let offline = try roots.paths.filter { try index.look(atRoot: $0) == .offline }
        var filter = filter
        filter.roots = filter.roots.map { $0.filter(roots.paths.contains) } ?? roots.paths
        filter.tags = filter.tags.filter { !$0.isEmpty }
        return try index.sessions(filter).map { known in
            var session = known
            session.isOnline = !known.lies(in: offline)
            return session
        }
    }
}

extension IndexedSession {
    /// Whether it was found below one of these roots; the index may know others.
    package func lies(in roots: [FilePath]) -> Bool { root.map(roots.contains) ?? false }
}
