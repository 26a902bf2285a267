internal import TraceFormat

extension RecordKind {
    /// What stands in `record.kind`. A kind keeps its number for ever.
    var code: Int {
        switch self {
        case .session: 0
        case .timeline: 1
        case .marker: 2
        case .voiceNote: 3
        case .transcript: 4
        case .action: 5
        }
    }

    init?(code: Int64) {
        guard let kind = RecordKind.allCases.first(where: { $0.code == code }) else { return nil }
        self = kind
    }
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
