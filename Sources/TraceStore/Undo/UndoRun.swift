internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Checks that a write can be taken back safely, and says how; the last change is taken back first.
struct UndoRun {
    let write: UndoableWrite
    /// Whether an undo was killed: what is gone already has been taken back by it.
    let isHalfUndone: Bool
    let isDryRun: Bool
    let queue: QueueDirectories
    let entries: Entries
    let log: UndoLog
    let failPoint: FailPoint?

    /// Where files go that are taken out of a session.
    var kept: FilePath { log.directory.appending(write.id.description) }

    /// The entries of which the records are to be taken out of the session.
    var applied: [SpoolEntry] { entries.applied }

    /// Those that were written into a journal of another kind than the session.
    var writtenElsewhere: [SpoolEntry] { applied.filter { !$0.kind.isOfSession } }

    /// - Throws: ``StoreError`` with `.unsafeToUndo`.
    func steps(in session: LockedSession?) throws -> [UndoStep] {
        try UndoPart.parts(of: write.changes.reversed()).flatMap { try steps(for: $0, session) }
    }

    private func steps(for part: UndoPart, _ session: LockedSession?) throws -> [UndoStep] {
        if part == .entries { return try stepsForEntries(session) }
        guard let session else { return [] }
        let step: UndoStep? =
            switch part {
            case .entries: nil
            case .added(let kind): try takeOut(kind, session)
            case .removed(let kind): try putBack(kind, session)
            case .header: try resetHeader(session)
            case .file(.media(let path, let size, let modified)):
                try takeOut(media: path, size, modified, session)
            case .file(.replaced(let path, let old, let sha256)):
                try putBack(file: path, old, sha256, session)
            case .file(.away(let path, let kept)): try putBack(away: path, kept, session)
            case .file: nil
            }
        return step.map { [$0] } ?? []
    }

    private func stepsForEntries(_ session: LockedSession?) throws -> [UndoStep] {
        let waiting = entries.waiting.reversed().map(putAside)
        guard let session, !applied.isEmpty else { return waiting }
        let kinds = Set(applied.compactMap(\.kind.recordKind)).sorted { $0.rawValue < $1.rawValue }
        // A line that names audio goes before the audio.
        return try waiting + kinds.compactMap { try takeOut($0, session) }
            + applied.compactMap { try takeOut(audioOf: $0, session) }
    }

    /// The records of which no line is left when this is done.
    var createdRecords: [ULID] {
        let creating: [UndoableWrite.Operation] = [.mark, .voiceNote, .requestAction]
        guard creating.contains(write.operation) else { return applied.map(\.id) }
        return applied.map(\.id)
            + write.changes.compactMap { change in
                guard case .appended(let kind, let id, _) = change else { return nil }
                // A voice note appends a line of its marker too, which was there before.
                return kind == .voiceNote || write.operation != .voiceNote ? id : nil
            }
    }

    // MARK: - Why not

    func unsafe(_ message: String, _ path: FilePath? = nil, cure: Cure? = nil) -> StoreError {
        StoreError(
            .unsafeToUndo, message, path: path,
            cure: cure ?? ["make the change by hand", "\(verb: "undo --skip") skips this write"])
    }

    func editedError(_ kind: RecordKind, _ id: ULID, _ path: FilePath) -> StoreError {
        unsafe("\(kind.noun) \(id) has been edited since", path)
    }

    func missingError(_ kind: RecordKind, _ id: ULID, _ path: FilePath) -> StoreError {
        unsafe(
            "the line of \(kind.noun) \(id) is no longer there", path,
            cure: [
                "\(verb: "restore") restores what another program has overwritten",
                "\(verb: "undo --skip") skips this write",
            ])
    }

    // MARK: - session.json

    private func resetHeader(_ session: LockedSession) throws -> UndoStep? {
        let name = RecordKind.session.component
        let path = session.directory.path(of: name)
        guard let file = try session.directory.readFile(name, limit: SessionReader.maximumHeaderSize) else {
            throw unsafe("there is no session.json", path)
        }
        let editor = try JSONObjectEditor(file.contents)
        var changes: [(key: String, before: [UInt8]?)] = []
        for change in write.changes.reversed() {
            guard case .header(let key, let before, let after) = change else { continue }
            let now = try editor.text(of: key).map { Array($0) }
            if now == before { continue }
            guard now == after else { throw unsafe("\(key) has been changed since", path) }
            changes.append((key, before))
        }
        guard !changes.isEmpty else { return nil }
        return UndoStep(changes.map(Self.action)) { [changes] in
            try session.touch(after: "nothing else has been undone yet") { editor in
                // What was taken away comes back in the order that it had.
                for (key, before) in changes.reversed() {
                    if let before {
                        try editor.set(key, to: JSONText(verbatim: before))
                    } else {
                        try editor.remove(key)
                    }
                }
            }
            return []
        }
    }

    private static func action(on key: String, _ before: [UInt8]?) -> UndoStep.Action {
        guard let before else { return .init(.remove, "\(key) from session.json") }
        // The whole list says less than that it is shorter again.
        if key == "media" { return .init(.remove, "the media item from session.json") }
        return .init(.set, "\(key) in session.json to \(String(decoding: before, as: UTF8.self))")
    }

    // MARK: - Files

    private func takeOut(
        media path: String, _ size: Int64, _ modified: Int64, _ session: LockedSession
    ) throws -> UndoStep? {
        guard let names = MediaPath.components(of: path), let name = names.last else { return nil }
        var directory = session.directory
        for name in names.dropLast() { directory = try directory.openDirectory(name) }
        guard let status = try directory.statusIfPresent(of: name, followingLinks: false) else {
            if isHalfUndone { return nil }
            throw unsafe("the file is no longer there", directory.path(of: name))
        }
        guard status.identity.size == size, status.identity.modified.stamp == modified else {
            throw unsafe("the file has been changed since", directory.path(of: name))
        }
        if try isNeeded(path, session) { return nil }
        return moveAway(path, name, from: directory)
    }

    /// Puts a file of the session where nothing is lost.
    func moveAway(_ path: String, _ name: FilePath.Component, from directory: OpenDirectory) -> UndoStep {
        UndoStep(.move, "\(path) to \(kept.escaped)") {
            try OpenDirectory.make(kept)
            try directory.moveFile(name, to: name, in: OpenDirectory(kept, failPoint: failPoint))
            return []
        }
    }

    /// Whether something else in the session names a media file.
    func isNeeded(_ path: String, _ session: LockedSession) throws -> Bool {
        let path = MediaPath.plain(path)
        let own = Set(
            applied.map(\.id)
                + write.changes.compactMap { change -> ULID? in
                    if case .appended(.voiceNote, let id, _) = change { id } else { nil }
                })
        // Taken back already when this is done.
        let ownItem = write.changes.contains { change in
            if case .header("media", _, _) = change { true } else { false }
        }
        var isNeeded =
            try !ownItem
            && SessionReader(session.directory).readableHeader().session.media.contains {
                MediaPath.plain($0.path) == path
            }
        _ = try SessionReader(session.directory).read(.voiceNote) { record in
            if record.mediaPath.map(MediaPath.plain) == path,
                record.id.map({ !own.contains($0) }) ?? true
            {
                isNeeded = true
            }
        } onFinding: { _ in
        }
        return isNeeded
    }

    private func putBack(
        file path: String, _ old: String?, _ sha256: String, _ session: LockedSession
    ) throws -> UndoStep? {
        guard let names = MediaPath.components(of: path), names.count == 1 else { return nil }
        let (name, directory) = (names[0], session.directory)
        let present = try directory.readFile(name)
        let earlier = try old.map { try contents(kept: $0) }
        if present?.contents == earlier { return nil }
        guard let present, UndoableWrite.checksum(of: present.contents, of: path) == sha256 else {
            throw unsafe("the text has been changed since it was written", directory.path(of: name))
        }
        guard let earlier else {
            return moveAway(path, name, from: directory)
        }
        return UndoStep(.restore, "the old \(path)") {
            try keepWritten(name, present.contents)
            try directory.replaceFile(name, with: earlier, expecting: present.identity)
            return []
        }
    }

    /// Keeps what a write wrote, so that it can be done again.
    private func keepWritten(_ name: FilePath.Component, _ contents: [UInt8]) throws {
        try OpenDirectory.make(kept)
        let directory = try OpenDirectory(kept, failPoint: failPoint)
        let old = try directory.statusIfPresent(of: name, followingLinks: false)?.identity
        try directory.replaceFile(name, with: contents, expecting: old)
    }

    /// Puts a file back that a repair has moved away, or the removal of its voice note.
    private func putBack(away path: String, _ place: String, _ session: LockedSession) throws -> UndoStep? {
        let old = FilePath(place)
        guard let names = MediaPath.components(of: path), let name = names.last,
            let oldName = old.lastComponent
        else { return nil }
        let directory = try names.dropLast().reduce(session.directory) { try $0.openDirectory($1) }
        let isThere = try directory.statusIfPresent(of: name, followingLinks: false) != nil
        guard let from = try OpenDirectory.ifPresent(old.containingDirectory, failPoint: failPoint),
            try from.statusIfPresent(of: oldName, followingLinks: false) != nil
        else {
            if isThere { return nil }
            throw unsafe("the file is no longer kept", old)
        }
        guard !isThere else {
            throw unsafe("there is a file of that name again", directory.path(of: name))
        }
        return UndoStep(.move, "\(path) back from \(old.escaped)") {
            try from.moveFile(oldName, to: name, in: directory)
            return []
        }
    }

    /// What was kept of a file that was overwritten, or of lines that were appended together.
    func contents(kept place: String) throws -> [UInt8] {
        guard let contents = try log.kept(place) else {
            throw unsafe("the written text is no longer kept", log.directory.pushing(FilePath(place)))
        }
        return contents
    }
}
