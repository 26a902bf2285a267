internal import GRDB
internal import RecordFormat
internal import TraceStore

/// What the index keeps of the header of any journal, in the row of its source.
struct HeaderRow {
    var id: String?
    var title: String?
    /// What offsets count from.
    var epoch: Timestamp?
    /// The moments between which all its records stand; nil if that is not known.
    var first, last: Timestamp?
    var state = JournalHeader.State.open

    init(_ header: JournalHeader) {
        id = header.id
        title = header.title
        epoch = header.epoch
        state = header.state
    }

    /// What ``init(row:from:)`` reads.
    static let columns = """
        source.journal_id, source.title, source.epoch_ms, source.first_ms, source.last_ms, source.state
        """
    /// How many ``columns`` there are.
    static let columnCount: Int32 = 6

    init(row: Query.Columns, from column: Int32) {
        func time(_ index: Int32) -> Timestamp? {
            row.optionalInt(column + index).map(Timestamp.init(milliseconds:))
        }
        id = row.text(column)
        title = row.text(column + 1)
        epoch = time(2)
        first = time(3)
        last = time(4)
        state = row.text(column + 5).flatMap(JournalHeader.State.init(rawValue:)) ?? .open
    }

    /// Writes it into the row of a source.
    ///
    /// - Returns: Whether the row said something else before.
    func write(of source: Int64, in database: Database) throws -> Bool {
        try database.query(
            """
            UPDATE source SET journal_id = ?1, title = ?2, epoch_ms = ?3, first_ms = ?4, last_ms = ?5, state = ?6
            WHERE id = ?7 AND (journal_id, title, epoch_ms, first_ms, last_ms, state) IS NOT (?1, ?2, ?3, ?4, ?5, ?6)
            """
        ).with(
            id, title, epoch?.milliseconds, first?.milliseconds, last?.milliseconds, state.rawValue, source
        ).run()
        return database.changesCount > 0
    }
}
