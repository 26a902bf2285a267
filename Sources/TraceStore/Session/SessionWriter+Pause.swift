public import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceText

extension SessionWriter {
    /// Stops the clock of an active session: a `media_end` at the present offset that says when that was.
    ///
    /// - Returns: Where the clock stands now, and what a person should know.
    /// - Throws: ``StoreError`` with `.alreadyPaused`, `.alreadyClosed`; ``FileError`` with `.invalidData` if `start_time` is missing or broken,
    ///   or the timeline has a later pause, behind which this one would not count (then nothing is written).
    /// - Note: Durable on return.
    ///
    /// Source: docs/spec/format.md#the-sessions-clock.
    public func pause(now: Timestamp = Clock.now()) throws -> (offset: SessionOffset, notices: [String]) {
        try recorded(.pause) { session in
            let clock = try session.runningClock()
            if let offset = clock.pausedAt {
                throw StoreError(
                    .alreadyPaused, "the session is already paused, at \(offset)", path: path,
                    cure: [
                        "end the pause with \(verb: "session resume")",
                        "\(route: "POST /api/v1/sessions/{s}/resume") ends the pause",
                    ])
            }
            let entry = try session.beginning(ofPauseAt: now, clock)
            let notices = try session.add([entry])
            return (
                entry.offset, notices + session.finish("the pause was written to timeline.jsonl", now: now)
            )
        }
    }

    /// Lets the clock of a paused session continue: a `media_start` at the offset where it is.
    ///
    /// - Returns: That offset, how long the pause was, in milliseconds, and what a person should know.
    /// - Throws: As ``pause(now:)``, with `.notPaused` instead of `.alreadyPaused`.
    /// - Note: Durable on return.
    ///
    /// Source: docs/spec/format.md#the-sessions-clock.
    public func resume(
        now: Timestamp = Clock.now()
    ) throws -> (offset: SessionOffset, length: Int64, notices: [String]) {
        try recorded(.resume) { session in
            let clock = try session.runningClock()
            guard let offset = clock.pausedAt else {
                throw StoreError(
                    .notPaused, "the session is not paused", path: path,
                    cure: [
                        "start a pause with \(verb: "session pause")",
                        "\(route: "POST /api/v1/sessions/{s}/pause") begins a pause",
                    ])
            }
            let entry = try session.end(ofPauseAt: now, from: offset)
            let length = max(0, now.milliseconds(since: clock.wall(resumingAt: offset)))
            let notices = try session.add([entry])
            return (
                offset, length,
                notices + session.finish("the end of the pause was written to timeline.jsonl", now: now)
            )
        }
    }
}

/// The two entries of a pause; their `created_at` is their `wall_time`, which distinguishes them from those of media.
enum PauseEntry {
    static func beginning(
        at offset: SessionOffset, _ moment: Timestamp, id: ULID = IDGenerator.next()
    ) -> TimelineEntry {
        TimelineEntry(id: id, kind: .mediaEnd, offset: offset, wallTime: moment, createdAt: moment)
    }

    static func end(
        at offset: SessionOffset, _ moment: Timestamp, id: ULID = IDGenerator.next()
    ) -> TimelineEntry {
        TimelineEntry(id: id, kind: .mediaStart, offset: offset, wallTime: moment, createdAt: moment)
    }
}

extension LockedSession {
    /// The entry that stops a clock which runs.
    ///
    /// - Throws: As ``requireNoPause(behind:_:)``.
    func beginning(
        ofPauseAt now: Timestamp, _ clock: SessionClock, id: ULID = IDGenerator.next()
    ) throws -> TimelineEntry {
        let offset = max(.zero, clock.offset(at: now))
        try requireNoPause(behind: offset, now)
        // Before the start, and within a pause that is noted, the clock stands already: this pause continues that.
        return PauseEntry.beginning(at: offset, max(now, clock.wall(resumingAt: offset)), id: id)
    }

    /// The entry that lets a clock continue from where it stands.
    ///
    /// - Throws: As ``requireNoPause(behind:_:)``.
    func end(
        ofPauseAt now: Timestamp, from offset: SessionOffset, id: ULID = IDGenerator.next()
    ) throws -> TimelineEntry {
        try requireNoPause(behind: offset, now)
        return PauseEntry.end(at: offset, now, id: id)
    }

    /// Checks that an entry of a pause at an offset is the last one of pauses: that is what says whether the clock stands.
    ///
    /// - Throws: ``FileError`` with `.invalidData`, both times and the line that would follow it.
    func requireNoPause(behind offset: SessionOffset, _ now: Timestamp) throws {
        var later: [RecordSummary] = []
        var isBehind = false
        var greatest = SessionOffset.zero
        var isOrdered = true
        try SessionReader(directory).read(.timeline) { entry in
            if let place = entry.offset {
                isOrdered = isOrdered && place >= greatest
                greatest = max(greatest, place)
            }
            // Of the lines of an id the last counts.
            if let id = entry.id { later.removeAll { $0.id == id } }
            isBehind = isBehind || entry.offset?.comes(behind: offset, inTimelineAs: entry.detail) ?? false
            if isBehind, entry.isPauseEdge { later.append(entry) }
        }
        guard let other = later.first, let place = other.offset, let moment = other.wallTime else { return }
        throw FileError(
            .invalidData,
            "the clock is at \(offset) (\(now)), but line \(other.line) (byte \(other.byteOffset)) is of a pause "
                + "at \(place) (\(moment)), which would follow",
            path: directory.path(of: RecordKind.timeline.component),
            cure: isOrdered
                ? "try again when the session's clock is past \(place); if a clock was ahead when that pause was "
                    + "written, remove its lines or correct their offset_ms, wall_time and created_at"
                : [
                    "\(verb: "repair") puts the lines in order; then try again",
                    .overHTTP("put the lines in order; then try again"),
                ])
    }

    /// The clock of a session that is not closed.
    ///
    /// - Throws: ``StoreError`` with `.alreadyClosed`; ``FileError`` with `.invalidData` without a `start_time`.
    func runningClock() throws -> SessionClock {
        let session = SessionReader(directory)
        let header = try wholeHeader()
        guard header.status != .closed else {
            throw StoreError(.alreadyClosed, "session already closed", path: directory.path)
        }
        guard let clock = try session.clock(of: header) else {
            throw FileError(
                .invalidData, "session start_time is missing or invalid",
                path: directory.path(of: RecordKind.session.component),
                cure: "write start_time as YYYY-MM-DDTHH:MM:SS.mmmZ, then try again")
        }
        return clock
    }
}
