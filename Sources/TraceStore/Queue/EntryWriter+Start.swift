internal import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
internal import TraceText

/// Makes the session that an entry begins, which is nowhere; nil if it is known, and only out of reach.
///
/// - Throws: ``FileError``, or what else keeps it from being made.
package typealias SessionBeginning = @Sendable (SpoolEntry, SessionChange) throws -> FilePath?

extension EntryWriter {
    /// Where the journal of an entry is. That of one that begins a session is made, if it is nowhere.
    ///
    /// - Parameter deliverer: Who delivered the entry over the network.
    func place(
        of entry: SpoolEntry, deliveredBy deliverer: Deliverer?, among places: inout SessionPlaces
    ) -> SessionPlace {
        let isFirst = !places.isKnown(entry.journalID)
        let place = places.place(of: entry)
        guard entry.kind == .startSession, let begin, places.isNowhere(entry.journalID) else { return place }
        do {
            let checked = try CheckedEntry(read: entry, by: formats)
            let verdict = try ledger.read { EntryVerdict(entry, standing: nil, makesRecords: false, $0) }
            // A session that was made by it before, and is deleted or away, is not made again.
            if let result = settled(Item(entry: entry, audio: .file(nil)), verdict) {
                return .settled(result)
            }
            if let deliverer, case .nothing = rights(deliverer) { return .settled(.rejected(Self.noRights)) }
            guard let change = checked.change, let path = try begin(entry, change) else { return place }
            // What came for it before waits for the next run, and what comes behind that must not overtake it.
            if isFirst { places.note(path, of: entry.journalID) }
            return .found(path)
        } catch let error as FormatError where error.code == .recordInvalid {
            return .settled(.rejected(error.message))
        } catch {
            return .settled(.failed(error.structured))
        }
    }
}
