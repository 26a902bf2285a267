internal import GRDB
package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// Names a record on the timeline of all journals, behind which a page of it begins.
package struct TimelineKey: Sendable, Hashable {
    /// Its moment.
    package let time: Timestamp
    /// Its journal.
    package let journal: FilePath
    /// The number of its kind of entry.
    package let kind: UInt8
    /// Where it is in its file.
    package let line, byteOffset: Int

    package init(time: Timestamp, journal: FilePath, kind: UInt8, line: Int, byteOffset: Int) {
        self.time = time
        self.journal = journal
        self.kind = kind
        self.line = line
        self.byteOffset = byteOffset
    }

    /// That of a record.
    package init(_ record: TimelineRecord) {
        self.init(
            time: record.time, journal: record.record.session, kind: record.record.kind.code,
            line: record.record.line, byteOffset: record.record.byteOffset)
    }
}

/// Where a record is on the timeline: by its moment, then by its kind of journal, then by the journal's path, then by its file.
struct TimelinePlace: Comparable {
    let time: Timestamp
    private let rank: Int
    private let path: [UInt8]
    private let offset: SessionOffset
    private let fileName: String
    private let byteOffset: Int

    /// - Parameters:
    ///   - offset: What the index says, of a document's record, too.
    ///   - rank: That of the kind of journal.
    ///   - path: The journal's.
    init(_ record: TimelineRecord, offset: SessionOffset, rank: Int, path: [UInt8]) {
        time = record.time
        self.rank = rank
        self.path = path
        self.offset = offset
        fileName = record.record.fileName
        byteOffset = record.record.byteOffset
    }

    static func < (left: Self, right: Self) -> Bool {
        if left.time != right.time { return left.time < right.time }
        if left.rank != right.rank { return left.rank < right.rank }
        if left.path != right.path { return left.path.lexicographicallyPrecedes(right.path) }
        // Of one journal, they differ at one moment only where moments are cut off at the end of what 64 bits hold.
        if left.offset != right.offset { return left.offset < right.offset }
        if left.fileName != right.fileName { return left.fileName < right.fileName }
        return left.byteOffset < right.byteOffset
    }
}

extension JournalIndex {
    /// The records of ``timeline(_:hasEverything:)`` that come next, without those behind them being looked at.
    ///
    /// Within a journal the order of the moments is that of the offsets, since a clock that stands still never goes back: an index leads
    /// to the next record of each kind of entry. These are merged, and so are the journals.
    ///
    /// - Parameters:
    ///   - key: Where the timeline was left; nil for its beginning. If what it names has gone, what happened at its moment comes once
    ///     more.
    ///   - limit: At most so many, > 0.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(journals + what is returned + log of all records for each kind of entry of each journal with records around the
    ///   moments of the answer); besides, documents are read whose records are of one moment
    package func timeline(
        _ filter: RecordFilter, hasEverything: Bool = false, after key: TimelineKey?, limit: Int
    ) throws -> [TimelineRecord] {
        let filter = onTimeline(filter, hasEverything: hasEverything)
        return try database.read { database in
            var merge = try TimelineMerge(filter, after: key, formats, in: database)
            return try merge.run(limit)
        }
    }
}

/// A journal whose records may be in the answer.
private struct TimelineSource {
    let id: Int64
    let path: FilePath
    let kind: JournalKind
    let epoch: Timestamp
    /// No record stands before it.
    let first: Timestamp

    /// Those that have moments at or after one, in the order in which their first records can come.
    static func all(
        _ filter: RecordFilter, from moment: Timestamp?, in database: Database
    ) throws -> [TimelineSource] {
        var conditions = Conditions()
        filter.constrainSource(&conditions)
        conditions.add("epoch_ms IS NOT NULL")
        for lower in [moment, filter.moments?.lowerBound].compactMap(\.self) {
            conditions.add("(last_ms IS NULL OR last_ms >= ?)", lower.milliseconds)
        }
        if let upper = filter.moments?.upperBound {
            conditions.add("coalesce(first_ms, epoch_ms) <= ?", upper.milliseconds)
        }
        // The records of sessions do not stand before their start; of other journals it is known when the first one was.
        return try database.query(
            """
            SELECT id, path, kind, epoch_ms, coalesce(first_ms, epoch_ms) AS start_ms FROM source
            WHERE \(conditions.sql) ORDER BY start_ms
            """
        ).with(conditions.arguments).map { row in
            TimelineSource(
                id: row.int(0), path: FilePath(bytes: row.blob(1)),
                kind: JournalKind(name: row.text(2) ?? ""), epoch: Timestamp(milliseconds: row.int(3)),
                first: Timestamp(milliseconds: row.int(4)))
        }
    }
}

/// The record that a key names, where it still is.
private struct KeyRecord {
    let offset: SessionOffset
    /// In the index.
    let key: Int64
    let file: JournalFile

    /// Nil if it is gone, or stands at another moment now.
    init?(_ key: TimelineKey, _ formats: JournalRegistry, in database: Database) throws {
        guard let kind = EntryKind(column: Int64(key.kind)), let file = formats.entry(kind)?.file else {
            return nil
        }
        let fileID = try database.query(
            """
            SELECT file.id FROM source JOIN file ON file.source_id = source.id
            WHERE source.path = ? AND file.slot = ?
            """
        ).with(key.journal.bytes, file.slot.number).first { $0.int(0) }
        guard let id = fileID else { return nil }
        let record = RecordKey.key(file: id, line: min(max(0, key.line), RecordKey.maximumLine))
        let found = try database.query(
            """
            SELECT record.offset_ms, \(PauseRows.wallTime)
            FROM record CROSS JOIN source ON source.id = record.source_id
            WHERE record.id = ? AND record.kind = ? AND record.byte_offset = ?
            """
        ).with(record, Int(key.kind), key.byteOffset).first { ($0.int(0), $0.optionalInt(1)) }
        // Compared here, where a moment is cut off at the end of what 64 bits hold.
        guard let (milliseconds, moment) = found, moment == key.time.milliseconds else { return nil }
        offset = SessionOffset(milliseconds: milliseconds)
        self.key = record
        self.file = file
    }
}

/// Merges the records of journals, of which it holds no more than the next few of each kind of entry.
private struct TimelineMerge {
    private let filter: RecordFilter
    private let key: TimelineKey?
    /// Nil without a key, and if what it names has gone.
    private let keyRecord: KeyRecord?
    private let formats: JournalRegistry
    private let database: Database
    /// Those that have not been looked into.
    private var sources: ArraySlice<TimelineSource>
    /// The one with the next record is the last.
    private var streams: [Stream] = []

    /// How many records of a kind of a journal are read at once.
    private static let batchSize = 32

    init(
        _ filter: RecordFilter, after key: TimelineKey?, _ formats: JournalRegistry, in database: Database
    ) throws {
        self.filter = filter
        self.key = key
        self.formats = formats
        self.database = database
        keyRecord = try key.flatMap { try KeyRecord($0, formats, in: database) }
        sources = try TimelineSource.all(filter, from: key?.time, in: database)[...]
    }

    /// A record that was read, and where it stands among those of its kind in its journal.
    private struct Row {
        let record: TimelineRecord
        let place: TimelinePlace
        let position: Position
    }

    /// Where a list of the records of one kind in one journal was left.
    private struct Position {
        let offset: SessionOffset
        /// Behind this one, of those at the offset: by their keys where they are lines, whose order is that of the file, else by where
        /// they are in the document.
        let order: Int64
    }

    /// The next records of one kind in one journal; never without any.
    private struct Stream {
        let source: TimelineSource
        let path: [UInt8]
        let kind: EntryKind
        let isLines: Bool
        let offsets: ClosedRange<SessionOffset>
        var next: ArraySlice<Row> = []
        var first: Row
    }

    mutating func run(_ limit: Int) throws -> [TimelineRecord] {
        var found: [TimelineRecord] = []
        while found.count < limit {
            try openNext(limit - found.count)
            guard var stream = streams.popLast() else { break }
            found.append(stream.first.record)
            if try advance(&stream, limit - found.count) { insert(stream) }
        }
        return found
    }

    private mutating func insert(_ stream: Stream) {
        var (low, high) = (streams.startIndex, streams.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if stream.first.place < streams[middle].first.place { low = middle + 1 } else { high = middle }
        }
        streams.insert(stream, at: low)
    }

    /// Looks into the journals whose first record can precede those that are known.
    private mutating func openNext(_ wanted: Int) throws {
        while let source = sources.first {
            if let earliest = streams.last, earliest.first.place.time < source.first { return }
            sources.removeFirst()
            for stream in try open(source, wanted) { insert(stream) }
        }
    }

    // MARK: - One journal

    /// - Returns: A stream for each kind of entry of which there are such records.
    private func open(_ source: TimelineSource, _ wanted: Int) throws -> [Stream] {
        guard let layout = formats[source.kind]?.layout else { return [] }
        let clock = try PauseRows(source: source.id, database: database).clock(
            startingAt: source.epoch, isActive: false)
        guard let offsets = offsets(of: source, clock) else { return [] }
        let path = source.path.bytes
        return try layout.entryKinds.compactMap { entry in
            guard filter.kinds?.contains(entry.kind) ?? true,
                let file = layout.files.first(where: { $0.entryKinds.contains(entry.kind) }),
                let (range, position) = start(in: source, file, offsets)
            else { return nil }
            let isLines = if case .lines = file.container { true } else { false }
            let found = try rows(
                of: source, path, entry.kind, isLines, range, after: position, min(wanted, Self.batchSize))
            return found.first.map {
                Stream(
                    source: source, path: path, kind: entry.kind, isLines: isLines, offsets: range,
                    next: found.dropFirst(), first: $0)
            }
        }
    }

    /// The offsets whose records are wanted, as far as the moments of the filter and of the key tell; nil if there are none.
    private func offsets(of source: TimelineSource, _ clock: SessionClock) -> ClosedRange<SessionOffset>? {
        var wanted = SessionOffset(milliseconds: .min)...SessionOffset(milliseconds: .max)
        func narrow(to other: ClosedRange<SessionOffset>?) -> Bool {
            guard let other, wanted.overlaps(other) else { return false }
            wanted = wanted.clamped(to: other)
            return true
        }
        if let offsets = filter.offsets, !narrow(to: offsets) { return nil }
        if let moments = filter.moments, !narrow(to: clock.offsets(within: moments)) { return nil }
        guard let key else { return wanted }
        if let keyRecord, source.path == key.journal {
            return narrow(to: keyRecord.offset...SessionOffset(milliseconds: .max)) ? wanted : nil
        }
        // The journals behind that of the key continue at its moment, those before it behind that.
        guard let next = isBeforeKey(source) ? key.time.next : key.time else { return nil }
        let later = next...Timestamp(milliseconds: .max)
        guard let lower = clock.offsets(within: later)?.lowerBound else { return nil }
        return narrow(to: lower...SessionOffset(milliseconds: .max)) ? wanted : nil
    }

    /// Whether what a journal holds at the moment of the key stands before it.
    private func isBeforeKey(_ source: TimelineSource) -> Bool {
        guard let key, keyRecord != nil, let kind = EntryKind(column: Int64(key.kind)) else { return false }
        let keyRank = formats.formats.firstIndex { format in
            format.layout.entryKinds.contains { $0.kind == kind }
        }
        let rank = formats.rank(of: source.kind)
        guard let last = keyRank else { return false }
        guard rank == last else { return rank < last }
        return source.path.bytes.lexicographicallyPrecedes(key.journal.bytes)
    }

    /// Where the records in a file of a journal begin; nil if there are none.
    private func start(
        in source: TimelineSource, _ file: JournalFile, _ offsets: ClosedRange<SessionOffset>
    ) -> (ClosedRange<SessionOffset>, Position?)? {
        guard let keyRecord, let key, source.path == key.journal, offsets.contains(keyRecord.offset) else {
            return (offsets, nil)
        }
        if file.slot == keyRecord.file.slot {
            let isLines = if case .lines = file.container { true } else { false }
            let order = isLines ? keyRecord.key : Int64(key.byteOffset)
            return (offsets, Position(offset: keyRecord.offset, order: order))
        }
        // Of one moment, the files come in the order of their names.
        guard file.name < keyRecord.file.name else { return (offsets, nil) }
        return Self.range(offsets, behind: keyRecord.offset).map { ($0, nil) }
    }

    private static func range(
        _ offsets: ClosedRange<SessionOffset>, behind offset: SessionOffset
    ) -> ClosedRange<SessionOffset>? {
        guard let next = offset.next, next <= offsets.upperBound else { return nil }
        return max(offsets.lowerBound, next)...offsets.upperBound
    }

    /// Goes to the next record.
    ///
    /// - Returns: Whether there is one, and whether any is wanted.
    private func advance(_ stream: inout Stream, _ wanted: Int) throws -> Bool {
        guard wanted > 0 else { return false }
        if stream.next.isEmpty {
            stream.next = try rows(
                of: stream.source, stream.path, stream.kind, stream.isLines, stream.offsets,
                after: stream.first.position, min(wanted, Self.batchSize))[...]
        }
        guard let next = stream.next.popFirst() else { return false }
        stream.first = next
        return true
    }

    private func rows(
        of source: TimelineSource, _ path: [UInt8], _ kind: EntryKind, _ isLines: Bool,
        _ offsets: ClosedRange<SessionOffset>, after position: Position?, _ limit: Int
    ) throws -> [Row] {
        let order = isLines ? "record.id" : "record.byte_offset"
        func read(
            _ place: String, _ arguments: Int64..., by order: String, atMost limit: Int
        ) throws -> [Row] {
            var conditions = Conditions()
            conditions.add("source.id = ? AND record.kind = ?", source.id, Int(kind.code))
            conditions.add(place, arguments)
            conditions.add("is_authoritative")
            conditions.add(tags: filter.tags)
            return try database.query(
                """
                SELECT \(TimelineRecord.columns)
                FROM source CROSS JOIN record INDEXED BY record_by_offset ON record.source_id = source.id
                WHERE \(conditions.sql) ORDER BY \(order) LIMIT ?
                """
            ).with(conditions.arguments + [limit]).map { row in
                let record = try TimelineRecord(row, formats)
                let offset = RecordSummary.offset(in: row)
                let last = isLines ? RecordSummary.key(in: row) : Int64(record.record.byteOffset)
                return Row(
                    record: record,
                    place: TimelinePlace(
                        record, offset: offset, rank: formats.rank(of: source.kind), path: path),
                    position: Position(offset: offset, order: last))
            }
        }
        var found: [Row] = []
        var rest: ClosedRange<SessionOffset>? = offsets
        if let position, offsets.contains(position.offset) {
            // The rest of those at the same offset is a query of its own: SQLite seeks by a key only if the offset is given.
            found = try read(
                "record.offset_ms = ? AND \(order) > ?", position.offset.milliseconds, position.order,
                by: order, atMost: limit)
            rest = Self.range(offsets, behind: position.offset)
        }
        guard let range = rest, found.count < limit else { return found }
        return try found
            + read(
                "record.offset_ms BETWEEN ? AND ?", range.lowerBound.milliseconds,
                range.upperBound.milliseconds, by: "record.offset_ms, \(order)", atMost: limit - found.count)
    }
}
