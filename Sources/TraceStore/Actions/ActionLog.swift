internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// The lines of `actions.jsonl`: a run is begun by one and ended by another of the same id.
///
/// Source: docs/actions.md#what-is-written.
struct ActionLog: Sendable {
    private let writer: SessionWriter

    /// The log of the session that is at a path, whichever it is: for runs that are found by their ids.
    init(_ session: FilePath, runtimeDirectory: FilePath? = nil) {
        writer = SessionWriter(session, runtimeDirectory: runtimeDirectory)
    }

    /// The log of a session that was chosen before.
    init(_ session: SessionTarget, runtimeDirectory: FilePath? = nil) {
        writer = SessionWriter(session, runtimeDirectory: runtimeDirectory)
    }

    /// The end of a run.
    enum End: Sendable {
        /// With its outputs, a JSON object, if it gave any.
        case succeeded(outputs: [UInt8]?)
        case failed(String)
    }

    /// Appends the line that begins a run.
    ///
    /// - Returns: The line.
    /// - Note: Durable on return.
    func begin(_ id: ULID, action: String, inputs: [UInt8]?, at time: Timestamp) throws -> [UInt8] {
        let line = try ActionRequest(id: id, action: action, inputs: inputs, createdAt: time).json.bytes
        _ = try writer.locked { try $0.append(line, to: .action) }
        return line
    }

    /// The line that began a run which has not ended.
    ///
    /// - Throws: ``StoreError`` with `.noSuchRecord` if there is no such run, `.hasEnded` if it has ended.
    func unfinished(_ id: ULID) throws -> [UInt8] {
        try writer.locked { session in
            let line = try session.require(id, in: .action)
            guard Self.isStarted(line) else {
                throw StoreError(
                    .hasEnded, "the run \(id) has already ended",
                    path: writer.path.appending(RecordKind.action.component),
                    cure: "start a new one with the action's name")
            }
            return line
        }
    }

    /// Appends the line that ends a run: the line that began it, with status and outputs or error.
    ///
    /// May be repeated: a run that has ended gets no line.
    ///
    /// - Parameter beginning: The line that began the run, to be used where it has vanished from the file
    ///   since; without it, a run that the file does not know gets no line.
    /// - Returns: Whether a line was appended.
    /// - Note: Durable on return.
    @discardableResult
    func end(_ id: ULID, with end: End, begunBy beginning: [UInt8]? = nil) throws -> Bool {
        try writer.locked { session in
            try session.finishLastLine(of: .action) { $0 == id }
            guard let line = try session.lines(of: [id], in: .action)[id]?.last ?? beginning,
                Self.isStarted(line)
            else {
                return false
            }
            _ = try session.append(Self.line(line, with: end), to: .action)
            return true
        }
    }

    /// The line that ends a run: the one that began it, with status and outputs or error.
    ///
    /// - Throws: ``FormatError`` with `.jsonMalformed`.
    static func line(_ beginning: [UInt8], with end: End) throws(FormatError) -> [UInt8] {
        var editor = try JSONObjectEditor(beginning)
        switch end {
        case .succeeded(let outputs):
            try editor.set("status", to: JSONText(ActionRun.Status.succeeded.rawValue))
            if let outputs { try editor.set("outputs", to: JSONText(verbatim: outputs)) }
        case .failed(let reason):
            try editor.set("status", to: JSONText(ActionRun.Status.failed.rawValue))
            try editor.set("error", to: JSONText(reason))
        }
        return editor.bytes
    }

    /// Whether a line says that its run has begun, or is wanted, and has not ended.
    static func isStarted(_ line: [UInt8]) -> Bool {
        let status = (try? JSONParser().withParsed(line) { $0[name: "status"]?.string }) ?? nil
        return status == ActionRun.Status.started.rawValue
    }
}
