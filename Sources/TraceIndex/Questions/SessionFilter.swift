internal import GRDB
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat

/// Selects sessions, in the order in which they are listed: the latest start first, those without a start last.
package struct SessionFilter: Sendable, Hashable {
    /// Only those that were found below these roots; nil for all.
    package var roots: [FilePath]?
    /// Only those of it; nil for all.
    package var scope: RecordFilter.Scope?
    /// Only those of that status.
    package var status: Session.Status?
    /// Only those that started within.
    package var starts: ClosedRange<Timestamp>?
    /// Only those with a marker of each of these tags, ignoring case, and categories in either spelling.
    package var tags: [String] = []
    /// Only those with findings.
    package var hasFindings = false
    /// Where the list was left; nil for its beginning.
    package var after: SessionSortKey?
    /// At most so many, > 0; nil for all.
    package var limit: Int?

    /// All sessions.
    package init() {}

    /// Its conditions on a query that joins `source` and `session`.
    fileprivate var conditions: Conditions {
        var conditions = Conditions()
        if let roots { RecordFilter.Scope.roots(roots).constrain(&conditions) }
        scope?.constrain(&conditions)
        if let status { conditions.add("status = ?", status.rawValue) }
        if let starts {
            conditions.add(
                "epoch_ms BETWEEN ? AND ?", starts.lowerBound.milliseconds, starts.upperBound.milliseconds)
        }
        if hasFindings {
            conditions.add("EXISTS (SELECT 1 FROM finding WHERE finding.source_id = source.id)")
        }
        for tag in tags {
            let spellings = TagText.arguments(tag)
            conditions.add(
                """
                EXISTS (SELECT 1 FROM record INDEXED BY record_by_offset
                WHERE record.source_id = source.id AND record.kind = \(RecordKind.marker.code) AND is_authoritative
                AND \(TagText.condition(spellings.map { _ in "?" })))
                """, spellings)
        }
        if let after {
            let path = after.path.bytes
            if let start = after.startTime?.milliseconds {
                conditions.add(
                    "(epoch_ms IS NULL OR epoch_ms < ? OR epoch_ms = ? AND source.path > ?)", start, start,
                    path)
            } else {
                conditions.add("epoch_ms IS NULL AND source.path > ?", path)
            }
        }
        return conditions
    }
}

/// Where a session stands in the list of sessions, in which the latest start comes first, and of one start the directories
/// come in the order of their bytes.
package struct SessionSortKey: Sendable, Hashable {
    /// Nil if it has none.
    package let startTime: Timestamp?
    /// Its directory.
    package let path: FilePath

    /// The place behind which a list continues; there need not be a session.
    package init(startTime: Timestamp?, path: FilePath) {
        self.startTime = startTime
        self.path = path
    }

    /// That of a session.
    package init(_ session: IndexedSession) { self.init(startTime: session.startTime, path: session.path) }
}

extension JournalIndex {
    /// The sessions of a filter.
    ///
    /// - Parameter isCounted: Whether their records and findings are counted.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(sessions) for the selection; counts are asked for what is returned alone, markers for tags alone.
    package func sessions(_ filter: SessionFilter, isCounted: Bool = true) throws -> [IndexedSession] {
        let conditions = filter.conditions
        return try database.read { database in
            try SessionQuery(database: database).sessions(
                conditions.sql, conditions.arguments, by: .order, limit: filter.limit, isCounted: isCounted)
        }
    }
}
