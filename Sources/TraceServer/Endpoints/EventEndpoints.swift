internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import TraceAccess
internal import TraceConfiguration
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// What happens, told as it happens.
enum EventEndpoints {
    static let all = [events]

    /// So many sessions can be followed by one stream.
    private static let sessionLimit = 4

    private static let events = Endpoint(
        method: .get, path: "/events", id: "getEvents", access: .scope(.read),
        summary:
            "Server-sent events: what happens to sessions, journals and the queue, and records of the sessions named",
        query: [
            DeclaredParameter(
                name: "session", type: .text(maxBytes: 256),
                summary: "A session whose records are reported, too; at most 4", isRepeated: true)
        ],
        fields: [.lastEventID],
        answers: [
            Outcome(status: 200, summary: "Events, until the client ends it", types: ["text/event-stream"]),
            .problem("Too many streams are open", status: 429),
        ], work: .asking
    ) { call in
        let names = call.query["session"] ?? []
        guard names.count <= sessionLimit else {
            throw Problem(
                .badRequest, "too-many-sessions", "more than \(sessionLimit) sessions are named",
                cure: "open another stream for the others")
        }
        let sessions = try Set(names.map { try call.session(named: $0).path })
        let context = call.context
        do {
            let subscription = try context.host.events.subscribe(
                to: sessions, seeing: call.visitor.sessions(of: context.roots), of: call.visitor.token?.id,
                after: call.fields[.lastEventID],
                from: EventHub.Source(
                    try context.index(), context.roots, call.queue,
                    settleTime: context.settings.settleTime))
            return Response(
                .ok,
                [.contentType: "text/event-stream", .cacheControl: "no-store", .accelBuffering: "no"],
                body: .events(subscription))
        } catch let refusal as EventHub.Refusal {
            switch refusal {
            case .tooMany:
                context.counts.noteRefused("streams")
                throw Problem(
                    .tooManyRequests, "too-many-streams", "too many streams of events are open",
                    cure: "close others of this token, or wait", retryAfter: .seconds(10))
            case .ending:
                throw Problem(
                    .serviceUnavailable, "stopping", "the server is stopping", retryAfter: .seconds(2))
            }
        }
    }
}

extension HTTPField.Name {
    /// Tells nginx not to collect what it passes on.
    fileprivate static let accelBuffering = HTTPField.Name("X-Accel-Buffering") ?? .server
    fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID") ?? .server
}

extension FieldParameter {
    fileprivate static let lastEventID = FieldParameter(
        name: .lastEventID, summary: "The id of the last event that was received: what was missed is sent")
}
