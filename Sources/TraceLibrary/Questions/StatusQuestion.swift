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
    /// - Parameter library: Its roots and directories are looked at, and nothing is written.
    /// - Complexity: O(sessions below the roots): of each, the identities of its files are compared.
    package func answer(of library: LibraryWriter, now: Timestamp = Clock.now()) -> StatusAnswer {
        let (sessions, lagging, problem) = askIndex(library.roots.paths)
        return StatusAnswer(
            daemon: RunningDaemon.status(
                state: library.stateDirectory, runtimeDirectory: library.runtimeDirectory),
            roots: look(at: library.roots.paths),
            spools: library.queue.spools.map { look(at: $0, of: library.queue) },
            refused: (try? Spool(library.queue.failed).files().count) ?? 0,
            lost: (try? library.lostLines(settleTime: settleTime).find().count) ?? 0,
            index: database, sessions: sessions,
            forgotten: sessions.compactMap { session in
                session.forgotten(now: now, after: staleAfter).map { (session, $0) }
            },
            lagging: lagging, indexProblem: problem)
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

    private func askIndex(_ roots: [FilePath]) -> ([IndexedSession], lagging: Int, (any Error)?) {
        let found = roots.flatMap { SessionFinder.sessions(in: $0) }
        do {
            let index = try SessionIndex(readingAt: database, formats: Journals.all)
            let known = try index.sessions().filter { $0.lies(in: roots) }
            return (known, try index.outdated(among: found).count, nil)
        } catch {
            return ([], found.count, error)
        }
    }
}
