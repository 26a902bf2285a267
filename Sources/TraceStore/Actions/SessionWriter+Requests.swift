package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceText

/// A request for a run that has been declined.
package struct DeclinedRequest: Sendable {
    /// Its id, which the line that ends it has too.
    package let id: ULID
    /// Which action; nil if the request names none.
    package let action: String?
    /// What its last line says now: by whom it was declined, and why.
    package let error: String
    /// What a person should know: that a torn line was met.
    package let notices: [String]
}

extension SessionWriter {
    /// Appends a request that a computer should run an action. Nothing runs it by itself.
    ///
    /// May be repeated: a request that is there, whatever has come of it since, gets no second line.
    ///
    /// - Returns: What a person should know, e.g. that the request stands and only `session.json` could not be updated.
    /// - Throws: ``FileError``; `.alreadyExists` if another record of the session has the id (then nothing is written),
    ///   `.notFound` if the directory is not a session.
    /// - Note: Durable on return.
    /// - Complexity: O(size of the session), for the look for the id.
    ///
    /// Source: docs/actions.md#requests; docs/spec/format.md#rules-across-lines-and-files, rule 2.
    @discardableResult
    package func request(_ request: ActionRequest) throws -> [String] {
        try recorded(.requestAction) { session in
            try session.finishLastLine(of: .action) { $0 == request.id }
            let line = request.json.bytes
            let existing = try SessionReader(session.directory).existing([request.id])[request.id] ?? []
            if existing.contains(where: { $0.kind == .action && JSONText.isEquivalent($0.line, line) }) {
                // Visible is not durable, and a killed writer may have stopped before session.json.
                try session.directory.makeDurable(RecordKind.action.component)
                return try session.isHeaderBehind(.action) ? session.finish("the request was written") : []
            }
            if let other = existing.first {
                throw FileError(
                    .alreadyExists, "another \(other.kind.noun) has the id \(request.id)",
                    path: path.appending(other.kind.component), cure: "give the request an id of its own")
            }
            return try session.append(line, to: .action) + session.finish("the request was written")
        }
    }

    /// Ends a request that nobody has run: a line `failed` follows it, with the reason; no line is changed.
    ///
    /// It is looked at under the session's lock, under which a run looks at its request too: so a request is declined or run,
    /// and never both.
    ///
    /// - Parameters:
    ///   - name: Who declines it, for people.
    ///   - reason: Why; nil if nothing is said.
    ///   - state: The state directory, which knows what is running here.
    /// - Throws: ``FileError``; ``StoreError`` with `.noSuchRecord` if there is no such run, `.hasEnded` if it has ended, `.alreadyRunning` if a
    ///   program runs it on this machine. Then nothing is written.
    /// - Note: Durable on return. Killed in between, the request is open or declined.
    package func decline(
        _ id: ULID, by name: String, because reason: String?, state: FilePath
    ) throws -> DeclinedRequest {
        try recorded(.declineAction) { session in
            try session.finishLastLine(of: .action) { $0 == id }
            let line = try session.require(id, in: .action)
            let file = path.appending(RecordKind.action.component)
            guard ActionLog.isStarted(line) else {
                throw StoreError(
                    .hasEnded, "the run \(id) has already ended", path: file,
                    cure: [
                        "only a request that has not been run can be declined",
                        "\(verb: "action list") shows how it ended",
                    ]
                )
            }
            guard try !RunningAction.isLiving(id, in: state) else {
                throw StoreError(
                    .alreadyRunning, "the run \(id) is in progress", path: file,
                    cure: [
                        "wait until it ends, or interrupt the \(verb: "action run") that runs it",
                        .overHTTP("wait until it ends"),
                    ])
            }
            let error = "declined by \(name)" + (reason.map { ": \($0)" } ?? "")
            let ended = try ActionLog.line(line, with: .failed(error))
            // What was wrong with the request before does not keep it open.
            try RecordCheck.require(ended, toBe: .action, noWorseThan: line)
            let notices = try session.appendVerbatim(ended, to: .action)
            let action = try JSONParser().withParsed(line) { $0[name: "action"]?.string }
            return DeclinedRequest(id: id, action: action, error: error, notices: notices)
        }
    }
}
