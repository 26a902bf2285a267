internal import TraceAccess
internal import HTTPTypes
internal import RecordFormat
internal import TraceConfiguration
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// Requests for actions: listed and declined. Nothing is run over HTTP.
enum ActionEndpoints {
    static let all = [runs, run, decline]

    private static let runs = Endpoint(
        method: .get, path: "/sessions/{s}/actions", id: "listActions", access: .scope(.read),
        summary: "The action runs of a session, and requests for actions",
        query: [
            DeclaredParameter(
                name: "state", type: .choice(RunState.allCases.map(\.rawValue)),
                summary: "Only those in this state")
        ],
        answers: [.json(.array(of: "ActionRun"), "The runs, in the order in which they were requested")],
        work: .asking
    ) { call in .json(.array(try question(call).runs().map(\.json))) }

    private static let run = Endpoint(
        method: .get, path: "/sessions/{s}/actions/{id}", id: "getAction", access: .scope(.read),
        summary: "A run with its inputs and outputs",
        answers: [.json(.component("WholeActionRun"), "The run")], work: .asking
    ) { call in .json(try question(call).run(call.id("id")).wholeJSON) }

    private static func question(_ call: Call) throws -> ActionsQuestion {
        ActionsQuestion(
            session: try call.session().path, stateDirectory: call.context.settings.stateDirectory,
            state: call["state"].flatMap(RunState.init(rawValue:)))
    }

    private static let decline = Endpoint(
        method: .post, path: "/sessions/{s}/actions/{id}/decline", id: "declineAction",
        access: .scope(.admin),
        summary: "Declines a request that has not been run",
        body: .json(
            .inline(
                #"{"type":"object","properties":{"reason":{"type":"string"}},"additionalProperties":false}"#),
            isRequired: false),
        answers: [.json(.component("DeclinedRequest"), "It is declined")], work: .writing
    ) { call in
        let session = try call.session()
        let reason = call.body.isEmpty ? nil : try call.object(["reason"]) { try $0.text("reason") }
        let target = try session.target()
        let declined = try call.context.writer().decline(
            try call.id("id"), in: target, by: call.visitor.person, because: reason)
        return .json(DeclinedRequestAnswer(declined, in: target).json(call.form(session.index)))
    }
}
