internal import HTTPTypes
internal import NIOCore
internal import RecordFormat
internal import TraceStore

/// What every answer says besides its own.
///
/// Source: docs/http.md#conditions-and-ranges.
enum ResponseFields {
    /// The answer as the client wants it: as 304 where the client has it already, else in the coding that it prefers.
    ///
    /// - Complexity: O(length of what is in memory), for its tag and its compression: to be called where that may take its time.
    static func settled(_ answer: Response, for request: HTTPRequest) -> Response {
        conditional(tagged(answer, request), request).encoded(for: request)
    }

    /// The answer as it is sent, with the fields that all have.
    static func complete(_ answer: Response) -> Response {
        let now = Clock.now()
        var answer = answer
        // Each is looked for in what the endpoint gave, which is little, and not in what all have.
        let own = answer.fields
        func standard(_ name: HTTPField.Name, _ value: String) {
            if !own.contains(name) { answer.fields.append(HTTPField(name: name, value: value)) }
        }
        standard(.date, SentDate.shared.text(at: now))
        standard(.traceTime, "\(now)")
        standard(.xContentTypeOptions, "nosniff")
        standard(.referrerPolicy, "no-referrer")
        standard(.crossOriginResourcePolicy, "same-origin")
        standard(.contentSecurityPolicy, "default-src 'none'; sandbox; frame-ancestors 'none'")
        standard(
            .cacheControl,
            answer.status.kind == .successful || answer.status == .notModified
                ? "private, no-cache" : "no-store")
        standard(.vary, "Accept, Accept-Encoding, Cookie, Authorization")
        // A browser that is signed out keeps nothing of what it was given before.
        if answer.status == .unauthorized { standard(.clearSiteData, "\"cache\"") }
        if let length = answer.body.length, answer.status != .noContent, answer.status != .notModified {
            answer.fields[.contentLength] = "\(length)"
        }
        return answer
    }

    /// With a tag of its bytes, where the endpoint has given none: the client keeps it and asks.
    private static func tagged(_ answer: Response, _ request: HTTPRequest) -> Response {
        guard answer.status == .ok, request.method.isRead, answer.fields[.eTag] == nil,
            answer.fields[.cacheControl] == nil, case .bytes(let bytes) = answer.body
        else { return answer }
        return answer.with(.eTag, EntityTag(contents: Array(bytes.readableBytesView)).description)
    }

    /// Whether a tag that the client has is the answer's.
    private static func conditional(_ answer: Response, _ request: HTTPRequest) -> Response {
        guard answer.status == .ok, request.method.isRead,
            let tag = answer.fields[.eTag].flatMap(EntityTag.init),
            let outcome = KnownTags(request.method, request.headerFields).outcome(for: tag)
        else { return answer }
        switch outcome {
        case .known(let tag):
            var unchanged = answer
            unchanged.status = .notModified
            unchanged.body = .none
            unchanged.fields[.eTag] = tag.description
            unchanged.fields[.contentType] = nil
            return unchanged
        case .refused:
            return Problem.notNamed.answer(id: IDGenerator.next())
        }
    }
}

extension HTTPField.Name {
    /// The server's time, in milliseconds.
    static let traceTime = Self.known("Trace-Time")
    /// How an answer about many sessions is known to be true.
    static let traceFresh = Self.known("Trace-Fresh")
    /// How many journals lack in an answer about many, as a whole or with a file that can't be read.
    static let traceLeftOut = Self.known("Trace-Left-Out")
    /// The id of the token that the request was made with.
    static let traceToken = Self.known("Trace-Token")
    /// Has a browser forget what it keeps of this server.
    static let clearSiteData = Self.known("Clear-Site-Data")
    static let referrerPolicy = Self.known("Referrer-Policy")
    static let crossOriginOpenerPolicy = Self.known("Cross-Origin-Opener-Policy")
    static let permissionsPolicy = Self.known("Permissions-Policy")
    static let crossOriginResourcePolicy = Self.known("Cross-Origin-Resource-Policy")
    /// By which a request without an id is the same as one before.
    static let idempotencyKey = Self.known("Idempotency-Key")
    static let link = Self.known("Link")

    /// A name that the standard ones don't have. One that is not a token can't be sent, which a test would see.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .server }
}
