internal import HTTPTypes
internal import TraceExchange
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

extension Problem {
    /// The problem that an error of the modules below means, by its code; the same table serves every route.
    ///
    /// - Parameter isQuestion: Whether the request only reads. Files that changed meanwhile are then a reason to ask again, and not a
    ///   condition that failed.
    ///
    /// Source: server.md, section 3: exit statuses and HTTP statuses.
    init(_ error: any Error, isQuestion: Bool = false) {
        if let problem = error as? Problem {
            self = problem
            return
        }
        if let error = error as? ProtocolError {
            self.init(
                HTTPResponse.Status(code: error.code.status), error.code.rawValue, error.message,
                hint: error.hint)
            if error.code == .credentialMalformed { fields[.wwwAuthenticate] = "Bearer realm=\"trace\"" }
            return
        }
        let report = error.anyReport
        let code = report.code ?? "internal-error"
        var status = Self.status(of: code, error)
        // What the user typed is in the request here.
        if error is LibraryError, status == .internalServerError { status = .badRequest }
        if isQuestion, code == "changed-meanwhile" { status = .serviceUnavailable }
        let isOfExchange = error is ExchangeError || code == "exchange-impossible"
        self.init(
            status, code, CommandLineWords.message(report),
            hint: CommandLineWords.hint(
                report, parameters: isOfExchange ? CommandLineWords.exchangeParameters : []),
            place: report.place,
            retryAfter: status == .serviceUnavailable ? .milliseconds(500) : nil)
    }

    private static func status(of code: String, _ error: any Error) -> HTTPResponse.Status {
        if let status = statuses[code] { return status }
        return error is UnstableFiles ? .serviceUnavailable : .internalServerError
    }

    private static let insufficientStorage = HTTPResponse.Status(
        code: 507, reasonPhrase: "Insufficient Storage")

    private static let statuses: [String: HTTPResponse.Status] = [
        "offset-malformed": .badRequest, "time-malformed": .badRequest, "time-in-future": .badRequest,
        "record-name-malformed": .badRequest, "frame-rate-malformed": .badRequest,
        "frame-rate-unused": .badRequest,
        "before-start": .badRequest, "after-end": .badRequest,
        "offset-too-large": .badRequest, "no-last-marker": .badRequest, "not-active": .badRequest,
        "no-duration": .unprocessableContent, "no-start-time": .unprocessableContent,
        "no-session-id": .unprocessableContent, "invalid-data": .unprocessableContent,
        "record-invalid": .unprocessableContent, "json-malformed": .unprocessableContent,
        "exchange-impossible": .unprocessableContent, "format-unknown": .unprocessableContent,
        "block-edited": .conflict,
        "block-missing": .unprocessableContent, "block-unbalanced": .unprocessableContent,
        "journal-not-writable": .serviceUnavailable, "practice-write-unfinished": .serviceUnavailable,
        "no-such-session": .notFound, "no-such-record": .notFound, "no-such-entry": .notFound,
        "no-such-action": .notFound, "no-such-token": .notFound, "media-not-found": .notFound,
        "record-not-found": .notFound, "not-found": .notFound,
        "leaves-session": .notFound, "not-regular-file": .notFound, "audio-absent": .notFound,
        // What the daemon's user may not do on the server: no other token helps, and the hint says what does.
        "permission-denied": .forbidden,
        "ambiguous-session": .conflict, "ambiguous-entry": .conflict, "record-ambiguous": .conflict,
        "already-exists": .conflict, "already-closed": .conflict, "already-paused": .conflict,
        "not-paused": .conflict, "has-ended": .conflict, "is-referenced": .conflict,
        "media-ambiguous": .conflict,
        "changed-meanwhile": .preconditionFailed, "position-superseded": .preconditionFailed,
        "no-root": .serviceUnavailable, "no-last-record": .unprocessableContent,
        "file-too-large": .contentTooLarge,
        "disk-full": insufficientStorage, "uploads-full": insufficientStorage,
        "queue-full": insufficientStorage,
        "index-disk-full": insufficientStorage,
        "session-locked": .serviceUnavailable, "other-session": .serviceUnavailable,
        "already-running": .serviceUnavailable, "too-many-open-files": .serviceUnavailable,
        "read-only": .serviceUnavailable, "index-busy": .serviceUnavailable,
        "index-stale": .serviceUnavailable, "index-interrupted": .serviceUnavailable,
        // What a disk failed to do once it may do the next time; a damaged index has been rebuilt by then.
        "io": .serviceUnavailable, "index-io": .serviceUnavailable, "index-corrupt": .serviceUnavailable,
    ]
}
