internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Entries on their way into a session that is locked.
struct EntryBatch {
    private let items: [EntryWriter.Item]
    private let session: LockedSession
    private let writer: EntryWriter
    /// What `session.json` says now; the directory may be another than the one that was located.
    private let sessionID: ULID?
    /// The lines that have an id of the batch.
    private var lines: [ULID: [ExistingLine]]
    /// The entries of which it is not known whether their lines are there.
    private var failures: [ULID: any StructuredError] = [:]
    /// The kinds whose lines that were found are durable.
    private var durable: Set<RecordKind> = []
    /// The entries before those that are looked at that wait for something of their own.
    private var waiting: Set<ULID>
    /// Whether a file of the session could not be written: what is behind that waits, too.
    private var isHeldUp = false
    /// The outcome of each, as far as they have come.
    private(set) var outcomes: [EntryWriter.Written?]

    /// Looks at the session once for the whole batch: an id is one record's of the session, whatever its kind.
    ///
    /// - Throws: ``FileError``.
    init(
        _ items: [EntryWriter.Item], in session: LockedSession, by writer: EntryWriter,
        behind waiting: Set<ULID>
    ) throws {
        self.items = items
        self.waiting = waiting
        self.session = session
        self.writer = writer
        outcomes = Array(repeating: nil, count: items.count)
        let ids = Set(items.map(\.entry.id))
        let kinds = Set(items.compactMap(\.entry.kind.recordKind))
        for kind in RecordKind.lines where kinds.contains(kind) {
            try session.finishLastLine(of: kind) { $0.map(ids.contains) ?? false }
        }
        sessionID = try session.wholeHeader().id
        lines = try SessionReader(session.directory).existing(ids, by: writer.records)
    }

    // MARK: - Audio and lines

    /// The first steps of all: audio durable, line durable; the lines of a kind by one `write`, with one sync.
    ///
    /// - Throws: ``FileError`` if the ledger can't be read.
    mutating func write(shouldStop: () -> Bool) throws {
        var rest = Array(items.indices)
        while !rest.isEmpty {
            let plan = try plan(rest, shouldStop)
            append(plan.lines)
            rest = plan.rest
        }
    }

    private struct Plan {
        /// Whose lines are to be appended.
        var lines: [Int] = []
        /// Those of an id that is among these already, which are looked at again when it is there.
        var rest: [Int] = []
    }

    private mutating func plan(_ indices: [Int], _ shouldStop: () -> Bool) throws -> Plan {
        let verdicts = try writer.ledger.read { ledger in
            indices.map { index in
                let entry = items[index].entry
                return EntryVerdict(entry, existing: lines[entry.id] ?? [], ledger)
            }
        }
        var plan = Plan()
        var planned: Set<ULID> = []
        for (index, verdict) in zip(indices, verdicts) {
            if shouldStop() { return Plan(lines: plan.lines) }
            let entry = items[index].entry
            if isHeldUp {
                outcomes[index] = EntryWriter.heldUp
                continue
            }
            if planned.contains(entry.id) {
                plan.rest.append(index)
                continue
            }
            guard let result = settled(items[index], verdict, shouldStop) else {
                planned.insert(entry.id)
                plan.lines.append(index)
                continue
            }
            if result.isCutShort { return Plan(lines: plan.lines) }
            if result.isPending { waiting.insert(entry.id) }
            settle(index, result, holdsUp: sessionID != entry.journalID)
        }
        return plan
    }

    /// The outcome of an entry, or nil if its line is to be appended.
    private mutating func settled(
        _ item: EntryWriter.Item, _ verdict: EntryVerdict, _ shouldStop: () -> Bool
    ) -> DrainOutcome.Result? {
        let entry = item.entry
        guard sessionID == entry.journalID else {
            return .waiting("its session \(entry.journalID) was not found")
        }
        if let failure = failures[entry.id] { return .failed(failure) }
        let isRetried = writer.retried == entry.id
        do {
            switch verdict {
            case .stands:
                if let kind = entry.kind.recordKind { try makeDurable(kind) }
                return .alreadyApplied
            case .edited: return .alreadyApplied
            case .conflict(let reason): return .conflict(reason)
            case .vanished where !isRetried: return .recordVanished
            case .removed where !isRetried: return .removed
            case .dropped where !isRetried: return .dropped
            case .new where writer.hasOtherWaiting(item):
                return .conflict("another entry with this id is waiting")
            case .new, .vanished, .removed, .dropped: break
            }
            if let other = waiting.first(where: { $0 < entry.id && entry.names($0) }) {
                return .waiting("it names the record of entry \(other), which waits")
            }
            return try placeAudio(item, shouldStop).map(DrainOutcome.Result.waiting)
        } catch let error as FileError where error.code == .invalidData {
            return .rejected(error.message)
        } catch {
            return fail(entry.id, error)
        }
    }

    /// What was found there may have been written by somebody who was killed before it was durable.
    private mutating func makeDurable(_ kind: RecordKind) throws {
        guard !durable.contains(kind) else { return }
        try session.directory.makeDurable(kind.component)
        durable.insert(kind)
    }

    private mutating func append(_ indices: [Int]) {
        do { try announce(indices) } catch {
            isHeldUp = isHeldUp || !indices.isEmpty
            for index in indices { settle(index, fail(items[index].entry.id, error), holdsUp: true) }
            return
        }
        // Where the first one is that could not be written.
        var end = Int.max
        for kind in RecordKind.lines {
            let ofKind = indices.filter { items[$0].entry.kind.recordKind == kind }
            let indices = ofKind.filter { $0 < end }
            for index in ofKind where index >= end { outcomes[index] = EntryWriter.heldUp }
            guard !indices.isEmpty else { continue }
            // They were checked when the entries were read.
            let payloads = indices.map { items[$0].entry.payload }
            do {
                let text = Array((payloads + [[]]).joined(separator: [newline]))
                _ = try session.append(together: text, count: payloads.count, to: kind)
                for index in indices {
                    lines[items[index].entry.id] = [
                        ExistingLine(kind: kind, line: items[index].entry.payload)
                    ]
                    settle(index, .applied)
                }
            } catch {
                isHeldUp = true
                end = min(end, indices.min() ?? end)
                for index in indices { settle(index, fail(items[index].entry.id, error), holdsUp: true) }
            }
        }
    }

    /// Notes who delivers the lines that are about to be appended.
    private func announce(_ indices: [Int]) throws {
        let delivered = indices.compactMap { index in
            items[index].deliverer.map { (entry: items[index].entry, deliverer: $0) }
        }
        if !delivered.isEmpty { try writer.ledger.announce(delivered, at: writer.now()) }
    }

    private mutating func fail(_ id: ULID, _ error: any Error) -> DrainOutcome.Result {
        let failure = error.structured
        failures[id] = failure
        return .failed(failure)
    }

    private mutating func settle(_ index: Int, _ result: DrainOutcome.Result, holdsUp: Bool = false) {
        let entry = items[index].entry
        // Of several lines of an id, the last one counts.
        let line =
            result.isWritten ? lines[entry.id]?.last { $0.kind == entry.kind.recordKind }?.line : nil
        outcomes[index] = EntryWriter.Written(
            result: result, line: line, holdsUp: holdsUp && result.isPending)
    }

    // MARK: - Audio

    /// - Returns: What the entry must wait for, or nil.
    private func placeAudio(_ item: EntryWriter.Item, _ shouldStop: () -> Bool) throws -> String? {
        guard let attachment = item.entry.attachment, let path = item.entry.mediaPath else { return nil }
        // However long it waits, nothing is ever written elsewhere.
        let target = try writer.formats.audioPath(path, in: session.directory.path)
        let missing = MissingAudio.absent.reason(attachment)
        guard let source = try writer.place(of: attachment, item.audio) else {
            return try isPlaced(attachment, at: path) ? nil : missing
        }
        guard let checksum = attachment.sha256 else {
            return MissingAudio.unknown.reason(attachment)
        }
        do {
            try withoutActuallyEscaping(shouldStop) { shouldStop in
                _ = try session.directory.placeMedia(
                    from: source, to: target, expectedSHA256: checksum,
                    expectedSize: attachment.size, followsLink: false
                ) { (_, _) throws(Errno) in if shouldStop() { throw .canceled } }
            }
            return nil
        } catch let error as FileError {
            switch error.code {
            case .notFound where error.path == source: return missing
            case .leavesSession where error.path == source, .notRegularFile where error.path == source:
                return
                    "its audio '\(attachment.name)' is not a regular file; put the file itself in its place"
            case .verificationFailed, .changedMeanwhile: return MissingAudio.incomplete.reason(attachment)
            default: throw error
            }
        }
    }

    /// Whether the audio is where the record says, durable: a record that is put back may find it there.
    private func isPlaced(_ attachment: SpoolEntry.Attachment, at path: String) throws -> Bool {
        guard let checksum = attachment.sha256, let components = MediaPath.components(of: path),
            let name = components.last
        else { return false }
        var directory = session.directory
        for component in components.dropLast() {
            guard try directory.statusIfPresent(of: component, followingLinks: false)?.kind == .directory
            else { return false }
            directory = try directory.openDirectory(component)
        }
        guard let found = try directory.statusIfPresent(of: name, followingLinks: false),
            found.kind == .regular, found.identity.size == attachment.size,
            try directory.sha256(ofUnlinked: name) == checksum
        else { return false }
        try directory.makeDurable(name)
        return true
    }

    // MARK: - Header and ledger

    /// What could not be finished fails: the records are there, and who brings the entries again does the rest.
    private mutating func finish(
        _ step: ([(item: EntryWriter.Item, result: DrainOutcome.Result)]) throws -> Void
    ) {
        let written = outcomes.written
        guard !written.isEmpty else { return }
        do {
            try step(written.map { (items[$0.index], $0.result) })
        } catch {
            let failure = error.structured
            for (index, _) in written {
                outcomes[index] = EntryWriter.Written(result: .failed(failure), holdsUp: true)
            }
        }
    }

    /// The third step, once for the batch.
    mutating func updateHeader() {
        let isApplied = outcomes.contains { if case .applied? = $0?.result { true } else { false } }
        let (session, writer) = (session, writer)
        finish { written in
            // A run that was killed after the line has left the header to this one; a finished one has left
            // nothing to do.
            let isNew =
                try isApplied
                || writer.ledger.read { ledger in written.contains { !ledger.contains($0.item.entry.id) } }
            guard isNew else { return }
            let hasVoiceNote = written.contains { $0.item.entry.kind == .voiceNote }
            try session.touch(after: "the records were written", now: writer.now()) { editor in
                if hasVoiceNote { try editor.nameVoiceNotes() }
            }
        }
    }

    /// The last step, once for the batch.
    mutating func noteInLedger() {
        let writer = writer
        finish { try writer.note($0) }
    }
}

extension SpoolEntry {
    /// Whether its record names that of another entry, as a voice note and its marker do.
    fileprivate func names(_ id: ULID) -> Bool {
        let isNamed = try? JSONParser().withParsed(payload) { root in
            [root[name: "marker_id"], root[name: "voice_note_id"]].contains {
                $0?.utf8.flatMap(ULID.init(bytes:)) == id
            }
        }
        return isNamed ?? false
    }
}
