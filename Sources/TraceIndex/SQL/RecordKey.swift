internal import RecordFormat
internal import TraceFormat

extension EntryKind {
    /// What is in `record.kind`.
    init?(column: Int64) {
        guard let code = UInt8(exactly: column), code < Self.count else { return nil }
        self.init(code: code)
    }
}

extension RecordKind {
    /// What is in `record.kind`.
    var code: Int { Int(entryKind.code) }
}

/// A record's key: its file's id and its line.
enum RecordKey {
    private static let lineBits: Int64 = 32
    /// The most lines of a file that have a key.
    static let maximumLine = (1 << lineBits) - 1

    static func key(file: Int64, line: Int) -> Int64 { file << lineBits | Int64(line) }
    static func line(of key: Int64) -> Int { Int(key & Int64(maximumLine)) }
    static func range(ofFile file: Int64) -> ClosedRange<Int64> {
        key(file: file, line: 0)...key(file: file, line: maximumLine)
    }
}
