internal import HTTPTypes
internal import NIOCore

extension Response {
    /// From how many bytes on a body is compressed: less than that fits into one packet as it is.
    ///
    /// Source: docs/http.md#conditions-and-ranges.
    static let leastCompressed: Int64 = 1024

    /// The answer in the coding that the client prefers: text of some length is compressed. What has ranges never is: they count the
    /// bytes of the file.
    ///
    /// What is compressed to be read has a tag of its own, for its bytes are others; a tag in the answer to a write names what was
    /// written, not the answer.
    func encoded(for request: HTTPRequest) -> Response {
        guard mayBeCompressed, body.length.map({ $0 >= Self.leastCompressed }) ?? true,
            Self.acceptsCompressed(request.headerFields), let compressed = compressedBody
        else { return self }
        var answer = self
        answer.body = compressed
        answer.fields[.contentEncoding] = ContentCoding.gzip.rawValue
        if request.method.isRead, let tag = fields[.eTag].flatMap(EntityTag.init) {
            answer.fields[.eTag] = tag.gzipped.description
        }
        return answer
    }

    /// Whether the client takes compressed answers.
    static func acceptsCompressed(_ fields: HTTPFields) -> Bool {
        let values = fields[values: .acceptEncoding]
        return !values.isEmpty && ContentCoding.preferred(by: values) == .gzip
    }

    /// Whether it is of a kind that is compressed, if it is long enough.
    private var mayBeCompressed: Bool {
        status != .noContent && status != .notModified && status != .partialContent
            && !fields.contains(.acceptRanges) && !fields.contains(.contentEncoding)
            && (fields[.contentType].map(ContentCoding.compresses) ?? false)
    }

    /// Nil if there is no body, or no memory.
    private var compressedBody: Body? {
        switch body {
        // Events would wait for each other.
        case .none, .events: return nil
        case .bytes(let bytes):
            let output = compressed.map { $0.bytes { Self.compressed(bytes) } } ?? Self.compressed(bytes)
            return output.map { .bytes($0) }
        case .source(let source, _): return CompressedSource(source).map { .source($0, length: nil) }
        }
    }

    /// - Returns: Nil if there is no memory.
    private static func compressed(_ bytes: ByteBuffer) -> ByteBuffer? {
        var output = ByteBufferAllocator().buffer(capacity: bytes.readableBytes / 4)
        guard let stream = GzipStream(expecting: bytes.readableBytes),
            (try? stream.add(bytes, isLast: true, to: &output)) != nil
        else { return nil }
        return output
    }
}
