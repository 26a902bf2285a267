package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceIndex
package import TraceStore
package import TraceText

/// How the daemon, the roots, the queue and the index are.
package struct StatusAnswer {
    /// A configured root.
    package struct Root: Sendable {
        package let path: FilePath
        package let isOnline: Bool
    }

    /// A spool.
    package struct Queue {
        package let path: FilePath
        /// How many entries are in it; none if it can't be listed.
        package let waiting: Int
        /// How many of them wait for their audio; none if there are too many to look at each.
        package var awaitingAudio = 0
        /// Why it can't be listed.
        package var problem: (any Error)?
    }

    /// Nil if none runs.
    package let daemon: DaemonStatus?
    package let roots: [Root]
    package let spools: [Queue]
    /// How many entries were refused.
    package let refused: Int
    /// How many moments are kept whose session is not known.
    package let unplaced: Int
    /// How many records of the user's another program has overwritten.
    package let lost: Int
    /// How many deleted sessions are in the bin.
    package let deleted: Int
    /// Why no token counts: others could put another directory in the place of the state directory.
    package let exposure: (any StructuredError)?
    /// Where the index is.
    package let index: FilePath
    /// What the index knows of the sessions below the roots; none if it can't be used.
    package let sessions: SessionSummary
    /// The journals of other kinds below the roots.
    package let journals: [IndexedJournal]
    /// Those of them that are active.
    package let active: [IndexedSession]
    /// Those that nobody closed.
    package let forgotten: [(session: IndexedSession, state: ForgottenSession)]
    /// How many sessions and other journals are not in the index as they are now.
    package let lagging: Int
    /// How many of them are journals of other kinds, by kind.
    package let laggingJournals: [JournalKind: Int]
    /// Whether these are too many to be read for the answer: its numbers of sessions, journals and findings are then those of when the
    /// index last read them.
    package let isOutdated: Bool
    /// Why the index can't be used.
    package let indexProblem: (any Error)?
    /// Whether a daemon answered for all sessions, so that none was compared.
    package let isWatched: Bool
}

extension StatusAnswer {
    /// How many findings of a severity the index knows, of sessions and other journals.
    package func count(_ severity: Rule.Severity) -> Int {
        journals.reduce(sessions.findingCounts[severity] ?? 0) { $0 + ($1.findingCounts[severity] ?? 0) }
    }

    /// How many journals there are of each kind but sessions, the kinds by their names.
    package var journalCounts: [(kind: String, count: Int)] {
        Self.byName(Dictionary(grouping: journals, by: \.kind).mapValues(\.count))
    }

    /// ``laggingJournals``, the kinds by their names.
    package var laggingJournalCounts: [(kind: String, count: Int)] { Self.byName(laggingJournals) }

    private static func byName(_ counts: [JournalKind: Int]) -> [(kind: String, count: Int)] {
        counts.map { (kind: $0.key.name, count: $0.value) }.sorted { $0.kind < $1.kind }
    }

    /// How many sessions are active, those that are paused among them.
    package var activeCount: Int { active.count }

    /// How many sessions are paused.
    package var pausedCount: Int { active.count { $0.pausedAt != nil } }

    /// How a root is watched, as far as a daemon runs and tells.
    package func watching(_ root: FilePath) -> String? {
        guard let daemon else { return nil }
        if daemon.ignores(root) { return "not watched" }
        return daemon.root(watching: root).map { daemon.partial[$0] ?? "watched" }
    }

    /// The status with the keys of docs/cli-json.md.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("daemon", daemon.map { $0.json(form) } ?? .null)
            object.member("roots", .array(roots.map { json($0, form) }))
            object.member("sessions", JSONText(Int64(sessions.count)))
            object.member(
                "journals",
                .object { object in
                    for (kind, count) in journalCounts { object.member(kind, JSONText(Int64(count))) }
                })
            object.member("active", JSONText(Int64(activeCount)))
            object.member("paused", JSONText(Int64(pausedCount)))
            object.member(
                "forgotten",
                .array(
                    forgotten.map { session, state in
                        .object { object in
                            object.session(at: session.path, session.id, form)
                            object.member("forgotten_since", JSONText(state.lastActivity))
                        }
                    }))
            object.member("errors", JSONText(Int64(count(.error))))
            object.member("warnings", JSONText(Int64(count(.warning))))
            object.member("queue", .array(spools.map { $0.json(form) }))
            object.member("failed", JSONText(Int64(refused)))
            object.member("unplaced", JSONText(Int64(unplaced)))
            object.member("lost", JSONText(Int64(lost)))
            object.member("deleted_sessions", JSONText(Int64(deleted)))
            object.member("state_problem", form.problem(exposure))
            object.member(
                "index",
                .object { object in
                    object.member("path", form.place(index))
                    object.member("lagging", JSONText(Int64(lagging)))
                    object.member("outdated", isOutdated ? JSONText(true) : nil)
                    object.member("problem", form.problem(indexProblem))
                })
        }
    }

    private func json(_ root: Root, _ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("path", form.place(root.path))
            object.member("online", JSONText(root.isOnline))
            object.member("watching", watching(root.path).map { JSONText($0) })
        }
    }
}

extension StatusAnswer.Queue {
    fileprivate func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("spool", form.place(path))
            object.member("waiting", JSONText(Int64(waiting)))
            object.member("awaiting_audio", awaitingAudio > 0 ? JSONText(Int64(awaitingAudio)) : nil)
            object.member("problem", form.problem(problem))
        }
    }
}

extension DaemonStatus {
    /// The daemon with the keys of docs/cli-json.md. What it can't watch is a place, and so is each root.
    fileprivate func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("pid", JSONText(process))
            object.member("ready", JSONText(isReady))
            object.member("polled", JSONText(polledCount))
            object.member("problem", form.showsPaths ? problem.map { JSONText($0.text) } : nil)
            object.member("since", since.map { JSONText($0) })
            object.member("ailment", unhealthyReason.map { JSONText($0) })
            object.member("roots", form.showsPaths ? roots.map { .array($0.map { JSONText($0) }) } : nil)
            guard form.showsPaths else { return }
            if !listening.isEmpty { object.member("listening", listening) }
            if !listenProblems.isEmpty { object.member("listen_problems", listenProblems) }
        }
    }
}
