internal import TraceFormat

/// The columns of a table that no marker has, as far as there is anything in them.
struct UntakenColumns {
    private let header: DelimitedRow
    /// Those that have been empty up to now.
    private var empty: [Int]
    /// Those that were not.
    private var filled: [Int] = []

    /// - Parameter known: The columns of which markers are made.
    init(_ header: DelimitedRow, besides known: Set<Int>) {
        self.header = header
        empty = header.fields.indices.filter { !known.contains($0) }
    }

    /// Counts what a row has in them, and behind the last column.
    mutating func count(_ row: DelimitedRow, _ read: inout MarkerSink) {
        for extra in row.fields.dropFirst(header.fields.count) where !extra.isEmpty {
            read.notTaken(.field, extra)
        }
        guard empty.contains(where: { !row[$0].isEmpty }) else { return }
        filled += empty.filter { !row[$0].isEmpty }
        empty.removeAll { !row[$0].isEmpty }
    }

    /// Says which they were.
    func finish(_ read: inout MarkerSink) {
        for column in filled.sorted() { read.notTaken(.column, header.fields[column]) }
    }
}
