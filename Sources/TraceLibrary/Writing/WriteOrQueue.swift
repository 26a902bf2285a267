internal import RecordFormat
package import SystemPackage
internal import TraceFiles
package import TraceFormat
package import TraceStore
internal import TraceText

/// The outcome of a write.
package enum WriteOutcome {
    /// It is in a session, which may have moved since it was chosen. Notices say what could not be done besides.
    case written(into: SessionTarget, notices: [String])
    /// It waits in the queue, with so many entries in all.
    case queued(pending: Int, reason: String)
}

extension LibraryWriter {
    /// Writes a marker; where its session is not available or can't be written, it waits in the queue.
    ///
    /// - Parameter mayQueue: Else it fails where the session can't be written.
    /// - Throws: ``LibraryError`` with `.noSessionID` if it can't wait either; ``FileError``, ``FormatError``.
    package func mark(
        _ marker: Marker, in target: WriteTarget, mayQueue: Bool = true
    ) throws -> WriteOutcome {
        guard let place = target.place else {
            return try enqueue(marker, for: target, reason: target.problem)
        }
        do { return try write(into: place) { try $0.mark(marker) } } catch
            where mayQueue && error.isAboutReaching
        {
            return try enqueue(marker, for: target, reason: "\(error)")
        }
    }

    /// As ``mark(_:in:mayQueue:)``, for a voice note.
    ///
    /// - Parameter given: The audio that is to be copied; nil if it is in the session, as its `media_path` says.
    /// - Throws: ``LibraryError`` with `.audioAbsent` if the session is not available, and with it the audio.
    package func add(
        _ note: VoiceNote, audio given: FilePath?, to target: WriteTarget, mayQueue: Bool = true
    ) throws -> WriteOutcome {
        guard let place = target.place else {
            guard let given else {
                throw LibraryError(
                    .audioAbsent, "the session was not found, so neither was '\(note.mediaPath)'",
                    cure: "give the audio with \(option: "media-file")")
            }
            return try enqueue(note, audio: given, for: target, reason: target.problem)
        }
        do { return try write(into: place) { try $0.addVoiceNote(note, audio: given) } } catch
            where mayQueue && error.isAboutReaching
        {
            // Audio that is not there can't wait in the queue either.
            if let error = error as? FileError, error.code == .notFound,
                error.path == nil || error.path == given
            {
                throw error
            }
            // Nor can what another session has under that name.
            if (error as? StoreError)?.code == .otherSession, given == nil { throw error }
            let audio = given ?? place.path.pushing(FilePath(note.mediaPath))
            return try enqueue(note, audio: audio, for: target, reason: "\(error)")
        }
    }

    /// Writes into a session that was chosen; where another is in its place now, into wherever it has gone.
    ///
    /// - Throws: What `write` throws; ``StoreError`` with `.otherSession` if it is nowhere to be found.
    func write(
        into session: SessionTarget, _ write: (SessionWriter) throws -> [String]
    ) throws -> WriteOutcome {
        var target = session
        var attemptsLeft = 5
        while true {
            do { return .written(into: target, notices: try write(writer(target))) } catch let error
                as StoreError where error.code == .otherSession && attemptsLeft > 0
            {
                attemptsLeft -= 1
                guard let id = session.session.id, let path = sessionsByID()(id).first,
                    let found = try? SessionTarget(reading: path), found.session.id == id
                else { throw error }
                target = found
            }
        }
    }

    private func enqueue(
        _ marker: Marker, for target: WriteTarget, reason: String
    ) throws -> WriteOutcome {
        let entry = SpoolEntry(
            id: marker.id, kind: .marker, journalID: try target.queueID(for: "marker", reason),
            createdAt: marker.createdAt ?? Clock.now(), payload: marker.json)
        return try queued(entry, as: .mark, reason)
    }

    private func enqueue(
        _ note: VoiceNote, audio: FilePath, for target: WriteTarget, reason: String
    ) throws -> WriteOutcome {
        let session = try target.queueID(for: "voice note", reason)
        let name = "\(note.id)\(audio.extension.map { ".\($0)" } ?? "")"
        let entry = SpoolEntry(
            id: note.id, kind: .voiceNote, journalID: session, createdAt: note.createdAt ?? Clock.now(),
            payload: note.json, attachment: try Spool.attachment(for: audio, named: name))
        return try queued(entry, attachment: audio, as: .voiceNote, reason)
    }

    /// Puts an entry into the queue, and tells how many wait.
    ///
    /// - Throws: ``FileError``.
    func queued(
        _ entry: SpoolEntry, attachment: FilePath? = nil, as operation: UndoableWrite.Operation,
        _ reason: String
    ) throws -> WriteOutcome {
        try enqueue(entry, attachment: attachment, as: operation)
        return .queued(pending: (try? queue.local.files().count) ?? 1, reason: reason)
    }
}

extension WriteTarget {
    /// The id under which something waits.
    ///
    /// - Throws: ``LibraryError`` with `.noSessionID`.
    func queueID(for noun: String, _ reason: String) throws -> ULID {
        if let id = session.id { return id }
        throw LibraryError(
            .noSessionID, "the \(noun) can't be queued: the session's id can't be read (\(reason))")
    }
}

extension Error {
    /// Whether the session could not be reached or written, rather than what was to be written being wrong.
    ///
    /// What waits has the id of its record, and the drain looks for that first: a write that was done before it failed is there once. So it may
    /// be any error that says so, also that another process has the index, which no write asks now.
    var isAboutReaching: Bool {
        // Links that go round in circles, or lead to another user's place.
        if let error = self as? FileError, error.code == .leavesSession { return error.errno != nil }
        return anyMeaning.fate.mayWait
    }
}
