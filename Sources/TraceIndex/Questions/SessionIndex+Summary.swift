internal import GRDB
package import RecordFormat
package import SystemPackage
internal import TraceFormat

/// Sessions in numbers, without a value for each.
package struct SessionSummary: Sendable, Hashable {
    /// How many there are.
    package var count = 0
    /// How many findings of each severity they have; none of a severity: no entry.
    package var findingCounts: [Rule.Severity: Int] = [:]

    package init() {}
}

extension SessionIndex {
    /// The sessions that were found below some roots.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(sessions + findings), in one pass over an index of each.
    package func summary(below roots: [FilePath]) throws -> SessionSummary {
        var conditions = Conditions()
        RecordFilter.Scope.roots(roots).constrain(&conditions)
        return try database.read { database in
            var summary = SessionSummary()
            summary.count =
                try database.query(
                    "SELECT count(*) FROM source JOIN session ON session.source_id = source.id WHERE \(conditions.sql)"
                ).with(conditions.arguments).first { Int($0.int(0)) } ?? 0
            try database.query(
                """
                SELECT severity, sum(number)
                FROM (SELECT source_id, severity, count(*) AS number FROM finding GROUP BY source_id, severity) AS found
                JOIN source ON source.id = found.source_id WHERE \(conditions.sql) GROUP BY severity
                """
            ).with(conditions.arguments).forEach { row in
                guard let severity = row.text(0).flatMap(Rule.Severity.init(rawValue:)) else { return }
                summary.findingCounts[severity] = Int(row.int(1))
            }
            return summary
        }
    }

    /// How many sessions there are, in any root or in none.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    package func sessionCount() throws -> Int {
        try database.read { database in
            try database.query("SELECT count(*) FROM session").first { Int($0.int(0)) } ?? 0
        }
    }

    /// A session below some roots that says of itself that it was changed after a moment, the first of them by its directory.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(sessions).
    package func session(
        below roots: [FilePath], updatedAfter moment: Timestamp
    ) throws -> (path: FilePath, updatedAt: Timestamp)? {
        var conditions = Conditions()
        RecordFilter.Scope.roots(roots).constrain(&conditions)
        conditions.add("updated_ms > ?", moment.milliseconds)
        return try database.read { database in
            try database.query(
                """
                SELECT source.path, updated_ms FROM source JOIN session ON session.source_id = source.id
                WHERE \(conditions.sql) ORDER BY source.path LIMIT 1
                """
            ).with(conditions.arguments).first {
                (FilePath(bytes: $0.blob(0)), Timestamp(milliseconds: $0.int(1)))
            }
        }
    }
}
