internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceMedia
internal import TraceText

/// The audio of voice notes: heard, and sent whole or in parts.
enum AudioEndpoints {
    static let all = [get, put, resume, giveUp]

    private static let path = "/sessions/{s}/voice-notes/{id}/audio"

    private static let get = Endpoint(
        method: .get, path: path, id: "getVoiceNoteAudio", access: .scope(.read),
        summary: "The audio of a voice note; HEAD also says how far its upload is",
        query: [
            DeclaredParameter(
                name: "as", type: .choice(["m4a"]),
                summary: "A copy for players that can't play the recording as it is, made by ffmpeg")
        ],
        fields: [.range, .ifRange, .ifMatch],
        answers: FileEndpoints.bytes + [
            Outcome(status: 202, summary: "The copy is being made"),
            Outcome(status: 204, summary: "To HEAD: the upload is not whole, or waits for its record"),
        ], work: .asking
    ) { call in
        let id = try call.id("id")
        let session = try call.session()
        if let line = try session.line(of: id, .voiceNote) {
            let file = try ServedFile.audio(of: line, in: session.path, call.context.settings)
            let type = MediaType.ofRecording(named: file.name.bytes)
            guard call["as"] != nil, type.name != MediaType.mp4Audio else {
                return file.answer(to: call, as: type)
            }
            return try copy(of: file, call)
        }
        guard call.method == .head, let progress = try call.uploads.progress(of: id) else {
            throw Problem.noVoiceNote
        }
        switch progress {
        case .partial(let size, let description) where description.sessionID == session.known.id:
            return .noContent.with(offset: size, isComplete: false).with(.cacheControl, "no-store")
        case .whole(let whole) where whole.sessionID == session.known.id:
            return .noContent.with(offset: whole.size, isComplete: true).with(.cacheControl, "no-store")
        case .partial, .whole: throw Problem.noVoiceNote
        }
    }

    private static func copy(of file: ServedFile, _ call: Call) throws -> Response {
        let copies = PlayableCopies(state: call.context.settings.stateDirectory)
        switch call.context.memory.copies.progress(of: copies, of: file.path, in: file.identity) {
        case .made:
            guard let copy = copies.copy(of: file.identity) else { return .beingMade }
            return try ServedFile(copy, madeOf: file.identity).answer(
                to: call, as: .ofRecording(named: copy.name.bytes))
        case .making: return .beingMade
        case .impossible(let problem): throw problem
        }
    }

    private static let put = Endpoint(
        method: .put, path: path, id: "putVoiceNoteAudio", access: .scope(.mark),
        summary: "Sends the audio of a voice note, before or after its record",
        fields: [.uploadComplete, .uploadLength, .reprDigest], body: audio(["*/*"]), answers: sent
    ) { call in try AudioUpload(call, .new) }

    private static let resume = Endpoint(
        method: .patch, path: path, id: "resumeVoiceNoteAudio", access: .scope(.mark),
        summary: "Continues an upload from where it broke off",
        fields: [.uploadOffset, .uploadComplete, .reprDigest],
        body: audio(["application/partial-upload"]), answers: sent
    ) { call in
        guard let offset = try UploadFields.number(UploadFields.offset, in: call.fields) else {
            throw Problem(
                .badRequest, "field-malformed", "'Upload-Offset' is missing",
                cure: "send the offset that HEAD gives")
        }
        return try AudioUpload(call, .at(offset))
    }

    private static let giveUp = Endpoint(
        method: .delete, path: path, id: "deleteVoiceNoteAudio", access: .scope(.mark),
        summary: "Gives an upload up; a voice note that is written keeps its audio",
        answers: [Outcome(status: 204, summary: "Nothing of it is kept")], work: .delivering
    ) { call in
        let id = try call.id("id")
        _ = try call.session()
        let ticket = try call.context.memory.uploads.enter(id, of: call.visitor.token?.id) {}
        defer { call.context.memory.uploads.leave(ticket) }
        try call.uploads.remove(id)
        return .noContent
    }

    private static func audio(_ types: [String]) -> RequestBodyRule {
        // How large it may be is a setting; nothing of it is in memory.
        RequestBodyRule(types: types, limit: 1 << 30, schema: .inline("{}"), isRequired: false)
    }

    private static let sent =
        [
            Outcome(status: 204, summary: "What was sent is kept; more is to follow")
        ] + Outcome.deliveries(rejected: "Its digest differs, or it is empty") + [
            .problem("It is larger than is accepted, or longer than announced", status: 413),
            .problem("It is no audio in a known container", status: 415),
            .problem("There is no room for it", status: 507),
        ]
}

extension ServedFile {
    /// The audio that a voice note's line names.
    ///
    /// - Throws: ``Problem`` with 404, also where it is not a file of the session; ``FileError``.
    static func audio(
        of line: [UInt8], in session: FilePath, _ settings: TraceSettings
    ) throws -> ServedFile {
        guard let written = RecordBody.mediaPath(of: line),
            let file = try ServedFile.media(
                at: written, below: try OpenDirectory(session), settleTime: settings.settleTime)
        else {
            throw Problem(
                .notFound, "leaves-session", "the voice note's path does not lead to a file of the session")
        }
        return file
    }
}

extension Problem {
    static let noVoiceNote = Problem(
        .notFound, "no-such-record", "the session has no voice note with that id",
        cure: "GET /api/v1/sessions/{s}/voice-notes lists them")
}

extension FieldParameter {
    fileprivate static let uploadOffset = FieldParameter(
        name: UploadFields.offset, summary: "Where the body belongs, in bytes from the start",
        isRequired: true)
    fileprivate static let uploadComplete = FieldParameter(
        name: UploadFields.complete, summary: "'?0' if more is to follow")
    fileprivate static let uploadLength = FieldParameter(
        name: UploadFields.length, summary: "How long all of it is, if that is not the length of the body")
    fileprivate static let reprDigest = FieldParameter(
        name: UploadFields.digest, summary: "The SHA-256 of all of it: 'sha-256=:BASE64:'")
}
