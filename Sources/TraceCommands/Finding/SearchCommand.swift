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
        abstract: "Find words in labels, notes, transcripts and titles, the best hit first.",
        discussion: """
            All words must match, ignoring case and accents; "two words" in quotes must follow each \
            other, and intro* matches the beginning of a word. Nothing else is special. Chinese, Japanese, Korean, Thai and \
            other text without spaces between words matches anywhere.

            One hit per line, separated by tabs: session, offset as a clock and in milliseconds, kind, and the words around \
            the hit. On a terminal, a table with the day and the session's directory. Exit status 1 if nothing is found.
            """)

    @Argument(help: "What to search for.", transform: words)
    var query: [String]
    @Option(help: "Only these kinds: marker, voice_note, transcript or session (titles); may be repeated.")
    var kind: [SearchKind] = []
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
    @OptionGroup var global: GlobalOptions

    enum SearchKind: String, ExpressibleByArgument, CaseIterable {
        case marker, voice_note, transcript, session
    }

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1") }
    }

    func run() throws {
        try CommandFailure.explaining {
            let terms = SearchWords(query.joined(separator: " "))
            guard terms.terms.count <= SearchWords.limit else {
                throw CommandFailure(.usage, "more than \(SearchWords.limit) words")
            }
            let context = try CommandContext(global)
            let moments = try context.moments(since: since, until: until)
            let kinds = kind.isEmpty ? nil : Set(kind.compactMap { RecordKind(rawValue: $0.rawValue) })
            let fresh = FreshIndex(
                context.library, session: try global.session.map { try context.session($0) }, about: kinds
            )
            var filter = RecordFilter(fresh.scope)
            filter.kinds = kinds.map { Set($0.map(\.entryKind)) }
            filter.tags = [tag].compactMap(\.self)
            filter.moments = moments
            var offer = ""
            let hits = try fresh.answer { index in
                let progress = context.progress("filling in the search text")
                try index.fillSearch { progress.update(Double($0) / Double($1)) }
                progress.finish()
                let shown = SessionCache(index)
                let hits = try index.search(terms, filter, limit: limit == .max ? limit : limit + 1).map {
                    try ShownHit($0, shown)
                }
                offer = try hits.isEmpty ? Self.offer(instead: terms, filter, index) : ""
                return hits
            }
            try show(hits.prefix(limit), context)
            try fresh.end()
            if hits.isEmpty {
                context.notice("nothing found\(offer)")
                throw CommandFailure(.negative, nil)
            }
            if hits.count > limit { context.notice("there are more; raise --limit to see them") }
        }
    }

    /// What would be found if the words were only the beginnings of words.
    private static func offer(
        instead terms: SearchWords, _ filter: RecordFilter, _ index: SessionIndex
    ) throws -> String {
        guard let beginnings = terms.beginnings else { return "" }
        let most = 100
        let count = try index.search(beginnings, filter, limit: most + 1).count
        return count == 0
            ? "" : "; '\(beginnings.typed)' finds \(count > most ? "more than \(most)" : "\(count)")"
    }

    private func show(_ hits: ArraySlice<ShownHit>, _ context: CommandContext) throws {
        if global.json { return Output.json(hits.lazy.map(\.json)) }
        if Output.isTerminal {
            if hits.isEmpty { return }
            let zone = try context.zone
            return ListScreen.show(ShownHit.columns, hits.map { $0.cells(zone) })
        }
        let isStyled = Output.isStyled
        Output.lines(hits.lazy.map { $0.text(isStyled: isStyled) })
    }
}

/// A hit with the session that it is in and its line.
private struct ShownHit {
    let hit: SearchHit
    let session: IndexedSession
    /// Nil for a title, and where the root is offline.
    let line: [UInt8]?

    init(_ hit: SearchHit, _ sessions: SessionCache) throws {
        self.hit = hit
        session = try sessions[hit.session]
        line = try hit.record.flatMap { try sessions.line(of: $0) }
    }

    static let columns: [TerminalTable.Column] = [
        .whole("DATE"), .text("DIRECTORY", least: 20), .text("TITLE", least: 12, rank: 2), .number("TIME"),
        .whole("KIND", rank: 5), .text("WORDS", least: 32),
    ]

    func cells(_ zone: ZoneRules) -> [TerminalCell] {
        let words = hit.snippet.parts.map { TerminalSpan($0.text, $0.isHit ? .bold : .plain) }
        return [
            .day(hit.record?.wallTime ?? session.startTime, in: zone), .directory(session),
            TerminalCell(session.displayTitle ?? ""), .time(hit.record?.offset),
            TerminalCell(hit.record.map { $0.kindName.replacing("_", with: " ") } ?? "title"),
            TerminalCell(words, cut: .aroundStyle),
        ]
    }

    func text(isStyled: Bool) -> TerminalText {
        let offset = hit.record?.offset
        let columns = [
            session.listName.oneLine + (session.isOnline ? "" : " (offline)"), offset?.clock ?? "",
            offset.map { "\($0.milliseconds)" } ?? "", hit.kindName, "",
        ]
        var text = TerminalText(columns.joined(separator: "\t"))
        for part in hit.snippet.parts {
            text += TerminalText(part.text.oneLine, part.isHit && isStyled ? .bold : .plain)
        }
        return text
    }

    var json: JSONText {
        .object { object in
            session.addIdentity(to: &object)
            object.member("kind", JSONText(hit.kindName))
            object.member("offset_ms", hit.record?.offset.map { JSONText($0) })
            object.member("wall_time", (hit.record?.wallTime).map { JSONText($0) })
            object.member("snippet", JSONText(hit.snippet.text))
            object.member("record", line.map { JSONText(verbatim: $0) })
        }
    }
}
