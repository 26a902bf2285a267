internal import GRDB
package import RecordFormat

extension JournalIndex {
    /// Those of the ids that several journals have, of whatever kind.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(ids · log journals), in one question.
    package func repeatedIDs(among ids: [ULID]) throws -> Set<ULID> {
        guard !ids.isEmpty else { return [] }
        return try database.read { database in
            var repeated: Set<ULID> = []
            var rest = ids[...]
            while !rest.isEmpty {
                // Always as many arguments, so that one statement serves all pages.
                let part = rest.prefix(Self.idsAtOnce).map { $0.description }
                rest = rest.dropFirst(part.count)
                let places = Array(repeating: "?", count: Self.idsAtOnce).joined(separator: ", ")
                let padding = [String?](repeating: nil, count: Self.idsAtOnce - part.count)
                try database.query(
                    """
                    SELECT journal_id FROM source WHERE journal_id IN (\(places)) GROUP BY journal_id HAVING count(*) > 1
                    """
                ).with((part + padding).map { $0 as (any SQLArgument)? }).forEach { row in
                    if let id = row.text(0).flatMap({ ULID($0) }) { repeated.insert(id) }
                }
            }
            return repeated
        }
    }

    private static let idsAtOnce = 128
}
