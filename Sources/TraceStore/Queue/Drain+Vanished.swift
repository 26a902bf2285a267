public import RecordFormat
public import SystemPackage
internal import TraceFiles
internal import TraceFormat

extension Drain {
    /// The entries that were applied to a session, are still kept, and whose records are gone from it: an older
    /// copy of a file was put over the one that held them. An id that a record of another kind has taken is not among them. Changes
    /// nothing.
    ///
    /// What is no longer kept can't be put back by ``retry(_:)``, and is not told.
    ///
    /// - Parameter session: The session's directory.
    /// - Throws: ``FileError`` if the state directory, the ledger, the kept entries or the session can't be read.
    /// - Complexity: O(entries that are kept, and what ``records`` does not know of the session); of the entries, only those that are gone
    ///   are read.
    ///
    /// Source: docs/queue.md#outcomes-of-an-entry.
    public func vanished(from id: ULID, at session: FilePath) throws -> [ULID] {
        guard let state = try OpenDirectory.ifPresent(directories.state) else { return [] }
        let applied = try ledger.read(in: state) { $0.applied(to: id) }
        guard !applied.isEmpty else { return [] }
        let done = Spool(directories.done)
        let kept = try done.keptFiles(where: applied.contains)
        guard !kept.isEmpty else { return [] }
        let reader = try SessionReader(session)
        // Another session may be there now.
        guard try reader.readableHeader().session.id == id else { return [] }
        // Nearly all of them stand, and thousands may be kept: only what lacks its line is read.
        let missing = try reader.missing(of: Set(kept.map(\.id)), by: records)
        let entries = kept.filter { missing.contains($0.id) }.compactMap { try? done.read($0) }.filter {
            // A change leaves no record of its own.
            $0.kind.recordKind != nil
        }
        return try ledger.read(in: state) { ledger in
            entries.filter { EntryVerdict($0, existing: [], ledger) == .vanished }.map(\.id)
        }
    }
}
