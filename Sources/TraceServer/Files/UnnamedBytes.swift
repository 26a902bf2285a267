internal import HTTPTypes
internal import NIOCore
internal import SystemPackage
internal import TraceFiles

/// The bytes of a file without a name, as they are sent.
private struct UnnamedBytes: ResponseSource {
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

extension Response {
    /// One that is made whole before it is sent, in a file without a name: a failure is reported by the status, and however much it is,
    /// memory stays small.
    ///
    /// - Parameter directory: Where there is room for it.
    init(
        _ fields: HTTPFields, madeIn directory: FilePath, _ make: (UnnamedFile) throws -> Void
    ) throws {
        let file = try UnnamedFile(in: directory)
        try make(file)
        self.init(.ok, fields, body: .source(UnnamedBytes(file), length: file.size))
    }
}
