internal import SystemPackage
internal import TraceFormat

/// Checks that a write can be taken back safely, and says how; the last change is taken back first.
struct UndoRun {
    let write: UndoableWrite
    /// Whether an undo was killed: what is gone already has been taken back by it.
    let isHalfUndone: Bool
    let isDryRun: Bool
    let queue: QueueDirectories
    /// Where files go that are taken out of a session.
    let kept: FilePath
    let stepHook: StepHook?

    /// - Throws: ``StoreError`` with `.unsafeToUndo`.
    func steps(in session: LockedSession?) throws -> [UndoStep] {
        try write.changes.reversed().compactMap { change in
            switch change {
            case .queued(let id): try putAside(id)
            case .appended(let kind, let id, let sha256):
                try session.flatMap { try takeOut(kind, id, sha256, $0) }
            case .appendedTogether(let kind, _, let kept):
                try session.flatMap { try takeOut(kind, linesKeptAt: kept, $0) }
            case .removed(let kind, let id, let lines):
                try session.flatMap { try putBack(kind, id, lines, $0) }
            case .header(let key, let before, let after):
                try session.flatMap { try reset(key, before, after, $0) }
            case .media(let path, let size, let modified):
                try session.flatMap { try takeOut(media: path, size, modified, $0) }
            case .replaced(let path, let old, let sha256):
                try session.flatMap { try putBack(file: path, old, sha256, $0) }
            }
        }
    }

    /// The records of which no line is left when this is done.
    var createdRecords: [ULID] {
        guard write.operation == .mark || write.operation == .voiceNote else { return [] }
        return write.changes.compactMap { change in
            guard case .appended(let kind, let id, _) = change else { return nil }
            // A voice note appends a line of its marker too, which was there before.
            return kind == .voiceNote || write.operation == .mark ? id : nil
        }
    }

    private func unsafe(_ message: String, _ path: FilePath? = nil, hint: String? = nil) -> StoreError {
        StoreError(
            .unsafeToUndo, message, path: path,
            hint: hint ?? "look at it, and change by hand what is to be changed")
    }

    // MARK: - Lines

    private func takeOut(
        _ kind: RecordKind, _ id: ULID, _ sha256: String, _ session: LockedSession
    ) throws -> UndoStep? {
        let path = session.directory.path(of: kind.component)
        if !isDryRun { try session.finishLastLine(of: kind) { $0 == id } }
        let lines = try session.lines(of: [id], in: kind)[id] ?? []
        let isOurs = lines.map { UndoableWrite.checksum(of: $0) == sha256 }
        guard isOurs.contains(true) else {
            if isHalfUndone { return nil }
            throw unsafe("the line of \(kind.noun) \(id) that was written is no longer there", path)
        }
        guard isOurs.last == true else {
            throw unsafe("\(kind.noun) \(id) has been edited since", path)
        }
        if lines.count == 1 { try requireUnreferenced(kind, id, session) }
        return UndoStep("take a line of \(kind.noun) \(id) out of \(kind.fileName)") {
            try session.removeLines(from: kind) { file in
                let own = file.lines.last { $0.facts?.id == id }
                guard let own, UndoableWrite.checksum(of: Array(file.text(of: own))) == sha256 else {
                    throw unsafe("\(kind.noun) \(id) has been edited since", path)
                }
                return [own]
            }
            return []
        }
    }

    /// Takes many lines out at once.
    private func takeOut(
        _ kind: RecordKind, linesKeptAt kept: String, _ session: LockedSession
    ) throws -> UndoStep? {
        let path = session.directory.path(of: kind.component)
        var ours: [ULID: [UInt8]] = [:]
        for line in try contents(kept: kept).split(separator: newline) {
            if let id = RecordCheck.id(of: Array(line)) { ours[id] = Array(line) }
        }
        if !isDryRun { try session.finishLastLine(of: kind) { $0.map { ours[$0] != nil } ?? false } }
        let standing = try session.lines(of: Set(ours.keys), in: kind)
        for (id, line) in ours {
            let lines = standing[id] ?? []
            guard lines.contains(line) else {
                if isHalfUndone { ours[id] = nil; continue }
                throw unsafe("the line of \(kind.noun) \(id) that was written is no longer there", path)
            }
            guard lines.last == line else { throw unsafe("\(kind.noun) \(id) has been edited since", path) }
        }
        guard !ours.isEmpty else { return nil }
        let notes = try OpenSession(session.directory).authoritative(
            .voiceNote,
            where: { note in
                note.reference.map { standing[$0]?.count == 1 && ours[$0] != nil } ?? false
            }
        ) { VoiceNote($0) }
        if let note = notes.first?.value, let marker = note.markerID {
            throw unsafe(
                "marker \(marker) is named by voice note \(note.id)",
                session.directory.path(of: RecordKind.voiceNote.component),
                hint: "'trace marker remove \(marker) --force' drops the reference")
        }
        let what = ours.count == 1 ? "a line" : "\(ours.count) lines"
        return UndoStep("take \(what) out of \(kind.fileName)") { [ours] in
            try session.removeLines(from: kind) { file in
                try file.lines.filter { line in
                    guard let id = line.facts?.id, let own = ours[id] else { return false }
                    guard
                        own.elementsEqual(file.text(of: line)) || standing[id].map({ $0.count > 1 }) ?? false
                    else {
                        throw unsafe("\(kind.noun) \(id) has been edited since", path)
                    }
                    return own.elementsEqual(file.text(of: line))
                }
            }
            return []
        }
    }

    /// A record that goes must not be named by one that stays.
    private func requireUnreferenced(_ kind: RecordKind, _ id: ULID, _ session: LockedSession) throws {
        guard kind == .marker || kind == .voiceNote else { return }
        let other: RecordKind = kind == .marker ? .voiceNote : .marker
        let gone = Set(
            write.changes.compactMap { change -> String? in
                if case .appended(other, _, let sha256) = change { sha256 } else { nil }
            })
        let referring = try session.referring(to: id, in: other) { _, line in
            gone.contains(UndoableWrite.checksum(of: line))
        }
        guard let first = referring.first else { return }
        throw unsafe(
            "\(kind.noun) \(id) is named by \(other.noun) \(first)",
            session.directory.path(of: other.component),
            hint: kind == .marker ? "'trace marker remove \(id) --force' drops the reference" : nil)
    }

    private func putBack(
        _ kind: RecordKind, _ id: ULID, _ lines: [[UInt8]], _ session: LockedSession
    ) throws -> UndoStep? {
        let standing = try session.lines(of: [id], in: kind)[id] ?? []
        // A removal, or an undo of it, that was killed: some of the lines stand, or all.
        let isBegun = standing.count <= lines.count && standing == Array(lines.prefix(standing.count))
        guard isBegun else {
            throw unsafe(
                "\(kind.noun) \(id) has other lines by now", session.directory.path(of: kind.component))
        }
        let missing = lines.dropFirst(standing.count)
        guard !missing.isEmpty else { return nil }
        let what = missing.count == 1 ? "the line" : "\(missing.count) lines"
        return UndoStep("put \(what) of \(kind.noun) \(id) back into \(kind.fileName)") {
            try missing.flatMap { try session.appendVerbatim($0, to: kind) }
        }
    }

    // MARK: - session.json

    private func reset(
        _ key: String, _ before: [UInt8]?, _ after: [UInt8]?, _ session: LockedSession
    ) throws -> UndoStep? {
        let name = RecordKind.session.component
        let path = session.directory.path(of: name)
        guard let file = try session.directory.readFile(name, limit: OpenSession.maximumHeaderSize) else {
            throw unsafe("there is no session.json", path)
        }
        let now = try JSONObjectEditor(file.contents).text(of: key).map { Array($0) }
        if now == before { return nil }
        guard now == after else { throw unsafe("\(key) has been changed since", path) }
        return UndoStep(Self.text(of: key, before)) {
            try session.touch(after: "nothing else is taken back yet") { editor in
                if let before {
                    try editor.set(key, to: JSONText(verbatim: before))
                } else {
                    try editor.remove(key)
                }
            }
            return []
        }
    }

    private static func text(of key: String, _ before: [UInt8]?) -> String {
        guard let before else { return "take \(key) out of session.json" }
        // The whole list says less than that it is shorter again.
        if key == "media" { return "take the media item out of session.json" }
        return "set \(key) in session.json to \(String(decoding: before, as: UTF8.self))"
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
            throw unsafe("the file that was written is no longer there", directory.path(of: name))
        }
        guard status.identity.size == size, status.identity.modified.stamp == modified else {
            throw unsafe("the file has been changed since", directory.path(of: name))
        }
        if try isNeeded(path, session) { return nil }
        return UndoStep("move \(path) to \(kept.escaped)") {
            try OpenDirectory.make(kept)
            try directory.moveFile(name, to: name, in: OpenDirectory(kept, stepHook: stepHook))
            return []
        }
    }

    /// Whether something else in the session names a media file.
    private func isNeeded(_ path: String, _ session: LockedSession) throws -> Bool {
        let path = MediaPath.plain(path)
        let own = Set(
            write.changes.compactMap { change -> ULID? in
                if case .appended(.voiceNote, let id, _) = change { id } else { nil }
            })
        // Taken back already when this is done.
        let ownItem = write.changes.contains { change in
            if case .header("media", _, _) = change { true } else { false }
        }
        var isNeeded =
            try !ownItem
            && OpenSession(session.directory).readableHeader().session.media.contains {
                MediaPath.plain($0.path) == path
            }
        _ = try OpenSession(session.directory).read(.voiceNote) { record in
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
        guard let present, UndoableWrite.checksum(of: present.contents) == sha256 else {
            throw unsafe("the text that was written has been changed since", directory.path(of: name))
        }
        guard let earlier else {
            return UndoStep("move \(path) to \(kept.escaped)") {
                try OpenDirectory.make(kept)
                try directory.moveFile(name, to: name, in: OpenDirectory(kept, stepHook: stepHook))
                return []
            }
        }
        return UndoStep("put the old \(path) back") {
            try directory.replaceFile(name, with: earlier, expecting: present.identity)
            return []
        }
    }

    /// What was kept of a file that was overwritten.
    private func contents(kept place: String) throws -> [UInt8] {
        let path = kept.removingLastComponent().pushing(FilePath(place))
        let names = MediaPath.components(of: place)
        // As long as what was written may have been, e.g. an import of 1,000,000 markers.
        let file = try names?.last.flatMap {
            try OpenDirectory(path.removingLastComponent()).readFile($0, limit: .max)
        }
        guard let file else { throw unsafe("what was overwritten is no longer kept", path) }
        return file.contents
    }

    private func putAside(_ id: ULID) throws -> UndoStep? {
        guard let file = try queue.local.files().first(where: { $0.id == id }) else {
            if isHalfUndone { return nil }
            throw unsafe(
                "entry \(id) has left the queue since",
                hint:
                    "'trace queue show \(id)' tells where it is; 'trace marker remove \(id)' removes a marker"
            )
        }
        return UndoStep("move entry \(id) from the queue to \(queue.dropped.escaped)") {
            let entry = try? queue.local.read(file)
            try queue.local.move(file, entry, to: queue.dropped, stepHook: stepHook)
            return []
        }
    }
}
