internal import Journals
package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceStore

/// How the daemon, the roots, the queue and the index are: `trace status`.
package struct StatusQuestion: Sendable {
    /// Where the index is.
    package let database: FilePath
    /// After how long without an event an active session counts as forgotten.
    package let staleAfter: Duration
    /// How long a file must have rested before what it lacks counts as gone.
    package let settleTime: Duration

    /// The state of everything.
    package init(database: FilePath, staleAfter: Duration, settleTime: Duration) {
        self.database = database
        self.staleAfter = staleAfter
        self.settleTime = settleTime
    }

    /// How everything is now. What can't be read is in the answer as a problem.
    ///
    /// - Parameters:
    ///   - library: Its roots and directories are looked at, and nothing is written.
    ///   - watched: Asks the daemon what it knows of everything that was written before the call.
    /// - Complexity: O(sessions below the roots): of each that no daemon watches, the identities of its files are compared.
    package func answer(
        of library: LibraryWriter, watched: () -> WatchedRoots? = { nil }, now: Timestamp = Clock.now()
    ) -> StatusAnswer {
        let known = KnownSessions(of: library.roots, in: database, watched: watched)
        let asked = askIndex(library.roots.paths, known)
        return StatusAnswer(
            daemon: RunningDaemon.status(
                state: library.stateDirectory, runtimeDirectory: library.runtimeDirectory),
            roots: look(at: library.roots.paths),
            spools: library.queue.spools.map { look(at: $0, of: library.queue) },
            refused: (try? Spool(library.queue.failed).files().count) ?? 0,
            lost: (try? library.lostLines(settleTime: settleTime).find().count) ?? 0,
            index: database, sessions: asked.sessions, journals: asked.journals, active: asked.active,
            forgotten: asked.active.compactMap { session in
                session.forgotten(now: now, after: staleAfter).map { (session, $0) }
            },
            lagging: asked.lagging, laggingJournals: asked.laggingJournals, indexProblem: asked.problem,
            isWatched: known?.roots.isSuperset(of: library.roots.paths) ?? false)
    }

    /// Of a spool with more entries than these only their number is told: the rest would take reading each.
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
        let index = try? SessionIndex(readingAt: database, formats: Journals.all)
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
        var problem: (any Error)?
    }

    /// The journals other than sessions.
    private func others(_ index: SessionIndex, _ roots: [FilePath]) throws -> [IndexedJournal] {
        let kinds = index.formats.otherKinds
        return kinds.isEmpty ? [] : try index.journals(.roots(roots), kinds: kinds)
    }

    private func askIndex(_ roots: [FilePath], _ known: KnownSessions?) -> Asked {
        let found = roots.filter { known?.roots.contains($0) != true }.flatMap {
            JournalFinder.journals(in: $0, of: Journals.all) ?? []
        }
        do {
            let index = try known?.index ?? SessionIndex(readingAt: database, formats: Journals.all)
            var filter = SessionFilter()
            filter.roots = roots
            filter.status = .active
            let outdated = try index.outdated(among: found)
            return Asked(
                sessions: try index.summary(below: roots), journals: try others(index, roots),
                active: try index.sessions(filter, isCounted: false),
                lagging: outdated.count, laggingJournals: Self.others(among: outdated))
        } catch {
            return Asked(
                lagging: found.count, laggingJournals: Self.others(among: found), problem: error)
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
