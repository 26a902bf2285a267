package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore
internal import TraceText

/// The runs of a session's actions, and what asks for one: `trace action list`.
package struct ActionsQuestion: Sendable {
    /// The session's directory.
    let session: FilePath
    /// Where the runs that are under way are recorded.
    let stateDirectory: FilePath
    /// Only runs in this state.
    var state: RunState?

    /// The runs of a session.
    package init(session: FilePath, stateDirectory: FilePath, state: RunState? = nil) {
        self.session = session
        self.stateDirectory = stateDirectory
        self.state = state
    }

    /// The runs in the order in which they were asked for.
    ///
    /// - Throws: ``FileError``, with `.changedMeanwhile` if another program overwrites the file.
    package func runs() throws -> [RunAnswer] {
        let living = RunningAction.living(in: stateDirectory)
        return try SessionReader(session).authoritative(.action, ActionRun.init).map {
            RunAnswer($0, isLiving: living.contains($0.value.id))
        }.filter { state == nil || $0.state == state }
    }

    /// The run of an id.
    ///
    /// - Throws: ``StoreError`` with `.noSuchRecord`; as ``runs()``.
    package func run(_ id: ULID) throws -> RunAnswer {
        let found = try SessionReader(session).authoritative(.action, where: { $0.id == id }, ActionRun.init)
        guard let run = found.first else {
            throw StoreError(
                .noSuchRecord, "action request not found: \(id)",
                path: session.appending(RecordKind.action.component),
                cure: [
                    "list the ids with \(verb: "action list --requested")",
                    .listRecords,
                ])
        }
        return RunAnswer(run, isLiving: RunningAction.living(in: stateDirectory).contains(id))
    }
}
