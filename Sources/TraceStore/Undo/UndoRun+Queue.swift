internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Entries that were put into the queue, wherever they are now.
extension UndoRun {
    /// The places of a write's entries.
    struct Entries {
        /// Those that wait, or were refused.
        var waiting: [QueuedFile] = []
        /// Those that were written into their session.
        var applied: [SpoolEntry] = []

        /// - Throws: ``StoreError`` with `.unsafeToUndo` if it is not known what an entry's record is.
        init(of write: UndoableWrite, isHalfUndone: Bool, _ queue: QueueDirectories) throws {
            let ids = Set(write.queued)
            guard !ids.isEmpty else { return }
            var found: [ULID: QueuedFile] = [:]
            // Applied comes before refused, and refused before what has come back to a spool.
            for (place, spool) in queue.places where place != .spool || spool.path == queue.local.path {
                for file in try spool.files(in: place) where ids.contains(file.id) {
                    found[file.id] = QueuedFile(place: place, spool: spool, file: file)
                }
            }
            for store in queue.unplaced {
                for file in try store.spool.files() where ids.contains(file.id) && found[file.id] == nil {
                    found[file.id] = QueuedFile(place: .spool, spool: store.spool, file: file)
                }
            }
            for id in write.queued {
                switch found[id]?.place {
                case .spool, .failed: found[id].map { waiting.append($0) }
                case .done: applied.append(try Self.entry(found[id]))
                case .dropped: break
                case nil where isHalfUndone: break
                case nil: throw Self.unknown(id)
                }
            }
        }

        private static func entry(_ queued: QueuedFile?) throws -> SpoolEntry {
            guard let queued else { throw FileError(.notFound, "was taken") }
            do { return try queued.spool.read(queued.file) } catch { throw unknown(queued.file.id) }
        }

        private static func unknown(_ id: ULID) -> StoreError {
            StoreError(
                .unsafeToUndo, "entry \(id) is no longer kept",
                cure: [
                    "\(verb: "marker remove \(id)") removes a marker",
                    "\(verb: "undo --skip") skips this write",
                ]
            )
        }
    }

    func putAside(_ queued: QueuedFile) -> UndoStep {
        let id = queued.file.id
        let isKept = queue.unplaced.contains { $0.spool == queued.spool }
        let what = isKept ? "kept moment \(id)" : "entry \(id) from the queue"
        return UndoStep(.move, "\(what) to \(queue.dropped.escaped)") {
            let entry = try? queued.spool.read(queued.file)
            try queued.spool.move(queued.file, entry, to: queue.dropped, failPoint: failPoint)
            if queued.place == .failed, let name = FilePath.Component("\(id).reason") {
                try OpenDirectory(queue.failed, failPoint: failPoint).remove([name])
            }
            return []
        }
    }

    /// Takes the audio of an applied voice note out of the session, unless something else names it.
    func takeOut(audioOf entry: SpoolEntry, _ session: LockedSession) throws -> UndoStep? {
        guard let attachment = entry.attachment, let path = entry.mediaPath,
            let names = MediaPath.components(of: path), let name = names.last
        else { return nil }
        var directory = session.directory
        for name in names.dropLast() { directory = try directory.openDirectory(name) }
        guard try directory.statusIfPresent(of: name, followingLinks: false) != nil,
            try directory.sha256(ofUnlinked: name) == attachment.sha256, try !isNeeded(path, session)
        else { return nil }
        return moveAway(path, name, from: directory)
    }
}

extension UndoableWrite {
    /// The entries that were put into the queue.
    var queued: [ULID] {
        changes.compactMap { if case .queued(let id) = $0 { id } else { nil } }
    }
}
