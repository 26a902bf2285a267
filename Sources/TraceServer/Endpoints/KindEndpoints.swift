internal import HTTPTypes
internal import Journals
internal import RecordFormat
internal import SystemPackage
internal import TraceAccess
internal import TraceFiles
internal import TraceLibrary
internal import TraceStore
internal import TraceText

/// What can be asked of the journals of each kind, out of its declarations: the answers of `trace KIND … --json`.
///
/// Source: docs/decisions/0047-a-kind-is-declared-once.md.
enum KindEndpoints {
    static let all =
        [kinds]
        + Journals.all.formats.flatMap { format in
            format.surface.questions.map { endpoint($0, of: format) }
                + format.surface.acts.map { endpoint($0, of: format) }
        }

    private static let kinds = Endpoint(
        method: .get, path: "/kinds", id: "listKinds", access: .scope(.read),
        summary: "The kinds of journals that have entries or requests of their own",
        answers: [.json(.array(of: "Kind"), "The kinds, with what each takes and answers")], work: .asking
    ) { call in
        // A page that can't be read has no views for any kind.
        let page = try? call.context.host.page.page()
        let kinds = KindAnswer.all { page?["\($0)/kind.js"] != nil }
        return .json(.array(kinds.map(\.json)))
    }

    private static func endpoint(_ path: QuestionPath, of format: any JournalFormat) -> Endpoint {
        Endpoint(
            method: .get, path: "/journals/{j}/\(format.layout.kind)/\(path.name)", id: path.id,
            access: .scope(.read), summary: path.summary,
            query: (path.view.map { [$0] } ?? []) + path.parameters
                + (path.views.contains(where: \.isList) ? Call.portionQuery : []),
            answers: [path.outcome], work: .asking
        ) { call in
            let (question, arguments) = try call.question(at: path)
            return try call.answer(question, arguments, of: format)
        }
    }

    private static func endpoint(_ act: AdminAct, of format: any JournalFormat) -> Endpoint {
        Endpoint(
            method: .post, path: "/journals/{j}/\(format.layout.kind)/\(act.name)", id: act.id,
            access: .scope(.admin), summary: act.summary,
            query: [
                DeclaredParameter(name: "dry_run", type: .boolean, summary: "Only say what would be done")
            ],
            answers: [.json(.component(act.shape.name), act.shape.summary)], work: .importing
        ) { call in
            // A question may be asked again when the journal has changed in between, as it does here; what writes is not.
            let path = try call.askJournal(of: format) { $0.path }
            let isDry = call.flag("dry_run")
            if !isDry { call.touched.note(path) }
            return .json(try act.run(call.context.writer().journalWriter(at: path), isDry).json)
        }
    }
}

extension QuestionPath {
    /// What tells its questions apart; nil where there is only one.
    fileprivate var view: DeclaredParameter? {
        usual.map { usual in
            DeclaredParameter(
                name: "view", type: .choice(views.map(\.name)),
                summary: "What is asked for; \(usual.name) if omitted")
        }
    }

    fileprivate var outcome: Outcome {
        guard usual != nil else {
            let question = views[0]
            return question.isList
                ? .json(.array(of: question.shape.name), "An array")
                : .json(.component(question.shape.name), question.shape.summary)
        }
        func reference(_ name: String) -> String { ##"{"$ref":"#/components/schemas/\##(name)"}"## }
        func names(_ isList: Bool) -> [String] {
            var names: [String] = []
            for view in views where view.isList == isList && !names.contains(view.shape.name) {
                names.append(view.shape.name)
            }
            return names
        }
        let schemas =
            names(true).map { #"{"type":"array","items":\#(reference($0))}"# } + names(false).map(reference)
        let objects = views.filter { !$0.isList }.map(\.name)
        return .json(
            .inline(#"{"anyOf":[\#(schemas.joined(separator: ","))]}"#),
            "An array, or an object for \(objects.dropLast().joined(separator: ", ")) and \(objects.last ?? "")"
        )
    }
}

extension Call {
    /// What is asked at a path, and with which arguments.
    ///
    /// - Throws: ``Problem`` with 400 for a parameter that means nothing in the view.
    fileprivate func question(at path: QuestionPath) throws -> (Question, Arguments) {
        let view = self["view"].flatMap { word in path.views.first { $0.name == word } }
        guard let question = view ?? path.usual ?? path.views.first else { throw Problem.noJournal }
        let known = (question.parameters + (question.isList ? Call.portionQuery : [])).map(\.name)
        for parameter in path.parameters + Call.portionQuery where self[parameter.name] != nil {
            guard !known.contains(parameter.name) else { continue }
            let words = known.map { "'\($0)'" }.joined(separator: ", ")
            throw Problem(
                .badRequest, "parameter-unknown",
                "'\(parameter.name)' has no effect with view=\(question.name)",
                cure: words.isEmpty ? "leave it out" : "leave it out; the view takes \(words)")
        }
        return (question, try Arguments(typed: query, as: question.parameters))
    }

    /// The answer; 304 before anything but the journal's files is looked at, if the client has it and it is of them alone.
    fileprivate func answer(
        _ question: Question, _ arguments: Arguments, of format: any JournalFormat
    ) throws -> Response {
        // A bad cursor is said before any file is looked at.
        let previous = try self["after"].map { try Self.named(by: Cursor($0)) }
        return try askJournal(of: format) { (path, asking) throws -> Response in
            let (journals, tags) = (context.memory.openedJournals, context.memory.journalTags)
            let files = question.isAboutNow ? nil : try journals.files(of: path, format)
            var ingredients: EntityTag?
            if let files, let zone = try? asking.zone() { ingredients = tag(of: path, in: files, zone) }
            if let ingredients, let tag = tags[ingredients], let known = try known(tag) {
                return .notModified(known)
            }
            let (json, link) = try journals.ask(path, of: format, asking) {
                try portion(of: question.ask($0, arguments), behind: previous)
            }
            let tag = EntityTag(contents: json.bytes + (link.map { Array($0.utf8) } ?? []))
            if let ingredients, try journals.files(of: path, format) == files { tags[ingredients] = tag }
            return .json(json).with(.eTag, tag.description).with(.link, link)
        }
    }

    // MARK: - Portions

    /// The parameters of a list of a kind, of which clients get all rows unless they ask for fewer.
    static let portionQuery = [
        DeclaredParameter(
            name: "limit", type: .integer(1...1000), summary: "The maximum number of rows; all if omitted"),
        DeclaredParameter(
            name: "after", type: .cursor, summary: "The cursor in the Link of the previous page"),
    ]

    /// A row that a cursor names: where it was, and the digest of what it said.
    private typealias NamedRow = (index: Int, digest: [UInt8])

    /// The rows of a list that are asked for, with the link to those behind them; of anything else all.
    ///
    /// - Throws: ``ProtocolError`` with `.cursorMalformed` if the row that a cursor names is not in the list any more.
    private func portion(of answer: Answer, behind previous: NamedRow?) throws -> (
        json: JSONText, link: String?
    ) {
        guard case .list(let count, let row) = answer.content else { return (answer.json, nil) }
        let first = try previous.map { try Self.place(behind: $0, count, row) } ?? 0
        let end = self["limit"].flatMap { Int($0) }.map { min(count, first + $0) } ?? count
        let rows = (first..<end).map(row)
        guard end < count, let last = rows.last else { return (.array(rows), nil) }
        let cursor = Cursor([.integer(Int64(end - 1)), .bytes(EntityTag.digest(last.bytes))])
        return (.array(rows), link(to: cursor))
    }

    private static func named(by cursor: Cursor) throws(ProtocolError) -> NamedRow {
        var reader = cursor.reader
        let index = Int(clamping: try reader.integer())
        let digest = try reader.bytes()
        try reader.finish()
        return (index, digest)
    }

    /// Behind the row that a cursor names, by where it was and by what it said: rows that have come since don't shift the pages.
    private static func place(
        behind named: NamedRow, _ count: Int, _ row: (Int) -> JSONText
    ) throws(ProtocolError) -> Int {
        func isNamed(_ index: Int) -> Bool { EntityTag.digest(row(index).bytes) == named.digest }
        if (0..<count).contains(named.index), isNamed(named.index) { return named.index + 1 }
        guard let found = (0..<count).first(where: isNamed) else { throw .cursor }
        return found + 1
    }

    /// Asks about the journal of a kind that `{j}` names. What writes into it is not done here but afterwards: `body` may be called again.
    ///
    /// - Throws: ``Problem`` with 404 for a journal of another kind, too.
    func askJournal<Result>(
        of format: any JournalFormat, _ body: (any OpenedJournal) throws -> Result
    ) throws -> Result {
        try askJournal(of: format) { path, asking in
            try context.memory.openedJournals.ask(path, of: format, asking, body)
        }
    }

    private func askJournal<Result>(
        of format: any JournalFormat, _ body: (FilePath, Asking) throws -> Result
    ) throws -> Result {
        try askJournal { _, path in
            guard let journal = try JournalCandidate(reading: path, of: Journals.all),
                journal.kind == format.layout.kind
            else { throw Problem.noJournal }
            return try body(journal.path, asking(journal.header))
        }
    }

    /// Others than the journal's owner ask over HTTP.
    private func asking(_ header: JournalHeader) -> Asking {
        Asking(now: now, audience: .others) {
            // Its days are counted in its own zone, wherever the server is.
            try header.timeZone.map { try ZoneFiles.rules(named: $0) } ?? context.zone()
        }
    }
}
