internal import HTTPTypes
internal import RecordFormat
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore

/// The records of a session, line by line, and where its markers are.
enum RecordEndpoints {
    static let all = [markers, voiceNotes, transcript, timeline, strip, allMarkers, setTranscript]

    private static let markers = list(
        .marker, "markers", "listMarkers", "The markers in the order of their offsets",
        more: [
            Parameter(
                name: "tag", type: .text(maxLength: 200), summary: "Only those with this tag",
                isRepeated: true),
            Parameter(name: "around", type: .offset, summary: "Begins half a page before this offset"),
        ])
    private static let voiceNotes = list(
        .voiceNote, "voice-notes", "listVoiceNotes", "The voice notes in the order of their offsets")
    private static let transcript = list(
        .transcript, "transcript", "listTranscript", "The transcript in the order of its offsets")
    private static let timeline = list(
        .timeline, "timeline", "listTimeline", "The timeline in the order of its offsets")

    private static func list(
        _ kind: RecordKind, _ name: String, _ id: String, _ summary: String, more: [Parameter] = []
    ) -> Endpoint {
        Endpoint(
            method: .get, path: "/sessions/{s}/\(name)", id: id, access: .scope(.read), summary: summary,
            query: Call.offsetQuery + more + Call.pageQuery,
            answers: [
                Outcome(
                    status: 200, summary: "The lines as they are in the file", types: Call.listTypes,
                    schema: .array(of: Schema.record(kind)))
            ], work: .asking, caching: .session(types: Call.listTypes)
        ) { call in
            let session = try call.session()
            var asked = RecordsQuestion(of: session.path, kind)
            asked.selection.offsets = try call.offsets(in: session)
            asked.selection.tags = (call.query["tag"] ?? []).map { $0.lowercased() }
            asked.around = try call["around"].map {
                try OffsetResolution(in: session.path).offset($0, force: true)
            }
            let question = asked
            let isStreamed = try call.isStreamed()
            return try call.list(.record) { after, limit in
                try call.ask(session, isLater: isStreamed) { index in
                    var question = question
                    question.after = after
                    question.limit = limit
                    let answer = try question.answer(index)
                    return ListPage(rows: answer.rows.map { $0.json(.commandLine) }, next: answer.next)
                }
            }
        }
    }

    private static let strip = Endpoint(
        method: .get, path: "/sessions/{s}/strip", id: "getStrip", access: .scope(.read),
        summary: "How many markers of each category are in each of some equal parts of the session",
        query: [
            Parameter(
                name: "cells", type: .number(1...StripQuestion.cellLimit), summary: "How many parts",
                isRequired: true)
        ] + Call.offsetQuery,
        answers: [.json(.component("Strip"), "The counts, and how many come before each part")],
        work: .asking, caching: .session(types: ["application/json"])
    ) { call in
        let session = try call.session()
        var question = try StripQuestion(of: session.path, cells: call["cells"].flatMap { Int($0) } ?? 1)
        let offsets = try call.offsets(in: session)
        question.first = call["offset_min"] == nil ? nil : offsets.lowerBound
        question.last = call["offset_max"] == nil ? nil : offsets.upperBound
        let strips = call.context.memory.strips
        return .json(try call.ask(session) { try question.answer($0, keptIn: strips).json(.commandLine) })
    }

    private static let allMarkers = Endpoint(
        method: .get, path: "/markers", id: "listAllMarkers", access: .scope(.read),
        summary: "The markers of all sessions, in the order of the moments at which they stand",
        query: Call.momentQuery + [
            Parameter(
                name: "tag", type: .text(maxLength: 200), summary: "Only those with this tag",
                isRepeated: true)
        ] + Call.pageQuery,
        answers: [
            Outcome(
                status: 200, summary: "The markers with their sessions", types: Call.listTypes,
                schema: .array(of: "MarkerRow"))
        ], work: .asking
    ) { call in
        var asked = AllMarkersQuestion()
        asked.tags = (call.query["tag"] ?? []).map { $0.lowercased() }
        asked.moments = try call.moments()
        let question = asked
        return try call.list(.marker(call.context.memory.seal)) { after, limit in
            try call.askAll { index, _, scope in
                try call.page(of: index, question.moments) {
                    var question = question
                    question.after = after
                    question.limit = limit
                    let answer = try question.answer(index, in: scope)
                    let form = call.form(index, for: answer.rows.map(\.session))
                    return (answer.rows.map { $0.json(form) }, answer.next)
                }
            }
        }
    }

    private static let setTranscript = Endpoint(
        method: .patch, path: "/sessions/{s}/voice-notes/{id}", id: "patchVoiceNote", access: .scope(.mark),
        summary: "Says what a voice note says; the old line stays in the file",
        body: RequestBodyRule(
            types: ["application/merge-patch+json", "application/json"], limit: 1 << 20,
            schema: .inline(
                #"{"type":"object","properties":{"transcript_text":{"type":"string"}},"required":["transcript_text"],"additionalProperties":false}"#
            )),
        answers: [
            .json(.component("EditedVoiceNote"), "The voice note as it is now"),
            .problem("It is not what If-Match names", status: 412),
            .problem("If-Match is missing", status: 428),
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
        let lines = try SessionReader(session.path).existing([id], by: session.index)[id] ?? []
        guard let line = lines.last(where: { $0.kind == .voiceNote })?.line else {
            throw Problem(
                .notFound, "no-such-record", "the session has no voice note of that id",
                hint: "GET /api/v1/sessions/{s}/voice-notes lists them")
        }
        try call.requireMatch(line)
        let edited = try call.context.writer().setTranscript(of: id, in: session.target(), to: text)
        return .json(edited.voiceNoteJSON(call.form(session.index))).with(
            .eTag, EntityTag(contents: edited.editing.line).description)
    }
}
