internal import TraceStore
internal import TraceMedia
internal import TraceAccess
internal import HTTPTypes
internal import RecordFormat
internal import TraceFormat
internal import TraceLibrary
internal import TraceConfiguration
internal import TraceIndex

/// What adds and changes voice notes.
enum VoiceNoteEndpoints {
    static let all = [voiceNote, put, setTranscript]

    private static let path = "/sessions/{s}/voice-notes/{id}"

    private static let schema =
        #"{"type":"object","properties":{"attachment":{"type":"object","properties":{"size":{"type":"integer","minimum":1},"sha256":{"type":["string","null"],"pattern":"^[0-9A-Fa-f]{64}$"},"type":{"type":"string"}},"required":["size","type"],"additionalProperties":false}},"required":["attachment"]}"#

    private static let voiceNote = Endpoint(
        method: .get, path: path, id: "getVoiceNote", access: .scope(.read),
        summary: "A voice note's line as it is in the file",
        answers: [
            .json(.component(Schema.record(.voiceNote)), "The line; its ETag is what a change needs")
        ], work: .asking
    ) { call in
        guard let line = try call.session().line(of: call.id("id"), .voiceNote) else {
            throw Problem.noVoiceNote
        }
        return .record(line)
    }

    private static let put = Endpoint(
        method: .put, path: path, id: "putVoiceNote", access: .scope(.mark),
        summary: "Adds a voice note under an id made by the device; it waits for its audio",
        body: .json(.inline(schema)),
        answers: Outcome.deliveries(rejected: "It is not a voice note"), work: .delivering
    ) { call in
        let id = try call.id("id")
        let session = try call.recipient()
        // A session that can't be read now gets the note later; what is in it is compared then.
        let standing = (try? session.line(of: id, .voiceNote)) ?? nil
        var warnings: [String] = []
        let note = try RecordBody.voiceNote(
            call.body, id, limit: call.context.settings.httpUploadLimit,
            knownPath: { line in
                try call.delivery(session.index).mediaPath(
                    of: id, standing: standing.flatMap(RecordBody.mediaPath)
                ) { container in
                    try session.voiceNote(id, line("media/\(id).\(container.fileExtension)"), at: call.now)
                }
            }
        ) { try session.offset(of: $0, &warnings) }
        warnings += session.warnings(about: note.payload, .voiceNote, at: call.now)
        return try call.deliver(
            note.payload, .voiceNote, id, to: session, audio: note.audio, warnings: warnings)
    }

    private static let setTranscript = Endpoint(
        method: .patch, path: path, id: "patchVoiceNote", access: .scope(.mark),
        summary: "Sets the transcript of a voice note; the old line stays in the file",
        fields: [.ifMatchRequired],
        body: RequestBodyRule(
            types: ["application/merge-patch+json", "application/json"], limit: 1 << 20,
            schema: .inline(
                #"{"type":"object","properties":{"transcript_text":{"type":"string"}},"required":["transcript_text"],"additionalProperties":false}"#
            )),
        answers: [
            .json(.component("EditedVoiceNote"), "The voice note as it is now"),
            .notMatched,
            .conditionMissing,
        ], work: .writing
    ) { call in
        try call.requireCondition()
        let id = try call.id("id")
        let session = try call.session()
        let text = try call.object(["transcript_text"]) { body in
            guard let text = try body.text("transcript_text") else {
                throw Problem.member("transcript_text", "a string")
            }
            return text
        }
        guard let line = try session.line(of: id, .voiceNote) else {
            throw Problem.noVoiceNote
        }
        try call.requireMatch(line)
        let edited = try call.context.writer().setTranscript(of: id, in: session.target(), to: text)
        return .json(edited.voiceNoteJSON(call.form(session.index))).with(
            .eTag, EntityTag(contents: edited.editing.line).description)
    }
}

extension CalledSession {
    /// The entry of a voice note, as far as the ledger tells it from others.
    fileprivate func voiceNote(_ id: ULID, _ line: [UInt8], at now: Timestamp) throws(Problem) -> SpoolEntry {
        guard let sessionID = known.id else { throw .noSessionID }
        return SpoolEntry(
            id: id, kind: .voiceNote, journalID: sessionID, createdAt: now, payload: JSONText(verbatim: line))
    }
}
