package import RecordFormat
package import SystemPackage

extension SessionWriter {
    /// Copies a media file into the session, notes its start and end in the timeline, and names it in `session.json`.
    ///
    /// - Parameters:
    ///   - operation: What the user asked for.
    ///   - onProgress: Gets how many bytes have been gone through, and of how many; what it throws ends the copying.
    /// - Throws: ``FileError``; `.invalidData` if the file is after the end of a closed session, or the item would break the
    ///   format; `.notFound` for the file, the session or its timeline. Then nothing is written, but where only `session.json`
    ///   could not be updated: the error says so.
    /// - Note: Durable on return. Killed in between, the file may be in `media/`, and its entries may be in the timeline,
    ///   without the item; the same again takes them over.
    ///
    /// Source: docs/spec/format.md#what-each-operation-writes; docs/spec/format.md#rules-across-lines-and-files, rules 3 and 6.
    package func addMedia(
        _ media: NewMedia, from source: FilePath, as operation: UndoableWrite.Operation = .addMedia,
        now: Timestamp = Clock.now(), onProgress: ((Int64, Int64) throws(Errno) -> Void)? = nil
    ) throws -> AddedMedia {
        try MediaAddition(
            writer: self, media: media, source: source, operation: operation, now: now, onProgress: onProgress
        ).run()
    }
}
