internal import HTTPTypes
internal import NIOCore
internal import RecordFormat
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Entries of the queue that come from a device, one or many, for sessions that need not be available.
enum DeliveryEndpoints {
    static let all = [put, post, request, programs]

    private static let put = Endpoint(
        method: .put, path: "/queue/{id}", id: "putQueueEntry", access: .scope(.mark),
        summary: "Delivers an entry; it waits if its session is not available",
        body: .json(.queueEntry),
        answers: Outcome.deliveries(rejected: "It is not an entry"), work: .delivering
    ) { call in
        let index = try call.context.library().openIndex()
        let id = try call.id("id")
        if let stated = SpoolEntry.statedID(in: call.body), stated != id { throw Problem.idDiffers }
        let entry: SpoolEntry
        do { entry = try SpoolEntry(parsing: call.body, named: id) } catch let error as FormatError {
            throw Problem(
                .unprocessableContent, "rejected", error.message,
                cure: "GET /api/openapi.json has the format")
        }
        try requireVisible(entry, call, index)
        let delivery = call.delivery(index)
        try requireOwn(entry, call, delivery)
        let outcome = try delivery.deliver(EntryDelivery.Item(read: entry, deliveredBy: call.deliverer))
        return try call.answer(call.joined(outcome, of: entry, delivery))
    }

    /// A token that sees some sessions and other journals only brings entries for those.
    private static func requireVisible(_ entry: SpoolEntry, _ call: Call, _ index: JournalIndex) throws {
        guard let filter = call.visitor.token?.filter else { return }
        let known = try index.sessions(withIDPrefix: entry.journalID.description)
        let others = try index.onlineJournals(withID: entry.journalID)
        let isSeen =
            filter.sessions.contains(entry.journalID) || filter.journals.contains(entry.journalID)
            || known.contains { filter.shows($0.id, at: $0.path) }
            || others.contains { filter.shows(entry.journalID, at: $0) }
            || entry.kind == .startSession && known.isEmpty && others.isEmpty
                && call.context.roots.paths.contains {
                    call.visitor.sessions(of: call.context.roots).shows($0, entry.journalID)
                }
        guard isSeen else { throw entry.kind.isOfSession ? Problem.noSession : Problem.noJournal }
    }

    /// A token of scope `mark` changes records that its person's devices have delivered, and no others; that they are written by then is not
    /// needed. It is looked at again when the change is written.
    private static func requireOwn(_ entry: SpoolEntry, _ call: Call, _ delivery: Delivery) throws {
        guard let (kind, id) = entry.changedRecord else { return }
        let sender = try delivery.deliverer(of: id, in: entry.journalID)
        try call.requireOwn(sender ?? call.queue.local.entry(id)?.deliveredBy, kind)
    }

    private static let post = Endpoint(
        method: .post, path: "/queue", id: "postQueueEntries", access: .scope(.mark),
        summary: "Delivers up to 200 entries, one per line; answers with their outcomes, in the same order",
        body: RequestBodyRule(
            types: ["application/jsonl", "application/x-ndjson"], limit: 8 << 20,
            schema: .queueEntry),
        answers: [
            Outcome(
                status: 200, summary: "The outcomes", types: ["application/jsonl"],
                schema: .component("Delivery"))
        ], work: .delivering
    ) { call in
        let index = try call.context.library().openIndex()
        let lines = call.body.split(separator: newline).filter { !$0.allSatisfy { $0 == 0x20 || $0 == 0x0D } }
        guard lines.count <= Delivery.batchLimit else {
            throw Problem(
                .contentTooLarge, "too-many-entries", "there are more than \(Delivery.batchLimit) entries",
                cure: "send them in parts")
        }
        var outcomes: [JSONText?] = []
        var items: [EntryDelivery.Item] = []
        var places: [Int] = []
        let delivery = call.delivery(index)
        for line in lines {
            do {
                let entry = try entry(Array(line))
                try requireVisible(entry, call, index)
                try requireOwn(entry, call, delivery)
                items.append(EntryDelivery.Item(read: entry, deliveredBy: call.deliverer))
                places.append(outcomes.count)
                outcomes.append(nil)
            } catch {
                let problem = Problem(error)
                let isOurs = problem.status.kind == .serverError
                outcomes.append(refusal(problem, result: isOurs ? "failed" : "rejected"))
            }
        }
        for ((place, item), result) in zip(zip(places, items), delivery.deliver(items)) {
            do {
                let outcome = try call.joined(result.get(), of: item.entry, delivery)
                call.touched.note(outcome.session)
                outcomes[place] = outcome.json()
            } catch { outcomes[place] = refusal(Problem(error), result: "failed") }
        }
        let bytes = outcomes.compactMap(\.self).flatMap { $0.bytes + [newline] }
        return Response(.ok, "application/jsonl", bytes)
    }

    /// An entry of a batch, whose name is its id.
    private static func entry(_ line: [UInt8]) throws -> SpoolEntry {
        let id: ULID?
        do {
            id = try JSONParser().withParsed(line) { $0[name: "id"]?.utf8.flatMap(ULID.init(bytes:)) }
        } catch {
            throw notAnEntry("json-malformed", "the line is not a JSON object")
        }
        guard let id else { throw notAnEntry("rejected", "the entry has no id") }
        return try SpoolEntry(parsing: line, named: id)
    }

    private static func notAnEntry(_ code: String, _ reason: String) -> Problem {
        Problem(.unprocessableContent, code, reason, cure: "GET /api/openapi.json has the format")
    }

    private static func refusal(_ problem: Problem, result: String) -> JSONText {
        .object { object in
            object.member("result", result)
            object.member("reason", problem.detail)
            object.member("code", problem.code)
        }
    }

    // MARK: - Requests for actions

    private static let request = Endpoint(
        method: .put, path: "/sessions/{s}/actions/{id}", id: "requestAction", access: .scope(.mark),
        summary: "Requests an action; someone at the computer runs or declines it",
        body: .json(
            .inline(
                #"{"type":"object","properties":{"action":{"type":"string"},"inputs":{"type":"object"}},"required":["action"],"additionalProperties":false}"#
            )),
        answers: [
            .json(.component("Delivery"), "It is requested", status: 201),
            .json(.component("Delivery"), "It already was"),
            .json(.component("Delivery"), "It is stored here, and written later", status: 202),
        ], work: .writing
    ) { call in
        let id = try call.id("id")
        let session = try call.recipient()
        let action = try call.object(["action", "inputs"]) { body in
            guard let name = try body.text("action"), !name.isEmpty else {
                throw Problem.member("action", "the name of an action")
            }
            return name
        }
        let inputs = try JSONObjectEditor(call.body).text(of: "inputs").map { Array($0) }
        // The same at each repeat: when the device made the request.
        let request = try ActionRequest(
            id: id, action: action, inputs: inputs, createdAt: Timestamp(milliseconds: Int64(id.time)))
        return try call.deliver(request.json.bytes, .actionRequest, id, to: session)
    }

    private static let programs = Endpoint(
        method: .get, path: "/actions", id: "listPrograms", access: .scope(.read),
        summary: "The actions that this machine has programs for",
        answers: [.json(.component("ActionPrograms"), "Their names")], work: .asking
    ) { call in
        .json(
            .object { object in
                object.member("programs", ActionProgram.names(in: call.context.settings.actions))
                object.member("run_actions", JSONText(false))
            })
    }
}
