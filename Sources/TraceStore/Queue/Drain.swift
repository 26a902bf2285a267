public import SystemPackage
public import TraceFormat

/// Moves what waits in the spools into the sessions, each record exactly once.
///
/// The steps of an entry, in this order, each safe to repeat: audio durable in `media/` → line durable → `session.json` →
/// ledger → entry moved to `done/`. A kill at any instruction in between, and another drain, ends in the same state as an
/// undisturbed one. One drain of a state directory runs at a time.
///
/// Source: design.md, section 6.
public struct Drain {
    private let directories: QueueDirectories
    private let runtimeDirectory: FilePath?
    private let locate: (ULID) -> [FilePath]
    private let now: @Sendable () -> Timestamp
    /// What tests make happen between the steps.
    package var stepHook: StepHook?

    /// - Parameter locate: The directories of the sessions that bear an id; an offline root's are not among them.
    public init(
        _ directories: QueueDirectories, runtimeDirectory: FilePath? = nil,
        now: @escaping @Sendable () -> Timestamp = { Clock.now() }, locate: @escaping (ULID) -> [FilePath]
    ) {
        self.directories = directories
        self.runtimeDirectory = runtimeDirectory
        self.locate = locate
        self.now = now
    }

    /// Drains every spool.
    ///
    /// - Parameters:
    ///   - shouldStop: Is asked now and then between entries; what is left stays in the spools.
    ///   - report: Is told of each spool that can't be listed; the others are drained all the same.
    /// - Returns: What became of each entry; one that fails does not stop the others.
    /// - Throws: ``StoreError`` where the state directory can't be used, `.sessionLocked` while another drain runs.
    public func run(
        shouldStop: () -> Bool = { false }, report: (StoreError) -> Void = { _ in }
    ) throws -> [DrainOutcome] {
        var waiting: [(Spool, Spool.File)] = []
        for spool in directories.spools {
            do {
                // Only this machine's own writers leave such files where they are killed; their names bear ids that are
                // never minted again, so no later writer would clean up after them.
                if spool == directories.local { try spool.removeLeftovers() }
                waiting += try spool.files().map { (spool, $0) }
            } catch {
                report(StoreError(caught: error))
            }
        }
        guard !waiting.isEmpty else { return [] }
        try OpenDirectory.make(directories.state)
        return try DirectoryLock.holding(
            directories.state, runtimeDirectory: runtimeDirectory, stepHook: stepHook
        ) { lock in
            try lock.removeLeftovers()
            var run = DrainRun(
                directories: directories, runtimeDirectory: runtimeDirectory, now: now, stepHook: stepHook,
                ledger: try Ledger(in: lock))
            return run.drain(waiting, locate: locate, shouldStop: shouldStop)
        }
    }
}

/// One run of a drain, while the state directory is locked.
private struct DrainRun {
    let directories: QueueDirectories
    let runtimeDirectory: FilePath?
    let now: @Sendable () -> Timestamp
    let stepHook: StepHook?
    var ledger: Ledger

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
        /// The lines that bear an id of the batch.
        var lines: [ULID: [Standing]]
        /// The entries of the batch of which it is not known whether their lines stand.
        var failures: [ULID: StoreError] = [:]
    }

    /// A line that bears the id of an entry already.
    struct Standing {
        let kind: RecordKind
        let line: [UInt8]
    }

    mutating func drain(
        _ files: [(Spool, Spool.File)], locate: (ULID) -> [FilePath], shouldStop: () -> Bool
    ) -> [DrainOutcome] {
        var outcomes: [DrainOutcome] = []
        var ready: [FilePath: [Ready]] = [:]
        var order: [FilePath] = []
        for (spool, file) in files {
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
            // A session's lock is given back now and then, so that a person who marks it need not wait for a long queue.
            var rest = (ready[session] ?? [])[...]
            while !rest.isEmpty, !shouldStop() {
                outcomes += apply(Array(rest.prefix(Self.batchSize)), to: session)
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
                DrainOutcome(id: file.id, spool: spool.path, entry: entry, session: session, result: result))
        }
        do {
            let entry = try spool.read(file)
            let sessions = locate(entry.sessionID)
            guard let session = sessions.first else {
                return settled(.waiting("its session \(entry.sessionID) is not here"), entry)
            }
            guard sessions.count == 1 else {
                return settled(.waiting("several directories hold session \(entry.sessionID)"), entry)
            }
            return .ready(session, entry)
        } catch let error as FormatError where error.code == .jsonMalformed {
            return settled(.waiting("the entry is not whole: \(error.message)"))
        } catch let error as FormatError where error.code == .recordInvalid {
            return settled(reject(file, in: spool, nil, .rejected(error.message)))
        } catch let error as StoreError where error.code == .notFound {
            return .taken
        } catch {
            return settled(.failed(StoreError(caught: error)))
        }
    }

    // MARK: - Writing

    private mutating func apply(_ batch: [Ready], to session: FilePath) -> [DrainOutcome] {
        func outcome(_ ready: Ready, _ result: DrainOutcome.Result) -> DrainOutcome {
            DrainOutcome(
                id: ready.file.id, spool: ready.spool.path, entry: ready.entry, session: session,
                result: result)
        }
        var results: [(Ready, DrainOutcome.Result)] = []
        do {
            var writer = SessionWriter(session, runtimeDirectory: runtimeDirectory)
            writer.stepHook = stepHook
            results = try writer.locked { locked in
                var target = try target(of: batch, in: locked)
                let results = batch.map { ($0, write($0, to: &target)) }
                try updateHeader(for: results, in: locked)
                return results
            }
        } catch {
            return batch.map { outcome($0, .failed(StoreError(caught: error))) }
        }
        return results.map { ready, result in outcome(ready, finish(ready, result)) }
    }

    /// Looks at the session once for the whole batch. Every file is read, since an id is one record's of the session,
    /// whatever its kind.
    private func target(of batch: [Ready], in session: LockedSession) throws -> Target {
        let ids = Set(batch.map(\.file.id))
        for kind in Set(batch.map(\.entry.kind.recordKind)) {
            try session.finishLastLine(of: kind) { $0.map(ids.contains) ?? false }
        }
        var lines: [ULID: [Standing]] = [:]
        for kind in RecordKind.lines {
            for (id, found) in try session.lines(of: ids, in: kind) {
                lines[id, default: []] += found.map { Standing(kind: kind, line: $0) }
            }
        }
        let header = try OpenSession(session.directory).readableHeader()
        return Target(session: session, id: header.session.id, lines: lines)
    }

    /// The first steps: audio durable, line durable.
    private func write(_ ready: Ready, to target: inout Target) -> DrainOutcome.Result {
        let entry = ready.entry
        let kind = entry.kind.recordKind
        guard target.id == entry.sessionID else {
            return .waiting("its session \(entry.sessionID) is not here")
        }
        if let failure = target.failures[entry.id] { return .failed(failure) }
        let lines = target.lines[entry.id] ?? []
        do {
            if lines.contains(where: { $0.kind == kind && JSONText.isEquivalent($0.line, entry.payload) }) {
                try target.session.directory.makeDurable(kind.component)
                return .alreadyApplied
            }
            if ledger.contains(entry.id) {
                guard ledger.contains(entry) else {
                    return .conflict("another entry of this id was applied before")
                }
                // A record that was applied and then edited bears the id with other words.
                return lines.contains { $0.kind == kind } ? .alreadyApplied : .recordVanished
            }
            if let other = lines.first {
                return .conflict("another \(other.kind.noun) in the session has this id")
            }
            if let waiting = try placeAudio(ready, in: target.session) { return .waiting(waiting) }
            _ = try target.session.append(entry.payload, to: kind)
            // The next of the batch may be the same entry, out of another spool.
            target.lines[entry.id] = [Standing(kind: kind, line: entry.payload)]
            return .applied
        } catch let error as StoreError where error.code == .invalidData {
            return .rejected(error.message)
        } catch {
            let failure = StoreError(caught: error)
            target.failures[entry.id] = failure
            return .failed(failure)
        }
    }

    /// - Returns: What the entry must wait for, or nil.
    private func placeAudio(_ ready: Ready, in session: LockedSession) throws -> String? {
        guard let attachment = ready.entry.attachment, let path = try ready.entry.mediaPath() else {
            return nil
        }
        let missing = "its audio '\(attachment.name)' is not here"
        guard let name = try ready.spool.name(of: attachment) else { return missing }
        let source = ready.spool.path.appending(name)
        do {
            _ = try session.directory.placeMedia(
                from: source, to: FilePath(path), expectedSHA256: attachment.sha256,
                expectedSize: attachment.size)
            return nil
        } catch let error as StoreError {
            switch error.code {
            case .notFound where error.path == source: return missing
            case .verificationFailed, .changedMeanwhile: return "its audio '\(attachment.name)' is not whole"
            default: throw error
            }
        }
    }

    /// The third step, once for the batch.
    private func updateHeader(for results: [(Ready, DrainOutcome.Result)], in session: LockedSession) throws {
        let written = results.filter { $0.1.isWritten }
        guard !written.isEmpty else { return }
        let hasVoiceNote = written.contains { $0.0.entry.kind == .voiceNote }
        // A run that was killed after the line has left the header to this one; a finished one has left nothing to do.
        let isNew = written.contains {
            if case .applied = $0.1 { true } else { !ledger.contains($0.0.entry.id) }
        }
        guard isNew else { return }
        try session.touch(after: "the records stand", now: now()) { editor in
            if hasVoiceNote {
                try editor.set("voice_notes_path", to: JSONText(RecordKind.voiceNote.fileName))
            }
        }
    }

    /// The last steps: ledger, and the entry moved away.
    private mutating func finish(_ ready: Ready, _ result: DrainOutcome.Result) -> DrainOutcome.Result {
        do {
            switch result {
            case .applied, .alreadyApplied:
                try ledger.add(ready.entry, at: now())
                try move(ready, to: directories.done)
            case .recordVanished: try move(ready, to: directories.done)
            case .conflict, .rejected: return reject(ready.file, in: ready.spool, ready.entry, result)
            case .waiting, .failed: break
            }
            return result
        } catch {
            return .failed(StoreError(caught: error))
        }
    }

    private func move(_ ready: Ready, to destination: FilePath) throws {
        try move(
            audio(of: ready.entry, in: ready.spool) + [ready.file.name], from: ready.spool, to: destination)
    }

    private func audio(of entry: SpoolEntry, in spool: Spool) throws -> [FilePath.Component] {
        try entry.attachment.flatMap(spool.name(of:)).map { [$0] } ?? []
    }

    /// Moves the audio first: an entry that is gone from the spool says that all is done.
    private func move(_ names: [FilePath.Component], from spool: Spool, to destination: FilePath) throws {
        try OpenDirectory.make(destination)
        let source = try OpenDirectory(spool.path, stepHook: stepHook)
        let target = try OpenDirectory(destination, stepHook: stepHook)
        for name in names where try source.statusIfPresent(of: name, followingLinks: false) != nil {
            try source.moveAside(name, to: target)
        }
    }

    /// Puts an entry that can't be applied into `failed/`, the reason beside it.
    private func reject(
        _ file: Spool.File, in spool: Spool, _ entry: SpoolEntry?, _ result: DrainOutcome.Result
    ) -> DrainOutcome.Result {
        do {
            try OpenDirectory.make(directories.failed)
            let reason = JSONText.object { object in
                object.member("result", JSONText(result.name))
                object.member("reason", result.reason.map { JSONText($0) })
                object.member("spool", JSONText(spool.path.escaped))
                object.member("at", JSONText(now()))
            }
            let failed = try OpenDirectory(directories.failed, stepHook: stepHook)
            if let name = FilePath.Component("\(file.id).reason") {
                let old = try failed.statusIfPresent(of: name, followingLinks: true)?.identity
                try failed.replaceFile(name, with: reason.bytes + [0x0A], expecting: old)
            }
            let audio = try entry.map { try self.audio(of: $0, in: spool) } ?? spool.companions(of: file)
            try move(audio + [file.name], from: spool, to: directories.failed)
            return result
        } catch {
            return .failed(StoreError(caught: error))
        }
    }
}

extension StoreError {
    /// The error itself, or in these words what is no error of the store.
    fileprivate init(caught error: any Error) {
        self = error as? StoreError ?? StoreError(.io, "\(error)")
    }
}

extension DrainOutcome.Result {
    fileprivate var isWritten: Bool {
        switch self {
        case .applied, .alreadyApplied: true
        default: false
        }
    }
}

extension OpenDirectory {
    /// Moves a file to a directory where an older delivery of the same name may lie; that one is kept under a number.
    fileprivate func moveAside(_ name: FilePath.Component, to destination: OpenDirectory) throws {
        var target = name
        var number = 1
        while true {
            do {
                try moveFile(name, to: target, in: destination)
                return
            } catch let error as StoreError where error.code == .alreadyExists && number < 1000 {
                number += 1
                target = FilePath.Component("\(name.stem).\(number).\(name.extension ?? "json")") ?? name
            }
        }
    }
}
