package import RecordFormat
internal import TraceFormat
package import TraceStore

/// The answer about a request that was declined (docs/cli-json.md, `trace action decline`).
package struct DeclinedRequestAnswer: Sendable {
    private let request: DeclinedRequest
    private let session: SessionTarget

    /// - Parameter session: The one whose request it was.
    package init(_ request: DeclinedRequest, in session: SessionTarget) {
        self.request = request
        self.session = session
    }

    /// The answer as one JSON text.
    package func json(_ form: AnswerForm) -> JSONText {
        .object { object in
            object.member("id", JSONText(request.id))
            object.member("action", request.action.map { JSONText($0) })
            object.member("status", ActionRun.Status.failed.rawValue)
            object.member("error", request.error)
            object.session(session, form)
        }
    }
}
