internal import GRDB
internal import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// What the index keeps of sessions alone, in tables of their own: the rest of their headers, their pauses, and how the media turned
/// out that they name; and the rules across their lines and files, which ask those tables.
struct SessionTables {
    let database: Database

    /// Takes note of a file that was read.
    ///
    /// - Returns: Whether that changed anything.
    func update(after slot: FileSlot, of source: KnownSource) throws -> Bool {
        guard slot == RecordKind.timeline.slot else { return false }
        let timeline = try FactsQuery(source: source, database: database).timeline()
        return try PauseRows(source: source.id, database: database).replace(with: PauseReader(timeline))
    }

    /// Writes what the header says.
    ///
    /// - Returns: Whether it says something else than before.
    func update(_ session: Session, of source: KnownSource) throws -> Bool {
        let row = SessionRow(session)
        guard try SessionRow(database, of: source.id) != row else { return false }
        try row.write(of: source.id, in: database)
        return true
    }

    /// What the rules across lines and files are asked about.
    func facts(of session: Session, _ snapshot: JournalSnapshot, _ source: KnownSource) throws -> SessionFacts
    {
        try FactsQuery(source: source, database: database).facts(of: session) { paths in
            try directory(of: snapshot, source, mediaPaths: paths)
        }
    }

    /// The moments between which all records of a session stand; nil if that is not known by its end alone, which costs nothing
    /// that grows with it.
    static func span(of facts: SessionFacts) -> (first: Timestamp, last: Timestamp)? {
        guard facts.session.status == .closed, let end = facts.session.duration, let clock = facts.clock,
            facts.beyondEnd.isEmpty
        else { return nil }
        return (clock.start, clock.wall(at: end))
    }

    /// Looks at the directory; media whose state is known and can't have changed are not looked at again.
    private func directory(
        of snapshot: JournalSnapshot, _ source: KnownSource, mediaPaths: Set<String>
    ) throws -> SessionFacts.Directory {
        let rows = MediaRows(source: source.id, database: database)
        let known = try rows.states()
        var kept: [String: SessionFacts.MediaState] = [:]
        if let media = source[.media], media.isProven,
            media.identity == snapshot[.media].identity.map(IndexedIdentity.init)
        {
            kept = known.filter { mediaPaths.contains($0.key) && MediaRows.liesInMedia($0.key) }
        }
        let open = mediaPaths.filter { kept[$0] == nil }
        var contents = try SessionReader(snapshot.directory, settleTime: snapshot.settleTime).contents(
            mediaPaths: open)
        contents.media.merge(kept) { new, _ in new }
        if contents.media != known { try rows.replace(with: contents.media) }
        return contents
    }
}
