internal import TraceLibrary
internal import SystemPackage
internal import TraceConfiguration
internal import TraceFormat
internal import TraceIndex
internal import TraceStore
internal import TraceWatch

/// Knows how sessions and queue were when it looked last, and tells what is different.
actor Follower {
    private let settings: TraceSettings
    private let only: FilePath?
    private let index: SessionIndex?
    private let form: Form
    /// How lines are printed.
    enum Form {
        case json
        /// For people, with times of a zone.
        case text(ZoneRules)
    }

    /// How many lines may still be printed; nil for any number.
    private var left: Int?

    private var sessions: [FilePath: FollowedSession] = [:]
    private var queue: FollowedQueue
    /// What no event comes from.
    private var unwatched: Set<FilePath> = []

    /// - Parameters:
    ///   - only: The one session that is followed, nil for all below the roots.
    ///   - index: Nil where it can't be used.
    ///   - form: How lines are printed.
    init(
        settings: TraceSettings, only: FilePath?, queue: QueueDirectories, index: SessionIndex?, form: Form,
        limit: Int?
    ) {
        self.settings = settings
        self.only = only
        self.index = index
        self.form = form
        left = limit
        self.queue = FollowedQueue(queue)
    }

    /// Looks for the first time; what is there already is not told.
    ///
    /// - Returns: How many sessions are followed.
    func begin() -> Int {
        for path in found() { add(path, isNew: false) }
        _ = queue.look()
        return sessions.count
    }

    /// Takes an event.
    ///
    /// - Returns: Whether to go on.
    func handle(_ event: WatchEvent) -> Bool {
        switch event {
        case .changed(let directory, let name, _, _):
            if settings.spools.contains(directory) {
                report(queue.look())
            } else if SessionFinder.isHeader(name), sessions[directory] == nil {
                if only == nil { add(directory, isNew: true) }
            } else {
                look(at: directory)
            }
        case .directoryAppeared(let directory):
            if directory == only {
                look(at: directory)
            } else if only == nil {
                lookForSessions(in: directory)
            }
            if settings.spools.contains(directory) { report(queue.look()) }
        case .directoryVanished(let directory):
            for path in sessions.keys where path.starts(with: directory) { look(at: path) }
        case .rescan: return poll(everything: true)
        case .unwatched(let directory, _): unwatched.insert(directory)
        case .watchedAgain(let directory): unwatched = unwatched.filter { !$0.starts(with: directory) }
        }
        return isWanted
    }

    /// Asks what is wrong with sessions that have come to rest.
    ///
    /// - Returns: Whether to go on.
    func tick() -> Bool {
        for path in sessions.keys {
            if let lines = sessions[path]?.checkAtRest(), !lines.isEmpty { report(lines) }
        }
        return isWanted
    }

    /// Looks where no event comes from, and at files whose last line was not whole.
    ///
    /// - Parameter everything: Whether at all the rest too.
    /// - Returns: Whether to go on.
    func poll(everything: Bool) -> Bool {
        if everything, only == nil { lookForSessions(in: nil) }
        for directory in unwatched where only == nil { lookForSessions(in: directory) }
        for (path, session) in sessions
        where everything || session.isUnsettled || unwatched.contains(where: { path.starts(with: $0) }) {
            look(at: path)
        }
        report(queue.look())
        return isWanted
    }

    private var isWanted: Bool { left != 0 && !Output.isAbandoned }

    private func found() -> [FilePath] {
        only.map { [$0] } ?? settings.roots.flatMap { SessionFinder.sessions(in: $0) }
    }

    private func lookForSessions(in directory: FilePath?) {
        let found = directory.map { SessionFinder.sessions(in: $0) } ?? found()
        for path in found where sessions[path] == nil { add(path, isNew: true) }
    }

    private func add(_ path: FilePath, isNew: Bool) {
        let indexed = SessionRoots(settings.roots).root(of: path)
        guard let root = only ?? indexed else { return }
        // A session that is being made has another name until it is whole.
        let below = path.components.dropFirst(root.components.count)
        guard !below.contains(where: SessionFinder.isPassedOver) else { return }
        var session = FollowedSession(
            path, index: indexed == nil ? nil : index, root: indexed ?? root, settleTime: settings.settleTime)
        let lines = session.look()
        if session.isGone, only == nil { return }
        sessions[path] = session
        if isNew { report([session.line(.session, .appeared)] + lines) }
    }

    /// Looks at the session in which a directory lies.
    private func look(at directory: FilePath) {
        var path = directory
        while sessions[path] == nil {
            guard path.removeLastComponent(), !path.isEmpty else { return }
        }
        guard var session = sessions[path] else { return }
        let lines = session.look()
        sessions[path] = session.isGone && only == nil ? nil : session
        report(lines)
    }

    private func report(_ lines: [WatchLine]) {
        for line in lines where left != 0 {
            switch form {
            case .json: Output.json(line.json)
            case .text(let zone): Output.line(line.text(in: zone))
            }
            left = left.map { $0 - 1 }
        }
    }
}
