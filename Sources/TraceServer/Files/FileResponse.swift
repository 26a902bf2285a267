internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceStore
internal import TraceText

extension ServedFile {
    /// The answer to a request for the file: all of it, a range, or that the client has it already.
    ///
    /// Source: docs/http.md#conditions-and-ranges.
    func answer(to call: Call, as type: MediaType) -> Response {
        let conditions = ConditionalRequest(call.method, call.fields)
        var answer = Response()
        answer.fields[.eTag] = tag.description
        let modified = HTTPDate(seconds: identity.modified.seconds)
        answer.fields[.lastModified] =
            modified.asLastModified(
                now: HTTPDate(milliseconds: call.now.milliseconds))?.description
        answer.fields[.acceptRanges] = "bytes"
        let size = identity.size
        switch conditions.answer(
            for: representation, now: HTTPDate(milliseconds: call.now.milliseconds))
        {
        case .notModified:
            answer.status = .notModified
            return answer
        case .preconditionFailed:
            var problem = Problem.notNamed
            problem.fields[.eTag] = tag.description
            return problem.answer(id: IDGenerator.next())
        case .rangeNotSatisfiable:
            var problem = Problem(
                .rangeNotSatisfiable, "range-not-satisfiable",
                "the range is outside the file, which has \(size) bytes",
                cure: "ask for a range within it")
            problem.fields[.contentRange] = "bytes */\(size)"
            problem.fields[.acceptRanges] = "bytes"
            return problem.answer(id: IDGenerator.next())
        case .whole: answer.body = body(0..<size, of: call)
        case .part(let range):
            answer.status = .partialContent
            answer.fields[.contentRange] = "bytes \(range.first)-\(range.last)/\(size)"
            answer.body = body(range.first..<range.last + 1, of: call)
        }
        answer.fields[.contentType] = type.name
        answer.fields[.contentDisposition] =
            ContentDisposition(type.isInline ? .inline : .attachment, fileName: name.bytes).value
        return answer
    }

    /// What is read at once is part of the answer already: it goes out together with the head.
    private static let shortLength = 64 * 1024

    private func body(_ range: Range<Int64>, of call: Call) -> Response.Body {
        // A file that was cut off meanwhile fails again where the connection is cut.
        if call.method == .get, (1...Self.shortLength).contains(range.count),
            let bytes = try? read(at: range.lowerBound, count: range.count)
        {
            return .bytes(bytes)
        }
        return .source(FileBytes(self, range), length: Int64(range.count))
    }
}
