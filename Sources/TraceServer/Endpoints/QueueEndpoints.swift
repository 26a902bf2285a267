internal import TraceAccess
internal import HTTPTypes
internal import RecordFormat
internal import TraceConfiguration
internal import TraceFormat
internal import TraceLibrary
internal import TraceStore

/// What waits in the queue.
enum QueueEndpoints {
    static let all = [list, show, flush, retry, drop]

    private static let list = Endpoint(
        method: .get, path: "/queue", id: "listQueue", access: .unfiltered(.read),
        summary: "The waiting entries",
        query: [
            DeclaredParameter(
                name: "all", type: .boolean, summary: "Also those that were applied, refused or dropped")
        ],
        answers: [.json(.arrayOfAny(["WaitingEntry", "QueueItem"]), "The entries")], work: .asking
    ) { call in
        let form = try call.form(call.context.library().openIndex())
        let question = QueueQuestion(call.context.writer())
        guard call.flag("all") else {
            return .json(.array(question.waiting { _ in }.map { $0.json(form) }))
        }
        return .json(.array(try question.all { _ in }.map { $0.json(form) }))
    }

    private static let show = Endpoint(
        method: .get, path: "/queue/{id}", id: "getQueueEntry", access: .unfiltered(.read),
        summary: "An entry, wherever it is kept",
        answers: [.json(.array(of: "QueueItem"), "One for each place that holds an entry with this id")],
        work: .asking
    ) { call in
        let form = try call.form(call.context.library().openIndex())
        let items = try QueueQuestion(call.context.writer()).entries(named: name(call)) { _ in }
        return .json(.array(items.map { $0.json(form) }))
    }

    private static func name(_ call: Call) throws -> EntryName { try EntryName(typed: call.text("id")) }

    private static let flush = Endpoint(
        method: .post, path: "/queue/flush", id: "flushQueue", access: .unfiltered(.admin),
        summary: "Writes the waiting entries into their sessions",
        answers: [.json(.array(of: "DrainOutcome"), "The outcome of each")], work: .delivering
    ) { call in
        let form = try call.form(call.context.library().openIndex())
        let flushed = try call.context.writer().flush(
            retention: call.context.settings.queueRetention
        ) { _ in }
        return .json(.array(flushed.outcomes.map { $0.json(form) }))
    }

    private static let retry = Endpoint(
        method: .post, path: "/queue/{id}/retry", id: "retryQueueEntry", access: .unfiltered(.admin),
        summary: "Tries an entry again, wherever it is kept",
        answers: [.json(.component("DrainOutcome"), "The outcome")], work: .delivering
    ) { call in
        let form = try call.form(call.context.library().openIndex())
        return .json(try call.context.writer().drain().retry(name(call)).json(form))
    }

    private static let drop = Endpoint(
        method: .post, path: "/queue/{id}/drop", id: "dropQueueEntry", access: .unfiltered(.admin),
        summary: "Drops an entry that is waiting or was refused",
        answers: [.json(.component("DroppedEntry"), "It is kept, and not written")], work: .writing
    ) { call in
        let form = try call.form(call.context.library().openIndex())
        let dropped = try call.context.writer().drop(name(call))
        call.context.log(
            AccessEvent(
                .dropped, token: call.visitor.token?.id, tokenName: call.visitor.token?.name,
                address: call.visitor.client, subject: "\(dropped.id)"))
        return .json(dropped.json(form))
    }
}
