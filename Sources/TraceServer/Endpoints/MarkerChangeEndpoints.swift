internal import HTTPTypes
internal import RecordFormat
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// What sets, changes and removes markers.
enum MarkerChangeEndpoints {
    static let all = [marker, put, post, patch, remove]

    private static let path = "/sessions/{s}/markers/{id}"

    // MARK: - One marker

    private static let marker = Endpoint(
        method: .get, path: path, id: "getMarker", access: .scope(.read),
        summary: "A marker's line as it is in the file",
        answers: [.json(.component(Schema.record(.marker)), "The line; its ETag is what a change needs")],
        work: .asking
    ) { call in
        let (id, session) = (try call.id("id"), try call.session())
        let line = try line(of: id, in: session)
        return .record(line).with(.allow, try methods(id, in: session, call))
    }

    /// What the caller may do with a marker that stands there: a page shows no button for what would be refused.
    private static func methods(_ id: ULID, in session: CalledSession, _ call: Call) throws -> String {
        guard call.visitor.scope.allows(.mark) else { return "GET, HEAD" }
        return try call.isOwn(deliverer(of: id, in: session, call))
            ? "GET, HEAD, PUT, PATCH, DELETE" : "GET, HEAD, PUT, PATCH"
    }

    private static func deliverer(of id: ULID, in session: CalledSession, _ call: Call) throws -> Deliverer? {
        try session.known.id.flatMap { try call.delivery(session.index).deliverer(of: id, in: $0) }
    }

    private static func line(of id: ULID, in session: CalledSession) throws -> [UInt8] {
        guard let line = try session.line(of: id, .marker) else { throw noMarker }
        return line
    }

    private static let noMarker = Problem(
        .notFound, "no-such-record", "the session has no marker with that id",
        cure: "GET /api/v1/sessions/{s}/markers lists them")

    // MARK: - Setting

    private static let put = Endpoint(
        method: .put, path: path, id: "putMarker", access: .scope(.mark),
        summary: "Writes a marker under an id made by the device; repeats change nothing",
        body: .json(.inline(#"{"type":"object"}"#)),
        answers: Outcome.deliveries(rejected: "It is not a marker"), work: .writing
    ) { call in
        let id = try call.id("id")
        let session = try call.recipient()
        var warnings: [String] = []
        let payload = try RecordBody.marker(call.body, id) { try session.offset(of: $0, &warnings) }
        warnings += session.warnings(about: payload, .marker, at: call.now)
        return try call.deliver(payload, .marker, id, to: session, warnings: warnings)
    }

    private static let post = Endpoint(
        method: .post, path: "/sessions/{s}/markers", id: "postMarker", access: .scope(.mark),
        summary: "Adds a marker as 'trace mark' does, for clients that don't make ids",
        fields: [.idempotencyKey],
        body: .json(
            .inline(
                #"{"type":"object","properties":{"offset":{"type":["string","integer"]},"label":{"type":"string"},"note":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"duration":{"type":"string"}},"additionalProperties":false}"#
            ), isRequired: false),
        answers: [
            .json(.component("Delivery"), "It was written", status: 201),
            .json(.component("Delivery"), "One with this Idempotency-Key was there"),
            .json(.component("Delivery"), "It is stored here, and written later", status: 202),
        ], work: .writing
    ) { call in
        let session = try call.session()
        var draft = MarkerDraft(isForced: true)
        if !call.body.isEmpty {
            draft = try call.object(["offset", "label", "note", "tags", "duration"]) { body in
                MarkerDraft(
                    offset: try offsetText(body) ?? "now", label: try body.text("label"),
                    note: try body.text("note"),
                    tags: try body.texts("tags"), duration: try body.text("duration"), isForced: true)
            }
        }
        var key: ULID?
        if let text = call.fields[.idempotencyKey] {
            key = ULID(
                milliseconds: session.known.startTime?.milliseconds ?? 0,
                digest: EntityTag.digest(Array("\(session.handle) \(text)".utf8)))
        }
        if let key, let line = try? line(of: key, in: session) {
            return .json(
                .object { object in
                    object.member("id", JSONText(key))
                    object.member("result", "already-applied")
                    object.member("record", JSONText(verbatim: line))
                })
        }
        if let key, let answer = try repeated(key, call, session) { return answer }
        let resolved = try draft.resolved(for: WriteTarget(session.target()), now: call.now)
        var marker = resolved.marker
        if let key { marker.id = key }
        return try call.deliver(
            marker.json.bytes, .marker, marker.id, to: session,
            warnings: resolved.warnings + (resolved.setBack.map { [$0.textOverHTTP] } ?? []))
    }

    /// The answer to a request that was made before and is not in the session: its "now" was another one, so it can't be made again.
    ///
    /// - Returns: Nil for one that was not made before.
    private static func repeated(_ key: ULID, _ call: Call, _ session: CalledSession) throws -> Response? {
        if try call.delivery(session.index).isRemoved(key) {
            throw Problem(.gone, "removed", "its record was removed on purpose", cure: "discard it")
        }
        let waiting = (try? call.context.writer().queue.local.files()) ?? []
        guard waiting.contains(where: { $0.id == key }) else { return nil }
        return .json(
            .object { object in
                object.member("id", JSONText(key))
                object.member("result", "waiting")
            }, .accepted)
    }

    private static func offsetText(_ body: JSONValue) throws(Problem) -> String? {
        if let number = body[name: "offset"]?.integer { return "\(number)" }
        return try body.text("offset")
    }

    // MARK: - Changing

    private static let patch = Endpoint(
        method: .patch, path: path, id: "patchMarker", access: .scope(.mark),
        summary: "Changes a marker (RFC 7396); the old line stays in the file",
        fields: [.ifMatchRequired],
        body: RequestBodyRule(
            types: ["application/merge-patch+json", "application/json"], limit: 1 << 20,
            schema: .inline(
                #"{"type":"object","properties":{"label":{"type":["string","null"]},"note":{"type":["string","null"]},"tags":{"type":["array","null"],"items":{"type":"string"}},"offset_ms":{"type":"integer","minimum":0},"duration_ms":{"type":["integer","null"],"minimum":0}},"additionalProperties":false}"#
            )),
        answers: [
            .json(.component("EditedMarker"), "The marker as it is now"),
            .notMatched,
            .conditionMissing,
        ], work: .writing
    ) { call in
        try call.requireCondition()
        let id = try call.id("id")
        let session = try call.session()
        let edit = try edit(call)
        let target = try session.target()
        let editing = try call.context.writer().writer(target).editMarker(id) { line in
            try call.requireMatch(line)
            return edit
        }
        let record = EditedRecord(id: id, target: target, editing: editing)
        return .json(record.markerJSON(call.form(session.index))).with(
            .eTag, EntityTag(contents: editing.line).description)
    }

    private static func edit(_ call: Call) throws -> RecordEdit {
        try call.object(["label", "note", "tags", "offset_ms", "duration_ms"]) { body in
            var edit = RecordEdit()
            for (name, value) in body.members {
                let name = String(decoding: name, as: UTF8.self)
                if value.kind == .null, name != "offset_ms" {
                    edit.cleared.append(name)
                    continue
                }
                let text: JSONText?
                switch name {
                case "label", "note": text = value.string.map { JSONText($0) }
                case "tags":
                    let tags = value.kind == .array ? value.elements.map(\.string) : [nil]
                    text = tags.contains(nil) ? nil : .array(tags.compactMap(\.self).map { JSONText($0) })
                default: text = value.integer.flatMap { $0 >= 0 ? JSONText($0) : nil }
                }
                guard let text else { throw Problem.member(name, "a valid value for a marker") }
                edit.values.append((name, text))
            }
            return edit
        }
    }

    // MARK: - Removing

    private static let remove = Endpoint(
        method: .delete, path: path, id: "deleteMarker", access: .scope(.mark),
        summary:
            "Removes a marker, also one that waits in the queue: with scope 'mark' one sent by the same person's devices, with 'admin' any",
        query: [
            DeclaredParameter(
                name: "force", type: .boolean,
                summary: "Even if voice notes refer to it; they then refer to no marker")
        ],
        fields: [.ifMatch],
        answers: [
            Outcome(status: 204, summary: "It is gone"),
            .problem("It is another person's", status: 403),
            .notMatched,
        ], work: .writing
    ) { call in
        let id = try call.id("id")
        let session = try call.session()
        let delivery = call.delivery(session.index)
        let stands: [UInt8]
        do { stands = try line(of: id, in: session) } catch let problem as Problem {
            // Again, after an answer that was lost; or it has not come there yet.
            guard try delivery.isRemoved(id) || dropWaiting(id, of: session, call) else { throw problem }
            return .noContent
        }
        if call.fields.contains(.ifMatch) { try call.requireMatch(stands) }
        try call.requireOwn(deliverer(of: id, in: session, call))
        _ = try call.context.writer().removeMarker(
            id, from: session.target(), droppingReferences: call.flag("force"))
        return .noContent
    }

    /// Drops a marker that waits in the queue, for a disk that is full or a session that is locked.
    ///
    /// - Returns: Whether one waits.
    private static func dropWaiting(_ id: ULID, of session: CalledSession, _ call: Call) throws -> Bool {
        let writer = call.context.writer()
        guard let entry = writer.queue.local.entry(id), let name = EntryName(id.description),
            entry.kind == .marker, entry.journalID == session.known.id
        else { return false }
        try call.requireOwn(entry.deliveredBy)
        do { _ = try writer.drop(name) } catch let error as StoreError where error.code == .noSuchEntry {
            throw Problem(
                .serviceUnavailable, "session-locked", "the marker is being written at this moment",
                cure: "try again")
        }
        return true
    }
}

extension Response {
    /// The line of a record as it is in the file, with the tag that a change of it must name.
    static func record(_ line: [UInt8]) -> Response {
        Response(.ok, "application/json", line + [newline]).with(.eTag, EntityTag(contents: line).description)
    }
}
