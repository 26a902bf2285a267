internal import Glibc
package import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceText

/// Runs an action's program for a session and writes down how it went.
///
/// Steps: a record in the state directory → `started` in the session, where no phone has written it → the
/// program → `succeeded` or `failed` → the record removed. Killed in between, the next start finds the record
/// and marks the run as failed.
package struct ActionRunner: Sendable {
    private let program: ActionProgram
    private let session: SessionTarget
    private let state: FilePath
    private let runtimeDirectory: FilePath?
    private let timeout: Duration

    package init(
        _ program: ActionProgram, for session: SessionTarget, state: FilePath, runtimeDirectory: FilePath?,
        timeout: Duration
    ) {
        self.program = program
        self.session = session
        self.state = state
        self.runtimeDirectory = runtimeDirectory
        self.timeout = timeout
    }

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - request: The id of a request whose `started` line is in the session; nil begins a run of its own.
    ///   - inputs: A JSON object.
    ///   - shouldStop: Is asked when a signal has come, and once a second; if so the program is ended and the run has failed.
    /// - Returns: The run's id, and the outputs if there were any.
    /// - Throws: ``StoreError`` with `.actionFailed` if the program did not end well, `.alreadyRunning`, or what keeps the
    ///   session from being written.
    package func run(
        request: ULID? = nil, inputs: [UInt8]?, shouldStop: () -> Bool = { false }
    ) throws -> (id: ULID, outputs: [UInt8]?) {
        let id = request ?? IDGenerator.next()
        let log = ActionLog(session, runtimeDirectory: runtimeDirectory)
        let running = try RunningAction(id, of: session.path, state: state)
        let beginning: [UInt8]
        do {
            // Looked at again now that no other process can run it: one may have done so since it was chosen.
            beginning =
                try request.map(log.unfinished)
                ?? log.begin(id, action: program.name, inputs: inputs, at: Clock.now())
        } catch {
            running.finish()
            throw error
        }
        do {
            let outputs = try outputs(of: inputs ?? Array("{}".utf8), shouldStop)
            try log.end(id, with: .succeeded(outputs: outputs), begunBy: beginning)
            running.finish()
            return (id, outputs)
        } catch let error as StoreError where error.code == .actionFailed {
            try log.end(id, with: .failed(error.message), begunBy: beginning)
            running.finish()
            throw StoreError(
                .actionFailed, "action '\(program.name)' failed: \(error.message)", cure: error.cure)
        }
    }

    private func outputs(of inputs: [UInt8], _ shouldStop: () -> Bool) throws -> [UInt8]? {
        let outcome: ChildProgram.Outcome
        do throws(Errno) {
            var process = try ChildProgram(program.path, arguments: [session.path])
            outcome = try process.run(
                feeding: inputs + [newline], timeout: timeout, shouldStop: shouldStop)
        } catch { throw Self.failure("its program could not be started: \(error)") }
        switch outcome.end {
        case .exited(0): return try Self.object(outcome.output)
        case .exited(let status): throw Self.failure("its program ended with exit status \(status)")
        case .signalled(let signal): throw Self.failure("its program was killed by signal \(signal)")
        case .timedOut:
            throw Self.failure(
                "its program did not end within \(timeout) and was stopped",
                cure: "raise action_timeout in the configuration if it needs longer")
        case .tooMuchOutput:
            throw Self.failure(
                "its program printed more than 1 MiB",
                cure: "have it write a file into the session and print the name")
        case .stopped: throw Self.failure("it was stopped")
        }
    }

    /// - Returns: Nil for an output of nothing.
    private static func object(_ output: [UInt8]) throws -> [UInt8]? {
        if output.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return nil }
        guard RecordCheck.isObject(output) else {
            throw failure("its program printed something that is not one JSON object")
        }
        return JSONText.compacted(output)
    }

    private static func failure(_ message: String, cure: Cure? = nil) -> StoreError {
        StoreError(.actionFailed, message, cure: cure)
    }
}
