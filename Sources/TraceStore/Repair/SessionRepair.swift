package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat

/// Repairs what can be repaired in a session without guessing, and lists what needs manual repair.
///
/// Whatever is changed or taken away is kept in the state directory before the session is touched. A kill at any instruction
/// leaves the session with some of the fixes, each of them whole, and another run does the rest.
///
/// Source: docs/repair.md.
package struct SessionRepair {
    private let writer: SessionWriter
    private let stateDirectory: FilePath
    private let settleTime: Duration
    private let remembered: Session?
    private let reviewAudio: (ULID) -> [String]
    private let isUsedElsewhere: (ULID) -> Bool
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - stateDirectory: Where old files are kept, under `repair/<session>/<time>/`.
    ///   - settleTime: How long a file must have rested before its unfinished last line counts as torn.
    ///   - remembered: What the index remembers of the session.
    ///   - reviewAudio: The files that were added to a session as review audio, the last one last
    ///     (``UndoLog/reviewAudio(in:)``).
    ///   - isUsedElsewhere: Whether another session has an id; asked only where the session's own is written in lower case.
    package init(
        _ writer: SessionWriter, keptIn stateDirectory: FilePath, settleTime: Duration = .seconds(2),
        remembered: Session? = nil, reviewAudio: @escaping (ULID) -> [String] = { _ in [] },
        now: @escaping @Sendable () -> Timestamp = { Clock.now() },
        isUsedElsewhere: @escaping (ULID) -> Bool = { _ in false }
    ) {
        self.writer = writer
        self.stateDirectory = stateDirectory
        self.settleTime = settleTime
        self.remembered = remembered
        self.reviewAudio = reviewAudio
        self.isUsedElsewhere = isUsedElsewhere
        self.now = now
    }

    /// What a repair would do now; changes nothing in the session.
    ///
    /// - Throws: ``FileError`` with `.notFound` if the directory is not a session, `.sessionLocked`, `.permissionDenied` or
    ///   `.io`.
    package func plan() throws -> RepairPlan {
        try writer.locked(plan)
    }

    /// Repairs the session.
    ///
    /// - Throws: As ``plan()``, and what a write throws; `.changedMeanwhile` if another program keeps writing.
    /// - Note: Durable on return. If it throws, some of the fixes may be done; the old files are kept anyway.
    package func run() throws -> RepairRun.Outcome {
        try writer.recorded(.repair) { session in
            try repair.outcome(in: session.directory) {
                session.recorder?.add($0)
            } _: {
                try plan(session)
            }
        }
    }

    private var repair: RepairRun {
        RepairRun(
            keptIn: stateDirectory, directoryName: writer.path.lastComponent, failPoint: writer.failPoint,
            now: now)
    }

    private func plan(_ session: LockedSession) throws -> RepairPlan {
        let contents = try SessionContents(of: session.directory, settleTime: settleTime)
        return try RepairPlanner.plan(
            for: contents, at: writer.path, remembered: remembered,
            reviewAudio: contents.session.header().session.id.map(reviewAudio) ?? [],
            isUsedElsewhere: isUsedElsewhere)
    }
}
