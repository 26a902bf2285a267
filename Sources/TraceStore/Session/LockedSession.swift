internal import Glibc
package import RecordFormat
package import SystemPackage
package import TraceFiles
package import TraceFormat
internal import TraceText

/// The steps of which the operations of ``SessionWriter`` and the drain of the queue are made.
package struct LockedSession {
    let lock: DirectoryLock
    /// Notes what is written, where that can be undone.
    var recorder: WriteRecorder?
    /// Where it is noted that `session.json` is out of date with the records; nil if nobody would look.
    var staleHeaders: StaleHeaders?

    package var directory: OpenDirectory { lock.directory }

    /// Appends a record to its file; nothing is written that would break the format.
    ///
    /// - Returns: What a person should know: that a torn line was met.
    /// - Throws: ``FileError`` with `.invalidData`, or what the append throws.
    func append(_ record: [UInt8], to kind: RecordKind) throws -> [String] {
        try append(checked: record, RecordCheck.require(record, toBe: kind), to: kind)
    }

    /// Appends a line that was in the file already, but for what is meant to change: what was wrong with it is kept.
    ///
    /// - Returns: As ``append(_:to:)``.
    func appendVerbatim(_ record: [UInt8], to kind: RecordKind) throws -> [String] {
        try append(checked: record, RecordCheck.id(of: record), to: kind)
    }

    /// Appends a line that has been checked, and of which the id is known by that.
    ///
    /// - Returns: As ``append(_:to:)``.
    func append(checked record: [UInt8], _ id: ULID?, to kind: RecordKind) throws -> [String] {
        let appended = try lock.appendLine(record, to: kind.component, isWholeRecord: RecordCheck.isObject) {
            $0.elementsEqual(record) || (id != nil && RecordCheck.id(of: Array($0)) == id)
        }
        recorder?.noteAppended(record, id, to: kind)
        return notices(of: appended, to: kind)
    }

    /// What a person should know of an append: that a torn line was met, or that a file of this kind has just been made beside another
    /// one that is not read because case counts.
    func notices(of appended: AppendedLine, to kind: RecordKind) -> [String] {
        var notices = [appended.tornTail?.notice(kind)].compactMap(\.self)
        guard appended.createdFile else { return notices }
        try? directory.forEachName { name in
            guard JournalLayout.session.fileInOtherCase(name.escaped) == kind.fileName else { return }
            notices.append(
                "\(kind.fileName) was made beside \(name.escaped), which is not read, because case counts: to join them, rename that to "
                    + "'\(kind.component.stem) 2.jsonl' and run 'trace repair'")
        }
        return notices
    }

    /// Updates `updated_at`, which never goes backwards, and whatever `change` sets, keeping every other
    /// byte.
    ///
    /// - Parameter written: What an error says of the step before this one, e.g. `"the marker was written"`.
    /// - Parameter keys: The members of which an undo is to know what they were.
    /// - Throws: ``FileError`` with `.invalidData` if `session.json` is not one JSON object.
    func touch(
        after written: String, now: Timestamp = Clock.now(), undoing keys: [String] = [],
        _ change: (inout JSONObjectEditor) throws -> Void = { _ in }
    ) throws {
        do {
            try updateHeader(now: now, undoing: keys, change)
        } catch let error as FileError {
            var error = error
            error.message = "\(written), but session.json could not be updated: \(error.message)"
            throw error
        }
    }

    /// The last step of an operation whose records are written: updates `session.json`, as ``touch(after:now:undoing:_:)``.
    ///
    /// A caller that sees a failure tries again, and the records would be there twice. So what keeps `session.json` from being
    /// updated is not a failure of the operation: it is noted, and ``StaleHeaders`` does it later.
    ///
    /// - Parameters:
    ///   - written: What was done, e.g. `"the marker was written"`.
    ///   - namesVoiceNotes: Whether `voice_notes_path` is set.
    /// - Returns: What a person should know.
    package func finish(_ written: String, namesVoiceNotes: Bool = false, now: Timestamp = Clock.now())
        -> [String]
    {
        do {
            try updateHeader(now: now, undoing: []) { editor in
                if namesVoiceNotes { try editor.nameVoiceNotes() }
            }
            return []
        } catch {
            let problem = error.structured
            let later: String
            do {
                guard let staleHeaders else { throw problem }
                try staleHeaders.note(directory, namesVoiceNotes: namesVoiceNotes, at: now)
                later = "'traced' or 'trace queue flush' updates it once that is possible"
            } catch {
                later = "the next write into the session updates it"
            }
            return ["\(written), but session.json is out of date: \(problem.report.message); \(later)"]
        }
    }

    private func updateHeader(
        now: Timestamp, undoing keys: [String], _ change: (inout JSONObjectEditor) throws -> Void
    ) throws {
        let name = RecordKind.session.component
        var retry = RetryDeadline(timeout: SessionReader.headerTimeout)
        while true {
            do {
                guard let file = try directory.readFile(name, limit: SessionReader.maximumHeaderSize) else {
                    throw FileError(
                        .notFound, "there is no session.json", path: directory.path,
                        cure: "give a session directory")
                }
                do {
                    var editor = try JSONObjectEditor(file.contents)
                    let before = editor
                    try change(&editor)
                    let last = try editor.timestamp(of: "updated_at")
                    if last.map({ $0 < now }) ?? true { try editor.set("updated_at", to: JSONText(now)) }
                    try directory.replaceFile(name, with: editor.bytes, expecting: file.identity)
                    try recorder?.noteHeader(keys, before, editor)
                    return
                } catch let error as FormatError {
                    // Another program may be in the middle of rewriting it.
                    if SessionReader(directory).isBeingRewritten(file.identity), retry.pause() { continue }
                    throw FileError(
                        .invalidData, error.message, path: directory.path(of: name), cure: error.cure)
                }
            } catch let error as FileError where error.code == .changedMeanwhile {
                guard retry.pause() else { throw error }
            }
        }
    }

    /// What `session.json` says, for an operation that rests on it.
    ///
    /// - Throws: ``FileError`` with `.invalidData` if it is not one JSON object, though it was waited for.
    func wholeHeader() throws -> Session {
        let header = try SessionReader(directory).settledHeader()
        guard header.isWhole else {
            throw FileError(
                .invalidData, header.findings.first?.message ?? "is not one JSON object",
                path: directory.path(of: RecordKind.session.component),
                cure: [
                    "wait until the program that writes it has finished",
                    "\(verb: "repair") repairs one that stays incomplete",
                ]
            )
        }
        return header.session
    }

    /// Gives a file other contents, if it is still the one that was read, and keeps the old ones in the journal's
    /// directory.
    ///
    /// - Throws: ``FileError`` with `.changedMeanwhile`; then nothing is replaced.
    func replace(
        _ name: FilePath.Component, _ old: FileContents?, with contents: [UInt8],
        keepingIn log: UndoLog?, followsLink: Bool = true
    ) throws {
        let kept = try old.flatMap { try log?.keep($0.contents, as: name) }
        try directory.replaceFile(
            name, with: contents, expecting: old?.identity, followsLink: followsLink)
        let checksum = UndoableWrite.checksum(of: contents)
        recorder?.add(.replaced(path: name.string, kept: kept, sha256: checksum))
    }

    /// The authoritative line of a record: the last that has its id.
    ///
    /// - Throws: ``StoreError`` with `.noSuchRecord` if no record of that kind has the id.
    @discardableResult
    func require(_ id: ULID, in kind: RecordKind) throws -> [UInt8] {
        guard let line = try lines(of: [id], in: kind)[id]?.last else {
            throw StoreError(
                .noSuchRecord, "\(kind.noun) not found: \(id)", path: directory.path(of: kind.component),
                cure: [
                    "\(verb: Self.listing(of: kind)) lists the ids",
                    "if it is in another session, give that with \(option: "session")",
                    .listRecords,
                ]
            )
        }
        return line
    }

    /// Where a person finds the ids of a kind.
    private static func listing(of kind: RecordKind) -> String {
        switch kind {
        case .marker: "markers list"
        case .voiceNote: "voice-notes list"
        case .action: "action list"
        case .session, .timeline, .transcript: kind.fileName
        }
    }

    /// - Throws: ``FileError`` with `.leavesSession` or `.notFound`.
    func requireMedia(_ path: String) throws {
        let contents = try SessionReader(directory).contents(mediaPaths: [path])
        switch contents.media[path] {
        case .present: return
        case .outside:
            throw FileError(
                .leavesSession, "'\(path)' points outside the session directory", cure: "use a file in media/"
            )
        default:
            throw FileError(
                .notFound, "'\(path)' does not exist in the session",
                cure: "copy it there, or use \(option: "media-file")")
        }
    }

    /// The lines that have one of these ids, in file order, as they are in the file.
    func lines(of ids: Set<ULID>, in kind: RecordKind) throws -> [ULID: [[UInt8]]] {
        try SessionReader(directory).lines(of: ids, in: kind)
    }

    /// Gives a last line that is a whole record the newline that it lacks, where `isMeant` wants it to count:
    /// what a killed writer or an editor left would else be taken for missing, and be written twice.
    package func finishLastLine(of kind: RecordKind, where isMeant: (ULID?) -> Bool = { _ in true }) throws {
        let place = try directory.finalPlace(of: kind.component)
        let opened = try explaining("open for appending", place.path) { () throws(Errno) -> OpenFile? in
            do throws(Errno) {
                return try place.directory.openFile(place.name, O_RDWR | O_APPEND | O_NONBLOCK)
            } catch {
                if error == .noSuchFileOrDirectory { return nil }
                throw error
            }
        }
        guard let file = opened else { return }
        try explaining("finish the last line", place.path) { () throws(Errno) in
            let status = try file.status()
            guard status.kind == .regular else { return }
            let tail = try file.tail(length: status.identity.size)
            guard case .unfinished(_, let last, true) = tail, RecordCheck.isObject(last),
                isMeant(RecordCheck.id(of: last))
            else { return }
            try directory.reach(.write, kind.component)
            _ = try file.writeOnce([newline])
            try directory.reach(.sync, kind.component)
            try file.syncData()
        }
    }

    /// Ends the session in the timeline: where a pause lasts it ends first, then a `session_end` is appended, if there is none.
    ///
    /// - Parameter chosen: When it ended, where that was not now.
    /// - Returns: Where the session ends, and when that is; nil without a `start_time`.
    /// - Throws: ``FileError`` with `.invalidData` if `chosen` is not possible.
    func end(
        _ header: Session, at chosen: Timestamp?, now: Timestamp
    ) throws -> (offset: SessionOffset, moment: Timestamp)? {
        var step = try endStep(header, at: chosen, now: now)
        if case .resume(let entry)? = step {
            _ = try add([entry])
            step = try endStep(header, at: chosen, now: now, hasResumed: true)
        }
        switch step {
        case .end(let entry)?:
            _ = try append(entry.json.bytes, to: .timeline)
            return (entry.offset, entry.wallTime)
        case .ended(let offset, let moment)?: return (offset, moment)
        case .resume?, nil: return nil
        }
    }

    /// What comes next in the timeline of a session that ends.
    enum EndStep {
        /// The end of a pause that lasts.
        case resume(TimelineEntry)
        /// The `session_end`.
        case end(TimelineEntry)
        /// Nothing: it has one.
        case ended(SessionOffset, Timestamp)
    }

    /// - Parameters:
    ///   - hasResumed: Whether the end of a pause has just been written: all has been checked before.
    ///   - id: That of what is to be written.
    /// - Returns: Nil without a `start_time`.
    /// - Throws: As ``end(_:at:now:)``.
    func endStep(
        _ header: Session, at chosen: Timestamp?, now: Timestamp, hasResumed: Bool = false,
        id: ULID = IDGenerator.next()
    ) throws -> EndStep? {
        try finishLastLine(of: .timeline)
        guard let clock = try SessionReader(directory).clock(of: header) else { return nil }
        let timeline = try timelineEnd()
        if let chosen, !hasResumed {
            try check(chosen, by: clock, last: timeline.last, existing: timeline.end)
        }
        if let end = timeline.end { return .ended(end, clock.wall(resumingAt: end)) }
        let end = chosen ?? now
        if !hasResumed, let pause = clock.pausedAt, clock.wall(at: pause) < end {
            return .resume(PauseEntry.end(at: pause, end, id: id))
        }
        let offset = max(timeline.last, .zero, clock.offset(at: end))
        return .end(
            TimelineEntry(
                id: id, kind: .sessionEnd, offset: offset, wallTime: clock.wall(resumingAt: offset),
                createdAt: now))
    }

    /// The last offset of the timeline, and where its `session_end` stands.
    func timelineEnd() throws -> (last: SessionOffset, end: SessionOffset?) {
        var last = SessionOffset.zero
        var end: SessionOffset?
        try SessionReader(directory).read(.timeline) { entry in
            last = max(last, entry.offset ?? .zero)
            if entry.detail == TimelineEntry.Kind.sessionEnd.rawValue { end = entry.offset }
        }
        return (last, end)
    }

    /// Checks that a session can end at a moment that somebody has chosen.
    private func check(
        _ end: Timestamp, by clock: SessionClock, last: SessionOffset, existing: SessionOffset?
    ) throws {
        guard end >= clock.start else {
            throw FileError(
                .invalidData, "the session began at \(clock.start), after \(end)", path: directory.path,
                cure: [
                    "give a later end",
                    "if the start is wrong, correct it with \(verb: "session edit --start TIME")",
                    "if the start is wrong, correct it with \(route: "POST /api/v1/sessions/{s}/edit") and 'start_time'",
                ])
        }
        let timeline = directory.path(of: RecordKind.timeline.component)
        if let existing, case let moment = clock.wall(resumingAt: existing), moment != end {
            throw FileError(
                .invalidData, "there is already a session_end, at \(moment)", path: timeline,
                cure: "close the session without giving an end, or remove that line first")
        }
        guard clock.wall(at: last) <= end else {
            throw FileError(
                .invalidData, "the last entry is at \(clock.wall(at: last)), after \(end)",
                path: timeline, cure: "give that time or a later one")
        }
    }
}

extension OpenDirectory {
    /// Some bytes of a regular file.
    ///
    /// - Throws: ``FileError`` with `.changedMeanwhile` if the file is shorter than that.
    package func slice(of name: FilePath.Component, at offset: Int, count: Int) throws -> [UInt8] {
        guard let file = try openRegularFile(name) else {
            throw FileError(.notFound, "does not exist", path: path(of: name))
        }
        return try file.slice(at: offset, count: count)
    }
}

extension JSONObjectEditor {
    /// Says that the session has voice notes.
    mutating func nameVoiceNotes() throws(FormatError) {
        try set("voice_notes_path", to: JSONText(RecordKind.voiceNote.fileName))
    }

    /// The moment that a member holds, or nil.
    func timestamp(of name: String) throws(FormatError) -> Timestamp? {
        guard let text = try text(of: name) else { return nil }
        return Timestamp(String(decoding: text.dropFirst().dropLast(), as: UTF8.self))
    }
}

extension TornTail {
    /// The notice for a person who has appended a line behind it.
    func notice(_ kind: RecordKind) -> String {
        "\(kind.fileName) (byte \(offset)): the last line was already incomplete (\(length) bytes); it was left unchanged, and the "
            + "new line was written after it; 'trace validate' shows it"
    }
}
