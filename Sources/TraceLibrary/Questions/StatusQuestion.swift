internal import Journals
package import RecordFormat
package import SystemPackage
internal import TraceAccess
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// How the daemon, the roots, the queue and the index are: `trace status`.
package struct StatusQuestion: Sendable {
    /// Where the index is.
    let database: FilePath
    /// After how long without an event an active session counts as forgotten.
    let staleAfter: Duration
    /// How long a file must have rested before what it lacks counts as gone.
    let settleTime: Duration
    /// Whether tokens count although others could exchange the state directory.
    private let isStateShared: Bool
    /// Where an index is made of what the other one lacks.
    private let temporaryDirectory: FilePath

    /// The state of everything.
    package init(
        database: FilePath, staleAfter: Duration, settleTime: Duration, isStateShared: Bool = false,
        temporaryDirectory: FilePath = "/tmp"
    ) {
        self.isStateShared = isStateShared
        self.database = database
        self.staleAfter = staleAfter
        self.settleTime = settleTime
        self.temporaryDirectory = temporaryDirectory
    }

    /// How everything is now. What can't be read is in the answer as a problem. What the index lacks is read for this answer alone,
    /// unless that is much: then the answer says that its numbers are older (``StatusAnswer/isOutdated``).
    ///
    /// - Parameters:
    ///   - library: Its roots and directories are looked at, and nothing is written.
    ///   - watched: Asks the daemon what it knows of everything that was written before the call.
    /// - Complexity: O(sessions below the roots): of each that no daemon watches, the identities of its files are compared; and the
    ///   size of those that are read, ``readLimit`` at most.
    package func answer(
        of library: LibraryWriter, watched: () -> WatchedRoots? = { nil }, now: Timestamp = Clock.now()
    ) -> StatusAnswer {
        let known = KnownSessions(of: library.roots, in: database, watched: watched)
        let asked = askIndex(library.roots, known)
        return StatusAnswer(
            daemon: RunningDaemon.status(
                state: library.stateDirectory, runtimeDirectory: library.runtimeDirectory),
            roots: look(at: library.roots.paths),
            spools: library.queue.spools.map { look(at: $0, of: library.queue) },
            refused: (try? Spool(library.queue.failed).files().count) ?? 0,
            unplaced: library.keptCount, lost: lost(in: library), deleted: library.bin.items().count,
            exposure: StateDirectoryCheck.exposure(of: library.stateDirectory, isShared: isStateShared),
            index: database, sessions: asked.sessions, journals: asked.journals, active: asked.active,
            forgotten: asked.active.compactMap { session in
                session.forgotten(now: now, after: staleAfter).map { (session, $0) }
            },
            lagging: asked.lagging, laggingJournals: asked.laggingJournals, isOutdated: asked.isOutdated,
            indexProblem: asked.problem,
            isWatched: known?.roots.isSuperset(of: library.roots.paths) ?? false)
    }

    /// What was written and another program has overwritten.
    private func lost(in library: LibraryWriter) -> Int {
        let lines = (try? library.missingLines(settleTime: settleTime).count) ?? 0
        return library.overwrittenJournals(settleTime: settleTime).reduce(lines) { $0 + $1.records.count }
    }

    /// Of a spool with more entries than these only their number is given: the rest would take reading each.
    private static let inspectedEntries = 1000

    private func look(at spool: Spool, of queue: QueueDirectories) -> StatusAnswer.Queue {
        do {
            let files = try spool.files()
            var answer = StatusAnswer.Queue(path: spool.path, waiting: files.count)
            guard files.count <= Self.inspectedEntries else { return answer }
            answer.awaitingAudio = files.count { file in
                (try? spool.read(file)).map { queue.missingAudio(of: $0, in: spool) != nil } ?? false
            }
            return answer
        } catch {
            return StatusAnswer.Queue(path: spool.path, waiting: 0, problem: error)
        }
    }

    private func look(at roots: [FilePath]) -> [StatusAnswer.Root] {
        let index = try? JournalIndex(readingAt: database, formats: Journals.all)
        return roots.map { root in
            let state = try? index?.look(atRoot: root)
            return StatusAnswer.Root(
                path: root, isOnline: state.map { $0 == .online } ?? ((try? OpenDirectory(root)) != nil))
        }
    }

    private struct Asked {
        var sessions = SessionSummary()
        var journals: [IndexedJournal] = []
        var active: [IndexedSession] = []
        var lagging = 0
        var laggingJournals: [JournalKind: Int] = [:]
        var isOutdated = false
        var problem: (any Error)?
    }

    /// The journals other than sessions.
    private func others(_ index: JournalIndex, _ roots: [FilePath]) throws -> [IndexedJournal] {
        let kinds = index.formats.otherKinds
        return kinds.isEmpty ? [] : try index.journals(.roots(roots), kinds: kinds)
    }

    /// Of more journals that the index lacks none are read for the answer: while a daemon reads all of them for the first time, say.
    private static let readLimit = 256

    private func askIndex(_ roots: SessionRoots, _ known: KnownSessions?) -> Asked {
        let unknown = roots.paths.filter { known?.roots.contains($0) != true }
        var found: [FilePath] = []
        var searched: [(root: FilePath, journals: Set<FilePath>)] = []
        for root in unknown {
            var isWhole = true
            let journals = roots.journals(of: root) { _ in isWhole = false }
            found += journals
            if isWhole { searched.append((root, Set(journals))) }
        }
        do {
            let index = try known?.index ?? JournalIndex(readingAt: database, formats: Journals.all)
            let outdated = try index.outdated(among: found)
            let gone = try searched.filter { try index.look(atRoot: $0.root) == .online }.flatMap {
                searched in
                try index.journals(in: searched.root).filter { !searched.journals.contains($0) }
            }
            var asked = try numbers(index, roots.paths)
            asked.lagging = outdated.count + gone.count
            asked.laggingJournals = Self.others(among: outdated)
            if asked.lagging == 0 { return asked }
            if outdated.count <= Self.readLimit,
                let now = try? upToDate(asked, outdated, gone, index, roots)
            {
                return now
            }
            asked.isOutdated = true
            return asked
        } catch {
            return Asked(
                lagging: found.count, laggingJournals: Self.others(among: found), problem: error)
        }
    }

    /// What an index says.
    private func numbers(_ index: JournalIndex, _ roots: [FilePath]) throws -> Asked {
        var filter = SessionFilter()
        filter.roots = roots
        filter.status = .active
        return Asked(
            sessions: try index.summary(below: roots), journals: try others(index, roots),
            active: try index.sessions(filter, isCounted: false))
    }

    /// What the files say in the place of what an index says of some journals.
    ///
    /// - Parameter gone: Those that are there no more.
    private func upToDate(
        _ old: Asked, _ outdated: [FilePath], _ gone: [FilePath], _ index: JournalIndex, _ roots: SessionRoots
    ) throws -> Asked {
        try PrivateDirectory.with(in: temporaryDirectory) { directory in
            let fresh = try JournalIndex(ownAt: directory.appending("index.sqlite"), formats: Journals.all)
            // Of what can't be read, the last that is known counts.
            let read = outdated.filter { path in
                let change = try? fresh.reconcile(
                    journal: path, in: roots.root(of: path), settleTime: settleTime, verification: .thorough)
                return change.map { $0.outcome != .unreachable } ?? false
            }
            let replaced = Set(read + gone)
            var asked = old
            for path in replaced {
                for known in try index.journals(.session(path), kinds: [.session])
                where known.root.map(roots.paths.contains) ?? false {
                    asked.sessions.count -= 1
                    asked.sessions.findingCounts.merge(known.findingCounts) { $0 - $1 }
                }
            }
            let new = try numbers(fresh, roots.paths)
            asked.sessions.count += new.sessions.count
            asked.sessions.findingCounts.merge(new.sessions.findingCounts) { $0 + $1 }
            asked.journals = old.journals.filter { !replaced.contains($0.path) } + new.journals
            asked.active = old.active.filter { !replaced.contains($0.path) } + new.active
            // As the index lists them: the latest start first.
            asked.active.sort { ($0.startTime?.milliseconds ?? .min) > ($1.startTime?.milliseconds ?? .min) }
            return asked
        }
    }

    /// How many journals of each kind but sessions there are. What can't be looked at is a session, which is what most of them are.
    private static func others(among paths: [FilePath]) -> [JournalKind: Int] {
        paths.reduce(into: [:]) { counts, path in
            let snapshot = try? Journals.all.snapshot(at: path, settleTime: .zero)
            guard let kind = snapshot?.format.layout.kind, kind != .session else { return }
            counts[kind, default: 0] += 1
        }
    }
}
