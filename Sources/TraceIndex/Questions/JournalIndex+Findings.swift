internal import GRDB
public import RecordFormat
public import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceStore

extension JournalIndex {
    /// What breaks a rule, in the order of sessions' paths, then of files and places.
    ///
    /// - Parameters:
    ///   - session: Only those of that session.
    ///   - severity: Only those of that severity.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    public func findings(of session: FilePath? = nil, severity: Rule.Severity? = nil) throws
        -> [IndexedFinding]
    {
        let conditions = [session == nil ? nil : "source.path = ?1", severity == nil ? nil : "severity = ?2"]
        let condition = conditions.compactMap(\.self).joined(separator: " AND ")
        return try findings("finding", condition.isEmpty ? "" : "WHERE \(condition)", session, severity)
    }

    /// The files that can't be read, in the order of sessions' paths.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(their number), however many other findings there are.
    package func unreadableFiles() throws -> [IndexedFinding] {
        try findings(
            "finding INDEXED BY finding_unreadable", "WHERE rule = '\(Rule.fileUnreadable.id)'", nil, nil)
    }

    /// What keeps a session's file of a kind, or lines of it, from being read: what is wrong with the file as a whole, and
    /// how many lines can't be read.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    package func readingErrors(of kind: RecordKind, in session: FilePath) throws -> (
        file: [Finding], lines: Int
    ) {
        let rules = Rule.reading.map { "'\($0.id)'" }.joined(separator: ", ")
        let rows = """
            FROM finding JOIN source ON source.id = finding.source_id
            WHERE source.path = ? AND severity = '\(Rule.Severity.error.rawValue)' AND file = ? AND rule IN (\(rules))
            """
        return try database.read { database in
            let file = try database.query("SELECT \(Finding.columns) \(rows) AND line = 0")
                .with(session.bytes, kind.fileName).map { try Finding(row: $0, formats) }
            let lines = try database.query("SELECT count(DISTINCT line) \(rows) AND line > 0")
                .with(session.bytes, kind.fileName).first { $0.int(0) }
            return (JournalLayout.session.sorted(file), Int(lines ?? 0))
        }
    }

    private func findings(
        _ table: String, _ condition: String, _ session: FilePath?, _ severity: Rule.Severity?
    ) throws -> [IndexedFinding] {
        let rows = try database.read { database in
            try database.query(
                """
                SELECT source.path, source.kind, \(Finding.columns) FROM \(table) JOIN source ON source.id = finding.source_id
                \(condition) ORDER BY source.path
                """
            ).with(session?.bytes, severity?.rawValue)
                .map { row in
                    (
                        path: row.blob(0), kind: JournalKind(name: row.text(1) ?? ""),
                        finding: try Finding(row: row, from: 2, formats)
                    )
                }
        }
        return rows.split { $0.path == $1.path }.flatMap { rows -> [IndexedFinding] in
            guard let first = rows.first else { return [] }
            let path = FilePath(bytes: first.path)
            let found = rows.map(\.finding)
            return (formats[first.kind]?.layout.sorted(found) ?? found).map {
                IndexedFinding(session: path, finding: $0)
            }
        }
    }
}

extension JournalIndex {
    /// How often each rule is broken, by its id.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    package func findingCounts() throws -> [(rule: String, severity: String, count: Int)] {
        try database.read { database in
            try database.query(
                "SELECT rule, severity, count(*) FROM finding GROUP BY rule, severity ORDER BY rule, severity"
            ).map { ($0.text(0) ?? "", $0.text(1) ?? "", Int($0.int(2))) }
        }
    }
}

extension Array {
    /// The runs of neighbours that belong together.
    fileprivate func split(where belong: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var runs: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices where index > start {
            if belong(self[index - 1], self[index]) { continue }
            runs.append(self[start..<index])
            start = index
        }
        if start < endIndex { runs.append(self[start...]) }
        return runs
    }
}
