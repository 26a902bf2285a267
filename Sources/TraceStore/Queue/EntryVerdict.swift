internal import RecordFormat
internal import TraceFiles
internal import TraceFormat

/// What is to become of an entry, by what is in its session and what the ledger remembers.
enum EntryVerdict: Equatable {
    /// Its record is to be written.
    case new
    /// Its record is in the session.
    case stands
    /// Its record was there and has been edited since.
    case edited
    /// It was applied once, but its record is gone.
    case vanished
    /// It was applied once, and the user removed its record.
    case removed
    /// The user dropped it.
    case dropped
    /// Another record or entry has its id.
    case conflict(String)

    /// - Parameter lines: The lines of the session that have the entry's id, of whatever kind.
    init(_ entry: SpoolEntry, existing lines: [ExistingLine], _ ledger: LedgerContents) {
        let kind = entry.kind.recordKind
        if lines.contains(where: { $0.kind == kind && JSONText.isEquivalent($0.line, entry.payload) }) {
            self = .stands
        } else if ledger.contains(entry.id) {
            guard ledger.contains(entry) else {
                self = .conflict("another entry with this id was applied before")
                return
            }
            // A record that was applied and then edited has the id with other words.
            let isEdited = lines.contains { $0.kind == kind }
            self = isEdited ? .edited : ledger.isRemoved(entry.id) ? .removed : .vanished
        } else if let other = lines.first {
            self = .conflict("another \(other.kind.noun) in the session has this id")
        } else {
            self = ledger.isDropped(entry) ? .dropped : .new
        }
    }

    /// - Parameters:
    ///   - standing: What stands of the entry in a journal other than a session; nil if nothing is known there.
    ///   - makesRecords: Whether its write leaves records by which it can be found again.
    init(
        _ entry: SpoolEntry, standing: Standing?, makesRecords: Bool, _ ledger: LedgerContents
    ) {
        let isKnown = ledger.contains(entry.id)
        if isKnown && !ledger.contains(entry)
            || standing?.checksum.map({ $0 != entry.checksum }) ?? false
        {
            self = .conflict("another entry with this id was applied before")
        } else if let standing {
            let isRemoved = standing.isRemoved || ledger.isRemoved(entry.id)
            self = standing.isThere ? .stands : isRemoved ? .removed : .vanished
        } else if isKnown {
            self = ledger.isRemoved(entry.id) ? .removed : makesRecords ? .vanished : .stands
        } else {
            self = ledger.isDropped(entry) ? .dropped : .new
        }
    }
}
