internal import Glibc
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles

/// `sync.jsonl` of a journal that is locked: what was written, by whom, and when.
///
/// It comes back from the document if it is lost, without what it knows of deleted records.
struct SyncLog {
    static let file: FilePath.Component = "sync.jsonl"

    private let directory: OpenDirectory

    init(_ directory: OpenDirectory) { self.directory = directory }

    /// The last line that is whole.
    typealias Last = (line: SyncLine, text: [UInt8])

    /// What one reading of the log finds.
    struct Found {
        var last: Last?
        /// The lines of writes that were looked for, in their order.
        var writes: [[UInt8]] = []
    }

    /// Reads the log.
    ///
    /// - Parameter isWanted: Whether the line of a write is to be handed out.
    /// - Throws: ``FileError``.
    /// - Complexity: O(size) in time, O(longest line) in memory.
    func read(where isWanted: ([UInt8]) -> Bool = { _ in false }) throws -> Found {
        var found = Found()
        guard let log = try directory.openRegularFile(Self.file) else { return found }
        // The last line that ended, and where the one begins that has not.
        var whole: [(offset: Int64, length: Int)] = []
        var start: Int64 = 0
        var isWrite = false
        var line: [UInt8] = []
        var offset: Int64 = 0
        let prefix = SyncLine.writePrefix
        try log.forEachPiece { piece in
            var position = 0
            while position < piece.count {
                let end = Self.newline(in: piece, from: position)
                let stop = end ?? piece.count
                // Whole documents of others are long, and nothing in them is a write.
                if isWrite || line.count < prefix.count {
                    line += piece[position..<stop]
                    if line.count >= prefix.count { isWrite = line.starts(with: prefix) }
                    if !isWrite, line.count >= prefix.count { line = Array(line.prefix(prefix.count)) }
                }
                guard let end else { break }
                let next = offset + Int64(end) + 1
                whole.append((start, Int(next - start - 1)))
                if whole.count > 8 { whole.removeFirst() }
                if isWrite, isWanted(line) { found.writes.append(line) }
                line.removeAll(keepingCapacity: true)
                isWrite = false
                start = next
                position = end + 1
            }
            offset += Int64(piece.count)
        }
        // A last line that only lacks its newline counts: the next one ends it.
        if offset > start {
            whole.append((start, Int(offset - start)))
            if isWrite, SyncLine(line) != nil, isWanted(line) { found.writes.append(line) }
        }
        // A killed writer leaves a torn line, which the next one ends, too.
        for (offset, length) in whole.reversed() {
            let text = try log.slice(at: Int(offset), count: length)
            if let last = SyncLine(text) {
                found.last = (last, text)
                break
            }
        }
        return found
    }

    private static func newline(in piece: [UInt8], from start: Int) -> Int? {
        piece.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, start < bytes.count,
                let found = memchr(base + start, 0x0A, bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// Adds a line.
    ///
    /// - Throws: ``FileError``; then there is no such line.
    /// - Note: Durable on return. Killed in between, the log has the line, or not, or a torn one that counts as none.
    func append(_ line: [UInt8], by lock: DirectoryLock) throws {
        _ = try lock.appendLine(line, to: Self.file) { SyncLine($0) != nil }
    }
}
