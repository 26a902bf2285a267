internal import TraceAccess
internal import HTTPTypes
internal import TraceConfiguration
internal import TraceLibrary

/// How everything is.
enum StatusEndpoints {
    static let all = [
        Endpoint(
            method: .get, path: "/status", id: "getStatus", access: .unfiltered(.read),
            summary: "The state of the daemon, the roots, the queue and the index",
            answers: [.json(.component("Status"), "The status")], work: .searching
        ) { call in
            let settings = call.context.settings
            let question = StatusQuestion(
                database: settings.indexDatabase, staleAfter: settings.staleAfter,
                settleTime: settings.settleTime, isStateShared: settings.stateShared,
                temporaryDirectory: try call.context.library().temporaryDirectory)
            let status = question.answer(
                of: call.context.writer(), watched: call.watched ?? { nil },
                now: call.now)
            call.freshness.note(isWatched: status.isWatched)
            return .json(status.json(call.form(try call.context.library().openIndex())))
        }
    ]
}
