package import RecordFormat

/// A write to a practice journal: what a person did, without the ids and the time, which come with its entry.
///
/// Source: docs/spec/practice.md#writes.
package protocol PracticeWrite: Sendable {
    /// - Throws: ``WriteRejection`` if the write can't be made, whatever is in the journal.
    func outcome(_ context: WriteContext) throws(WriteRejection) -> PracticeOutcome
    /// What the slots hold once it is made.
    var remembered: [ResumeSlots.Change] { get }
}

extension PracticeWrite {
    package var remembered: [ResumeSlots.Change] { [] }
}

/// Where and when a write is made.
package struct WriteContext {
    /// The id of the write, from which those of its records follow.
    let entry: ULID
    let at: Timestamp
    let document: PracticeDocument
    let library: GameLibrary
    /// In which the days of a write are.
    let zone: ZoneRules
    /// The records of a row that were written with it, by its id, where that is known.
    var linksOfRow: (String) -> [PracticeArray: String] = { _ in [:] }
    /// The table of a league, asked for by an import alone; nil if there is none. The zone is taken where the journal names none.
    var league: (_ zone: String?) -> LeagueSource? = { _ in nil }
    /// The players of the league with their numbers, asked for where a player gets a name; nil if there is no table of them.
    var players: () -> LeaguePlayers? = { nil }

    package init(
        entry: ULID, at: Timestamp, document: PracticeDocument, library: GameLibrary = GameLibrary(),
        zone: ZoneRules
    ) {
        self.entry = entry
        self.at = at
        self.document = document
        self.library = library
        self.zone = zone
    }

    func id(_ role: DerivedID.Role) -> String { DerivedID.id(of: entry, role) }

    /// All records of a write have this time.
    var time: Double { Double(at.milliseconds) }

    func game(_ raw: String) -> String { library.canonical(raw).id }

    /// The game, which this write needs.
    func requiredGame(_ raw: String) throws(WriteRejection) -> String {
        let game = game(raw)
        guard !game.isEmpty else { throw .game }
        return game
    }
}

/// What a write comes to.
package enum PracticeOutcome {
    /// The document changes; of an edited or deleted row with what that means for the records that belong to it.
    case change(DocumentChange, [LinkOutcome] = [])
    /// The document changes, by so much as the answer says.
    case counted(DocumentChange, [(name: String, count: Int)])
    /// The library's log gets an entry.
    case log(LogEntry)
    /// The slots change.
    case slots([ResumeSlots.Change])
    /// There is nothing to write, for this reason.
    case nothing(String)

    /// Records that are put into the document.
    static func adding(_ records: NewRecord?...) -> PracticeOutcome {
        var change = DocumentChange()
        change.added = records.compactMap { $0 }
        return .change(change)
    }
}
