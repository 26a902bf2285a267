internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// What an entry of a token may change.
package enum DelivererRights: Sendable {
    /// Nothing: the token is gone, or may only read.
    case nothing
    /// Of records, those that its person's devices have delivered.
    case own
    case all
}

/// Entries that change what is in a session: note durable → change durable → `session.json` → ledger.
extension EntryWriter {
    /// - Parameter done: The entries before it that have left the queue, or are about to.
    func write(change item: Item, in session: LockedSession, after done: Set<ULID>) -> Written {
        let entry = item.entry
        do {
            guard try session.wholeHeader().id == entry.journalID else {
                return Written(
                    result: .waiting("its session \(entry.journalID) was not found"), holdsUp: true)
            }
            let checked = try item.checked ?? CheckedEntry(read: entry, by: formats)
            guard let change = checked.change else { return Written(result: .rejected("is not a change")) }
            let verdict = try ledger.read {
                EntryVerdict(entry, standing: nil, makesRecords: false, $0)
            }
            let result = try settled(item, verdict) ?? apply(change, of: item, in: session, after: done)
            let line = try change.record.flatMap { try session.lines(of: [$0.id], in: $0.kind)[$0.id]?.last }
            return Written(result: result, line: result.isWritten ? line : nil)
        } catch let error as FormatError where error.code == .recordInvalid {
            return Written(result: .rejected(error.message))
        } catch {
            return Written(result: .failed(error.structured), holdsUp: true)
        }
    }

    private func apply(
        _ change: SessionChange, of item: Item, in session: LockedSession, after done: Set<ULID>
    ) throws -> DrainOutcome.Result {
        let entry = item.entry
        if hasOtherWaiting(item) { return .conflict("another entry with this id is waiting") }
        if let refusal = try refusal(of: change, item) { return .rejected(refusal) }
        if let other = try missing(change, session, besides: done.union([entry.id])) {
            return .waiting("what it is about is in entry \(other), which waits")
        }
        var note = try ChangeNote.ofEntry(entry.id, in: directories) ?? ChangeNote(of: entry)
        guard note.checksum == entry.checksum else {
            return .conflict("another entry with this id was applied before")
        }
        let known = note.steps
        note.steps = try known.filter(session.hasDone)
        var header: [(key: String, before: [UInt8]?, after: [UInt8]?)] = []
        if !note.isWhole || note.steps.count < known.count {
            let planner = ChangePlanner(
                session: session, entry: entry, change: change, done: directories.done,
                isOwn: isOwn(item.deliverer, in: entry.journalID))
            var plan: ChangePlan
            repeat {
                do { plan = try planner.plan() } catch let error as FileError
                    where error.code == .invalidData
                {
                    return .rejected(error.message)
                }
                note.steps += plan.steps
                note.isWhole = plan.conflicts.isEmpty && !plan.continues
                try note.keep(for: entry.id, in: directories, failPoint: failPoint)
                // No entry brings it back, be it one that comes later than its removal.
                if let removed = plan.removed { try ledger.addRemoved([removed.id], at: now()) }
                try session.perform(plan)
            } while plan.continues
            header = plan.header
            if !plan.conflicts.isEmpty {
                try finish(header, of: note, in: session)
                return .changedMeanwhile(plan.conflicts)
            }
        }
        try finish(header, of: note, in: session)
        try self.note([(item, .applied)])
        return .applied
    }

    private func finish(
        _ header: [(key: String, before: [UInt8]?, after: [UInt8]?)], of note: ChangeNote,
        in session: LockedSession
    ) throws {
        guard !note.steps.isEmpty else { return }
        try session.touch(after: "the change was written", now: now()) { editor in
            for (key, _, text) in header {
                if let text {
                    try editor.set(key, to: JSONText(verbatim: text))
                } else {
                    try editor.remove(key)
                }
            }
        }
    }

    // MARK: - Why not

    /// Why who delivered an entry may not have it written; nil if they may.
    private func refusal(of change: SessionChange, _ item: Item) throws -> String? {
        guard let deliverer = item.deliverer else { return nil }
        switch rights(deliverer) {
        case .all: return nil
        case .nothing: return Self.noRights
        case .own:
            guard let record = change.record else { return nil }
            let sender = try ledger.read { $0.deliverer(of: record.id, in: item.entry.journalID) }
            return sender?.person != nil && sender?.person == deliverer.person
                ? nil : "the \(record.kind.noun) was not sent by a device of this person"
        }
    }

    static let noRights = "the token that brought it may no longer write"

    private func isOwn(_ deliverer: Deliverer?, in journal: ULID) -> (ULID) -> Bool {
        { id in
            guard let deliverer, let sender = ledger.contents.deliverer(of: id, in: journal) else {
                return false
            }
            return Deliverer.areSame(sender, deliverer)
        }
    }

    /// The entry that waits in a spool and makes the record that a change is about; nil if the record is there, or none makes it.
    ///
    /// - Complexity: O(entries in the spools), by their names alone, where the record is not there
    private func missing(
        _ change: SessionChange, _ session: LockedSession, besides done: Set<ULID>
    ) throws -> ULID? {
        guard let (kind, id) = change.record, !done.contains(id),
            try session.lines(of: [id], in: kind)[id]?.isEmpty ?? true
        else { return nil }
        let isWaiting = try directories.spools.contains { try $0.files().contains { $0.id == id } }
        return isWaiting ? id : nil
    }
}
