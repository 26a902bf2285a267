internal import HTTPTypes
internal import RecordFormat
internal import SystemPackage
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

extension Call {
    /// The session that `{s}` names, for a record that is to be delivered to it.
    ///
    /// Where `{s}` is an id, only `session.json` is read, to see that the session is still there: the write finds what the index
    /// does not know yet in the files, under the lock (``EntryWriter``).
    ///
    /// - Throws: As ``session()`` does.
    func recipient() throws -> CalledSession {
        let name = try text("s").uppercased()
        guard let id = ULID(name) else { return try session() }
        let index = try context.library().openIndex()
        let handles = handles(index)
        let found = try handles.sessions(named: name)
        guard found.count == 1, let known = found.first,
            (try? SessionReader(known.path).readableHeader().session.id) == id
        else { return try session() }
        touched.note(known.path)
        return try CalledSession(known, handles, index)
    }

    /// Delivers a record that the client has given its id, by the queue's own rules.
    ///
    /// - Parameters:
    ///   - payload: The record as it is to be in the session, with the id.
    ///   - audio: What a voice note says of its audio, which is sent by itself.
    /// - Returns: 201 if it was written, 200 if it was there, 202 if it waits here; with the record's line.
    /// - Throws: ``Problem`` with 409, 410 or 422 as the queue's rules have it; ``FileError`` if neither the session nor the
    ///   queue could take it.
    func deliver(
        _ payload: [UInt8], _ kind: EntryOperation, _ id: ULID, to session: CalledSession,
        audio: SpoolEntry.Attachment? = nil, warnings: [String] = []
    ) throws -> Response {
        guard let sessionID = session.known.id else {
            throw Problem.noSessionID
        }
        let entry = SpoolEntry(
            id: id, kind: kind, journalID: sessionID, createdAt: now, device: visitor.token?.name,
            payload: JSONText(verbatim: payload), attachment: audio)
        let delivery = delivery(session.index)
        let outcome = try delivery.deliver(
            EntryDelivery.Item(entry, deliveredBy: deliverer), into: session.path)
        return try answer(joined(outcome, of: entry, delivery), warnings)
    }

    /// What delivers, with what is known of the ledger.
    func delivery(_ index: JournalIndex) -> Delivery {
        Delivery(
            index: index, roots: context.roots, queue: queue,
            runtimeDirectory: context.settings.runtimeDirectory, ledger: context.memory.ledger,
            allowance: context.memory.spoolAllowance, rights: visitor.scope.rights,
            begin: beginning(index),
            onPutBack: context.host.onPutBack)
    }

    /// Makes a session that an entry begins, where the client will see it.
    private func beginning(_ index: JournalIndex) -> SessionBeginning {
        let (context, scope) = (context, visitor.sessions(of: context.roots))
        return { entry, change in
            let candidates = context.roots.paths.filter { scope.shows($0, entry.journalID) }
            let begin = context.writer().beginning(inFirstOf: candidates) { id in
                (try? index.journalCount(withID: id)).map { $0 > 0 } ?? true
            }
            guard let path = try begin(entry, change) else { return nil }
            _ = try index.reconcile(
                journal: path, in: context.roots.root(of: path), settleTime: context.settings.settleTime)
            return path
        }
    }

    /// Whether the caller may change or remove what somebody has delivered; nil is not known, or did not come over the network.
    func isOwn(_ deliverer: Deliverer?) -> Bool {
        let person = deliverer?.person
        return visitor.scope.allows(.admin) || (person != nil && person == visitor.person)
    }

    /// - Throws: ``Problem`` with 403 unless ``isOwn(_:)``.
    func requireOwn(_ deliverer: Deliverer?, _ kind: RecordKind = .marker) throws {
        guard isOwn(deliverer) else {
            throw Problem(
                .forbidden, "not-yours", "the \(kind.noun) was not sent by a device of this person",
                cure: "use a token of scope 'admin'")
        }
    }

    /// Where entries wait.
    var queue: QueueDirectories {
        QueueDirectories(
            state: context.settings.stateDirectory, spools: Array(context.settings.spools.dropFirst()))
    }

    /// Who delivers; nobody by a Unix socket, whose users are the machine's own.
    var deliverer: Deliverer? {
        visitor.token.map { Deliverer(token: $0.id, person: $0.person) }
    }

    /// The answer that an outcome means.
    ///
    /// Source: docs/http.md#writing-so-that-nothing-is-lost-or-doubled.
    func answer(_ outcome: EntryDelivery.Outcome, _ warnings: [String] = []) throws -> Response {
        touched.note(outcome.session)
        let status: HTTPResponse.Status
        switch outcome.result {
        case .applied: status = .created
        case .alreadyApplied: status = .ok
        case .waiting: status = .accepted
        case .conflict, .changedMeanwhile, .rejected, .recordVanished, .removed, .dropped, .failed:
            throw Problem(outcome)
        }
        var answer = Response.json(outcome.json(warnings), status)
        if let line = outcome.line { answer.fields[.eTag] = EntityTag(contents: line).description }
        return answer
    }
}

extension EntryDelivery.Outcome {
    /// The outcome as a client gets it, without places.
    ///
    /// - Parameter warnings: What is likely to be a slip; the record is written all the same.
    func json(_ warnings: [String] = []) -> JSONText {
        .object { object in
            object.member("id", JSONText(id))
            object.member("result", result.name)
            object.member("reason", result.reasonWithoutPlaces.map { JSONText($0) })
            object.member(result.conflicts)
            object.member("record", line.map { JSONText(verbatim: $0) })
            if !warnings.isEmpty { object.member("warnings", warnings) }
        }
    }
}

extension Problem {
    /// A session that can't be given records: nothing says which it is.
    static let noSessionID = Problem(
        .unprocessableContent, "no-session-id", "the session has no valid id",
        cure: "GET /api/v1/sessions/{s}/findings shows what is wrong with session.json")

    /// What a delivery that did not succeed means for who sent it.
    fileprivate init(_ outcome: EntryDelivery.Outcome) {
        let reason = outcome.result.reasonWithoutPlaces
        let code = outcome.result.name
        switch outcome.result {
        case .conflict:
            self.init(
                .conflict, code, reason ?? "another record has this id",
                cure: "keep it, and send it under another id if both are wanted")
        case .changedMeanwhile(let conflicts):
            self.init(
                .conflict, code, reason ?? "changed meanwhile",
                cure: "let a person choose; then send another entry, with what is there now as 'was'")
            self.conflicts = conflicts
        case .rejected:
            self.init(
                .unprocessableContent, code, reason ?? "it is not a record",
                cure: "correct it, and send it under the same id; GET /api/openapi.json has the format")
        case .recordVanished:
            self.init(
                .gone, code, "it was written before, but its record is gone",
                cure: "to write it again, send it under another id")
        case .removed:
            self.init(.gone, code, "its record was removed on purpose", cure: "discard it")
        case .dropped: self.init(.gone, code, "it was dropped on purpose", cure: "discard it")
        case .failed(let error): self.init(error)
        case .applied, .alreadyApplied, .waiting:
            self.init(.internalServerError, "internal-error", "an outcome is not a problem")
        }
    }
}

extension Outcome {
    /// How the delivery of one record may end.
    ///
    /// - Parameter rejected: What it is if the record is refused.
    static func deliveries(rejected: String) -> [Outcome] {
        [
            .json(.component("Delivery"), "It was written", status: 201),
            .json(.component("Delivery"), "It was already there"),
            .json(.component("Delivery"), "It is stored here, and written later", status: 202),
            .problem("Another record has this id", status: 409),
            .problem("It was removed on purpose", status: 410),
            .problem(rejected, status: 422),
        ]
    }
}
