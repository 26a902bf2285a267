internal import GRDB
public import RecordFormat
public import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

extension JournalIndex {
    /// The journals of a scope, in the order of their kinds, then of their paths.
    ///
    /// - Parameter kinds: Only those of these kinds.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(their number + their findings)
    public func journals(
        _ scope: RecordFilter.Scope, kinds: Set<JournalKind>? = nil
    ) throws -> [IndexedJournal] {
        var filter = RecordFilter(scope)
        filter.journalKinds = kinds
        var conditions = Conditions()
        filter.constrainSource(&conditions)
        let found = try database.read { database in
            let findings = try database.query(
                "SELECT severity, count(*) FROM finding WHERE source_id = ? GROUP BY severity")
            let rows = try database.query(
                """
                SELECT source.id, source.path, source.kind, root.path, root.is_online,
                    (SELECT sum(id_count) FROM file WHERE source_id = source.id), \(HeaderRow.columns)
                FROM source LEFT JOIN root ON root.id = source.root_id WHERE \(conditions.sql) ORDER BY source.path
                """
            ).with(conditions.arguments).map { (key: $0.int(0), journal: IndexedJournal($0)) }
            return try rows.map { key, journal in
                var journal = journal
                for (severity, count) in try findings.with(key).map({ ($0.text(0), Int($0.int(1))) }) {
                    guard let severity = severity.flatMap(Rule.Severity.init(rawValue:)) else { continue }
                    journal.findingCounts[severity] = count
                }
                guard journal.first == nil, let start = try span(of: key, journal.kind, in: database) else {
                    return journal
                }
                (journal.first, journal.last) = start
                return journal
            }
        }
        return found.enumerated().sorted {
            (formats.rank(of: $0.element.kind), $0.offset) < (formats.rank(of: $1.element.kind), $1.offset)
        }.map(\.element)
    }

    /// The journals of any kind with what all kinds have, and without the numbers of their records and findings, in the order of their
    /// paths.
    ///
    /// - Parameters:
    ///   - kinds: Only those of these kinds.
    ///   - prefix: Only those whose id begins so, byte for byte.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(journals); with a prefix, O(log journals + what is returned)
    package func uncountedJournals(
        kinds: Set<JournalKind>? = nil, withIDPrefix prefix: String? = nil
    ) throws -> [IndexedSession] {
        var conditions = Conditions()
        if let kinds {
            let places = kinds.map { _ in "?" }.joined(separator: ", ")
            conditions.add("source.kind IN (\(places))", kinds.map(\.name).sorted())
        }
        if let prefix {
            // Ids are opaque: what follows the prefix may be any character, and none sorts behind this one.
            conditions.add("journal_id >= ? AND journal_id < ? || char(1114111)", prefix, prefix)
        }
        return try database.read { database in
            try database.query(
                """
                SELECT source.path, root.path, root.is_online, journal_id, title
                FROM source LEFT JOIN root ON root.id = source.root_id WHERE \(conditions.sql) ORDER BY source.path
                """
            ).with(conditions.arguments).map { row in
                IndexedSession(
                    path: FilePath(bytes: row.blob(0)),
                    root: row.isNull(1) ? nil : FilePath(bytes: row.blob(1)),
                    isOnline: row.isNull(2) || row.bool(2), id: row.text(3).flatMap { ULID($0) },
                    title: row.text(4), counts: [:], findingCounts: [:])
            }
        }
    }

    /// The moments of the first and the last record, where the row of the source does not have them.
    private func span(
        of source: Int64, _ kind: JournalKind, in database: Database
    ) throws -> (Timestamp, Timestamp)? {
        guard let kinds = formats[kind]?.layout.entryKinds.map(\.kind),
            let offsets = try RecordSpan.offsets(of: source, kinds, in: database),
            let epoch = try database.query("SELECT epoch_ms FROM source WHERE id = ?").with(source).first({
                $0.optionalInt(0)
            }) ?? nil
        else { return nil }
        let clock = SessionClock(start: Timestamp(milliseconds: epoch))
        return (clock.wall(at: offsets.lowerBound), clock.wall(at: offsets.upperBound))
    }

    /// The id of the journal at a path, of whatever kind; nil if there is none, or its header does not say.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    package func journalID(at path: FilePath) throws -> ULID? {
        try database.read { database in
            try database.query("SELECT journal_id FROM source WHERE path = ?").with(path.bytes).first {
                $0.text(0)
            }.flatMap { $0.flatMap { ULID($0) } }
        }
    }

    /// How many records of each kind of entry a journal has, by their names, in the order of its layout.
    ///
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(its records)
    public func entryCounts(of journal: FilePath) throws -> [(name: String, count: Int)] {
        let counts = try database.read { database in
            try database.query(
                """
                SELECT record.kind, count(*) FROM source CROSS JOIN record INDEXED BY record_by_offset
                ON record.source_id = source.id WHERE source.path = ? AND is_authoritative GROUP BY record.kind
                """
            ).with(journal.bytes).map { (code: $0.int(0), count: Int($0.int(1))) }
        }
        return formats.formats.flatMap(\.layout.entryKinds).compactMap { entry in
            counts.first { $0.code == Int64(entry.kind.code) }.map { (entry.name, $0.count) }
        }
    }

    /// What happened, of all journals that a filter names: the records of the kinds that are on the timeline, in the order of their
    /// moments; of one moment in the order of the kinds of journal, then of the paths, then of the file. What has no moment, since its
    /// session has no start, is not among them.
    ///
    /// - Parameters:
    ///   - filter: Its moments bound what is looked at.
    ///   - hasEverything: Whether all records with a time come, of whatever kind.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(log of all records) for each journal with records around these moments, and O(n log n) in what is found.
    public func timeline(
        _ filter: RecordFilter, hasEverything: Bool = false
    ) throws -> [TimelineRecord] {
        let filter = onTimeline(filter, hasEverything: hasEverything)
        var conditions = Conditions()
        filter.constrain(&conditions)
        conditions.add("is_authoritative")
        conditions.add("offset_ms IS NOT NULL")
        // Without a start there are offsets, and no moments.
        conditions.add("epoch_ms IS NOT NULL")
        let found = try database.read { database in
            try database.query(
                """
                SELECT \(TimelineRecord.columns)
                FROM source CROSS JOIN record INDEXED BY record_by_offset ON record.source_id = source.id
                WHERE \(conditions.sql)
                """
            ).with(conditions.arguments).map { row in
                let record = try TimelineRecord(row, formats)
                let place = TimelinePlace(
                    record, offset: RecordSummary.offset(in: row), rank: formats.rank(of: record.kind),
                    path: record.record.session.bytes)
                return (record: record, place: place)
            }
        }
        return found.sorted { $0.place < $1.place }.map(\.record)
    }

    /// A filter of those kinds of entry alone that are on the timeline.
    ///
    /// - Parameter hasEverything: Whether all kinds are, as in the list of a journal's records.
    func onTimeline(_ filter: RecordFilter, hasEverything: Bool) -> RecordFilter {
        var filter = filter
        let entries = formats.formats.flatMap(\.layout.entryKinds)
        let shown = Set(entries.filter { hasEverything || $0.isOnTimeline }.map(\.kind))
        filter.kinds = filter.kinds.map { $0.intersection(shown) } ?? shown
        return filter
    }
}

/// A record on the timeline of all journals.
public struct TimelineRecord: Sendable, Hashable {
    /// Where it stands, and what it says.
    public var record: IndexedRecord
    /// The kind of journal.
    public var kind: JournalKind
    /// The moment of the record.
    public var time: Timestamp
    /// The kind of entry, without the name of the kind of journal.
    public var entryName: String
}

extension TimelineRecord {
    /// What ``init(_:_:)`` reads, of a query that joins `record` and `source`, which has an epoch.
    static let columns =
        "\(RecordSummary.columns), source.path, source.kind, \(PauseRows.wallTime)"

    init(_ row: Query.Columns, _ formats: JournalRegistry) throws {
        let first = RecordSummary.columnCount
        let summary = try RecordSummary(row: row)
        let time = Timestamp(milliseconds: row.int(first + 2))
        let record = try IndexedRecord(
            summary, of: FilePath(bytes: row.blob(first)), at: time, isAuthoritative: true, formats)
        self.init(
            record: record, kind: JournalKind(name: row.text(first + 1) ?? ""), time: time,
            entryName: formats.entry(summary.kind)?.declaration.shortName ?? record.kindName)
    }
}

extension IndexedJournal {
    fileprivate init(_ row: Query.Columns) {
        let header = HeaderRow(row: row, from: 6)
        path = FilePath(bytes: row.blob(1))
        kind = JournalKind(name: row.text(2) ?? "")
        id = header.id
        title = header.title
        root = row.isNull(3) ? nil : FilePath(bytes: row.blob(3))
        isOnline = row.isNull(4) || row.bool(4)
        state = header.state.rawValue
        first = header.first
        last = header.last
        recordCount = Int(row.int(5))
        findingCounts = [:]
    }
}

extension IndexedSession {
    /// A journal of another kind, for answers that are about any: it has no more of a session than what all journals have.
    package init(_ journal: IndexedJournal) {
        self.init(
            path: journal.path, root: journal.root, isOnline: journal.isOnline,
            id: journal.id.flatMap { ULID($0) }, title: journal.title, counts: [:],
            findingCounts: journal.findingCounts)
    }
}
