internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceText

/// Checks that a write that was undone can be done again safely, and says how; the first change is done first.
struct RedoRun {
    private let undone: UndoLog.Undone
    private let queue: QueueDirectories
    private let log: UndoLog
    private let isDryRun: Bool
    private let failPoint: FailPoint?
    /// Entries that the undo took out of the spool.
    private var dropped: [QueuedFile] = []
    /// The write as an undo sees it: what it knows of lines and files holds here, too.
    let run: UndoRun

    private var write: UndoableWrite { undone.write }

    /// - Throws: ``StoreError`` with `.unsafeToUndo` if an entry of the queue is no longer kept.
    init(
        _ undone: UndoLog.Undone, isDryRun: Bool, queue: QueueDirectories, log: UndoLog, failPoint: FailPoint?
    ) throws {
        self.undone = undone
        self.queue = queue
        self.log = log
        self.isDryRun = isDryRun
        self.failPoint = failPoint
        let ids = Set(undone.write.queued)
        run = UndoRun(
            write: undone.write, isHalfUndone: true, isDryRun: false, queue: queue,
            entries: try UndoRun.Entries(of: undone.write, isHalfUndone: true, queue), log: log,
            failPoint: failPoint)
        guard !ids.isEmpty else { return }
        for (place, spool) in queue.places where place == .dropped {
            for file in try spool.files(in: place) where ids.contains(file.id) {
                dropped.append(QueuedFile(place: place, spool: spool, file: file))
            }
        }
        let known = Set(dropped.map(\.file.id) + run.entries.waiting.map(\.file.id) + run.applied.map(\.id))
        if let missing = ids.subtracting(known).min() {
            throw StoreError(
                .unsafeToUndo, "entry \(missing) is no longer kept", cure: "write it again")
        }
    }

    /// The entries that were written into their session.
    var applied: [SpoolEntry] { run.applied }

    /// Whether something of it is done in the session's directory.
    var isInSession: Bool {
        !run.applied.isEmpty
            || write.changes.contains { if case .queued = $0 { false } else { true } }
    }

    /// As of ``UndoRun/createdRecords``.
    var createdRecords: [ULID] { run.createdRecords }

    /// - Throws: ``StoreError`` with `.unsafeToUndo`.
    func steps(in session: LockedSession?) throws -> [UndoStep] {
        try UndoPart.parts(of: write.changes).flatMap { try steps(for: $0, session) }
    }

    private func steps(for part: UndoPart, _ session: LockedSession?) throws -> [UndoStep] {
        if part == .entries { return try stepsForEntries(session) }
        guard let session else { return [] }
        let step: UndoStep? =
            switch part {
            case .entries: nil
            case .added(let kind): try add(kind, session)
            case .removed(let kind): try takeOut(kind, session)
            case .header: try setHeader(session)
            case .file(.media(let path, _, _)): try putBack(media: path, session)
            case .file(.replaced(let path, let old, let sha256)): try replace(path, old, sha256, session)
            case .file(.away(let path, let place)): try moveAway(path, place, session)
            case .file: nil
            }
        return step.map { [$0] } ?? []
    }

    private func stepsForEntries(_ session: LockedSession?) throws -> [UndoStep] {
        let back = dropped.map { queued in
            // What was kept without a session is kept again.
            let isMoment = UnplacedMoments.isMoment(queued.file, in: queued.spool.path)
            let place = isMoment ? UnplacedMoments(state: queue.state).path : queue.local.path
            let what =
                isMoment
                ? "kept moment \(queued.file.id) back to \(place.escaped)"
                : "entry \(queued.file.id) back to the queue"
            return UndoStep(.move, what) {
                let entry = try? queued.spool.read(queued.file)
                try queued.spool.move(queued.file, entry, to: place, failPoint: failPoint)
                return []
            }
        }
        guard let session else { return back }
        // Audio comes before the line that names it.
        let audio = try run.applied.compactMap { entry in
            try entry.attachment == nil ? nil : entry.mediaPath.flatMap { try putBack(media: $0, session) }
        }
        let kinds = Set(run.applied.compactMap(\.kind.recordKind)).sorted { $0.rawValue < $1.rawValue }
        return try back + audio + kinds.compactMap { try add($0, session) }
    }

    private func changed(_ kind: RecordKind, _ session: LockedSession) -> StoreError {
        unsafe("records of the write have been changed since", session.directory.path(of: kind.component))
    }

    private func unsafe(_ message: String, _ path: FilePath) -> StoreError {
        StoreError(.unsafeToUndo, message, path: path, cure: "make the change by hand")
    }

    // MARK: - Lines

    /// - Throws: ``StoreError`` with `.unsafeToUndo` if these are not the lines that the undo has left.
    private func requireLeft(_ existing: [ULID: [[UInt8]]], _ kind: RecordKind, _ session: LockedSession)
        throws
    {
        guard !undone.isHalfRedone, undone.left?[kind] != UndoRun.checksum(of: existing) else { return }
        throw changed(kind, session)
    }

    private func ids(of kind: RecordKind) throws -> Set<ULID> {
        Set(try run.linesToRemove(of: kind).keys).union(try run.removedLines(of: kind).map(\.id))
    }

    private func add(_ kind: RecordKind, _ session: LockedSession) throws -> UndoStep? {
        if !isDryRun { try session.finishLastLine(of: kind) }
        let noted = try run.linesToRemove(of: kind)
        let existing = try session.lines(of: try ids(of: kind), in: kind)
        try requireLeft(existing, kind, session)
        var rest: [ULID: ArraySlice<NotedLine>] = [:]
        for (id, lines) in noted {
            let done = undone.isHalfRedone ? NotedLine.count(of: lines, atEndOf: existing[id] ?? []) : 0
            rest[id] = lines.dropFirst(done)
        }
        // In the order in which they were written.
        var missing: [[UInt8]] = []
        for id in try order(of: kind) {
            guard let line = rest[id]?.popFirst() else { continue }
            guard let text = line.text else {
                throw unsafe(
                    "a line of \(kind.noun) \(id) is too long to be kept",
                    session.directory.path(of: kind.component))
            }
            missing.append(text)
        }
        guard !missing.isEmpty else { return nil }
        return UndoStep(.restore, "\(counted(missing.count, "line")) in \(kind.fileName)") { [missing] in
            guard kind != .timeline else {
                try session.insert(missing.map { ($0, offset(of: $0)) }, into: kind)
                return []
            }
            return try session.append(
                together: Array((missing + [[]]).joined(separator: [newline])), count: missing.count, to: kind
            )
        }
    }

    /// The records of the lines that were appended, one for each line.
    private func order(of kind: RecordKind) throws -> [ULID] {
        var order: [ULID] = []
        for change in write.changes {
            switch change {
            case .appended(kind, let id, _): order.append(id)
            case .appendedTogether(kind, _, let kept):
                order += try RecordLines(run.contents(kept: kept), kind: kind).lines.compactMap {
                    $0.facts?.id
                }
            default: break
            }
        }
        return order + run.applied.filter { $0.kind.recordKind == kind }.map(\.id)
    }

    private func offset(of line: [UInt8]) -> SessionOffset {
        let offset = try? JSONParser().withParsed(line) { $0[name: "offset_ms"]?.integer }
        return SessionOffset(milliseconds: (offset ?? nil) ?? .max)
    }

    private func takeOut(_ kind: RecordKind, _ session: LockedSession) throws -> UndoStep? {
        let removed = Dictionary(try run.removedLines(of: kind), uniquingKeysWith: { $1 })
        let existing = try session.lines(of: try ids(of: kind), in: kind)
        try requireLeft(existing, kind, session)
        let present = removed.filter { !(existing[$0.key] ?? []).isEmpty }
        guard let first = present.keys.min() else { return nil }
        if kind == .marker {
            let own = Set(try run.linesToRemove(of: .voiceNote).keys)
            let referring = try session.referring(to: Set(present.keys), in: .voiceNote)
            if let other = referring.first(where: { !own.contains($0.record) }) {
                throw unsafe(
                    "marker \(other.names) is named by voice note \(other.record)",
                    session.directory.path(of: kind.component))
            }
        }
        let count = present.values.reduce(0) { $0 + $1.count }
        let what = counted(count, "line") + (present.count == 1 ? " (\(kind.noun) \(first))" : "")
        return UndoStep(.remove, "\(what) from \(kind.fileName)") { [present] in
            try session.removeLines(from: kind) { file in
                let lines = file.lines.filter { $0.facts?.id.map { present[$0] != nil } ?? false }
                for (id, expected) in present {
                    let own = lines.filter { $0.facts?.id == id }.map { Array(file.text(of: $0)) }
                    guard own == expected else { throw changed(kind, session) }
                }
                return lines
            }
            return []
        }
    }

    // MARK: - session.json

    private func setHeader(_ session: LockedSession) throws -> UndoStep? {
        let name = RecordKind.session.component
        let path = session.directory.path(of: name)
        guard let file = try session.directory.readFile(name, limit: SessionReader.maximumHeaderSize) else {
            throw unsafe("there is no session.json", path)
        }
        let editor = try JSONObjectEditor(file.contents)
        var changes: [(key: String, after: [UInt8]?)] = []
        for change in write.changes {
            guard case .header(let key, let before, let after) = change else { continue }
            let now = try editor.text(of: key).map { Array($0) }
            if now == after { continue }
            guard now == before else { throw unsafe("\(key) has been changed since", path) }
            changes.append((key, after))
        }
        guard !changes.isEmpty else { return nil }
        return UndoStep(changes.map { .init(.set, "\($0.key) in session.json again") }) { [changes] in
            try session.touch(after: "not everything has been done again yet") { editor in
                for (key, after) in changes {
                    if let after {
                        try editor.set(key, to: JSONText(verbatim: after))
                    } else {
                        try editor.remove(key)
                    }
                }
            }
            return []
        }
    }

    // MARK: - Files

    /// Puts a file back that the undo has taken out.
    private func putBack(media path: String, _ session: LockedSession) throws -> UndoStep? {
        guard let names = MediaPath.components(of: path), let name = names.last else { return nil }
        var directory = session.directory
        for name in names.dropLast() { directory = try directory.openDirectory(name) }
        let isThere = try directory.statusIfPresent(of: name, followingLinks: false) != nil
        guard let kept = try OpenDirectory.ifPresent(run.kept, failPoint: failPoint),
            try kept.statusIfPresent(of: name, followingLinks: false) != nil
        else {
            if isThere { return nil }
            throw unsafe("the file is no longer kept", run.kept.appending(name))
        }
        guard !isThere else { throw unsafe("there is a file of that name again", directory.path(of: name)) }
        return UndoStep(.move, "\(path) back into the session") {
            try kept.moveFile(name, to: name, in: directory)
            return []
        }
    }

    private func replace(
        _ path: String, _ old: String?, _ sha256: String, _ session: LockedSession
    ) throws -> UndoStep? {
        guard let names = MediaPath.components(of: path), names.count == 1 else { return nil }
        let (name, directory) = (names[0], session.directory)
        let present = try directory.readFile(name)
        if let present, UndoableWrite.checksum(of: present.contents, of: path) == sha256 { return nil }
        guard let new = try OpenDirectory.ifPresent(run.kept)?.readFile(name, limit: .max)?.contents,
            UndoableWrite.checksum(of: new, of: path) == sha256
        else { throw unsafe("the written text is no longer kept", run.kept.appending(name)) }
        let earlier = try old.map { UndoableWrite.checksum(of: try run.contents(kept: $0), of: path) }
        guard present.map({ UndoableWrite.checksum(of: $0.contents, of: path) }) == earlier else {
            throw unsafe("the text has been changed since", directory.path(of: name))
        }
        return UndoStep(.restore, "the new \(path)") {
            try directory.replaceFile(name, with: new, expecting: present?.identity)
            return []
        }
    }

    /// Moves a file away that a repair had moved there.
    private func moveAway(_ path: String, _ place: String, _ session: LockedSession) throws -> UndoStep? {
        let new = FilePath(place)
        guard let names = MediaPath.components(of: path), let name = names.last,
            let newName = new.lastComponent
        else { return nil }
        let directory = try names.dropLast().reduce(session.directory) { try $0.openDirectory($1) }
        guard try directory.statusIfPresent(of: name, followingLinks: false) != nil else { return nil }
        return UndoStep(.move, "\(path) to \(new.escaped)") {
            let kept = try OpenDirectory(new.containingDirectory, failPoint: failPoint)
            try directory.moveFile(name, to: newName, in: kept)
            return []
        }
    }
}
