package import SystemPackage
package import TraceFiles
package import TraceIndex
package import TraceStore

/// Makes an index equal to what is below a root. It is the one way there, for the daemon's scans and for commands that ask
/// about many sessions: look for the root, find its sessions, compare them with the rows, read those that lag, forget those
/// that are gone.
///
/// It says what it does in events; who asked decides the outcome of a failure.
package struct RootScanner {
    private let index: JournalIndex
    private let roots: SessionRoots
    private let settleTime: Duration

    /// - Parameter settleTime: How long a file must have rested before its unfinished last line counts as torn.
    package init(_ index: JournalIndex, roots: SessionRoots, settleTime: Duration) {
        self.index = index
        self.roots = roots
        self.settleTime = settleTime
    }

    /// What happens in a scan, in this order.
    package enum Event {
        /// The root can be reached, or can't be, and then nothing more happens.
        case looked(IndexedRoot.State)
        /// All its sessions were found but for those below directories that can't be read. A directory whose header is a dangling
        /// link is none, but may be one soon.
        case found([FilePath], dangling: [FilePath], unreadable: [FileError])
        /// Files of these have other names, by which they may change.
        case otherNames([FilePath: OtherNames])
        /// These are as the index has them.
        case current([FilePath], of: Int)
        /// So many sessions that lag are still to be read.
        case reading(left: Int)
        /// A session was read, or could not be.
        case read(FilePath, Result<JournalReconciliation, any Error>)
        /// What is gone was forgotten: the scan is whole.
        case removed([FilePath])
        /// A step failed; the scan continues with the next one, unless this is thrown on.
        case failed(Step, any Error)
    }

    /// A step of a scan that concerns the root as a whole.
    package enum Step: String {
        case look = "look for the root"
        case compare = "compare with the files"
        case forget = "forget sessions that are gone"
    }

    /// How many sessions are compared before it is asked again whether to stop.
    private static let partSize = 64

    /// Scans a root. A session in a root that is within this one is left to that one's scan.
    ///
    /// - Parameters:
    ///   - shouldStop: Asked at each directory and every few sessions; what was stopped forgets nothing.
    ///   - take: Called with each event; what it throws ends the scan.
    /// - Throws: What `take` throws.
    /// - Complexity: A few `stat` for a session that is as the index has it, and at rest; else the size of what changed.
    package func scan(
        _ root: FilePath, shouldStop: () -> Bool = { false }, _ take: (Event) throws -> Void
    ) throws {
        var state: IndexedRoot.State?
        do { state = try index.visit(root: root) } catch { try take(.failed(.look, error)) }
        if let state { try take(.looked(state)) }
        guard state != .offline else { return }
        var unreadable: [FileError] = []
        var dangling: [FilePath] = []
        let search = JournalFinder.journals(
            in: root, of: index.formats, shouldStop: shouldStop, dangling: { dangling.append($0) }
        ) { unreadable.append($0) }
        // What another path leads to is another root's.
        guard let found = search?.filter({ roots.ownPath(of: $0) == $0 }) else { return }
        try take(.found(found, dangling: dangling, unreadable: unreadable))
        let lagging = try lagging(found.filter { roots.root(of: $0) == root }, in: root, shouldStop, take)
        try read(lagging, shouldStop: shouldStop, take)
        // What is below a directory that can't be read now is not gone.
        guard unreadable.isEmpty, !shouldStop() else { return }
        let gone: [FilePath]
        do {
            gone = try index.retain(sessions: Set(found), in: root) { roots.ownPath(of: $0) != $0 }
        } catch {
            return try take(.failed(.forget, error))
        }
        try take(.removed(gone))
    }

    /// Those that are not as the index has them, where that can be determined.
    private func lagging(
        _ sessions: [FilePath], in root: FilePath, _ shouldStop: () -> Bool, _ take: (Event) throws -> Void
    ) throws -> [FilePath] {
        var lagging: [FilePath] = []
        var next = 0
        while next < sessions.count, !shouldStop() {
            let part = Array(sessions[next...].prefix(Self.partSize))
            next += part.count
            var changed = part
            var otherNames: [FilePath: OtherNames] = [:]
            do {
                changed = try index.outdated(among: part, in: root) { otherNames[$0] = $1 }
            } catch {
                try take(.failed(.compare, error))
            }
            lagging += changed
            if !otherNames.isEmpty { try take(.otherNames(otherNames)) }
            try take(.current(Array(Set(part).subtracting(changed)), of: sessions.count))
        }
        return lagging
    }

    /// Reads what is new of sessions, wherever they lie.
    ///
    /// All of a large file that grew is compared, for one that never rests would never be otherwise.
    ///
    /// - Parameter take: As for ``scan(_:shouldStop:_:)``; called only with ``Event/reading(left:)`` and ``Event/read(_:_:)``.
    package func read(
        _ sessions: [FilePath], shouldStop: () -> Bool = { false }, _ take: (Event) throws -> Void
    ) throws {
        var rest = sessions[...]
        while !rest.isEmpty, !shouldStop() {
            try take(.reading(left: rest.count))
            let changes = index.reconcile(
                first: rest, in: roots.root(of:), settleTime: settleTime, verification: .thorough)
            for (session, change) in zip(rest, changes) { try take(.read(session, change)) }
            rest = rest.dropFirst(changes.count)
        }
    }
}
