internal import HTTPTypes
internal import NIOCore
internal import RecordFormat
internal import TraceStore

/// What every answer says besides its own.
///
/// Source: server.md, sections 3 and 4.
enum AnswerFields {
    /// The answer as it is sent: with the fields that all have, or as 304 where the client has it already.
    static func complete(_ answer: Answer, for request: HTTPRequest) -> Answer {
        let now = Clock.now()
        var answer = conditional(tagged(answer, request), request, now)
        func standard(_ name: HTTPField.Name, _ value: String) {
            if !answer.fields.contains(name) { answer.fields[name] = value }
        }
        answer.fields[.date] = HTTPDate(milliseconds: now.milliseconds).description
        answer.fields[.traceTime] = "\(now)"
        answer.fields[.xContentTypeOptions] = "nosniff"
        answer.fields[.referrerPolicy] = "no-referrer"
        answer.fields[.crossOriginResourcePolicy] = "same-origin"
        standard(.contentSecurityPolicy, "default-src 'none'; sandbox; frame-ancestors 'none'")
        standard(
            .cacheControl,
            answer.status.kind == .successful || answer.status == .notModified
                ? "private, no-cache" : "no-store")
        standard(.vary, "Accept, Accept-Encoding, Cookie, Authorization")
        if let length = answer.body.length, answer.status != .noContent, answer.status != .notModified {
            answer.fields[.contentLength] = "\(length)"
        }
        return answer
    }

    /// With a tag of its bytes, where the endpoint has given none: the client keeps it and asks.
    private static func tagged(_ answer: Answer, _ request: HTTPRequest) -> Answer {
        guard answer.status == .ok, request.method == .get || request.method == .head,
            answer.fields[.eTag] == nil, answer.fields[.cacheControl] == nil,
            case .bytes(let bytes) = answer.body
        else { return answer }
        return answer.with(.eTag, EntityTag(contents: Array(bytes.readableBytesView)).description)
    }

    /// Whether a tag that the client has is the answer's.
    private static func conditional(_ answer: Answer, _ request: HTTPRequest, _ now: Timestamp) -> Answer {
        guard answer.status == .ok, request.method == .get || request.method == .head,
            let tag = answer.fields[.eTag].flatMap(EntityTag.init)
        else { return answer }
        var fields = request.headerFields
        // Only files have ranges, and they have looked at them.
        fields[.range] = nil
        let representation = Representation(size: 0, tag: tag, modified: nil, hasRested: false)
        switch ConditionalRequest(request.method, fields).answer(
            for: representation, now: HTTPDate(milliseconds: now.milliseconds))
        {
        case .notModified:
            var unchanged = answer
            unchanged.status = .notModified
            unchanged.body = .none
            unchanged.fields[.contentType] = nil
            return unchanged
        case .preconditionFailed:
            return Problem(.preconditionFailed, "changed-meanwhile", "it does not match If-Match").answer(
                id: IDGenerator.next())
        default: return answer
        }
    }
}

extension HTTPField.Name {
    /// The server's time, in milliseconds.
    static let traceTime = Self.known("Trace-Time")
    /// How an answer about many sessions is known to be true.
    static let traceFresh = Self.known("Trace-Fresh")
    static let referrerPolicy = Self.known("Referrer-Policy")
    static let crossOriginResourcePolicy = Self.known("Cross-Origin-Resource-Policy")
    /// By which a request without an id is the same as one before.
    static let idempotencyKey = Self.known("Idempotency-Key")
    static let link = Self.known("Link")

    /// A name that the standard ones don't have. One that is not a token can't be sent, which a test would see.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .server }
}
