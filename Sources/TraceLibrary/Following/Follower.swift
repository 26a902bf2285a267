internal import Journals
package import RecordFormat
package import SystemPackage
internal import TraceFormat
package import TraceIndex
package import TraceStore

/// Knows how sessions, other journals and queue were when it looked last, and says what is different.
///
/// The owner says where to look (``handle(_:)``) and when to look around (``poll(everything:)``); it has the watcher and the
/// clock.
package actor Follower {
    private let roots: SessionRoots
    private let only: FilePath?
    private let spools: Set<FilePath>
    private let index: JournalIndex?
    private let settleTime: Duration
    private let tell: @Sendable (LibraryEvent) -> Void

    private var sessions: [FilePath: FollowedSession] = [:]
    private var journals: FollowedJournals
    private var queue: FollowedQueue
    /// What no hint comes from.
    private var unwatched: Set<FilePath> = []

    /// - Parameters:
    ///   - only: The one session or other journal that is followed, nil for all below the roots.
    ///   - index: Nil if it can't be used.
    ///   - settleTime: How long a file must have rested before its unfinished last line counts as torn.
    ///   - tell: Called with each difference, in order.
    package init(
        _ roots: SessionRoots, only: FilePath?, queue: QueueDirectories, index: JournalIndex?,
        settleTime: Duration, tell: @escaping @Sendable (LibraryEvent) -> Void
    ) {
        self.roots = roots
        self.only = only
        spools = Set(queue.spools.map(\.path))
        self.index = index
        self.settleTime = settleTime
        self.tell = tell
        journals = FollowedJournals(roots, only: only)
        self.queue = FollowedQueue(queue)
    }

    /// Looks for the first time; what is there already is not told.
    ///
    /// - Returns: How many journals of each kind are followed.
    package func begin() -> [JournalKind: Int] {
        for path in found() { add(path, isNew: false) }
        _ = journals.lookEverywhere()
        _ = queue.look()
        var counts = journals.counts
        let present = sessions.values.count { !$0.isGone }
        if present > 0 { counts[.session] = present }
        return counts
    }

    /// Looks where something was seen.
    package func handle(_ hint: FollowHint) {
        switch hint {
        case .changed(let directory, let name):
            if spools.contains(directory) {
                report(queue.look())
            } else if Journals.all.isHeader(name), sessions[directory] == nil {
                if only == nil { add(directory, isNew: true) }
            } else {
                look(at: directory)
            }
            if !spools.contains(directory) { report(journals.look(in: directory, name)) }
        case .appeared(let directory):
            if directory == only {
                look(at: directory)
            } else if only == nil {
                lookForSessions(in: directory)
            }
            report(journals.look(below: [directory]) + journals.look(in: directory, nil))
            if spools.contains(directory) { report(queue.look()) }
        case .vanished(let directory):
            for path in sessions.keys where path.starts(with: directory) { look(at: path) }
            report(journals.lookAtKnown())
        case .lost: poll(everything: true)
        case .unwatched(let directory): unwatched.insert(directory)
        case .watchedAgain(let directory): unwatched = unwatched.filter { !$0.starts(with: directory) }
        }
    }

    /// Asks what is wrong with sessions that have come to rest; to be called every few tenths of a second.
    package func tick(at now: ContinuousClock.Instant = .now) {
        for path in sessions.keys {
            if let events = sessions[path]?.checkAtRest(at: now), !events.isEmpty { report(events) }
        }
    }

    /// Looks where no hint comes from, and at files whose last line was not whole; to be called every few seconds.
    ///
    /// - Parameter everything: Whether at all the rest too.
    package func poll(everything: Bool) {
        if everything {
            if only == nil { lookForSessions(in: nil) }
            report(journals.lookEverywhere() + journals.lookAtKnown())
        }
        for directory in unwatched {
            if only == nil { lookForSessions(in: directory) }
            report(journals.look(below: [directory]))
        }
        if !everything { report(journals.lookAtKnown(below: unwatched)) }
        for (path, session) in sessions
        where everything || session.isUnsettled || unwatched.contains(where: { path.starts(with: $0) }) {
            look(at: path)
        }
        report(queue.look())
    }

    private func found() -> [FilePath] {
        only.map { [$0] } ?? roots.paths.flatMap { roots.sessions(of: $0) }
    }

    private func lookForSessions(in directory: FilePath?) {
        let found = directory.map { SessionFinder.sessions(in: $0) } ?? found()
        for path in found where sessions[path] == nil { add(path, isNew: true) }
    }

    private func add(_ path: FilePath, isNew: Bool) {
        let indexed = roots.root(of: path)
        guard let root = only ?? indexed else { return }
        // A session that is being made has another name until it is whole.
        let below = path.components.dropFirst(root.components.count)
        guard !below.contains(where: JournalFinder.isSkipped) else { return }
        let isIndexed = indexed.map { JournalFinder.finds(path, below: $0, of: Journals.all) } ?? false
        var session = FollowedSession(
            path, index: isIndexed ? index : nil, root: indexed ?? root, settleTime: settleTime)
        let events = session.look()
        if session.isGone, only == nil { return }
        sessions[path] = session
        if isNew { report([session.event(.session, .appeared)] + events) }
    }

    /// Looks at the session in which a directory lies.
    private func look(at directory: FilePath) {
        var path = directory
        while sessions[path] == nil {
            guard path.removeLastComponent(), !path.isEmpty else { return }
        }
        guard var session = sessions[path] else { return }
        let events = session.look()
        sessions[path] = session.isGone && only == nil ? nil : session
        report(events)
    }

    private func report(_ events: [LibraryEvent]) {
        for event in events { tell(event) }
    }
}
