internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// Reads the lines of records out of the files, and only while they are those records still. A file is opened
/// once for all records of it that come one after the other.
package final class RecordLines {
    private var current: (path: FilePath, file: OpenRegularFile, checker: RecordChecker)?

    package init() {}

    /// The bytes of a record's line, without its line break.
    ///
    /// - Throws: ``IndexError`` with `.stale` where the file holds another line there by now; `TraceStore`'s
    ///   `FileError` where it can't be read.
    package func line(of record: IndexedRecord) throws -> [UInt8] {
        let (file, checker) = try open(record)
        // Lines are not that long, and a row of a damaged database may say anything.
        guard record.byteOffset >= 0, (0...LineBuffer.maximumLineLength).contains(record.byteLength) else {
            throw Self.stale(record)
        }
        let before = record.byteOffset > 0 ? 1 : 0
        // One byte before the line and two behind it: the breaks between which it must lie.
        let bytes = try file.bytes(
            at: Int64(record.byteOffset - before), count: before + record.byteLength + 2)
        let line = bytes.dropFirst(before).prefix(record.byteLength)
        let end = bytes.dropFirst(before + record.byteLength)
        guard before == 0 || bytes.first == UInt8(ascii: "\n"), line.count == record.byteLength,
            end.first == UInt8(ascii: "\n") || end.elementsEqual("\r\n".utf8),
            !line.contains(UInt8(ascii: "\n")),
            Self.holds(line, record, checker)
        else { throw Self.stale(record) }
        return Array(line)
    }

    private func open(_ record: IndexedRecord) throws -> (OpenRegularFile, RecordChecker) {
        if let current, current.path == record.file { return (current.file, current.checker) }
        let directory = try OpenDirectory(record.session)
        guard let file = try directory.openRegularFile(record.kind.component) else {
            throw Self.stale(record)
        }
        let checker = try RecordChecker(record.kind, scrutiny: .readable)
        current = (record.file, file, checker)
        return (file, checker)
    }

    /// Whether a line holds that record still: its id, its place and its words.
    private static func holds(
        _ bytes: some Collection<UInt8>, _ record: IndexedRecord, _ checker: RecordChecker
    ) -> Bool {
        PaddedBytes.withLine(bytes) { line in
            guard let checked = checker.check(line, report: { _ in }) else { return false }
            let summary = RecordSummarizer(record.kind).summary(of: checked, on: line)
            return summary.id == record.id && summary.offset == record.offset
                && summary.text == record.text && summary.note == record.note
        }
    }

    private static func stale(_ record: IndexedRecord) -> IndexError {
        IndexError(
            .stale, "line \(record.line) is no longer what the index read", path: record.file,
            hint: "ask again when the session has been reconciled")
    }
}
