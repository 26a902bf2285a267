package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceIndex
internal import TraceText

/// The lines of one kind of record of a session: `trace markers list` of one session, `trace voice-notes list`, and what else
/// HTTP lists of a session.
package struct RecordsQuestion: Sendable, Hashable {
    /// Which records.
    package var selection: RecordSelection
    /// At most so many, > 0; nil for all.
    package var limit: Int?
    /// Where the page before ended (``RecordsAnswer/next``).
    package var after: RecordSortKey?
    /// Begins half a page before this offset, so that what is there comes in the middle; means nothing behind a page, or
    /// without a limit.
    package var around: SessionOffset?

    /// All records of a kind that has offsets: any but actions.
    package init(of session: FilePath, _ kind: RecordKind) {
        selection = RecordSelection(of: session, kind)
    }

    /// - Parameter index: One that is up to date for the session.
    /// - Throws: ``IndexError``: `.noSuchSession`; `.stale` if a file has changed since the index read it, as
    ///   ``FreshIndex/answer(_:)`` expects. `FileError` if a line can't be read, `.notFound` if the session's root is offline.
    /// - Complexity: O(log of all records + what is returned + what lies between and is superseded or lacks the tags), however
    ///   many records the session has.
    package func answer(_ index: JournalIndex) throws -> RecordsAnswer {
        let start = try after ?? beginning(index)
        let found = try index.records(selection, after: start, limit: limit?.pageAndOneMore)
        let (records, next) = found.page(of: limit) { RecordSortKey($0) }
        let lines = SessionCache(index)
        let rows = try records.map { record in
            guard let line = try lines.line(of: record) else {
                throw FileError(
                    .notFound, "its root can't be reached", path: record.session,
                    cure: "mount the disk on which it is")
            }
            return RecordsAnswer.Row(record: record, line: line)
        }
        return RecordsAnswer(rows: rows, next: next)
    }

    private func beginning(_ index: JournalIndex) throws -> RecordSortKey? {
        guard let around, let limit else { return nil }
        return try index.sortKey(in: selection, countingBack: limit / 2, from: around)
    }
}
