internal import GRDB
public import RecordFormat
public import SystemPackage
package import TraceFiles
public import TraceFormat
package import TraceStore

extension JournalIndex {
    /// The records of a session in the order of their offsets, then of their lines; those without an offset
    /// come first.
    ///
    /// - Parameters:
    ///   - kind: Only those of that kind; of several kinds at one offset, they come in the order of
    ///   ``RecordKind/lines``.
    ///   - offsets: Only those that are within.
    ///   - tag: Only those that have it, ignoring case.
    ///   - authoritativeOnly: Only the last line of each id; else lines that were superseded or have no id
    ///   too.
    ///   - limit: At most so many.
    /// - Throws: ``IndexError`` with `.noSuchSession`, `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(log of all records + what is returned), for one kind and without a tag.
    public func records(
        of session: FilePath, kind: RecordKind? = nil, offsets: ClosedRange<SessionOffset>? = nil,
        tag: String? = nil,
        authoritativeOnly: Bool = true, limit: Int? = nil
    ) throws -> [IndexedRecord] {
        try database.read { database in
            let query = try RecordQuery(session, formats, in: database)
            let spellings = tag.map(TagText.arguments) ?? []
            var conditions = ["record.source_id = ?1"]
            if kind != nil { conditions.append("record.kind = ?2") }
            if offsets != nil { conditions.append("offset_ms BETWEEN ?3 AND ?4") }
            if authoritativeOnly { conditions.append("is_authoritative") }
            if tag != nil { conditions.append(TagText.condition(["?5", "?6"])) }
            return try query.records(
                "\(conditions.joined(separator: " AND ")) ORDER BY offset_ms, record.kind, record.id LIMIT ?7",
                kind?.code, offsets?.lowerBound.milliseconds, offsets?.upperBound.milliseconds,
                spellings.first, spellings.last, limit ?? -1)
        }
    }

    /// Where the lines of a session's markers lie, in the order of their offsets, then of their lines.
    ///
    /// - Parameters:
    ///   - tags: Only those that have all of these, ignoring case.
    ///   - limit: How many lines may be within the offsets, whatever their tags: of more, the file tells faster.
    /// - Returns: The lines, and whether a file is the one that was indexed; nil if there are more, or nothing is known.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(log of all records + what is within the offsets).
    package func markerLines(
        of session: FilePath, offsets: ClosedRange<SessionOffset>, tags: [String], limit: Int
    ) throws -> (lines: [LineKey], isFile: (FileIdentity) -> Bool)? {
        try database.read { database -> (lines: [LineKey], isFile: (FileIdentity) -> Bool)? in
            guard let source = try KnownSource(database, at: session),
                let file = source[RecordKind.marker.slot]?.identity
            else { return nil }
            var conditions = Conditions()
            conditions.add("source_id = ?", source.id)
            conditions.add("kind = \(RecordKind.marker.code)")
            conditions.add(
                "offset_ms BETWEEN ? AND ?", offsets.lowerBound.milliseconds, offsets.upperBound.milliseconds)
            func query(_ columns: String, _ rest: String) throws -> Query {
                try database.query(
                    "SELECT \(columns) FROM record INDEXED BY record_by_offset WHERE \(conditions.sql) \(rest)"
                ).with(conditions.arguments)
            }
            if try query("1", "LIMIT 1 OFFSET \(limit)").first({ _ in true }) != nil { return nil }
            conditions.add("is_authoritative")
            conditions.add(tags: tags)
            let lines = try query("offset_ms, byte_offset, byte_length", "ORDER BY offset_ms, id").map {
                row in
                LineKey(
                    offset: SessionOffset(milliseconds: row.int(0)), byteOffset: Int(row.int(1)),
                    length: Int(row.int(2)))
            }
            return (lines, { IndexedIdentity($0) == file })
        }
    }

    /// The marker that stands last in `markers.jsonl`, of those with an id and an offset, or nil.
    ///
    /// - Throws: ``IndexError`` with `.noSuchSession`, `.busy`, `.corrupt` or `.io`.
    public func lastMarker(of session: FilePath) throws -> IndexedRecord? {
        try database.read { database in
            let query = try RecordQuery(session, formats, in: database)
            let file = try database.query("SELECT id FROM file WHERE source_id = ? AND slot = ?")
                .with(query.source, RecordKind.marker.slot.number).first { $0.int(0) }
            guard let file else { return nil }
            let keys = RecordKey.range(ofFile: file)
            let condition = "record.id BETWEEN ?2 AND ?3 AND is_authoritative AND offset_ms IS NOT NULL"
            return try query.records(
                "\(condition) ORDER BY record.id DESC LIMIT 1", keys.lowerBound, keys.upperBound
            ).first
        }
    }

    /// The bytes of a record's line, without its line break, read from the file.
    ///
    /// - Throws: ``IndexError`` with `.stale` if the file holds another line there now; `TraceStore`'s `FileError` if it can't
    ///   be read.
    public func line(of record: IndexedRecord) throws -> [UInt8] {
        try IndexedLines(formats).line(of: record)
    }

    /// The markers, voice notes and transcript segments of a session that stand or last within a stretch of it,
    /// in the order of their offsets.
    ///
    /// - Throws: ``IndexError`` with `.noSuchSession`, `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(log of all records + what is returned + what has a duration and begins earlier).
    public func records(of session: FilePath, during offsets: ClosedRange<SessionOffset>) throws
        -> [IndexedRecord]
    {
        let (first, last) = (offsets.lowerBound.milliseconds, offsets.upperBound.milliseconds)
        let found = try database.read { database in
            let query = try RecordQuery(session, formats, in: database)
            return try [RecordKind.marker, .voiceNote, .transcript].flatMap { kind in
                try query.records(
                    "source_id = ?1 AND kind = ?2 AND duration_ms > 0 AND offset_ms < ?3 "
                        + "AND offset_ms + duration_ms >= ?3 AND is_authoritative ORDER BY offset_ms, id",
                    by: "record_by_span", kind.code, first)
                    + query.records(
                        "source_id = ?1 AND kind = ?2 AND offset_ms BETWEEN ?3 AND ?4 AND is_authoritative "
                            + "ORDER BY offset_ms, id",
                        by: "record_by_offset", kind.code, first, last)
            }
        }
        return found.enumerated().sorted { left, right in
            (left.element.offset ?? .zero, left.offset) < (right.element.offset ?? .zero, right.offset)
        }.map(\.element)
    }
}
