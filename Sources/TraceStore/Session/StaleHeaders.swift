internal import RecordFormat
package import SystemPackage
internal import TraceFiles
internal import TraceFormat

/// Notes in the state directory that a `session.json` is out of date with the records of its session, because it could not be
/// updated when they were written: another program was rewriting it, it was damaged, its disk was full.
///
/// One file a session in `headers/`, named by device and inode of the session's directory, written and removed under the session's
/// lock. A note asks for what the writes would have done themselves, and for nothing else: `updated_at` at least as late as they
/// were, and the name of the voice notes.
package struct StaleHeaders: Sendable {
    /// Where the notes are.
    let path: FilePath

    package init(state: FilePath) { path = state.appending("headers") }

    /// - Parameter directory: The session's, locked.
    /// - Throws: ``FileError``.
    /// - Note: Durable on return.
    func note(_ directory: OpenDirectory, namesVoiceNotes: Bool, at time: Timestamp) throws {
        try OpenDirectory.make(path)
        let notes = try OpenDirectory(path)
        let name = try Self.name(of: directory)
        let old = try notes.readFile(name, limit: Self.limit)
        var note = StaleHeader(
            session: directory.path, id: try? SessionReader(directory).readableHeader().session.id,
            updatedAt: time, namesVoiceNotes: namesVoiceNotes)
        if let earlier = old.flatMap({ StaleHeader($0.contents) }), earlier.isAbout(note) {
            note.id = note.id ?? earlier.id
            note.updatedAt = max(note.updatedAt, earlier.updatedAt)
            note.namesVoiceNotes = note.namesVoiceNotes || earlier.namesVoiceNotes
        }
        try notes.replaceFile(name, with: note.json.bytes + [newline], expecting: old?.identity)
    }

    /// Does what the notes ask for, wherever that is possible now, and removes those that have no more to ask for.
    ///
    /// A session that another process has locked, or whose `session.json` is still not whole, is left to the next time.
    ///
    /// - Parameter locate: The directories of the sessions that have an id, for a session that has been moved.
    /// - Returns: The sessions of which `session.json` was updated.
    /// - Complexity: One system call where there are no notes.
    func bringUpToDate(runtimeDirectory: FilePath?, locate: (ULID) -> [FilePath]) -> [FilePath] {
        guard let notes = try? OpenDirectory(path) else { return [] }
        var names: [FilePath.Component] = []
        try? notes.forEachName { if $0.extension == "json" { names.append($0) } }
        return names.compactMap { name in
            (try? bringUpToDate(name, in: notes, runtimeDirectory, locate)) ?? nil
        }
    }

    /// - Returns: The session, if its `session.json` was updated.
    private func bringUpToDate(
        _ name: FilePath.Component, in notes: OpenDirectory, _ runtimeDirectory: FilePath?,
        _ locate: (ULID) -> [FilePath]
    ) throws -> FilePath? {
        guard let found = try Self.read(name, in: notes) else { return nil }
        for path in [found.session] + (found.id.map(locate) ?? []) {
            guard (try? SessionReader(path).readableHeader().isWhole) == true else { continue }
            let isUpdated = try DirectoryLock.holding(
                path, runtimeDirectory: runtimeDirectory, timeout: .zero
            ) { lock -> Bool? in
                // Another write may have asked for more meanwhile.
                guard let note = try Self.read(name, in: notes) else { return false }
                let header = try SessionReader(lock.directory).readableHeader()
                guard header.isWhole,
                    try note.id.map({ $0 == header.session.id }) ?? (Self.name(of: lock.directory) == name)
                else { return nil }
                let isBehind = try note.isAhead(of: header.session, in: lock.directory)
                if isBehind { try note.update(LockedSession(lock: lock)) }
                try notes.remove([name])
                return isBehind
            }
            if let isUpdated { return isUpdated ? path : nil }
        }
        return nil
    }

    private static func read(_ name: FilePath.Component, in notes: OpenDirectory) throws -> StaleHeader? {
        try notes.readFile(name, limit: limit).flatMap { StaleHeader($0.contents) }
    }

    /// The largest note that is read, in bytes.
    private static let limit: Int64 = 1 << 16

    private static func name(of directory: OpenDirectory) throws -> FilePath.Component {
        let identity = try directory.status().identity
        return FilePath.Component("\(String(identity.device, radix: 16))-\(identity.inode).json")
            ?? "header.json"
    }
}

/// One note.
private struct StaleHeader {
    /// Where the session lay.
    var session: FilePath
    /// Its id, where it could be read.
    var id: ULID?
    /// When its records were last written.
    var updatedAt: Timestamp
    /// Whether there are voice notes among them.
    var namesVoiceNotes: Bool

    init(session: FilePath, id: ULID?, updatedAt: Timestamp, namesVoiceNotes: Bool) {
        self.session = session
        self.id = id
        self.updatedAt = updatedAt
        self.namesVoiceNotes = namesVoiceNotes
    }

    /// - Returns: Nil if the bytes are no note.
    init?(_ bytes: [UInt8]) {
        let read = try? JSONParser().withParsed(bytes) { root -> StaleHeader? in
            guard let path = root[name: "session_bytes"]?.string.flatMap({ FilePath(hexadecimal: $0) }),
                let updatedAt = root[name: "updated_at"]?.timestamp
            else { return nil }
            return StaleHeader(
                session: path, id: root[name: "session_id"]?.utf8.flatMap(ULID.init(bytes:)),
                updatedAt: updatedAt, namesVoiceNotes: root[name: "voice_notes"]?.boolean ?? false)
        }
        guard let note = read ?? nil else { return nil }
        self = note
    }

    var json: JSONText {
        .object { object in
            object.member("session_id", id.map { JSONText($0) })
            // Bytes in hexadecimal: a path need not be UTF-8.
            object.member("session_bytes", JSONText(hexadecimal(session.bytes)))
            object.member("session", JSONText(session.escaped))
            object.member("updated_at", JSONText(updatedAt))
            object.member("voice_notes", JSONText(namesVoiceNotes))
        }
    }

    /// Whether both are about one session; its directory's number may be that of another one, which is gone.
    func isAbout(_ other: StaleHeader) -> Bool {
        id == nil || other.id == nil ? session == other.session : id == other.id
    }

    func isAhead(of header: Session, in directory: OpenDirectory) throws -> Bool {
        try header.updatedAt.map { $0 < updatedAt } ?? true || mustNameVoiceNotes(header, directory)
    }

    private func mustNameVoiceNotes(_ header: Session, _ directory: OpenDirectory) throws -> Bool {
        guard namesVoiceNotes, !header.namesVoiceNotes else { return false }
        return try directory.statusIfPresent(of: RecordKind.voiceNote.component, followingLinks: true) != nil
    }

    func update(_ session: LockedSession) throws {
        let header = try SessionReader(session.directory).readableHeader().session
        let hasVoiceNotes = try mustNameVoiceNotes(header, session.directory)
        try session.touch(after: "the records were written", now: updatedAt) { editor in
            if hasVoiceNotes { try editor.nameVoiceNotes() }
        }
    }
}
