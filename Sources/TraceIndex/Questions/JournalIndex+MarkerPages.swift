internal import GRDB
package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// Where a marker stands in the list of the markers of all sessions (``JournalIndex/markers(_:)``).
package struct MarkerSortKey: Sendable, Hashable {
    /// The moment at which it stands; nil if its session has no start, and so comes last.
    package let wallTime: Timestamp?
    /// The session's directory.
    package let session: FilePath
    /// Its place in the session.
    package let record: RecordSortKey

    /// The place behind which a list continues; there need not be a marker.
    package init(wallTime: Timestamp?, session: FilePath, record: RecordSortKey) {
        self.wallTime = wallTime
        self.session = session
        self.record = record
    }

    /// That of a marker.
    package init(_ record: IndexedRecord) {
        self.init(wallTime: record.wallTime, session: record.session, record: RecordSortKey(record))
    }

    /// Whether a marker precedes another in the list.
    static func precedes(_ left: IndexedRecord, _ right: IndexedRecord) -> Bool {
        guard left.wallTime == right.wallTime else {
            guard let moment = left.wallTime else { return false }
            return right.wallTime.map { moment < $0 } ?? true
        }
        guard left.session == right.session else {
            return left.session.bytes.lexicographicallyPrecedes(right.session.bytes)
        }
        return RecordSortKey(left) < RecordSortKey(right)
    }
}

extension JournalIndex {
    /// The markers of ``markers(_:)`` that have an offset and come next, without those behind them being looked at.
    ///
    /// Within a session the order of the moments is that of the offsets, so that an index leads to the next one; the sessions
    /// are merged.
    ///
    /// - Parameters:
    ///   - filter: Its kinds mean nothing.
    ///   - key: Where the list was left; nil for its beginning.
    ///   - limit: At most so many, > 0.
    /// - Throws: ``IndexError`` with `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(sessions + what is returned · sessions that run at one time + log of all records for each session that
    ///   is looked into): those that run at the moments of the answer, and those that ran before and of which it is not known
    ///   when their last record was.
    package func markers(
        _ filter: RecordFilter, after key: MarkerSortKey?, limit: Int
    ) throws -> [IndexedRecord] {
        try database.read { database in
            let sources = try MarkerSource.all(filter.scope, after: key, in: database)
            var merge = MarkerMerge(
                filter: filter, key: key, limit: limit, formats: formats, database: database,
                sources: sources[...])
            return try merge.run()
        }
    }
}

/// A session whose markers may be in the answer.
private struct MarkerSource {
    let id: Int64
    let path: FilePath
    let start: Timestamp?

    /// Those that have markers behind a place, in the order in which their first markers can come.
    static func all(
        _ scope: RecordFilter.Scope, after key: MarkerSortKey?, in database: Database
    ) throws -> [MarkerSource] {
        var conditions = Conditions()
        scope.constrain(&conditions)
        if let key {
            if let moment = key.wallTime {
                conditions.add("(epoch_ms IS NULL OR last_ms IS NULL OR last_ms >= ?)", moment.milliseconds)
            } else {
                conditions.add("epoch_ms IS NULL AND source.path >= ?", key.session.bytes)
            }
        }
        return try database.query(
            """
            SELECT id, path, epoch_ms FROM source WHERE \(conditions.sql)
            ORDER BY epoch_ms IS NULL, epoch_ms, path
            """
        ).with(conditions.arguments).map { row in
            MarkerSource(
                id: row.int(0), path: FilePath(bytes: row.blob(1)),
                start: row.optionalInt(2).map(Timestamp.init(milliseconds:)))
        }
    }
}

/// Merges the markers of sessions, of which it holds no more than the next few of each.
private struct MarkerMerge {
    let filter: RecordFilter
    let key: MarkerSortKey?
    let limit: Int
    let formats: JournalRegistry
    let database: Database
    /// Those that have not been looked into.
    var sources: ArraySlice<MarkerSource>
    private var streams: [Stream] = []

    init(
        filter: RecordFilter, key: MarkerSortKey?, limit: Int, formats: JournalRegistry, database: Database,
        sources: ArraySlice<MarkerSource>
    ) {
        self.filter = filter
        self.key = key
        self.limit = limit
        self.formats = formats
        self.database = database
        self.sources = sources
    }

    /// The next markers of one session; never without any.
    private struct Stream {
        let query: RecordQuery
        let selection: RecordSelection
        var next: ArraySlice<IndexedRecord>
        var first: IndexedRecord
    }

    /// How many markers of a session are read at once.
    private static let batchSize = 64

    mutating func run() throws -> [IndexedRecord] {
        var found: [IndexedRecord] = []
        while found.count < limit {
            try openNext(limit - found.count)
            guard
                let place = streams.indices.min(by: {
                    MarkerSortKey.precedes(streams[$0].first, streams[$1].first)
                })
            else { break }
            let first = streams[place].first
            found.append(first)
            try advance(place, limit - found.count)
        }
        return found
    }

    /// Looks into the sessions whose first marker can precede those that are known: no marker precedes the start of its session.
    private mutating func openNext(_ wanted: Int) throws {
        var earliest = streams.map(\.first).min(by: MarkerSortKey.precedes)
        while let source = sources.first {
            if let earliest, !Self.canPrecede(source, earliest) { return }
            sources.removeFirst()
            guard let stream = try open(source, wanted) else { continue }
            if earliest.map({ MarkerSortKey.precedes(stream.first, $0) }) ?? true { earliest = stream.first }
            streams.append(stream)
        }
    }

    private static func canPrecede(_ source: MarkerSource, _ marker: IndexedRecord) -> Bool {
        guard let start = source.start else {
            // Those without a start come in the order of their paths, behind all others.
            return marker.wallTime == nil
                && source.path.bytes.lexicographicallyPrecedes(marker.session.bytes)
        }
        return marker.wallTime.map { start <= $0 } ?? true
    }

    /// - Returns: Nil if the session has no such markers.
    private func open(_ source: MarkerSource, _ wanted: Int) throws -> Stream? {
        let query = try RecordQuery(
            source.path, source.id, start: source.start, formats, in: database)
        var selection = RecordSelection(of: source.path, .marker)
        selection.tags = filter.tags
        if let offsets = filter.offsets { selection.offsets = offsets }
        guard let moments = moments(of: source) else { return nil }
        if moments != Self.always {
            guard let within = query.clock?.offsets(within: moments),
                within.overlaps(selection.offsets)
            else { return nil }
            selection.offsets = within.clamped(to: selection.offsets)
        }
        let after = key.flatMap { $0.session == source.path ? $0.record : nil }
        let next = try query.records(selection, after: after, limit: min(wanted, Self.batchSize))
        return next.first.map {
            Stream(query: query, selection: selection, next: next.dropFirst(), first: $0)
        }
    }

    private static let always = Timestamp(milliseconds: .min)...Timestamp(milliseconds: .max)

    /// The moments at which markers of a session are wanted; nil if there are none.
    private func moments(of source: MarkerSource) -> ClosedRange<Timestamp>? {
        if source.start == nil { return filter.moments == nil ? Self.always : nil }
        let wanted = filter.moments ?? Self.always
        // In the session of the key the record tells where to continue.
        guard let key, let moment = key.wallTime, key.session != source.path else { return wanted }
        let isLater = key.session.bytes.lexicographicallyPrecedes(source.path.bytes)
        guard let next = isLater ? moment : moment.next, next <= wanted.upperBound else { return nil }
        return max(next, wanted.lowerBound)...wanted.upperBound
    }

    /// Goes to the next marker of a session.
    private mutating func advance(_ place: Int, _ wanted: Int) throws {
        var stream = streams[place]
        if stream.next.isEmpty, wanted > 0 {
            stream.next = try stream.query.records(
                stream.selection, after: RecordSortKey(stream.first), limit: min(wanted, Self.batchSize))[...]
        }
        guard let next = stream.next.popFirst() else {
            streams.remove(at: place)
            return
        }
        stream.first = next
        streams[place] = stream
    }
}
