internal import HTTPTypes
internal import RecordFormat
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// What breaks a rule, and what the rules require.
enum CheckEndpoints {
    static let all = [findings, allFindings, rules, rule]

    static let query = [
        DeclaredParameter(
            name: "severity", type: .choice(Rule.Severity.allCases.map(\.rawValue)),
            summary: "Only findings of that severity"),
        DeclaredParameter(name: "rule", type: .text(maxBytes: 100), summary: "Only findings of that rule"),
    ]
    static let forms = ["application/json", "application/sarif+json"]

    private static let findings = Endpoint(
        method: .get, path: "/sessions/{s}/findings", id: "listSessionFindings", access: .scope(.read),
        summary: "Rule violations in the session", query: query,
        answers: [
            Outcome(
                status: 200, summary: "The session with its findings", types: forms,
                schema: .array(of: "SessionFindings"))
        ],
        work: .asking, caching: .session(types: forms)
    ) { call in
        let session = try call.session()
        let found = try question(call).findings(of: session.path, by: session.index)
        return try answer([found].compactMap(\.self), call, session.index)
    }

    private static let allFindings = Endpoint(
        method: .get, path: "/findings", id: "listFindings", access: .scope(.read),
        summary: "Rule violations in all sessions", query: query,
        answers: [
            Outcome(
                status: 200, summary: "The sessions with findings", types: forms,
                schema: .array(of: "SessionFindings"))
        ],
        work: .asking
    ) { call in
        let library = try call.context.library(watched: call.watched)
        let index = try library.openIndex()
        call.freshness.note(isWatched: try library.bringUpToDate(index) { _ in }.isWatched)
        let scope = call.visitor.sessions(of: call.context.roots)
        let question = try question(call)
        let found = try library.list(index).filter { scope.contains($0) && !$0.findingCounts.isEmpty }
            .compactMap {
                try question.findings(of: $0.path, by: index)
            }
        return try answer(found.filter { !$0.findings.isEmpty }, call, index)
    }

    static func question(_ call: Call) throws -> FindingsQuestion {
        let rule = try call["rule"].map { try RuleQuestion($0).rule().id }
        return FindingsQuestion(
            severity: call["severity"].flatMap(Rule.Severity.init(rawValue:)), rule: rule,
            settleTime: call.context.settings.settleTime)
    }

    static func answer(
        _ found: [SessionFindings], _ call: Call, _ index: JournalIndex
    ) throws -> Response {
        let form = call.form(index)
        switch try call.accepted(forms) {
        case "application/sarif+json":
            let log = FindingsLog(version: Release.version, form)
            let results = JSONText.array(found.flatMap { log.results($0) })
            return Response(.ok, "application/sarif+json", log.before + results.bytes + log.after)
        default: return .json(.array(found.map { $0.json(form) }))
        }
    }

    private static let rules = Endpoint(
        method: .get, path: "/rules", id: "listRules", access: .scope(.read),
        summary: "The rules that sessions are checked against",
        answers: [.json(.array(of: "Rule"), "Every rule")], work: .asking
    ) { _ in .json(.array(RuleQuestion.all.map(\.json))) }

    private static let rule = Endpoint(
        method: .get, path: "/rules/{rule}", id: "getRule", access: .scope(.read),
        summary: "What a rule requires, and how to comply with it",
        answers: [.json(.component("Rule"), "The rule")], work: .asking
    ) { call in
        let question = RuleQuestion(try call.text("rule"))
        do throws(LibraryError) { return .json(try question.rule().json) } catch {
            // Here the address names it; in a query it is a parameter that can't have its value.
            var problem = Problem(error)
            if error.code == .noSuchRule { problem.status = .notFound }
            throw problem
        }
    }
}
