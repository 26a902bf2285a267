internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import TraceText

/// Whether a body is one that an endpoint takes.
enum BodyCheck {
    /// Looks at what the head says of it, before a byte of it is read.
    ///
    /// - Throws: ``Problem`` with 413, 415 or 400.
    static func require(_ rule: RequestBodyRule, _ head: HTTPRequest) throws(Problem) {
        let length = head.headerFields[.contentLength].flatMap { Int64($0) }
        if let length, length > rule.limit { throw tooLarge(rule.limit) }
        let isAbsent = !head.headerFields.contains(.transferEncoding) && length ?? 0 == 0
        if isAbsent {
            guard rule.isRequired else { return }
            throw Problem(
                .badRequest, "body-missing", "the body is missing",
                cure: rule.types[0] == "*/*" ? "send the file as the body" : "send \(rule.types[0])")
        }
        let type = head.headerFields[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
        guard rule.types.contains("*/*") || type.map(rule.types.contains) ?? false else {
            let names = rule.types.joined(separator: ", ")
            throw Problem(
                .unsupportedMediaType, "type-not-accepted", "a body of this type is not accepted here",
                cure: "send \(names), and say so in Content-Type", fields: [.accept: names])
        }
        guard !head.headerFields.contains(.contentEncoding) else {
            throw Problem(
                .unsupportedMediaType, "type-not-accepted", "encoded bodies are not accepted",
                cure: "send it without Content-Encoding")
        }
    }

    /// Reads the body piece by piece.
    ///
    /// - Throws: ``Problem`` with 400 if it ends before it is whole, or if its chunks break the grammar; `CancellationError`; what `take`
    ///   throws.
    static func forEachPiece(
        of body: RequestBody, _ take: (ByteBuffer) async throws -> Void
    ) async throws {
        var pieces = body.makeAsyncIterator()
        while true {
            let piece: ByteBuffer?
            do { piece = try await pieces.next() } catch let error where !(error is CancellationError) {
                throw Problem(
                    .badRequest, "body-malformed", "the body is incomplete or malformed",
                    cure: "send all of it, with one 'Content-Length' or in chunks")
            }
            guard let piece else { return }
            try await take(piece)
        }
    }

    static func tooLarge(_ limit: Int) -> Problem {
        Problem(
            .contentTooLarge, "body-too-large", "the body is larger than \(limit) bytes",
            cure: "send it in parts")
    }
}
