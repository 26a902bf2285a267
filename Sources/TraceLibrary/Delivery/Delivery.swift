internal import Journals
package import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceIndex
package import TraceStore

/// Delivers markers, voice notes and requests for actions to sessions, as entries that never were in a spool: what is sent to
/// `traced` over the network.
///
/// An entry is applied once, however often it is delivered, and by however many ways; one that can't be written now waits in the
/// local spool (``EntryDelivery``). Where sessions are, and which of their ids are taken, is asked of the index.
package struct Delivery: Sendable {
    let index: JournalIndex
    private let roots: SessionRoots
    let queue: QueueDirectories
    let ledger: LedgerMemory
    private var entries: EntryDelivery

    /// How many entries one call should bring at most.
    package static let batchLimit = 200

    /// - Parameters:
    ///   - index: A handle that long work of others does not occupy.
    ///   - runtimeDirectory: Where locks go for file systems that can't lock a directory.
    ///   - ledger: To be shared with the drains of the process, if there are any.
    ///   - allowance: To be shared by the deliveries of the process.
    ///   - lockTimeout: How long to wait for a session that somebody has locked.
    ///   - rights: What who delivers may have changed.
    ///   - begin: Makes the sessions that entries begin; nil makes none.
    ///   - onPutBack: Called when something is put back into a journal that another program has saved over.
    package init(
        index: JournalIndex, roots: SessionRoots, queue: QueueDirectories, runtimeDirectory: FilePath?,
        ledger: LedgerMemory, allowance: SpoolAllowance = SpoolAllowance(),
        lockTimeout: Duration = .milliseconds(300), rights: DelivererRights = .own,
        begin: SessionBeginning? = nil,
        onPutBack: PutBackReport? = nil
    ) {
        self.index = index
        self.roots = roots
        self.queue = queue
        self.ledger = ledger
        entries = EntryDelivery(queue, runtimeDirectory: runtimeDirectory)
        entries.ledger = ledger
        entries.allowance = allowance
        entries.records = index
        entries.formats = Journals.all
        entries.lockTimeout = lockTimeout
        entries.onPutBack = onPutBack
        entries.rights = { _ in rights }
        entries.begin = begin
    }

    /// Delivers entries; see ``EntryDelivery/deliver(_:locate:)``.
    ///
    /// - Parameter session: The directory of the session that all of them belong to, where the caller has just seen it; nil asks
    ///   the index. Another session that is there by then gets nothing.
    package func deliver(
        _ items: [EntryDelivery.Item], into session: FilePath? = nil
    ) -> [Result<EntryDelivery.Outcome, any Error>] {
        let places = IndexedPlaces(index, below: roots.paths)
        return entries.deliver(items, isKnown: isKnown) { id in
            session.map { [$0] } ?? places.journals(with: id)
        }
    }

    /// Whether the index knows a journal of an id, be it out of reach; also where it can't be asked: a mark for a session is not refused for that.
    private func isKnown(_ id: ULID) -> Bool {
        (try? index.journalCount(withID: id)).map { $0 > 0 } ?? true
    }

    /// The directories of the session of an id, as the index knows them.
    func sessions(with id: ULID) -> [FilePath] {
        IndexedPlaces(index, below: roots.paths).sessions(with: id)
    }

    /// Delivers one entry.
    ///
    /// - Throws: ``FileError`` if neither the session nor the spool could take it: then it is to be delivered again.
    package func deliver(
        _ item: EntryDelivery.Item, into session: FilePath? = nil
    ) throws -> EntryDelivery.Outcome {
        let outcomes = deliver([item], into: session)
        guard let outcome = outcomes.first else { throw FileError(.io, "the entry was not delivered") }
        return try outcome.get()
    }

    /// Who delivered the record of that id into a journal; nil for one that did not come over the network.
    ///
    /// - Throws: ``FileError`` if the ledger can't be read.
    package func deliverer(of id: ULID, in journal: ULID) throws -> Deliverer? {
        guard let state = try OpenDirectory.ifPresent(queue.state) else { return nil }
        return try ledger.read(in: state) { $0.deliverer(of: id, in: journal) }
    }

    /// Whether the user removed the record of that id.
    ///
    /// - Throws: ``FileError`` if the ledger can't be read.
    package func isRemoved(_ id: ULID) throws -> Bool {
        guard let state = try OpenDirectory.ifPresent(queue.state) else { return false }
        return try ledger.read(in: state) { $0.isRemoved(id) }
    }
}
