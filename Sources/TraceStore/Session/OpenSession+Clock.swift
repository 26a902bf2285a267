package import TraceFormat

extension OpenSession {
    /// The session's clock, with the pauses that its timeline notes; nil without a `start_time`.
    ///
    /// - Parameter header: What `session.json` says.
    /// - Throws: ``StoreError``.
    /// - Complexity: O(size of `timeline.jsonl`) in time.
    package func clock(of header: Session) throws -> SessionClock? {
        guard header.startTime != nil else { return nil }
        return try pauses().clock(of: header)
    }

    /// The pauses that the timeline notes; a timeline that can't be read has none.
    ///
    /// - Throws: ``StoreError``.
    package func pauses() throws -> PauseReader {
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

extension OpenSession {
    /// The moment at which the record with the greatest offset stands; nil without a `start_time` or records.
    ///
    /// - Throws: ``StoreError``.
    /// - Complexity: O(size of the session) in time.
    package func lastMoment(of header: Session) throws -> Timestamp? {
        guard let clock = try clock(of: header) else { return nil }
        let greatest = Greatest()
        for kind in RecordKind.lines {
            _ = try read(kind) { record in
                if let offset = record.offset { greatest.offset = max(greatest.offset ?? offset, offset) }
            } onFinding: { _ in
            }
        }
        return greatest.offset.map(clock.wall(resumingAt:))
    }

    /// A class, since closures that outlive the call fill it.
    private final class Greatest {
        var offset: SessionOffset?
    }
}
