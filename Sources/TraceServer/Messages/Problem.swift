internal import HTTPTypes
internal import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// What a request can't be answered with: the structured error that a command would print, as problem details.
///
/// Source: RFC 9457; docs/http.md#errors.
struct Problem: Error, Sendable {
    var status: HTTPResponse.Status
    /// As documentation and tests of the commands have it.
    var code: String
    /// What is wrong, for a person.
    var detail: String
    /// What to do about it.
    var cure: Cure?
    /// The options in it that are parameters of the request.
    var parameters: Set<String> = []
    /// Where it is, for those who may know places of this machine.
    var place: String?
    /// When another attempt makes sense.
    var retryAfter: Duration?
    /// The record's line as it is now.
    var present: [UInt8]?
    /// What was changed meanwhile, of what an entry was to change.
    var conflicts: [MemberConflict] = []
    /// What the answer says besides.
    var fields: HTTPFields = [:]

    init(
        _ status: HTTPResponse.Status, _ code: String, _ detail: String, cure: Cure? = nil,
        place: String? = nil, retryAfter: Duration? = nil, present: [UInt8]? = nil, fields: HTTPFields = [:]
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.cure = cure
        self.place = place
        self.retryAfter = retryAfter
        self.present = present
        self.fields = fields
    }

    /// The answer.
    ///
    /// - Parameters:
    ///   - id: By which the log has it.
    ///   - hides: Takes out what the client is not to know of this machine.
    func answer(id: ULID, hides: Redaction = .all) -> Response {
        let text = JSONText.object { object in
            object.member("type", "urn:trace:problem:\(code)")
            object.member("title", Self.title(of: status))
            object.member("status", JSONText(Int64(status.code)))
            object.member("code", code)
            object.member("detail", hides.cleaned(detail))
            object.member(
                "hint", cure?.text(overHTTPWith: parameters).map { JSONText(hides.cleaned($0)) })
            if hides.isOff { object.member("place", place.map { JSONText($0) }) }
            object.member("present", present.map { JSONText(verbatim: $0) })
            object.member(conflicts)
            object.member("instance", JSONText(id))
            object.member(
                "retry_after_ms", retryAfter.map { JSONText(Int64($0 / .milliseconds(1))) })
        }
        var answer = Response(status, "application/problem+json", text.bytes + [newline])
        for field in fields { answer.fields.append(field) }
        if let retryAfter {
            let seconds = max(1, Int64((retryAfter / .seconds(1)).rounded(.up)))
            answer.fields[.retryAfter] = "\(seconds)"
        }
        return answer
    }

    /// What a status means, in a few words.
    private static func title(of status: HTTPResponse.Status) -> String {
        switch status.code {
        case 400: "bad request"
        case 401: "token required"
        case 403: "not allowed"
        case 404: "not found"
        case 405: "method not allowed"
        case 406: "not available in that form"
        case 408: "too slow"
        case 409: "conflict"
        case 410: "gone"
        case 412: "changed in the meantime"
        case 413: "too large"
        case 414: "address too long"
        case 415: "type not accepted"
        case 416: "range not satisfiable"
        case 421: "wrong host"
        case 422: "invalid data"
        case 428: "condition required"
        case 429: "too many requests"
        case 431: "header too large"
        case 503: "try again"
        case 507: "no room left"
        default: "something went wrong"
        }
    }
}

/// Takes the names of this machine's directories out of what is sent to a client that may not know them.
struct Redaction: Sendable {
    /// For a client with all rights, nothing is taken out.
    let isOff: Bool
    private let directories: [String]

    /// Nothing is hidden.
    static let none = Redaction(isOff: true, directories: [])
    /// No directories are known yet; places are not told.
    static let all = Redaction(isOff: false, directories: [])

    /// Hides these directories, and what is below them but for the last name.
    static func directories(_ directories: [String]) -> Redaction {
        // The longest first, since one may lie in another.
        Redaction(isOff: false, directories: directories.sorted { $0.utf8.count > $1.utf8.count })
    }

    private init(isOff: Bool, directories: [String]) {
        self.isOff = isOff
        self.directories = directories
    }

    /// The text without them.
    func cleaned(_ text: String) -> String {
        guard !isOff else { return text }
        return directories.reduce(text) { $0.replacing($1, with: "…") }
    }
}
