internal import GRDB
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// Brings the rows of one journal up to its files, inside one write transaction: its files of records, its header, then the rules
/// across them.
struct SourceReconciler {
    private let snapshot: JournalSnapshot
    private let verification: Verification
    private let database: Database
    private let rules: JournalRegistry
    private var source: KnownSource
    private var result: JournalReconciliation
    private var before: [Finding] = []
    private var after: [Finding] = []
    private var hasChanged = false

    /// - Parameter formats: The kinds of journal whose rules findings may name.
    init(
        _ path: FilePath, root: Int64?, snapshot: JournalSnapshot, verification: Verification,
        formats: JournalRegistry, in database: Database
    ) throws {
        self.snapshot = snapshot
        self.verification = verification
        self.database = database
        rules = formats
        let kind = snapshot.format.layout.kind
        let known = try KnownSource(database, at: path)
        if let known, known.kind == kind {
            source = known
            result = JournalReconciliation(.updated)
        } else {
            try known?.delete(from: database)
            source = try KnownSource.insert(path, kind, in: database)
            result = JournalReconciliation(.added)
        }
        guard let root, source.rootID != root else { return }
        try source.move(to: root, in: database)
        hasChanged = true
    }

    private var layout: JournalLayout { snapshot.format.layout }

    private var findings: FindingRows { FindingRows(source: source.id, rules: rules, database: database) }

    /// What only sessions have.
    private var sessionTables: SessionTables? {
        source.kind == .session ? SessionTables(database: database) : nil
    }

    mutating func run() throws -> JournalReconciliation {
        if source.isCurrent(snapshot, verification), result.outcome != .added { return try finish() }
        try readRecords()
        let header = try readHeader()
        let facts = try sessionFacts(header)
        try keep(header, facts)
        try judge(header, facts)
        try keep(.directory)
        try keep(.media)
        return try finish()
    }

    private mutating func finish() throws -> JournalReconciliation {
        let old = Set(before)
        let new = Set(after)
        result.newFindings = layout.sorted(new.subtracting(old))
        result.goneFindings = layout.sorted(old.subtracting(new))
        result.findingCount = try findings.count()
        result.isSettled = source.isSettled
        let hasNews = hasChanged || !result.newFindings.isEmpty || !result.goneFindings.isEmpty
        if result.outcome != .added { result.outcome = hasNews ? .updated : .unchanged }
        return result
    }

    // MARK: - Files of records

    private mutating func readRecords() throws {
        var changed: Set<FileSlot> = []
        for (file, name) in zip(layout.files, snapshot.format.fileNames) where isRead(file) {
            guard
                !source.isCurrent(file.slot, snapshot[file.slot], verification)
                    || !changed.isDisjoint(with: file.dependencies)
            else { continue }
            changed.insert(file.slot)
            try take(read(file, name), of: file)
        }
    }

    /// Whether the journal's records are in the file, or it decides what is kept of them. The header is read by itself, and a journal
    /// that is a single file has no other.
    private func isRead(_ file: JournalFile) -> Bool {
        guard case .document = file.container else { return true }
        return file.slot != .header
    }

    private func read(
        _ file: JournalFile, _ name: FilePath.Component
    ) throws -> IndexedFileRows.Outcome {
        let rows = IndexedFileRows(
            file: file, name: snapshot.name(of: file.slot) ?? file.name, isSearched: layout.isSearched(file),
            findings: findings, database: database)
        var outcome =
            switch file.container {
            case .lines(let schema):
                try RecordFileReader(
                    rows: rows, name: name, schema: schema, snapshot: snapshot, verification: verification
                ).reconcile(source[file.slot])
            case .document:
                try DocumentFileReader(rows: rows, snapshot: snapshot).reconcile(source[file.slot])
            }
        if outcome.known == nil, case .leadsNowhere(let link) = snapshot[file.slot] {
            outcome.known = try rows.insert(link, lookedAt: snapshot.time)
        }
        return outcome
    }

    private mutating func take(_ outcome: IndexedFileRows.Outcome, of file: JournalFile) throws {
        source[file.slot] = outcome.known
        if outcome.isDeferring { try settleIDs(of: file.slot) }
        before += outcome.before
        after += outcome.after
        result.addedRecords.merge(outcome.added) { $0 + $1 }
        if outcome.isReread { result.rereadFiles += file.entryKinds.prefix(1) }
        let isRewritten: Bool
        switch file.container {
        case .lines: isRewritten = outcome.isReread
        // Read whole each time, whether or not it says something else.
        case .document: isRewritten = false
        }
        hasChanged = hasChanged || outcome.isNews || isRewritten
        if try sessionTables?.update(after: file.slot, of: source) == true { hasChanged = true }
    }

    /// Takes the lines that a long file supersedes itself off its count; those of other files are settled already.
    private mutating func settleIDs(of slot: FileSlot) throws {
        guard var file = source[slot] else { return }
        file.idCount -= try RecordWriter.settleIDs(of: source.id, in: database)
        try file.update(in: database)
        source[slot] = file
    }

    // MARK: - The header

    private mutating func readHeader() throws -> JournalHeader {
        let time = SystemTime.now()
        let header = try snapshot.format.header(of: snapshot)
        // A single file has none.
        if snapshot.single == nil { try keep(.header, header.identity, lookedAt: time) }
        return header
    }

    /// Writes what the header says, and when the records are from.
    private mutating func keep(_ header: JournalHeader, _ facts: SessionFacts?) throws {
        var row = HeaderRow(header)
        if let facts {
            (row.first, row.last) = SessionTables.span(of: facts) ?? (nil, nil)
        } else {
            (row.first, row.last) = try span(of: header)
        }
        if try row.write(of: source.id, in: database) { hasChanged = true }
        if let facts, try sessionTables?.update(facts.session, of: source) == true { hasChanged = true }
    }

    /// The moments of the first and the last record.
    private func span(of header: JournalHeader) throws -> (Timestamp?, Timestamp?) {
        guard let epoch = header.epoch,
            let offsets = try RecordSpan.offsets(of: source.id, layout.entryKinds.map(\.kind), in: database)
        else {
            return (nil, nil)
        }
        let clock = SessionClock(start: epoch)
        return (clock.wall(at: offsets.lowerBound), clock.wall(at: offsets.upperBound))
    }

    // MARK: - Across lines and files

    /// What the rules of a session are asked about; nil for a journal of another kind.
    private func sessionFacts(_ header: JournalHeader) throws -> SessionFacts? {
        guard let sessionTables, let session = header.details as? Session else { return nil }
        return try sessionTables.facts(of: session, snapshot, source)
    }

    private mutating func judge(_ header: JournalHeader, _ facts: SessionFacts?) throws {
        let new = layout.sorted(
            header.findings + (facts?.findings() ?? []) + (try rules.ambiguity(of: snapshot)))
        let old = layout.sorted(try findings.list(.journal))
        guard new != old else { return }
        try findings.delete(.journal)
        for finding in new { try findings.insert(finding, file: nil) }
        before += old
        after += new
    }

    /// Writes down the state in which the directory, or its `media`, was looked at.
    private mutating func keep(_ slot: FileSlot) throws {
        guard snapshot[slot].isThere else {
            try source[slot]?.delete(from: database)
            source[slot] = nil
            return
        }
        try keep(slot, snapshot[slot].identity, lookedAt: snapshot.time)
    }

    /// Writes down the state in which a file was looked at that holds no records.
    private mutating func keep(_ slot: FileSlot, _ seen: FileIdentity?, lookedAt time: SystemTime) throws {
        var file = try source[slot] ?? .insert(slot, of: source.id, in: database)
        let isProven = seen.map { !$0.isTooFresh(at: time) } ?? false
        let identity = seen.map(IndexedIdentity.init)
        if file.identity != identity || file.isProven != isProven {
            file.identity = identity
            file.isProven = isProven
            try file.update(in: database)
        }
        source[slot] = file
    }
}
