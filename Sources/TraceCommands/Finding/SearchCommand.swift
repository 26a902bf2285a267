internal import ArgumentParser
internal import RecordFormat
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// `trace search`
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find words in the records and titles of all journals, the best hit first.",
        discussion: """
            All words must match, ignoring case and accents; "two words" in quotes must follow each \
            other, and intro* matches the beginning of a word. Nothing else is special. Chinese, Japanese, Korean, Thai and \
            other text without spaces between words matches anywhere. Of a session, labels, notes and transcripts are searched.

            One hit per line, separated by tabs: session, offset as a clock and in milliseconds, kind, the words around the hit, the \
            session's directory and the record's id; of journals other than sessions the local time instead of the clock, and nothing \
            instead of the milliseconds. On a terminal, a table with the day. Exit status 1 if nothing is found.
            """)

    @Argument(help: "What to search for.", transform: words)
    var query: [String]
    @Option(
        help: ArgumentHelp(
            "Only these kinds: marker, voice_note, transcript, session (titles), or a kind of journal; may be repeated.",
            valueName: "kind"),
        completion: .list(SearchQuestion.kindNames), transform: searchKind)
    var kind: [[EntryKind]] = []
    @Option(help: "Only in markers with this tag.", completion: .tags)
    var tag: String?
    @Option(
        help: ArgumentHelp("Only from this moment on.", valueName: "time"), completion: .moments)
    var since: String?
    @Option(
        help: ArgumentHelp("Only up to this moment.", valueName: "time"), completion: .moments)
    var until: String?
    @Option(help: "The maximum number of hits.")
    var limit = 50
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    private static func searchKind(_ text: String) throws -> [EntryKind] {
        if let kinds = SearchQuestion.kinds(named: text) { return kinds }
        let names = SearchQuestion.kindNames.map { "'\($0)'" }.joined(separator: ", ")
        throw ValidationError("'\(text)' is not one of \(names)")
    }

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1") }
    }

    func run() throws {
        try CommandFailure.explaining {
            var question = try SearchQuestion(query.joined(separator: " "), limit: limit)
            let context = try CommandContext(global)
            question.moments = try context.moments(since: since, until: until)
            question.kinds = kind.isEmpty ? nil : Set(kind.joined())
            question.tag = tag
            let fresh = FreshIndex(
                context.library, session: try global.session.map { try context.readJournal($0) },
                about: question.kinds.flatMap { kinds in
                    let records = Set(RecordKind.allCases.filter { kinds.contains($0.entryKind) })
                    // Of other journals nothing is left out.
                    return records.count == kinds.count ? records : nil
                })
            let answer = try fresh.answer { index in
                let progress = context.progress("filling in the search text")
                defer { progress.finish() }
                return try question.answer(index, in: fresh.scope) {
                    progress.update(Double($0) / Double($1))
                }
            }
            if answer.isRebuilt { context.notice("the search text of the index was damaged; it was rebuilt") }
            try show(answer.hits, context)
            try fresh.end()
            if answer.hits.isEmpty {
                context.notice("nothing found\(answer.suggestion.map(Self.offer) ?? "")")
                throw CommandFailure(.negative, nil)
            }
            if answer.hasMore { context.notice("there are more; raise --limit to see them") }
        }
    }

    private static func offer(_ suggestion: SearchAnswer.Suggestion) -> String {
        "; '\(suggestion.words)' finds \(suggestion.hasMore ? "more than " : "")\(suggestion.count)"
    }

    private func show(_ hits: [SearchAnswer.Hit], _ context: CommandContext) throws {
        if global.json { return Output.json(hits.lazy.map { $0.json(.commandLine) }) }
        let zone = try context.zone
        let table = list.table
        if table.isOnScreen {
            if hits.isEmpty { return }
            return ListScreen.show(SearchAnswer.Hit.columns, hits.map { $0.cells(zone) })
        }
        // Styles are for lines alone, where somebody asks for them.
        guard table.format == nil, Output.isStyled else {
            return table.print(hits, SearchAnswer.Hit.names) { $0.fields(zone) }
        }
        if table.hasHeader { Output.line(ListTable.line(SearchAnswer.Hit.names)) }
        Output.lines(hits.lazy.map { $0.styledLine(zone) })
    }
}

extension SearchAnswer.Hit {
    fileprivate static let columns: [TerminalTable.Column] = [
        .whole("DATE"), .text("DIRECTORY", least: 20), .text("TITLE", least: 12, rank: 2), .number("TIME"),
        .whole("KIND", rank: 5), .text("WORDS", least: 32),
    ]

    fileprivate func cells(_ zone: ZoneRules) -> [TerminalCell] {
        let words = hit.snippet.parts.map { TerminalSpan($0.text, $0.isHit ? .bold : .plain) }
        return [
            .day(hit.record?.wallTime ?? session.startTime, in: zone), .directory(session),
            TerminalCell(session.displayTitle ?? ""),
            moment.map { TerminalCell(zone.time(of: $0)) } ?? .time(hit.record?.offset),
            TerminalCell(hit.record.map { $0.kindName.replacing("_", with: " ") } ?? "title"),
            TerminalCell(words, cut: .aroundStyle),
        ]
    }

    /// When a record of a journal without a clock of its own was made; nil for those of sessions.
    private var moment: Timestamp? {
        guard let record = hit.record, !RecordKind.allCases.contains(where: { $0.entryKind == record.kind })
        else { return nil }
        return record.wallTime
    }

    fileprivate static let names = ["session", "time", "offset_ms", "kind", "snippet", "path", "id"]
    /// Which of them has the words.
    private static let snippet = 4

    fileprivate func fields(_ zone: ZoneRules) -> [String] {
        let offset = hit.record?.offset
        return [
            session.listName.oneLine + (session.isOnline ? "" : " (offline)"),
            moment.map(zone.secondText) ?? offset?.clock ?? "",
            offset.map { "\($0.milliseconds)" } ?? "", hit.kindName, hit.snippet.text, session.path.escaped,
            hit.record.flatMap { $0.otherID ?? $0.id?.description } ?? "",
        ]
    }

    /// The columns between tabs, with what was found in bold type.
    fileprivate func styledLine(_ zone: ZoneRules) -> TerminalText {
        let fields = fields(zone)
        var text = TerminalText(ListTable.line(Array(fields[..<Self.snippet]) + [""]))
        for part in hit.snippet.parts {
            text += TerminalText(part.text.oneLine, part.isHit ? .bold : .plain)
        }
        text += TerminalText(ListTable.line([""] + fields[(Self.snippet + 1)...]))
        return text
    }
}
