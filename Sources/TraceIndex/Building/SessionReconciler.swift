internal import GRDB
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceStore

/// Brings the rows of one session up to its files, inside one write transaction.
struct SessionReconciler {
    private let look: SessionLook
    private let verification: Verification
    private let database: Database
    private var source: KnownSource
    private var result: SessionReconciliation
    private var before: [Finding] = []
    private var after: [Finding] = []
    private var hasChanged = false

    init(
        _ path: FilePath, root: Int64?, look: SessionLook, verification: Verification, in database: Database
    ) throws {
        self.look = look
        self.verification = verification
        self.database = database
        if let known = try KnownSource(database, at: path) {
            source = known
            result = SessionReconciliation(.updated)
        } else {
            source = try KnownSource.insert(path, in: database)
            result = SessionReconciliation(.added)
        }
        guard let root, source.rootID != root else { return }
        try source.move(to: root, in: database)
        hasChanged = true
    }

    private var findings: FindingRows { FindingRows(source: source.id, database: database) }

    mutating func run() throws -> SessionReconciliation {
        if source.isCurrent(look, verification), result.outcome != .added { return try finish() }
        try readRecords()
        let header = try readHeader()
        try judge(header)
        try keep(.directory)
        try keep(.media)
        return try finish()
    }

    private mutating func finish() throws -> SessionReconciliation {
        let old = Set(before)
        let new = Set(after)
        result.newFindings = JournalLayout.session.sorted(new.subtracting(old))
        result.goneFindings = JournalLayout.session.sorted(old.subtracting(new))
        result.findingCount = try findings.count()
        result.isSettled = source.isSettled
        let hasNews = hasChanged || !result.newFindings.isEmpty || !result.goneFindings.isEmpty
        if result.outcome != .added { result.outcome = hasNews ? .updated : .unchanged }
        return result
    }

    // MARK: - Files of records

    private mutating func readRecords() throws {
        for kind in RecordKind.lines {
            let slot = FileSlot(kind)
            if source.isCurrent(slot, look[slot], verification) { continue }
            let reader = RecordFileReader(
                kind: kind, session: look.session, source: source.id, verification: verification,
                database: database)
            let outcome = try reader.reconcile(source[slot])
            source[slot] = outcome.known
            if outcome.isDeferring { try settleIDs(of: slot) }
            before += outcome.before
            after += outcome.after
            if outcome.addedCount > 0 { result.addedRecords[kind] = outcome.addedCount }
            if outcome.isReread { result.rereadFiles.append(kind) }
            hasChanged = hasChanged || outcome.addedCount > 0 || outcome.isReread || outcome.removedCount > 0
            if kind == .timeline { try readPauses() }
        }
    }

    private mutating func readPauses() throws {
        let timeline = try FactsQuery(source: source, database: database).timeline()
        let rows = PauseRows(source: source.id, database: database)
        if try rows.replace(with: PauseReader(timeline)) { hasChanged = true }
    }

    /// Takes the lines that a long file supersedes itself off its count; those of other files are settled already.
    private mutating func settleIDs(of slot: FileSlot) throws {
        guard var file = source[slot] else { return }
        file.idCount -= try RecordWriter.settleIDs(of: source.id, in: database)
        try file.update(in: database)
        source[slot] = file
    }

    // MARK: - session.json

    private mutating func readHeader() throws -> OpenSession.Header {
        let time = SystemTime.now()
        let header = try look.session.header()
        var file = try source[.session] ?? .insert(.session, of: source.id, in: database)
        let isProven = header.identity.map { !$0.isTooFresh(at: time) } ?? false
        let identity = header.identity.map(IndexedIdentity.init)
        if file.identity != identity || file.isProven != isProven {
            file.identity = identity
            file.isProven = isProven
            try file.update(in: database)
        }
        source[.session] = file
        let row = SessionRow(header.session)
        if try SessionRow(database, of: source.id) != row {
            try row.write(of: source.id, in: database)
            hasChanged = true
        }
        return header
    }

    // MARK: - Across lines and files

    private mutating func judge(_ header: OpenSession.Header) throws {
        let facts = try FactsQuery(source: source, database: database).facts(of: header.session) { paths in
            try directory(mediaPaths: paths)
        }
        let new = JournalLayout.session.sorted(header.findings + facts.findings())
        let old = JournalLayout.session.sorted(try findings.list(.session))
        guard new != old else { return }
        try findings.delete(.session)
        for finding in new { try findings.insert(finding, file: nil) }
        before += old
        after += new
    }

    /// Looks at the directory; media whose state is known and can't have changed are not looked at again.
    private func directory(mediaPaths: Set<String>) throws -> SessionFacts.Directory {
        let rows = MediaRows(source: source.id, database: database)
        let known = try rows.states()
        var kept: [String: SessionFacts.MediaState] = [:]
        if let media = source[.media], media.isProven,
            media.identity == look[.media].identity.map(IndexedIdentity.init)
        {
            kept = known.filter { mediaPaths.contains($0.key) && MediaRows.liesInMedia($0.key) }
        }
        let open = mediaPaths.filter { kept[$0] == nil }
        var contents = try look.session.contents(mediaPaths: open)
        contents.media.merge(kept) { new, _ in new }
        if contents.media != known { try rows.replace(with: contents.media) }
        return contents
    }

    /// Writes down the state in which the directory, or its `media`, was looked at.
    private mutating func keep(_ slot: FileSlot) throws {
        guard look[slot] != .absent else {
            try source[slot]?.delete(from: database)
            source[slot] = nil
            return
        }
        var file = try source[slot] ?? .insert(slot, of: source.id, in: database)
        let seen = look[slot].identity
        let isProven = seen.map { !$0.isTooFresh(at: look.time) } ?? false
        let identity = seen.map(IndexedIdentity.init)
        if file.identity != identity || file.isProven != isProven {
            file.identity = identity
            file.isProven = isProven
            try file.update(in: database)
        }
        source[slot] = file
    }
}
