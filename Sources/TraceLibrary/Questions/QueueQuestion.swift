internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
package import TraceStore
package import TraceText

/// What is in the queue: `trace queue list` and `trace queue show`.
package struct QueueQuestion {
    private let directories: QueueDirectories
    private let runtimeDirectory: FilePath?
    private let locate: (ULID) -> [FilePath]

    /// The queue of a library.
    package init(_ library: LibraryWriter) {
        directories = library.queue
        runtimeDirectory = library.runtimeDirectory
        locate = library.journalsByID()
    }

    private var inspection: QueueInspection {
        var inspection = QueueInspection(directories, locate: locate)
        inspection.formats = Journals.all
        inspection.runtimeDirectory = runtimeDirectory
        return inspection
    }

    /// The entries that wait, spool by spool; each is read when it is asked for.
    ///
    /// - Parameter report: Called with each spool that can't be listed.
    package func waiting(report: (any Error) -> Void) -> LazyMapCollection<[WaitingEntry.Place], WaitingEntry>
    {
        let places = directories.spools.flatMap { spool -> [WaitingEntry.Place] in
            do {
                return try spool.files().map {
                    WaitingEntry.Place(file: $0, spool: spool, queue: directories)
                }
            } catch {
                report(error)
                return []
            }
        }
        return places.lazy.map { WaitingEntry(reading: $0) }
    }

    /// Every entry: those that wait, then what was refused, dropped and applied.
    ///
    /// - Parameter report: Called with each directory that can't be listed.
    /// - Throws: ``FileError`` if the ledger can't be read.
    /// - Complexity: O(size of the sessions that the entries belong to).
    package func all(report: (any StructuredError) -> Void) throws -> [QueueItem] {
        try inspection.items(report: report)
    }

    /// The entry of a name; one for each place in which there is one of its id.
    ///
    /// - Parameter report: Called with each directory that can't be listed.
    /// - Throws: ``StoreError`` with `.noSuchEntry`; as ``all(report:)``.
    package func entries(named name: EntryName, report: (any StructuredError) -> Void) throws -> [QueueItem] {
        let items = try inspection.items(of: name, report: report)
        guard !items.isEmpty else {
            throw StoreError(
                .noSuchEntry, "there is no entry \(name) in the queue",
                cure: .queueList)
        }
        return items
    }
}
