import Foundation
import GRDB

/// The index as a file that any program can read: asked in SQL, so that what is tested does not vouch for itself.
struct IndexFile {
    let path: String

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read(body)
    }

    /// A number that a query gives.
    func number(_ sql: String) throws -> Int { try read { try Int.fetchOne($0, sql: sql) } ?? 0 }

    /// The directories of the sessions that have rows.
    func sessions() throws -> Set<Data> { try paths("kind = 'session'") }

    /// The directories and single files of the other journals that have rows.
    func otherJournals() throws -> Set<Data> { try paths("kind <> 'session'") }

    private func paths(_ condition: String) throws -> Set<Data> {
        try read { try Set(Data.fetchAll($0, sql: "SELECT path FROM source WHERE \(condition)")) }
    }

    /// The places of rows that are no whole line of their file; of a document, no value or member that is whole.
    func brokenSlices() throws -> [String] { try brokenLines() + brokenValues() }

    private func brokenLines() throws -> [String] {
        var broken: [String] = []
        for file in try files() {
            let lines = Self.lines(of: FileManager.default.contents(atBytes: file.path) ?? Data())
            for slice in file.slices {
                let line = slice.line <= lines.count ? lines[slice.line - 1] : -1..<(-1)
                if line.lowerBound == slice.offset, line.count == slice.length { continue }
                broken.append("\(String(decoding: file.path, as: UTF8.self)) \(slice), but \(line)")
            }
        }
        return broken
    }

    private func brokenValues() throws -> [String] {
        try values().flatMap { file, slices in
            let bytes = FileManager.default.contents(atBytes: file) ?? Data()
            return slices.filter { slice in
                guard slice.upperBound <= bytes.count else { return true }
                let text = bytes[bytes.startIndex + slice.lowerBound..<bytes.startIndex + slice.upperBound]
                // A note about a game is a member: what makes it an object makes it a text that can be read.
                let object = text.first == UInt8(ascii: "{") ? text : Data("{".utf8) + text + Data("}".utf8)
                return (try? JSONSerialization.jsonObject(with: object)) == nil
            }.map { "\(String(decoding: file, as: UTF8.self)) \($0)" }
        }
    }

    /// Where in which file the records are whose files are documents.
    private func values() throws -> [Data: [Range<Int>]] {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT path, record_kind.name = 'practice.library', byte_offset, byte_length
                    FROM record JOIN source ON source.id = source_id JOIN record_kind ON code = record.kind
                    WHERE source.kind <> 'session'
                    """)
            var values: [Data: [Range<Int>]] = [:]
            for row in rows {
                let path: Data = row[0]
                let (isLog, start, length): (Bool, Int, Int) = (row[1], row[2], row[3])
                let name = isLog ? "activity.json" : "practice-state.json"
                // A document that lies alone is a journal by itself.
                let file = path.suffix(5) == Data(".json".utf8) ? path : path + Data("/\(name)".utf8)
                values[file, default: []].append(start..<start + length)
            }
            return values
        }
    }

    /// All that is known of each record, beside the numbers that an index gives by itself, which of a document are those of
    /// the rows too; in order.
    func lines() throws -> [String] {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT hex(path) AS directory, iif(source.kind = 'session', record.id & 0xFFFFFFFF, 0) AS line,
                        record.*
                    FROM record JOIN source ON source.id = source_id
                    """)
            return rows.map { row in
                zip(row.columnNames, row.databaseValues).filter { !["id", "source_id"].contains($0.0) }
                    .map { "\($0): \($1)" }.joined(separator: ", ")
            }.sorted()
        }
    }

    private struct Slice {
        var line, offset, length: Int
    }

    private func files() throws -> [(path: Data, slices: [Slice])] {
        try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT path, record_kind.name, record.id & 0xFFFFFFFF, byte_offset, byte_length
                    FROM record JOIN source ON source.id = source_id JOIN record_kind ON code = record.kind
                    WHERE source.kind = 'session'
                    """)
            var files: [Data: [Slice]] = [:]
            for row in rows {
                let path: Data = row[0] + Data("/\(Self.names[row[1]] ?? "?")".utf8)
                files[path, default: []].append(Slice(line: row[2], offset: row[3], length: row[4]))
            }
            return files.map { (path: $0.key, slices: $0.value) }
        }
    }

    private static let names = [
        "timeline": "timeline.jsonl", "marker": "markers.jsonl", "voice_note": "voice_notes.jsonl",
        "transcript": "transcript.jsonl", "action": "actions.jsonl",
    ]

    /// Where the finished lines lie, without their line breaks.
    private static func lines(of bytes: Data) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            let hasReturn = end > start && bytes[end - 1] == 0x0D
            lines.append(start..<(hasReturn ? end - 1 : end))
            start = end + 1
        }
        return lines
    }
}

extension FileManager {
    /// The bytes of a file whose path may be any bytes.
    func contents(atBytes path: Data) -> Data? {
        let descriptor = (path + [0]).withUnsafeBytes { bytes in
            bytes.baseAddress.map { open($0.assumingMemoryBound(to: CChar.self), O_RDONLY) } ?? -1
        }
        guard descriptor >= 0 else { return nil }
        return try? FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).readToEnd() ?? Data()
    }
}
