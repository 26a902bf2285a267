internal import NIOCore
internal import TraceFiles

/// The bytes of a file without a name, as they are sent.
struct UnnamedBytes: AnswerSource {
    private let file: UnnamedFile
    private var position: Int64 = 0

    init(_ file: UnnamedFile) { self.file = file }

    mutating func next(atMost count: Int) throws -> ByteBuffer? {
        let count = min(Int64(count), file.size - position)
        guard count > 0 else { return nil }
        let bytes = try file.bytes(at: position, count: Int(count))
        position += Int64(bytes.count)
        return ByteBuffer(bytes: bytes)
    }
}
