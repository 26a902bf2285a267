internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

extension Undo {
    /// Does again what the last undo has taken back, or says what would be done: all writes of its command. What was undone before comes next.
    ///
    /// - Throws: ``StoreError`` with `.nothingToRedo`, also if this user has written something since; `.unsafeToUndo` if what the undo has left has been
    ///   changed since: then nothing is changed. `.noSuchSession` if the session is not available.
    /// - Note: Durable on return. Killed in between, the same again does the rest, and an undo takes it back.
    package func redo(user: UInt32, isDryRun: Bool = false) throws -> Outcome {
        try queue.locked(runtimeDirectory: runtimeDirectory, failPoint: failPoint) { lock in
            let undone = try log.undone(by: user)
            guard let last = undone.last else {
                throw StoreError(
                    .nothingToRedo, "there is nothing to redo",
                    cure: "only what was undone since your last write can be done again")
            }
            // The last that was taken back comes first: it was the first that was written.
            let command = last.write.command
            let writes =
                command == nil
                ? [last] : Array(undone.reversed().prefix { $0.write.command == command })
            var outcome = Outcome()
            if isDryRun || writes.count > 1 {
                // What is in a session that comes out of the bin can be looked at once it is there.
                let checked = writes.first?.write.directoryMove == nil ? writes[...] : writes.prefix(1)
                for write in checked {
                    outcome.parts.append(try redo(write, lock, isDryRun: isDryRun, isCheck: true).part)
                }
            }
            guard !isDryRun else { return outcome }
            outcome.parts = []
            for write in writes {
                let (part, notices) = try redo(write, lock, isDryRun: false, isCheck: false)
                outcome.parts.append(part)
                outcome.notices += notices
            }
            return outcome
        }
    }

    private func redo(
        _ noted: UndoLog.Undone, _ lock: DirectoryLock, isDryRun: Bool, isCheck: Bool
    ) throws -> (part: Outcome.Part, notices: [String]) {
        var undone = noted
        undone.write = try unfolded(noted.write).write
        let write = undone.write
        var part = Outcome.Part(
            write: noted.write, session: nil, subject: subject(of: noted.write), steps: [])
        /// - Parameter records: Those of which the ledger says that they were removed.
        func perform(_ steps: [UndoStep], bringingBack records: [ULID] = []) throws -> (
            Outcome.Part, [String]
        ) {
            part.steps = steps.flatMap(\.actions).map { $0.text(isPlan: isDryRun) }
            guard !isCheck else { return (part, []) }
            try log.note(.redoBegun, of: write.id)
            var notices: [String] = []
            var isTakenUp = undone.isHalfRedone
            for step in steps {
                do { notices += try step.perform() } catch {
                    // Nothing was done: the next redo checks as this one did.
                    if !isTakenUp, UndoNotes.isRefusal(error) {
                        try log.note(.undone(left: undone.left ?? [:]), of: write.id)
                    }
                    throw error
                }
                isTakenUp = true
            }
            if !records.isEmpty { try Ledger(in: lock).addKept(records, at: Clock.now()) }
            try log.note(.redone, of: write.id)
            return (part, notices)
        }
        if let move = write.directoryMove?.reversed {
            part.session = write.session
            return try perform(
                move == .put
                    ? stepsToBin(write, isHalfDone: undone.isHalfRedone) : stepsOutOfBin(write))
        }
        let run = try RedoRun(
            undone, isDryRun: isDryRun, queue: queue, log: log, failPoint: failPoint)
        let elsewhere = try inOtherJournal(of: write, run.run) { change, journal, writing in
            part.session = journal.directory.path
            return try perform(
                run.steps(in: nil) + steps(toRedo: change.changes, of: undone, in: journal, writing),
                bringingBack: change.records)
        }
        if let elsewhere { return elsewhere }
        guard run.isInSession else { return try perform(run.steps(in: nil)) }
        let target = try session(of: write, run.applied)
        part.session = target.path
        return try locked(target) { session in
            try perform(
                run.steps(in: session) + lastSteps(of: write, in: session, "the write was done again"),
                bringingBack: run.createdRecords)
        }
    }

    private func steps(
        toRedo changes: [UndoableWrite.Change], of undone: UndoLog.Undone, in journal: LockedJournal,
        _ writing: any JournalWriting
    ) throws -> [UndoStep] {
        do {
            return try changes.compactMap(\.reversed).flatMap {
                try writing.steps(toUndo: $0, isHalfDone: undone.isHalfRedone, in: journal)
            }
        } catch var error as StoreError where error.code == .unsafeToUndo {
            // An undo can be skipped; a redo is gone with the next write.
            error.cure = "make the change by hand"
            throw error
        }
    }
}

extension UndoableWrite.Change {
    /// What takes the undo of a change in a document back: the last member first, for an undo begins with the last.
    fileprivate var reversed: UndoableWrite.Change? {
        guard case .members(let path, let members) = self else { return nil }
        return .members(
            path: path,
            members.reversed().map {
                MemberChange($0.container, id: $0.id, member: $0.member, before: $0.after, after: $0.before)
            })
    }
}
