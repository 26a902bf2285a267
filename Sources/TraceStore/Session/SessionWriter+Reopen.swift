package import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

extension SessionWriter {
    /// Makes a closed session active again: its `session_end` is taken out of the timeline, and status, end and length are as of a session that
    /// was never closed. Its clock continues at the offset where it ended.
    ///
    /// - Parameter hasRun: Whether the clock has run since the end; if not, the time in between is a pause.
    /// - Returns: Where the clock stood, how long the pause was, in milliseconds, and what a person should know.
    /// - Throws: ``StoreError`` with `.notClosed`; ``FileError`` with `.invalidData` if `start_time` is missing or broken, or the timeline has a
    ///   pause behind the end, behind which this one would not count (then nothing is written).
    /// - Note: Durable on return. Killed in between, the session is still closed; the same again does the rest.
    ///
    /// Source: docs/spec/format.md#what-each-operation-writes.
    package func reopen(
        hasRun: Bool = false, now: Timestamp = Clock.now()
    ) throws -> (offset: SessionOffset, pause: Int64, notices: [String]) {
        try recorded(.reopen) { session in
            let header = try session.wholeHeader()
            guard header.status == .closed else {
                throw StoreError(
                    .notClosed, "the session is not closed", path: path,
                    cure: "there is nothing to reopen: \(verb: "mark") marks in it")
            }
            try session.finishLastLine(of: .timeline)
            guard let clock = try SessionReader(session.directory).clock(of: header) else {
                throw FileError(
                    .invalidData, "session start_time is missing or invalid",
                    path: path.appending("session.json"),
                    cure: "write start_time as YYYY-MM-DDTHH:MM:SS.mmmZ, then reopen again")
            }
            let (last, noted) = try session.timelineEnd()
            // Without one, a reopening was killed behind its first step, or another program closed the session.
            let end = noted ?? header.duration ?? last
            let pause = hasRun ? 0 : max(0, now.milliseconds(since: clock.wall(resumingAt: end)))
            if pause > 0 { try session.requireNoPause(behind: end, now) }
            try session.takeEndOut(notingIn: undoLog)
            let notices = try session.add(session.edges(ofPause: pause, at: end, clock, now))
            try session.touch(
                after: "the end was taken out of timeline.jsonl", now: now,
                undoing: ["status", "end_time", "duration_ms"]
            ) { editor in
                try editor.set("status", to: JSONText(Session.Status.active.rawValue))
                try editor.remove("end_time")
                try editor.remove("duration_ms")
            }
            return (end, pause, notices)
        }
    }
}

extension LockedSession {
    /// Takes every `session_end` out of the timeline; it is noted before, for the undo of a reopening that is killed puts it back.
    fileprivate func takeEndOut(notingIn log: UndoLog?) throws {
        let kind = TimelineEntry.Kind.sessionEnd.rawValue
        var ends: [ULID: [[UInt8]]] = [:]
        var isThere = false
        try SessionReader(directory).read(.timeline) { entry in
            guard entry.detail == kind else { return }
            isThere = true
            if let id = entry.id { ends[id] = [] }
        }
        guard isThere else { return }
        for (id, lines) in try lines(of: Set(ends.keys), in: .timeline) {
            recorder?.add(.removed(.timeline, id, lines: lines))
        }
        if let write = recorder?.takeWrite() { try log?.noteAhead(write) }
        let ids = Set(ends.keys)
        try removeLines(from: .timeline) { lines in
            lines.lines.filter { line in
                guard let facts = line.facts else { return false }
                return facts.detail == kind || facts.id.map(ids.contains) ?? false
            }
        }
    }

    /// The entries of the pause since the end. A `media_end` that another program has left without its `media_start` was none while the session was closed, and
    /// would stop the clock of an active one: so it gets one of the same moment first.
    fileprivate func edges(
        ofPause length: Int64, at end: SessionOffset, _ clock: SessionClock, _ now: Timestamp
    ) throws -> [TimelineEntry] {
        var edges: [TimelineEntry] = []
        if let lasting = try SessionReader(directory).pauses().lastingPause {
            edges.append(PauseEntry.end(at: lasting, clock.wall(resumingAt: lasting)))
        }
        guard length > 0 else { return edges }
        return edges + [
            PauseEntry.beginning(at: end, clock.wall(resumingAt: end)), PauseEntry.end(at: end, now),
        ]
    }
}
