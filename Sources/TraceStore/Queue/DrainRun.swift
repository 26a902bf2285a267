internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat

/// One run of a drain, while the state directory is locked.
struct DrainRun {
    let directories: QueueDirectories
    let runtimeDirectory: FilePath?
    let lockTimeout: Duration
    let now: @Sendable () -> Timestamp
    let failPoint: FailPoint?
    let ledger: Ledger
    /// What tells where records are without reading the session.
    let records: (any RecordLookup)?

    /// The one entry that is tried again on purpose: written even if its record was removed, or the entry
    /// dropped.
    var retried: ULID?

    /// An entry that can be written now.
    struct Ready {
        let spool: Spool
        let file: Spool.File
        let entry: SpoolEntry
    }

    /// The session that a batch goes to.
    struct Target {
        let session: LockedSession
        /// What `session.json` says now; the directory may be another than the one that was located.
        let id: ULID?
        /// The lines that have an id of the batch.
        var lines: [ULID: [ExistingLine]]
        /// The entries of the batch of which it is not known whether their lines stand.
        var failures: [ULID: FileError] = [:]
    }

    mutating func drain(
        _ files: [(Spool, Spool.File)], locate: (ULID) -> [FilePath], shouldStop: () -> Bool
    ) -> [DrainOutcome] {
        var outcomes: [DrainOutcome] = []
        var ready: [FilePath: [Ready]] = [:]
        var order: [FilePath] = []
        for (spool, file) in files {
            if shouldStop() { break }
            switch classify(file, in: spool, locate: locate) {
            case .ready(let session, let entry):
                if ready[session] == nil { order.append(session) }
                ready[session, default: []].append(Ready(spool: spool, file: file, entry: entry))
            case .settled(let outcome):
                outcomes.append(outcome)
            case .taken:
                continue
            }
        }
        for session in order {
            // A session's lock is given back now and then, so that a person who marks it need not wait for a
            // long queue.
            var rest = (ready[session] ?? [])[...]
            while !rest.isEmpty, !shouldStop() {
                outcomes += apply(Array(rest.prefix(Self.batchSize)), to: session, shouldStop: shouldStop)
                rest = rest.dropFirst(Self.batchSize)
            }
        }
        return outcomes.sorted { $0.id < $1.id }
    }

    private static let batchSize = 64

    // MARK: - What can be written

    private enum Class {
        case ready(FilePath, SpoolEntry)
        case settled(DrainOutcome)
        /// Another process has it.
        case taken
    }

    private func classify(_ file: Spool.File, in spool: Spool, locate: (ULID) -> [FilePath]) -> Class {
        func settled(_ result: DrainOutcome.Result, _ entry: SpoolEntry? = nil, _ session: FilePath? = nil)
            -> Class
        {
            .settled(
                DrainOutcome(
                    id: file.id, spool: spool.path, name: file.name, entry: entry, session: session,
                    result: result))
        }
        do {
            let entry = try spool.read(file)
            let sessions = locate(entry.sessionID)
            guard let session = sessions.first else {
                return settled(.waiting("its session \(entry.sessionID) was not found"), entry)
            }
            guard sessions.count == 1 else {
                return settled(.waiting("several directories hold session \(entry.sessionID)"), entry)
            }
            return .ready(session, entry)
        } catch let error as FormatError where error.code == .jsonMalformed {
            return settled(.waiting("the entry is incomplete: \(error.message)"))
        } catch let error as FormatError where error.code == .recordInvalid {
            return settled(reject(file, in: spool, nil, .rejected(error.message)))
        } catch let error as FileError where error.code == .notFound {
            return .taken
        } catch let error as FileError where error.code == .leavesSession {
            return settled(.waiting("the entry is a link; put the file itself in its place"))
        } catch {
            return settled(.failed(FileError(caught: error)))
        }
    }

    // MARK: - Writing

    /// - Returns: The outcome of the entries; those that a stop has cut off, at whatever step, are left to the next run.
    private mutating func apply(
        _ batch: [Ready], to session: FilePath, shouldStop: () -> Bool
    ) -> [DrainOutcome] {
        func outcome(_ ready: Ready, _ result: DrainOutcome.Result) -> DrainOutcome {
            DrainOutcome(
                id: ready.file.id, spool: ready.spool.path, name: ready.file.name, entry: ready.entry,
                session: session, result: result)
        }
        var results: [(Ready, DrainOutcome.Result)] = []
        do {
            var writer = SessionWriter(session, runtimeDirectory: runtimeDirectory)
            writer.failPoint = failPoint
            writer.lockTimeout = lockTimeout
            results = try writer.locked { locked in
                var target = try target(of: batch, in: locked)
                var results: [(Ready, DrainOutcome.Result)] = []
                for ready in batch {
                    if shouldStop() { break }
                    let result = write(ready, to: &target, shouldStop: shouldStop)
                    if result.isCutShort { break }
                    results.append((ready, result))
                }
                return updatingHeader(for: results, in: locked)
            }
        } catch {
            return batch.map { outcome($0, .failed(FileError(caught: error))) }
        }
        var outcomes: [DrainOutcome] = []
        for (ready, result) in results {
            if shouldStop() { break }
            let end = finish(ready, result, shouldStop: shouldStop)
            if end.isCutShort { break }
            outcomes.append(outcome(ready, end))
        }
        return outcomes
    }

    /// Looks at the session once for the whole batch. Every file is read, since an id is one record's of the
    /// session, whatever its kind.
    private func target(of batch: [Ready], in session: LockedSession) throws -> Target {
        let ids = Set(batch.map(\.file.id))
        for kind in Set(batch.map(\.entry.kind.recordKind)) {
            try session.finishLastLine(of: kind) { $0.map(ids.contains) ?? false }
        }
        let header = try session.wholeHeader()
        return Target(
            session: session, id: header.id,
            lines: try SessionReader(session.directory).existing(ids, by: records))
    }

    /// The first steps: audio durable, line durable.
    private func write(
        _ ready: Ready, to target: inout Target, shouldStop: () -> Bool
    ) -> DrainOutcome.Result {
        let entry = ready.entry
        let kind = entry.kind.recordKind
        guard target.id == entry.sessionID else {
            return .waiting("its session \(entry.sessionID) was not found")
        }
        if let failure = target.failures[entry.id] { return .failed(failure) }
        let lines = target.lines[entry.id] ?? []
        do {
            switch EntryVerdict(entry, existing: lines, ledger.contents) {
            case .stands:
                try target.session.directory.makeDurable(kind.component)
                return .alreadyApplied
            case .edited: return .alreadyApplied
            case .conflict(let reason): return .conflict(reason)
            case .vanished where retried != entry.id: return .recordVanished
            case .removed where retried != entry.id: return .removed
            case .dropped where retried != entry.id: return .dropped
            case .new, .vanished, .removed, .dropped: break
            }
            if let waiting = try placeAudio(ready, in: target.session, shouldStop: shouldStop) {
                return .waiting(waiting)
            }
            // It was checked when the entry was read.
            _ = try target.session.append(checked: entry.payload, entry.id, to: kind)
            // The next of the batch may be the same entry, out of another spool.
            target.lines[entry.id] = [ExistingLine(kind: kind, line: entry.payload)]
            return .applied
        } catch let error as FileError where error.code == .invalidData {
            return .rejected(error.message)
        } catch {
            let failure = FileError(caught: error)
            target.failures[entry.id] = failure
            return .failed(failure)
        }
    }

    /// - Returns: What the entry must wait for, or nil.
    private func placeAudio(
        _ ready: Ready, in session: LockedSession, shouldStop: () -> Bool
    ) throws -> String? {
        guard let attachment = ready.entry.attachment, let path = ready.entry.mediaPath else {
            return nil
        }
        let missing = "its audio '\(attachment.name)' is missing"
        guard let source = try audio(attachment, in: ready.spool) else { return missing }
        do {
            try withoutActuallyEscaping(shouldStop) { shouldStop in
                _ = try session.directory.placeMedia(
                    from: source, to: MediaPath.forWriting(path), expectedSHA256: attachment.sha256,
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
            case .verificationFailed, .changedMeanwhile: return "its audio '\(attachment.name)' is incomplete"
            default: throw error
            }
        }
    }

    /// Where an entry's audio lies: beside it, or where an entry that shares it took it.
    private func audio(_ attachment: SpoolEntry.Attachment, in spool: Spool) throws -> FilePath? {
        let keeping = [directories.done, directories.failed, directories.dropped]
        if !keeping.contains(spool.path), let name = try spool.name(of: attachment) {
            return spool.path.appending(name)
        }
        for kept in keeping {
            if let name = try Spool(kept).keptName(of: attachment) { return kept.appending(name) }
        }
        return nil
    }

    /// The third step, once for the batch.
    ///
    /// - Returns: The results; where `session.json` can't be updated, the entries whose records stand stay in their spool, and
    ///   the next drain, which finds the records, does the rest.
    private func updatingHeader(
        for results: [(Ready, DrainOutcome.Result)], in session: LockedSession
    ) -> [(Ready, DrainOutcome.Result)] {
        do {
            try updateHeader(for: results.filter { $0.1.isWritten }, in: session)
            return results
        } catch {
            let failure = FileError(caught: error)
            return results.map { $0.1.isWritten ? ($0.0, .failed(failure)) : $0 }
        }
    }

    private func updateHeader(for written: [(Ready, DrainOutcome.Result)], in session: LockedSession) throws {
        guard !written.isEmpty else { return }
        let hasVoiceNote = written.contains { $0.0.entry.kind == .voiceNote }
        // A run that was killed after the line has left the header to this one; a finished one has left
        // nothing to do.
        let isNew = written.contains {
            if case .applied = $0.1 { true } else { !ledger.contains($0.0.entry.id) }
        }
        guard isNew else { return }
        try session.touch(after: "the records were written", now: now()) { editor in
            if hasVoiceNote { try editor.nameVoiceNotes() }
        }
    }

    /// The last steps: ledger, and the entry moved away.
    private mutating func finish(
        _ ready: Ready, _ result: DrainOutcome.Result, shouldStop: () -> Bool
    ) -> DrainOutcome.Result {
        do {
            switch result {
            case .applied, .alreadyApplied:
                try ledger.add(ready.entry, at: now())
                try move(ready, to: directories.done, shouldStop: shouldStop)
            case .recordVanished, .removed: try move(ready, to: directories.done, shouldStop: shouldStop)
            case .dropped: try move(ready, to: directories.dropped, shouldStop: shouldStop)
            case .conflict, .rejected:
                return reject(ready.file, in: ready.spool, ready.entry, result, shouldStop: shouldStop)
            case .waiting, .failed: break
            }
            return result
        } catch {
            return .failed(FileError(caught: error))
        }
    }

    private func move(_ ready: Ready, to destination: FilePath, shouldStop: () -> Bool) throws {
        try ready.spool.move(
            ready.file, ready.entry, to: destination, failPoint: failPoint, shouldStop: shouldStop)
    }

    /// Puts an entry that can't be applied into `failed/`, the reason beside it.
    private func reject(
        _ file: Spool.File, in spool: Spool, _ entry: SpoolEntry?, _ result: DrainOutcome.Result,
        shouldStop: () -> Bool = { false }
    ) -> DrainOutcome.Result {
        do {
            try OpenDirectory.make(directories.failed)
            let reason = JSONText.object { object in
                object.member("result", JSONText(result.name))
                object.member("reason", result.reason.map { JSONText($0) })
                object.member("spool", JSONText(spool.path.escaped))
                object.member("at", JSONText(now()))
            }
            let failed = try OpenDirectory(directories.failed, failPoint: failPoint)
            if let name = FilePath.Component("\(file.id).reason") {
                let old = try failed.statusIfPresent(of: name, followingLinks: true)?.identity
                try failed.replaceFile(name, with: reason.bytes + [0x0A], expecting: old)
            }
            try spool.move(
                file, entry, to: directories.failed, failPoint: failPoint, shouldStop: shouldStop)
            return result
        } catch {
            return .failed(FileError(caught: error))
        }
    }
}

extension FileError {
    /// The error itself, or in these words what is not an error of the store.
    init(caught error: any Error) {
        self = error as? FileError ?? FileError(.io, "\(error)")
    }
}

extension DrainOutcome.Result {
    /// Whether a stop has ended the copying of its audio.
    fileprivate var isCutShort: Bool {
        if case .failed(let failure) = self { failure.underlying == .canceled } else { false }
    }

    fileprivate var isWritten: Bool {
        switch self {
        case .applied, .alreadyApplied: true
        default: false
        }
    }
}
