internal import GRDB
internal import RecordFormat
internal import TraceFormat
internal import TraceStore

/// Takes ``SessionFacts`` out of the rows of a session.
///
/// - Complexity: What refers to others, the timeline, the voice notes and what breaks a rule; not the number
///   of markers. SQLite does not know how many rows there are: where it could as well choose an index that
///   leads over all records, the query names the one that does not.
struct FactsQuery {
    let source: KnownSource
    let database: Database

    /// The facts, as `SessionFactsBuilder` would collect them from the lines.
    ///
    /// - Parameter directory: Looks at the directory and at the media of these paths.
    func facts(
        of session: Session, directory: (Set<String>) throws -> SessionFacts.Directory
    ) throws -> SessionFacts {
        let voiceNotes = try voiceNotes()
        let media = Set(session.media.map(\.path) + voiceNotes.compactMap(\.mediaPath))
        var facts = SessionFacts(session: session, directory: try directory(media))
        facts.voiceNotes = voiceNotes
        facts.timeline = try timeline()
        facts.clock = try PauseRows(source: source.id, database: database).clock(of: session)
        facts.danglingReferences = try danglingReferences()
        facts.beyondEnd = try beyondEnd(session)
        facts.reusedIDs = try reusedIDs(session)
        return facts
    }

    private func records(_ condition: String) throws -> Query {
        try database.query("SELECT \(RecordSummary.columns) FROM record \(condition)")
    }

    /// The entries of the timeline, in file order.
    func timeline() throws -> [RecordSummary] {
        guard let file = source[RecordKind.timeline.slot] else { return [] }
        let keys = RecordKey.range(ofFile: file.id)
        return try records("WHERE id BETWEEN ? AND ? ORDER BY id").with(keys.lowerBound, keys.upperBound)
            .map(RecordSummary.init(row:))
    }

    private func voiceNotes() throws -> [RecordSummary] {
        guard let file = source[RecordKind.voiceNote.slot] else { return [] }
        let keys = RecordKey.range(ofFile: file.id)
        return try records("WHERE id BETWEEN ? AND ? AND is_authoritative ORDER BY id").with(
            keys.lowerBound, keys.upperBound
        ).map(RecordSummary.init(row:))
    }

    private func danglingReferences() throws -> [RecordSummary] {
        try records(
            """
            INDEXED BY record_by_reference
            WHERE source_id = ?1 AND reference IS NOT NULL AND is_authoritative AND NOT EXISTS (
                SELECT 1 FROM record AS target INDEXED BY record_by_id
                WHERE target.source_id = ?1 AND target.record_id = record.reference
                    AND target.kind = CASE record.kind WHEN ?2 THEN ?3 ELSE ?2 END)
            """
        ).with(source.id, RecordKind.marker.code, RecordKind.voiceNote.code)
            .map(RecordSummary.init(row:))
    }

    private func beyondEnd(_ session: Session) throws -> [RecordSummary] {
        guard session.status == .closed, let end = session.duration else { return [] }
        return try RecordKind.lines.flatMap { kind in
            try records("WHERE source_id = ? AND kind = ? AND offset_ms > ? AND is_authoritative").with(
                source.id, kind.code, end.milliseconds
            ).map(RecordSummary.init(row:))
        }
    }

    // MARK: - Ids

    /// The first record of each kind that uses an id which another kind, the session or a media item had
    /// before.
    private func reusedIDs(_ session: Session) throws -> [SessionFacts.ReusedID] {
        let mediaItems = Set(session.media.compactMap(\.id))
        let shared = try database.query("SELECT record_id FROM shared_id WHERE source_id = ?").with(source.id)
            .map { $0.text(0).flatMap { ULID($0) } }
        let candidates = mediaItems.union(shared.compactMap(\.self)).union([session.id].compactMap(\.self))
        return try candidates.flatMap { id -> [SessionFacts.ReusedID] in
            var firsts: [RecordSummary] = []
            for record in try records(of: id) where firsts.last?.kind != record.kind { firsts.append(record) }
            if firsts.count < 2 { try forget(shared: id) }
            let first = id == session.id ? .session : firsts.first?.kind
            return firsts.compactMap { record -> SessionFacts.ReusedID? in
                if first != record.kind, let first = first.flatMap(RecordKind.init) {
                    return .init(record: record, takenBy: first.noun)
                }
                return mediaItems.contains(id) ? .init(record: record, takenBy: "media item") : nil
            }
        }
    }

    private func records(of id: ULID) throws -> [RecordSummary] {
        try records("INDEXED BY record_by_id WHERE source_id = ? AND record_id = ? ORDER BY kind, id").with(
            source.id, id.description
        )
        .map(RecordSummary.init(row:))
    }

    private func forget(shared id: ULID) throws {
        try database.query("DELETE FROM shared_id WHERE source_id = ? AND record_id = ?").with(
            source.id, id.description
        ).run()
    }
}
