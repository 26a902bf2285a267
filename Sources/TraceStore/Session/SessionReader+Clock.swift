package import RecordFormat
package import TraceFormat

extension SessionReader {
    /// The session's clock, with the pauses that its timeline notes; nil without a `start_time`.
    ///
    /// - Parameter header: What `session.json` says.
    /// - Throws: ``FileError``.
    /// - Complexity: O(size of `timeline.jsonl`) in time.
    package func clock(of header: Session) throws -> SessionClock? {
        guard header.startTime != nil else { return nil }
        return try pauses().clock(of: header)
    }

    /// The pauses that the timeline notes; a timeline that can't be read has none.
    ///
    /// - Throws: ``FileError``.
    func pauses() throws -> PauseReader {
        let collected = Collected()
        _ = try read(.timeline) {
            collected.pauses.add($0)
        } onFinding: { _ in
        }
        return collected.pauses
    }

    /// A class, since a closure that outlives the call fills it.
    private final class Collected {
        var pauses = PauseReader()
    }
}

extension SessionReader {
    /// The last moment at which a record stands or lasts; nil without a `start_time` or records.
    ///
    /// - Parameter limit: What is after it does not count: a slip can put a marker into the future.
    /// - Throws: ``FileError``.
    /// - Complexity: O(size of the session) in time.
    package func lastMoment(of header: Session, until limit: Timestamp) throws -> Timestamp? {
        guard let clock = try clock(of: header) else { return nil }
        let limit = clock.offset(at: limit)
        let maximum = MaximumOffset()
        for kind in RecordKind.lines {
            _ = try readLines(kind) { line in
                let record = line.fields
                guard let offset = record.offset, offset <= limit else { return }
                let end = offset.end(lasting: record.duration)
                maximum.offset = max(maximum.offset ?? .zero, end <= limit ? end : offset)
            }
        }
        return maximum.offset.map(clock.wall(resumingAt:))
    }

    /// A class, since closures that outlive the call fill it.
    private final class MaximumOffset {
        var offset: SessionOffset?
    }
}
