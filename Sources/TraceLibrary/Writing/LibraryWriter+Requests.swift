package import RecordFormat
internal import TraceFiles
package import TraceFormat
package import TraceStore
internal import TraceText

/// Requests that a computer should run an action.
extension LibraryWriter {
    /// Writes a request; where its session is not available or can't be written, it waits in the queue.
    ///
    /// - Parameter mayQueue: Else it fails where the session can't be written.
    /// - Throws: ``LibraryError`` with `.noSessionID` if it can't wait either; ``FileError`` with `.alreadyExists` if another
    ///   record has its id.
    package func request(
        _ request: ActionRequest, in target: WriteTarget, mayQueue: Bool = true
    ) throws -> WriteOutcome {
        guard let place = target.place else {
            return try enqueue(request, for: target, reason: target.problem)
        }
        do { return try write(into: place) { try $0.request(request) } } catch
            where mayQueue && error.isAboutReaching
        {
            return try enqueue(request, for: target, reason: "\(error)")
        }
    }

    private func enqueue(
        _ request: ActionRequest, for target: WriteTarget, reason: String
    ) throws -> WriteOutcome {
        let entry = SpoolEntry(
            id: request.id, kind: .actionRequest, journalID: try target.queueID(for: "request", reason),
            createdAt: request.createdAt, payload: request.json)
        return try queued(entry, as: .requestAction, reason)
    }

    /// Ends a request that nobody has run as failed, `declined by NAME: REASON`; `trace undo` opens it again.
    ///
    /// A run of that id that a crash has cut short is marked as interrupted first, and so has ended.
    ///
    /// - Parameters:
    ///   - name: Who declines it, for people.
    ///   - reason: Why; nil if nothing is said.
    /// - Throws: ``FileError``; ``StoreError`` with `.noSuchRecord` if the session has no such run, `.hasEnded` if it has ended, `.alreadyRunning`
    ///   if a program runs it on this machine. Then nothing is written.
    package func decline(
        _ id: ULID, in session: SessionTarget, by name: String, because reason: String?
    ) throws -> DeclinedRequest {
        _ = RunningAction.failInterrupted(id, in: stateDirectory, runtimeDirectory: runtimeDirectory)
        return try writer(session).decline(id, by: name, because: reason, state: stateDirectory)
    }
}
