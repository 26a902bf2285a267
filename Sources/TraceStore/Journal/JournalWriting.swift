package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceFormat
internal import TraceText

/// What a kind of journal does with the writes that a person, a device or the queue asks for; nil of a kind that is only read.
///
/// A write is described by an operation with a ULID, from wherever it comes. The records that it makes have ids that follow from that
/// one, so that an operation which comes twice makes the same records, and ``standing(_:in:)`` can tell what has been done.
///
/// Source: journals.md, section 7.
package protocol JournalWriting: Sendable {
    /// The operation that an entry describes.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if there is no such operation, or if it lacks something that it needs
    ///   whatever is in the journal.
    func decode(_ payload: JSONValue, kind: EntryOperation) throws(FormatError) -> any JournalOperation

    /// Whether the payload of an entry is about a record that the entry of an id makes: it can only come after it.
    func names(_ payload: [UInt8], recordOf id: ULID) -> Bool

    /// What stands of the operations of these ids; those of which nothing is known are left out.
    ///
    /// - Throws: ``FileError`` if the journal can't be read.
    func standing(_ ids: Set<ULID>, in journal: inout LockedJournal) throws -> [ULID: Standing]

    /// Writes an operation into the journal.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if the operation is not possible: then nothing is written. ``FileError``.
    /// - Note: Durable on return. Killed in between, the journal is as before or as after, or the next write to it finishes this one.
    func apply(
        _ operation: any JournalOperation, _ write: JournalWrite, to journal: inout LockedJournal
    ) throws -> AppliedOperation

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

    /// How a change is taken back.
    ///
    /// - Throws: ``StoreError`` with `.unsafeToUndo` if what was written has been changed since.
    func steps(toUndo change: UndoableWrite.Change, in journal: LockedJournal) throws -> [UndoStep]
}

/// For kinds whose files no other program writes whole.
extension JournalWriting {
    package func overwritten(in directory: OpenDirectory, settleTime: Duration) throws -> [OverwrittenRecord]
    {
        []
    }

    package func isWrittenByOthers(in directory: OpenDirectory) throws -> Bool { false }

    package func takeUp(in journal: inout LockedJournal) throws {}
}

/// A write that a kind of journal knows, with all that its entry says of it.
package protocol JournalOperation: Sendable {
    /// Whether it always makes records, by which it is seen later whether they are still there.
    var makesRecords: Bool { get }
}

/// A write that is due (``JournalWriting/dueWrites(in:at:zone:)``).
package struct DueWrite: Sendable {
    /// What tells it from other writes of its journal, for ever: by its name and its time it is known once it was made.
    package let name: String
    package let kind: EntryOperation
    /// Since when it is due.
    package let time: Timestamp
    package let payload: JSONText

    package init(_ name: String, kind: EntryOperation, time: Timestamp, payload: JSONText) {
        self.name = name
        self.kind = kind
        self.time = time
        self.payload = payload
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

    package init(_ entry: SpoolEntry) {
        id = entry.id
        kind = entry.kind
        time = entry.createdAt
        checksum = entry.checksum
    }
}

/// What stands of a write that was made before.
package struct Standing: Sendable {
    /// Whether one of its records is there, perhaps edited since, or it makes none.
    package var isThere: Bool
    /// Whether its records were deleted on purpose.
    package var isRemoved: Bool
    /// The ``JournalWrite/checksum`` of it, where the journal knows.
    package var checksum: String?
    /// The record that it is about, as one line of JSON.
    package var record: [UInt8]?

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
    /// The ids of its records, by the place in which they are.
    package var records: [(place: String, id: String)]
    /// What a person is shown besides, as members of the answer.
    package var details: [(name: String, value: JSONText)]
    /// Why there was nothing to write.
    package var notice: String?

    package init(changes: [UndoableWrite.Change] = [], notice: String? = nil) {
        self.changes = changes
        self.notice = notice
        records = []
        details = []
    }
}

extension JournalWriting {
    /// The operation that an entry describes.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid`.
    func operation(of entry: SpoolEntry) throws -> any JournalOperation {
        let read = try JSONParser().withParsed(entry.payload) { payload in
            Result { () throws(FormatError) in try decode(payload, kind: entry.kind) }
        }
        return try read.get()
    }
}

extension JournalRegistry {
    /// Checks what can be known of an entry without its journal.
    ///
    /// - Throws: ``FormatError`` with `.recordInvalid` if there is no such operation, if it lacks something, or if no session can have its
    ///   audio where it says.
    package func check(_ entry: SpoolEntry) throws {
        guard entry.kind.recordKind == nil else {
            guard let path = entry.mediaPath else { return }
            do { _ = try audioPath(path) } catch let error as FileError {
                throw FormatError(.recordInvalid, error.message, cure: error.cure)
            }
            return
        }
        guard let writing = entry.kind.journal.flatMap({ self[$0]?.writing }) else {
            let kinds = formats.filter { $0.writing != nil }.map { "\($0.layout.kind)." }
            throw FormatError(
                .recordInvalid, "kind '\(entry.kind)' is malformed",
                cure: "write one that begins with \(kinds.joined(separator: ", "))")
        }
        _ = try writing.operation(of: entry)
    }

    /// The path to which audio is written that a record of somebody else's is to name so.
    ///
    /// - Parameter session: The session's directory, for the message.
    /// - Throws: ``FileError`` with `.invalidData`, as ``MediaPath/forWriting(_:in:)``, also for a name by which the directory would be a
    ///   journal.
    func audioPath(_ path: String, in session: FilePath? = nil) throws -> FilePath {
        let file = try MediaPath.forWriting(path, in: session)
        guard file.lastComponent.map(makesJournal) != true else {
            throw FileError(
                .invalidData, "media path '\(path)' has a name that only a journal's file has", path: session,
                cure: "use another name")
        }
        return file
    }
}
