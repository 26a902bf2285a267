internal import TraceText

/// Where the body of a request ends, by its header fields as received.
///
/// A second line of defence behind the parser, against request smuggling: two programs that read these fields differently let one
/// request hide in another. It must be given the fields as received: `HTTPFields` replaces the bytes that are refused here.
///
/// Source: RFC 9112, sections 6.1 to 6.3 and 11.2; RFC 9110, sections 5.1, 5.5 and 8.6.
enum RequestFraming {
    /// How a body is sent.
    enum Body: Sendable, Hashable {
        /// There is none.
        case none
        /// So many bytes.
        case length(Int64)
        /// In chunks.
        case chunked
    }

    /// How many fields a request may have.
    static let countLimit = 64
    /// How many bytes the names and values of the fields may have together.
    static let sizeLimit = 16 * 1024

    /// Checks all header fields of a request.
    ///
    /// - Parameter isVersion10: Whether it is HTTP/1.0, which knows no chunks.
    /// - Throws: A ``ProtocolError``: `.fieldsTooLarge` (431), `.framingMalformed` (400). The connection must be closed then: where
    ///   the next request begins is unknown.
    static func body(
        of fields: some Sequence<(name: String, value: String)>, isVersion10: Bool
    ) throws(ProtocolError) -> Body {
        var count = 0
        var size = 0
        var lengths: [String] = []
        var codings: [String] = []
        for (name, value) in fields {
            count += 1
            size += name.utf8.count + value.utf8.count
            guard count <= countLimit, size <= sizeLimit else {
                throw tooLarge
            }
            guard !name.isEmpty, name.utf8.allSatisfy(\.isTokenByte),
                !value.utf8.contains(where: \.isForbiddenInFieldValue)
            else {
                throw malformed(
                    "a header field has a forbidden character",
                    cure: "send names without spaces, and values on one line without control characters")
            }
            switch name.asciiLowercased {
            case "content-length": lengths.append(value)
            case "transfer-encoding": codings.append(value)
            default: break
            }
        }
        return try body(lengths: lengths, codings: codings, isVersion10: isVersion10)
    }

    private static func body(
        lengths: [String], codings: [String], isVersion10: Bool
    ) throws(ProtocolError) -> Body {
        guard lengths.count <= 1 else { throw malformed("'Content-Length' is given \(lengths.count) times") }
        if !codings.isEmpty {
            guard lengths.isEmpty else {
                throw malformed("both 'Content-Length' and 'Transfer-Encoding' are given")
            }
            guard !isVersion10 else { throw malformed("HTTP/1.0 has no 'Transfer-Encoding'") }
            guard codings.count == 1, codings.first?.asciiLowercased == "chunked" else {
                throw malformed("'Transfer-Encoding' is not 'chunked'")
            }
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        // Int64 alone would take a sign.
        guard !length.isEmpty, length.utf8.allSatisfy(\.isDigit), let count = Int64(length) else {
            throw malformed("'Content-Length' is not a number of bytes")
        }
        return .length(count)
    }

    /// A head with more than the limits allow.
    static let tooLarge = ProtocolError(
        .fieldsTooLarge,
        "the head of the request has more than \(countLimit) fields, or is longer than \(sizeLimit) bytes",
        cure: "send fewer and shorter fields; in a browser, delete the cookies of this site")

    private static func malformed(
        _ message: String, cure: Cure = "send one 'Content-Length', or 'Transfer-Encoding: chunked'"
    ) -> ProtocolError { ProtocolError(.framingMalformed, message, cure: cure) }
}
