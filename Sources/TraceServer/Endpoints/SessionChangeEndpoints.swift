internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import TraceAccess
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// What begins, stops and ends sessions.
enum SessionChangeEndpoints {
    static let all = [create, edit, close, pause, resume]

    private static let create = Endpoint(
        method: .put, path: "/sessions/{s}", id: "createSession", access: .scope(.mark),
        summary: "Starts a session now; repeats with the same id change nothing",
        body: .json(
            .inline(
                #"{"type":"object","properties":{"title":{"type":"string"}},"additionalProperties":false}"#)),
        answers: [
            .json(.component("CreatedSession"), "It was created", status: 201),
            .json(.component("CreatedSession"), "It was already there"),
            .problem("Another journal has this id", status: 409),
        ], work: .writing
    ) { call in
        let id = try call.id("s")
        let title = try call.object(["title"]) { try $0.text("title") } ?? ""
        let library = try call.context.library()
        let index = try library.openIndex()
        _ = try library.bringUpToDate(index) { _ in }
        let form = call.form(index)
        let scope = call.visitor.sessions(of: call.context.roots)
        if let known = try index.sessions(withIDPrefix: id.description).first(where: scope.contains) {
            let session = CreatedSession(path: known.path, id: id)
            return .json(session.json(form)).with(
                .contentLocation, try handle(of: known.path, id, call, index))
        }
        // Of one id there is one journal, of whatever kind: entries for it would wait as long as there are two.
        guard try index.journalCount(withID: id) == 0 else { throw Problem.idTaken }
        // A token that sees some sessions only may begin one where it will see it.
        let candidates = call.context.roots.paths.filter { scope.shows($0, id) }
        guard !candidates.isEmpty else { throw Problem.noSession }
        let created = try call.context.writer().createSession(
            id: id, inFirstOf: candidates, title: title, start: call.now, in: call.context.zone(),
            now: call.now)
        _ = try index.reconcile(
            journal: created.path, in: call.context.roots.root(of: created.path),
            settleTime: library.settleTime)
        return .json(created.json(form), .created).with(
            .contentLocation, try handle(of: created.path, id, call, index))
    }

    private static func handle(
        of path: FilePath, _ id: ULID, _ call: Call, _ index: JournalIndex
    ) throws -> String {
        let handles = call.handles(index)
        return "\(Endpoint.base)/sessions/\(try handles.handle(of: path, id))"
    }

    private static let edit = Endpoint(
        method: .post, path: "/sessions/{s}/edit", id: "editSession", access: .scope(.mark),
        summary: "Changes a session's title or corrects its start; offsets stay",
        body: .json(
            .inline(
                #"{"type":"object","properties":{"title":{"type":"string"},"start_time":{"type":"string","format":"date-time"}},"additionalProperties":false}"#
            )),
        answers: [.json(.component("EditedSession"), "Done")], work: .writing
    ) { call in
        let (title, start) = try call.object(["title", "start_time"]) { body in
            (try body.text("title"), try moment("start_time", of: body, now: call.now))
        }
        let session = try call.session()
        let edited = try call.context.writer().edit(session.target(), title: title, start: start)
        return .json(edited.json(call.form(session.index)))
    }

    /// A moment of the past.
    ///
    /// - Returns: Nil if the body does not have it.
    /// - Throws: ``Problem`` with 422; ``LibraryError`` with `.timeInFuture` or `.timeTooEarly`.
    private static func moment(_ name: StaticString, of body: JSONValue, now: Timestamp) throws -> Timestamp?
    {
        guard let text = try body.text(name) else { return nil }
        guard let moment = Timestamp(text) else {
            throw Problem.member("\(name)", "a time in UTC, such as 2026-02-04T20:15:00Z")
        }
        guard moment <= now else {
            throw LibraryError(
                .timeInFuture, "'\(name)' is \(moment), in the future",
                cure: "correct it; the server's clock is at \(now)")
        }
        try TimeArgument.requireLikely(moment, "'\(name)'", "\(moment)")
        return moment
    }

    private static let close = Endpoint(
        method: .post, path: "/sessions/{s}/close", id: "closeSession", access: .scope(.mark),
        summary: "Ends the session now, or at an earlier time",
        body: .json(
            .inline(
                #"{"type":"object","properties":{"at":{"type":"string","format":"date-time"}},"additionalProperties":false}"#
            ), isRequired: false),
        answers: [.json(.component("ClosedSession"), "Done")], work: .writing
    ) { call in
        var end = SessionEnd.now
        if !call.body.isEmpty,
            let moment = try call.object(["at"], { try moment("at", of: $0, now: call.now) })
        {
            end = .moment(moment)
        }
        let session = try call.session()
        let closed = try call.context.writer().close(session.target(), at: end)
        return .json(closed.json(call.form(session.index)))
    }

    private static let pause = change("pause", "Stops the session's clock", "PausedSession") {
        writer, target in
        let paused = try writer.pause(target)
        return { paused.json($0) }
    }

    private static let resume = change("resume", "Restarts the session's clock", "ResumedSession") {
        writer, target in
        let resumed = try writer.resume(target)
        return { resumed.json($0) }
    }

    private static func change(
        _ verb: String, _ summary: String, _ component: String,
        _ write: @escaping @Sendable (LibraryWriter, SessionTarget) throws -> (AnswerForm) -> JSONText
    ) -> Endpoint {
        Endpoint(
            method: .post, path: "/sessions/{s}/\(verb)", id: "\(verb)Session", access: .scope(.mark),
            summary: summary, answers: [.json(.component(component), "Done")], work: .writing
        ) { call in
            let session = try call.session()
            let json = try write(call.context.writer(), session.target())
            return .json(json(call.form(session.index)))
        }
    }
}

extension Problem {
    /// A journal has the id, of whatever kind, that the client may see or not.
    fileprivate static let idTaken = Problem(
        .conflict, "id-taken", "another journal has this id", cure: "make another id")
}
