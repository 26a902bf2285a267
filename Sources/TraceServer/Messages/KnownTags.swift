internal import HTTPTypes

/// The tags that a request to read names, compared with those of an answer in either coding.
///
/// Source: RFC 9110, sections 8.8.3.3, 12.5.3 and 13.1.
struct KnownTags: Sendable {
    private let method: HTTPRequest.Method
    private let fields: HTTPFields

    init(_ method: HTTPRequest.Method, _ fields: HTTPFields) {
        self.method = method
        self.fields = fields
    }

    /// What the conditions ask for instead of the answer.
    enum Outcome: Hashable, Sendable {
        /// 304: the client has it, under this tag.
        case known(EntityTag)
        /// 412.
        case refused
    }

    /// - Parameter tag: That of the answer without a coding. Whether it is long enough to be compressed need not be known: a client
    ///   that takes compressed answers may have either, and a client takes them unless it says otherwise. So one that asks again without
    ///   `Accept-Encoding`, by the tag of a compressed answer that it keeps, hears that this is still so. One that refuses gzip now
    ///   gets the answer without it.
    /// - Returns: Nil if the answer is to be sent.
    func outcome(for tag: EntityTag) -> Outcome? {
        let names: [HTTPField.Name] = [.ifNoneMatch, .ifMatch]
        guard names.contains(where: fields.contains) else { return nil }
        let conditions = ConditionalRequest(method, fields)
        let forms =
            ContentCoding.acceptsGzip(fields[values: .acceptEncoding]) ? [tag, tag.gzipped] : [tag]
        // Dates and ranges mean nothing here: only files have them, and have looked at them.
        let outcomes = forms.map { form in
            conditions.answer(
                for: Representation(size: 0, tag: form, modified: nil, hasRested: false),
                now: HTTPDate(seconds: 0))
        }
        if let place = outcomes.firstIndex(of: .notModified) { return .known(forms[place]) }
        return outcomes.allSatisfy { $0 == .preconditionFailed } ? .refused : nil
    }
}

extension Problem {
    /// `If-Match` names something else.
    static let notNamed = Problem(
        .preconditionFailed, "changed-meanwhile", "it does not match If-Match")
}

extension Response {
    /// The client has it, under this tag.
    static func notModified(_ tag: EntityTag) -> Response { Response(.notModified, [.eTag: tag.description]) }
}
