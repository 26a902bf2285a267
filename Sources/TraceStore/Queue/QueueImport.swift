public import RecordFormat
public import SystemPackage
internal import TraceCrypto
internal import TraceFiles
package import TraceFormat
internal import TraceText

/// Puts what the phone app exported into the local spool; however often, each thing once.
///
/// Source: docs/queue.md#what-the-phone-app-exported.
public struct QueueImport {
    private let directories: QueueDirectories
    private let runtimeDirectory: FilePath?
    /// The session that everything is for.
    public let sessionID: ULID
    /// Who made it.
    public var device: String?
    /// Whose token it came by, if it came over the network.
    package var deliverer: Deliverer?
    /// How much of theirs may wait.
    package var allowance = SpoolAllowance()
    /// What tests make happen between the steps.
    var failPoint: FailPoint?

    /// An import for one session.
    public init(
        _ directories: QueueDirectories, runtimeDirectory: FilePath? = nil, sessionID: ULID,
        device: String? = nil
    ) {
        self.directories = directories
        self.runtimeDirectory = runtimeDirectory
        self.sessionID = sessionID
        self.device = device
    }

    /// An export and the directory of its audio.
    package struct Source {
        let export: PhoneExport
        let audioDirectory: FilePath

        package init(_ export: PhoneExport, audioDirectory: FilePath) {
            self.export = export
            self.audioDirectory = audioDirectory
        }
    }

    /// The outcome of one thing in the export.
    public struct Outcome: Sendable {
        /// Its id.
        public let id: ULID
        /// Where it is in the export.
        public let place: Finding.Place
        /// What it is.
        public let kind: EntryOperation
        /// Where in the session it stands.
        public let offset: SessionOffset
        /// The outcome of it.
        public let result: Result
    }

    /// What can become of a thing in the export.
    public enum Result: Sendable, Equatable {
        /// It waits in the local spool now.
        case queued
        /// It waited there already.
        case alreadyQueued
        /// It was applied before.
        case alreadyApplied
        /// It was refused or dropped before; the reason says where it is.
        case setAside(String)
        /// Something else has its id: what, and the file of it, if it is in the queue.
        case conflict(String, at: String?)
        /// Its audio is not there.
        case audioMissing(String)
    }

    /// Queues what is new.
    ///
    /// - Parameter isDryRun: Only say what would be done.
    /// - Throws: ``FormatError`` with `.recordInvalid` and the place where something breaks the format: then
    ///   nothing is written. ``FileError``: what was queued before stays, and another import adds the rest.
    /// - Note: Durable on return, and may be repeated.
    package func run(_ sources: [Source], isDryRun: Bool = false) throws -> [Outcome] {
        let items = try sources.flatMap { source in
            try source.export.items.map { try prepare($0, source.audioDirectory) }
        }
        let ids = Set(items.map(\.entry.id))
        if isDryRun {
            let ledger = try OpenDirectory.ifPresent(directories.state).map { try LedgerContents(in: $0) }
            let present = try Present(ids, in: directories)
            return try items.map { try outcome(of: $0, ledger ?? .empty, present) }
        }
        guard !items.isEmpty else { return [] }
        return try directories.locked(runtimeDirectory: runtimeDirectory, failPoint: failPoint) { lock in
            let ledger = try LedgerContents(in: lock.directory)
            var present = try Present(ids, in: directories)
            return try items.map { item in
                let outcome = try outcome(of: item, ledger, present)
                guard outcome.result == .queued else { return outcome }
                do {
                    try allowance.adding(item.entry, to: directories.local, isKnown: true) {
                        try directories.local.add(item.entry, attachment: item.audio, failPoint: failPoint)
                    }
                } catch let error as FileError where error.code == .alreadyExists {
                    // A delivery, which does not wait for the lock, has just put another there.
                    return try self.outcome(of: item, ledger, Present([item.entry.id], in: directories))
                }
                try present.note(item.entry, in: directories.local)
                return outcome
            }
        }
    }

    // MARK: - Making entries

    private struct Prepared {
        let item: PhoneExport.Item
        var entry: SpoolEntry
        let offset: SessionOffset
        var audio: FilePath?
        /// The audio file that is not there.
        var missing: String?
    }

    private func prepare(_ item: PhoneExport.Item, _ audio: FilePath) throws -> Prepared {
        var prepared =
            switch item.record {
            case .marker(let marker): prepare(marker, item)
            case .voiceNote(let note): try prepare(note, item, audio)
            }
        prepared.entry.device = device
        prepared.entry.deliveredBy = deliverer
        do {
            var entry = prepared.entry
            if prepared.missing != nil {
                // The rest can still be checked.
                entry.attachment = SpoolEntry.Attachment(
                    name: "audio", size: 0, sha256: String(repeating: "0", count: 64))
            }
            try Spool.check(entry, entry.json.bytes, hasAttachment: entry.attachment != nil)
        } catch let error as FileError {
            throw FormatError(
                .recordInvalid, "\(item.place): \(error.message)",
                cure: "correct it in the file, then import it again")
        }
        return prepared
    }

    private func prepare(_ marker: PhoneExport.PendingMarker, _ item: PhoneExport.Item) -> Prepared {
        let tags = marker.tag.flatMap { $0.isEmpty ? nil : [$0] } ?? []
        let content = """
            marker \(sessionID) \(marker.offset.milliseconds) \(marker.createdAt.milliseconds) \(tags.first ?? "")
            """
        let id = ULID(
            milliseconds: marker.createdAt.milliseconds, digest: SHA256.hash(data: Array(content.utf8)))
        let payload = JSONText.object { object in
            object.member("id", JSONText(id))
            object.member("offset_ms", JSONText(marker.offset))
            object.member("created_at", JSONText(marker.createdAtText))
            object.member("source", JSONText(RecordSource.user.rawValue))
            object.member("tags", .array(tags.map { JSONText($0) }))
        }
        return Prepared(
            item: item,
            entry: SpoolEntry(
                id: id, kind: .marker, journalID: sessionID, createdAt: marker.createdAt, payload: payload),
            offset: marker.offset)
    }

    private func prepare(
        _ note: PhoneExport.PendingVoiceNote, _ item: PhoneExport.Item, _ audioDirectory: FilePath
    ) throws -> Prepared {
        let payload = JSONText.object { object in
            object.member("id", JSONText(note.id))
            object.member("created_at", JSONText(note.createdAtText))
            object.member("media_path", JSONText(note.mediaPath))
            object.member("offset_ms", JSONText(note.offset))
            object.member("duration_ms", JSONText(note.duration))
        }
        var prepared = Prepared(
            item: item,
            entry: SpoolEntry(
                id: note.id, kind: .voiceNote, journalID: sessionID, createdAt: note.createdAt,
                payload: payload),
            offset: note.offset)
        guard let name = FilePath.Component(note.fileName) else {
            prepared.missing = note.fileName
            return prepared
        }
        let file = audioDirectory.appending(name)
        do {
            prepared.entry.attachment = try Spool.attachment(
                for: file, named: "\(note.id)\(name.extension.map { ".\($0)" } ?? "")")
            prepared.audio = file
        } catch let error as FileError where error.code == .notFound {
            prepared.missing = file.escaped
        }
        return prepared
    }

    // MARK: - What is there already

    /// The entries of some ids that are in the queue, of which each directory is listed once for all of them.
    private struct Present {
        private(set) var files: [ULID: [(place: QueueItem.Place, spool: Spool, file: Spool.File)]] = [:]

        /// - Throws: ``FileError`` if a directory can't be listed.
        init(_ ids: Set<ULID>, in directories: QueueDirectories) throws {
            for (place, spool) in directories.places where place != .done {
                let found =
                    try place == .spool
                    ? spool.files().filter { ids.contains($0.id) }
                    : spool.keptFiles { ids.contains($0) }
                for file in found { files[file.id, default: []].append((place, spool, file)) }
            }
        }

        /// Notes an entry that was just put into the first spool.
        mutating func note(_ entry: SpoolEntry, in spool: Spool) throws {
            guard let name = FilePath.Component(entry.fileName) else { return }
            files[entry.id, default: []].insert((.spool, spool, Spool.File(id: entry.id, name: name)), at: 0)
        }
    }

    private func outcome(
        of item: Prepared, _ ledger: LedgerContents, _ present: Present
    ) throws -> Outcome {
        Outcome(
            id: item.entry.id, place: item.item.place, kind: item.entry.kind, offset: item.offset,
            result: try result(of: item, ledger, present))
    }

    private func result(
        of item: Prepared, _ ledger: LedgerContents, _ present: Present
    ) throws -> Result {
        let entry = item.entry
        if ledger.contains(entry.id) {
            return ledger.contains(entry)
                ? .alreadyApplied : .conflict("another entry with this id was applied before", at: nil)
        }
        for (place, spool, file) in present.files[entry.id] ?? [] {
            let path = spool.path.appending(file.name).escaped
            guard let other = try? spool.read(file), other.isSame(as: entry) else {
                if place == .spool {
                    return .conflict("another entry with this id is waiting", at: path)
                }
                continue
            }
            if place == .spool {
                // An import that was killed may have left it visible, and not yet durable.
                try OpenDirectory(spool.path, failPoint: failPoint).makeDurable(file.name)
                return .alreadyQueued
            }
            return .setAside(path)
        }
        return item.missing.map { .audioMissing($0) } ?? .queued
    }
}

extension SpoolEntry {
    /// Whether both bring the same record to the same session; who made the entry does not count.
    fileprivate func isSame(as other: SpoolEntry) -> Bool {
        (id, kind, journalID) == (other.id, other.kind, other.journalID) && payload == other.payload
    }
}

extension QueueImport.Result {
    /// The result in a word, as `--json` names it.
    public var name: String {
        switch self {
        case .queued: "queued"
        case .alreadyQueued: "already-queued"
        case .alreadyApplied: "already-applied"
        case .setAside: "set-aside"
        case .conflict: "conflict"
        case .audioMissing: "audio-missing"
        }
    }

    /// Why, where there is something to say.
    public var reason: String? {
        switch self {
        case .queued, .alreadyQueued, .alreadyApplied: nil
        case .setAside(let path): "it is at \(path)"
        case .conflict(let reason, let path): path.map { "\(reason): \($0)" } ?? reason
        case .audioMissing(let file): "its audio '\(file)' is missing"
        }
    }

    /// As ``reason``, without the places of this machine.
    package var reasonWithoutPlaces: String? {
        switch self {
        case .queued, .alreadyQueued, .alreadyApplied: nil
        case .setAside: "it was refused or dropped before"
        case .conflict(let reason, _): reason
        case .audioMissing(let file): "its audio '\(file.split(separator: "/").last ?? "")' is missing"
        }
    }
}
