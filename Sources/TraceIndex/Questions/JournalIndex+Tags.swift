internal import GRDB
package import RecordFormat
internal import TraceFormat

/// The usage count of a tag.
public struct TagCount: Sendable, Hashable {
    /// The tag, as it is in the markers.
    public var tag: String
    /// How many markers have it.
    public var markers: Int
    /// In how many sessions.
    public var sessions: Int
}

extension JournalIndex {
    /// The tags of the markers that count, those that most markers have first.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(sessions + their markers).
    public func tagCounts(_ filter: RecordFilter) throws -> [TagCount] {
        let groups = try markers(
            filter, "source.id, record.tags, count(*)",
            "AND record.tags IS NOT NULL GROUP BY source.id, record.tags"
        ) { (session: $0.int(0), tags: TagText.tags(in: $0.text(1) ?? ""), count: Int($0.int(2))) }
        var counts: [String: (markers: Int, sessions: Set<Int64>)] = [:]
        for group in groups {
            // A tag that is twice in a marker counts once.
            for tag in Set(group.tags) {
                counts[tag, default: (0, [])].markers += group.count
                counts[tag, default: (0, [])].sessions.insert(group.session)
            }
        }
        return counts.map { TagCount(tag: $0, markers: $1.markers, sessions: $1.sessions.count) }.sorted {
            ($1.markers, $0.tag) < ($0.markers, $1.tag)
        }
    }

    /// The tags of all markers that the index knows, without a look at the files.
    ///
    /// - Parameters:
    ///   - id: A marker whose tags don't count.
    ///   - timeout: How long it may take.
    /// - Returns: Nil if it would take longer.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    package func knownTags(except id: ULID, within timeout: Duration) throws -> Set<String>? {
        let deadline = ContinuousClock.now + timeout
        var texts: Set<String> = []
        var rows = 0
        struct DeadlineExceeded: Error {}
        do {
            try database.read { database in
                try database.query(
                    "SELECT tags FROM record WHERE kind = ? AND is_authoritative AND tags IS NOT NULL AND record_id IS NOT ?"
                ).with(RecordKind.marker.code, id.description).forEach { row in
                    if let text = row.text(0) { texts.insert(text) }
                    rows += 1
                    if rows % 256 == 0, ContinuousClock.now > deadline { throw DeadlineExceeded() }
                }
            }
        } catch is DeadlineExceeded { return nil }
        return Set(texts.flatMap(TagText.tags))
    }
}
