internal import Glibc
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles

/// `sync.jsonl` of a journal that is locked: what was written, by whom, and when.
///
/// It comes back from the document if it is lost, without what it knows of deleted records.
struct SyncLog {
    static let file: FilePath.Component = "sync.jsonl"

    let directory: OpenDirectory

    init(_ directory: OpenDirectory) { self.directory = directory }

    /// The last line that is whole.
    typealias Last = (line: SyncLine, text: [UInt8])

    /// Reads the last line.
    ///
    /// - Throws: ``FileError``.
    /// - Complexity: O(length of the last lines), however much is before them.
    func last() throws -> Last? {
        guard let log = try directory.openRegularFile(Self.file) else { return nil }
        let size = Int(log.identity.size)
        var length = min(size, 64 << 10)
        while length > 0 {
            let tail = try log.slice(at: size - length, count: length)
            var lines = tail.split(separator: 0x0A, omittingEmptySubsequences: false)
            // Of the first one only the end was read.
            if length < size { lines.removeFirst() }
            // A killed writer leaves a torn line, which the next one ends; a last line that only lacks its newline counts.
            for line in lines.reversed() {
                if let last = SyncLine(Array(line)) { return (last, Array(line)) }
            }
            guard length < size else { break }
            length = min(size, length * 8)
        }
        return nil
    }

    /// The lines of writes that are looked for, in their order.
    ///
    /// - Throws: ``FileError``.
    /// - Complexity: O(size) in time, O(longest line of a write) in memory.
    func writes(where isWanted: ([UInt8]) -> Bool) throws -> [[UInt8]] {
        guard let log = try directory.openRegularFile(Self.file) else { return [] }
        var writes: [[UInt8]] = []
        var isWrite = false
        var line: [UInt8] = []
        let prefix = SyncLine.writePrefix
        try log.forEachPiece { piece in
            var position = 0
            while position < piece.count {
                let end = Self.newline(in: piece, from: position)
                // Whole documents of others are long, and nothing in them is a write.
                if isWrite || line.count < prefix.count {
                    line += piece[position..<(end ?? piece.count)]
                    if line.count >= prefix.count { isWrite = line.starts(with: prefix) }
                    if !isWrite, line.count >= prefix.count { line = Array(line.prefix(prefix.count)) }
                }
                guard let end else { break }
                if isWrite, isWanted(line) { writes.append(line) }
                line.removeAll(keepingCapacity: true)
                isWrite = false
                position = end + 1
            }
        }
        // A last line that only lacks its newline counts: the next one ends it.
        if isWrite, SyncLine(line) != nil, isWanted(line) { writes.append(line) }
        return writes
    }

    /// The whole lines, in their order.
    ///
    /// - Throws: ``FileError``.
    /// - Complexity: O(size)
    func lines() throws -> [[UInt8]] {
        guard let contents = try directory.readFile(Self.file, limit: .max)?.contents else { return [] }
        return contents.split(separator: 0x0A).map { Array($0) }
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
