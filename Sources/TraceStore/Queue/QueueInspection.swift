public import RecordFormat
public import SystemPackage
internal import TraceFiles
internal import TraceFormat
public import TraceText

/// Looks through the queue and says what state each entry is in; changes nothing.
public struct QueueInspection {
    private let directories: QueueDirectories
    private let locate: (ULID) -> [FilePath]
    /// The kinds of journal that entries may be for.
    package var formats = JournalRegistry([SessionFormat()])
    /// Where locks go for file systems that can't lock a directory.
    package var runtimeDirectory: FilePath?

    /// - Parameter locate: The directories of the sessions that have an id.
    public init(_ directories: QueueDirectories, locate: @escaping (ULID) -> [FilePath]) {
        self.directories = directories
        self.locate = locate
    }

    /// The entries of that name, or all: those that wait, then what was refused, dropped and applied.
    ///
    /// - Parameter report: Called with each directory that can't be listed.
    /// - Throws: ``FileError`` if the ledger can't be read.
    /// - Complexity: O(size of the sessions that the entries belong to).
    public func items(
        of name: EntryName? = nil, report: (any StructuredError) -> Void = { _ in }
    ) throws -> [QueueItem] {
        var found: [QueuedFile] = []
        for (place, spool) in directories.places {
            do {
                found += try spool.files(in: place).filter { name?.matches($0) ?? true }.map {
                    QueuedFile(place: place, spool: spool, file: $0)
                }
            } catch { report(error.structured) }
        }
        let inspected = found.map { InspectedFile($0, locate: locate) }
        let state = try OpenDirectory.ifPresent(directories.state)
        let ledger = try state.map { try LedgerContents(in: $0) } ?? .empty
        let existing = existing(inspected)
        let standing = standing(inspected)
        return inspected.map { file in
            item(of: file, verdict(of: file, existing, ledger) ?? verdict(of: file, standing, ledger))
        }
    }

    /// The lines that have an entry's id, session by session.
    private func existing(_ files: [InspectedFile]) -> [FilePath: [ULID: [ExistingLine]]] {
        var ids: [FilePath: Set<ULID>] = [:]
        for file in files {
            guard let session = file.session, file.entry?.kind.recordKind != nil else { continue }
            ids[session, default: []].insert(file.queued.file.id)
        }
        return ids.reduce(into: [:]) { existing, session in
            existing[session.key] = try? SessionReader(session.key).existing(session.value)
        }
    }

    private func verdict(
        of file: InspectedFile, _ existing: [FilePath: [ULID: [ExistingLine]]], _ ledger: LedgerContents
    ) -> EntryVerdict? {
        guard let entry = file.entry, entry.kind.recordKind != nil,
            let lines = file.session.flatMap({ existing[$0] })
        else { return nil }
        return EntryVerdict(entry, existing: lines[file.queued.file.id] ?? [], ledger)
    }

    private func item(of file: InspectedFile, _ verdict: EntryVerdict?) -> QueueItem {
        let queued = file.queued
        let audio = file.entry.flatMap { placeOfAudio($0, queued) }
        let state: QueueItem.State =
            switch queued.place {
            case .spool: waitingState(file, verdict, audio)
            case .failed: failedState(queued.file.id)
            case .dropped: .dropped
            case .done: appliedState(file, verdict)
            }
        return QueueItem(
            id: queued.file.id, place: queued.place, file: queued.spool.path.appending(queued.file.name),
            entry: file.entry, audio: audio, session: file.session, state: state)
    }

    private func placeOfAudio(_ entry: SpoolEntry, _ queued: QueuedFile) -> FilePath? {
        guard let attachment = entry.attachment else { return nil }
        let folders =
            [queued.spool] + [directories.done, directories.failed, directories.dropped].map(Spool.init)
        if queued.place == .spool, let name = (try? queued.spool.name(of: attachment)) ?? nil {
            return queued.spool.path.appending(name)
        }
        for folder in folders {
            if let name = (try? folder.keptName(of: attachment)) ?? nil { return folder.path.appending(name) }
        }
        return nil
    }

    private func waitingState(
        _ file: InspectedFile, _ verdict: EntryVerdict?, _ audio: FilePath?
    ) -> QueueItem.State {
        if let state = file.state { return state }
        switch verdict {
        case .conflict(let reason): return .conflict(reason)
        case .stands, .edited: return .waiting("its record is written; the next flush archives the entry")
        case .vanished: return .recordVanished
        case .removed: return .removed
        case .dropped: return .dropped
        case .new, nil: break
        }
        guard let attachment = file.entry?.attachment else { return .waiting("the next flush writes it") }
        guard let audio, let name = audio.lastComponent,
            let folder = try? OpenDirectory(audio.removingLastComponent())
        else { return .waiting(MissingAudio.absent.reason(attachment)) }
        guard let checksum = attachment.sha256 else {
            return .waiting(MissingAudio.unknown.reason(attachment))
        }
        guard (try? folder.sha256(ofUnlinked: name)) == checksum else {
            return .waiting(MissingAudio.incomplete.reason(attachment))
        }
        return .waiting("the next flush writes it")
    }

    /// What the file beside a refused entry says.
    private func failedState(_ id: ULID) -> QueueItem.State {
        let said = FilePath.Component("\(id).reason").flatMap { name in
            (try? OpenDirectory(directories.failed).readFile(name, limit: 1 << 20)) ?? nil
        }
        let read = said.flatMap { file in
            try? JSONParser().withParsed(file.contents) { root in
                (
                    result: root[name: "result"]?.string, reason: root[name: "reason"]?.string,
                    conflicts: root[name: "conflicts"]?.elements.compactMap(MemberConflict.init) ?? []
                )
            }
        }
        let reason = read?.reason ?? "the reason is unknown"
        return switch read?.result {
        case "conflict": .conflict(reason)
        case "changed-meanwhile": .changedMeanwhile(reason, read?.conflicts ?? [])
        default: .rejected(reason)
        }
    }

    private func appliedState(_ file: InspectedFile, _ verdict: EntryVerdict?) -> QueueItem.State {
        switch verdict {
        case .vanished: return .recordVanished
        case .removed: return .removed
        case nil:
            return switch file.state {
            case .waiting(let reason): .applied(reason)
            case .unreadable(let error): .applied(error.description)
            default: .applied(nil)
            }
        default: return .applied(nil)
        }
    }
}

/// A file of the queue.
struct QueuedFile: Sendable {
    let place: QueueItem.Place
    let spool: Spool
    let file: Spool.File
}

extension QueueDirectories {
    /// Every directory that holds entries: the spools, then what was refused, dropped and applied.
    var places: [(QueueItem.Place, Spool)] {
        spools.map { (.spool, $0) } + [
            (.failed, Spool(failed)), (.dropped, Spool(dropped)), (.done, Spool(done)),
        ]
    }
}

extension Spool {
    func files(in place: QueueItem.Place) throws -> [File] {
        place == .spool ? try files() : try keptFiles()
    }
}

/// What is known about a file without looking into its session.
struct InspectedFile {
    let queued: QueuedFile
    var entry: SpoolEntry?
    /// The one directory of its session.
    var session: FilePath?
    /// Why it is waiting or was refused, regardless of its session.
    var state: QueueItem.State?

    init(_ queued: QueuedFile, locate: (ULID) -> [FilePath]) {
        self.queued = queued
        do {
            let entry = try queued.spool.read(queued.file)
            self.entry = entry
            let sessions = locate(entry.journalID)
            session = sessions.count == 1 ? sessions.first : nil
            let noun = entry.kind.journalNoun
            if sessions.isEmpty { state = .waiting("its \(noun) \(entry.journalID) was not found") }
            if sessions.count > 1 {
                state = .waiting("several directories hold \(noun) \(entry.journalID)")
            }
        } catch let error as FormatError where error.code == .jsonMalformed {
            state = .waiting("the entry is incomplete: \(error.message)")
        } catch let error as FormatError {
            state = .rejected(error.message)
        } catch {
            state = .unreadable(error.structured)
        }
    }
}
