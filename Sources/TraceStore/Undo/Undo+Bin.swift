internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Whole sessions that are taken back: one that was made goes into the bin, one that was deleted comes out of it.
extension Undo {
    /// The steps that put the session of a write into the bin.
    ///
    /// - Parameters:
    ///   - isHalfDone: Whether these steps may have been done already.
    ///   - isUnused: Whether a session that was made may have nothing in it.
    /// - Throws: ``StoreError`` with `.unsafeToUndo` if something is in a session that was made, `.noSuchSession`.
    func stepsToBin(_ write: UndoableWrite, isHalfDone: Bool, isUnused: Bool = true) throws -> [UndoStep] {
        if isHalfDone, (try? session(of: write)) == nil, item(of: write) != nil { return [] }
        let target = try session(of: write)
        if write.operation == .initSession, isUnused { try requireUnused(target) }
        return [
            UndoStep(.move, "\(target.path.escaped) to the bin") {
                try locked(target) { session in
                    if write.operation == .initSession, isUnused { try requireUnused(target) }
                    _ = try bin.move(session.directory, at: Clock.now())
                }
                return []
            }
        ]
    }

    /// The steps that take the session of a write out of the bin.
    ///
    /// - Throws: ``StoreError`` with `.unsafeToUndo` if it is neither in the bin nor in its place.
    func stepsOutOfBin(_ write: UndoableWrite) throws -> [UndoStep] {
        guard let item = item(of: write) else {
            if (try? session(of: write)) != nil { return [] }
            throw StoreError(
                .unsafeToUndo, "the session is no longer in the bin", path: write.session,
                cure: ["mount its disk, then undo again", "\(verb: "undo --skip") skips this write"])
        }
        return [
            UndoStep(.restore, "\(item.origin.escaped) from the bin") { [bin] in
                let path = try bin.restore(item)
                return path == item.origin
                    ? [] : ["\(item.origin.escaped) is taken: the session is in \(path.escaped)"]
            }
        ]
    }

    /// The session of a write in the bin; the one that was deleted last, if there are several.
    private func item(of write: UndoableWrite) -> Bin.Item? {
        let items = bin.items()
        for case .moved(let old, let new) in write.changes {
            let paths = [FilePath(old), FilePath(new)]
            if let item = items.first(where: { paths.contains($0.path) }) { return item }
        }
        return items.first { $0.session.id != nil && $0.session.id == write.sessionID }
    }

    /// Checks that nothing has come into a session since it was made.
    ///
    /// - Throws: ``StoreError`` with `.unsafeToUndo`.
    private func requireUnused(_ target: SessionTarget) throws {
        let directory = target.directory
        func refuse(_ what: String) -> StoreError {
            StoreError(
                .unsafeToUndo, "there is something in the session: \(what)", path: target.path,
                cure: [
                    "\(verb: "session delete \(target.path.escaped)") deletes it with all that is in it",
                    "\(verb: "undo --skip") skips this write",
                ])
        }
        var other: FilePath.Component?
        let own = [RecordKind.session, .timeline, .marker].map(\.component) + ["media"]
        try directory.forEachName { name in if !own.contains(name) { other = other ?? name } }
        if let other { throw refuse(other.escaped) }
        if try directory.readFile(RecordKind.marker.component, limit: 1 << 30)?.contents.isEmpty == false {
            throw refuse(RecordKind.marker.fileName)
        }
        var entries = 0
        _ = try SessionReader(directory).read(.timeline) { _ in
            entries += 1
        } onFinding: { _ in
        }
        if entries > 1 { throw refuse(RecordKind.timeline.fileName) }
        var media: FilePath.Component?
        try? directory.openDirectory("media").forEachName { media = media ?? $0 }
        if let media { throw refuse("media/\(media.escaped)") }
        let header = try SessionReader(directory).readableHeader().session
        guard header.media.isEmpty else { throw refuse("a media item in session.json") }
    }
}

/// Which way an undo moves a whole session.
enum DirectoryMove {
    case put, restore

    var reversed: DirectoryMove { self == .put ? .restore : .put }
}

extension UndoableWrite {
    /// Which way an undo moves the session; nil if the write was one into it.
    var directoryMove: DirectoryMove? {
        switch operation {
        case .initSession, .restoreSession: .put
        case .deleteSession: .restore
        default: nil
        }
    }
}
