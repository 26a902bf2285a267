internal import GRDB
package import RecordFormat
internal import Synchronization
package import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceStore
internal import TraceText

/// How many markers stand in each of equal pieces of a session.
package struct MarkerStrip: Sendable, Hashable {
    /// What is cut into the pieces.
    package let offsets: ClosedRange<SessionOffset>
    /// How many markers each holds.
    package private(set) var counts: [Int]
    /// How many of a category: a marker of two counts in both, as in a list of either.
    package private(set) var categories: [MarkerCategory: [Int]]
    /// How many without a category.
    package private(set) var others: [Int]

    init(_ offsets: ClosedRange<SessionOffset>, cells: Int) {
        self.offsets = offsets
        let none = [Int](repeating: 0, count: cells)
        counts = none
        others = none
        categories = Dictionary(uniqueKeysWithValues: MarkerCategory.allCases.map { ($0, none) })
    }

    /// The number of markers.
    package var total: Int { counts.reduce(0, +) }

    /// Of each piece, how many markers stand before it, from the first piece on.
    package var before: [Int] {
        var sum = 0
        return counts.map { count in
            defer { sum += count }
            return sum
        }
    }

    /// The piece in which an offset lies; the first or the last if it is outside of all.
    fileprivate func cell(of offset: Int64) -> Int {
        let (first, last) = (offsets.lowerBound, offsets.upperBound)
        let distance = min(SessionOffset(milliseconds: offset), last).length(since: first)
        let product = distance.multipliedFullWidth(by: UInt64(counts.count))
        // Neither is negative, so that the length is less than 2⁶³.
        return Int((last.length(since: first) + 1).dividingFullWidth(product).quotient)
    }

    /// Adds markers: how many of each combination of categories are in each cell.
    mutating func add(_ count: [[MarkerCategory]: [Int]]) {
        for (categories, cells) in count {
            for (cell, number) in cells.enumerated() where number > 0 {
                counts[cell] += number
                if categories.isEmpty { others[cell] += number }
                for category in categories { self.categories[category]?[cell] += number }
            }
        }
    }
}

extension JournalIndex {
    /// How the markers of a session that count are spread over a stretch of it.
    ///
    /// - Parameters:
    ///   - first: Where the stretch begins; nil for the session's start.
    ///   - last: Where it ends, inclusive; nil for the session's end, or its last marker if that is later.
    ///   - cells: How many pieces, > 0. Of a stretch that is shorter in milliseconds, some stay empty.
    ///   - cache: What is kept between questions, by a process that is asked often.
    /// - Throws: ``IndexError`` with `.noSuchSession`, `.busy`, `.corrupt` or `.io`.
    /// - Complexity: O(markers within the stretch) in one pass over their rows: in the order of the table if all markers are
    ///   within, which is twice as fast for each as in that of their offsets. They are counted here, for a `GROUP BY` would sort
    ///   them. Memory: `cells` for each combination of categories. With a cache, one pass over all rows of the session at first;
    ///   then over those that were added, unless some that were there have changed.
    package func markerStrip(
        of session: FilePath, from first: SessionOffset? = nil, to last: SessionOffset? = nil, cells: Int,
        keptIn cache: StripCache? = nil
    ) throws -> MarkerStrip {
        guard let cache else {
            return try markerStrip(of: session, from: first, to: last, cells: cells) { _, _, _ in nil }
        }
        let kept = cache.strips(of: session)
        let (strip, byteCount) = try kept.contents.withLock { contents in
            let strip = try markerStrip(of: session, from: first, to: last, cells: cells) {
                try contents.strip($0, $1, in: $2)
            }
            return (strip, contents.byteCount)
        }
        cache.note(byteCount, of: session)
        return strip
    }

    /// - Parameter known: The strip without a pass over the rows, if it is kept: of the empty one, and of a file of markers.
    private func markerStrip(
        of session: FilePath, from first: SessionOffset?, to last: SessionOffset?, cells: Int,
        _ known: (MarkerStrip, KnownFile, Database) throws -> MarkerStrip?
    ) throws -> MarkerStrip {
        try database.read { database in
            guard let source = try KnownSource(database, at: session) else {
                throw IndexError(
                    .noSuchSession, "the session is not in the index", path: session,
                    cure: "reconcile it, or read its files")
            }
            let span = try RecordSpan.offsets(of: source.id, [RecordKind.marker.entryKind], in: database)
            let begin = max(first ?? .zero, .zero)
            let length = try SessionRow(database, of: source.id)?.duration
            let end = last ?? max(length ?? .zero, span?.upperBound ?? .zero)
            var strip = MarkerStrip(begin...max(begin, end), cells: cells)
            guard let span, let file = source[RecordKind.marker.slot] else { return strip }
            if let strip = try known(strip, file, database) { return strip }
            let isWhole = begin <= span.lowerBound && end >= span.upperBound
            let keys = RecordKey.range(ofFile: file.id)
            let rows =
                isWhole
                ? try database.query(
                    """
                    SELECT offset_ms, tags FROM record
                    WHERE id BETWEEN ? AND ? AND is_authoritative AND offset_ms IS NOT NULL
                    """
                ).with(keys.lowerBound, keys.upperBound)
                : try database.query(
                    """
                    SELECT offset_ms, tags FROM record INDEXED BY record_by_offset
                    WHERE source_id = ? AND kind = \(RecordKind.marker.code) AND offset_ms BETWEEN ? AND ?
                        AND is_authoritative
                    """
                ).with(source.id, begin.milliseconds, end.milliseconds)
            try strip.count(rows)
            return strip
        }
    }
}

extension KeptStrips.Contents {
    /// The strip of a stretch of the session whose file of markers this is; nil if its markers can't be kept.
    fileprivate mutating func strip(
        _ empty: MarkerStrip, _ file: KnownFile, in database: Database
    ) throws -> MarkerStrip? {
        let since = try database.query("SELECT rows_since FROM file WHERE id = ?").with(file.id).first {
            $0.int(0)
        }
        let rows = try Rows(
            epoch: IndexRevision(database).epoch, file: file.id, since: since ?? 0,
            nextLine: file.resumePoint.lineNumber)
        let isKept = try bringUp(to: rows) { line in
            try database.query(
                """
                SELECT offset_ms, tags FROM record
                WHERE id BETWEEN ? AND ? AND is_authoritative AND offset_ms IS NOT NULL
                """
            ).with(
                RecordKey.key(file: file.id, line: line), RecordKey.range(ofFile: file.id).upperBound)
        }
        return isKept ? strip(empty) : nil
    }
}

extension MarkerStrip {
    /// How many texts of tags are kept with what they mean: more than people use, and few for one who makes them up.
    private static let knownTexts = 4096

    /// Counts markers, of each of which a row has the offset and the tags.
    fileprivate mutating func count(_ rows: Query) throws {
        var cells: [[MarkerCategory]: Int] = [[]: 0]
        var numbers = [[Int](repeating: 0, count: counts.count)]
        var known: [[UInt8]: Int] = [:]
        var text: [UInt8] = []
        try rows.forEach { row in
            row.copy(1, into: &text)
            let kind: Int
            if text.isEmpty {
                kind = 0
            } else if let same = known[text] {
                kind = same
            } else {
                let categories = Self.categories(in: text)
                kind = cells[categories] ?? numbers.count
                if kind == numbers.count {
                    cells[categories] = kind
                    numbers.append([Int](repeating: 0, count: counts.count))
                }
                if known.count < Self.knownTexts { known[text] = kind }
            }
            numbers[kind][cell(of: row.int(0))] += 1
        }
        add(cells.mapValues { numbers[$0] })
    }

    /// The categories among the tags of a row, in the format's order, as a filter by tags finds them: ignoring case.
    static func categories(in text: [UInt8]) -> [MarkerCategory] {
        let tags = TagText.tags(in: String(decoding: text, as: UTF8.self)).map { $0.lowercased() }
        let known = MarkerCategories(tags)
        return MarkerCategory.allCases.filter(known.contains)
    }
}
