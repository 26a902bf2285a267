internal import HTTPTypes
internal import Journals
internal import PracticeJournal
internal import RecordFormat
internal import TraceFiles
internal import TraceIndex
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// What is asked of a practice journal: the answers of `trace practice … --json`, and the document itself.
enum PracticeEndpoints {
    static let all = [
        document, replica, journal, game, slots, focus, groups, mechanics, LeagueEndpoints.league, library,
    ]

    private static let document = Endpoint(
        method: .get, path: "/journals/{j}/document", id: "getJournalDocument", access: .scope(.read),
        summary: "The document of a journal, as it is in the file",
        query: [
            Parameter(
                name: "reader", type: .choice(["strict"]),
                summary: "For a reader that fails on a word it does not know: as it can read it")
        ],
        answers: [Outcome(status: 200, summary: "The document", types: ["application/json"])],
        work: .asking
    ) { call in
        try call.askPractice { journal in
            let (name, limit) = OpenedPractice.documentFile
            let file = try ServedFile.contents(of: name, in: OpenDirectory(journal.path), limit: limit)
            guard let file else {
                throw Problem(
                    .notFound, "no-document", "the journal has no document yet",
                    cure: "write something into the journal first")
            }
            let isStrict = call["reader"] != nil
            let shown =
                isStrict
                ? try StrictView(of: journal.document).bytes
                : file.contents
            var answer = Answer(.ok, "application/json", shown)
            answer.fields[.eTag] = EntityTag.ofDocument(shown).description
            return answer
        }
    }

    private static let replica = Endpoint(
        method: .put, path: "/journals/{j}/replica/{device}", id: "putJournalReplica", access: .scope(.mark),
        summary: "Merges the document of a device; the answer is the merged one, from which its next differs",
        query: [
            Parameter(
                name: "reader", type: .choice(["strict"]),
                summary: "For a reader that fails on a word it does not know: as it can read it")
        ],
        fields: [
            FieldParameter(
                name: .ifMatch,
                summary: "The ETag of the document that the device got last; without it nothing is removed"),
            FieldParameter(
                name: .traceWrittenAt, summary: "When the device wrote its document: 2026-02-04T20:15:00Z"),
        ],
        body: RequestBodyRule(types: ["application/json"], limit: 16 << 20, schema: .inline("{}")),
        answers: [
            Outcome(status: 200, summary: "The merged document", types: ["application/json"]),
            .problem("Most is gone from the document; nothing was merged", status: 409),
        ], work: .importing
    ) { call in
        let device = try DeviceName(call.text("device"))
        let base: ReplicaExchange.Base
        switch call.fields[.ifMatch] {
        case nil: base = .none
        case let field?:
            guard let tag = EntityTag(field) else { throw Problem.tagMalformed }
            base = .checksum(String(decoding: tag.identity.opaque, as: UTF8.self))
        }
        let exchange = ReplicaExchange(
            call.body, from: device, base: base, written: try call.written(),
            isStrict: call["reader"] != nil, takesAnswer: true)
        // A question may be asked again when the journal has changed in between, as it does here; what writes is not.
        let path = try call.askPractice { $0.path }
        call.touched.note(path)
        switch try PracticeDevices(call.context.writer().journalWriter(at: path)).merge(exchange) {
        case .refused(let emptied):
            throw Problem(
                .conflict, "practice-replica-emptied", emptied.message,
                cure: "if that is meant, accept it on the server: trace practice accept \(device)")
        case .merged(let method, let document, _):
            var answer = Answer(.ok, "application/json", document)
            answer.fields[.eTag] = EntityTag.ofDocument(document).description
            answer.fields[.traceMerge] = method.rawValue
            return answer
        }
    }

    private static func gameQuery(isRequired: Bool) -> Parameter {
        Parameter(
            name: "game", type: .text(maxLength: 200),
            summary: "The game: its id, or the beginning of its name", isRequired: isRequired)
    }

    private static let journal = Endpoint(
        method: .get, path: "/journals/{j}/practice/journal", id: "listPractice", access: .scope(.read),
        summary: "What was practised, newest first",
        query: [
            Parameter(
                name: "filter", type: .choice(TimelineFilter.allCases.map(\.rawValue)),
                summary: "Only such rows"), gameQuery(isRequired: false),
            Parameter(
                name: "style", type: .choice(RowText.Style.allCases.map(\.rawValue)),
                summary: "structured, a line for each part of a row, unless given; line, a sentence"),
        ], answers: [.json(.array(of: "PracticeRow"), "The rows")], work: .asking
    ) { call in
        try call.askPractice { journal in
            let filter = call["filter"].flatMap(TimelineFilter.init) ?? .all
            let key = try call["game"].map { try journal.library.key(asked: $0) }
            let style = call["style"].flatMap(RowText.Style.init) ?? .structured
            return .json(.array(try journal.answers.timeline(filter, game: key, style: style).map(\.json)))
        }
    }

    private static let game = Endpoint(
        method: .get, path: "/journals/{j}/practice/game", id: "getPracticeGame", access: .scope(.read),
        summary: "The numbers of a game, its alerts, and what is noted about it",
        query: [
            Parameter(
                name: "game", type: .text(maxLength: 200),
                summary:
                    "The game: its id, or the beginning of its name; that which was looked at last unless given"
            )
        ], answers: [.json(.component("PracticeGame"), "The game")], work: .asking
    ) { call in
        try call.askPractice { journal in
            let key = try call["game"].map { try journal.library.key(asked: $0) } ?? journal.lastGame
            guard let key else { throw Problem.noGame }
            return .json(try journal.answers.game(key))
        }
    }

    private static let slots = Endpoint(
        method: .get, path: "/journals/{j}/practice/slots", id: "getPracticeSlots", access: .scope(.read),
        summary: "With which games, filter and venue an app begins",
        answers: [.json(.component("PracticeSlots"), "The slots")], work: .asking
    ) { call in
        try call.askPractice { .json(try $0.slots.json(in: $0.library)) }
    }

    private static let focus = question(
        "focus", "getPracticeFocus", "The games, the one that needs practice most first", of: "PracticeFocus"
    ) { answers in .array(answers.focus.map(\.json)) }
    private static let groups = question(
        "groups", "listPracticeGroups", "The groups of games", of: "PracticeGroup"
    ) { answers in .array(answers.groups) }
    private static let mechanics = question(
        "mechanics", "listPracticeSkills", "How the flipper skills have been", of: "PracticeSkill"
    ) { answers in .array(answers.mechanics.map(\.json)) }
    private static let library = Endpoint(
        method: .get, path: "/journals/{j}/practice/library", id: "listPracticeLibrary",
        access: .scope(.read),
        summary: "The games of the library",
        query: [
            gameQuery(isRequired: false),
            Parameter(
                name: "search", type: .text(maxLength: 200),
                summary: "Words that the name, the group, the bank or the area must have"),
            Parameter(
                name: "source", type: .text(maxLength: 200),
                summary: "Only games of this venue or category: its id or its name"),
            Parameter(
                name: "bank", type: .number(0...1_000_000), summary: "Only games of this bank"),
            Parameter(
                name: "played", type: .choice(["true", "false"]),
                summary: "Only games with a score, or only those without one"),
            Parameter(
                name: "sort", type: .choice(LibraryQuery.Order.allCases.map(\.rawValue)),
                summary: "The order; that of the library unless given"),
        ], answers: [.json(.array(of: "LibraryGame"), "The games")], work: .asking
    ) { call in
        try call.askPractice { journal in
            var query = LibraryQuery()
            query.game = try call["game"].map { try journal.library.key(asked: $0) }
            query.words = call["search"]?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
            query.source = call["source"]
            query.bank = call["bank"].flatMap { Int($0) }
            query.isPlayed = call["played"].map { $0 == "true" }
            query.order = call["sort"].flatMap(LibraryQuery.Order.init) ?? .library
            return .json(.array(try journal.answers.library(query).map(\.json)))
        }
    }

    private static func question(
        _ name: String, _ id: String, _ summary: String, of row: String,
        _ answer: @escaping @Sendable (PracticeAnswers) -> JSONText
    ) -> Endpoint {
        Endpoint(
            method: .get, path: "/journals/{j}/practice/\(name)", id: id, access: .scope(.read),
            summary: summary, answers: [.json(.array(of: row), "An array")], work: .asking
        ) { call in
            try call.askPractice { .json(answer(try $0.answers)) }
        }
    }
}

extension Call {
    /// Asks about the practice journal that `{j}` names. What writes into it is not done here but afterwards: `body` may be called again.
    ///
    /// - Throws: ``Problem`` with 404 for a journal of another kind, too.
    func askPractice<Result>(_ body: (OpenedPractice) throws -> Result) throws -> Result {
        try askJournal { _, path in
            guard let journal = try JournalCandidate(reading: path, of: Journals.all),
                journal.kind == .practice
            else { throw Problem.noJournal }
            // Its days are counted in its own zone, wherever the server is.
            let named = journal.header.timeZone
            return try body(
                OpenedPractice(journal.path, now: now) {
                    try named.map { try ZoneFiles.rules(named: $0) } ?? context.zone()
                })
        }
    }
}

extension Call {
    /// When the device wrote its document.
    fileprivate func written() throws -> Timestamp? {
        guard let field = fields[.traceWrittenAt] else { return nil }
        guard let written = Timestamp(field) else {
            throw Problem(
                .badRequest, "time-malformed", "Trace-Written-At is not a time",
                cure: "write it as 2026-02-04T20:15:00Z, or leave it out")
        }
        return written
    }
}

extension EntityTag {
    /// The tag of a document that devices exchange: its whole hash, by which what a device had is found again.
    fileprivate static func ofDocument(_ bytes: [UInt8]) -> EntityTag {
        EntityTag(hash: EntityTag.digest(bytes))
    }
}

extension Problem {
    fileprivate static let noGame = Problem(
        .notFound, "no-such-game", "no game was looked at yet, and there is no library",
        cure: "name one: ?game=…")
    fileprivate static let tagMalformed = Problem(
        .badRequest, "condition-malformed", "If-Match is not one ETag",
        cure: "send the ETag of the document that the device got last, or leave it out")
}

extension HTTPField.Name {
    fileprivate static let traceWrittenAt = HTTPField.Name("Trace-Written-At") ?? .server
    fileprivate static let traceMerge = HTTPField.Name("Trace-Merge") ?? .server
}

extension GameLibrary {
    /// As ``key(named:)``.
    fileprivate func key(asked typed: String) throws -> String {
        do throws(WriteRejection) { return try key(named: typed) } catch {
            throw Problem(
                .notFound, "no-such-game", error.message,
                cure: "GET /api/v1/journals/{j}/practice/library lists the games")
        }
    }
}
