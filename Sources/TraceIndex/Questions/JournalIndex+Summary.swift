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

extension JournalIndex {
    /// The sessions that were found below some roots; journals of other kinds are not counted, and neither are their findings.
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
            let counts = Rule.Severity.allCases.map { "count(*) FILTER (WHERE severity = '\($0.rawValue)')" }
            var findings = conditions
            findings.add("source.kind = ?", JournalKind.session.name)
            try database.query(
                """
                SELECT \(counts.joined(separator: ", ")) FROM finding JOIN source ON source.id = finding.source_id
                WHERE \(findings.sql)
                """
            ).with(findings.arguments).forEach { row in
                for (column, severity) in Rule.Severity.allCases.enumerated() {
                    let count = Int(row.int(Int32(column)))
                    summary.findingCounts[severity] = count > 0 ? count : nil
                }
            }
            return summary
        }
    }

    /// How many journals of each kind there are in some roots.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    package func counts(below roots: [FilePath]) throws -> [JournalKind: Int] {
        var conditions = Conditions()
        RecordFilter.Scope.roots(roots).constrain(&conditions)
        return try database.read { database in
            var counts: [JournalKind: Int] = [:]
            try database.query(
                "SELECT kind, count(*) FROM source WHERE \(conditions.sql) GROUP BY kind"
            ).with(conditions.arguments).forEach { row in
                if let kind = row.text(0) { counts[JournalKind(name: kind)] = Int(row.int(1)) }
            }
            return counts
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
