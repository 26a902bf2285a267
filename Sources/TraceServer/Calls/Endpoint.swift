internal import HTTPTypes
internal import RecordFormat
internal import TraceAccess

/// One operation of the API: the route, who may call it, what it takes and gives, and what answers it. The route table, the
/// `Allow` fields, the check of scopes and parameters, and OpenAPI are all made from these values.
///
/// Source: docs/http.md#all-routes.
struct Endpoint: Sendable {
    let method: HTTPRequest.Method
    /// As OpenAPI writes it, below `/api/v1`, unless it begins with two slashes: `/sessions/{s}/markers`.
    let path: String
    /// The operation's name in OpenAPI.
    let id: String
    let access: Access
    /// What it does, in a line.
    let summary: String
    let query: [DeclaredParameter]
    /// Whether other parameters are ignored: apps add their own to an address that people share.
    let takesAnyQuery: Bool
    /// Header fields that count here; every `GET` also has ``FieldParameter/ifNoneMatch``.
    let fields: [FieldParameter]
    let body: RequestBodyRule?
    let answers: [Outcome]
    /// On which threads it runs.
    let work: Work
    /// How it is known that a client has the answer already.
    let caching: Caching
    /// The whole path.
    let fullPath: String
    /// Its segments.
    let segments: [PathPattern]
    /// Answers a request that was let in and whose parameters and body fit. Problems are thrown.
    let handle: @Sendable (Call) throws -> Response
    /// Takes a body while it comes, of an endpoint that does not want it in memory.
    let receive: (@Sendable (Call) throws -> any BodySink)?

    init(
        method: HTTPRequest.Method, path: String, id: String, access: Access, summary: String,
        query: [DeclaredParameter] = [], takesAnyQuery: Bool = false, fields: [FieldParameter] = [],
        body: RequestBodyRule? = nil,
        answers: [Outcome] = [], work: Work = .asking, caching: Caching = .contents,
        receive: (@Sendable (Call) throws -> any BodySink)? = nil,
        handle: @escaping @Sendable (Call) throws -> Response
    ) {
        self.method = method
        self.path = path
        self.id = id
        self.access = access
        self.summary = summary
        self.query = query
        self.takesAnyQuery = takesAnyQuery
        self.fields = fields
        self.body = body
        self.answers = answers
        self.work = work
        self.caching = caching
        self.receive = receive
        self.handle = handle
        fullPath = path.hasPrefix("//") ? String(path.dropFirst()) : Self.base + path
        segments = PathPattern.all(in: fullPath)
    }

    /// An endpoint that takes its body while it comes.
    ///
    /// - Parameter receive: Looks at the head, before the client may continue, and gives what takes the body.
    init(
        method: HTTPRequest.Method, path: String, id: String, access: Access, summary: String,
        fields: [FieldParameter] = [], body: RequestBodyRule, answers: [Outcome],
        receive: @escaping @Sendable (Call) throws -> any BodySink
    ) {
        self.init(
            method: method, path: path, id: id, access: access, summary: summary, fields: fields, body: body,
            answers: answers, work: .delivering, receive: receive
        ) { call in
            let sink = try receive(call)
            try sink.take(call.body)
            return try sink.finish()
        }
    }

    /// Who may call it.
    enum Access: Sendable, Equatable {
        /// Anyone who reaches the socket.
        case anyone
        /// The bearer of a token whose scope covers this one.
        case scope(AccessScope)
        /// They, and who has a link that was made with such a token (``MediaLink``).
        case scopeOrLink(AccessScope)
        /// Who knows an address that has a token of scope `feed` for `{token}`, right behind the first segment. To all others there is
        /// nothing at that address.
        case feed
        /// As `scope`, but a token with a filter may not: the answer is about the whole machine.
        case unfiltered(AccessScope)
    }

    /// How it is known that a client has the answer already.
    ///
    /// Source: docs/http.md#conditions-and-ranges.
    enum Caching: Sendable {
        /// By the bytes of the answer, unless the endpoint gives it a tag of its own.
        case contents
        /// By the files of the session `{s}`, of which alone it is made, before it is made. `types` are those that it has; `isLocated`,
        /// whether the answer says where the session is.
        case session(types: [String], isLocated: Bool = false)
    }

    /// Where it runs.
    enum Work: Sendable {
        /// On the connection's own thread: it never blocks.
        case immediate
        /// On one of the threads that read files and ask the index.
        case asking
        /// On one of these too, of which searches have fewer.
        case searching
        /// On the one thread that writes.
        case writing
        /// On a thread beside that one, for many entries at once and for audio, which cost a sync each, and seconds. It writes as the daemon's
        /// drain does, under the same locks. The records and the audio of voice notes wait for each other, so that all of both come here.
        case delivering
        /// On a thread beside that one: it reads and compares for seconds where much is sent, and no mark waits for it. What it writes it
        /// writes under the same locks as another process would.
        case importing

        /// Whether it counts as a write, and changes what was answered.
        var writes: Bool { [.writing, .delivering, .importing].contains(self) }
    }
}

extension DeclaredParameter {
    /// A parameter of a query.
    ///
    /// - Parameter isRepeated: Whether it may be given several times.
    init(
        name: String, type: ValueType, summary: String, isRequired: Bool = false, isRepeated: Bool = false
    ) {
        self.init(
            name: name, type: type,
            presence: isRepeated ? .repeated : isRequired ? .required : .optional, summary: summary)
    }
}

/// A header field of a request.
struct FieldParameter: Sendable {
    let name: HTTPField.Name
    let summary: String
    var isRequired = false

    static let ifMatch = FieldParameter(
        name: .ifMatch, summary: "The ETag of what was read; 412 if it has changed")
    static let ifMatchRequired = FieldParameter(name: .ifMatch, summary: ifMatch.summary, isRequired: true)
    static let ifNoneMatch = FieldParameter(name: .ifNoneMatch, summary: "ETags of what the client has")
    static let range = FieldParameter(name: .range, summary: "A part of the file: 'bytes=0-65535'")
    static let ifRange = FieldParameter(
        name: .ifRange, summary: "The strong ETag of which the part is wanted")
    static let idempotencyKey = FieldParameter(
        name: .idempotencyKey, summary: "Names the request, so that repeats of it add nothing")
}

/// What a body may be.
struct RequestBodyRule: Sendable {
    /// The media types that are accepted, the usual one first.
    let types: [String]
    /// The largest, in bytes.
    let limit: Int
    /// Its JSON Schema: a component of the document, or JSON; of lines of JSON, of each line.
    let schema: Schema
    var isRequired = true

    /// A JSON object of at most 1 MiB, unless another limit is given.
    static func json(
        _ schema: Schema, isRequired: Bool = true, limit: Int = 1 << 20
    ) -> RequestBodyRule {
        RequestBodyRule(types: ["application/json"], limit: limit, schema: schema, isRequired: isRequired)
    }
}

/// How an answer may look.
struct Outcome: Sendable {
    let status: Int
    let summary: String
    /// The media types of its body; empty if it has none.
    var types: [String] = []
    /// Of a body that is JSON; of one that is lines of JSON, of each line, or of the array of all lines.
    var schema: Schema?

    /// JSON of this form.
    static func json(_ schema: Schema, _ summary: String, status: Int = 200) -> Outcome {
        Outcome(status: status, summary: summary, types: ["application/json"], schema: schema)
    }

    /// Problem details.
    static func problem(_ summary: String, status: Int) -> Outcome {
        Outcome(
            status: status, summary: summary, types: ["application/problem+json"],
            schema: .component("Problem"))
    }
}

/// The JSON Schema of a body.
enum Schema: Sendable {
    /// One of the components of the document.
    case component(String)
    /// An array of one of them.
    case array(of: String)
    /// An array whose elements are each one of several.
    case arrayOfAny([String])
    /// Written out, as JSON.
    case inline(String)
}
