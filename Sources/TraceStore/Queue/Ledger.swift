internal import RecordFormat
internal import TraceFiles
internal import TraceFormat

/// The ledger of a state directory, to which lines are added.
///
/// Several writers add to it that hold different locks: a drain that of the queue, a delivery that of its session. So each append
/// takes the ledger's own lock, the last of all (queue, then session, then ledger), for as long as that takes.
struct Ledger {
    private let directory: OpenDirectory
    private let memory: LedgerMemory

    /// How long to wait for others to add their lines.
    private static let lockTimeout = Duration.seconds(2)

    /// Reads the ledger of a state directory.
    ///
    /// - Parameter memory: What is known of it; it is the same ledger for all who share it.
    /// - Throws: ``FileError``.
    init(in directory: OpenDirectory, _ memory: LedgerMemory = LedgerMemory()) throws {
        self.directory = directory
        self.memory = memory
        try memory.read(in: directory) { _ in }
    }

    /// As ``init(in:_:)``, for a state directory that is locked.
    init(in lock: DirectoryLock) throws { try self.init(in: lock.directory) }

    /// What it said when it was read last.
    var contents: LedgerContents { memory.contents }

    /// Whether an entry of that id has been applied.
    package func contains(_ id: ULID) -> Bool { contents.contains(id) }

    /// Whether it is this entry that has been applied, and not another of its id.
    package func contains(_ entry: SpoolEntry) -> Bool { contents.contains(entry) }

    /// Runs `body` with what it says now.
    ///
    /// - Throws: ``FileError``; what `body` throws.
    func read<Result>(_ body: (LedgerContents) throws -> Result) throws -> Result {
        try memory.read(in: directory, body)
    }

    // MARK: - Adding

    /// A line that is to be added.
    enum Line {
        case announced(SpoolEntry, by: Deliverer)
        case applied(SpoolEntry, by: Deliverer?)
        case dropped(SpoolEntry)
        case removed(ULID)
        case kept(ULID)
    }

    /// Notes who delivers entries whose lines are about to be written. A kill behind the line leaves the line alone: by this note, the
    /// next delivery of the entry tells it from a line that nobody delivered.
    ///
    /// - Throws: ``FileError``; then none of them is noted, unless it says so.
    /// - Note: Not durable on return, so that it costs no sync: after a power cut, a line may stand of which no deliverer is known.
    func announce(_ entries: [(entry: SpoolEntry, deliverer: Deliverer)], at time: Timestamp) throws {
        try append(at: time, isDurable: false) { contents in
            entries.filter { contents.announcer(of: $0.entry) != $0.deliverer }.map {
                .announced($0.entry, by: $0.deliverer)
            }
        }
    }

    /// Notes that entries have been applied; those of which that is known are skipped.
    ///
    /// - Parameter entries: Each with who delivered it, if it was written for them. A record that stood before is that of its
    ///   announcer, if any: to bring it once more makes nobody its deliverer.
    /// - Throws: ``FileError``; then none of them is noted, unless it says so.
    /// - Note: Durable on return, with one sync for all. Killed in between, some may be noted.
    func add(_ entries: [(entry: SpoolEntry, deliverer: Deliverer?)], at time: Timestamp) throws {
        try append(at: time) { contents in
            var seen: Set<ULID> = []
            return entries.filter { entry, _ in
                let isKnown =
                    contents.contains(entry.id) && !contents.isRemoved(entry.id)
                    && !contents.isDropped(entry)
                return !isKnown && seen.insert(entry.id).inserted
            }.map { .applied($0.entry, by: $0.deliverer ?? contents.announcer(of: $0.entry)) }
        }
    }

    /// As ``add(_:at:)``, for one entry.
    package func add(_ entry: SpoolEntry, deliveredBy deliverer: Deliverer? = nil, at time: Timestamp) throws
    {
        try add([(entry, deliverer)], at: time)
    }

    /// Notes that the user dropped an entry: delivered once more, it is not written.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    func addDropped(_ entry: SpoolEntry, at time: Timestamp) throws {
        try append(at: time) { $0.isDropped(entry) ? [] : [.dropped(entry)] }
    }

    /// Notes that the user removes the records of these ids: no entry brings them back.
    ///
    /// - Returns: Those of which this was not known: what is to be taken back if the removal then does not happen.
    /// - Throws: ``FileError``.
    /// - Note: Durable on return, with one sync for all.
    @discardableResult
    func addRemoved(_ ids: some Sequence<ULID>, at time: Timestamp) throws -> [ULID] {
        let ids = Set(ids).sorted()
        var new: [ULID] = []
        try append(at: time) { contents in
            new = ids.filter { !contents.isRemoved($0) }
            return new.map { .removed($0) }
        }
        return new
    }

    /// Takes back that records were removed: they stand, and a later loss of them is one.
    ///
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    func addKept(_ ids: [ULID], at time: Timestamp) throws {
        try append(at: time) { contents in
            ids.filter { contents.isRemoved($0) }.map { .kept($0) }
        }
    }

    /// - Parameter lines: What is to be added to what there is; asked once more when nobody else can add to it.
    private func append(
        at time: Timestamp, isDurable: Bool = true, _ lines: (LedgerContents) -> [Line]
    ) throws {
        guard try !memory.read(in: directory, lines).isEmpty else { return }
        let lock = try FileLock(LedgerContents.file, in: directory, timeout: Self.lockTimeout)
        let new = try memory.read(in: directory, lines)
        guard !new.isEmpty else { return }
        let texts = new.map { $0.text(at: time).bytes }
        try lock.append(
            Array((texts + [[]]).joined(separator: [newline])), count: texts.count, isDurable: isDurable,
            isWholeRecord: RecordCheck.isObject
        ) { line in
            texts.contains { $0.elementsEqual(line) }
        }
        memory.note(new)
    }
}

extension Ledger.Line {
    fileprivate func text(at time: Timestamp) -> JSONText {
        .object { object in
            switch self {
            case .announced(let entry, let deliverer):
                // Under another key: to programs that don't know it, a line with an id says that the entry was applied.
                object.members(of: entry, id: "announces")
                object.members(of: deliverer)
                object.member("announced_at", JSONText(time))
            case .applied(let entry, let deliverer):
                object.members(of: entry)
                if let deliverer { object.members(of: deliverer) }
                object.member("applied_at", JSONText(time))
            case .dropped(let entry):
                object.members(of: entry)
                object.member("dropped_at", JSONText(time))
            case .removed(let id):
                object.member("id", JSONText(id))
                object.member("removed_at", JSONText(time))
            case .kept(let id):
                object.member("id", JSONText(id))
                object.member("kept_at", JSONText(time))
            }
        }
    }

    func note(in contents: inout LedgerContents) {
        switch self {
        case .announced(let entry, let deliverer):
            contents.noteAnnounced(entry.id, LedgerContents.checksum(of: entry), by: deliverer)
        case .applied(let entry, let deliverer):
            contents.noteApplied(
                entry.id, LedgerContents.checksum(of: entry), entry.journalID, deliveredBy: deliverer)
        case .dropped(let entry): contents.noteDropped(entry.id, LedgerContents.checksum(of: entry))
        case .removed(let id): contents.noteRemoved(id)
        case .kept(let id): contents.noteKept(id)
        }
    }
}

extension JSONObjectText {
    fileprivate mutating func members(of entry: SpoolEntry, id: String = "id") {
        member(id, JSONText(entry.id))
        member("kind", JSONText(entry.kind.rawValue))
        member(entry.kind.journalKey, JSONText(entry.journalID))
        member("sha256", JSONText(LedgerContents.checksum(of: entry)))
    }
    fileprivate mutating func members(of deliverer: Deliverer) {
        member("token", JSONText(deliverer.token))
        member("person", deliverer.person.map { JSONText($0) })
    }
}
