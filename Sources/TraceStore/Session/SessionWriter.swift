public import RecordFormat
public import SystemPackage
package import TraceFiles
public import TraceFormat
internal import TraceText

/// Writes into one session directory; every operation of the format goes through here.
///
/// Each call takes the session's lock, does its steps in an order in which a kill at any instruction leaves
/// valid files, and may be repeated: a step that has been done is not done again.
///
/// Source: docs/spec/format.md#what-each-operation-writes; docs/durability.md.
public struct SessionWriter: Sendable {
    /// The session's directory.
    public let path: FilePath
    private let runtimeDirectory: FilePath?
    /// The session that must be there still; nil if the caller compares by itself.
    private let target: SessionTarget?
    /// Where writes are noted that the user may want to undo.
    package var undoLog: UndoLog?
    /// Where it is noted that a `session.json` is out of date with the records.
    package var staleHeaders: StaleHeaders?
    /// What tests make happen between the steps.
    package var failPoint: FailPoint?
    /// How long to wait for a lock that somebody holds; zero tries once.
    package var lockTimeout = DirectoryLock.defaultTimeout

    /// Whether a `digest.md` that is a link is written through; if not, it is refused with `.leavesSession`.
    package var followsDigestLink = true

    /// - Parameter runtimeDirectory: Where locks go for file systems that can't lock a directory.
    public init(_ path: FilePath, runtimeDirectory: FilePath? = nil) {
        self.path = path
        self.runtimeDirectory = runtimeDirectory
        target = nil
    }

    /// Writes into a session that was chosen before, and into no other: each call looks under the lock whether it is still that
    /// one, and throws ``StoreError`` with `.otherSession` if not; then nothing is written.
    package init(_ target: SessionTarget, runtimeDirectory: FilePath? = nil) {
        path = target.path
        self.runtimeDirectory = runtimeDirectory
        self.target = target
    }

    /// Runs `body` while no other writer of this product is at the session.
    ///
    /// - Throws: ``FileError`` with `.notFound` if the directory is not a session; ``StoreError`` with `.otherSession` if it is another than
    ///   was chosen; what `body` throws.
    func locked<Result>(_ body: (LockedSession) throws -> Result) throws -> Result {
        try DirectoryLock.holding(
            path, runtimeDirectory: runtimeDirectory, timeout: lockTimeout, failPoint: failPoint
        ) { lock in
            guard try lock.directory.statusIfPresent(of: "session.json", followingLinks: true) != nil else {
                throw FileError(
                    .notFound, "there is no session.json", path: path, cure: "give a session directory")
            }
            try target?.requireSame(in: lock.directory)
            try lock.removeLeftovers()
            return try body(LockedSession(lock: lock, staleHeaders: staleHeaders))
        }
    }

    /// As ``locked(_:)``, for one write of the user, which is recorded in the undo log.
    package func recorded<Result>(
        _ operation: UndoableWrite.Operation, _ body: (LockedSession) throws -> Result
    ) throws -> Result {
        guard let undoLog else { return try locked(body) }
        return try locked { session in
            var session = session
            let recorder = WriteRecorder(
                operation, session: path, id: target?.session.id, command: undoLog.command)
            session.recorder = recorder
            // What stands can be undone, even where a later step fails.
            defer { if let write = recorder.write { undoLog.note(write) } }
            return try body(session)
        }
    }

    /// Appends a marker and updates `session.json`.
    ///
    /// - Throws: ``FileError``; `.invalidData` if the marker would break the format (then nothing is written), `.notFound` if
    ///   the directory is not a session; ``StoreError`` with `.noSuchRecord` if the voice note is not there.
    /// - Returns: What a person should know, e.g. that the marker was written and only `session.json` could not be updated.
    /// - Note: Durable on return.
    /// - Complexity: O(1) in the size of the session, but for the look for `voiceNoteID`.
    ///
    /// Source: docs/spec/format.md#what-each-operation-writes.
    @discardableResult
    public func mark(_ marker: Marker) throws -> [String] {
        try recorded(.mark) { session in
            if let id = marker.voiceNoteID { try session.require(id, in: .voiceNote) }
            return try session.append(marker.json.bytes, to: .marker)
                + session.finish("the marker was written")
        }
    }

    /// Stores the audio of a voice note, appends the note, links its marker to it, and updates
    /// `session.json`.
    ///
    /// The marker is linked as existing writers do it: its last line is appended once more, with
    /// `voice_note_id`.
    ///
    /// - Parameter audio: The file to copy to the note's `mediaPath`; nil if it is there already.
    /// - Throws: ``FileError``; `.notFound` for the audio or the session, `.invalidData` if the note would break the format (then nothing is
    ///   written); ``StoreError`` with `.noSuchRecord` for the marker.
    /// - Note: Durable on return. Killed in between, the audio may be in `media/` without its line, or the marker may not know
    ///   its note.
    ///
    /// Source: docs/spec/format.md#what-each-operation-writes.
    @discardableResult
    public func addVoiceNote(_ note: VoiceNote, audio: FilePath?) throws -> [String] {
        try recorded(.voiceNote) { session in
            let line = note.json.bytes
            let id = try RecordCheck.require(line, toBe: .voiceNote)
            let marker = try note.markerID.map { try session.linked(marker: $0, to: note.id) }
            if let audio {
                let placed = try session.directory.placeMedia(
                    from: audio, to: MediaPath.forWriting(note.mediaPath, in: path))
                if case .placed(let identity) = placed {
                    session.recorder?.add(.media(path: note.mediaPath, identity))
                }
            } else {
                try session.requireMedia(note.mediaPath)
            }
            var notices = try session.append(checked: line, id, to: .voiceNote)
            if let marker { notices += try session.appendVerbatim(marker, to: .marker) }
            return notices + session.finish("the voice note was written", namesVoiceNotes: true)
        }
    }

    /// Ends an active session: a `session_end` in the timeline, then status, end and length in
    /// `session.json`.
    ///
    /// The end is at the present time, or at the last offset of the timeline where that is later.
    ///
    /// - Parameter end: When it ended, where that was not now.
    /// - Returns: How long the session was.
    /// - Throws: ``StoreError`` with `.alreadyClosed`; ``FileError`` with `.invalidData` if `start_time` is missing or broken, or `end` is
    ///   before something in the timeline (then nothing is written).
    /// - Note: Durable on return. Killed in between, the session is still active; closing it again uses the
    ///   `session_end` that is there.
    ///
    /// Source: docs/spec/format.md#what-each-operation-writes.
    public func close(at end: Timestamp? = nil, now: Timestamp = Clock.now()) throws -> SessionOffset {
        try recorded(.close) { session in
            let header = try session.wholeHeader()
            guard header.status != .closed else {
                throw StoreError(.alreadyClosed, "session already closed", path: path)
            }
            guard let end = try session.end(header, at: end, now: now) else {
                throw FileError(
                    .invalidData, "session start_time is missing or invalid",
                    path: path.appending("session.json"),
                    cure: "write start_time as YYYY-MM-DDTHH:MM:SS.mmmZ, then close again")
            }
            try session.touch(
                after: "the end was written to timeline.jsonl", now: max(now, end.moment),
                undoing: ["status", "end_time", "duration_ms"]
            ) { editor in
                try editor.set("status", to: JSONText(Session.Status.closed.rawValue))
                try editor.set("end_time", to: JSONText(end.moment))
                try editor.set("duration_ms", to: JSONText(end.offset))
            }
            return end.offset
        }
    }
}

extension LockedSession {
    /// The authoritative line of a marker, naming a voice note; every other byte is as it was.
    fileprivate func linked(marker id: ULID, to note: ULID) throws -> [UInt8] {
        let line = try require(id, in: .marker)
        do throws(FormatError) {
            var editor = try JSONObjectEditor(line)
            try editor.set("voice_note_id", to: JSONText(note))
            return editor.bytes
        } catch {
            throw FileError(
                .invalidData, error.message, path: directory.path(of: RecordKind.marker.component),
                cure: error.cure)
        }
    }
}
