internal import GRDB
internal import RecordFormat
internal import TraceFormat
internal import TraceStore

/// The pauses of a session, as its timeline notes them.
///
/// A row says how long the clock has stood still by the end of its pause (`total_ms`), so that the moment of a record is found
/// with one step. A pause that lasts has the length 0.
struct PauseRows {
    let source: Int64
    let database: Database

    /// SQL for the moment at which a record stands, in a query that joins `record` and `source`; NULL where it has no offset,
    /// or the source no epoch.
    static let wallTime = """
        (source.epoch_ms + record.offset_ms + coalesce((SELECT total_ms FROM pause
        WHERE pause.source_id = source.id AND pause.offset_ms < record.offset_ms
        ORDER BY pause.offset_ms DESC, pause.length_ms DESC LIMIT 1), 0))
        """

    /// SQL for how long a session's clock has stood still in all, in a query that joins `source`.
    static let total = """
        coalesce((SELECT total_ms FROM pause WHERE pause.source_id = source.id
        ORDER BY pause.offset_ms DESC, pause.length_ms DESC LIMIT 1), 0)
        """

    /// The clock of a session; nil without a `start_time`.
    func clock(of session: Session) throws -> SessionClock? {
        try session.startTime.map { try clock(startingAt: $0, isActive: session.status == .active) }
    }

    /// - Parameter isActive: Whether a pause without an end lasts.
    func clock(startingAt start: Timestamp, isActive: Bool) throws -> SessionClock {
        var pauses: [SessionClock.Pause] = []
        var lasting: SessionOffset?
        try database.query("SELECT offset_ms, length_ms FROM pause WHERE source_id = ?").with(source)
            .forEach { row in
                let offset = SessionOffset(milliseconds: row.int(0))
                if row.int(1) == 0 {
                    lasting = offset
                } else {
                    pauses.append(SessionClock.Pause(offset: offset, length: row.int(1)))
                }
            }
        return SessionClock(start: start, pauses: pauses, pausedAt: isActive ? lasting : nil)
    }

    /// Writes down what the timeline notes now.
    ///
    /// - Returns: Whether that is not what was known.
    func replace(with timeline: PauseReader) throws -> Bool {
        let start = Timestamp(milliseconds: 0)
        let new = SessionClock(start: start, pauses: timeline.pauses, pausedAt: timeline.lastingPause)
        guard try clock(startingAt: start, isActive: true) != new else { return false }
        try database.query("DELETE FROM pause WHERE source_id = ?").with(source).run()
        let insert = try database.query(
            "INSERT INTO pause (source_id, offset_ms, length_ms, total_ms) VALUES (?, ?, ?, ?)")
        var total: Int64 = 0
        for pause in new.pauses {
            // So much less than 2⁶³ that SQLite adds a moment to it as integers.
            total = min(total.addingClamped(pause.length), 1 << 62)
            try insert.with(source, pause.offset.milliseconds, pause.length, total).run()
        }
        if let lasting = new.pausedAt {
            // With a pause there, and without those behind it: the moments of records are in the order of their offsets.
            let before = new.pausedTime(before: lasting.next ?? lasting)
            try insert.with(source, lasting.milliseconds, 0, min(before, 1 << 62)).run()
        }
        return true
    }
}
