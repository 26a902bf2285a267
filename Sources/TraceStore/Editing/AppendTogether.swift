internal import RecordFormat
internal import TraceFiles
package import TraceFormat

extension LockedSession {
    /// Appends checked records in one `write`.
    ///
    /// - Parameters:
    ///   - lines: So many lines, each with its newline.
    ///   - log: Where they are kept apart, durable, where they are too long for the journal itself.
    ///   - source: The file whose markers they are.
    /// - Returns: As ``append(_:to:)``.
    /// - Throws: As ``DirectoryLock/appendLines(_:count:to:attempts:isWholeRecord:isOurs:)``.
    /// - Note: Durable on return, with one sync.
    package func append(
        together lines: [UInt8], count: Int, to kind: RecordKind, notedIn log: UndoLog? = nil,
        from source: ImportedFile? = nil
    ) throws -> [String] {
        recorder?.source = source
        let kept = lines.count > NotedLine.limit ? try log?.keep(lines, as: kind.component) : nil
        // Asked for only where another program replaces the file in that instant.
        var ids: Set<ULID>?
        let appended = try lock.appendLines(
            lines, count: count, to: kind.component, isWholeRecord: RecordCheck.isObject
        ) { line in
            let ours =
                ids ?? Set(lines.split(separator: newline).compactMap { RecordCheck.id(of: Array($0)) })
            ids = ours
            return RecordCheck.id(of: Array(line)).map(ours.contains) ?? false
        }
        if let kept {
            recorder?.add(.appendedTogether(kind, count: count, kept: kept))
        } else if let recorder {
            for line in lines.split(separator: newline) {
                let line = Array(line)
                recorder.noteAppended(line, RecordCheck.id(of: line), to: kind)
            }
        }
        return notices(of: appended, to: kind)
    }
}
