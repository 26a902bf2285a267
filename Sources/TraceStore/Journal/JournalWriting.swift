package import RecordFormat
package import SystemPackage
package import TraceFiles
internal import TraceFormat
internal import TraceText

/// What a kind of journal does with the writes that a person, a device or the queue asks for; nil of a kind that is only read.
///
/// A write is described by an operation with a ULID, from wherever it comes. The records that it makes have ids that follow from that
/// one, so that an operation which comes twice makes the same records, and ``standing(_:in:)`` can tell what has been done.
///
/// Source: docs/spec/journals.md#writing.
package protocol JournalWriting: Sendable {
    /// Whether the payload of an entry is about a record that the entry of an id makes: it can only come after it.
    func names(_ payload: [UInt8], recordOf id: ULID) -> Bool

    /// What stands of the operations of these ids; those of which nothing is known are left out.
    ///
    /// - Throws: ``FileError`` if the journal can't be read.
    func standing(_ ids: Set<ULID>, in journal: inout LockedJournal) throws -> [ULID: Standing]

    /// Writes what an entry asks for into the journal.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if that is not possible: then nothing is written. ``FileError``.
    /// - Note: Durable on return. Killed in between, the journal is as before or as after, or the next write to it finishes this one.
    func apply(_ entry: CheckedEntry, to journal: inout LockedJournal) throws -> AppliedOperation

    /// What is due to be written into a journal without anybody's asking, because a day is over.
    ///
    /// - Parameter zone: In which days are counted.
    /// - Throws: ``FileError``, ``FormatError`` if the journal can't be read.
    func dueWrites(in snapshot: JournalSnapshot, at now: Timestamp, zone: ZoneRules) throws -> [DueWrite]

    /// The header of a new journal.
    func text(of header: JournalCreation.Header) -> [UInt8]

    /// The files of a journal that a file of an app comes to, without the header.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if it can't be read whole.
    func files(adopting bytes: [UInt8], named name: String) throws -> [(
        name: FilePath.Component, contents: [UInt8]
    )]

    /// What can be repaired in a journal without guessing; nothing is written.
    ///
    /// - Parameter settleTime: How long a file must have rested before it counts as whole.
    /// - Returns: A plan that leaves nothing to repair once it is done.
    /// - Throws: ``FileError`` if the journal can't be read.
    func repair(of journal: LockedJournal, settleTime: Duration) throws -> RepairPlan

    /// What was written into a journal, and another program has saved over; nothing is locked, and nothing written.
    ///
    /// - Parameter settleTime: How long a file must have rested before what it lacks counts as gone.
    /// - Throws: ``FileError`` if the journal can't be read.
    func overwritten(in directory: OpenDirectory, settleTime: Duration) throws -> [OverwrittenRecord]

    /// Whether another program has written the journal's document since this product did; nothing is locked.
    ///
    /// - Throws: ``FileError`` if the journal can't be read.
    func isWrittenByOthers(in directory: OpenDirectory) throws -> Bool

    /// Takes up what another program has saved, and puts back what it has saved over; what there is to tell of that is added to
    /// ``LockedJournal/putBack``.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    func takeUp(in journal: inout LockedJournal) throws

    /// What the write of an entry has changed, for one that was written out of the queue, of which no more was noted; nil if the entry
    /// alone does not say.
    ///
    /// - Throws: ``FormatError`` if the entry is not one of the kind's.
    func changes(by entry: CheckedEntry) throws -> [UndoableWrite.Change]?

    /// How a change is taken back. A redo asks for that of the change the other way round: what an undo has removed comes back.
    ///
    /// - Parameter isHalfDone: Whether this was begun and cut short: what is gone, or there again, is so by it.
    /// - Returns: No steps where all is as it was before the change.
    /// - Throws: ``StoreError`` with `.unsafeToUndo` if what was written has been changed since.
    func steps(
        toUndo change: UndoableWrite.Change, isHalfDone: Bool, in journal: LockedJournal
    ) throws -> [UndoStep]
}

/// For kinds of which there is no more to say: no other program writes their files whole, and no app has made a journal before; nothing is
/// due without anybody's asking; a record has the id of its entry; what an entry has changed depends on what was there; and what is wrong is
/// for a person.
extension JournalWriting {
    package func names(_ payload: [UInt8], recordOf id: ULID) -> Bool {
        String(decoding: payload, as: UTF8.self).uppercased().contains(id.description)
    }

    package func dueWrites(in snapshot: JournalSnapshot, at now: Timestamp, zone: ZoneRules) throws
        -> [DueWrite]
    {
        []
    }

    package func files(adopting bytes: [UInt8], named name: String) throws -> [(
        name: FilePath.Component, contents: [UInt8]
    )] {
        throw FormatError(
            .recordInvalid, "no journal of this kind can be made of '\(name)'",
            cure: "make an empty one: \(verb: "journal init")")
    }

    package func repair(of journal: LockedJournal, settleTime: Duration) throws -> RepairPlan {
        var plan = RepairPlan(path: journal.directory.path)
        plan.id = journal.id
        let snapshot = try JournalSnapshot(journal.directory, as: journal.format, settleTime: settleTime)
        var findings = journal.header.findings
        for file in journal.format.layout.files where file.slot != .header {
            do { findings += try journal.format.findings(in: file.slot, of: snapshot) } catch let error
                as FileError
            {
                let place = Finding.Place(file: file.name)
                findings.append(Finding(.fileUnreadable, at: place, error.message))
            }
        }
        for finding in findings {
            if finding.rule == .lineInTransit {
                plan.waiting.append(.init(file: finding.place.file, reason: "it may still be in transit"))
            } else {
                plan.unresolved.append(UnresolvedProblem(finding))
            }
        }
        return plan
    }

    package func overwritten(in directory: OpenDirectory, settleTime: Duration) throws -> [OverwrittenRecord]
    {
        []
    }

    package func isWrittenByOthers(in directory: OpenDirectory) throws -> Bool { false }

    package func takeUp(in journal: inout LockedJournal) throws {}

    package func changes(by entry: CheckedEntry) throws -> [UndoableWrite.Change]? { nil }
}

/// A write as its kind of journal knows it, with all that its entry says of it.
package protocol JournalOperation: Sendable {}

/// A write that is due (``JournalWriting/dueWrites(in:at:zone:)``).
package struct DueWrite: Sendable {
    /// What tells it from other writes of its journal, for ever: by its name and its time it is known once it was made.
    let name: String
    let operation: Operation
    let arguments: Arguments
    /// Since when it is due.
    let time: Timestamp

    package init(_ name: String, _ operation: Operation, _ arguments: Arguments, time: Timestamp) {
        self.name = name
        self.operation = operation
        self.arguments = arguments
        self.time = time
    }
}

/// What a write is known by.
package struct JournalWrite: Sendable {
    /// The id of its entry, from which those of its records follow.
    package let id: ULID
    package let kind: EntryOperation
    /// When it was made: the time of its records.
    package let time: Timestamp
    /// What must not change between two deliveries of its entry.
    package let checksum: String

    package init(_ checked: CheckedEntry) {
        let entry = checked.entry
        id = entry.id
        kind = entry.kind
        time = entry.createdAt
        checksum = entry.checksum
    }
}

/// What stands of a write that was made before.
package struct Standing: Sendable {
    /// Whether one of its records is there, perhaps edited since, or it makes none.
    var isThere: Bool
    /// Whether its records were deleted on purpose.
    var isRemoved: Bool
    /// The ``JournalWrite/checksum`` of it, where the journal knows.
    package var checksum: String?
    /// The record that it is about, as one line of JSON.
    var record: [UInt8]?

    package init(isThere: Bool, isRemoved: Bool = false, checksum: String? = nil, record: [UInt8]? = nil) {
        self.isThere = isThere
        self.isRemoved = isRemoved
        self.checksum = checksum
        self.record = record
    }
}

/// What a write has done.
package struct AppliedOperation: Sendable {
    /// What can be taken back, in the order in which it was done; none if there was nothing to write.
    package var changes: [UndoableWrite.Change]
    /// The record that it is about, as one line of JSON.
    package var record: [UInt8]?
    /// The ids of its records, by the place in which they are; the one by which people name the write first.
    package var records: [(place: String, id: String)]
    /// What a person is shown besides, as members of the answer.
    package var details: [(name: String, value: JSONText)]
    /// Why there was nothing to write.
    package var notice: String?
    /// Says what was written, as people read it, in one line; nil for what only its id says. Asked where somebody is shown it, which a
    /// drain does not: it may read files.
    package var text: @Sendable () -> String? = { nil }

    package init(changes: [UndoableWrite.Change] = [], notice: String? = nil) {
        self.changes = changes
        self.notice = notice
        records = []
        details = []
    }
}
