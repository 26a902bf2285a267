internal import ArgumentParser
internal import RecordFormat
internal import SystemPackage
internal import TraceFiles
internal import TraceFormat
internal import TraceIndex
internal import TraceLibrary
internal import TraceText

/// `trace at`
struct AtCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "at", abstract: "Show what was happening at a moment, in any session.",
        discussion: """
            The time is in the configured zone (2026-02-04T20:15) unless it has Z or an offset like +01:00. For \
            each session that ran then: the offset, the position in its media, and the markers, voice notes and transcript \
            around it. What other journals hold around the time follows, as of 'trace timeline'.

            One per line, separated by tabs: the kind, the offset as a clock and in milliseconds (of media: the position in the file), \
            the text, the tags, the media file, the id and the directory; of other journals the local time instead of the clock, and nothing \
            instead of the milliseconds. On a terminal, a table for each session. Exit status 1 if nothing is known of the time.
            """)

    @Argument(help: "The time.", completion: .moments)
    var moment: String
    @Option(help: ArgumentHelp("How far before and after to look.", valueName: "duration"))
    var within = "30s"
    @OptionGroup var list: ListOptions

    var global: GlobalOptions { list.global }

    func run() throws {
        try CommandFailure.explaining {
            let distance = try OffsetExpression.duration(within)
            let context = try CommandContext(global)
            let zone = try context.zone
            let typed = try TimeArgument(moment, in: zone)
            let question = MomentQuestion(at: typed.first, within: distance)
            context.notice("at \(zone.exactText(question.moment))")
            if let warning = typed.warning { context.notice("warning: \(warning)") }
            let fresh = FreshIndex(
                context.library, session: try global.session.map { try context.session($0) })
            let (answer, asksOthers) = try fresh.answer { index -> (MomentAnswer, Bool) in
                let answer = try question.answer(index, in: fresh.scope)
                return (answer, try answer.isEmpty && question.asksOthers(index, in: fresh.scope))
            }
            let found = answer.sessions
            if global.json {
                Output.json(answer.json(.commandLine))
            } else if list.table.isOnScreen {
                Self.show(found)
                Output.lines(answer.otherLines(in: zone))
            } else {
                let others = answer.otherRows(in: zone).map { row in
                    [row.kind, row.time, "", row.text, "", "", row.id, row.path.escaped]
                }
                list.table.print(found.flatMap(\.fields) + others, MomentAnswer.Surroundings.names) { $0 }
            }
            try fresh.end()
            guard answer.isEmpty else { return }
            context.notice(
                "no session ran then" + (asksOthers ? ", and no other journal has an entry near it" : ""))
            throw CommandFailure(.negative, nil)
        }
    }
}

extension AtCommand {
    /// A table for each session, all with the same columns.
    private static func show(_ found: [MomentAnswer.Surroundings]) {
        let rows = found.map(\.rows)
        guard rows.contains(where: { !$0.isEmpty }) else {
            return Output.lines(found.lazy.map(\.heading))
        }
        let table = ListScreen.table(MomentAnswer.Surroundings.columns, Array(rows.joined()))
        for (number, (session, rows)) in zip(found, rows).enumerated() {
            if number > 0 { Output.line("") }
            Output.lines([session.heading] + (rows.isEmpty ? [] : [table.header]) + rows.map(table.line))
        }
    }
}

extension MomentAnswer.Surroundings {
    fileprivate static let columns: [TerminalTable.Column] = [
        .number("TIME"), .whole("KIND"), .text("WORDS", least: 24), .text("TAGS", least: 9, rank: 5),
        .whole("ID", rank: 4),
    ]

    /// Which session it is, and where in it the moment lies.
    fileprivate var heading: TerminalText {
        var text = TerminalText(session.listName.oneLine, Output.isStyled ? .bold : .plain)
        let directory = session.path.lastComponent?.escaped ?? session.path.escaped
        text += TerminalText(
            " at \(offset.tenths), in \(directory)" + (session.isOnline ? "" : " (offline)"))
        return text
    }

    /// What is below it, in the order of the session.
    fileprivate var rows: [[TerminalCell]] {
        media.map { item, position in
            [
                .time(offset), TerminalCell("media"), TerminalCell("\(item.path) at \(position.tenths)"),
                TerminalCell(), .id(item.id),
            ]
        }
            + records.map { found in
                let record = found.record
                let words = [record.text, record.note, record.mediaPath].compactMap(\.self)
                return [
                    .time(record.offset), TerminalCell(record.kindName.replacing("_", with: " ")),
                    TerminalCell(words.first { !$0.isEmpty } ?? ""), .tags(record.tags), .id(record.id),
                ]
            }
    }

    fileprivate static let names = [
        "kind", "time", "offset_ms", "text", "tags", "media_path", "id", "path",
    ]

    /// The session, its media and its records, each with all columns.
    fileprivate var fields: [[String]] {
        func row(
            _ kind: String, _ offset: SessionOffset, _ text: String, tags: [String] = [], media: String = "",
            _ id: ULID?
        ) -> [String] {
            [
                kind, offset.clock, "\(offset.milliseconds)", text, tags.joined(separator: ","), media,
                id?.description ?? "", session.path.escaped,
            ]
        }
        let head = row(
            "session", offset, session.listName + (session.isOnline ? "" : " (offline)"), session.id)
        return [head]
            + media.map { row("media", $0.position, $0.item.path, media: $0.item.path, $0.item.id) }
            + records.map { found in
                let record = found.record
                let words = [record.text, record.note].compactMap(\.self).first { !$0.isEmpty }
                return row(
                    record.kindName, record.offset ?? .zero, words ?? "", tags: record.tags,
                    media: record.mediaPath ?? "", record.id)
            }
    }
}
