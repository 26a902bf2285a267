internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Entries of the queue that have changed a session: what they did is noted beside them, and taken back as if a command had done it.
extension Undo {
    /// A write with what its entries have changed in the place of the entries.
    ///
    /// - Returns: The write, and whether an entry of it may be half done: a run that wrote it was killed.
    /// - Throws: ``FileError``.
    func unfolded(_ write: UndoableWrite) throws -> (write: UndoableWrite, mayBeHalfDone: Bool) {
        var unfolded = write
        var mayBeHalfDone = false
        unfolded.changes = try write.changes.flatMap { change -> [UndoableWrite.Change] in
            guard case .queued(let id) = change, let note = try ChangeNote.ofEntry(id, in: queue) else {
                return [change]
            }
            let changes = note.steps.map(\.change)
            if Spool(queue.done).keeps(id) { return changes }
            mayBeHalfDone = mayBeHalfDone || queue.local.entry(id) != nil
            return changes + [change]
        }
        if unfolded.changes.contains(.made) { unfolded.operation = .initSession }
        return (unfolded, mayBeHalfDone)
    }
}

extension UndoRun {
    /// - Throws: ``StoreError`` with `.unsafeToUndo` if it is not known any more what an entry has changed.
    func requireKnown() throws {
        guard let entry = applied.first(where: { $0.kind.isChange }) else { return }
        throw unsafe(
            "what entry \(entry.id) has changed is no longer kept",
            cure: ["make the change by hand", "\(verb: "undo --skip") skips this write"])
    }
}
