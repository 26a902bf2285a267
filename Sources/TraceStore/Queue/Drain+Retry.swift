internal import RecordFormat
public import SystemPackage
internal import TraceFiles
internal import TraceFormat
package import TraceText

extension Drain {
    /// Tries one entry again: one that waits is drained alone, one that was refused or dropped goes back to
    /// the local spool and is drained, and one that was applied is put back if its record is gone.
    ///
    /// - Returns: The outcome of it.
    /// - Throws: ``StoreError`` with `.noSuchEntry`, `.ambiguousEntry`; ``FileError`` with `.alreadyExists` if another entry of the id waits,
    ///   `.sessionLocked` while a drain runs; then nothing is changed.
    /// - Note: Durable on return, and may be repeated: a kill leaves the entry where it was, or in the local
    ///   spool.
    public func retry(_ name: EntryName) throws -> DrainOutcome {
        try locked { run in
            let queued = try directories.find(name, in: [.failed, .spool, .dropped, .done])
            run.writer.retried = name.id
            var spool = queued.spool
            var file = queued.file
            if queued.place == .failed || queued.place == .dropped {
                file = try takeBack(queued)
                spool = directories.local
            }
            let outcomes = run.drain([(spool, file)], locate: locate, shouldStop: { false })
            guard let outcome = outcomes.first else {
                throw StoreError(
                    .noSuchEntry, "entry \(name) was taken by another process",
                    cure: Cure.showing(name.id))
            }
            return outcome
        }
    }

    /// Puts an entry that the user does not want into `dropped/`; delivered once more, it is not written.
    ///
    /// - Returns: Where it is now.
    /// - Throws: ``StoreError`` with `.noSuchEntry` if it neither waits nor was refused, `.ambiguousEntry`; ``FileError`` with
    ///   `.sessionLocked` while a drain runs; then nothing is changed.
    /// - Note: Durable on return. Killed in between, the entry is still where it was, and the next drain puts
    ///   it into `dropped/`.
    public func drop(_ name: EntryName) throws -> FilePath {
        try locked { run in
            let queued = try directories.find(name, in: [.failed, .spool])
            let entry = try? queued.spool.read(queued.file)
            if let entry { try run.writer.ledger.addDropped(entry, at: now()) }
            try queued.spool.move(queued.file, entry, to: directories.dropped, failPoint: failPoint)
            if queued.place == .failed { try removeReason(of: name.id) }
            return directories.dropped.appending("\(name.id).json")
        }
    }

    /// Moves an entry back to the local spool, its audio first.
    private func takeBack(_ queued: QueuedFile) throws -> Spool.File {
        let name = FilePath.Component("\(queued.file.id).json") ?? queued.file.name
        try OpenDirectory.make(directories.local.path)
        let source = try OpenDirectory(queued.spool.path, failPoint: failPoint)
        let target = try OpenDirectory(directories.local.path, failPoint: failPoint)
        if let attachment = try? queued.spool.read(queued.file).attachment,
            let kept = try queued.spool.keptName(of: attachment),
            let wanted = FilePath.Component(attachment.name)
        {
            try source.moveFile(kept, to: wanted, in: target)
        }
        try source.moveFile(queued.file.name, to: name, in: target)
        if queued.place == .failed { try removeReason(of: queued.file.id) }
        return Spool.File(id: queued.file.id, name: name)
    }

    /// Removes what says why an entry was refused, once no entry of that id is in `failed/`.
    private func removeReason(of id: ULID) throws {
        guard let name = FilePath.Component("\(id).reason"),
            try Spool(directories.failed).keptFiles(where: { $0 == id }).isEmpty
        else { return }
        try OpenDirectory(directories.failed, failPoint: failPoint).remove([name])
    }
}

extension QueueDirectories {
    /// The one file of that name in the first of these places that has any.
    ///
    /// - Throws: ``StoreError`` with `.noSuchEntry` or `.ambiguousEntry`.
    fileprivate func find(_ name: EntryName, in wanted: [QueueItem.Place]) throws -> QueuedFile {
        let found = try places.flatMap { place, spool in
            try (place == .spool ? spool.files() : spool.keptFiles()).filter(name.matches).map {
                QueuedFile(place: place, spool: spool, file: $0)
            }
        }
        for place in wanted {
            let here = found.filter { $0.place == place }
            guard let first = here.first else { continue }
            if here.count > 1, Set(here.map(\.file.name)).count == here.count {
                let names = here.map(\.file.name.string).joined(separator: ", ")
                throw StoreError(
                    .ambiguousEntry, "\(here.count) entries are named \(name): \(names)",
                    cure: "give the file name of one of them")
            }
            return first
        }
        let elsewhere: String? =
            switch found.first?.place {
            case .dropped: "was already dropped"
            case .done: "has been applied"
            default: nil
            }
        throw StoreError(
            .noSuchEntry, elsewhere.map { "entry \(name) \($0)" } ?? "there is no entry \(name) in the queue",
            cure: elsewhere == nil ? Cure.queueList : Cure.showing(name.id))
    }
}

extension Cure {
    fileprivate static func showing(_ id: ULID) -> Cure { ["see \(verb: "queue show \(id)")", .listEntries] }

    /// Where an entry has that name that the queue does not have.
    package static let queueList: Cure = ["\(verb: "queue list --all") shows all entries", .listEntries]
}
