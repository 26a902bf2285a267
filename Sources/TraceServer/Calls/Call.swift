internal import HTTPTypes
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// A request that was let in, with what its endpoint is to know of it.
struct Call: Sendable {
    /// The endpoint's path, as OpenAPI writes it.
    let route: String
    let method: HTTPRequest.Method
    let fields: HTTPFields
    /// The host that the client has called, which is one of the server's.
    let host: String
    /// What stands for the parameters in the path.
    let path: [String: RequestTarget.Segment]
    /// The segments that follow the last one, of an endpoint that takes them all.
    let rest: [RequestTarget.Segment]
    /// The parameters of the query, all of which the endpoint has.
    let query: [String: [String]]
    /// The body, of one of the types that the endpoint takes; empty if there is none.
    let body: [UInt8]
    let visitor: Visitor
    let context: ServerContext
    /// When it came.
    let now: Timestamp
    /// Ends the connection that it came by, with all that was not read or sent.
    var hangUp: @Sendable () -> Void = {}
    /// The session that `{s}` names, if it was looked for already.
    var found: CalledSession?
    /// How its answer is known to be true.
    let freshness = AnswerFreshness()
    /// The sessions that it is about, as far as they are known.
    let touched = TouchedSessions()

    // MARK: - The path

    /// The text of a segment.
    ///
    /// - Throws: ``Problem`` if it is not text: nothing has such a name.
    func text(_ name: String) throws(Problem) -> String {
        guard let text = path[name]?.text else { throw .notFound }
        return text
    }

    /// An id in the path, in either case.
    ///
    /// - Throws: ``Problem`` with `id-malformed`.
    func id(_ name: String) throws(Problem) -> ULID {
        let text = try text(name)
        // Of more than 128 bits there is no ULID.
        guard let id = ULID(text.uppercased()), id.time < 1 << 48 else {
            throw Problem(
                .badRequest, "id-malformed", "'\(text)' is not an id", cure: "write a ULID of 26 characters")
        }
        return id
    }

    // MARK: - The query

    /// A parameter's only value.
    subscript(name: String) -> String? { query[name]?.last }

    /// A flag: `true`, `false`, or nothing behind its name.
    func flag(_ name: String) -> Bool {
        guard let value = self[name] else { return false }
        return value.isEmpty || value == "true"
    }

    /// How many rows are wanted.
    func limit(default standard: Int = 100) -> Int { self["limit"].flatMap { Int($0) } ?? standard }
}

extension Problem {
    /// What is not there, and what the client may not see: no answer tells the two apart.
    static let notFound = Problem(.notFound, "not-found", "there is nothing at this address")
}
