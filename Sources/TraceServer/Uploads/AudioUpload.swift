internal import HTTPTypes
internal import RecordFormat
internal import Synchronization
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceMedia
internal import TraceStore
internal import TraceText

/// The audio of a voice note, on its way from a request into the session.
///
/// body → part, synced every megabyte → digest, container → beside the record that waits, and with it into the session; or whole, until
/// its record comes. What has come of a request that breaks off stays, and the next request continues from there.
///
/// Source: docs/http.md#audio.
final class AudioUpload: BodySink {
    private let call: Call
    private let id: ULID
    private let session: CalledSession
    private let sessionID: ULID
    private let upload: PartialUpload
    private let ticket: UploadTable.Ticket
    /// How many bytes all of it may have.
    private let limit: Int64
    private let isLast: Bool
    private let hasContainer = Atomic(false)

    /// What a request does to what has come before.
    enum Start {
        /// It sends all of it.
        case new
        /// It continues from an offset.
        case at(Int64)
    }

    /// Looks at the head of a request, and takes the place of the upload.
    ///
    /// - Throws: ``Problem``: 400 for fields that can't be read, 404 without the session or the upload, 409 for another offset, or where
    ///   another request sends, 413 for too many bytes; ``FileError``.
    init(_ call: Call, _ start: Start) throws {
        self.call = call
        let id = try call.id("id")
        self.id = id
        session = try call.recipient()
        guard let sessionID = session.known.id else { throw Problem.noSessionID }
        self.sessionID = sessionID
        isLast = try UploadFields.isLast(in: call.fields)
        let announced = call.fields[.contentLength].flatMap { Int64($0) }
        let limit = call.context.settings.httpUploadLimit
        let uploads = call.uploads
        let ticket = try call.context.memory.uploads.enter(
            id, of: call.visitor.token?.id, hangUp: call.hangUp)
        self.ticket = ticket
        do {
            switch start {
            case .new:
                let length =
                    try UploadFields.number(UploadFields.length, in: call.fields)
                    ?? (isLast ? announced : nil)
                guard max(length ?? 0, announced ?? 0) <= limit else { throw Problem.audioTooLarge(limit) }
                let digest = try UploadFields.sha256(in: call.fields)
                if case .whole(let whole)? = try uploads.progress(of: id), whole.sessionID != sessionID {
                    throw Problem.audioDiffers("audio of this id was sent for another session")
                }
                upload = try Self.waiting {
                    try uploads.begin(
                        id, UploadDescription(sessionID: sessionID, length: length, sha256: digest))
                }
            case .at(let offset):
                guard let resumed = try Self.waiting({ try uploads.resume(id, count: announced ?? 0) }) else {
                    throw try Self.notResumed(uploads.progress(of: id))
                }
                guard resumed.description.sessionID == sessionID else {
                    throw Problem.audioDiffers("audio of this id was sent for another session")
                }
                guard resumed.size == offset else {
                    throw Problem.offsetDiffers(resumed.size, isComplete: false)
                }
                upload = resumed
            }
            self.limit = min(limit, upload.description.length ?? limit)
            guard upload.size + (announced ?? 0) <= self.limit else { throw tooLong }
        } catch {
            call.context.memory.uploads.leave(ticket)
            throw error
        }
    }

    /// A request that had the place has been cut, and gives its part free in a moment.
    private static func waiting<Result>(_ open: () throws -> Result) throws -> Result {
        var retry = RetryDeadline(timeout: .seconds(1))
        while true {
            do { return try open() } catch let error as FileError where error.code == .sessionLocked {
                guard retry.pause() else { throw Problem.uploadInProgress }
            }
        }
    }

    private static func notResumed(_ progress: Uploads.Progress?) -> Problem {
        if case .whole(let whole)? = progress { return .offsetDiffers(whole.size, isComplete: true) }
        return Problem(
            .notFound, "no-such-upload", "there is no upload to continue",
            cure: "PUT the audio from its start")
    }

    private var tooLong: Problem {
        Problem(
            .contentTooLarge, "audio-too-large", "the audio is longer than the \(limit) bytes it may have",
            cure: "send as many as were announced")
    }

    // MARK: - BodySink

    func take(_ bytes: [UInt8]) throws {
        call.context.memory.uploads.noteBytes(ticket)
        guard upload.size + Int64(bytes.count) <= limit else { throw tooLong }
        try upload.append(bytes)
        call.context.counts.noteUploaded(bytes.count)
        // Nobody need send megabytes of something else.
        if !hasContainer.load(ordering: .relaxed), upload.size >= Int64(AudioContainer.neededLength) {
            guard try upload.container() != nil else { throw Problem.containerUnknown }
            hasContainer.store(true, ordering: .relaxed)
        }
    }

    func cutOff() {
        try? upload.makeDurable()
        // Of what is no audio, or longer than it may be, nothing can be made.
        if isUseless { try? upload.discard() }
        call.context.memory.uploads.leave(ticket)
    }

    private var isUseless: Bool {
        guard upload.size >= Int64(AudioContainer.neededLength) else { return false }
        // What can't be read now may be read later.
        do { return try upload.container() == nil } catch { return false }
    }

    func finish() throws -> Response {
        try upload.makeDurable()
        guard isLast, upload.size >= upload.description.length ?? 0 else {
            call.context.memory.uploads.leave(ticket)
            return Response.noContent.with(offset: upload.size, isComplete: false)
        }
        let answer = try delivered()
        call.noteWritten()
        call.context.memory.uploads.leave(ticket)
        return answer
    }

    // MARK: - The outcome

    private func delivered() throws -> Response {
        guard upload.size > 0 else { throw try discarding(.audioEmpty) }
        guard let container = try upload.container() else { throw try discarding(.containerUnknown) }
        let sha256 = try upload.sha256()
        let expected = try UploadFields.sha256(in: call.fields) ?? upload.description.sha256
        guard expected ?? sha256 == sha256 else { throw try discarding(.digestDiffers) }
        if let line = try session.line(of: id, .voiceNote) { return try compared(line, sha256) }
        let outcome = try call.delivery(session.index).deliver(
            audio: upload.path, size: upload.size, container: container, sha256: sha256, of: id,
            to: sessionID, into: session.path, deliveredBy: call.deliverer)
        guard let outcome else { return try keptWhole(container, sha256) }
        // A drain may have written the record between the two looks, at the session and at what waits.
        if case .alreadyApplied = outcome.result, let line = outcome.line {
            return try compared(line, sha256)
        }
        // It is where it is needed now, or nobody needs it.
        try call.uploads.remove(id)
        return try call.answer(outcome)
    }

    /// The answer where the voice note is in the session already.
    private func compared(_ line: [UInt8], _ sha256: String) throws -> Response {
        let isSame: Bool
        do {
            let file = try ServedFile.audio(of: line, in: session.path, call.context.settings)
            isSame = try file.identity.size == upload.size && file.sha256() == sha256
        } catch is Problem {
            isSame = false
        }
        guard isSame else { throw try discarding(.audioDiffers("the voice note has other audio")) }
        try call.uploads.remove(id)
        return try call.answer(EntryDelivery.Outcome(id: id, result: .alreadyApplied, line: line))
    }

    /// It waits for its record, as the same may have done before.
    private func keptWhole(_ container: AudioContainer, _ sha256: String) throws -> Response {
        if let whole = try call.uploads.whole(id) {
            let isSame = try whole.size == upload.size && whole.sha256() == sha256
            try upload.discard()
            guard isSame else { throw Problem.audioDiffers("other audio waits under this id") }
        } else {
            _ = try upload.keepWhole(container)
        }
        let outcome = EntryDelivery.Outcome(id: id, result: .waiting("its record is missing"))
        return .json(outcome.json(), .accepted)
    }

    private func discarding(_ problem: Problem) throws -> Problem {
        try upload.discard()
        return problem
    }
}

extension Call {
    /// The uploads of the caller's token.
    var uploads: Uploads {
        Uploads(
            state: context.settings.stateDirectory, owner: visitor.token?.id,
            meter: context.memory.uploadMeter)
    }

    /// The outcome of an entry, once the audio of a voice note that came before it has been brought to it.
    ///
    /// - Returns: The outcome as it was where no such audio has come, or other audio.
    /// - Throws: ``FileError``; the audio and the record wait for each other then.
    func joined(_ outcome: EntryDelivery.Outcome, of entry: SpoolEntry, _ delivery: Delivery) throws
        -> EntryDelivery.Outcome
    {
        guard entry.kind == .voiceNote, let whole = try uploads.whole(entry.id),
            whole.sessionID == entry.journalID
        else { return outcome }
        switch outcome.result {
        case .waiting:
            let joined = try delivery.deliver(
                audio: whole.path, size: whole.size, container: whole.container, sha256: try whole.sha256(),
                of: whole.id, to: entry.journalID, deliveredBy: deliverer)
            guard let joined else { return outcome }
            if case .conflict = joined.result { return outcome }
            // A drain was faster.
            if case .alreadyApplied = joined.result { return try self.joined(joined, of: entry, delivery) }
            try uploads.remove(whole.id)
            return joined
        case .applied, .alreadyApplied:
            // An earlier delivery has used it and was killed before it could remove it.
            if let session = outcome.session, let line = outcome.line,
                try (try? ServedFile.audio(of: line, in: session, context.settings))?.sha256()
                    == whole.sha256()
            {
                try uploads.remove(whole.id)
            }
            return outcome
        case .recordVanished, .removed, .dropped, .conflict, .changedMeanwhile, .rejected, .failed:
            return outcome
        }
    }
}

extension Response {
    /// With how far an upload is.
    func with(offset: Int64, isComplete: Bool) -> Response {
        with(UploadFields.offset, "\(offset)").with(UploadFields.complete, isComplete ? "?1" : "?0")
    }
}

extension Problem {
    /// Bytes that are no audio in a container that voice notes may have.
    static let containerUnknown = Problem(
        .unsupportedMediaType, "container-unknown", "the bytes are not audio in a known container",
        cure: AudioContainer.cure)

    static let audioEmpty = Problem(
        .unprocessableContent, "audio-empty", "the audio is empty", cure: "send its bytes")

    static let digestDiffers = Problem(
        .unprocessableContent, "digest-differs",
        "the audio that was received does not have the SHA-256 that was announced",
        cure: "PUT it again, from its start")

    /// Audio of an id that has other audio.
    static func audioDiffers(_ detail: String) -> Problem {
        Problem(
            .conflict, "conflict", detail,
            cure: "keep it, and send record and audio under another id if both are wanted")
    }

    /// An upload can't be continued from where the request says.
    static func offsetDiffers(_ offset: Int64, isComplete: Bool) -> Problem {
        Problem(
            .conflict, "offset-differs", "\(offset) bytes have been received so far",
            cure: "continue from there",
            fields: [UploadFields.offset: "\(offset)", UploadFields.complete: isComplete ? "?1" : "?0"])
    }
}
