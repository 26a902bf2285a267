package import TraceText

/// A request that is refused for its protocol elements: target, header fields, host, origin, credential, cursor.
///
/// The message never contains what was sent: a target or a header field can hold a secret.
package struct ProtocolError: StructuredError, Sendable, Hashable {
    /// The kind of failure and the status by which it is answered.
    package struct Code: Sendable, Hashable {
        /// The stable kebab-case name.
        package let rawValue: String
        /// The HTTP status, 400 to 431.
        package let status: Int

        /// A target that is not a path.
        package static let targetNotPath = Code(rawValue: "target-not-path", status: 400)
        /// A target with a byte that is not allowed, before or after decoding.
        package static let targetByteForbidden = Code(rawValue: "target-byte-forbidden", status: 400)
        /// A `%` that is not followed by two hexadecimal digits.
        package static let escapeMalformed = Code(rawValue: "escape-malformed", status: 400)
        /// A path with `//`.
        package static let segmentEmpty = Code(rawValue: "segment-empty", status: 400)
        /// A path with `.` or `..`, however encoded.
        package static let segmentDots = Code(rawValue: "segment-dots", status: 400)
        /// A target that exceeds ``RequestTarget/lengthLimit``.
        package static let targetTooLong = Code(rawValue: "target-too-long", status: 414)
        /// A query that is not text, or has too many items.
        package static let queryMalformed = Code(rawValue: "query-malformed", status: 400)
        /// A parameter that is given twice.
        package static let queryDuplicate = Code(rawValue: "query-duplicate", status: 400)
        /// No `Host`, several, or one that is not a name.
        package static let hostMalformed = Code(rawValue: "host-malformed", status: 400)
        /// A `Host` that is not one of ours.
        package static let hostUnknown = Code(rawValue: "host-unknown", status: 421)
        /// A request that a page of another site made the browser send.
        package static let originForeign = Code(rawValue: "origin-foreign", status: 403)
        /// An `Authorization` or a cookie without exactly one token.
        package static let credentialMalformed = Code(rawValue: "credential-malformed", status: 401)
        /// A cursor that this server did not issue, or that was changed.
        package static let cursorMalformed = Code(rawValue: "cursor-malformed", status: 400)
        /// Header fields with a syntax error, or that two programs could interpret differently.
        package static let framingMalformed = Code(rawValue: "framing-malformed", status: 400)
        /// More or longer header fields than are accepted.
        package static let fieldsTooLarge = Code(rawValue: "fields-too-large", status: 431)
    }

    /// The kind of failure.
    package let code: Code
    /// What is wrong, for a person; not a contract.
    package let message: String
    /// What to do about it.
    package let hint: String?

    init(_ code: Code, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// Its parts, for the log and for a problem answer.
    package var report: ErrorReport { ErrorReport(code: code.rawValue, message: message, hint: hint) }
}
