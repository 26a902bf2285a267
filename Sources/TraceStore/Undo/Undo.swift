package import SystemPackage
package import TraceFormat

/// Takes back the last write of this user that has not been taken back yet.
///
/// An undo is not itself undone: the same command again takes back the write before. Nothing that it takes
/// away is lost: audio and entries of the queue are moved to the state directory, and removed lines stand in
/// the journal.
package struct Undo {
    private let journal: UndoJournal
    private let queue: QueueDirectories
    private let runtimeDirectory: FilePath?
    private let locate: (ULID) -> [FilePath]
    /// What tests make happen between the steps.
    package var stepHook: StepHook?

    /// - Parameter locate: The directories of the sessions that bear an id, for a session that has been
    ///   moved.
    package init(
        _ journal: UndoJournal, queue: QueueDirectories, runtimeDirectory: FilePath? = nil,
        locate: @escaping (ULID) -> [FilePath]
    ) {
        self.journal = journal
        self.queue = queue
        self.runtimeDirectory = runtimeDirectory
        self.locate = locate
    }

    /// What an undo did, or would do.
    package struct Outcome: Sendable {
        package var write: UndoableWrite
        /// The session's directory, where the write was one into a session.
        package var session: FilePath?
        /// Each step in words, in its order.
        package var steps: [String]
        package var notices: [String] = []
    }

    /// Undoes the last write, or tells what would be done.
    ///
    /// - Parameter sessionID: Only writes into this session; nil for any.
    /// - Throws: ``StoreError`` with `.nothingToUndo`, or `.unsafeToUndo` where what was written has been
    ///   changed since or is referred to: then nothing is changed. `.noSuchSession` where the session is not
    ///   here.
    /// - Note: Durable on return. Killed in between, the same again does the rest.
    package func run(sessionID: ULID? = nil, user: UInt32, isDryRun: Bool = false) throws -> Outcome {
        try queue.locked(runtimeDirectory: runtimeDirectory, stepHook: stepHook) { lock in
            let found = try journal.writes().first {
                $0.write.user == user && (sessionID == nil || $0.write.sessionID == sessionID)
            }
            guard let found else {
                throw StoreError(
                    .nothingToUndo, "there is nothing to undo",
                    hint: "what other programs wrote, and the daemon drained, is not undone here")
            }
            let run = UndoRun(
                write: found.write, isHalfUndone: found.isHalfUndone, isDryRun: isDryRun, queue: queue,
                kept: journal.directory.appending(found.write.id.description), stepHook: stepHook)
            guard found.write.changes.contains(where: \.isInSession) else {
                return try undo(found.write, nil, isDryRun) { try run.steps(in: nil) }
            }
            let target = try session(of: found.write)
            let path = target.path
            var writer = SessionWriter(target, runtimeDirectory: runtimeDirectory)
            writer.stepHook = stepHook
            return try writer.locked { session in
                try undo(found.write, path, isDryRun) {
                    var steps = try run.steps(in: session)
                    let created = run.createdRecords
                    if !created.isEmpty {
                        steps.insert(
                            UndoStep("") {
                                var ledger = try Ledger(in: lock)
                                for id in created { try ledger.addRemoved(id, at: Clock.now()) }
                                return []
                            }, at: 0)
                    }
                    steps.append(
                        UndoStep("") {
                            try session.touch(after: "what was written is taken back"); return []
                        })
                    return steps
                }
            }
        }
    }

    private func undo(
        _ write: UndoableWrite, _ session: FilePath?, _ isDryRun: Bool, _ steps: () throws -> [UndoStep]
    ) throws -> Outcome {
        let steps = try steps()
        var outcome = Outcome(
            write: write, session: session, steps: steps.map(\.text).filter { !$0.isEmpty })
        guard !isDryRun else { return outcome }
        try journal.noteUndo(of: write.id, isDone: false)
        for step in steps { outcome.notices += try step.perform() }
        try journal.noteUndo(of: write.id, isDone: true)
        return outcome
    }

    /// Where the session lies now.
    private func session(of write: UndoableWrite) throws -> SessionTarget {
        if let path = write.session, let target = try? SessionTarget(reading: path),
            let id = target.session.id, write.sessionID == nil || id == write.sessionID
        {
            return target
        }
        let paths = write.sessionID.map(locate) ?? []
        guard paths.count == 1, let path = paths.first, let target = try? SessionTarget(reading: path),
            target.session.id == write.sessionID
        else {
            throw StoreError(
                .noSuchSession, "the session of the last write is not here",
                path: write.session, hint: "mount the disk that it lies on, then undo again")
        }
        return target
    }
}

/// One step of an undo: what it does, in words, and how.
struct UndoStep {
    /// Empty where a person need not know.
    let text: String
    let perform: () throws -> [String]

    init(_ text: String, _ perform: @escaping () throws -> [String]) {
        self.text = text
        self.perform = perform
    }
}

extension UndoableWrite.Change {
    fileprivate var isInSession: Bool {
        if case .queued = self { false } else { true }
    }
}

extension StoreError.Code {
    /// No write of this user is left that could be undone.
    package static let nothingToUndo = StoreError.Code(rawValue: "nothing-to-undo")
    /// What was written has been changed since, or something refers to it.
    package static let unsafeToUndo = StoreError.Code(rawValue: "unsafe-to-undo")
}
