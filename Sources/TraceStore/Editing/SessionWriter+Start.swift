package import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

extension SessionWriter {
    /// Corrects when the session began. Every offset stays; what says when something was moves by as much: `start_time` and `end_time`,
    /// each `wall_time` of the timeline, and the `created_at` of the lines of pauses, which are such only while that is their `wall_time`.
    /// When other records were made stays, too, and so does every other byte.
    ///
    /// - Parameter now: What the session may not reach beyond by more than a minute.
    /// - Returns: Whether it began at another time; if not, nothing is written.
    /// - Throws: ``FileError`` with `.invalidData` if `start_time` is missing or broken, or the session would end, or an entry of its timeline
    ///   be, in the future (then nothing is written).
    /// - Note: Durable on return, and may be repeated. Killed in between, the timeline has been moved and `session.json` has not; the same
    ///   correction then completes it.
    ///
    /// Source: docs/spec/format.md#what-each-operation-writes.
    package func correctStart(to start: Timestamp, now: Timestamp = Clock.now()) throws -> Bool {
        try recorded(.editSession) { session in
            let header = try session.wholeHeader()
            let path = session.directory.path(of: RecordKind.session.component)
            guard let old = header.startTime else {
                throw FileError(
                    .invalidData, "session start_time is missing or invalid", path: path,
                    cure: "write start_time as YYYY-MM-DDTHH:MM:SS.mmmZ")
            }
            let shift = start.milliseconds(since: old)
            let end = header.endTime?.moved(by: shift)
            if shift > 0, let end, end.milliseconds(since: now) > Clock.tolerance {
                throw FileError(
                    .invalidData, "with that start the session would end at \(end), in the future",
                    path: path,
                    cure: "give an earlier start")
            }
            let isMoved = try session.moveTimeline(from: old, to: start, now: now, keepingIn: undoLog)
            guard isMoved || shift != 0 else { return false }
            try session.touch(
                after: isMoved ? "the times in timeline.jsonl were moved" : "nothing was changed", now: now,
                undoing: ["start_time", "end_time"]
            ) { editor in
                guard shift != 0 else { return }
                try editor.set("start_time", to: JSONText(start))
                if let end { try editor.set("end_time", to: JSONText(end)) }
            }
            return true
        }
    }
}

extension LockedSession {
    /// Moves the times of the timeline with the session's start.
    ///
    /// - Returns: Whether there was anything to move.
    fileprivate func moveTimeline(
        from old: Timestamp, to start: Timestamp, now: Timestamp, keepingIn log: UndoLog?
    ) throws -> Bool {
        let name = RecordKind.timeline.component
        try finishLastLine(of: .timeline)
        var change: UndoableWrite.Change?
        try replaceLines(of: .timeline) { lines in
            change = nil
            let moved = try Self.moved(lines, from: old, to: start) { moment in
                guard moment.milliseconds(since: now) > Clock.tolerance else { return }
                throw FileError(
                    .invalidData,
                    "with that start an entry of the timeline would be at \(moment), in the future",
                    path: directory.path(of: name), cure: "give an earlier start")
            }
            guard moved != lines.bytes else { return nil }
            let kept = try log?.keep(lines.bytes, as: name)
            change = .replaced(path: name.string, kept: kept, sha256: UndoableWrite.checksum(of: moved))
            return moved
        }
        if let change { recorder?.add(change) }
        return change != nil
    }

    /// The lines with other times, every other byte as it was.
    ///
    /// - Parameter check: Throws if a time may not be moved to that one; asked of those that are moved to a later one.
    private static func moved(
        _ lines: RecordLines, from old: Timestamp, to start: Timestamp, check: (Timestamp) throws -> Void
    ) throws -> [UInt8] {
        let kind = TimelineEntry.Kind.sessionStart.rawValue
        let noted = try lines.lines.last { $0.facts?.detail == kind }.flatMap {
            try JSONObjectEditor(Array(lines.text(of: $0))).timestamp(of: "wall_time")
        }
        let shift = shift(of: noted, from: old, to: start)
        var contents: [UInt8] = []
        contents.reserveCapacity(lines.bytes.count)
        var end = 0
        for line in lines.lines where line.facts != nil {
            contents += lines.bytes[end..<line.range.lowerBound]
            let isOfSession = kindsOfSession.contains(line.facts?.detail)
            contents += try moved(
                Array(lines.text(of: line)), by: shift, isOfSession: isOfSession, check: check)
            end = line.range.upperBound
        }
        return contents + lines.bytes[end...]
    }

    /// How far the timeline is from the new start, in milliseconds.
    ///
    /// Its `session_start` is within a second of the start, the old one; or of the new one, where a correction was killed before it came to
    /// `session.json`. Where it is near neither, somebody has corrected `session.json` by hand.
    private static func shift(of noted: Timestamp?, from old: Timestamp, to start: Timestamp) -> Int64 {
        guard let noted else { return start.milliseconds(since: old) }
        let (toOld, toNew) = (old.milliseconds(since: noted), start.milliseconds(since: noted))
        guard min(toOld.magnitude, toNew.magnitude) <= 1000 else { return toNew }
        return toOld.magnitude <= toNew.magnitude ? start.milliseconds(since: old) : 0
    }

    /// Their `created_at` says when they were written, whatever their `wall_time` is.
    private static let kindsOfSession: Set<String?> = [
        TimelineEntry.Kind.sessionStart.rawValue, TimelineEntry.Kind.sessionEnd.rawValue,
    ]

    private static func moved(
        _ line: [UInt8], by shift: Int64, isOfSession: Bool, check: (Timestamp) throws -> Void
    ) throws -> [UInt8] {
        var editor = try JSONObjectEditor(line)
        guard shift != 0, let wallTime = try editor.timestamp(of: "wall_time") else { return line }
        let created = isOfSession ? nil : try editor.timestamp(of: "created_at")
        var moved = wallTime.moved(by: shift)
        if shift > 0 { try check(moved) }
        if created == wallTime {
            try editor.set("created_at", to: JSONText(moved))
        } else if created == moved {
            // A recording that was added later would become a pause by this.
            moved = moved.moved(by: 1)
        }
        try editor.set("wall_time", to: JSONText(moved))
        return editor.bytes
    }
}

extension Timestamp {
    fileprivate func moved(by milliseconds: Int64) -> Timestamp {
        adding(SessionOffset(milliseconds: milliseconds))
    }
}
