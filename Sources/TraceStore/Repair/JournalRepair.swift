package import RecordFormat
package import SystemPackage
internal import TraceFiles

/// Repairs what can be repaired in a journal other than a session, as its kind says, and lists what needs manual repair.
///
/// Source: docs/repair.md.
package struct JournalRepair {
    private let writer: JournalWriter
    private let stateDirectory: FilePath
    private let settleTime: Duration
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - stateDirectory: Where old files are kept, under `repair/<id of the journal>/<time>/`.
    ///   - settleTime: How long a file must have rested before it counts as whole.
    package init(
        _ writer: JournalWriter, keptIn stateDirectory: FilePath, settleTime: Duration = .seconds(2),
        now: @escaping @Sendable () -> Timestamp = { Clock.now() }
    ) {
        self.writer = writer
        self.stateDirectory = stateDirectory
        self.settleTime = settleTime
        self.now = now
    }

    /// What a repair would do now; changes nothing.
    ///
    /// - Throws: ``FileError`` with `.notFound` if the directory is not a journal, `.sessionLocked`, `.permissionDenied` or `.io`;
    ///   ``StoreError`` with `.journalNotWritable` if it is of a kind or a version that is only read.
    package func plan() throws -> RepairPlan {
        try writer.locked { journal, writing in try writing.repair(of: journal, settleTime: settleTime) }
    }

    /// Repairs the journal.
    ///
    /// - Throws: As ``plan()``, and what a write throws; `.changedMeanwhile` if another program keeps writing.
    /// - Note: Durable on return. If it throws, some of the fixes may be done; the old files are kept anyway.
    package func run() throws -> RepairRun.Outcome {
        try writer.locked { journal, writing in
            let run = RepairRun(
                keptIn: stateDirectory, directoryName: writer.path.lastComponent,
                failPoint: writer.failPoint, now: now)
            return try run.outcome(in: journal.directory) { [journal] in
                try writing.repair(of: journal, settleTime: settleTime)
            }
        }
    }
}
