internal import Glibc
internal import RecordFormat

/// What the log is asked about single records.
extension SyncLog {
    /// The records that were written with a row, by the array that they are in.
    ///
    /// - Throws: ``FileError``.
    func links(ofRow row: String) throws -> [PracticeArray: String] {
        var links: [PracticeArray: String] = [:]
        let key = UUIDText.key(row)
        for line in try lines(about: [row]) {
            let changes = NotedChange.all(in: line)
            let added = changes.filter { $0.kind == .added }
            let rows = added.filter { $0.array == .journalEntries }
            // A write makes one row; an edit of a row may add a record to it.
            let isOfRow =
                rows.contains { UUIDText.key($0.id) == key }
                || rows.isEmpty && changes.contains { $0.kind == .changed && $0.array == .journalEntries }
            guard isOfRow else { continue }
            for record in added where record.array != .journalEntries && record.array != .customGroups {
                links[record.array] = record.id
            }
        }
        return links
    }

    /// Whether a write has deleted one of these records.
    ///
    /// - Throws: ``FileError``.
    func isRemoved(_ ids: [String]) throws -> Bool {
        let keys = Set(ids.map(UUIDText.key))
        return try lines(about: ids).contains { line in
            NotedChange.all(in: line).contains { $0.kind == .removed && keys.contains(UUIDText.key($0.id)) }
        }
    }

    /// The lines of writes that name one of these records, in either case of its letters.
    private func lines(about ids: [String]) throws -> [[UInt8]] {
        let needles = ids.flatMap { [Array($0.uppercased().utf8), Array($0.lowercased().utf8)] }
        return try writes { line in needles.contains { Self.contains($0, in: line) } }
    }

    private static func contains(_ needle: [UInt8], in line: [UInt8]) -> Bool {
        guard let first = needle.first else { return true }
        return line.withUnsafeBytes { line in
            needle.withUnsafeBytes { needle in
                guard let base = line.baseAddress, let wanted = needle.baseAddress else { return false }
                var position = 0
                while position + needle.count <= line.count {
                    let rest = line.count - needle.count + 1 - position
                    guard let found = memchr(base + position, Int32(first), rest) else { return false }
                    position = UnsafeRawPointer(found) - base
                    if memcmp(base + position, wanted, needle.count) == 0 { return true }
                    position += 1
                }
                return false
            }
        }
    }
}
