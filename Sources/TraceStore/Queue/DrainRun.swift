internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// One run of a drain, while the state directory is locked.
struct DrainRun {
    let directories: QueueDirectories
    let now: @Sendable () -> Timestamp
    let failPoint: FailPoint?
    var writer: EntryWriter

    /// An entry that can be written now.
    struct Ready {
        let spool: Spool
        let file: Spool.File
        let entry: SpoolEntry
    }

    /// Writes entries, those of one journal in the order of the files: once one can't be written, those behind it wait. One that waits for
    /// something of its own, such as audio or the rest of its file, holds up only what names its record.
    ///
    /// - Parameter heldUp: The first entry of a journal that is not tried in this run, though it waits there; by the journal's directory.
    func drain(
        _ files: [(Spool, Spool.File)], locate: @escaping (ULID) -> [FilePath],
        behind heldUp: [FilePath: ULID] = [:], shouldStop: () -> Bool
    ) -> [DrainOutcome] {
        var outcomes: [DrainOutcome] = []
        var ready: [FilePath: [Ready]] = [:]
        var order: [FilePath] = []
        var places = SessionPlaces(locate)
        for (spool, file) in files {
            if shouldStop() { break }
            switch classify(file, in: spool, &places) {
            case .ready(let session, let entry):
                if let first = heldUp[session], first < entry.id {
                    outcomes.append(
                        outcome(Ready(spool: spool, file: file, entry: entry), EntryWriter.heldUp, session))
                    continue
                }
                if ready[session] == nil { order.append(session) }
                ready[session, default: []].append(Ready(spool: spool, file: file, entry: entry))
            case .settled(let outcome):
                outcomes.append(outcome)
            case .taken:
                continue
            }
        }
        let unread = Set(outcomes.lazy.filter { $0.entry == nil && $0.result.isPending }.map(\.id))
        for session in order {
            var waiting = unread
            var rest = (ready[session] ?? [])[...]
            while !rest.isEmpty, !shouldStop() {
                let batch = Array(rest.prefix(EntryWriter.batchSize))
                let done = apply(batch, to: session, behind: waiting, shouldStop: shouldStop)
                outcomes += done
                rest = rest.dropFirst(EntryWriter.batchSize)
                if done.contains(where: \.holdsUp) {
                    outcomes += rest.map { outcome($0, EntryWriter.heldUp, session) }
                    break
                }
                waiting.formUnion(done.lazy.filter(\.result.isPending).map(\.id))
            }
        }
        return outcomes.sorted { $0.id < $1.id }
    }

    // MARK: - What can be written

    private enum Class {
        case ready(FilePath, SpoolEntry)
        case settled(DrainOutcome)
        /// Another process has it.
        case taken
    }

    private func classify(
        _ file: Spool.File, in spool: Spool, _ places: inout SessionPlaces
    ) -> Class {
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
            let session: FilePath
            switch writer.place(of: entry, deliveredBy: deliverer(of: entry, in: spool), among: &places) {
            case .found(let path): session = path
            case .unknown(let reason): return settled(.waiting(reason), entry)
            case .settled(let result):
                let ready = Ready(spool: spool, file: file, entry: entry)
                return settled(finish(ready, result, shouldStop: { false }), entry)
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
            return settled(.failed(error.structured))
        }
    }

    // MARK: - Writing

    /// - Returns: The outcome of the entries; those that a stop has cut off, at whatever step, are left to the next run.
    private func apply(
        _ batch: [Ready], to session: FilePath, behind waiting: Set<ULID>, shouldStop: () -> Bool
    ) -> [DrainOutcome] {
        do {
            let items = batch.map { ready in
                EntryWriter.Item(
                    entry: ready.entry, audio: .beside(ready.spool),
                    deliverer: deliverer(of: ready.entry, in: ready.spool))
            }
            let written = try writer.write(
                items, to: session, behind: waiting, shouldStop: shouldStop)
            var outcomes: [DrainOutcome] = []
            for case (let ready, var written?) in zip(batch, written) {
                if shouldStop() { break }
                written.result = finish(ready, written.result, shouldStop: shouldStop)
                if written.result.isCutShort { break }
                outcomes.append(outcome(ready, written, session))
            }
            return outcomes
        } catch {
            let failed = EntryWriter.Written(result: .failed(error.structured), holdsUp: true)
            return batch.map { outcome($0, failed, session) }
        }
    }

    /// Who delivered an entry over the network, where that can be known: a device's spool is written by the device.
    private func deliverer(of entry: SpoolEntry, in spool: Spool) -> Deliverer? {
        spool == directories.local ? entry.deliveredBy : nil
    }

    private func outcome(
        _ ready: Ready, _ written: EntryWriter.Written, _ session: FilePath
    ) -> DrainOutcome {
        DrainOutcome(
            id: ready.file.id, spool: ready.spool.path, name: ready.file.name, entry: ready.entry,
            session: session, result: written.result, holdsUp: written.holdsUp)
    }

    /// The last step: the entry moved away.
    private func finish(
        _ ready: Ready, _ result: DrainOutcome.Result, shouldStop: () -> Bool
    ) -> DrainOutcome.Result {
        do {
            switch result {
            case .applied, .alreadyApplied, .recordVanished, .removed:
                try move(ready, to: directories.done, shouldStop: shouldStop)
            case .dropped: try move(ready, to: directories.dropped, shouldStop: shouldStop)
            case .conflict, .changedMeanwhile, .rejected:
                return reject(ready.file, in: ready.spool, ready.entry, result, shouldStop: shouldStop)
            case .waiting, .failed: break
            }
            return result
        } catch {
            return .failed(error.structured)
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
                object.member(result.conflicts)
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
            return .failed(error.structured)
        }
    }
}
