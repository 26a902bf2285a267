internal import HTTPTypes
internal import TraceExchange
internal import TraceText

extension Problem {
    /// The problem that an error of the modules below means, as it says itself; so every route answers alike.
    ///
    /// - Parameter isQuestion: Whether the request only reads. Files that changed meanwhile are then a reason to ask again, and not a
    ///   condition that failed.
    ///
    /// Source: docs/errors.md.
    init(_ error: any Error, isQuestion: Bool = false) {
        if let problem = error as? Problem {
            self = problem
            return
        }
        let report = error.anyReport
        let meaning = error.anyMeaning
        let code = isQuestion ? meaning.httpOfQuestion : meaning.http
        let status =
            code == 507 ? Self.insufficientStorage : HTTPResponse.Status(code: code)
        self.init(
            status, report.code ?? "internal-error", report.messageOverHTTP, cure: report.cure,
            place: report.place,
            retryAfter: status == .serviceUnavailable ? .milliseconds(500) : nil)
        if error is ExchangeError { parameters = Self.exchangeParameters }
        if (error as? ProtocolError)?.code == .credentialMalformed {
            fields[.wwwAuthenticate] = "Bearer realm=\"trace\""
        }
    }

    private static let insufficientStorage = HTTPResponse.Status(
        code: 507, reasonPhrase: "Insufficient Storage")

    /// The options of exports and imports that are parameters of their requests.
    static let exchangeParameters: Set<String> = [
        "format", "tag", "media", "lead", "fps", "start", "unit", "strict", "replace",
    ]
}
