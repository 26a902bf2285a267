internal import HTTPTypes
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceAccess
internal import TraceConfiguration
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// Journals of every kind, what is in them, and what happened in all of them.
enum JournalEndpoints {
    static let all = [list, journal, records, findings, timeline]

    private static let kinds = Journals.all.formats.map(\.layout.kind.name)
    private static let entries = Journals.all.formats.flatMap(\.layout.entryKinds)

    private static let kindQuery = DeclaredParameter(
        name: "kind", type: .choice(kinds), summary: "Only journals of these kinds", isRepeated: true)

    private static func kinds(_ call: Call) -> Set<JournalKind>? {
        call.query["kind"].map { Set($0.map(JournalKind.init)) }
    }

    private static let list = Endpoint(
        method: .get, path: "/journals", id: "listJournals", access: .scope(.read),
        summary: "The journals, by kind", query: [kindQuery] + Call.pageQuery,
        answers: [
            Outcome(
                status: 200, summary: "The journals", types: Call.listTypes, schema: .array(of: "JournalRow"))
        ], work: .asking
    ) { call in
        let asked = JournalsQuestion(kinds: kinds(call))
        return try call.list(.journal(call.context.memory.seal)) { after, limit in
            var question = asked
            question.after = after
            question.limit = limit
            return try call.askAll { [question] asked in
                let answer = try question.answer(asked.index, in: asked.scope)
                call.freshness.note(shown: answer.rows.map(\.path))
                let form = call.form(asked.index)
                return ListPage(rows: answer.rows.map { $0.json(form) }, next: answer.next)
            }
        }
    }

    private static let journal = Endpoint(
        method: .get, path: "/journals/{j}", id: "getJournal", access: .scope(.read),
        summary: "A journal, and how much is in it",
        answers: [.json(.component("JournalDetails"), "The journal")], work: .asking
    ) { call in
        try call.askJournal { index, path in
            .json(try JournalQuestion(path).answer(index).json(call.form(index)))
        }
    }

    private static let records = Endpoint(
        method: .get, path: "/journals/{j}/records", id: "listJournalRecords", access: .scope(.read),
        summary: "The records of a journal, ordered by time",
        query: Call.momentQuery + [
            DeclaredParameter(
                name: "kind", type: .choice(entries.map(\.name)), summary: "Only entries of these kinds",
                isRepeated: true)
        ] + Call.pageQuery,
        answers: [
            Outcome(
                status: 200, summary: "The records as they are in the file, with their moments",
                types: Call.listTypes, schema: .array(of: "TimelineRow"))
        ], work: .asking
    ) { call in
        var asked = TimelineQuestion(try call.moments())
        asked.hasEverything = true
        asked.entryKinds = call.query["kind"].map { names in
            Set(entries.filter { names.contains($0.name) }.map(\.kind))
        }
        let question = asked
        return try call.list(.timeline(call.context.memory.seal)) { after, limit in
            try call.askJournal { index, path in
                var question = question
                question.after = after
                question.limit = limit
                let answer = try question.answer(index, in: .sessions([path]))
                let form = call.form(index)
                return ListPage(rows: answer.items.map { $0.json(form) }, next: answer.next)
            }
        }
    }

    private static let findings = Endpoint(
        method: .get, path: "/journals/{j}/findings", id: "listJournalFindings", access: .scope(.read),
        summary: "Rule violations in a journal", query: CheckEndpoints.query,
        answers: [
            Outcome(
                status: 200, summary: "The journal with its findings", types: CheckEndpoints.forms,
                schema: .array(of: "SessionFindings"))
        ], work: .asking
    ) { call in
        let question = try CheckEndpoints.question(call)
        return try call.askJournal { index, path in
            try CheckEndpoints.answer(
                [try question.findings(of: path, by: index)].compactMap(\.self), call, index)
        }
    }

    private static let timeline = Endpoint(
        method: .get, path: "/timeline", id: "getTimeline", access: .scope(.read),
        summary: "What happened on a day, in all journals",
        query: [
            DeclaredParameter(name: "day", type: .moment, summary: "The day; the present one if omitted"),
            DeclaredParameter(
                name: "zone", type: .text(maxBytes: 100),
                summary: "The zone in which it is a day, such as Europe/Berlin; that of the server if omitted"
            ),
            kindQuery,
        ] + Call.pageQuery,
        answers: [
            Outcome(
                status: 200, summary: "The records, in the order of time", types: Call.listTypes,
                schema: .array(of: "TimelineRow"))
        ], work: .asking
    ) { call in
        let zone = try call.zone()
        let day = call["day"] ?? "today"
        let moments = try TimeArgument(day, in: zone, now: call.now)
        var asked = TimelineQuestion(moments.first...max(moments.first, moments.last))
        asked.kinds = kinds(call)
        asked.hasSilentSessions = true
        let question = asked
        return try call.list(.timeline(call.context.memory.seal)) { after, limit in
            var question = question
            question.after = after
            question.limit = limit
            return try call.askAll { [question] asked in
                let answer = try question.answer(asked.index, in: asked.scope)
                let form = call.form(asked.index)
                return ListPage(rows: answer.items.map { $0.json(form) }, next: answer.next)
            }
        }
    }
}

extension Call {
    /// The zone of the query, else that of the server.
    ///
    /// - Throws: ``Problem`` with 400 for one that the machine does not know.
    fileprivate func zone() throws -> ZoneRules {
        guard let name = self["zone"] else { return try context.zone() }
        do { return try ZoneFiles.rules(named: name) } catch {
            throw Problem(
                .badRequest, "parameter-malformed", "'zone' is not a zone that this server knows",
                cure: [
                    "write its IANA name, such as Europe/Berlin",
                    "if it is that, install tzdata on the server",
                ])
        }
    }

    /// Asks about the journal that `{j}` names. What the client may not see is not there.
    ///
    /// - Throws: ``Problem`` with 404 or 409.
    func askJournal<Result>(
        _ body: (JournalIndex, FilePath) throws -> Result
    ) throws -> Result {
        let name = try text("j")
        return try ask(context.library(watched: watched)) { index, _ in
            let path = try journal(named: name, index)
            freshness.note(shown: [path])
            return try body(index, path)
        }
    }

    /// The path of the one journal, of those that the client may see, that a handle or the beginning of an id names.
    private func journal(named name: String, _ index: JournalIndex) throws -> FilePath {
        let found = try handles(index).journals(named: name)
        guard let journal = found.first else { throw Problem.noJournal }
        guard found.count == 1 else {
            throw Problem(
                .conflict, "journal-name-ambiguous", "'\(name)' matches \(found.count) journals",
                cure: "use the handle that GET /api/v1/journals gives")
        }
        return journal
    }
}

extension Problem {
    /// There is no such journal, or none that the client may see.
    static let noJournal = Problem(
        .notFound, "no-such-journal", "no such journal",
        cure: "GET /api/v1/journals lists those that this token sees")
}

extension CursorCoding<JournalKey> {
    /// A kind and a path, of which clients must not know: it is sealed.
    fileprivate static func journal(_ seal: CursorSeal) -> Self {
        CursorCoding(
            encode: { seal.closed(Cursor([.bytes(Array($0.kind.name.utf8)), .bytes($0.path.bytes)])) },
            decode: { cursor in
                var reader = try seal.opened(cursor).reader
                let kind = JournalKind(name: String(decoding: try reader.bytes(), as: UTF8.self))
                let key = JournalKey(kind: kind, path: FilePath(bytes: try reader.bytes()))
                try reader.finish()
                return key
            })
    }
}

extension CursorCoding<TimelinePosition> {
    /// A record by its moment and what tells the records of one moment apart, and a session by its start and its directory; sealed.
    fileprivate static func timeline(_ seal: CursorSeal) -> Self {
        CursorCoding(
            encode: { position in
                var parts: [Cursor.Field] = [
                    .integer(position.record == nil ? 0 : 1), .integer(position.session == nil ? 0 : 1),
                ]
                if let key = position.record {
                    parts += [
                        .integer(key.time.milliseconds), .bytes(key.journal.bytes), .integer(Int64(key.kind)),
                        .integer(Int64(key.line)), .integer(Int64(key.byteOffset)),
                    ]
                }
                if let session = position.session {
                    parts += [.integer(session.start.milliseconds), .bytes(session.path.bytes)]
                }
                return seal.closed(Cursor(parts))
            },
            decode: { cursor in
                var reader = try seal.opened(cursor).reader
                let (hasRecord, hasSession) = (try reader.integer() == 1, try reader.integer() == 1)
                var record: TimelineKey?
                if hasRecord {
                    let time = Timestamp(milliseconds: try reader.integer())
                    let journal = FilePath(bytes: try reader.bytes())
                    let kind = UInt8(clamping: try reader.integer())
                    record = TimelineKey(
                        time: time, journal: journal, kind: kind, line: Int(try reader.integer()),
                        byteOffset: Int(try reader.integer()))
                }
                var session: TimelinePosition.Session?
                if hasSession {
                    let start = Timestamp(milliseconds: try reader.integer())
                    session = TimelinePosition.Session(
                        start: start, path: FilePath(bytes: try reader.bytes()))
                }
                try reader.finish()
                return TimelinePosition(record: record, session: session)
            })
    }
}
