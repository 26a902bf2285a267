internal import RecordFormat
internal import TraceFiles
internal import TraceText

/// What is noted before a write is taken back: in the undo log, that this has begun, so that one which is killed is continued; in the ledger,
/// that its records go, so that no entry of the queue brings them back.
///
/// Where another program changes the line between the check and the act, the undo is refused, and nothing has been taken back: then the
/// notes are, too. Else a later loss of the records would be taken for their removal.
struct UndoNotes {
    private let entry: UndoLog.Entry
    private let log: UndoLog
    private let lock: DirectoryLock
    /// Of which records this undo was the first to note that they go.
    private var removed: [ULID] = []
    /// Whether something has been taken back.
    var isTakenUp = false

    /// What an undo is refused with, where others have changed what it would take back.
    static func isRefusal(_ error: any Error) -> Bool {
        (error as? StoreError)?.code == .unsafeToUndo || (error as? FileError)?.code == .changedMeanwhile
    }

    init(of entry: UndoLog.Entry, in log: UndoLog, _ lock: DirectoryLock) {
        self.entry = entry
        self.log = log
        self.lock = lock
    }

    /// - Throws: ``FileError``; then nothing may be taken back.
    /// - Note: Durable on return.
    mutating func begin(removing records: [ULID]) throws {
        try log.note(.begun, of: entry.write.id)
        guard !records.isEmpty else { return }
        do { removed = try Ledger(in: lock).addRemoved(records, at: Clock.now()) } catch {
            takeBack(after: error)
            throw error
        }
    }

    /// Takes the notes back if the undo was refused before anything was done. If that fails, or is killed, the undo counts as begun, and the
    /// same command continues it.
    func takeBack(after error: any Error) {
        guard !isTakenUp, !entry.isHalfUndone, Self.isRefusal(error) else { return }
        do { try takeBack(removed) } catch { log.onFailure(error.structured) }
    }

    /// Takes the notes back of an undo that was cut short before it took anything back: it has not happened.
    ///
    /// - Parameter records: Which it noted that they go.
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    func takeBack(_ records: [ULID]) throws {
        if !records.isEmpty { try Ledger(in: lock).addKept(records, at: Clock.now()) }
        try log.note(.kept, of: entry.write.id)
    }
}
