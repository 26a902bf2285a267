package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceFormat
package import TraceText

/// Delivers entries that never were in a spool, in the drain's own steps (``EntryWriter``), and so with its verdicts.
///
/// It holds the session's lock, and not that of the queue, which a drain may hold for long. What can't be written into its session
/// now waits, durable, in the local spool, and the next drain writes it. A drain, another delivery or a removal may do its work at
/// the same time, in this process or another.
///
/// Nothing is noted for `trace undo`: who delivered a record can remove it by its id.
package struct EntryDelivery: Sendable {
    private let directories: QueueDirectories
    private let runtimeDirectory: FilePath?
    private let now: @Sendable () -> Timestamp
    /// What tests make happen between the steps.
    package var failPoint: FailPoint?
    /// How long to wait for a session that somebody has locked, before its entries go into the spool.
    package var lockTimeout = Duration.milliseconds(300)
    /// What is known of the ledger; to be shared with the drains of the process.
    package var ledger = LedgerMemory()
    /// What tells where records are without reading their sessions; nil reads them.
    package var records: (any RecordLookup)?
    /// How much may wait in the spool; to be shared by the deliveries of the process.
    package var allowance = SpoolAllowance()
    /// Called when something is put back into a journal that another program has saved over.
    package var onPutBack: PutBackReport?
    /// The kinds of journal that entries may be for.
    package var formats = JournalRegistry([SessionFormat()])
    /// What who delivers may have changed.
    package var rights: @Sendable (Deliverer) -> DelivererRights = { _ in .nothing }
    /// Makes the sessions that entries begin; nil makes none.
    package var begin: SessionBeginning?

    package init(
        _ directories: QueueDirectories, runtimeDirectory: FilePath? = nil,
        now: @escaping @Sendable () -> Timestamp = { Clock.now() }
    ) {
        self.directories = directories
        self.runtimeDirectory = runtimeDirectory
        self.now = now
    }

    /// An entry that is to be delivered.
    package struct Item: Sendable {
        package let entry: SpoolEntry
        /// Whether the entry is as it was read, and not made of parts.
        fileprivate let isRead: Bool
        /// The file that the entry's attachment describes, which stays where it is; nil if it has not come yet, or the entry
        /// has none.
        let audio: FilePath?
        /// Who delivers it, for the ledger.
        let deliverer: Deliverer?

        /// An entry that was made of parts, which are checked as those of an entry that is read.
        package init(_ entry: SpoolEntry, audio: FilePath? = nil, deliveredBy deliverer: Deliverer? = nil) {
            self.init(entry, isRead: false, audio, deliverer)
        }

        /// An entry as ``SpoolEntry/init(parsing:named:)`` has read it.
        package init(
            read entry: SpoolEntry, audio: FilePath? = nil, deliveredBy deliverer: Deliverer? = nil
        ) {
            self.init(entry, isRead: true, audio, deliverer)
        }

        private init(_ entry: SpoolEntry, isRead: Bool, _ audio: FilePath?, _ deliverer: Deliverer?) {
            self.entry = entry
            self.isRead = isRead
            self.audio = audio
            self.deliverer = deliverer
        }
    }

    /// An item whose entry has been checked.
    private struct Checked {
        let entry: CheckedEntry
        let item: Item

        init(_ item: Item, by formats: JournalRegistry) throws {
            self.item = item
            entry =
                try item.isRead
                ? CheckedEntry(read: item.entry, by: formats) : CheckedEntry(made: item.entry, by: formats)
        }

        var id: ULID { entry.entry.id }

        /// The entry as it is kept, with who delivered it.
        var noted: CheckedEntry {
            var noted = entry
            noted.entry.deliveredBy = item.deliverer
            return noted
        }
    }

    /// The outcome of an entry.
    package struct Outcome: Sendable {
        /// The id of entry and record.
        package let id: ULID
        /// The directory of its session, where that is known.
        package var session: FilePath?
        /// `waiting`: it is durable in the local spool. `conflict`, `rejected` and `failed`: it is nowhere, and its sender
        /// keeps it. Else it is done with.
        package let result: DrainOutcome.Result
        /// The record's line as it is in the file now, where it was written or was there already.
        package var line: [UInt8]?
        /// What kept it from its session, with the place: a client that may not know paths gets the reason alone.
        package var cause: (any StructuredError)?

        /// An outcome from its parts.
        package init(
            id: ULID, session: FilePath? = nil, result: DrainOutcome.Result, line: [UInt8]? = nil
        ) {
            self.id = id
            self.session = session
            self.result = result
            self.line = line
        }
    }

    /// Delivers entries, in their order, and those of one session together.
    ///
    /// - Parameters:
    ///   - isKnown: Whether there is a journal of an id, although it can't be reached now.
    ///   - locate: The directories of the sessions that have an id, of those that can be reached.
    /// - Returns: The outcome of each; a failure where neither the session nor the spool could take it: then nothing of it is
    ///   kept here, and it is to be delivered again.
    /// - Note: Durable on return, in the session or in the spool. Killed in between, any of the steps may be done; the same
    ///   delivery again does the rest.
    package func deliver(
        _ items: [Item], isKnown: (ULID) -> Bool = { _ in false }, locate: @escaping (ULID) -> [FilePath]
    ) -> [Result<Outcome, any Error>] {
        var outcomes: [Result<Outcome, any Error>] = Array(
            repeating: .failure(Self.unreached), count: items.count)
        var ready: [FilePath: [(index: Int, item: Checked)]] = [:]
        var order: [FilePath] = []
        var places = SessionPlaces(locate)
        for (index, item) in items.enumerated() {
            let checked: Checked
            do {
                guard item.entry.fits(Spool.maximumEntrySize) else {
                    outcomes[index] = .success(Outcome(id: item.entry.id, result: .rejected(Self.tooLarge)))
                    continue
                }
                // What no journal will ever take goes back to its sender: in a spool it would be refused when nobody listens.
                checked = try Checked(item, by: formats)
            } catch {
                let reason = (error as? FormatError)?.message ?? "\(error)"
                outcomes[index] = .success(Outcome(id: item.entry.id, result: .rejected(reason)))
                continue
            }
            switch place(of: checked, &places) {
            case .found(let session):
                if ready[session] == nil { order.append(session) }
                ready[session, default: []].append((index, checked))
            case .unknown(let reason):
                outcomes[index] = settled(
                    checked, nil, .waiting(reason), nil, isKnown: isKnown(item.entry.journalID))
            case .settled(let result): outcomes[index] = settled(checked, nil, result, nil)
            }
        }
        let ahead =
            items.count > 1 || items.contains { $0.entry.kind.isChange }
            ? allowance.listing.first(of: Set(items.map(\.entry.journalID)), in: directories.local) : [:]
        for session in order {
            var rest = (ready[session] ?? [])[...]
            var waiting: Set<ULID> = []
            // A batch is the rest of one that came before: what that has left in the spool is written first.
            var isHeldUp = rest.contains { _, checked in
                ahead[checked.entry.entry.journalID].map { $0 < checked.id } ?? false
            }
            while !rest.isEmpty {
                let batch = Array(rest.prefix(EntryWriter.batchSize))
                // As in a drain: what is behind an entry that can't be written waits in the spool, behind it.
                let results =
                    isHeldUp
                    ? batch.map { _ in EntryWriter.heldUp }
                    : write(batch.map(\.item), to: session, behind: waiting)
                for ((index, checked), written) in zip(batch, results) {
                    isHeldUp = isHeldUp || written.holdsUp
                    if written.result.isPending { waiting.insert(checked.id) }
                    outcomes[index] = settled(checked, session, written.result, written.line)
                }
                rest = rest.dropFirst(EntryWriter.batchSize)
            }
        }
        return outcomes
    }

    private static let unreached = FileError(.io, "the entry was not delivered", cure: "deliver it again")
    private static let otherWaits = "another entry with this id is waiting"
    private static let tooLarge = "it has more than \(Spool.maximumEntrySize) bytes"

    private func place(of item: Checked, _ places: inout SessionPlaces) -> SessionPlace {
        let entry = item.entry.entry
        guard entry.kind == .startSession else { return places.place(of: entry) }
        do {
            return try writer().place(of: entry, deliveredBy: item.item.deliverer, among: &places)
        } catch { return .settled(.failed(error.structured)) }
    }

    private func writer() throws -> EntryWriter {
        try OpenDirectory.make(directories.state)
        let state = try OpenDirectory(directories.state, failPoint: failPoint)
        var writer = EntryWriter(
            directories: directories, runtimeDirectory: runtimeDirectory, lockTimeout: lockTimeout,
            now: now, failPoint: failPoint, ledger: try Ledger(in: state, ledger), records: records,
            formats: formats, onPutBack: onPutBack)
        writer.waiting = directories.local
        writer.rights = rights
        writer.begin = begin
        return writer
    }

    private func write(
        _ items: [Checked], to session: FilePath, behind waiting: Set<ULID>
    ) -> [EntryWriter.Written] {
        do {
            let writer = try writer()
            let entries = items.map {
                EntryWriter.Item(
                    entry: $0.entry.entry, checked: $0.entry, audio: .file($0.item.audio),
                    deliverer: $0.item.deliverer)
            }
            return try writer.write(entries, to: session, behind: waiting).map {
                $0 ?? EntryWriter.Written(result: .failed(Self.unreached), holdsUp: true)
            }
        } catch {
            let failed = EntryWriter.Written(result: .failed(error.structured), holdsUp: true)
            return items.map { _ in failed }
        }
    }

    // MARK: - What is kept here

    /// What remains to be done after the verdict.
    private func settled(
        _ checked: Checked, _ session: FilePath?, _ result: DrainOutcome.Result, _ line: [UInt8]?,
        isKnown: Bool = true
    ) -> Result<Outcome, any Error> {
        func outcome(_ result: DrainOutcome.Result) -> Result<Outcome, any Error> {
            .success(Outcome(id: checked.id, session: session, result: result, line: line))
        }
        do {
            switch result {
            case .applied, .alreadyApplied:
                // By this the queue sees that the record has vanished, if it ever does. No reason to fail what is done.
                try? keep(checked, in: directories.done, isDurable: false)
                return outcome(result)
            // Its sender may forget it now.
            case .recordVanished, .removed: try keep(checked, in: directories.done, isDurable: true)
            case .dropped: try keep(checked, in: directories.dropped, isDurable: true)
            case .conflict, .changedMeanwhile, .rejected: break
            // For a person to resolve: in the spool it would fail again and again.
            case .failed(let error as FileError) where error.code == .alreadyExists: break
            case .failed(let error):
                var waiting = Outcome(
                    id: checked.id, session: session,
                    result: try spool(
                        checked,
                        "the \(checked.entry.entry.kind.journalNoun) can't be written now: \(error.report.message)",
                        isKnown: isKnown))
                waiting.cause = error
                return .success(waiting)
            case .waiting(let reason): return outcome(try spool(checked, reason, isKnown: isKnown))
            }
            return outcome(result)
        } catch {
            return .failure(error)
        }
    }

    private func keep(_ checked: Checked, in place: FilePath, isDurable: Bool) throws {
        do {
            try Spool.keep(checked.noted.entry, in: place, isDurable: isDurable, failPoint: failPoint)
        } catch { throw error.structured }
    }

    /// Puts an entry into the local spool, where another delivery of it may wait already.
    private func spool(
        _ checked: Checked, _ reason: String, isKnown: Bool
    ) throws -> DrainOutcome.Result {
        let noted = checked.noted
        let (entry, audio) = (noted.entry, checked.item.audio)
        var attemptsLeft = 3
        while true {
            do {
                func add() throws {
                    try directories.local.add(
                        noted, attachment: audio, mayLackAudio: true, failPoint: failPoint)
                }
                // What waits already takes no more room.
                if directories.local.entry(entry.id) != nil {
                    try add()
                } else {
                    try allowance.adding(entry, to: directories.local, isKnown: isKnown, add)
                }
                return .waiting(reason)
            } catch let error as FileError where error.code == .alreadyExists && attemptsLeft > 0 {
                attemptsLeft -= 1
                // A drain may take it away in this instant.
                guard let waiting = directories.local.entry(entry.id) else { continue }
                guard waiting.isSame(as: entry) else { return .conflict(Self.otherWaits) }
                guard waiting.lacksChecksum(of: entry) else { return .waiting(reason) }
                // What is heard under a record is said by who sent it, and by nobody who sends it once more.
                guard Deliverer.areSame(waiting.deliveredBy, entry.deliveredBy) else {
                    return .conflict(Self.otherWaits)
                }
                do {
                    // Who made the entry, and when, stays as it was noted first.
                    var complete = waiting
                    complete.attachment = entry.attachment
                    try directories.local.complete(
                        waiting, as: complete, attachment: audio, failPoint: failPoint)
                    return .waiting(reason)
                } catch let error as FileError where error.code == .changedMeanwhile { continue } catch {
                    throw error.structured
                }
            } catch let error as FileError where error.code == .notFound {
                // A drain has found the audio beside another delivery of the entry, and is faster; the file that was sent is gone with it, or what
                // was placed in the spool.
                throw Self.unreached
            } catch { throw error.structured }
        }
    }
}

extension SpoolEntry {
    /// Whether it has less bytes than that, as it would be kept; nearly all are far from it, and are not put together to be counted.
    fileprivate func fits(_ limit: Int64) -> Bool {
        let bulk = payload.count + 6 * (device?.utf8.count ?? 0)
        return bulk < limit / 2 || json.bytes.count < limit
    }

    /// Whether it is one more delivery of the same record and audio, by any deliverer, at any time. What one of them does not
    /// know of the audio, the other may say.
    fileprivate func isSame(as other: SpoolEntry) -> Bool {
        let checksums = Set([attachment, other.attachment].compactMap { $0?.sha256 })
        return LedgerContents.checksum(of: self) == LedgerContents.checksum(of: other)
            && attachment?.name == other.attachment?.name && attachment?.size == other.attachment?.size
            && checksums.count <= 1
    }

    /// Whether another delivery of it says what this one does not: the checksum of the audio.
    fileprivate func lacksChecksum(of other: SpoolEntry) -> Bool {
        attachment != nil && attachment?.sha256 == nil && other.attachment?.sha256 != nil
    }
}
