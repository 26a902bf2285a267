internal import TraceAccess
internal import HTTPTypes
internal import RecordFormat
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary

/// Words and moments in all sessions.
enum FindingEndpoints {
    static let all = [search, moment]

    private static let search = Endpoint(
        method: .get, path: "/search", id: "search", access: .scope(.read),
        summary: "Searches the records and titles of all journals; best hits first",
        query: [
            DeclaredParameter(
                name: "q", type: .text(maxBytes: 1000), summary: "What to search for", isRequired: true),
            DeclaredParameter(
                name: "kind", type: .choice(SearchQuestion.kindNames),
                summary: "Only records of these kinds; session stands for titles", isRepeated: true),
            DeclaredParameter(
                name: "tag", type: .text(maxBytes: 200), summary: "Only in markers with this tag"),
            DeclaredParameter(
                name: "session", type: .text(maxBytes: 256), summary: "Only in this session"),
            DeclaredParameter(
                name: "match", type: .choice(["words", "prefix"]),
                summary:
                    "How q ends: with a whole word (words, if omitted), or with the beginning of one that is being typed (prefix)"
            ),
            DeclaredParameter(
                name: "limit", type: .integer(1...200), summary: "The maximum number of hits; 50 if omitted"),
        ] + Call.momentQuery,
        answers: [.json(.array(of: "SearchHit"), "The hits")], work: .searching
    ) { call in
        var asked = try SearchQuestion(
            call["q"] ?? "", limit: call.limit(default: 50), isUnfinished: call["match"] == "prefix")
        asked.kinds = call.query["kind"].map { Set($0.compactMap(SearchQuestion.kinds).joined()) }
        asked.tag = call["tag"]
        asked.moments = try call.moments()
        let question = asked
        let session = try call["session"].map { try call.session(named: $0).path }
        return try call.recalled(question.moments) { watched in
            try call.askAll(asking: watched) { asked in
                let answer = try question.answer(asked.index, in: session.map { .session($0) } ?? asked.scope)
                return .json(answer.json(call.form(asked.index, for: answer.hits.map(\.session))))
            }
        }
    }

    private static let moment = Endpoint(
        method: .get, path: "/at", id: "getMoment", access: .scope(.read),
        summary: "What was going on at a given time, in each session that was running, and in other journals",
        query: [
            DeclaredParameter(name: "time", type: .moment, summary: "The time", isRequired: true),
            DeclaredParameter(
                name: "within", type: .offset, summary: "How far to look before and after; 30s if omitted"),
        ],
        answers: [.json(.array(of: "Surroundings"), "The sessions, and the other journals")], work: .asking
    ) { call in
        let distance = try OffsetExpression.duration(call["within"] ?? "30s")
        let typed = try TimeArgument(call["time"] ?? "", in: call.context.zone(), now: call.now)
        let question = MomentQuestion(at: typed.first, within: distance)
        return try call.askAll { asked in
            try .json(
                question.answer(asked.index, in: asked.scope, now: call.now).json(call.form(asked.index)))
        }
    }
}
