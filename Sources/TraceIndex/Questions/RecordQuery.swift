internal import GRDB
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// Reads records of one session.
struct RecordQuery {
    let session: FilePath
    let source: Int64
    /// Nil without a start; of an active session, without a pause that lasts.
    let clock: SessionClock?
    private let formats: JournalRegistry
    private let database: Database

    /// - Throws: ``IndexError`` with `.noSuchSession`.
    init(_ session: FilePath, _ formats: JournalRegistry, in database: Database) throws {
        let row = try database.query(
            "SELECT id, epoch_ms FROM source WHERE path = ?"
        ).with(session.bytes).first { ($0.int(0), $0.optionalInt(1)) }
        guard let (source, start) = row else {
            throw IndexError(
                .noSuchSession, "the session is not in the index", path: session,
                cure: "reconcile it, or read its files")
        }
        try self.init(
            session, source, start: start.map(Timestamp.init(milliseconds:)), formats, in: database)
    }

    /// - Parameters:
    ///   - source: The row of the session.
    ///   - start: The moment of offset 0.
    init(
        _ session: FilePath, _ source: Int64, start: Timestamp?, _ formats: JournalRegistry,
        in database: Database
    ) throws {
        self.session = session
        self.source = source
        clock = try start.map {
            try PauseRows(source: source, database: database).clock(startingAt: $0, isActive: false)
        }
        self.database = database
        self.formats = formats
    }

    /// - Parameters:
    ///   - index: The index that leads to them, where SQLite could as well take a wider one.
    ///   - arguments: Those from ?2 on; ?1 is the source.
    func records(
        _ condition: String, by index: String? = nil, _ arguments: (any SQLArgument)?...
    ) throws -> [IndexedRecord] {
        try records(condition, by: index, all: [source] + arguments)
    }

    private func records(
        _ condition: String, by index: String?, all arguments: [(any SQLArgument)?]
    ) throws -> [IndexedRecord] {
        let table = index.map { "record INDEXED BY \($0)" } ?? "record"
        let query = try database.query(
            "SELECT \(RecordSummary.columns), is_authoritative FROM \(table) WHERE \(condition)")
        return try query.with(arguments).map { row in
            let summary = try RecordSummary(row: row)
            return try IndexedRecord(
                summary, of: session, at: summary.offset.flatMap { clock?.wall(at: $0) },
                isAuthoritative: row.bool(RecordSummary.columnCount), formats)
        }
    }

    // MARK: - Pages

    /// Those of a selection that come next, in the order of their offsets, then of their lines.
    ///
    /// - Parameter limit: At most so many; nil for all.
    /// - Complexity: O(log of all records + what is returned + what lies between and is superseded or lacks the tags).
    func records(
        _ selection: RecordSelection, after key: RecordSortKey?, limit: Int?
    ) throws -> [IndexedRecord] {
        var offsets = selection.offsets
        var found: [IndexedRecord] = []
        if let key, key.offset >= offsets.lowerBound {
            guard key.offset <= offsets.upperBound else { return [] }
            // The rest of those at the same offset is a query of its own: SQLite seeks by a key only if the offset is given.
            let place = try recordKey(of: selection.kind, line: key.line)
            found = try records(
                conditions(selection, "offset_ms = ? AND id > ?", key.offset.milliseconds, place),
                order: "id", limit)
            guard let next = key.offset.next, next <= offsets.upperBound else { return found }
            offsets = next...offsets.upperBound
        }
        let rest = limit.map { $0 - found.count }
        if let rest, rest <= 0 { return found }
        return try found
            + records(conditions(selection, within: offsets), order: "offset_ms, id", rest)
    }

    /// The key of the record of a selection behind which `count` others stand before an offset; nil if there are not so many.
    ///
    /// - Complexity: O(log of all records + `count`), as above.
    func sortKey(
        of selection: RecordSelection, countingBack count: Int, from offset: SessionOffset
    ) throws -> RecordSortKey? {
        guard let last = offset.previous, case let upper = min(last, selection.offsets.upperBound),
            upper >= selection.offsets.lowerBound
        else { return nil }
        let conditions = conditions(selection, within: selection.offsets.lowerBound...upper)
        return try database.query(
            """
            SELECT offset_ms, id FROM record INDEXED BY record_by_offset WHERE \(conditions.sql)
            ORDER BY offset_ms DESC, id DESC LIMIT 1 OFFSET ?
            """
        ).with(conditions.arguments + [count]).first { row in
            RecordSortKey(
                offset: SessionOffset(milliseconds: row.int(0)), line: RecordKey.line(of: row.int(1)))
        }
    }

    private func records(
        _ conditions: Conditions, order: String, _ limit: Int?
    ) throws -> [IndexedRecord] {
        try records(
            "\(conditions.sql) ORDER BY \(order) LIMIT ?", by: "record_by_offset",
            all: conditions.arguments + [limit ?? -1])
    }

    private func conditions(
        _ selection: RecordSelection, within offsets: ClosedRange<SessionOffset>
    ) -> Conditions {
        conditions(
            selection, "offset_ms BETWEEN ? AND ?", offsets.lowerBound.milliseconds,
            offsets.upperBound.milliseconds)
    }

    private func conditions(
        _ selection: RecordSelection, _ place: String, _ arguments: any SQLArgument...
    ) -> Conditions {
        var conditions = Conditions()
        conditions.add("source_id = ?", source)
        conditions.add("kind = \(selection.kind.code)")
        conditions.add(place, arguments)
        conditions.add("is_authoritative")
        conditions.add(tags: selection.tags)
        return conditions
    }

    private func recordKey(of kind: RecordKind, line: Int) throws -> Int64 {
        let file = try database.query("SELECT id FROM file WHERE source_id = ? AND slot = ?")
            .with(source, kind.slot.number).first { $0.int(0) }
        return RecordKey.key(file: file ?? 0, line: min(max(0, line), RecordKey.maximumLine))
    }
}

extension IndexedRecord {
    init(
        _ summary: RecordSummary, of session: FilePath, at wallTime: Timestamp?, isAuthoritative: Bool,
        _ formats: JournalRegistry
    ) throws {
        guard let (entry, file) = formats.entry(summary.kind) else {
            throw IndexDamage(description: "a record of no known kind")
        }
        let isDocument = if case .document = file.container { true } else { false }
        let single = isDocument ? session.lastComponent.flatMap { formats.isSingleFile($0) ? $0 : nil } : nil
        self.init(
            session: session, kind: summary.kind, kindName: entry.name, fileName: single?.string ?? file.name,
            line: summary.line, byteOffset: summary.byteOffset,
            byteLength: summary.byteLength, id: summary.id, otherID: summary.otherID,
            subject: summary.subject, isAuthoritative: isAuthoritative,
            // A moment is all there is to say: it counts from no start.
            offset: file.hasMoments ? nil : summary.offset, duration: summary.duration,
            wallTime: wallTime,
            createdAt: summary.createdAt, reference: summary.reference, detail: summary.detail,
            text: summary.text, note: summary.note, mediaPath: summary.mediaPath, tags: summary.tags)
    }
}
