internal import TraceAccess
internal import HTTPTypes
internal import RecordFormat
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary

/// The records of a session, line by line, and where its markers are.
enum RecordEndpoints {
    static let all = [markers, voiceNotes, transcript, timeline, strip, allMarkers]

    private static let markers = list(
        .marker, "markers", "listMarkers", "The markers, ordered by offset",
        more: [
            DeclaredParameter(
                name: "tag", type: .text(maxBytes: 200), summary: "Only those with this tag",
                isRepeated: true),
            DeclaredParameter(name: "around", type: .offset, summary: "Start half a page before this offset"),
        ])
    private static let voiceNotes = list(
        .voiceNote, "voice-notes", "listVoiceNotes", "The voice notes, ordered by offset")
    private static let transcript = list(
        .transcript, "transcript", "listTranscript",
        "The transcript, ordered by offset; as text/vtt, captions",
        forms: [.lines, .captions])
    private static let timeline = list(
        .timeline, "timeline", "listTimeline", "The timeline, ordered by offset")

    private static func list(
        _ kind: RecordKind, _ name: String, _ id: String, _ summary: String, more: [DeclaredParameter] = [],
        forms: [WholeList] = [.lines]
    ) -> Endpoint {
        Endpoint(
            method: .get, path: "/sessions/{s}/\(name)", id: id, access: .scope(.read), summary: summary,
            query: Call.offsetQuery + more + Call.pageQuery,
            answers: [
                Outcome(
                    status: 200, summary: "The lines as they are in the file",
                    types: Call.listTypes(with: forms), schema: .array(of: Schema.record(kind)))
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
            let isStreamed = try call.wholeForm(of: forms) != nil
            return try call.list(.record, forms: forms) { after, limit in
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
        summary: "The number of markers of each category in equal parts of the session",
        query: [
            DeclaredParameter(
                name: "cells", type: .integer(1...StripQuestion.cellLimit), summary: "How many parts",
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
        summary: "The markers of all sessions, ordered by time",
        query: Call.momentQuery + [
            DeclaredParameter(
                name: "tag", type: .text(maxBytes: 200), summary: "Only those with this tag",
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
        return try call.listAll(.marker(call.context.memory.seal), question.moments) { asked, after, limit in
            var question = question
            question.after = after
            question.limit = limit
            let answer = try question.answer(asked.index, in: asked.scope)
            let form = call.form(asked.index, for: answer.rows.map(\.session))
            return ListPage(rows: answer.rows.map { $0.json(form) }, next: answer.next)
        }
    }
}
